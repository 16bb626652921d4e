//! How a text without a grammar falls into parts: lines, statements, clauses, elements of lists, operands.
//!
//! Each [`Level`] divides a run of tokens at one kind of separator. Which they are, and what is a bracket, is data:
//! `grammars/none/phrases.toml`.

use super::{Lexis, bracketed::Bracketed};
use serde::Deserialize;
use std::{ops::Range, sync::LazyLock};

/// One way to divide, by its place among those of the file: the first ones make the largest parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(usize);

/// What divides at a level.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rule {
    Lines,
    Statements,
    Starts(Vec<String>),
    Between(Vec<String>),
}

/// What the file says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    levels: Vec<Rule>,
    heads: Vec<String>,
    brackets: Vec<Bracket>,
    ends: Vec<String>,
    middles: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bracket {
    open: String,
    close: String,
    #[serde(default)]
    level: usize,
}

/// It is a part of the program and a test reads it, so it never lacks.
static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let text = include_str!("../../grammars/none/phrases.toml");
    toml::from_str(text).unwrap_or_default()
});

impl Level {
    /// Where a document begins.
    pub(super) const FIRST: Self = Self(0);

    /// The level that makes the smallest parts.
    pub(super) fn last() -> Self {
        Self(FACTS.levels.len().saturating_sub(1))
    }

    /// The next level; `None` behind the last.
    pub(super) fn below(self) -> Option<Self> {
        (self.0 < Self::last().0).then_some(Self(self.0 + 1))
    }

    /// Whether its parts are lines, which may hold deeper lines.
    pub(super) fn is_lines(self) -> bool {
        matches!(self.rule(), Some(Rule::Lines))
    }

    fn rule(self) -> Option<&'static Rule> {
        FACTS.levels.get(self.0)
    }
}

/// The tokens of a text, and where each bracket ends.
pub(super) struct Phrases<'a> {
    row: Bracketed<'a>,
    /// The indentation of the line, for the first token of each.
    indentations: Vec<Option<usize>>,
}

impl<'a> Phrases<'a> {
    pub(super) fn of(bytes: &'a [u8], lexis: &Lexis) -> Self {
        let brackets = FACTS.brackets.iter();
        let pairs = brackets.map(|bracket| (&*bracket.open, &*bracket.close));
        let row = Bracketed::of(bytes, lexis, &pairs.collect::<Vec<_>>());
        let mut phrases = Self {
            indentations: indentations(bytes, &row.tokens),
            row,
        };
        phrases.flatten();
        phrases
    }

    /// How many tokens there are.
    pub(super) fn len(&self) -> usize {
        self.row.tokens.len()
    }

    /// The bytes of a token.
    pub(super) fn range(&self, token: usize) -> Range<usize> {
        self.row.tokens[token].clone()
    }

    /// The token behind `token`, or behind the bracket that it opens.
    pub(super) fn end_of(&self, token: usize) -> usize {
        self.row.ends[token]
    }

    /// The parts of a run of tokens at a level; one part if it does not divide it. Cost: linear in the tokens outside brackets.
    pub(super) fn parts(&self, run: &Range<usize>, level: Level) -> Vec<Range<usize>> {
        let Some(rule) = level.rule() else {
            return Vec::new();
        };
        if level.is_lines() && !self.falls_into_lines(run) {
            return Vec::new();
        }
        let base = self.indentations.get(run.start).copied().flatten();
        let (mut parts, mut start) = (Vec::new(), run.start);
        let mut is_open = false;
        for token in self.row.outside_brackets(run) {
            let cut = match rule {
                Rule::Lines => {
                    let indentation = self.indentations[token];
                    let is_deeper = |own| base.is_some_and(|base| own > base);
                    is_open |= indentation.is_some_and(is_deeper);
                    let is_part = indentation.is_some_and(|own| !is_deeper(own));
                    let is_middle = token > run.start && self.is_middle(token);
                    let goes_on = is_part
                        && indentation == base
                        && (is_middle || (is_open && self.is_end(token)));
                    is_open &= !is_part || is_middle;
                    (is_part && !goes_on).then_some((token, token))
                }
                Rule::Statements => (self.text(token) == b";").then_some((token + 1, token + 1)),
                Rule::Starts(words) => self.is_one_of(token, words).then_some((token, token)),
                Rule::Between(separators) => {
                    let between =
                        self.is_one_of(token, separators) && self.follows_operand(token, run);
                    between.then_some((token, token + 1))
                }
            };
            if let Some((end, next)) = cut
                && (end > start || next > end)
            {
                parts.push(start..end);
                start = next;
            }
        }
        if start < run.end || matches!(rule, Rule::Between(_)) {
            parts.push(start..run.end);
        }
        parts
    }

    /// Whether a token ends what stands deeper above its line.
    fn is_end(&self, token: usize) -> bool {
        is_any_of(self.text(token), &FACTS.ends)
    }

    /// Whether a token goes on with what stands above its line.
    pub(super) fn is_middle(&self, token: usize) -> bool {
        goes_on(self.text(token))
    }

    /// The lines that stand deeper below the first one of a run, up to the line that ends them; none at the end of the run if there
    /// are none.
    pub(super) fn lines_below(&self, run: &Range<usize>) -> Range<usize> {
        let begins_line = |token: &usize| *token > run.start && self.indentations[*token].is_some();
        let mut starts = self.row.outside_brackets(run).filter(begins_line);
        let first = starts.next().unwrap_or(run.end);
        let base = self.indentations[run.start];
        let is_end = |token: &usize| self.indentations[*token] == base && self.is_end(*token);
        let last = starts.last().filter(is_end).unwrap_or(run.end);
        first..last
    }

    /// Whether a run of tokens is a single line, what stands deeper below it, and the line that ends that.
    pub(super) fn is_block(&self, run: &Range<usize>) -> bool {
        if run.is_empty() {
            return false;
        }
        let lines = self.lines_below(run);
        let is_deeper = |token: usize| {
            self.indentations[token].is_none_or(|own| Some(own) > self.indentations[run.start])
        };
        let mut inside = self.row.outside_brackets(&(run.start..lines.end)).skip(1);
        lines.end < run.end && inside.all(|token| is_deeper(token) || self.is_middle(token))
    }

    /// Whether a run of tokens is a single line, with what stands deeper below it.
    pub(super) fn is_one_line(&self, run: &Range<usize>) -> bool {
        let base = self.indentations.get(run.start).copied().flatten();
        let mut others = self.row.outside_brackets(run).skip(1);
        let is_part = |token: usize| self.indentations[token].is_some_and(|own| Some(own) <= base);
        !run.is_empty() && !others.any(is_part)
    }

    /// The tokens that begin the lines which go on with what the first line of a run began.
    pub(super) fn middles_of(&self, run: &Range<usize>) -> Vec<usize> {
        let base = self.indentations[run.start];
        let tokens = self.row.outside_brackets(run).skip(1);
        let is_middle = |token: &usize| self.indentations[*token] == base && self.is_middle(*token);
        tokens.filter(is_middle).collect()
    }

    /// The first token behind the words that begin a clause; the start if it begins with none.
    pub(super) fn head_of_clause(&self, run: &Range<usize>) -> usize {
        let begins =
            |rule: &Rule| matches!(rule, Rule::Starts(words) if self.is_one_of(run.start, words));
        if !FACTS.levels.iter().any(begins) {
            return run.start;
        }
        (run.start + 1..run.end)
            .find(|&token| !self.is_one_of(token, &FACTS.heads))
            .unwrap_or(run.end)
    }

    /// Whether a run ends with a semicolon of its own.
    pub(super) fn is_statement(&self, run: &Range<usize>) -> bool {
        self.text(run.end - 1) == b";"
    }

    /// The level at which what the bracket `open` holds is divided.
    pub(super) fn level_inside(&self, open: usize) -> Level {
        let is_it = |bracket: &&Bracket| bracket.open.as_bytes() == self.text(open);
        let bracket = FACTS.brackets.iter().find(is_it);
        bracket.map_or(Level::FIRST, |bracket| Level(bracket.level))
    }

    /// Whether the lines of a run are parts of their own. Where most of them end with a separator, that is what divides.
    fn falls_into_lines(&self, run: &Range<usize>) -> bool {
        let base = self.indentations.get(run.start).copied().flatten();
        let (mut lines, mut separated) = (0, 0);
        for token in self
            .row
            .outside_brackets(run)
            .filter(|&token| token > run.start)
        {
            if self.indentations[token].is_some_and(|own| base.is_none_or(|base| own <= base)) {
                lines += 1;
                separated += usize::from(matches!(self.text(token - 1), b";" | b","));
            }
        }
        lines > 0 && separated * 2 < lines
    }

    /// Whether what stands before a token can be an operand, so that an operator may follow.
    fn follows_operand(&self, token: usize, run: &Range<usize>) -> bool {
        let always = matches!(self.text(token), b"," | b";");
        always
            || (token > run.start && !matches!(self.text(token - 1), [byte] if is_operator(*byte)))
    }

    fn text(&self, token: usize) -> &[u8] {
        self.row.text(token)
    }

    fn is_one_of(&self, token: usize, words: &[String]) -> bool {
        let text = self.text(token);
        words
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Makes ordinary tokens of the brackets that stand too deep inside of others.
    fn flatten(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for token in 0..self.len() {
            while open.last().is_some_and(|&end| end <= token) {
                open.pop();
            }
            if self.row.ends[token] == token + 1 {
                continue;
            }
            if open.len() < DEEPEST {
                open.push(self.row.ends[token]);
            } else {
                self.row.ends[token] = token + 1;
            }
        }
    }
}

/// Whether a line that begins with this word goes on with what stands above it.
pub(crate) fn goes_on(word: &[u8]) -> bool {
    is_any_of(word, &FACTS.middles)
}

fn is_any_of(word: &[u8], words: &[String]) -> bool {
    words.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => {
            let begins = word.get(..start.len());
            begins.is_some_and(|begins| begins.eq_ignore_ascii_case(start.as_bytes()))
        }
        None => word.eq_ignore_ascii_case(known.as_bytes()),
    })
}

/// A bracket inside of so many others is an ordinary token: some passes take the square of the depth.
const DEEPEST: usize = 1000;

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'<' | b'>' | b',' | b'!' | b'&' | b'|'
    )
}

/// The column behind these blanks at the start of a line.
pub(crate) fn column_behind(blanks: &[u8]) -> usize {
    let behind = |column: usize, byte: &u8| match byte {
        b'\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    };
    blanks.iter().fold(0, behind)
}

/// Columns from one tab stop to the next, as most programs show them.
const TAB: usize = 8;

/// How far each token that begins a line stands from its start.
fn indentations(bytes: &[u8], tokens: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut end = 0;
    let of_token = |token: &Range<usize>| {
        let gap = &bytes[end..token.start];
        let first = end == 0;
        end = token.end;
        match gap.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => Some(column_behind(&gap[newline + 1..])),
            None => first.then_some(column_behind(gap)),
        }
    };
    tokens.iter().map(of_token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_and_its_brackets_have_levels() {
        assert_eq!(FACTS.levels.first(), Some(&Rule::Lines));
        assert!(FACTS.heads.contains(&"by".to_owned()));
        let levels = FACTS.levels.len();
        assert!(FACTS.brackets.iter().all(|bracket| bracket.level < levels));
        assert_eq!(FACTS.brackets.len(), 5);
    }
}
