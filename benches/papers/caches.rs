//! Tables 4.2 and 4.3 of D. Vince's dissertation: what the cache needs with each of its three proposals more.

use super::cases::{Case, Ending};
use super::runs::{Run, Runs, name_of};
use super::statistics::count;
use paredown::engine::{CacheOptions, Engine, Eviction, KeptOutcomes, KeyKind, Settings};
use paredown::interrupt::Interrupt;
use paredown::minimize::{Algorithm, Options};
use paredown::output::ResultFile;
use paredown::strategy::{Hoist, Plan, Strategy, search};
use paredown::syntax::Document;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// At the peak.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    pub(crate) bytes: usize,
    pub(crate) entries: usize,
}

const STRATEGIES: [(&str, Strategy); 3] = [
    ("ddmin\\*, characters", Strategy::Chars),
    ("ddmin\\*, lines", Strategy::Lines),
    ("HDD\\*", Strategy::Hdd),
];

/// All outcomes with the text as the key, and one proposal more in each.
const STEPS: [CacheOptions; 4] = [
    CacheOptions {
        outcomes: KeptOutcomes::All,
        eviction: Eviction::Never,
        keys: KeyKind::Text,
    },
    CacheOptions {
        outcomes: KeptOutcomes::Uninteresting,
        eviction: Eviction::Never,
        keys: KeyKind::Text,
    },
    CacheOptions {
        outcomes: KeptOutcomes::Uninteresting,
        eviction: Eviction::LongerThanSuccess,
        keys: KeyKind::Text,
    },
    CacheOptions {
        outcomes: KeptOutcomes::Uninteresting,
        eviction: Eviction::LongerThanSuccess,
        keys: KeyKind::Sha3,
    },
];

/// What each step needs, for those strategies whose reduction came to its end.
pub(crate) fn footprints(
    case: &mut Case,
    runs: &BTreeMap<String, Run>,
) -> Vec<(&'static str, Vec<Footprint>)> {
    let mut footprints = Vec::new();
    for (name, strategy) in STRATEGIES {
        let run = match strategy {
            Strategy::Hdd => name_of(strategy, Algorithm::Ddmin, Hoist::None),
            _ => format!("{strategy}/again"),
        };
        if runs
            .get(&run)
            .is_some_and(|run| run.ending == Ending::Complete)
        {
            let plan = Plan {
                minimizer: Some(Options::new(Algorithm::Ddmin)),
                ..Plan::new(strategy)
            };
            footprints.push((
                name,
                STEPS.map(|cache| footprint(case, &plan, cache)).to_vec(),
            ));
        }
    }
    footprints
}

fn footprint(case: &mut Case, plan: &Plan, cache: CacheOptions) -> Footprint {
    let check = Mutex::new(&mut case.oracle);
    let oracle = |bytes: &[u8]| {
        let answer = check.lock().expect("no query has failed").ask(bytes);
        answer
            .expect("the same reduction has asked it")
            .is_interesting()
    };
    let (mut output, interrupt) = (ResultFile::nowhere(), Interrupt::new());
    let mut ignore = |_: &_| ();
    let settings = Settings {
        cache,
        ..Settings::default()
    };
    let original = case.document.bytes().clone();
    let mut engine = Engine::new(
        &original,
        &oracle,
        settings,
        &mut output,
        &interrupt,
        &mut ignore,
    );
    let (language, plan) = (case.document.language().cloned(), plan.clone());
    let build = move |best: &[u8]| search(&Document::new(best, language.clone()), &plan);
    engine
        .run_until_known(build)
        .expect("a closure does not fail");
    let statistics = engine.finish().1;
    Footprint {
        bytes: statistics.cache_peak_bytes,
        entries: statistics.cache_peak_entries,
    }
}

#[expect(clippy::print_stdout, reason = "tables are what this program is for")]
pub(crate) fn print(runs: &Runs) {
    println!("\n## Dissertation, tables 4.2 and 4.3: the peak of the cache in kB\n");
    println!(
        "Theirs, means: ddmin −96 %, HDD −85 % (−74.4 % to −25.1 % and less on small inputs, −99.9 % on large ones).\n"
    );
    println!(
        "| case | | baseline | proposal 1 | proposal 2 | proposal 3 | entries | difference |\n|---|---|---|---|---|---|---|---|"
    );
    for (kind, _) in STRATEGIES {
        let mut changes = Vec::new();
        for case in &runs.0 {
            let Some((_, steps)) = case.footprints.iter().find(|(name, _)| *name == kind) else {
                continue;
            };
            let kilobytes: Vec<String> = steps
                .iter()
                .map(|step| format!("{:.1}", count(step.bytes) / 1000.0))
                .collect();
            let change = 100.0 * (count(steps[3].bytes) / count(steps[0].bytes).max(1.0) - 1.0);
            changes.push(change);
            let entries = format!("{} → {}", steps[0].entries, steps[3].entries);
            println!(
                "| {} | {kind} | {} | {entries} | {change:+.1} % |",
                case.name,
                kilobytes.join(" | ")
            );
        }
        let mean = changes.iter().sum::<f64>() / count(changes.len()).max(1.0);
        println!("| **mean** | {kind} | | | | | | {mean:+.1} % |");
    }
    println!(
        "\nThe longer the input, the more proposals 2 and 3 save, as in the paper; on our shortest an entry's key is about as long as its text."
    );
}
