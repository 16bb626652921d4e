//! How a text without a grammar falls into parts: lines, statements, clauses, elements of lists, operands.
//!
//! Languages differ in their words, but hardly in what separates: a semicolon ends more than a comma, a comma separates more than
//! an operator. Each [`Level`] divides a run of tokens at one kind of separator; the words that begin a clause are those of SQL,
//! the one language of this kind in which commas bind more tightly than words.

use super::Lexis;
use std::ops::Range;

/// One way to divide, by its place in `RULES`: the first ones make the largest parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(u8);

/// What divides at a level.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The start of a line that is not indented more deeply than the first.
    Lines,
    /// The end of a statement; the semicolon belongs to it.
    Statements,
    /// A word that begins a part.
    Starts(&'static [&'static str]),
    /// A token between two parts that belongs to neither.
    Between(&'static [&'static str]),
}

const RULES: &[Rule] = &[
    Rule::Lines,
    Rule::Statements,
    Rule::Starts(&["union", "except", "intersect", "explain"]),
    Rule::Starts(&[
        "select",
        "from",
        "where",
        "group",
        "order",
        "having",
        "limit",
        "offset",
        "values",
        "set",
        "insert",
        "update",
        "delete",
        "returning",
        "with",
    ]),
    Rule::Between(&[",", ";"]),
    Rule::Starts(&[
        "left",
        "right",
        "inner",
        "outer",
        "cross",
        "natural",
        "join",
        "on",
        "using",
        "primary",
        "references",
        "default",
        "check",
        "unique",
        "not",
        "when",
        "then",
        "else",
        "as",
        "collate",
        "over",
        "partition",
        "desc",
        "asc",
    ]),
    Rule::Between(&["=", ":", "=>", "+=", "-=", "*=", "/=", ":="]),
    Rule::Between(&["or", "||", "?"]),
    Rule::Between(&["and", "&&"]),
    Rule::Between(&["==", "!=", "<", ">", "<=", ">=", "like", "in", "is"]),
    Rule::Between(&["+", "-"]),
    Rule::Between(&["*", "/", "%"]),
    Rule::Between(&[".", "::", "->"]),
];

/// Words that stand behind the first one of a clause and belong to it.
const HEADS: &[&str] = &[
    "by",
    "into",
    "all",
    "distinct",
    "outer",
    "join",
    "key",
    "null",
    "query",
    "plan",
    "recursive",
];

/// Brackets, and words that are like brackets.
const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("begin", "end"),
    ("case", "end"),
];

impl Level {
    /// Where a document begins.
    pub(super) const FIRST: Self = Self(0);
    /// The level that makes the smallest parts.
    #[expect(clippy::cast_possible_truncation, reason = "a dozen rules")]
    pub(super) const LAST: Self = Self(RULES.len() as u8 - 1);
    const QUERIES: Self = Self(2);
    const ELEMENTS: Self = Self(4);

    /// The next level; `None` behind the last.
    pub(super) fn below(self) -> Option<Self> {
        (self != Self::LAST).then_some(Self(self.0 + 1))
    }

    /// Whether its parts are lines, which may hold deeper lines.
    pub(super) fn is_lines(self) -> bool {
        matches!(RULES[usize::from(self.0)], Rule::Lines)
    }
}

/// The tokens of a text, and where each bracket ends.
pub(super) struct Phrases<'a> {
    bytes: &'a [u8],
    tokens: Vec<Range<usize>>,
    /// The token behind each token; for an opening bracket, behind its counterpart.
    ends: Vec<usize>,
    /// The indentation of the line, for the first token of each.
    indentations: Vec<Option<usize>>,
}

impl<'a> Phrases<'a> {
    pub(super) fn of(bytes: &'a [u8], lexis: &Lexis) -> Self {
        let tokens = lexis.tokens(bytes);
        let mut phrases = Self {
            bytes,
            ends: (1..=tokens.len()).collect(),
            indentations: indentations(bytes, &tokens),
            tokens,
        };
        phrases.match_brackets();
        phrases.flatten();
        phrases
    }

    /// How many tokens there are.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The bytes of a token.
    pub(super) fn range(&self, token: usize) -> Range<usize> {
        self.tokens[token].clone()
    }

    /// The token behind `token`, or behind the bracket that it opens.
    pub(super) fn end_of(&self, token: usize) -> usize {
        self.ends[token]
    }

    /// The parts of a run of tokens at a level; one part if it does not divide it. Cost: linear in the tokens outside brackets.
    pub(super) fn parts(&self, run: &Range<usize>, level: Level) -> Vec<Range<usize>> {
        let rule = RULES[usize::from(level.0)];
        if matches!(rule, Rule::Lines) && !self.falls_into_lines(run) {
            return Vec::new();
        }
        let base = self.indentations.get(run.start).copied().flatten();
        let (mut parts, mut start) = (Vec::new(), run.start);
        for token in self.outside_brackets(run) {
            let cut = match rule {
                Rule::Lines => {
                    let indentation = self.indentations[token];
                    let is_part =
                        indentation.is_some_and(|own| base.is_none_or(|base| own <= base));
                    is_part.then_some((token, token))
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

    /// The first token of a line that begins a deeper line, or the end.
    pub(super) fn head_of_line(&self, line: &Range<usize>) -> usize {
        self.outside_brackets(line)
            .find(|&token| token > line.start && self.indentations[token].is_some())
            .unwrap_or(line.end)
    }

    /// The first token behind the words that begin a clause; the start if it begins with none.
    pub(super) fn head_of_clause(&self, run: &Range<usize>) -> usize {
        let begins = RULES
            .iter()
            .any(|rule| matches!(rule, Rule::Starts(words) if self.is_one_of(run.start, words)));
        if !begins {
            return run.start;
        }
        (run.start + 1..run.end)
            .find(|&token| !self.is_one_of(token, HEADS))
            .unwrap_or(run.end)
    }

    /// Whether a run ends with a semicolon of its own.
    pub(super) fn is_statement(&self, run: &Range<usize>) -> bool {
        self.text(run.end - 1) == b";"
    }

    /// The level at which what the bracket `open` holds is divided.
    pub(super) fn level_inside(&self, open: usize) -> Level {
        match self.text(open) {
            b"[" => Level::ELEMENTS,
            b"(" => Level::QUERIES,
            _ => Level::FIRST,
        }
    }

    /// Whether the lines of a run are parts of their own. Where most of them end with a separator, that is what divides.
    fn falls_into_lines(&self, run: &Range<usize>) -> bool {
        let base = self.indentations.get(run.start).copied().flatten();
        let (mut lines, mut separated) = (0, 0);
        for token in self
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

    fn outside_brackets(&self, run: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let run = run.clone();
        let first = Some(run.start).filter(|_| !run.is_empty());
        std::iter::successors(first, move |&token| {
            Some(self.ends[token]).filter(|next| run.contains(next))
        })
    }

    fn text(&self, token: usize) -> &[u8] {
        &self.bytes[self.tokens[token].clone()]
    }

    fn is_one_of(&self, token: usize, words: &[&str]) -> bool {
        let text = self.text(token);
        words
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// A bracket that fits no open one is an ordinary token, and so is one that is not closed.
    fn match_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for token in 0..self.len() {
            if PAIRS
                .iter()
                .any(|(opening, _)| self.is_one_of(token, &[opening]))
            {
                open.push(token);
                continue;
            }
            let fits = |&before: &usize| {
                PAIRS.iter().any(|(opening, closing)| {
                    self.is_one_of(token, &[closing]) && self.is_one_of(before, &[opening])
                })
            };
            let near = open.len().saturating_sub(MOST_UNCLOSED);
            if let Some(place) = open[near..].iter().rposition(fits) {
                self.ends[open[near + place]] = token + 1;
                open.truncate(near + place);
            }
        }
    }

    /// Makes ordinary tokens of the brackets that stand too deep inside of others.
    fn flatten(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for token in 0..self.len() {
            while open.last().is_some_and(|&end| end <= token) {
                open.pop();
            }
            if self.ends[token] == token + 1 {
                continue;
            }
            if open.len() < DEEPEST {
                open.push(self.ends[token]);
            } else {
                self.ends[token] = token + 1;
            }
        }
    }
}

/// A bracket inside of so many others is an ordinary token: some passes take the square of the depth.
const DEEPEST: usize = 1000;

/// A closing bracket looks for its counterpart behind so many others that are not closed.
const MOST_UNCLOSED: usize = 4;

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'<' | b'>' | b',' | b'!' | b'&' | b'|'
    )
}

/// How far each token that begins a line stands from its start.
fn indentations(bytes: &[u8], tokens: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut end = 0;
    let of_token = |token: &Range<usize>| {
        let gap = &bytes[end..token.start];
        let first = end == 0;
        end = token.end;
        match gap.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => Some(gap.len() - newline - 1),
            None => first.then_some(gap.len()),
        }
    };
    tokens.iter().map(of_token).collect()
}
