//! The real oracle with small shell scripts.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::*;
use crate::folder::Entry;
use crate::interrupt::Interrupt;

struct Bench {
    folder: tempfile::TempDir,
    interrupt: Interrupt,
    oracle: ProcessOracle,
}

fn layout(companions: Vec<Entry>) -> Layout {
    Layout {
        companions,
        ..Layout::of_file("bug.c", 0o644)
    }
}

fn bench_with(check: impl FnOnce(PathBuf) -> Check, script: &str, companions: Vec<Entry>) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("check.sh");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let interrupt = Interrupt::new();
    let options = ProcessOptions {
        jobs: 2,
        also_interesting: Some(77),
        ..ProcessOptions::default()
    };
    let oracle =
        ProcessOracle::new(check(program), layout(companions), options, &interrupt).unwrap();
    Bench {
        folder,
        interrupt,
        oracle,
    }
}

fn bench(script: &str) -> Bench {
    bench_with(|program| Check::Script { program }, script, Vec::new())
}

impl Bench {
    fn ask(&self, candidate: &[u8], time_limit: Option<Duration>) -> Outcome {
        let query = Query {
            slot: 0,
            id: QueryId::fresh(),
            candidate,
            time_limit,
            work_limit: None,
            stop_at: None,
        };
        self.oracle.test(&query, &mut || ()).unwrap().outcome
    }

    fn check(&self, candidates: &[(&str, Outcome)]) {
        for (candidate, expected) in candidates {
            assert_eq!(
                self.ask(candidate.as_bytes(), None),
                *expected,
                "{candidate}"
            );
        }
    }
}

use Outcome::{AlsoInteresting, Cancelled, Interesting, TimedOut, Uninteresting};

#[test]
fn a_script_sees_the_candidate_as_its_argument_and_in_its_folder() {
    let bench = bench("cmp -s \"$1\" bug.c && grep -q bug bug.c && test \"$PWD/bug.c\" = \"$1\"");
    bench.check(&[
        ("a bug", Interesting),
        ("a long text without it", Uninteresting),
        ("bug", Interesting),
    ]);
}

#[test]
fn the_exit_status_tells_interesting_from_worth_keeping() {
    let bench = bench("exit $(cat bug.c)");
    bench.check(&[
        ("0", Interesting),
        ("1", Uninteresting),
        ("77", AlsoInteresting),
    ]);
}

#[test]
fn a_command_has_the_path_in_its_arguments_and_conditions_on_its_output() {
    let stdout = Some(regex::bytes::Regex::new("^need(le|y)$").unwrap());
    let conditions = Conditions {
        stdout,
        ..Conditions::default()
    };
    let words = vec!["sh".into(), "-c".into(), "cat @@; exit 3".into()];
    let bench = bench_with(|_| Check::Command { words, conditions }, "", Vec::new());
    bench.check(&[
        ("needle", Interesting),
        ("needles", Uninteresting),
        ("needy", Interesting),
    ]);
    // What it printed takes no room while nobody runs.
    let captured = bench.oracle.run_folder().join("0").join("stdout");
    assert_eq!(std::fs::metadata(captured).unwrap().len(), 0);
}

#[test]
fn the_folders_are_the_same_for_every_query_whatever_the_check_did_to_them() {
    let companion = Entry::file("b.h", 0o600, *b"header");
    let script = "
        test \"$(ls -A)\" = \"$(printf 'b.h\\nbug.c')\" && test -z \"$(ls -A $TMPDIR)\" || exit 1
        test \"$(cat b.h)\" = header && test -w b.h && test -w bug.c && test -s bug.c || exit 1
        case $(cat bug.c) in
            1) mkdir -p a/b/c; echo x > a/b/c/d; chmod 0 a/b a; ln -s / root; touch .hidden ;;
            2) rm bug.c; ln -s b.h bug.c; echo changed > b.h ;;
            3) ln bug.c second; chmod 0 bug.c . ;;
            4) rm -rf bug.c b.h; mkdir bug.c b.h ;;
            5) rm -rf \"$PWD\" \"$TMPDIR\" ;;
            6) touch $TMPDIR/left; mkdir $TMPDIR/folder; chmod 0 $TMPDIR ;;
            7) mkfifo fifo; rm bug.c; mkfifo bug.c ;;
            8) echo changed >> b.h; chmod 0 b.h ;;
            9) mv bug.c c.bug ;;
        esac
        exit 0";
    let bench = bench_with(|program| Check::Script { program }, script, vec![companion]);
    for candidate in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1", "11"] {
        assert_eq!(
            bench.ask(candidate.as_bytes(), None),
            Interesting,
            "before or in {candidate}"
        );
    }
}

#[test]
fn a_tree_of_any_depth_is_removed() {
    let script = "test $(ls -A | wc -l) = 1 || exit 1
        i=0; while test $i -lt 600; do mkdir 1234567890; cd 1234567890; i=$((i+1)); done";
    let bench = bench(script);
    bench.check(&[("a", Interesting), ("b", Interesting)]);
}

#[test]
fn a_check_that_hangs_is_killed_at_its_time_limit_with_its_children() {
    let bench =
        bench("trap '' TERM INT HUP; sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"; wait; wait");
    assert_eq!(bench.ask(b"x", Some(Duration::from_millis(500))), TimedOut);
    let pid = std::fs::read_to_string(bench.folder.path().join("pid")).unwrap();
    assert!(!is_running(pid.trim()));
}

#[test]
fn a_background_process_is_dead_when_the_check_has_ended() {
    let bench = bench("sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"");
    bench.check(&[("x", Interesting)]);
    let pid = std::fs::read_to_string(bench.folder.path().join("pid")).unwrap();
    assert!(!is_running(pid.trim()));
}

#[test]
fn a_daemon_in_its_own_session_is_dead_when_the_check_has_ended() {
    let script = "d=$(dirname \"$0\"); rm -f $d/pid; mkfifo pipe
        (setsid sh -c 'echo $$ > pipe; sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &) &
        read pid < pipe; echo $pid > $d/pid";
    let bench = bench(script);
    bench.check(&[("x", Interesting)]);
    let pid = std::fs::read_to_string(bench.folder.path().join("pid")).unwrap();
    assert!(!is_running(pid.trim()));
}

#[test]
fn a_daemon_that_hides_where_it_comes_from_is_dead_too() {
    let script = "d=$(dirname \"$0\"); rm -f $d/pid; mkfifo $d/pipe
        (cd /; env -i setsid sh -c \"echo \\$\\$ > $d/pipe; exec sleep 1000\" </dev/null >/dev/null 2>&1 &) &
        read pid < $d/pipe; echo $pid > $d/pid";
    let bench = bench(script);
    bench.check(&[("x", Interesting)]);
    let pid = std::fs::read_to_string(bench.folder.path().join("pid")).unwrap();
    assert!(!is_running(pid.trim()));
}

/// A zombie that waits for its parent, which is not us, has ended.
fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

#[test]
fn who_does_not_want_to_work_ends_at_the_time_limit_and_who_works_at_the_work_limit() {
    let ask = |script: &str, time, work| {
        let bench = bench(script);
        let query = Query {
            slot: 0,
            id: QueryId::fresh(),
            candidate: b"x",
            time_limit: Some(Duration::from_millis(time)),
            work_limit: Some(Duration::from_millis(work)),
            stop_at: None,
        };
        bench.oracle.test(&query, &mut || ()).unwrap().outcome
    };
    let (short, endless) = (200, 1_000_000);
    assert_eq!(ask("sleep 1000", short, endless), TimedOut);
    assert_eq!(ask("while :; do :; done", endless, short), TimedOut);
    assert_eq!(ask("while :; do :; done", short, short), TimedOut);
    // In a group of its own.
    let moved = "timeout 1000 sh -c 'while :; do :; done'";
    assert_eq!(ask(moved, endless, short), TimedOut);
    assert_eq!(ask("sleep 0.3", endless, short), Interesting);
}

#[test]
fn the_processor_time_of_a_run_is_that_of_all_its_processes() {
    let work_of = |script: &str| {
        let query = Query {
            slot: 0,
            id: QueryId::fresh(),
            candidate: b"x",
            time_limit: None,
            work_limit: None,
            stop_at: None,
        };
        let bench = bench(script);
        bench.oracle.test(&query, &mut || ()).unwrap().work
    };
    let busy = "timeout 1000 sh -c 'i=0; while test $i -lt 300000; do i=$((i+1)); done'";
    assert!(work_of(busy) > work_of("sleep 0.1; true"));
}

#[test]
fn a_cancelled_query_ends_and_does_not_start_later() {
    let bench = bench("sleep 1000");
    let (one, other) = (QueryId::fresh(), QueryId::fresh());
    let query = |id| Query {
        slot: 1,
        id,
        candidate: b"x",
        time_limit: None,
        work_limit: None,
        stop_at: None,
    };
    let cancelled = bench
        .oracle
        .test(&query(one), &mut || bench.oracle.cancel(1, one))
        .unwrap();
    assert_eq!(cancelled.outcome, Cancelled);
    bench.oracle.cancel(1, other);
    assert_eq!(
        bench
            .oracle
            .test(&query(other), &mut || ())
            .unwrap()
            .outcome,
        Cancelled
    );
}

#[test]
fn an_interrupt_lets_the_check_clean_up_and_nothing_start_after_it() {
    let bench = bench(
        "d=$(dirname \"$0\"); trap 'echo cleaned > $d/trap; exit 0' TERM; mkfifo p; echo > $d/up; read x < p",
    );
    let interrupt = bench.interrupt.clone();
    let up = bench.folder.path().join("up");
    let waiter = std::thread::spawn(move || {
        while !up.exists() {
            std::thread::yield_now();
        }
        interrupt.raise(15);
    });
    assert_eq!(bench.ask(b"x", None), Cancelled);
    waiter.join().unwrap();
    assert_eq!(
        std::fs::read(bench.folder.path().join("trap")).unwrap(),
        b"cleaned\n"
    );
    assert_eq!(bench.ask(b"x", None), Cancelled);
}

#[test]
fn output_without_end_neither_blocks_nor_fills_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::new();
    let conditions = Conditions {
        stdout: Some(regex::bytes::Regex::new("^y\ny\n").unwrap()),
        signal: Some(25),
        ..Conditions::default()
    };
    let check = Check::Command {
        words: vec!["yes".into()],
        conditions,
    };
    let limits = Limits {
        file_size: Some(1 << 20),
        ..Limits::default()
    };
    let options = ProcessOptions {
        limits,
        ..ProcessOptions::default()
    };
    let oracle = ProcessOracle::new(check, layout(Vec::new()), options, &interrupt).unwrap();
    let bench = Bench {
        folder,
        interrupt,
        oracle,
    };
    bench.check(&[("x", Interesting)]);
}

#[test]
fn an_examination_shows_what_was_printed() {
    let bench = bench("echo out; echo err >&2; kill -SEGV $$");
    let seen = bench.oracle.examine(b"x", None).unwrap();
    assert_eq!(
        (seen.code, &seen.stdout[..], &seen.stderr[..]),
        (139, &b"out\n"[..], &b"err\n"[..])
    );
    assert_eq!(seen.run.outcome, Uninteresting);
}

#[test]
fn a_folder_is_kept_for_inspection_and_all_others_go() {
    let bench = bench("mkdir a; chmod 0 a; false");
    bench.check(&[("x", Uninteresting)]);
    let run_folder = bench.oracle.run_folder().to_owned();
    let (kept, words) = bench.oracle.keep_for_inspection(b"x").unwrap();
    drop(bench);
    assert!(!run_folder.exists());
    assert_eq!(std::fs::read(kept.join("bug.c")).unwrap(), b"x");
    assert_eq!(words[1], kept.join("bug.c"));
    std::fs::remove_dir_all(kept).unwrap();
}

#[test]
fn a_program_that_does_not_exist_is_an_error_that_names_it() {
    let words = vec!["/no/such/program".into(), "@@".into()];
    let check = |_| Check::Command {
        words,
        conditions: Conditions::default(),
    };
    let bench = bench_with(check, "", Vec::new());
    let query = Query {
        slot: 0,
        id: QueryId::fresh(),
        candidate: b"",
        time_limit: None,
        work_limit: None,
        stop_at: None,
    };
    let error = bench.oracle.test(&query, &mut || ()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot start `/no/such/program`: "),
        "{error}"
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let error = OracleError::Temporary {
        folder: "/no/place".into(),
        source: std::io::Error::from_raw_os_error(2),
    };
    let said = error.to_string();
    assert!(
        said.starts_with("cannot make a folder in `/no/place`: "),
        "{said}"
    );
}
