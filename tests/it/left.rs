//! What a check leaves and paredown cannot remove: the run ends as usual and says what to do.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Run, TestEnv, have};

const ORIGINAL: &str = "one\nbug\ntwo\nthree\n";
const NOBODY: u32 = 65534;

/// An environment with a check that does this and then looks for the bug.
fn env(misbehaviour: &str) -> TestEnv {
    let env = TestEnv::new();
    let body = format!("grep -q bug \"$1\"; found=$?\n{misbehaviour}\nexit $found");
    env.check("check.sh", &body);
    env.write("bug.c", ORIGINAL);
    env
}

/// The binary, started by a command such as `unshare` that becomes it.
fn run_by(env: &TestEnv, words: &[&str], jobs: &str) -> Run {
    let args = ["--strategy", "lines", "-j", jobs, "./check.sh", "bug.c"];
    let binary = env.command(&args);
    let mut command = match words {
        [program, ..] => env.command_of(program),
        [] => env.command(&args),
    };
    if let [_, rest @ ..] = words {
        command.args(rest).arg(binary.get_program());
        command.args(binary.get_args());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Run::finish(command.spawn().unwrap())
}

/// Asserts that the run ended with its result and a warning, and returns the folder that it left.
#[track_caller]
fn check_left(env: &TestEnv, run: &Run, path: &str, command: &str) -> PathBuf {
    assert_eq!(run.code, 0, "it said:\n{}", run.stderr);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    assert_eq!(env.text("bug.c"), ORIGINAL);
    let warning = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("warning: the check left "));
    let warning = warning.unwrap_or_else(|| panic!("no warning:\n{}", run.stderr));
    assert!(warning.contains(path), "{warning}");
    assert!(warning.contains(command), "{warning}");
    assert!(env.processes().is_empty());
    let folder = warning.rsplit(' ').next().unwrap();
    PathBuf::from(folder.trim_end_matches(')'))
}

/// In a name space of its own, so that the mounts go when the run ends.
const WITH_MOUNTS: [&str; 3] = ["unshare", "-rm", "--"];

fn may_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
        .stderr(Stdio::null())
        .status();
    let may = tried.is_ok_and(|status| status.success());
    if !may {
        eprintln!("skipped: nothing can be mounted here");
    }
    may
}

#[test]
fn a_mount_is_left_and_named() {
    if !may_mount() {
        return;
    }
    for jobs in ["1", "3"] {
        let env = env("mkdir mnt && mount -t tmpfs none mnt");
        let run = run_by(&env, &WITH_MOUNTS, jobs);
        let folder = check_left(&env, &run, "mnt", "mount");
        fs::remove_dir_all(folder).unwrap();
        env.assert_nothing_left(run.pid);
    }
}

/// Neither removed nor given other permissions nor written over.
#[test]
fn what_is_mounted_in_the_place_of_ours_is_left_alone() {
    if !may_mount() {
        return;
    }
    for place in ["mnt", ".", "\"$TMPDIR\"", "\"${TMPDIR%/tmp}\"", "\"$1\""] {
        let env = TestEnv::new();
        let precious = env.write("precious/folder/file", "precious");
        let folder = precious.parent().unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let what = if place == "\"$1\"" {
            &*precious
        } else {
            folder
        };
        let body = format!(
            "grep -q bug \"$1\"; found=$?; mkdir mnt
            mount --bind {} {place}\nexit $found",
            what.display()
        );
        env.check("check.sh", &body);
        env.write("bug.c", ORIGINAL);
        let run = run_by(&env, &WITH_MOUNTS, "1");
        let left = check_left(&env, &run, "", "umount ");
        assert_eq!(env.text("precious/folder/file"), "precious", "{place}");
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{place}");
        fs::remove_dir_all(left).unwrap();
        env.assert_nothing_left(run.pid);
    }
}

fn may_make_immutable(folder: &Path) -> bool {
    // A name of its own: there may be other tests beside this one.
    let Ok(file) = tempfile::NamedTempFile::new_in(folder) else {
        return false;
    };
    let chattr = |flag| {
        let mut command = Command::new("chattr");
        let tried = command
            .arg(flag)
            .arg(file.path())
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success())
    };
    let may = chattr("+i") && chattr("-i");
    if !may {
        eprintln!("skipped: nothing can be made immutable here");
    }
    may
}

#[test]
fn an_immutable_file_is_left_and_named() {
    if !["/dev/shm", "/tmp"]
        .iter()
        .all(|folder| may_make_immutable(Path::new(folder)))
    {
        return;
    }
    for what in ["fixed", "\"$1\"", ".", "\"$TMPDIR\""] {
        let env = env(&format!(": > fixed; chattr +i {what}"));
        let run = run_by(&env, &[], "2");
        let folder = check_left(&env, &run, "", "chattr -R -ia ");
        let freed = Command::new("chattr")
            .args(["-R", "-i"])
            .arg(&folder)
            .status();
        assert!(freed.unwrap().success());
        fs::remove_dir_all(folder).unwrap();
        env.assert_nothing_left(run.pid);
    }
}

/// The binary, run by a user who is not the test's own.
fn run_by_nobody(env: &TestEnv, jobs: &str) -> Run {
    let root = env.path("..");
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
    for folder in ["", "../tmp", "../home"] {
        chown(env.path(folder), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let id = NOBODY.to_string();
    let words = ["setpriv", "--reuid", &id, "--regid", &id, "--clear-groups"];
    run_by(env, &words, jobs)
}

fn may_be_nobody() -> bool {
    rustix::process::geteuid().is_root() && have("setpriv")
}

/// As `docker` or `sudo` in a check may make one: the test itself is the other user.
#[test]
fn a_folder_of_another_user_is_left_and_named() {
    if !may_be_nobody() {
        return;
    }
    let env = TestEnv::new();
    let (asked, made) = (env.path("asked"), env.path("made"));
    let body = format!(
        "grep -q bug \"$1\"; found=$?
        pwd > {0}.new; mv {0}.new {0}; until test -e {1}; do sleep 0.01; done; rm {1}\nexit $found",
        asked.display(),
        made.display()
    );
    env.check("check.sh", &body);
    env.write("bug.c", ORIGINAL);
    let done = std::sync::atomic::AtomicBool::new(false);
    let run = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                if let Ok(folder) = fs::read_to_string(&asked) {
                    fs::remove_file(&asked).unwrap();
                    let folder = Path::new(folder.trim()).join("foreign");
                    fs::create_dir(&folder).unwrap();
                    fs::write(folder.join("file"), "").unwrap();
                    fs::write(&made, "").unwrap();
                }
                std::thread::yield_now();
            }
        });
        let run = run_by_nobody(&env, "1");
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        run
    });
    let folder = check_left(&env, &run, "foreign", "rm -r ");
    fs::remove_dir_all(folder).unwrap();
    env.assert_nothing_left(run.pid);
}

/// As `sudo` in a check may start one. Nobody may kill it but the test.
#[test]
fn a_daemon_of_another_user_is_not_waited_for() {
    if !may_be_nobody() || !have("cc") {
        return;
    }
    let source = "#include <unistd.h>\nint main(void) { setuid(0); setsid(); sleep(1000); }";
    let env = env("");
    let (code, helper) = (env.write("helper.c", source), env.path("helper"));
    let mut compiler = env.command_of("cc");
    compiler.arg("-o").arg(&helper).arg(code);
    assert!(compiler.status().unwrap().success());
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o4755)).unwrap();
    let body = format!(
        "grep -q bug \"$1\"; found=$?; {} & exit $found",
        helper.display()
    );
    env.check("check.sh", &body);
    let run = run_by_nobody(&env, "2").expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    for process in env.processes() {
        let pid = process.trim_start_matches("/proc/").split(':').next();
        let pid = rustix::process::Pid::from_raw(pid.unwrap().parse().unwrap());
        let _ = rustix::process::kill_process(pid.unwrap(), rustix::process::Signal::KILL);
    }
    env.assert_nothing_left(run.pid);
}
