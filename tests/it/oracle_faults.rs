//! Whatever the check does: the right answer, no process and no file left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{Run, TestEnv, have, wait_for};

const ORIGINAL: &str = "one\nbug\ntwo\nthree\n";

/// Reduces by lines with a check that first does this to the world and then looks for the bug.
#[track_caller]
fn check_harmless(misbehaviour: &str) {
    check_harmless_with(misbehaviour, &[]);
}

#[track_caller]
fn check_harmless_with(misbehaviour: &str, options: &[&str]) {
    for jobs in ["1", "3"] {
        let env = TestEnv::new();
        env.check(
            "check.sh",
            &format!("grep -q bug \"$1\"; found=$?\n{misbehaviour}\nexit $found"),
        );
        env.write("bug.c", ORIGINAL);
        let args = ["--strategy", "lines", "-j", jobs, "./check.sh", "bug.c"];
        let run = env.run(&[options, &args].concat()).expect_code(0);
        assert_eq!(env.text("bug.reduced.c"), "bug\n");
        assert_eq!(env.text("bug.c"), ORIGINAL);
        env.assert_nothing_left(run.pid);
    }
}

#[test]
fn gigabytes_of_output_do_no_harm() {
    // Some queries are enough: it would block, or reach the limit of a file's size, in any of them.
    check_harmless(
        "grep -q three \"$1\" && head -c 1200000000 /dev/zero && head -c 10000000 /dev/zero >&2",
    );
}

#[test]
fn gigabytes_of_output_that_must_be_searched_do_no_harm() {
    let env = TestEnv::new();
    env.write("bug.c", ORIGINAL);
    let loud = "cat @@; head -c 2000000000 /dev/zero";
    let args = [
        "--strategy",
        "lines",
        "--file-limit",
        "16",
        "--stdout",
        "bug",
        "bug.c",
        "--",
    ];
    let run = env
        .run(&[&args[..], &["sh", "-c", loud]].concat())
        .expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    env.assert_nothing_left(run.pid);
}

#[test]
fn a_background_process_in_each_query_does_no_harm() {
    check_harmless("sleep 1000 &");
}

#[test]
fn daemons_in_sessions_of_their_own_do_no_harm() {
    check_harmless("(setsid sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &) &");
}

#[test]
fn a_process_that_ignores_all_signals_does_no_harm() {
    let ignore = "trap '' HUP INT TERM QUIT; sleep 1000 &";
    check_harmless(ignore);
}

#[test]
fn changing_the_input_does_no_harm() {
    check_harmless("echo bug bug bug > \"$1\"");
    check_harmless("echo more >> bug.c; mv bug.c other.c; ln -s other.c bug.c");
}

#[test]
fn deleting_the_input_and_the_folder_does_no_harm() {
    check_harmless("rm -f \"$1\"");
    check_harmless("rm -rf \"$PWD\" \"$TMPDIR\"");
}

/// The check's folders are emptied after each run, and what a link points to must not be.
#[test]
fn links_in_the_place_of_the_folders_are_not_followed() {
    for place in ["$PWD", "$TMPDIR", "${TMPDIR%/tmp}"] {
        let env = TestEnv::new();
        let names = ["", "work/", "tmp/"].map(|folder| format!("precious/{folder}file"));
        for name in &names {
            env.write(name, "precious");
        }
        let precious = env.path("precious");
        env.check(
            "check.sh",
            &format!(
                "grep -q bug \"$1\"; found=$?; place={place}; cd /
                rm -rf \"$place\"; ln -s {} \"$place\"; exit $found",
                precious.display()
            ),
        );
        env.write("bug.c", ORIGINAL);
        let args = ["--strategy", "lines", "-j", "1", "./check.sh", "bug.c"];
        let run = env.run(&args).expect_code(0);
        assert_eq!(env.text("bug.reduced.c"), "bug\n");
        for name in &names {
            assert_eq!(env.text(name), "precious", "{place}");
        }
        assert_eq!(
            fs::read_dir(&precious).unwrap().count(),
            names.len(),
            "{place}"
        );
        env.assert_nothing_left(run.pid);
    }
}

#[test]
fn going_up_from_the_folders_does_no_harm() {
    check_harmless("rm -rf \"${TMPDIR%/tmp}\"");
    check_harmless("chmod 0 \"${TMPDIR%/tmp}\"");
    check_harmless("mkdir -p \"${TMPDIR%/tmp}/other/$$\" && chmod 0 \"${TMPDIR%/tmp}/other\"");
    check_harmless("test ! -e \"$TMPDIR/../left\" || found=1; : > \"$TMPDIR/../left\"");
}

#[test]
fn putting_the_times_back_hides_nothing() {
    check_harmless("test ! -e left || found=1; : > left; touch -d @1.271828182 .");
}

#[test]
fn filling_the_folders_does_no_harm() {
    check_harmless(
        "i=0; while test $i -lt 300; do : > file$i; : > \"$TMPDIR/file$i\"; i=$((i+1)); done
        mkdir -p a/b/c; : > a/b/c/d; chmod 0 a/b a; mkdir \"$TMPDIR/x\"; chmod 0 \"$TMPDIR/x\" \"$TMPDIR\"",
    );
}

#[test]
fn closing_the_descriptors_does_no_harm() {
    check_harmless("exec <&- >&- 2>&-");
}

#[test]
fn taking_away_permissions_does_no_harm() {
    check_harmless("chmod 0 \"$1\" \"$PWD\"");
    check_harmless("umask 0777; mkdir \"$PWD/locked\" 2>/dev/null");
}

/// It is a file of the user's, and nothing that we give back.
#[test]
fn a_check_that_takes_its_own_permissions_away_is_named() {
    let env = TestEnv::new();
    let check = env.check("check.sh", "chmod -x \"$0\"; grep -q bug \"$1\"");
    env.write("bug.c", ORIGINAL);
    let run = env.run(&["./check.sh", "bug.c"]).expect_code(1);
    assert!(
        run.stderr.contains("check.sh`: permission denied"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::metadata(check).unwrap().permissions().mode() & 0o111, 0);
    env.assert_nothing_left(run.pid);
}

#[test]
fn a_forest_of_processes_does_no_harm() {
    check_harmless(
        "for i in 1 2 3 4 5 6 7 8; do (for j in 1 2 3 4; do sleep 1000 & done; setsid sleep 1000 &) & done",
    );
}

#[test]
fn a_query_that_never_ends_does_no_harm() {
    let hang = "test $found = 0 || { trap '' TERM; sleep 1000 & wait; sleep 1000; }";
    check_harmless_with(hang, &["--timeout", "2"]);
}

/// Its leader cannot be reached by a signal to the group that it has left.
#[test]
fn a_query_that_has_left_its_group_and_never_ends_does_no_harm() {
    if have("perl") {
        let hang = "test $found = 0 || perl -e '
            if (!($child = fork)) { setpgrp(0, 0); sleep 1000 }
            until (getpgrp($child) == $child) { select(undef, undef, undef, 0.001) }
            setpgrp(0, $child); sleep 1000'";
        check_harmless_with(hang, &["--timeout", "2"]);
    }
}

/// It has nothing any more by which its origin shows: when its parent ends it becomes paredown's child.
const STRANGER: &str = "(cd / && env -i IT_MARK=\"$IT_MARK\" setsid sh -c 'sleep 1000; :' \"stranger-of-$IT_MARK\" \
     </dev/null >/dev/null 2>&1 &)";

/// With three jobs each of them may have one beside it until the queries of the same time have ended.
#[test]
fn strangers_do_not_gather_while_other_queries_run() {
    let env = TestEnv::new();
    let count = "grep -slz \"stranger-of-$IT_MARK\" /proc/[0-9]*/cmdline | wc -l";
    let most = env.path("most");
    env.check(
        "check.sh",
        &format!(
            "{STRANGER}\nsleep 0.02; test $({count}) -le 15 || : > {}\ngrep -q bug \"$1\"",
            most.display()
        ),
    );
    env.write("bug.c", format!("{}bug\n", "a\n".repeat(40)));
    let args = [
        "--strategy",
        "lines",
        "--minimizer",
        "ddmin",
        "-j3",
        "./check.sh",
        "bug.c",
    ];
    let run = env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    assert!(!most.exists(), "there were more");
    env.assert_nothing_left(run.pid);
}

/// A shell that becomes paredown hands its children over, and with them what they leave behind.
#[test]
fn what_a_process_from_before_leaves_behind_lives_on() {
    let env = TestEnv::new();
    env.check(
        "check.sh",
        &format!(
            ": > {up}; until test -s {orphan}; do :; done; orphan=$(cat {orphan})
            until ! test -e /proc/$orphan || grep -qx \"PPid:[[:space:]]*$PPID\" /proc/$orphan/status; do :; done
            grep -q bug \"$1\"",
            up = env.path("up").display(),
            orphan = env.path("orphan").display()
        ),
    );
    env.write("bug.c", ORIGINAL);
    let binary = env.command(&["--strategy", "lines", "-j1", "./check.sh", "bug.c"]);
    let mut command = env.command_of("sh");
    let script = "(until test -e up; do :; done; setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! > new
            mv new orphan) & exec \"$0\" \"$@\"";
    command.args(["-c", script]);
    command.arg(binary.get_program()).args(binary.get_args());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = Run::finish(command.spawn().unwrap()).expect_code(0);
    let orphan = Pid::from_raw(env.text("orphan").trim().parse().unwrap()).unwrap();
    kill_process(orphan, Signal::KILL).unwrap();
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    env.assert_nothing_left(run.pid);
}

#[test]
fn killing_paredown_leaves_nothing_and_a_result_that_is_interesting() {
    for jobs in ["1", "3"] {
        let env = TestEnv::new();
        // After the first successes it hangs with a background process and a daemon, and says so.
        let up = env.path("up");
        let body = format!(
            "grep -q bug \"$1\" || exit 1
            test $(wc -l < \"$1\") -ge 3 && exit 0
            sleep 1000 & (setsid sleep 1000 &) & (cd / && setsid nohup sleep 1000 &)
            sleep 0.1; : > {}; sleep 1000",
            up.display()
        );
        env.check("check.sh", &body);
        env.write("bug.c", ORIGINAL);
        let args = ["--strategy", "lines", "-j", jobs, "./check.sh", "bug.c"];
        let mut child = env
            .command(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for("the first run of the check", || up.exists());
        child.kill().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        env.assert_nothing_left(pid);
        let best = fs::read_to_string(env.path("bug.reduced.c")).unwrap_or(ORIGINAL.to_owned());
        assert!(best.contains("bug"), "{best}");
        let leftover = fs::read_dir(env.path(""))
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name());
        let hidden = leftover
            .filter(|name| name.to_string_lossy().starts_with('.'))
            .count();
        assert_eq!(hidden, 0);
    }
}

#[test]
fn a_memory_limit_ends_the_greedy_check_only() {
    let env = TestEnv::new();
    let greedy = "grep -q bug \"$1\" || exit 1; test \"$(head -c 300000000 /dev/zero | tail -c 300000000 | wc -c)\" != 300000000";
    env.check("check.sh", greedy);
    env.write("bug.c", ORIGINAL);
    let args = [
        "--memory-limit",
        "100",
        "--strategy",
        "lines",
        "./check.sh",
        "bug.c",
    ];
    let run: Run = env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    env.assert_nothing_left(run.pid);
}
