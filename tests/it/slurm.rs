//! `--launcher slurm` and `slurm-jobs` with a real Slurm of four nodes on this machine, if there is one to start: nodes set down, the
//! controller killed and jobs requeued in the middle change neither the result nor the queries, and the queue is empty afterwards.
//!
//! `apt-get install slurmctld slurmd slurm-client munge`, and as root `cargo test --test it -- --ignored --nocapture slurm`. They take
//! some minutes, and one of them measures, so they are not part of the usual run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::harness::{PATIENCE, Run, TestEnv, have, signal};

/// What of a launcher runs on the machine that submits.
const HERE: &[&str] = &["srun ", "salloc ", "sleep infinity"];

struct Slurm {
    env: TestEnv,
    folder: PathBuf,
}

impl Slurm {
    /// `None`, with a word, where it cannot be started. Each test has ports of its own.
    fn start(port: u16) -> Option<Self> {
        if !["slurmctld", "slurmd", "srun", "salloc", "munged"]
            .into_iter()
            .all(have)
        {
            return None;
        }
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can start a Slurm");
            return None;
        }
        // Munge wants a folder that nobody else may write to, and its socket a short path.
        let folder = tempfile::Builder::new()
            .prefix("sl")
            .tempdir_in("/run")
            .unwrap()
            .keep();
        let env = TestEnv::new();
        let slurm = Self { env, folder };
        let started = slurm.script("start", &[&port.to_string()]);
        if !started {
            eprintln!("skipped: Slurm does not start here");
            return None;
        }
        slurm.env.write(
            "bug.c",
            (0..42)
                .map(|n| format!("line {n};\n"))
                .collect::<Vec<_>>()
                .concat(),
        );
        Some(slurm)
    }

    fn script(&self, what: &str, more: &[&str]) -> bool {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/slurm.sh");
        let mut command = Command::new("sh");
        command.arg(script).arg(what).arg(&self.folder).args(more);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().unwrap().success()
    }

    fn tool(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .env("SLURM_CONF", self.folder.join("slurm.conf"));
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.env.command(arguments);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn finish(&self, child: Child) -> (Run, u64) {
        let run = Run::finish(child).expect_code(0);
        let events = self.env.text("events.json");
        let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        let queries = last["queries"].as_u64().unwrap();
        (run, queries)
    }

    #[track_caller]
    fn assert_nothing_left(&self, pid: u32) {
        let started = Instant::now();
        loop {
            let jobs = self.tool(&["squeue", "--noheader", "--format=%i %j %T"]);
            if jobs.trim().is_empty() {
                break;
            }
            assert!(started.elapsed() < PATIENCE, "jobs: {jobs}");
            thread::park_timeout(Duration::from_millis(100));
        }
        self.env.assert_nothing_left(pid);
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.tool(&["scancel", "--user=root"]);
        self.script("stop", &[]);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["--strategy", "lines", "--json", "events.json"];
    arguments.extend(more);
    arguments.extend(["./check.sh", "bug.c"]);
    arguments
}

const CHECK: &str = "sleep 0.2; grep -q 'line 7;' \"$1\" && grep -q 'line 23;' \"$1\" && test $(($(wc -l < \"$1\") % 3)) != 1";

#[test]
#[ignore = "starts a Slurm: see the top of the file"]
fn slurm_gives_the_bytes_and_queries_of_one_job_here_while_nodes_are_lost() {
    let Some(slurm) = Slurm::start(17_910) else {
        return;
    };
    slurm.env.check("check.sh", CHECK);
    let (_, queries) = slurm.finish(slurm.spawn(&arguments(&["-j", "1"])));
    let result = slurm.env.read("bug.reduced.c");
    for launcher in ["slurm", "slurm-jobs"] {
        let child = slurm.spawn(&arguments(&["-j", "16", "--launcher", launcher]));
        thread::park_timeout(Duration::from_millis(1500));
        // A node goes down with all that runs on it, then the controller, then a job is sent back to the queue.
        slurm.tool(&[
            "scontrol",
            "update",
            "nodename=n1",
            "state=down",
            "reason=test",
        ]);
        thread::park_timeout(Duration::from_millis(500));
        slurm.script("restart", &[]);
        let jobs = slurm.tool(&["squeue", "--noheader", "--states=running", "--format=%i"]);
        for job in jobs.lines().take(2) {
            slurm.tool(&["scontrol", "requeue", job.trim()]);
        }
        slurm.tool(&["scontrol", "update", "nodename=n1", "state=resume"]);
        let (run, theirs) = slurm.finish(child);
        assert_eq!(slurm.env.read("bug.reduced.c"), result, "{launcher}");
        assert_eq!(theirs, queries, "{launcher}");
        eprintln!(
            "{launcher}: {theirs} queries; {}",
            run.stderr
                .lines()
                .find(|line| line.contains("without a verdict"))
                .unwrap_or("no job was lost")
        );
        slurm.assert_nothing_left(run.pid);
    }
}

#[test]
#[ignore = "starts a Slurm: see the top of the file"]
fn slurm_has_no_jobs_of_ours_after_each_way_to_end() {
    let Some(slurm) = Slurm::start(17_920) else {
        return;
    };
    let off = slurm.env.path("off");
    let check = "grep -q 'line 7;' \"$1\" || exit 1; test -e @OFF@ && exit 0; grep -q 'line 9;' \"$1\" && exit 0; sleep 100";
    let check = check.replace("@OFF@", &off.display().to_string());
    slurm.env.check("check.sh", &check);
    for launcher in ["slurm", "slurm-jobs"] {
        let spawn = |more: &[&str]| {
            let common = ["-q", "-j", "4", "--launcher", launcher];
            let child = slurm.spawn(&arguments(&[&common[..], more].concat()));
            thread::park_timeout(Duration::from_secs(3));
            child
        };
        for sent in [Signal::INT, Signal::TERM, Signal::KILL] {
            eprintln!("{launcher}: {sent:?}");
            let child = spawn(&[]);
            let pid = child.id();
            signal(&child, sent);
            Run::finish(child);
            slurm.assert_nothing_left(pid);
        }
        eprintln!("{launcher}: the time is over");
        let (run, _) = slurm.finish(spawn(&["--max-time", "3"]));
        slurm.assert_nothing_left(run.pid);
        eprintln!("{launcher}: the machine crashes");
        slurm.env.crash(spawn(&["--state", "state"]), HERE);
        slurm.env.write("off", "");
        let (run, _) = slurm.finish(spawn(&["--state", "state"]));
        slurm.assert_nothing_left(run.pid);
        fs::remove_file(&off).unwrap();
        fs::remove_dir_all(slurm.env.path("state")).unwrap();
    }
}

/// What a query costs under Slurm: the time of the same reduction with eight jobs here and there.
#[test]
#[ignore = "starts a Slurm and takes a minute: see the top of the file"]
fn slurm_with_eight_slots_is_nearly_as_fast_as_eight_jobs_here() {
    let Some(slurm) = Slurm::start(17_930) else {
        return;
    };
    slurm
        .env
        .check("check.sh", &CHECK.replace("sleep 0.2", "sleep 2"));
    let seconds = |more: &[&str]| {
        let started = Instant::now();
        let (run, queries) = slurm.finish(slurm.spawn(&arguments(more)));
        slurm.assert_nothing_left(run.pid);
        (started.elapsed().as_secs_f64(), queries)
    };
    let (here, queries) = seconds(&["-j", "8"]);
    for (launcher, least) in [("slurm", 0.8), ("slurm-jobs", 0.0)] {
        let (there, theirs) = seconds(&["-j", "8", "--launcher", launcher]);
        let speed = here / there;
        eprintln!(
            "{launcher}: {there:.1} s, {here:.1} s here: {speed:.2} of the speed, {queries} queries"
        );
        assert_eq!(theirs, queries);
        assert!(speed >= least, "{launcher}: {speed}");
    }
}
