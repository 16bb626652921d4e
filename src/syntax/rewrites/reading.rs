//! Reading rewrites from TOML, with the place of each mistake.

use super::{
    Inside, Mistake, Part, Rewrites, Rule, Template, When, Word,
    patterns::{Patterns, Source},
    shape::{File, RuleEntry, UseEntry, WordEntry},
};
use crate::{
    grammar::Kind,
    syntax::{Language, QueryMistake},
};
use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A mistake at some bytes of the file.
struct At(Range<usize>, String, &'static str);

const FORMAT: &str = "grammars/README.md shows the format";
const QUERIES: &str = "tree-sitter's documentation shows how queries are written";
const CAPTURES: &str = "capture it in the query with an @, or correct the name";

pub(super) fn read(language: &Language, text: &str) -> Result<Rewrites, Mistake> {
    let file: File = toml::from_str(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        placed(text, &At(error.span().unwrap_or(0..0), message, FORMAT))
    })?;
    let reader = Reader {
        language,
        text,
        rewrites: Rewrites::default(),
        sources: Vec::new(),
    };
    reader.file(&file).map_err(|mistake| placed(text, &mistake))
}

/// When a rewrite is due, by its name.
fn due_at(time: &Spanned<String>) -> Result<When, At> {
    match time.get_ref().as_str() {
        "everywhere" => Ok(When::Everywhere),
        "first" => Ok(When::First),
        "round" => Ok(When::Round),
        "late" => Ok(When::Late),
        other => Err(At(
            time.span(),
            format!("there is no time `{other}`"),
            "use `everywhere`, `first`, `round` or `late`",
        )),
    }
}

/// A mistake with its line and column.
fn placed(text: &str, At(range, message, advice): &At) -> Mistake {
    let before = &text.as_bytes()[..range.start.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n');
    Mistake {
        line: before.split(|&byte| byte == b'\n').count(),
        column: before.len() - line_start.map_or(0, |at| at + 1) + 1,
        message: message.clone(),
        advice: (*advice).to_owned(),
    }
}

impl Mistake {
    /// A mistake in a file that is nothing but a query.
    pub(in crate::syntax) fn of_query(text: &str, mistake: QueryMistake) -> Self {
        let at = mistake.offset;
        wrong_query(text, at, mistake)
    }
}

/// A mistake in a query, at this byte of the file.
pub(super) fn wrong_query(text: &str, at: usize, mistake: QueryMistake) -> Mistake {
    placed(text, &At(at..at, mistake.message, QUERIES))
}

struct Reader<'r> {
    language: &'r Language,
    text: &'r str,
    rewrites: Rewrites,
    sources: Vec<Source>,
}

impl Reader<'_> {
    fn file(mut self, file: &File) -> Result<Rewrites, At> {
        for language in &file.languages {
            let name = language.get_ref();
            if !Language::names().any(|known| known == name) && self.language.name() != name {
                let message = format!("there is no language `{}`", language.get_ref());
                return Err(At(language.span(), message, "see paredown --language list"));
            }
        }
        let own = self.language.name();
        let mut languages = file.languages.iter();
        if !file.languages.is_empty() && !languages.any(|name| name.get_ref() == own) {
            return Ok(Rewrites::default());
        }
        for other in &file.like {
            self.like(other)?;
        }
        self.rules(file)?;
        self.rewrites.patterns = Patterns::new(self.sources);
        self.text.clone_into(&mut self.rewrites.text);
        Ok(self.rewrites)
    }

    fn rules(&mut self, file: &File) -> Result<(), At> {
        for entry in &file.rewrite {
            let rule = self.rule(entry, file.when.as_ref())?;
            self.rewrites.rules.push(rule);
        }
        Ok(())
    }

    /// Takes over the built-in rewrites of another language.
    fn like(&mut self, other: &Spanned<String>) -> Result<(), At> {
        let Some(text) = Language::rewrites_of(other.get_ref()) else {
            let message = format!(
                "no rewrites of a language `{}` are built in",
                other.get_ref()
            );
            return Err(At(other.span(), message, "see paredown --help-passes"));
        };
        let own = std::mem::replace(&mut self.text, text);
        let file: File = toml::from_str(text)
            .map_err(|error| At(other.span(), error.message().to_owned(), FORMAT))?;
        self.rules(&file)?;
        self.text = own;
        Ok(())
    }

    fn rule(&mut self, entry: &RuleEntry, when: Option<&Spanned<String>>) -> Result<Rule, At> {
        let name = entry.name.get_ref();
        let is_word =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty() || !name.chars().all(is_word) {
            let message = format!("`{name}` is no name for a rewrite");
            return Err(At(
                entry.name.span(),
                message,
                "use small letters, digits and hyphens",
            ));
        }
        if self.rewrites.rules.iter().any(|rule| rule.name == *name) {
            let message = format!("there is another rewrite `{name}`");
            return Err(At(
                entry.name.span(),
                message,
                "give one of them another name",
            ));
        }
        if entry.about.get_ref().trim().is_empty() {
            let message = String::from("nothing is said about this rewrite");
            return Err(At(
                entry.about.span(),
                message,
                "say in a line what it does",
            ));
        }
        let time = entry.when.as_ref().or(when);
        let when = time.map_or(Ok(When::Late), due_at)?;
        if let (When::Everywhere, Some(time), [_, ..]) = (when, time, &entry.uses[..]) {
            let message = String::from("what is rewritten everywhere at once has no uses");
            return Err(At(
                time.span(),
                message,
                "leave the uses out, or say another time",
            ));
        }
        let mut names = self.query(&entry.query, when, 0)?;
        let around = match entry.around.iter().next() {
            None => None,
            Some((name, kinds)) => Some((name.clone(), self.kinds(kinds)?)),
        };
        names.extend(entry.around.keys().cloned());
        let mut main = Part {
            around,
            except: self.kinds(&entry.except)?,
            ..Part::default()
        };
        changes(
            &mut main,
            &mut names,
            (&entry.words, &entry.each, &entry.replace, &entry.remove),
            &[],
        )?;
        let mut parts = vec![main];
        for (place, entry) in entry.uses.iter().enumerate() {
            let part = self.uses(entry, (when, place + 1), &names)?;
            parts.push(part);
        }
        if !parts.iter().any(Part::changes_something) {
            let message = format!("the rewrite `{name}` changes nothing");
            return Err(At(
                entry.name.span(),
                message,
                "add a `replace` or a `remove`",
            ));
        }
        Ok(Rule {
            name: name.clone(),
            about: entry.about.get_ref().clone(),
            when,
            parts,
        })
    }

    fn uses(
        &mut self,
        entry: &UseEntry,
        (when, place): (When, usize),
        outer: &[String],
    ) -> Result<Part, At> {
        let mut names = self.query(&entry.query, when, place)?;
        let mut part = Part {
            except: self.kinds(&entry.except)?,
            required: entry.required,
            ..Part::default()
        };
        changes(
            &mut part,
            &mut names,
            (&entry.words, &entry.each, &entry.replace, &entry.remove),
            outer,
        )?;
        let both = |name: &&String| outer.contains(name);
        part.shared = names.iter().filter(both).cloned().collect();
        part.inside = match &entry.inside {
            None => Inside::Document,
            Some(inside) if inside.get_ref() == "document" => Inside::Document,
            Some(inside) if inside.get_ref() == "scope" => Inside::Scope,
            Some(inside) => {
                known(outer, inside.get_ref(), inside.span())?;
                Inside::Node(inside.get_ref().clone())
            }
        };
        if part.shared.is_empty() && entry.inside.is_none() {
            let message = String::from("nothing ties these uses to what is rewritten");
            let advice = "give a capture the name that it has in the rewrite, or say `inside`";
            return Err(At(entry.query.span(), message, advice));
        }
        Ok(part)
    }

    /// Notes a query; the names of its captures.
    fn query(
        &mut self,
        query: &Spanned<String>,
        when: When,
        part: usize,
    ) -> Result<Vec<String>, At> {
        let place = (when, self.rewrites.rules.len(), part);
        let start = self.start_of_text(query);
        let source = Source::new(self.language, query.get_ref(), start, place);
        let names = source.captures.clone();
        self.sources.push(source);
        if names.is_empty() {
            let message = String::from("this query captures nothing");
            return Err(At(
                query.span(),
                message,
                "put an @ and a name behind a pattern",
            ));
        }
        Ok(names)
    }

    /// Where the text between the quotes of a value starts in the file.
    fn start_of_text(&self, value: &Spanned<String>) -> usize {
        let span = value.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let long = raw.starts_with("'''") || raw.starts_with("\"\"\"");
        let quotes = if long { 3 } else { 1 };
        let newline = raw
            .get(quotes..)
            .is_some_and(|rest| long && rest.starts_with('\n'));
        span.start + quotes + usize::from(newline)
    }

    fn kinds(&self, names: &[Spanned<String>]) -> Result<Vec<Kind>, At> {
        let kinds = self.language.grammar().kinds();
        let kind = |name: &Spanned<String>| {
            kinds.find(name.get_ref(), true).ok_or_else(|| {
                let message = format!("the grammar has no node `{}`", name.get_ref());
                At(name.span(), message, "correct the name of the kind")
            })
        };
        names.iter().map(kind).collect()
    }
}

/// Reads what becomes of the captures of a part, whose names are in `names`; those of the rewrite are `outer`.
#[expect(
    clippy::type_complexity,
    reason = "the four tables that both kinds of entries have"
)]
fn changes(
    part: &mut Part,
    names: &mut Vec<String>,
    (words, each, replace, remove): (
        &BTreeMap<String, WordEntry>,
        &BTreeMap<String, Spanned<String>>,
        &BTreeMap<String, Spanned<String>>,
        &[Spanned<String>],
    ),
    outer: &[String],
) -> Result<(), At> {
    for (name, entry) in words {
        known(names, entry.of.get_ref(), entry.of.span())?;
        let pattern = Regex::new(entry.pattern.get_ref()).map_err(|error| {
            let message = error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .to_owned();
            At(
                entry.pattern.span(),
                message,
                "correct the regular expression",
            )
        })?;
        part.words.push(Word {
            name: name.clone(),
            of: entry.of.get_ref().clone(),
            pattern,
            is_free: entry.free,
        });
    }
    names.extend(words.keys().cloned());
    if let Some((name, list)) = each.iter().next() {
        known(names, list.get_ref(), list.span())?;
        part.each = Some((name.clone(), list.get_ref().clone()));
        names.push(name.clone());
    }
    for (name, template) in replace {
        known(names, name, template.span())?;
        let text = Template::new(template.get_ref());
        for used in text.names() {
            if !outer.iter().any(|name| name == used) {
                known(names, used, template.span())?;
            }
        }
        part.replace.push((name.clone(), text));
    }
    for name in remove {
        known(names, name.get_ref(), name.span())?;
        part.remove.push(name.get_ref().clone());
    }
    Ok(())
}

fn known(names: &[String], name: &str, span: Range<usize>) -> Result<(), At> {
    let message = || format!("nothing is captured as `{name}`");
    let is_known = names.iter().any(|known| known == name);
    is_known
        .then_some(())
        .ok_or_else(|| At(span, message(), CAPTURES))
}
