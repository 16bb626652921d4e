//! A folder, a HOME, a TMPDIR and an environment for each test, so that tests neither see each other nor the user's machine,
//! and so that what a run leaves behind can be found.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long to wait for something that must happen; only a failing test ever waits this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// A test's own world. The folder goes when this is dropped.
pub(crate) struct TestEnv {
    root: tempfile::TempDir,
    mark: String,
    /// What stood in memory before, whose runs may have had the numbers that ours get.
    of_others: Vec<String>,
}

/// What a finished run of the binary said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) pid: u32,
}

impl TestEnv {
    pub(crate) fn new() -> Self {
        let root = tempfile::Builder::new().prefix("it-").tempdir().unwrap();
        for folder in ["home", "tmp", "work"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let mark = root
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let of_others = entries(Path::new("/dev/shm"));
        Self {
            root,
            mark,
            of_others,
        }
    }

    /// A path in the folder that the binary runs in.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("work").join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// An executable of this text.
    pub(crate) fn executable(&self, name: &str, text: &str) -> PathBuf {
        // A write descriptor that a fork of another test holds makes `execve` fail with "text file busy", so the file is
        // written by another process.
        let path = self.path(name);
        let mut child = Command::new("sh")
            .args(["-c", r#"cat > "$0" && chmod 755 "$0""#])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        assert!(child.wait().unwrap().success());
        path
    }

    /// A `/bin/sh` check with this body; `$1` is the candidate.
    pub(crate) fn check(&self, name: &str, body: &str) -> PathBuf {
        self.executable(name, &format!("#!/bin/sh\n{body}\n"))
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The binary with these arguments, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.command_of(env!("CARGO_BIN_EXE_paredown"));
        command.args(args);
        command
    }

    /// Any program in this environment, not yet started.
    pub(crate) fn command_of(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path(""))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.path().join("home"))
            .env("TMPDIR", self.root.path().join("tmp"))
            .env("COLUMNS", "100")
            .env("LC_ALL", "C")
            .env("IT_MARK", &self.mark)
            .stdin(Stdio::null());
        // Where a program that counts the lines it runs (tests/coverage.py) writes: without it that is the folder it runs in.
        if let Some(counts) = std::env::var_os("LLVM_PROFILE_FILE") {
            command.env("LLVM_PROFILE_FILE", counts);
        }
        command
    }

    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::finish(self.spawn(args))
    }

    /// The run's text with everything replaced that differs from machine to machine and from run to run.
    pub(crate) fn filtered(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let root = self.root.path();
        let real = fs::canonicalize(root).unwrap();
        for root in [real.as_path(), root] {
            text = text.replace(&*root.join("work").to_string_lossy(), "[WORK]");
            text = text.replace(&*root.join("tmp").to_string_lossy(), "[TMP]");
        }
        text
    }

    /// Asserts that a run left neither a process nor an entry in the temp folders. `pid` is the run's own.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self, pid: u32) {
        let deadline = Instant::now() + PATIENCE;
        let mut left = self.left(pid);
        while !left.is_empty() && Instant::now() < deadline {
            std::thread::park_timeout(Duration::from_millis(1));
            left = self.left(pid);
        }
        assert!(left.is_empty(), "left behind: {left:#?}");
    }

    pub(crate) fn left(&self, pid: u32) -> Vec<String> {
        let mut left = self.processes();
        left.extend(entries(&self.root.path().join("tmp")));
        let mine = format!("paredown-{pid}-");
        let in_memory = entries(Path::new("/dev/shm")).into_iter();
        left.extend(
            in_memory.filter(|path| path.contains(&mine) && !self.of_others.contains(path)),
        );
        left
    }

    /// Ends a run as when its machine goes down: the guard has no time either, nor have the programs with one of these `words` in
    /// their command line.
    pub(crate) fn crash(&self, child: Child, words: &[&str]) {
        let kill = |pid: &str, signal| {
            let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
            let _ = kill_process(pid, signal);
        };
        let pid = child.id().to_string();
        kill(&pid, Signal::STOP);
        for process in self.processes() {
            let is_here = ["__guard"]
                .iter()
                .chain(words)
                .any(|word| process.contains(word));
            let number = process.trim_start_matches("/proc/").split(':').next();
            if is_here {
                kill(number.unwrap(), Signal::KILL);
            }
        }
        kill(&pid, Signal::KILL);
        Run::finish(child);
    }

    /// The command lines of the processes that were started from this environment.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("IT_MARK={}", self.mark).into_bytes();
        let carries = |folder: &str| {
            let environ = fs::read(Path::new(folder).join("environ")).unwrap_or_default();
            environ.split(|&byte| byte == 0).any(|entry| entry == mark)
        };
        let is_number =
            |folder: &String| folder.trim_start_matches("/proc/").parse::<u32>().is_ok();
        let folders = entries(Path::new("/proc")).into_iter().filter(is_number);
        folders
            .filter(|folder| carries(folder))
            .map(|folder| {
                let line = fs::read(Path::new(&folder).join("cmdline")).unwrap_or_default();
                format!(
                    "{folder}: {}",
                    String::from_utf8_lossy(&line).replace('\0', " ")
                )
            })
            .collect()
    }
}

impl Drop for TestEnv {
    /// A failing test may leave folders without permissions, which would otherwise stay for ever.
    fn drop(&mut self) {
        make_removable(self.root.path());
    }
}

fn make_removable(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_removable(&entry.path());
        }
    }
}

impl Run {
    /// Waits for the end of a run.
    pub(crate) fn finish(child: Child) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let pid = child.id();
        let output = child.wait_with_output().unwrap();
        let signal = output.status.signal().map(|signal| -signal);
        Self {
            code: output.status.code().or(signal).unwrap(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            pid,
        }
    }

    /// Asserts the exit code, showing what the run said when it is another.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "it said:\n{}", self.stderr);
        self
    }

    pub(crate) fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path().to_string_lossy().into_owned())
        .collect()
}

/// Waits for something that must happen.
#[track_caller]
pub(crate) fn wait_for(what: &str, mut has_come: impl FnMut() -> bool) {
    let start = Instant::now();
    while !has_come() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        // Waiting must not take the processor from what is waited for.
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// Says past the capture of a passing test's output that it was left out, so that it is seen.
pub(crate) fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Sends a signal to a child, which has not been waited for.
#[track_caller]
pub(crate) fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// Whether a program can be started; a test that needs a missing one says so and passes.
pub(crate) fn have(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", r#"command -v "$0" > /dev/null"#, program])
        .status()
        .unwrap()
        .success();
    if !found {
        skipped(&format!("there is no {program} on this machine"));
    }
    found
}
