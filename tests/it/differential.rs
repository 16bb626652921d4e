//! The papers' algorithms against plain transcriptions of their pseudo code: the same questions in the same order, for all oracles over
//! a few elements and many over some more. And the tree strategies against brute force: no single change of a result is interesting.

mod reference;

use paredown::minimize::{Algorithm, Minimizer, Options, Weights};
use paredown::search::{Search, Verdict};
use paredown::strategy::{Hoist, Plan, Strategy, search, single_changes};
use paredown::syntax::{Document, Language};
use reference::{Reference, cdd, ddmin, greeddy, opdd, probdd, wddmin, wprobdd};

/// All settings of an algorithm that its paper has, and the paper's algorithm.
fn published() -> Vec<(Options, Reference)> {
    let mut published: Vec<(Options, Reference)> = Vec::new();
    let plain = |algorithm| Options {
        sweep: false,
        ..Options::new(algorithm)
    };
    for (subsets, split) in [(false, 2), (true, 2), (false, 3), (true, 3)] {
        let with = |algorithm| Options {
            subsets,
            split,
            ..plain(algorithm)
        };
        let parts = split as usize;
        published.push((
            with(Algorithm::Ddmin),
            Box::new(move |list, _, ask| ddmin(list, subsets, parts, ask)),
        ));
        if !subsets {
            published.push((
                with(Algorithm::Opdd),
                Box::new(move |list, _, ask| opdd(list, parts, ask)),
            ));
        }
    }
    for window in [1, 2, 4] {
        let options = Options {
            window,
            ..plain(Algorithm::Greeddy)
        };
        let window = window as usize;
        published.push((
            options,
            Box::new(move |list, _, ask| greeddy(list, window, ask)),
        ));
    }
    for subsets in [false, true] {
        let options = Options {
            subsets,
            ..plain(Algorithm::Wddmin)
        };
        published.push((
            options,
            Box::new(move |list, weights, ask| wddmin(list, weights, subsets, ask)),
        ));
    }
    for p0 in [0.1, 0.2, 0.25] {
        let with = |algorithm| Options {
            p0,
            ..plain(algorithm)
        };
        published.push((
            with(Algorithm::Probdd),
            Box::new(move |list, _, ask| probdd(list, p0, ask)),
        ));
        published.push((
            with(Algorithm::Cdd),
            Box::new(move |list, _, ask| cdd(list, p0, ask)),
        ));
        published.push((
            with(Algorithm::Wprobdd),
            Box::new(move |list, weights, ask| wprobdd(list, weights, p0, ask)),
        ));
    }
    published
}

/// What the check is run for, which is each subset once, and what is left.
type Course = (Vec<Vec<usize>>, Vec<usize>);

fn course_of_reference(
    reference: &Reference,
    weights: &[u32],
    oracle: &dyn Fn(&[usize]) -> bool,
) -> Course {
    let mut asked = Vec::new();
    let list = (0..weights.len()).collect();
    let left = reference(list, weights, &mut |kept| {
        run_once(&mut asked, kept);
        oracle(kept)
    });
    (asked, left)
}

/// The content cache stands before the check.
fn run_once(asked: &mut Vec<Vec<usize>>, kept: &[usize]) {
    if asked.iter().all(|before| before != kept) {
        asked.push(kept.to_vec());
    }
}

fn course_of_ours(options: &Options, weights: &[u32], oracle: &dyn Fn(&[usize]) -> bool) -> Course {
    let mut minimizer = Minimizer::new(&Weights::Each(weights.into()), options);
    let mut asked = Vec::new();
    while let Some(cut) = minimizer.ask() {
        let kept: Vec<usize> = cut.kept_of(minimizer.best()).iter().collect();
        minimizer.tell(Verdict::of(oracle(&kept)));
        run_once(&mut asked, &kept);
    }
    (asked, minimizer.best().iter().collect())
}

/// Each published algorithm asks what its reference asks, and with the sweep no element can go alone.
fn check(weights: &[u32], published: &[(Options, Reference)], oracle: &dyn Fn(&[usize]) -> bool) {
    for (options, reference) in published {
        let ours = course_of_ours(options, weights, oracle);
        let theirs = course_of_reference(reference, weights, oracle);
        assert_eq!(ours, theirs, "{options:?}, weights {weights:?}");
    }
    for algorithm in Algorithm::ALL {
        let (_, left) = course_of_ours(&Options::new(algorithm), weights, oracle);
        for place in 0..left.len() {
            let mut without = left.clone();
            without.remove(place);
            assert!(
                !oracle(&without),
                "{algorithm} leaves {left:?}, but {without:?} is interesting"
            );
        }
    }
}

/// Weights that are equal, that grow, and that do neither.
fn weights(count: usize) -> [Vec<u32>; 3] {
    let count = u32::try_from(count).unwrap();
    [
        vec![1; count as usize],
        (1..=count).collect(),
        (0..count).map(|at| 1 + at * at * 7 % 11).collect(),
    ]
}

/// The number of a subset: a bit for each element.
fn number(kept: &[usize]) -> u32 {
    kept.iter().map(|element| 1 << element).sum()
}

#[test]
fn the_algorithms_ask_what_their_papers_say_for_each_oracle_over_three_elements() {
    let published = published();
    for count in 0..=3_usize {
        // A bit for each subset says whether it is interesting; all elements together are.
        let subsets = 1_u32 << count;
        for oracle in 0..1_u64 << (subsets - 1) {
            let oracle = oracle | 1 << (subsets - 1);
            for weights in weights(count) {
                check(&weights, &published, &|kept| {
                    oracle >> number(kept) & 1 == 1
                });
            }
        }
    }
}

#[test]
fn the_algorithms_ask_what_their_papers_say_for_each_set_of_needed_elements() {
    let published = published();
    for count in 4..=8_usize {
        for needed in 0..1_u32 << count {
            let weights = &weights(count)[needed as usize % 3];
            check(weights, &published, &|kept| number(kept) & needed == needed);
        }
    }
}

#[test]
fn the_algorithms_ask_what_their_papers_say_for_oracles_that_follow_no_rule() {
    let published = published();
    for seed in 0..400_u64 {
        let count = 4 + usize::try_from(seed % 17).unwrap();
        let odds = 2 + seed % 7;
        let oracle = |kept: &[usize]| {
            let mixed = (u64::from(number(kept)) ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            kept.len() == count || (mixed >> 40).is_multiple_of(odds)
        };
        for weights in weights(count) {
            check(&weights, &published, &oracle);
        }
    }
}

/// Small texts with the words whose subsets are needed.
const TEXTS: &[(&str, &str, &[&str])] = &[
    (
        "c",
        "int a; int f(int b) { if (a) return b + 1; }",
        &["f", "b", "if", "1", "a"],
    ),
    (
        "json",
        "{\"a\": [1, {\"b\": [2, 3]}], \"c\": {\"d\": 4}}",
        &["a", "1", "b", "3", "d"],
    ),
    (
        "xml",
        "<a b='c'><d>e</d><f><g/>h</f></a>",
        &["b", "d", "e", "g", "h"],
    ),
];

/// The strategies over trees with each way to hoist, and the default.
fn plans() -> Vec<Plan> {
    let trees = [
        Strategy::Hdd,
        Strategy::Hddr,
        Strategy::CoarseHdd,
        Strategy::CoarseHddr,
        Strategy::Quantified,
    ];
    let hoisting = |strategy| {
        Hoist::ALL.map(|hoist| Plan {
            hoist,
            ..Plan::new(strategy)
        })
    };
    let trees = trees.into_iter().flat_map(hoisting);
    let default = Plan::new(Strategy::Auto);
    trees.chain([default]).collect()
}

/// Calls it for each subset of the words of each text, with whether a text has them all.
fn for_each_subset(check: impl Fn(&str, &str, &dyn Fn(&[u8]) -> bool)) {
    for &(language, text, words) in TEXTS {
        for needed in 0..1_usize << words.len() {
            let is_needed = |place: &usize| needed >> place & 1 == 1;
            let places = (0..words.len()).filter(is_needed);
            let needed: Vec<&str> = places.map(|place| words[place]).collect();
            check(language, text, &|bytes| {
                let kept = String::from_utf8_lossy(bytes);
                needed.iter().all(|word| kept.contains(word))
            });
        }
    }
}

#[test]
fn no_single_change_of_a_result_is_interesting_whatever_subset_of_words_is_needed() {
    let plans = plans();
    for_each_subset(|language, text, oracle| {
        for plan in &plans {
            refuse_single_changes(language, text, plan, oracle);
        }
    });
}

/// Cut up here, without what the strategies use for it. Words between quotes are tokens with their quotes, so that only texts without
/// any are cut into words.
#[test]
fn nothing_of_a_result_can_go_alone_whatever_subset_of_words_is_needed() {
    type Cut = fn(&str) -> Vec<&str>;
    let lines: Cut = |text| text.split_inclusive('\n').collect();
    let chars: Cut = |text| text.split("").collect();
    let cuts = [
        (Strategy::Lines, lines),
        (Strategy::Chars, chars),
        (Strategy::TwoPass, chars),
        (Strategy::Bytes, chars),
        (Strategy::Tokens, words_and_signs),
        (Strategy::Auto, words_and_signs),
    ];
    for_each_subset(|language, text, oracle| {
        let text = text.replace("; ", ";\n").replace(", ", ",\n");
        for (strategy, cut) in cuts {
            let is_by_words = matches!(strategy, Strategy::Tokens | Strategy::Auto);
            if is_by_words && text.contains(['"', '\'']) {
                continue;
            }
            let best = reduced(language, &text, &Plan::new(strategy), oracle);
            let best = String::from_utf8(best).unwrap();
            let parts = cut(&best);
            for place in (0..parts.len()).filter(|&place| !parts[place].trim().is_empty()) {
                let without = [&parts[..place], &parts[place + 1..]].concat().concat();
                assert!(
                    !oracle(without.as_bytes()),
                    "{strategy} left `{best}`, but `{without}` is interesting"
                );
            }
        }
    });
}

/// Each word, each other character.
fn words_and_signs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_in_word = |sign: char| sign.is_alphanumeric();
        let length = if is_in_word(first) {
            rest.find(|sign| !is_in_word(sign)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (part, others) = rest.split_at(length);
        parts.push(part);
        rest = others;
    }
    parts
}

fn reduced(language: &str, text: &str, plan: &Plan, oracle: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let document = Document::new(text.as_bytes(), Language::named(language));
    let mut reduction = search(&document, plan);
    while let Some(candidate) = reduction.ask() {
        reduction.tell(Verdict::of(oracle(&candidate.to_bytes())));
    }
    let best = reduction.best().to_bytes();
    assert!(oracle(&best), "{plan:?} made `{}`", best.escape_ascii());
    best
}

/// Reduces the text and tries each single change that the strategy promises to have tried.
fn refuse_single_changes(language: &str, text: &str, plan: &Plan, oracle: &dyn Fn(&[u8]) -> bool) {
    let best = reduced(language, text, plan, oracle);
    let document = Document::new(&best[..], Language::named(language));
    for change in single_changes(&document, plan) {
        let change = change.to_bytes();
        let (best, smaller) = (best.escape_ascii(), change.escape_ascii());
        assert!(
            best.to_string() == smaller.to_string() || !oracle(&change),
            "{plan:?} left `{best}`, but `{smaller}` is interesting"
        );
    }
}
