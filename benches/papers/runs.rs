//! All reductions that the tables are about, each made once.

use super::caches::{self, Footprint};
use super::cases::{Case, Ending, Outcome, most_queries};
use super::statistics::{count, wilcoxon};
use super::weights;
use paredown::minimize::{Algorithm, Options};
use paredown::strategy::{Hoist, Plan, Strategy};
use paredown::syntax::{Document, count_tokens};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

/// So many queries a reduction may need.
const MOST: u32 = 40_000;
/// Characters are the elements only of texts that are at most so long: the queries grow faster than the length.
const LONGEST_BY_CHARS: usize = 700;
const THREADS: usize = 2;

/// One reduction in short.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) queries: u32,
    pub(crate) tokens: usize,
    pub(crate) bytes: usize,
    /// By pass: queries, and how many were interesting.
    pub(crate) passes: BTreeMap<&'static str, (u32, u32)>,
    pub(crate) ending: Ending,
    /// How many nodes the widest level of the tree that is left has.
    pub(crate) widest: usize,
}

/// One case with its reductions, by the names of their plans.
pub(crate) struct CaseRuns {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    pub(crate) tokens: usize,
    /// The longest path from the root of its tree.
    pub(crate) height: usize,
    pub(crate) runs: BTreeMap<String, Run>,
    pub(crate) footprints: Vec<(&'static str, Vec<Footprint>)>,
    /// Of weight against removal, for each list of an HDD.
    pub(crate) correlations: Vec<f64>,
}

/// All of them, in the order of the cases' names.
pub(crate) struct Runs(pub(crate) Vec<CaseRuns>);

/// The name of a tree strategy with a list minimiser and hoisting.
pub(crate) fn name_of(strategy: Strategy, algorithm: Algorithm, hoist: Hoist) -> String {
    format!("{strategy}/{algorithm}/{hoist}")
}

/// What is run on each case.
fn plans(document: &Document) -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    let mut add = |name: String, strategy, algorithm, hoist, once| {
        let minimizer = Some(Options::new(algorithm));
        plans.push((
            name,
            Plan {
                minimizer,
                hoist,
                once,
                ..Plan::new(strategy)
            },
        ));
    };
    let ddmin = Algorithm::Ddmin;
    let mut flat = vec![Strategy::Lines];
    if document.bytes().len() <= LONGEST_BY_CHARS {
        flat.extend([Strategy::Chars, Strategy::TwoPass]);
    }
    for strategy in flat {
        add(
            format!("{strategy}/once"),
            strategy,
            ddmin,
            Hoist::None,
            true,
        );
        add(
            format!("{strategy}/again"),
            strategy,
            ddmin,
            Hoist::None,
            false,
        );
    }
    add(
        "lines/greeddy".into(),
        Strategy::Lines,
        Algorithm::Greeddy,
        Hoist::None,
        false,
    );
    for strategy in [
        Strategy::Hdd,
        Strategy::Hddr,
        Strategy::CoarseHdd,
        Strategy::CoarseHddr,
    ] {
        for hoist in Hoist::ALL {
            add(
                name_of(strategy, ddmin, hoist),
                strategy,
                ddmin,
                hoist,
                false,
            );
        }
    }
    for algorithm in [
        Algorithm::Opdd,
        Algorithm::Probdd,
        Algorithm::Cdd,
        Algorithm::Wddmin,
        Algorithm::Wprobdd,
    ] {
        add(
            name_of(Strategy::Hdd, algorithm, Hoist::None),
            Strategy::Hdd,
            algorithm,
            Hoist::None,
            false,
        );
    }
    for algorithm in [
        ddmin,
        Algorithm::Probdd,
        Algorithm::Wddmin,
        Algorithm::Wprobdd,
    ] {
        add(
            name_of(Strategy::Quantified, algorithm, Hoist::None),
            Strategy::Quantified,
            algorithm,
            Hoist::None,
            false,
        );
    }
    let opdd = Plan {
        minimizer: None,
        ..Plan::new(Strategy::Hddr)
    };
    plans.push(("hddr/own".into(), opdd));
    plans
}

impl Runs {
    /// Reduces each case by each plan, or by those with these names; some cases at a time.
    pub(crate) fn of(cases: Vec<Case>, names: &[String]) -> Self {
        let waiting = Mutex::new(cases.into_iter());
        let done = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    loop {
                        // Bound first, so that the lock does not last as long as the reductions.
                        let case = waiting.lock().expect("no thread has failed").next();
                        let Some(mut case) = case else { break };
                        let runs = CaseRuns::of(&mut case, names);
                        done.lock().expect("no thread has failed").push(runs);
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no thread has failed");
        done.sort_by(|one, other| one.name.cmp(&other.name));
        Self(done)
    }

    /// The cases where both of these came to their end, with both.
    pub(crate) fn pairs<'r>(
        &'r self,
        one: &str,
        other: &str,
    ) -> Vec<(&'r CaseRuns, &'r Run, &'r Run)> {
        let complete = |case: &'r CaseRuns, name: &str| {
            case.runs
                .get(name)
                .filter(|run| run.ending == Ending::Complete)
        };
        let cases = self.0.iter();
        cases
            .filter_map(|case| Some((case, complete(case, one)?, complete(case, other)?)))
            .collect()
    }

    /// How much the second needs and leaves of the first, over the cases where both came to their end.
    pub(crate) fn compare(&self, one: &str, other: &str) -> Comparison {
        let pairs = self.pairs(one, other);
        let measured = |measure: fn(&Run) -> f64| {
            let values: Vec<(f64, f64)> = pairs
                .iter()
                .map(|(_, one, other)| (measure(one), measure(other)))
                .collect();
            Measured {
                change: mean_change(&values),
                of_sums: change_of_sums(&values),
                of_geometric_means: change_of_geometric_means(&values),
                p: wilcoxon(&values),
            }
        };
        Comparison {
            cases: pairs.len(),
            queries: measured(|run| f64::from(run.queries)),
            tokens: measured(|run| count(run.tokens)),
            bytes: measured(|run| count(run.bytes)),
        }
    }

    /// Those that did not come to their end, with what they had until then.
    pub(crate) fn print_cut_off(&self) {
        println!(
            "\n| cut off | reduction | queries | bytes | tokens | nodes in the widest level of what is left |\n|---|---|---|---|---|---|"
        );
        for case in &self.0 {
            let cut_off = case.runs.iter();
            for (name, run) in cut_off.filter(|(_, run)| run.ending != Ending::Complete) {
                println!(
                    "| {} | {name} | {}{} | {} | {} | {} |",
                    case.name,
                    run.queries,
                    if run.ending == Ending::NotRecorded {
                        ", not recorded further"
                    } else {
                        ""
                    },
                    run.bytes,
                    run.tokens,
                    run.widest
                );
            }
        }
    }

    pub(crate) fn print_cases(&self) {
        println!(
            "| case | bytes | tokens | height of the tree | reductions that came to their end |\n|---|---|---|---|---|"
        );
        for case in &self.0 {
            let complete = case
                .runs
                .values()
                .filter(|run| run.ending == Ending::Complete)
                .count();
            println!(
                "| {} | {} | {} | {} | {complete} of {} |",
                case.name,
                case.bytes,
                case.tokens,
                case.height,
                case.runs.len()
            );
        }
    }
}

/// How a second way compares with a first.
pub(crate) struct Comparison {
    pub(crate) cases: usize,
    pub(crate) queries: Measured,
    pub(crate) tokens: Measured,
    pub(crate) bytes: Measured,
}

/// The mean of the changes in percent, the same in the other ways of the papers, and how probable such an uneven outcome is by chance.
pub(crate) struct Measured {
    pub(crate) change: f64,
    pub(crate) of_sums: f64,
    pub(crate) of_geometric_means: f64,
    pub(crate) p: Option<f64>,
}

impl Measured {
    /// The change with its sign, and p if asked for.
    pub(crate) fn text(&self) -> String {
        format!("{:+.1} %", self.change)
    }

    pub(crate) fn with_p(&self) -> String {
        self.beside_p(self.change)
    }

    /// One of the changes, and p.
    pub(crate) fn beside_p(&self, change: f64) -> String {
        let p = self
            .p
            .map_or("no difference".into(), |p| format!("p = {p:.2}"));
        format!("{change:+.1} % ({p})")
    }
}

/// The mean over the cases of what the second is more than the first, in percent.
pub(crate) fn mean_change(values: &[(f64, f64)]) -> f64 {
    let changes = values
        .iter()
        .map(|(one, other)| 100.0 * (other - one) / one.max(1.0));
    changes.sum::<f64>() / count(values.len()).max(1.0)
}

/// What the sum of the second ones is more than that of the first ones, in percent.
pub(crate) fn change_of_sums(values: &[(f64, f64)]) -> f64 {
    let sum = |side: fn(&(f64, f64)) -> f64| values.iter().map(side).sum::<f64>();
    100.0 * (sum(|pair| pair.1) / sum(|pair| pair.0).max(1.0) - 1.0)
}

/// The same of the geometric means.
fn change_of_geometric_means(values: &[(f64, f64)]) -> f64 {
    let logarithms = values
        .iter()
        .map(|(one, other)| (other.max(1.0) / one.max(1.0)).ln());
    100.0 * ((logarithms.sum::<f64>() / count(values.len()).max(1.0)).exp() - 1.0)
}

impl CaseRuns {
    fn of(case: &mut Case, names: &[String]) -> Self {
        let bytes = case.document.bytes().clone();
        let most = most_queries(MOST);
        let mut runs = BTreeMap::new();
        let mut plans = plans(&case.document);
        plans.retain(|(name, _)| names.is_empty() || names.contains(name));
        for (name, plan) in plans {
            let outcome = case.reduce(&plan, most);
            let left = Document::new(&outcome.result[..], case.document.language().cloned());
            let run = Run::of(&outcome, widest(&left));
            eprintln(&case.name, &name, &run);
            runs.insert(name, run);
        }
        let correlations = names.is_empty().then(|| weights::correlations(case, most));
        Self {
            height: levels(&case.document).len() - 1,
            footprints: caches::footprints(case, &runs),
            correlations: correlations.unwrap_or_default(),
            name: case.name.clone(),
            bytes: bytes.len(),
            tokens: count_tokens(&bytes),
            runs,
        }
    }
}

#[expect(clippy::print_stderr, reason = "says how far a long bench is")]
fn eprintln(case: &str, name: &str, run: &Run) {
    eprintln!(
        "{case} {name}: {} queries, {} tokens {}",
        run.queries,
        run.tokens,
        run.ending.note()
    );
}

impl Run {
    fn of(outcome: &Outcome, widest: usize) -> Self {
        Self {
            queries: outcome.queries,
            tokens: count_tokens(&outcome.result),
            bytes: outcome.result.len(),
            passes: outcome.passes.clone(),
            ending: outcome.ending,
            widest,
        }
    }
}

fn widest(document: &Document) -> usize {
    levels(document).into_iter().max().unwrap_or_default()
}

/// How many nodes each level of the tree has, from the root on.
fn levels(document: &Document) -> Vec<usize> {
    let mut depths = vec![0; document.nodes().len()];
    let mut levels = vec![0];
    for id in document.ids() {
        let depth = depths[id as usize];
        levels.resize(levels.len().max(depth + 1), 0);
        levels[depth] += 1;
        for child in document.children(id) {
            depths[child as usize] = depth + 1;
        }
    }
    levels
}
