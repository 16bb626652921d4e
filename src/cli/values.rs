//! What the options' values may be, and what is said about those that make no sense: which value, and what a good one looks like.

use std::ffi::OsStr;
use std::ops::{Bound, RangeBounds};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use super::{LIST, NO_LANGUAGE};
use crate::minimize::Algorithm;
use crate::oracle::signal_names;
use crate::strategy::{self, Effort, Hoist, Strategy};
use crate::syntax::Language;

/// A whole number in this range. `abc` is told apart from a number that is too large.
pub(super) fn number<T>(range: impl RangeBounds<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    let range = (range.start_bound().cloned(), range.end_bound().cloned());
    StringValueParser::new().try_map(move |text| whole_number(&text, range))
}

fn whole_number<T: TryFrom<u64>>(text: &str, range: (Bound<u64>, Bound<u64>)) -> Result<T, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(match text.parse::<f64>() {
            Ok(number) if number.is_finite() => format!("`{text}` is not a whole number"),
            _ => format!("`{text}` is not a number"),
        });
    }
    let number = text.parse::<u64>().ok();
    let fitting = number.filter(|number| range.contains(number));
    let fitting = fitting.and_then(|number| T::try_from(number).ok());
    let is_large = || {
        let is_above = |number| (range.0, Bound::Unbounded).contains(&number);
        number.map_or(!text.starts_with('-'), is_above)
    };
    fitting.ok_or_else(|| match range.1 {
        Bound::Unbounded if is_large() => format!("`{text}` is too large a number"),
        _ => format!("`{text}` is not {}", described(range)),
    })
}

fn described(range: (Bound<u64>, Bound<u64>)) -> String {
    match range {
        (Bound::Included(from), Bound::Included(to)) => format!("between {from} and {to}"),
        (Bound::Included(from), _) if from > 0 => format!("a number from {from} on"),
        _ => "a number from 0 on".to_owned(),
    }
}

/// A time above zero, in seconds.
pub(super) fn positive_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number of seconds"))?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        Err(_) if seconds > 0.0 => Err(format!("`{text}` is more than any clock counts")),
        _ => Err("must be more than 0".to_owned()),
    }
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    between(text, 0.0)
}

pub(super) fn confidence(text: &str) -> Result<f64, String> {
    between(text, 0.5)
}

/// A number above `least` and below 1.
fn between(text: &str, least: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if p > least && p < 1.0 => Ok(p),
        Ok(_) => Err(format!("must lie between {least} and 1")),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

pub(super) fn strategies() -> impl TypedValueParser<Value = Strategy> {
    PossibleValuesParser::new(Strategy::ALL.map(Strategy::name))
        .try_map(|name| name.parse::<Strategy>())
}

pub(super) fn minimizers() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name))
        .try_map(|name| name.parse::<Algorithm>())
}

pub(super) fn passes() -> PossibleValuesParser {
    PossibleValuesParser::new(strategy::passes().into_iter().map(|(name, _)| name))
}

pub(super) fn efforts() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(Effort::ALL.map(Effort::name)).try_map(|name| name.parse::<Effort>())
}

pub(super) fn hoists() -> impl TypedValueParser<Value = Hoist> {
    PossibleValuesParser::new(Hoist::ALL.map(Hoist::name)).try_map(|name| name.parse::<Hoist>())
}

/// A language by its name. Who gives a file extension or another usual name instead is told the one that counts here.
#[derive(Clone)]
pub(super) struct Languages;

impl TypedValueParser for Languages {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        let known = PossibleValuesParser::new(names());
        known
            .parse_ref(command, argument, value)
            .map_err(|mut error| {
                let meant = value.to_str().and_then(usual_name);
                if error.kind() == ErrorKind::InvalidValue
                    && let Some(name) = meant
                {
                    let value = ContextValue::String(name.to_owned());
                    error.insert(ContextKind::SuggestedValue, value);
                }
                error
            })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    Language::names().chain([NO_LANGUAGE, LIST])
}

/// Names that people give languages, beside their file extensions.
const USUAL: [(&str, &str); 12] = [
    ("c++", "cpp"),
    ("cplusplus", "cpp"),
    ("c#", "csharp"),
    ("ecmascript", "javascript"),
    ("golang", "go"),
    ("shell", "bash"),
    ("node", "javascript"),
    ("ll", "llvm"),
    ("smt", "scheme"),
    ("lisp", "scheme"),
    ("text", NO_LANGUAGE),
    ("plain", NO_LANGUAGE),
];

/// The language that goes by this name or has files with this extension.
fn usual_name(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let lower = lower.strip_prefix('.').unwrap_or(&lower);
    let by_extension = || {
        let mut all = Language::built_in();
        let found = all.find(|(_, extensions)| extensions.iter().any(|known| known == lower));
        found.map(|(name, _)| name)
    };
    let exactly = names().find(|name| *name == lower);
    let usual = USUAL.iter().find(|(usual, _)| *usual == lower);
    let usual = usual.map(|(_, name)| *name);
    let usual = usual.filter(|name| names().any(|known| known == *name));
    exactly.or(usual).or_else(by_extension)
}

/// A signal by its name or number. The names are offered by completions; what is right is decided when the command is read.
#[derive(Clone)]
pub(super) struct Signals;

impl TypedValueParser for Signals {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(signal_names().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_positive_and_finite() {
        assert_eq!(positive_seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "inf", "NaN", "1e300", "soon", ""] {
            assert!(positive_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_time_is_more_than_nothing_and_can_be_counted() {
        assert_eq!(positive_seconds("0.5"), Ok(Duration::from_millis(500)));
        for (text, message) in [
            ("0", "must be more than 0"),
            ("-1", "must be more than 0"),
            ("nan", "must be more than 0"),
            ("inf", "`inf` is more than any clock counts"),
            ("1e300", "`1e300` is more than any clock counts"),
            ("soon", "`soon` is not a number of seconds"),
        ] {
            assert_eq!(positive_seconds(text), Err(message.to_owned()));
        }
    }

    #[test]
    fn what_is_no_number_is_told_from_a_number_that_does_not_fit() {
        let said = |text, range: (Bound<u64>, Bound<u64>)| whole_number::<u32>(text, range);
        let jobs = (Bound::Included(1), Bound::Included(1024));
        assert_eq!(said("8", jobs), Ok(8));
        for (text, message) in [
            ("abc", "`abc` is not a number"),
            ("", "`` is not a number"),
            ("1.5", "`1.5` is not a whole number"),
            ("0", "`0` is not between 1 and 1024"),
            ("-3", "`-3` is not between 1 and 1024"),
            (
                "99999999999999999999",
                "`99999999999999999999` is not between 1 and 1024",
            ),
        ] {
            assert_eq!(said(text, jobs), Err(message.to_owned()));
        }
        let any = (Bound::Unbounded, Bound::Unbounded);
        assert_eq!(
            said("-1", any),
            Err("`-1` is not a number from 0 on".into())
        );
        let some = (Bound::Included(2), Bound::Unbounded);
        assert_eq!(said("1", some), Err("`1` is not a number from 2 on".into()));
        for text in ["5000000000", "99999999999999999999"] {
            let message = format!("`{text}` is too large a number");
            assert_eq!(said(text, some), Err(message.clone()));
            assert_eq!(said(text, any), Err(message));
        }
    }

    #[test]
    fn probabilities_lie_between_their_ends() {
        assert_eq!(probability("0.1"), Ok(0.1));
        assert_eq!(confidence("0.5"), Err("must lie between 0.5 and 1".into()));
        assert_eq!(probability("p"), Err("`p` is not a number".into()));
    }

    #[test]
    fn languages_are_known_by_extensions_and_usual_names() {
        for (text, name) in [
            ("py", Some("python")),
            (".RS", Some("rust")),
            ("C++", Some("cpp")),
            ("Python", Some("python")),
            ("cobol", None),
        ] {
            assert_eq!(usual_name(text), name, "{text}");
        }
    }
}
