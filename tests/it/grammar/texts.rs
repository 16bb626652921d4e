//! Texts as people write them, twenty in each language: `tests/corpus/<language>.txt`.
//!
//! A line `%% token` begins a text and says what must stay in it.

use super::{Acceptance, derive::Random, edits::Survival};
use paredown::{
    search::{Search, Verdict},
    strategy::{Plan, Strategy, search},
    syntax::{Document, Language},
};
use std::{fs, path::Path, sync::Arc};

/// A text and the token that must stay in it.
struct Sample {
    token: String,
    text: String,
    language: Arc<Language>,
}

impl Sample {
    fn document(&self) -> Document {
        Document::new(self.text.as_bytes(), Some(self.language.clone()))
    }

    /// The check: the token is still there as a whole, and nothing is wrong with the text.
    fn is_interesting(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let touches = |one: Option<char>, other: Option<char>| is_word(one) && is_word(other);
        let is_whole = |(at, token): (usize, &str)| {
            let (before, behind) = (&text[..at], &text[at + token.len()..]);
            !touches(before.chars().next_back(), token.chars().next())
                && !touches(token.chars().next_back(), behind.chars().next())
        };
        text.match_indices(&self.token).any(is_whole)
            && !Document::new(bytes, Some(self.language.clone())).is_damaged()
    }

    /// What a strategy leaves of the text, and after how many questions.
    fn reduced(&self, strategy: Strategy) -> (Vec<u8>, usize) {
        let mut search = search(&self.document(), &Plan::new(strategy));
        let mut questions = 0;
        while let Some(candidate) = search.ask() {
            questions += 1;
            assert!(questions < 20_000, "no end: {}", self.text);
            search.tell(if self.is_interesting(&candidate.to_bytes()) {
                Verdict::Interesting
            } else {
                Verdict::Uninteresting
            });
        }
        (search.best().to_bytes(), questions)
    }
}

/// The texts of a language.
fn samples(name: &str, language: &Arc<Language>) -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let file = fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
    let samples: Vec<Sample> = format!("\n{file}")
        .split("\n%% ")
        .skip(1)
        .map(|sample| {
            let (token, text) = sample.split_once('\n').unwrap();
            Sample {
                token: token.to_owned(),
                text: format!("{}\n", text.trim_end_matches('\n')),
                language: language.clone(),
            }
        })
        .collect();
    assert_eq!(samples.len(), 20, "{name}");
    samples
}

/// How much a text is: its tokens, and its bytes without blanks. Deleting blanks melts tokens, so neither says all.
fn sizes(sample: &Sample, bytes: &[u8]) -> (usize, usize) {
    let solid = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    (sample.language.lexis().count(bytes), solid.count())
}

/// Everything that must hold for a language: its texts have no errors, the model accepts each node of them, single edits hardly
/// ever break one, and what is left of each by the default pipeline is interesting and hardly ever more than by two passes of
/// ddmin, which take single characters out of words and so turn them into something else.
fn check(name: &str) {
    let Some(language) = Language::named(name) else {
        eprintln!("skipped: {name} is not linked");
        return;
    };
    let samples = samples(name, &language);
    let mut acceptance = Acceptance::default();
    let mut survival = Survival::default();
    let (mut wrong, mut larger) = (Vec::new(), Vec::new());
    let mut sums = [0; 6];
    for sample in &samples {
        if !sample.is_interesting(sample.text.as_bytes()) {
            wrong.push(format!("{name}: not interesting: {}", sample.text));
            continue;
        }
        acceptance.take(&sample.document());
        survival.take_all([sample.document()], 60, &mut Random(7));
        let (result, questions) = sample.reduced(Strategy::Auto);
        let (bound, bound_questions) = sample.reduced(Strategy::TwoPass);
        assert!(sample.is_interesting(&result));
        let ((tokens, solid), (most_tokens, most_solid)) =
            (sizes(sample, &result), sizes(sample, &bound));
        if tokens > most_tokens && solid > most_solid {
            let (result, bound) = (
                String::from_utf8_lossy(&result),
                String::from_utf8_lossy(&bound),
            );
            larger.push(format!("{name}: {result:?} is more than {bound:?}"));
        }
        let figures = [
            tokens,
            result.len(),
            questions,
            most_tokens,
            bound.len(),
            bound_questions,
        ];
        (0..)
            .zip(figures)
            .for_each(|(at, figure): (usize, _)| sums[at] += figure);
    }
    let [
        tokens,
        bytes,
        questions,
        bound,
        bound_bytes,
        bound_questions,
    ] = sums;
    eprintln!(
        "{name}: {tokens} tokens, {bytes} bytes in {questions} questions; two passes: {bound}, {bound_bytes} in {bound_questions}"
    );
    wrong.extend(acceptance.sum_up(name));
    survival.sum_up(name, 12);
    if larger.len() > MOST_LARGER {
        wrong.append(&mut larger);
    }
    if tokens > bound {
        wrong.push(format!("{name}: {tokens} tokens are more than {bound}"));
    }
    let required = if name == "php" { 85.0 } else { LEAST_SURVIVAL };
    if survival.per_cent() < required {
        wrong.push(format!("{name}: too many edits leave an error"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What opens something, again and again.
const OPENERS: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "\"",
    "'",
    "`",
    "#{",
    "${",
    "$(",
    "{{",
    "(*",
    "/*",
    "{-",
    "<!--",
    "<a>",
    "<?php ",
    "- ",
    "> ",
    "#",
    "* ",
    "1. ",
    "a:\n",
    "<<A\n",
    "<<~A\n",
    "\"#{",
    "f\"{",
    "\"\\(",
    "s\"${",
    "```\n",
    "begin ",
    "do ",
    "if ",
    "case ",
    "let ",
    "function ",
    "select ",
    "define ",
    "%w(",
    "\"\"\"",
    "[[",
    "[=[",
    "$$",
    "    ",
    "\t",
    "\\",
    "\0",
    "\u{ff}",
    "if true; then\n",
    "where\n ",
];

/// A scanner that is written by hand can fail an assertion or write beyond its state, which would end the whole program.
#[test]
fn nothing_that_is_damaged_or_deep_ends_a_parser() {
    let mut random = Random(11);
    for language in Language::names().map(|name| Language::named(name).unwrap()) {
        for opener in OPENERS {
            for count in [3, 260] {
                Document::new(opener.repeat(count).into_bytes(), Some(language.clone()));
            }
            let mixed = (0..400).map(|_| OPENERS[random.below(OPENERS.len())]);
            let mixed: String = mixed.collect();
            Document::new(mixed.into_bytes(), Some(language.clone()));
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let bytes = fs::read(&path).unwrap();
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            for _ in 0..40 {
                let (from, to) = (random.below(damaged.len()), random.below(damaged.len()));
                match random.below(3) {
                    0 => _ = damaged.remove(from),
                    1 => damaged.swap(from, to),
                    _ => damaged.insert(from, damaged[to]),
                }
            }
            Document::new(damaged, Language::named(name));
        }
    }
}

/// How many edits in a hundred must leave a text without an error. In PHP a tag can end a statement, which the rules do not know
/// of the semicolon: without it a statement is an error nearly everywhere.
const LEAST_SURVIVAL: f64 = 95.0;

/// How many of twenty results may be more than what two passes leave.
const MOST_LARGER: usize = 2;

macro_rules! languages {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

languages! {
    bash c cpp csharp css glsl go haskell html java javascript json kotlin llvm lua markdown ocaml php python ruby rust scala scheme
    solidity sql swift toml tsx typescript xml yaml
}
