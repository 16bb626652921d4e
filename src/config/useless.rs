//! Options that change nothing: whoever gives one believes that it does something, so it is said.

use super::Input;
use super::keep::pattern;
use crate::cli::{Args, Measure};
use crate::error::{Error, shell_word};
use crate::minimize::{Algorithm, Options};
use crate::platform::has_limits;
use crate::strategy::{Effort, Hoist, Strategy};

/// A sentence about the options that have no effect beside the others, if there are such.
pub(super) fn options(args: &Args) -> Vec<String> {
    let is_auto = args.strategy == Strategy::Auto;
    let chooses_itself = is_auto && args.minimizer.is_none();
    let (with, has_effect): (_, &dyn Fn(&str) -> bool) = if chooses_itself {
        let own = "`--strategy auto`, which has its own ways without `--minimizer`";
        (own.to_owned(), &|_| false)
    } else {
        let algorithm = algorithm(args);
        let with = format!(
            "the minimizer {algorithm} of `--strategy {}`",
            args.strategy
        );
        (with, &move |option| has_effect(option, algorithm))
    };
    // It gives every place to a descendant as it goes, so only what comes before that is left to choose.
    let is_quantified = args.strategy == Strategy::Quantified;
    let hoists_anyway = is_quantified && args.hoist == Hoist::Interlaced;
    let goes_on = is_auto && !args.once;
    let of_strategy = [
        ("--effort", !goes_on && args.effort != Effort::Normal),
        ("--without", !is_auto && !args.without.is_empty()),
        ("--rewrites", !is_auto && !args.rewrites.is_empty()),
        (
            "--hoist",
            hoists_anyway || is_auto && args.hoist != Hoist::None,
        ),
    ];
    let of_strategy = of_strategy.into_iter().filter(|(_, useless)| *useless);
    let useless = of_strategy
        .chain(of_minimizer(args).filter(|(option, given)| *given && !has_effect(option)));
    let useless: Vec<String> = useless.map(|(option, _)| format!("`{option}`")).collect();
    let verb = if useless.len() == 1 { "has" } else { "have" };
    let sentence = format!("{} {verb} no effect with {with}", useless.join(", "));
    let input = &args.input;
    let measures_nothing = input.measure != Measure::default() && input.transform.is_empty();
    let of_measure = "`--measure` has no effect without `--transform`".to_owned();
    let sentences = [
        (!useless.is_empty(), sentence),
        (measures_nothing, of_measure),
    ];
    let sentences = sentences.into_iter().filter(|(is_true, _)| *is_true);
    sentences.map(|(_, sentence)| sentence).collect()
}

/// A sentence about the limits that this system cannot impose, if there are such.
pub(super) fn limits(args: &Args) -> Option<String> {
    if has_limits() { None } else { no_limits(args) }
}

fn no_limits(args: &Args) -> Option<String> {
    let given = [
        ("--memory-limit", args.memory_limit.is_some()),
        ("--cpu-limit", args.cpu_limit.is_some()),
        ("--file-limit", args.file_limit.is_some()),
        ("--open-files-limit", args.open_files_limit.is_some()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    let given: Vec<String> = given.map(|(option, _)| format!("`{option}`")).collect();
    (!given.is_empty()).then(|| {
        let given = given.join(", ");
        format!("{given}: limits work on Linux only; put `ulimit` into the check instead")
    })
}

/// A sentence about each `--keep` that matches nothing.
pub(super) fn patterns(args: &Args, inputs: &[Input]) -> Result<Vec<String>, Error> {
    let mut sentences = Vec::new();
    for text in &args.keep {
        let matches = |pattern: &regex::bytes::Regex| {
            inputs
                .iter()
                .any(|input| pattern.is_match(&input.encoding().decode(input.bytes())))
        };
        if !pattern(text)?.as_ref().is_some_and(matches) {
            let text = shell_word(text);
            sentences.push(format!(
                "`--keep {text}` matches nothing, so it keeps nothing"
            ));
        }
    }
    Ok(sentences)
}

/// The options about a list minimiser, and whether they were given.
fn of_minimizer(args: &Args) -> impl Iterator<Item = (&'static str, bool)> {
    [
        ("--subsets", args.subsets),
        ("--no-sweep", args.no_sweep),
        ("--backward", args.backward),
        ("--split", args.split.is_some()),
        ("--window", args.window.is_some()),
        ("--p0", args.p0.is_some()),
        ("--seed", args.seed.is_some()),
        ("--waves", args.waves),
    ]
    .into_iter()
}

fn algorithm(args: &Args) -> Algorithm {
    let own = args.strategy.default_minimizer().algorithm;
    args.minimizer.unwrap_or(own)
}

/// Whether the algorithm looks at the option, as [`crate::minimize::Options`] says at each.
fn has_effect(option: &str, algorithm: Algorithm) -> bool {
    use Algorithm::{Cdd, Ddmin, Greeddy, Opdd, Probdd, Splitting, Wddmin, Wprobdd};
    match option {
        "--subsets" => matches!(algorithm, Ddmin | Opdd | Greeddy | Wddmin),
        "--no-sweep" => Options::new(algorithm).sweep,
        "--backward" => matches!(algorithm, Ddmin | Opdd | Greeddy | Cdd | Wddmin),
        "--split" => matches!(algorithm, Ddmin | Opdd | Greeddy),
        "--window" => algorithm == Greeddy,
        "--p0" => matches!(algorithm, Probdd | Cdd | Wprobdd | Splitting),
        "--waves" => algorithm == Wprobdd,
        "--seed" => matches!(algorithm, Probdd | Wprobdd),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str) -> String {
        let words = ["paredown"].into_iter().chain(words.split_whitespace());
        let args = Args::from_words(words.map(Into::into)).unwrap();
        options(&args).join("; ")
    }

    #[test]
    fn limits_that_the_system_does_not_have_are_named() {
        let said = |words: &[&str]| {
            let args = Args::from_words(words.iter().map(Into::into)).unwrap();
            no_limits(&args)
        };
        assert_eq!(said(&["paredown"]), None);
        assert_eq!(
            said(&["paredown", "--memory-limit", "9", "--cpu-limit", "9"]).unwrap(),
            "`--memory-limit`, `--cpu-limit`: limits work on Linux only; put `ulimit` into the check instead"
        );
    }

    #[test]
    fn only_options_without_effect_are_named() {
        assert_eq!(
            said("--p0 0.2 --hoist both"),
            "`--hoist`, `--p0` have no effect with `--strategy auto`, which has its own ways without `--minimizer`"
        );
        assert_eq!(
            said("--strategy quantified --hoist interlaced --seed 1"),
            "`--hoist` has no effect with the minimizer wprobdd of `--strategy quantified`"
        );
        assert_eq!(
            said("--effort max --once"),
            "`--effort` has no effect with `--strategy auto`, which has its own ways without `--minimizer`"
        );
        assert_eq!(
            said("--strategy hddr --without hoist --waves"),
            "`--without`, `--waves` have no effect with the minimizer opdd of `--strategy hddr`"
        );
        assert_eq!(
            said("--minimizer cdd --p0 0.2 --seed 1"),
            "`--seed` has no effect with the minimizer cdd of `--strategy auto`"
        );
        assert_eq!(
            said("--strategy lines --window 2"),
            "`--window` has no effect with the minimizer ddmin of `--strategy lines`"
        );
        assert_eq!(
            said("--measure lines"),
            "`--measure` has no effect without `--transform`"
        );
        for fits in [
            "",
            "--measure lines --transform cat",
            "--once --rename --without hoist",
            "--minimizer wprobdd --waves",
            "--strategy hddr --hoist both --minimizer cdd --p0 0.2 --backward --no-sweep",
            "--strategy lines --minimizer greeddy --window 2 --split 3 --subsets",
            "--strategy quantified --seed 3",
        ] {
            assert_eq!(said(fits), "", "{fits}");
        }
    }
}
