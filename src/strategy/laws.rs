//! The laws of [`crate::search`], for every strategy.

use super::{Candidate, Plan, Strategy, search};
use crate::minimize::{Algorithm, Options};
use crate::search::{Render, Search, Verdict};
use crate::syntax::{Document, Language};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;

/// What a strategy makes of a text.
pub(super) fn reduce(
    text: &str,
    language: Option<&str>,
    plan: &Plan,
    mut interesting: impl FnMut(&[u8]) -> bool,
) -> String {
    let result = run(text.as_bytes(), language, plan, &mut interesting).best;
    String::from_utf8(result).unwrap()
}

/// What happened in a run.
pub(super) struct Run {
    pub(super) best: Vec<u8>,
    /// What was asked, without what was asked before or is the best.
    pub(super) log: Vec<(Vec<u8>, Verdict)>,
}

/// Runs a strategy with a cache before the oracle and checks the laws on the way.
pub(super) fn run(
    text: &[u8],
    language: Option<&str>,
    plan: &Plan,
    interesting: &mut dyn FnMut(&[u8]) -> bool,
) -> Run {
    let document = Document::new(text, language.and_then(Language::named));
    let mut search = search(&document, plan);
    assert_eq!(search.best().to_bytes(), text);
    let mut known = std::collections::BTreeMap::new();
    known.insert(text.to_vec(), Verdict::Interesting);
    let mut log = Vec::new();
    let mut steps = 0;
    while let Some(candidate) = search.ask() {
        steps += 1;
        assert!(steps < 200_000, "it does not end");
        let bytes = candidate.to_bytes();
        assert_eq!(
            asked(&search).as_deref(),
            Some(&bytes[..]),
            "ask is not pure"
        );
        let verdict = *known.entry(bytes.clone()).or_insert_with(|| {
            let verdict = Verdict::of(interesting(&bytes));
            log.push((bytes.clone(), verdict));
            verdict
        });
        let mut copy = search.clone();
        search.tell(verdict);
        copy.tell(verdict);
        assert_eq!(asked(&copy), asked(&search), "a clone asks something else");
        let best = search.best().to_bytes();
        let told = known.get(&best);
        assert_eq!(
            told,
            Some(&Verdict::Interesting),
            "the best was not accepted"
        );
    }
    search.tell(Verdict::Interesting);
    assert!(search.ask().is_none(), "it came back to life");
    let best = search.best().to_bytes();
    Run { best, log }
}

fn asked(search: &impl Search<Candidate = Candidate>) -> Option<Vec<u8>> {
    search.ask().map(|candidate| {
        assert!(!candidate.pass().is_empty());
        candidate.to_bytes()
    })
}

fn plans() -> impl proptest::strategy::Strategy<Value = Plan> {
    let algorithm = proptest::sample::select(&Algorithm::ALL[..]);
    let strategy = proptest::sample::select(&Strategy::ALL[..]);
    let hoist = proptest::sample::select(&super::Hoist::ALL[..]);
    (strategy, algorithm, hoist, any::<(bool, bool)>()).prop_map(
        |(strategy, algorithm, hoist, (once, rename))| Plan {
            minimizer: Some(Options::new(algorithm)),
            hoist,
            once,
            rename,
            ..Plan::new(strategy)
        },
    )
}

fn texts() -> impl proptest::strategy::Strategy<Value = (&'static str, String)> {
    let c = proptest::sample::select(
        &[
            "int a = 1, b;\nint f(int x, char *y) {\n  if (x) { return x + 1 + a; }\n  return f(2, y);\n}\n",
            "#define X 1\nstruct s { int a; struct s *next; };\nvoid g() { for (int i = 0; i < 3; i++) h(i, X); }\n",
            "int f( { return ;\n} )",
            "x",
            "",
        ][..],
    );
    let javascript = proptest::sample::select(
        &[
            "const a = [1, 2, , 3];\nfunction f(x, ...y) { return x ? y.map(z => z + 1 + x) : { a, b: 2 }; }\n// end\n",
            "class A extends B { m() { try { this.x(); } catch (e) { throw e; } } }",
        ][..],
    );
    prop_oneof![
        c.prop_map(|text| ("c", text.to_owned())),
        javascript.prop_map(|text| ("javascript", text.to_owned())),
        "[ab(){};\n ]{0,40}".prop_map(|text| ("none", text)),
        "[ab(){};\n ]{0,40}".prop_map(|text| ("c", text)),
    ]
}

fn language_of(name: &'static str) -> Option<&'static str> {
    Some(name).filter(|name| *name != "none")
}

/// An arbitrary but repeatable opinion about a text.
fn opinion(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(seed, |hash, &byte| {
        (hash ^ u64::from(byte))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

/// Whether some bytes of a text, picked by a seed, are there in their order: monotone.
fn needed_in(text: &str, seed: u64) -> impl FnMut(&[u8]) -> bool + use<> {
    let is_picked = |index: usize| opinion(&index.to_le_bytes(), seed).is_multiple_of(9);
    let picked: Vec<u8> = text
        .bytes()
        .enumerate()
        .filter(|(index, byte)| !byte.is_ascii_whitespace() && is_picked(*index))
        .map(|(_, byte)| byte)
        .collect();
    move |bytes| {
        let mut rest = bytes.iter();
        picked.iter().all(|wanted| rest.any(|byte| byte == wanted))
    }
}

#[test]
fn shorter_names_are_no_end_of_a_fixed_point() {
    let (text, seed) = ("\n  ba;{({};b\n};b{}aa{b;(", 15_273_190_340_517_527_249);
    let plan = Plan {
        minimizer: Some(Options::new(Algorithm::Ddmin)),
        hoist: super::Hoist::None,
        rename: true,
        ..Plan::new(Strategy::CoarseHdd)
    };
    let mut oracle = needed_in(text, seed);
    let first = run(text.as_bytes(), Some("c"), &plan, &mut oracle).best;
    assert_eq!(run(&first, Some("c"), &plan, &mut oracle).best, first);
}

/// Without its quotes the text has more tokens, so that only the last sweep asks about them; and only then two things may go
/// that each hold the other, which no single change does.
#[test]
fn what_the_last_sweep_makes_possible_is_found() {
    let text = "f() { a; }\nf\nkeep \"$@\"\n";
    let mut oracle = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let has = |part: &str| text.contains(part);
        has("keep") && has("$@") && (has("f() { a; }\nf\n") || !has("\"") && !has("f"))
    };
    let plan = Plan::new(Strategy::Auto);
    let result = run(text.as_bytes(), Some("bash"), &plan, &mut oracle);
    assert_eq!(result.best, b"keep $@\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn the_laws_hold_for_an_oracle_that_answers_at_random(
        plan in plans(), (language, text) in texts(), seed in any::<u64>(), odds in 2u64..20
    ) {
        let mut oracle = |bytes: &[u8]| opinion(bytes, seed).is_multiple_of(odds);
        let first = run(text.as_bytes(), language_of(language), &plan, &mut oracle);
        let second = run(text.as_bytes(), language_of(language), &plan, &mut oracle);
        prop_assert_eq!(first.best, second.best);
        prop_assert_eq!(first.log, second.log);
    }

    #[test]
    fn the_laws_hold_with_the_largest_effort(seed in any::<u64>(), odds in 6u64..40, c in any::<bool>()) {
        let (language, text) = if c { ("c", "int a = b(1, a);\n") } else { ("javascript", "f(a, b => b + 1)\n") };
        let plan = Plan { effort: super::Effort::Max, ..Plan::new(Strategy::Auto) };
        let mut oracle = |bytes: &[u8]| opinion(bytes, seed).is_multiple_of(odds);
        let first = run(text.as_bytes(), Some(language), &plan, &mut oracle);
        let second = run(text.as_bytes(), Some(language), &plan, &mut oracle);
        prop_assert_eq!(first.best, second.best);
        prop_assert_eq!(first.log, second.log);
    }

    #[test]
    fn no_separator_is_left_behind(plan in plans(), seed in any::<u64>(), odds in 2u64..8) {
        let text = "let a = [b, c, d], e = { f, g: h, ...i };\nj((k, l = 1) => m(n, [o, p]), q, r);\n";
        let is_tree = matches!(plan.strategy, Strategy::Hdd | Strategy::Hddr | Strategy::CoarseHdd | Strategy::CoarseHddr | Strategy::Quantified);
        prop_assume!(is_tree);
        let mut oracle = |bytes: &[u8]| opinion(bytes, seed).is_multiple_of(odds);
        for (candidate, _) in run(text.as_bytes(), Some("javascript"), &plan, &mut oracle).log {
            let candidate: String = String::from_utf8(candidate).unwrap().split_whitespace().collect();
            for wrong in ["(,", "[,", "{,", ",,", ",)", ",]", ",}", ",;", "let,"] {
                prop_assert!(!candidate.contains(wrong), "{}", candidate);
            }
        }
    }

    #[test]
    fn the_result_of_a_fixed_point_is_reduced_no_further(
        plan in plans(), (language, text) in texts(), seed in any::<u64>()
    ) {
        // The pipeline promises its own sweep and no more; it has a law of its own.
        prop_assume!(plan.strategy != Strategy::Auto);
        // Hoisting only before promises a fixed point of what comes after it.
        let hoist = if plan.hoist == super::Hoist::Before { super::Hoist::Both } else { plan.hoist };
        let plan = Plan { once: false, hoist, ..plan };
        let mut oracle = needed_in(&text, seed);
        let first = run(text.as_bytes(), language_of(language), &plan, &mut oracle);
        prop_assert!(oracle(&first.best));
        let again = run(&first.best, language_of(language), &plan, &mut oracle);
        prop_assert_eq!(
            String::from_utf8_lossy(&again.best), String::from_utf8_lossy(&first.best), "{:?} {}", plan, language
        );
    }
}
