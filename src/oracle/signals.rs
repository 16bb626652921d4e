//! The names of the platform's signals.

use rustix::process::Signal;

use super::CheckError;
use crate::platform::{REAL_TIME_SIGNALS, SIGNALS};

/// All that have a name of their own, and the other names of some.
const NAMES: [(&str, Signal); 32] = [
    ("HUP", Signal::HUP),
    ("INT", Signal::INT),
    ("QUIT", Signal::QUIT),
    ("ILL", Signal::ILL),
    ("TRAP", Signal::TRAP),
    ("ABRT", Signal::ABORT),
    ("IOT", Signal::ABORT),
    ("BUS", Signal::BUS),
    ("FPE", Signal::FPE),
    ("KILL", Signal::KILL),
    ("USR1", Signal::USR1),
    ("SEGV", Signal::SEGV),
    ("USR2", Signal::USR2),
    ("PIPE", Signal::PIPE),
    ("ALRM", Signal::ALARM),
    ("TERM", Signal::TERM),
    ("CHLD", Signal::CHILD),
    ("CLD", Signal::CHILD),
    ("CONT", Signal::CONT),
    ("STOP", Signal::STOP),
    ("TSTP", Signal::TSTP),
    ("TTIN", Signal::TTIN),
    ("TTOU", Signal::TTOU),
    ("URG", Signal::URG),
    ("XCPU", Signal::XCPU),
    ("XFSZ", Signal::XFSZ),
    ("VTALRM", Signal::VTALARM),
    ("PROF", Signal::PROF),
    ("WINCH", Signal::WINCH),
    ("IO", Signal::IO),
    ("POLL", Signal::IO),
    ("SYS", Signal::SYS),
];

/// The largest number that a signal may have where the real-time signals have no names.
const MOST: i32 = 128;

/// The names that all platforms know, and those of this one.
fn names() -> impl Iterator<Item = (&'static str, Signal)> + Clone {
    NAMES.into_iter().chain(SIGNALS.iter().copied())
}

/// The names without numbers in them, one for each signal, for completions.
pub fn signal_names() -> impl Iterator<Item = &'static str> {
    let is_first = |index: usize, signal| names().take(index).all(|(_, before)| before != signal);
    let firsts = names().enumerate();
    let firsts = firsts.filter(move |(index, (_, signal))| is_first(*index, *signal));
    firsts.map(|(_, (name, _))| name)
}

/// A signal's number from its name, with or without `SIG`, or from its number. The real-time signals are `RTMIN`, `RTMIN+1` …,
/// `RTMAX-1`, `RTMAX`.
pub fn parse_signal(text: &str) -> Result<i32, CheckError> {
    let upper = text.trim().to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    let named = names().find(|(known, _)| *known == name);
    let most = REAL_TIME_SIGNALS.map_or(MOST, |real_time| *real_time.end());
    let number = || {
        let number = name.parse().ok();
        number.filter(|number| (1..=most).contains(number))
    };
    named
        .map(|(_, signal)| signal.as_raw())
        .or_else(|| real_time(name))
        .or_else(number)
        .ok_or_else(|| CheckError::Signal(text.to_owned()))
}

fn real_time(name: &str) -> Option<i32> {
    let all = REAL_TIME_SIGNALS?;
    let (from, offset) = match name.strip_prefix("RTMIN") {
        Some(offset) => (*all.start(), offset),
        None => (*all.end(), name.strip_prefix("RTMAX")?),
    };
    let is_offset = offset.is_empty() || offset.starts_with(['+', '-']);
    let offset: i32 = match offset {
        "" => 0,
        signed => signed.parse().ok()?,
    };
    let number = from.checked_add(offset)?;
    (is_offset && all.contains(&number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names_and_numbers() {
        for (text, number) in [
            ("SIGSEGV", 11),
            ("abrt", 6),
            ("8", 8),
            ("XCPU", 24),
            ("SIGIOT", 6),
            ("RTMIN", 34),
            ("sigrtmin+3", 37),
            ("RTMAX-1", 63),
            ("RTMAX", 64),
        ] {
            assert_eq!(parse_signal(text), Ok(number), "{text}");
        }
        for text in [
            "SIGNOPE", "0", "65", "", "SIG", "RTMIN-1", "RTMAX+1", "RTMIN3", "RTMIN+",
        ] {
            assert!(parse_signal(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_number_below_the_real_time_signals_has_a_name() {
        for number in 1..32 {
            let named = names().any(|(_, signal)| signal.as_raw() == number);
            assert!(named, "{number}");
        }
    }
}
