//! Property tests: the laws of [`crate::search`] and the papers' bounds, for every minimiser and every kind of oracle.

use std::collections::HashSet;

use proptest::prelude::*;

use super::{Algorithm, Cut, Minimizer, Options, Runs, Weights};
use crate::search::{Search, Verdict};

/// What makes a subset interesting.
#[derive(Clone, Debug)]
enum Oracle {
    /// It has all of these elements.
    Needs(Vec<usize>),
    /// It has all of one of these groups, so there are several minima.
    NeedsOneOf(Vec<Vec<usize>>),
    /// By chance, but always the same for the same subset: neither monotone nor related to anything.
    Arbitrary { seed: u64, one_in: u64 },
    /// By chance at each question, so the answers may contradict each other.
    Contradictory { seed: u64, one_in: u64 },
}

impl Oracle {
    /// The answer to question number `number` about these elements.
    fn answer(&self, kept: &Runs, number: usize) -> bool {
        let all_of = |needed: &[usize]| needed.iter().all(|&element| kept.contains(element));
        match self {
            Self::Needs(needed) => all_of(needed),
            Self::NeedsOneOf(groups) => groups.iter().any(|needed| all_of(needed)),
            Self::Arbitrary { seed, one_in } => {
                let hash = |state, element| mixed(state, element as u64 + 1);
                kept.iter().fold(*seed, hash).is_multiple_of(*one_in)
            }
            Self::Contradictory { seed, one_in } => {
                mixed(*seed, number as u64).is_multiple_of(*one_in)
            }
        }
    }
}

fn mixed(state: u64, value: u64) -> u64 {
    let product = (state ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 29))
        .wrapping_mul(0xbf58_476d_1ce4_e5b9)
        .rotate_left(31)
}

/// Oracles that give the same answer about the same subset.
fn deterministic_oracles() -> impl Strategy<Value = Oracle> {
    let needed = || prop::collection::vec(0..40_usize, 0..8);
    prop_oneof![
        needed().prop_map(Oracle::Needs),
        prop::collection::vec(needed(), 1..4).prop_map(Oracle::NeedsOneOf),
        (any::<u64>(), 2..20_u64).prop_map(|(seed, one_in)| Oracle::Arbitrary { seed, one_in }),
    ]
}

fn oracles() -> impl Strategy<Value = Oracle> {
    let contradictory = (any::<u64>(), 1..20_u64);
    prop_oneof![
        3 => deterministic_oracles(),
        1 => contradictory.prop_map(|(seed, one_in)| Oracle::Contradictory { seed, one_in }),
    ]
}

fn lists() -> impl Strategy<Value = Weights> {
    prop_oneof![
        (0..40_usize).prop_map(Weights::Uniform),
        prop::collection::vec(0..30_u32, 0..40).prop_map(|weights| Weights::Each(weights.into())),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    let algorithms = prop::sample::select(Algorithm::ALL.to_vec());
    let priors = prop::sample::select(vec![0.1, 0.2, 0.25, 0.5, 0.9, 0.001]);
    let switches = any::<[bool; 5]>();
    let numbers = (0..5_u32, 0..6_u32, priors, prop::option::of(any::<u64>()));
    (algorithms, switches, numbers).prop_map(|(algorithm, switches, (split, window, p0, seed))| {
        let [subsets, backward, waves, sweep, fixed_point] = switches;
        Options {
            algorithm,
            subsets,
            backward,
            split,
            window,
            p0,
            seed,
            waves,
            sweep,
            fixed_point,
        }
    })
}

/// The run of a search to its end.
struct Run {
    questions: Vec<Cut>,
    answers: Vec<Verdict>,
    best: Runs,
}

fn run(weights: &Weights, options: &Options, oracle: &Oracle) -> Run {
    let whole = Runs::from_range(0..weights.len());
    run_on(weights, options, |kept, number| {
        *kept == whole || oracle.answer(kept, number)
    })
}

/// Runs a search and checks at every step what must always hold.
fn run_on(weights: &Weights, options: &Options, oracle: impl Fn(&Runs, usize) -> bool) -> Run {
    let len = weights.len();
    let mut minimizer = Minimizer::new(weights, options);
    let mut interesting = HashSet::from([Runs::from_range(0..len)]);
    let (mut questions, mut answers) = (Vec::new(), Vec::new());
    while let Some(cut) = minimizer.ask() {
        assert_eq!(minimizer.ask().as_ref(), Some(&cut), "ask is pure");
        let kept = cut.kept_of(minimizer.best());
        assert!(
            kept.subtract(minimizer.best()).is_empty(),
            "{cut:?} keeps what is gone"
        );
        assert_eq!(
            kept.len() + cut.count_dropped_from(minimizer.best()),
            minimizer.best().len()
        );
        assert!(
            kept.len() < minimizer.best().len(),
            "{cut:?} changes nothing"
        );
        assert!(
            questions.len() < (len + 2) * (4 * len * len + 20 * len + 60),
            "it does not end"
        );
        let verdict = Verdict::of(oracle(&kept, questions.len()));
        if verdict.is_interesting() {
            interesting.insert(kept);
        }
        minimizer.tell(verdict);
        assert!(
            interesting.contains(minimizer.best()),
            "{:?} was not told interesting",
            minimizer.best()
        );
        questions.push(cut);
        answers.push(verdict);
    }
    minimizer.tell(Verdict::Interesting);
    assert_eq!(
        minimizer.ask(),
        None,
        "an answer after the end changes nothing"
    );
    Run {
        questions,
        answers,
        best: minimizer.best().clone(),
    }
}

/// The weights of these elements, as a list of its own.
fn sub_list(weights: &Weights, elements: &[usize]) -> Weights {
    match weights {
        Weights::Uniform(_) => Weights::Uniform(elements.len()),
        Weights::Each(_) => Weights::Each(
            elements
                .iter()
                .map(|&element| weights.of(element))
                .collect(),
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_search_ends_with_something_that_was_interesting(weights in lists(), options in options(), oracle in oracles()) {
        run(&weights, &options, &oracle);
    }

    #[test]
    fn a_clone_that_is_told_the_same_asks_the_same(
        weights in lists(), options in options(), oracle in oracles(), at in any::<prop::sample::Index>(),
    ) {
        let run = run(&weights, &options, &oracle);
        let at = at.index(run.questions.len() + 1);
        let mut original = Minimizer::new(&weights, &options);
        for verdict in &run.answers[..at] {
            original.tell(*verdict);
        }
        let mut clone = original.clone();
        // The clone goes astray on purpose: that must not reach the original.
        let mut astray = original.clone();
        for _ in 0..20 {
            astray.tell(Verdict::Interesting);
        }
        for (question, verdict) in run.questions[at..].iter().zip(&run.answers[at..]) {
            prop_assert_eq!(original.ask(), Some(question.clone()));
            prop_assert_eq!(clone.ask(), Some(question.clone()));
            prop_assert_eq!(original.chance(), clone.chance());
            original.tell(*verdict);
            clone.tell(*verdict);
        }
        prop_assert_eq!(clone.ask(), None);
        prop_assert_eq!(clone.best(), &run.best);
    }

    #[test]
    fn the_result_is_one_minimal_where_that_is_promised(weights in lists(), options in options(), oracle in deterministic_oracles()) {
        let options = Options { sweep: options.sweep || Options::new(options.algorithm).sweep, ..options };
        let best = run(&weights, &options, &oracle).best;
        for element in best.iter() {
            let smaller = best.subtract(&Runs::from_range(element..element + 1));
            prop_assert!(!oracle.answer(&smaller, 0), "{element} can go");
        }
    }

    #[test]
    fn only_the_needed_elements_are_left_without_a_sweep_too(
        weights in lists(), options in options(), needed in prop::collection::btree_set(0..40_usize, 0..8),
    ) {
        let needed: Vec<usize> = needed.into_iter().filter(|&element| element < weights.len()).collect();
        let options = Options { sweep: false, ..options };
        let best = run(&weights, &options, &Oracle::Needs(needed.clone())).best;
        prop_assert_eq!(best.iter().collect::<Vec<_>>(), needed);
    }

    #[test]
    fn nothing_is_accepted_when_it_is_run_again_from_its_fixed_point(
        weights in lists(), options in options(), oracle in deterministic_oracles(),
    ) {
        let options = Options { fixed_point: true, ..options };
        let elements: Vec<usize> = run(&weights, &options, &oracle).best.iter().collect();
        let again = run_on(&sub_list(&weights, &elements), &options, |kept, _| {
            kept.len() == elements.len() || oracle.answer(&kept.iter().map(|place| elements[place]).collect(), 0)
        });
        prop_assert_eq!(again.best.len(), elements.len());
    }

    #[test]
    fn the_questions_stay_within_the_bounds_of_the_papers(
        weights in lists(), options in options(), oracle in oracles(),
    ) {
        let options = Options { split: 2, p0: options.p0.max(0.1), sweep: false, fixed_point: false, ..options };
        let n = weights.len();
        let bound = match options.algorithm {
            Algorithm::Opdd if options.subsets => 8 * n,
            Algorithm::Opdd | Algorithm::Probdd | Algorithm::Cdd | Algorithm::Wprobdd => 4 * n,
            Algorithm::Halving => 2 * n,
            // Each element that stays is found by halving: the group it is in has one element less at least each time.
            Algorithm::Splitting if matches!(weights, Weights::Each(_)) => n * (n + 3) / 2,
            Algorithm::Splitting => n * (2 + n.max(1).ilog2() as usize),
            Algorithm::Ddmin => n * n + 3 * n,
            Algorithm::Greeddy | Algorithm::Wddmin => 2 * n * n + 4 * n,
        };
        let asked = run(&weights, &options, &oracle).questions.len();
        prop_assert!(asked <= bound, "{asked} questions about {n} elements");
    }
}

#[test]
fn an_empty_list_has_no_questions_and_a_single_element_has_one() {
    for algorithm in Algorithm::ALL {
        let options = Options {
            subsets: true,
            ..Options::new(algorithm)
        };
        let list = |len| Weights::Each(vec![7; len].into());
        assert_eq!(
            Minimizer::new(&list(0), &options).ask(),
            None,
            "{algorithm}"
        );
        let removable = run(&list(1), &options, &Oracle::Needs(vec![]));
        assert_eq!(
            (removable.questions.len(), removable.best.len()),
            (1, 0),
            "{algorithm}"
        );
        let needed = run(&list(1), &options, &Oracle::Needs(vec![0]));
        assert_eq!(
            (needed.questions.len(), needed.best.len()),
            (1, 1),
            "{algorithm}"
        );
    }
}

#[test]
fn with_a_window_of_one_greeddy_asks_what_ddmin_asks() {
    let oracle = Oracle::Needs(vec![2, 3, 17, 30]);
    let asked = |algorithm, subsets| {
        let options = Options {
            window: 1,
            subsets,
            ..Options::new(algorithm)
        };
        run(&Weights::Uniform(40), &options, &oracle).questions
    };
    assert_eq!(
        asked(Algorithm::Greeddy, false),
        asked(Algorithm::Ddmin, false)
    );
    assert_eq!(
        asked(Algorithm::Greeddy, true),
        asked(Algorithm::Ddmin, true)
    );
}

#[test]
fn with_equal_weights_wprobdd_asks_what_probdd_asks() {
    let oracle = Oracle::Needs(vec![2, 3, 17, 30]);
    let asked = |algorithm| run(&Weights::Uniform(40), &Options::new(algorithm), &oracle).questions;
    assert_eq!(asked(Algorithm::Wprobdd), asked(Algorithm::Probdd));
}

#[test]
fn the_probabilistic_searches_need_less_than_half_of_the_queries_of_ddmin() {
    let needed: Vec<usize> = (0..10).map(|index| index * 97 + 31).collect();
    let queries = |algorithm| {
        let options = Options {
            subsets: true,
            ..Options::new(algorithm)
        };
        let weights = Weights::Each((0..1_000_u32).map(|element| 1 + element * 7 % 10).collect());
        super::trial::run(&weights, &options, super::trial::needs(&needed)).queries
    };
    let ddmin = queries(Algorithm::Ddmin);
    for algorithm in [
        Algorithm::Probdd,
        Algorithm::Wprobdd,
        Algorithm::Cdd,
        Algorithm::Splitting,
        Algorithm::Halving,
    ] {
        assert!(
            2 * queries(algorithm) < ddmin,
            "{algorithm} needs {} queries, ddmin {ddmin}",
            queries(algorithm)
        );
    }
}
