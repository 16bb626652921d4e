//! `--launcher ssh` and `ssh-shared` with OpenSSH's server on this machine, with keys and a port of its own.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Signal, kill_process_group};

use crate::harness::{PATIENCE, Run, TestEnv, have, signal, skipped, wait_for};

struct Server {
    env: TestEnv,
    path: String,
    daemon: Child,
}

const SERVER: &str = "/usr/sbin/sshd";

impl Server {
    /// `None`, with a word, where there is none to start.
    fn start() -> Option<Self> {
        if ![SERVER, "ssh", "ssh-keygen", "tar"].into_iter().all(have) {
            return None;
        }
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root's own server lets in without a password here");
            return None;
        }
        let port = free_port();
        let env = TestEnv::new();
        let folder = env.path("ssh");
        fs::create_dir_all(&folder).unwrap();
        for key in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(folder.join(key));
            assert!(keygen.status().unwrap().success());
        }
        let at = |name: &str| folder.join(name).display().to_string();
        fs::copy(folder.join("user.pub"), folder.join("allowed")).unwrap();
        // What the user's own shell does at its start takes time, or all connections wait for each other there.
        let home = env.path("../home");
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nMaxStartups 50\nSetEnv HOME={}\n",
            at("host"),
            at("allowed"),
            home.display()
        );
        fs::write(folder.join("server"), config).unwrap();
        let client = format!(
            "Host *\n Port {port}\n HostName 127.0.0.1\n User root\n IdentityFile {}\n IdentitiesOnly yes\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n LogLevel ERROR\n",
            at("user")
        );
        fs::write(folder.join("client"), client).unwrap();
        // The user's own file of hosts plays no part.
        let real = which("ssh");
        env.executable(
            "bin-ssh",
            &format!(
                "#!/bin/sh\nexec {} -F {} \"$@\"\n",
                real.display(),
                at("client")
            ),
        );
        fs::create_dir_all(env.path("bin")).unwrap();
        fs::rename(env.path("bin-ssh"), env.path("bin/ssh")).unwrap();
        let _ = fs::create_dir_all("/run/sshd");
        let mut server = Command::new(SERVER);
        server.args(["-D", "-e", "-f"]).arg(folder.join("server"));
        server
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let path = format!(
            "{}:{}",
            env.path("bin").display(),
            std::env::var("PATH").unwrap()
        );
        let server = Self {
            path,
            daemon: server.spawn().unwrap(),
            env,
        };
        let started = std::time::Instant::now();
        while !server.answers() {
            if started.elapsed() > PATIENCE / 6 {
                skipped("OpenSSH's server does not let us in here");
                return None;
            }
        }
        Some(server)
    }

    fn answers(&self) -> bool {
        let mut client = Command::new(self.env.path("bin/ssh"));
        client
            .args(["-o", "BatchMode=yes", "one", "true"])
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        client.status().unwrap().success()
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.env.command(arguments);
        command.env("PATH", &self.path);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// A port that nobody listens on, so that tests do not meet when they run at the same time.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn which(program: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// What a run of this name has left on a host.
fn left_on_host(pid: u32) -> Vec<String> {
    let entries = fs::read_dir("/tmp").unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| name.starts_with(&format!("paredown-{pid}-")))
        .collect()
}

#[test]
fn hosts_give_the_result_of_this_machine() {
    let Some(server) = Server::start() else {
        return;
    };
    server.env.check(
        "check.sh",
        "test \"$(cat \"$1\" | grep -c bug)\" = 1 && echo seen >&2",
    );
    server.env.write("bug.c", "one\nbug\ntwo\nthree\nfour\n");
    for launcher in ["ssh:one,two", "ssh-shared:one"] {
        let arguments = [
            "--strategy",
            "lines",
            "-j",
            "3",
            "--launcher",
            launcher,
            "./check.sh",
            "bug.c",
        ];
        let run = Run::finish(server.spawn(&arguments)).expect_code(0);
        assert_eq!(server.env.text("bug.reduced.c"), "bug\n", "{launcher}");
        assert!(!run.stderr.contains("without a verdict"), "{}", run.stderr);
        server.env.assert_nothing_left(run.pid);
        assert_eq!(left_on_host(run.pid), [""; 0]);
    }
}

#[test]
fn a_run_over_connections_that_is_killed_leaves_nothing_on_the_hosts() {
    let Some(server) = Server::start() else {
        return;
    };
    let env = &server.env;
    let here = env.path("running");
    env.check(
        "check.sh",
        &format!(
            "grep -q bug \"$1\" || exit 1; grep -q two \"$1\" && exit 0; : > {}; sleep 100",
            here.display()
        ),
    );
    env.write("bug.c", "one\nbug\ntwo\nthree\nfour\n");
    let child = server.spawn(&[
        "-q",
        "--strategy",
        "lines",
        "-j",
        "2",
        "--launcher",
        "ssh:one",
        "./check.sh",
        "bug.c",
    ]);
    wait_for("a check that hangs", || here.exists());
    let pid = child.id();
    let process = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    signal(&child, Signal::KILL);
    let _ = kill_process_group(process, Signal::KILL);
    Run::finish(child);
    env.assert_nothing_left(pid);
    wait_for("the end of all on the host", || {
        left_on_host(pid).is_empty()
    });
}
