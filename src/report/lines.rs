//! What happens, in a line each.

use super::change::{Change, in_one_line};
use super::event::{Event, Source, Stop};
use super::summary::{count, number, time};

/// An answer, with what was tried if the candidate is known.
pub(super) fn answered(event: &Event, best: &[u8]) -> String {
    let Event::Answered {
        pass,
        bytes,
        interesting,
        source,
        text,
        ..
    } = event
    else {
        return String::new();
    };
    let verdict = if *interesting {
        "interesting"
    } else {
        "not interesting"
    };
    let source = match source {
        Source::Query => "",
        Source::TimedOut => " (timed out)",
        Source::Cache => " (asked before)",
        Source::Best => " (the best itself)",
        Source::Journal => " (from the state folder)",
    };
    let tried = text.as_ref().map(|text| tried(best, text));
    format!(
        "{:>10} bytes  {pass}: {verdict}{source}{}\n",
        number(*bytes),
        tried.unwrap_or_default()
    )
}

/// What a candidate changes of the best test case: what goes and what comes.
fn tried(best: &[u8], candidate: &[u8]) -> String {
    const ROOM: usize = 48;
    let change = Change::between(best, candidate);
    let part = |sign: &str, text: &[u8]| match text {
        [] => String::new(),
        text => format!(" {sign}`{}`", in_one_line(text, ROOM)),
    };
    let line = change.line(best);
    let (old, new) = (
        part("-", &best[change.old]),
        part("+", &candidate[change.new]),
    );
    if old.is_empty() && new.is_empty() {
        return String::new();
    }
    format!("; line {line}:{old}{new}")
}

/// What happened beside questions and answers.
pub(super) fn notice(event: &Event) -> String {
    let text = match event {
        Event::AlsoInteresting { path } => format!("also interesting: {}", path.display()),
        Event::TimeLimit { seconds } => {
            format!("a run of the check may now take {}", time(*seconds))
        }
        Event::Retrying { timed_out, seconds } => format!(
            "{} timed out; trying again with up to {}",
            count(*timed_out, "candidate", "candidates"),
            time(*seconds)
        ),
        Event::Resumed { answers } => {
            format!(
                "going on from an earlier run with {}",
                count(*answers, "answer", "answers")
            )
        }
        Event::Stopped { reason } => {
            format!("stopped by {}; keeping the best so far", stop(*reason))
        }
        _ => return String::new(),
    };
    format!("{text}\n")
}

fn stop(reason: Stop) -> &'static str {
    match reason {
        Stop::Interrupted => "a signal",
        Stop::MaxTime => "--max-time",
        Stop::MaxQueries => "--max-queries",
        Stop::TargetBytes => "--target-bytes",
        Stop::Skipped => "a key",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_a_line() {
        for (event, line) in [
            (
                Event::AlsoInteresting {
                    path: "finds/1.c".into(),
                },
                "also interesting: finds/1.c\n",
            ),
            (
                Event::TimeLimit { seconds: 2.5 },
                "a run of the check may now take 2.50 s\n",
            ),
            (
                Event::Retrying {
                    timed_out: 2,
                    seconds: 9.0,
                },
                "2 candidates timed out; trying again with up to 9.00 s\n",
            ),
            (
                Event::Resumed { answers: 1 },
                "going on from an earlier run with 1 answer\n",
            ),
            (
                Event::Warning {
                    text: "said elsewhere".into(),
                },
                "",
            ),
        ] {
            assert_eq!(notice(&event), line);
        }
        for (reason, by) in [
            (Stop::Interrupted, "a signal"),
            (Stop::MaxTime, "--max-time"),
            (Stop::MaxQueries, "--max-queries"),
            (Stop::TargetBytes, "--target-bytes"),
            (Stop::Skipped, "a key"),
        ] {
            let line = format!("stopped by {by}; keeping the best so far\n");
            assert_eq!(notice(&Event::Stopped { reason }), line);
        }
    }

    #[test]
    fn an_answer_that_needed_no_run_says_where_it_came_from() {
        for (source, said) in [
            (Source::Query, ""),
            (Source::TimedOut, " (timed out)"),
            (Source::Cache, " (asked before)"),
            (Source::Best, " (the best itself)"),
            (Source::Journal, " (from the state folder)"),
        ] {
            let event = Event::Answered {
                pass: "units",
                bytes: 1234,
                interesting: false,
                source,
                queries: 1,
                oracle_seconds: 0.0,
                text: None,
            };
            let line = format!("     1,234 bytes  units: not interesting{said}\n");
            assert_eq!(answered(&event, b""), line);
        }
    }
}
