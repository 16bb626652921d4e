//! `--launcher` with a scheduler of a few lines: jobs that wait, are lost, refused, killed and run twice change neither the result
//! nor the queries, and nothing of them is left in whatever way a run ends.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use rustix::process::Signal;

use crate::harness::{Run, TestEnv, have, signal, wait_for};

/// `submit NAME COMMAND…` waits for the end of a job, `cancel NAME` takes it away. With a file `chaos` in the queue, much goes wrong.
const SCHEDULER: &str = r#"#!/bin/sh
queue=@QUEUE@ what=$1 name=$2
job=$queue/$name
if [ "$what" = cancel ]; then
  # Where the node does not look: it would begin what is on its way out.
  gone=$queue/.gone-$name
  mv "$job" "$gone" 2>&- || exit 0
  kill -s KILL -- "-$(cat "$gone/pid")" 2> /dev/null
  rm -rf "$gone"
  exit
fi
shift 2
echo "$name" >> "$queue/log"
count=$(wc -l < "$queue/log")
[ -e "$queue/chaos" ] || count=0
case $((count % 8)) in
  1) echo 'queue is full' >&2; exit 1 ;;
  2) exit 3 ;;
esac
mkdir "$job"
echo "$@" > "$job/new" && mv "$job/new" "$job/command"
while [ -d "$job" ] && [ ! -e "$job/code" ]; do
  case $((count % 8)) in
    3) [ -e "$job/pid" ] && kill -s KILL -- "-$(cat "$job/pid")" && rm -r "$job" && exit 137 ;;
    4) [ -e "$job/pid" ] && echo 'controller restarts' >&2 && exit 1 ;;
  esac
  sleep 0.01
done
code=$(cat "$job/code" 2>&- || echo 143)
rm -rf "$job"
[ $((count % 8)) = 5 ] && exit 5
exit "$code"
"#;

/// The node: runs what is in the queue, as children of nobody that paredown knows.
const NODE: &str = r#"
while [ -e "$QUEUE/on" ]; do
  for command in "$QUEUE"/*/command; do
    [ -e "$command" ] || continue
    mv "$command" "${command%command}running" 2>&- || continue
    IT_MARK=$MARK setsid sh -c 'echo $$ > "$0/pid"; . "$0/running"; echo $? > "$0/code"; sleep 1; rm -rf "$0"' "${command%/command}" 2> /dev/null &
  done
  sleep 0.01
done"#;

const ORIGINAL: &str = "one\nbug\ntwo\nthree\nfour\nfive\nsix\nseven\nworm\n";

/// A cluster of one node.
struct Cluster {
    env: TestEnv,
    queue: PathBuf,
    node: Child,
}

impl Cluster {
    /// `None`: something that it is made of is missing.
    fn new() -> Option<Self> {
        if !have("setsid") {
            return None;
        }
        let env = TestEnv::new();
        let queue = env.path("queue");
        fs::create_dir(&queue).unwrap();
        fs::write(queue.join("on"), "").unwrap();
        env.executable(
            "sched.sh",
            &SCHEDULER.replace("@QUEUE@", &queue.display().to_string()),
        );
        let mark = env
            .command_of("sh")
            .get_envs()
            .find(|(name, _)| *name == "IT_MARK")
            .unwrap()
            .1
            .unwrap()
            .to_owned();
        let mut node = env.command_of("sh");
        node.args(["-c", NODE])
            .env_remove("IT_MARK")
            .env("MARK", mark)
            .env("QUEUE", &queue);
        let node = node
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let launcher = format!(
            "run = '{0} submit {{name}}'\ncancel = '{0} cancel {{name}}'\n",
            env.path("sched.sh").display()
        );
        env.write("cluster.toml", launcher);
        env.write("bug.c", ORIGINAL);
        Some(Self { env, queue, node })
    }

    fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
        let mut arguments = vec![
            "--strategy",
            "lines",
            "--launcher",
            "cluster.toml",
            "-j",
            "4",
            "--json",
            "events.json",
        ];
        arguments.extend(more);
        arguments.extend(["./check.sh", "bug.c"]);
        arguments
    }

    /// Jobs that are in the queue.
    fn jobs(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.queue).unwrap().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[track_caller]
    fn assert_nothing_left(&self, pid: u32) {
        wait_for("the end of all jobs", || self.jobs().is_empty());
        self.env.assert_nothing_left(pid);
    }

    fn queries(&self) -> u64 {
        let events = self.env.text("events.json");
        let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        last["queries"].as_u64().unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.queue.join("on"));
        let _ = self.node.wait();
    }
}

#[test]
fn jobs_that_are_lost_change_neither_the_result_nor_the_queries() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    cluster.env.check(
        "check.sh",
        "grep -q bug \"$1\" && grep -q worm \"$1\" && test \"$(wc -l < \"$1\")\" != 5",
    );
    let local = [
        "--strategy",
        "lines",
        "-j",
        "1",
        "--json",
        "events.json",
        "./check.sh",
        "bug.c",
    ];
    cluster.env.run(&local).expect_code(0);
    let (result, queries) = (cluster.env.read("bug.reduced.c"), cluster.queries());
    fs::write(cluster.queue.join("chaos"), "").unwrap();
    let run = cluster.env.run(&Cluster::arguments(&[])).expect_code(0);
    assert_eq!(cluster.env.read("bug.reduced.c"), result);
    assert_eq!(cluster.queries(), queries);
    assert!(
        run.stderr.contains(
            "jobs ended without a verdict and were run again; the launcher said of the last: "
        ),
        "{}",
        run.stderr
    );
    cluster.assert_nothing_left(run.pid);
}

/// What the check prints, its time limit and its folders are the same as on this machine.
#[test]
fn a_launched_check_is_judged_as_one_here() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let env = &cluster.env;
    let script = "#!/bin/sh\ngrep -q bug \"$1\" || exit 1\npwd -P > \"$TMPDIR/here\"\ntest \"$(cat \"$TMPDIR/here\")/bug.c\" = \"$1\" || exit 2\ngrep -q three \"$1\" || sleep 100\necho OOPS >&2; exit 7\n";
    env.executable("tool.sh", script);
    let arguments = [
        "--strategy",
        "lines",
        "--launcher",
        "cluster.toml",
        "-j",
        "2",
        "--timeout",
        "6",
        "bug.c",
        "--stderr",
        "OO+PS",
        "--exit-code",
        "7",
        "--",
        "./tool.sh",
        "@@",
    ];
    let run = env.run(&arguments).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\nthree\n");
    cluster.assert_nothing_left(run.pid);
}

#[test]
fn nothing_is_left_in_the_queue_in_whatever_way_a_run_ends() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    cluster.env.check(
        "check.sh",
        "grep -q bug \"$1\" || exit 1; grep -q seven \"$1\" && exit 0; sleep 100",
    );
    for sent in [Signal::INT, Signal::TERM, Signal::KILL] {
        let child = cluster.env.spawn(&Cluster::arguments(&["-q"]));
        // The first runs end at once; then the jobs stay.
        wait_for("a second job", || cluster.jobs().len() >= 2);
        let pid = child.id();
        signal(&child, sent);
        Run::finish(child);
        cluster.assert_nothing_left(pid);
    }
    let run = cluster
        .env
        .run(&Cluster::arguments(&["--max-time", "2"]))
        .expect_code(0);
    cluster.assert_nothing_left(run.pid);
}

#[test]
fn what_a_crashed_machine_has_left_in_the_queue_is_taken_away_with_its_state() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    // There is no success before the crash, since one would cancel jobs that have begun: what sleeps once stays in the queue.
    let slow = "grep -q bug \"$1\" || exit 1; test -e @OFF@ && exit 0; test \"$(wc -l < \"$1\")\" = 9 && exit 0; sleep 1000";
    let off = cluster.env.path("off");
    cluster.env.check(
        "check.sh",
        &slow.replace("@OFF@", &off.display().to_string()),
    );
    let arguments = Cluster::arguments(&["--timeout", "500", "--state", "state"]);
    let child = cluster.env.spawn(&arguments);
    let stays = |process: &String| process.contains("sleep 1000");
    wait_for("a job that stays", || {
        cluster.env.processes().iter().any(stays)
    });
    cluster.env.crash(child, &["sched.sh submit"]);
    assert!(!cluster.jobs().is_empty());
    fs::write(off, "").unwrap();
    let run = cluster.env.run(&arguments).expect_code(0);
    assert_eq!(cluster.env.text("bug.reduced.c"), "bug\n");
    cluster.assert_nothing_left(run.pid);
}

#[test]
fn without_a_place_to_write_down_how_jobs_are_undone_none_is_begun() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    cluster.env.check("check.sh", "grep -q bug \"$1\"");
    let arguments = Cluster::arguments(&["-q", "--state", "state"]);
    cluster.env.run(&arguments).expect_code(0);
    cluster.env.write("state/jobs", "no folder");
    let run = cluster.env.run(&arguments).expect_code(1);
    let words = "cannot write down what undoes the launcher's jobs: ";
    assert!(run.stderr.contains(words), "{}", run.stderr);
    cluster.assert_nothing_left(run.pid);
}

/// As much of docker as is used: it notes its command line and runs the command, in folders that have the same path inside.
const DOCKER: &str = r#"#!/bin/sh
echo "$@" >> "$HOME/log"
[ "$1" = run ] || exit 0
until [ "$1" = image:1 ]; do shift; done
shift
exec "$@"
"#;

/// There need not be a container engine where this runs: it is the command line that is tested.
#[test]
fn a_container_gets_the_folder_the_check_and_a_name_by_which_it_is_removed() {
    let env = TestEnv::new();
    env.executable("docker", DOCKER);
    env.write("bug.c", ORIGINAL);
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", env.path("").display());
    let arguments = [
        "-q",
        "--strategy",
        "lines",
        "-j",
        "2",
        "--launcher",
        "docker:image:1",
        "./check.sh",
        "bug.c",
    ];
    let start = || {
        let mut command = env.command(&arguments);
        command.env("PATH", &path).stderr(Stdio::piped());
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    env.check("check.sh", "grep -q bug \"$1\"");
    Run::finish(start()).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
    env.check(
        "check.sh",
        "grep -q bug \"$1\" || exit 1; grep -q seven \"$1\" && exit 0; sleep 100",
    );
    let child = start();
    let hangs = |process: &String| process.contains("sleep 100");
    wait_for("a check that hangs", || env.processes().iter().any(hangs));
    let pid = child.id();
    signal(&child, Signal::TERM);
    Run::finish(child);
    env.assert_nothing_left(pid);
    let log = fs::read_to_string(env.path("../home/log")).unwrap();
    let user = format!(
        "--user={}:{}",
        rustix::process::geteuid().as_raw(),
        rustix::process::getegid().as_raw()
    );
    let (mut names, mut removed) = (Vec::new(), Vec::new());
    for line in log.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            [
                "run",
                "--rm",
                "--init",
                name,
                who,
                volume,
                "image:1",
                "/bin/sh",
                script,
            ] => {
                let folder = script.strip_suffix("/job/run").unwrap();
                assert_eq!(volume, format!("--volume={folder}:{folder}"));
                assert_eq!(who, user);
                names.push(name.strip_prefix("--name=").unwrap());
            }
            // One that was cancelled early was never run.
            ["rm", "--force", name] => removed.push(name),
            _ => panic!("{line}"),
        }
    }
    assert!(removed.iter().any(|name| names.contains(name)), "{log}");
}

#[test]
fn a_launcher_that_never_works_is_named() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", ORIGINAL);
    let run = |launcher: &str| {
        let run = env.run(&[
            "--launcher",
            launcher,
            "--launcher-patience",
            "9",
            "check.sh",
            "bug.c",
        ]);
        env.assert_nothing_left(run.pid);
        run.expect_code(1).stderr
    };
    let said = run("no-such-scheduler --quiet");
    assert!(
        said.contains(
            "the launcher `no-such-scheduler --quiet` gave no verdict in 1 attempts; it said: "
        ),
        "{said}"
    );
    assert!(said.contains("see that the nodes can run it and see the folder of --work-dir; an example is in examples/cluster"), "{said}");
    let said = run("echo no nodes in partition >&2; false");
    assert!(said.contains("it said: no nodes in partition"), "{said}");
    let said = run("false");
    assert!(said.contains("it said: nothing"), "{said}");
    // One that brings the check where the candidate is not.
    let blind = "cd \"${2%/job/run}\" && rm work/bug.c; exec \"$@\"";
    let said = run(&env.check("blind.sh", blind).display().to_string());
    assert!(
        said.contains("it said: paredown: cannot see the candidate on "),
        "{said}"
    );
}

#[test]
fn a_launcher_that_fails_for_too_long_ends_the_run_with_the_best_so_far() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let broken = cluster.env.path("broken");
    let script = format!(
        "test -e {0} && {{ echo broken >&2; exit 1; }}; /bin/sh \"$2\"; cd \"${{2%/job/run}}\" && grep -q bug work/bug.c && ! grep -q one work/bug.c && : > {0}",
        broken.display()
    );
    let prefix = cluster.env.check("prefix.sh", &script);
    cluster.env.check("check.sh", "grep -q bug \"$1\"");
    let prefix = prefix.display().to_string();
    let arguments = [
        "--strategy",
        "lines",
        "-j",
        "1",
        "--launcher",
        &prefix,
        "--launcher-patience",
        "1",
        "./check.sh",
        "bug.c",
    ];
    let run = cluster.env.run(&arguments).expect_code(1);
    assert!(run.stderr.contains("look at the cluster; the best so far is written, and with --state the same command goes on from here"), "{}", run.stderr);
    assert!(cluster.env.text("bug.reduced.c").len() < ORIGINAL.len());
    cluster.assert_nothing_left(run.pid);
}

#[test]
fn launchers_that_make_no_sense_are_refused() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", ORIGINAL);
    env.write("odd.toml", "runs = 'srun'\n");
    let said = |arguments: &[&str]| env.run(arguments).expect_code(2).stderr;
    let text = said(&["--launcher", "ssh", "check.sh", "bug.c"]);
    assert!(
        text.contains("the launcher `ssh` does not say where to run"),
        "{text}"
    );
    assert!(
        text.contains("name it, several with commas between: --launcher ssh:one,two"),
        "{text}"
    );
    let text = said(&["--launcher", "odd.toml", "check.sh", "bug.c"]);
    assert!(text.contains("odd.toml is no launcher: "), "{text}");
    assert!(text.contains("it needs at least a line like this: run = \"srun --ntasks=1\"; examples/cluster has one"), "{text}");
    let text = said(&[
        "--launcher",
        "slurm",
        "bug.c",
        "--memory-is-interesting",
        "9",
        "--",
        "grep",
        "bug",
        "@@",
    ]);
    assert!(text.contains("`--memory-is-interesting` needs the check on this machine, but `--launcher` takes it elsewhere"), "{text}");
    assert!(
        text.contains("measure it in the check: ulimit -v, or /usr/bin/time"),
        "{text}"
    );
}
