//! The live view on a real terminal, which tmux plays.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::harness::{PATIENCE, TestEnv, have};

/// A terminal of this size that runs paredown; ended when dropped.
struct Terminal<'e> {
    env: &'e TestEnv,
    socket: String,
}

impl<'e> Terminal<'e> {
    fn start(env: &'e TestEnv, columns: u16, args: &[&str]) -> Self {
        let binary = env.command(args);
        let words: Vec<String> = std::iter::once(binary.get_program())
            .chain(binary.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let command = format!("{}; echo ended with $?; exec sleep 100", words.join(" "));
        Self::run(env, columns, &command)
    }

    /// A terminal that runs any shell command.
    fn run(env: &'e TestEnv, columns: u16, command: &str) -> Self {
        let socket = env.path("socket").display().to_string();
        let terminal = Self { env, socket };
        let columns = columns.to_string();
        let size = ["new-session", "-d", "-x", &columns, "-y", "24", command];
        let status = terminal.tmux(&size).status();
        assert!(status.unwrap().success());
        terminal
    }

    fn tmux(&self, args: &[&str]) -> Command {
        let mut command = self.env.command_of("tmux");
        command
            .args(["-S", &self.socket, "-f", "/dev/null"])
            .args(args)
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("COLUMNS")
            .stdout(Stdio::piped());
        command
    }

    fn screen(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Waits until all of this is on the screen.
    #[track_caller]
    fn shows(&self, words: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if words.iter().all(|word| screen.contains(word)) {
                return screen;
            }
            assert!(
                Instant::now() < deadline,
                "{words:?} are not all on:\n{screen}"
            );
        }
    }

    fn press(&self, key: &str) {
        assert!(self.tmux(&["send-keys", key]).status().unwrap().success());
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).status();
    }
}

/// A check that waits behind the first success until there is the file `go`, so that the view is there for as long as a busy test
/// needs to see it.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let lines: Vec<String> = (0..200).map(|number| format!("int v{number};\n")).collect();
    let lines = lines.concat();
    env.write("bug.c", format!("{lines}int bug;\n"));
    let body = format!(
        "sleep 0.2; test ! -e {} || until test -e {}; do sleep 0.1; done; grep -q bug \"$1\" && grep -q v77 \"$1\"",
        env.path("bug.reduced.c").display(),
        env.path("go").display()
    );
    env.check("check.sh", &body);
    env
}

#[test]
fn the_view_has_everything_and_its_keys_work() {
    if !have("tmux") {
        return;
    }
    for columns in [40, 80, 200] {
        let env = env();
        let terminal = Terminal::start(&env, columns, &["-j1", "check.sh", "bug.c"]);
        terminal.shows(&[
            "bug.c",
            "bytes over time",
            "queries",
            " ago",
            "p pause",
            "s skip",
        ]);
        terminal.press("p");
        terminal.shows(&["PAUSED", "p go on"]);
        terminal.press("d");
        terminal.shows(&["- int v", "line "]);
        terminal.press("p");
        terminal.press("q");
        let screen = terminal.shows(&["ended with 130"]);
        assert!(!screen.contains("p pause"), "{screen}");
        assert!(env.text("bug.reduced.c").contains("bug"));
    }
}

#[test]
fn a_skipped_pass_asks_nothing_any_more() {
    if !have("tmux") {
        return;
    }
    let env = env();
    let terminal = Terminal::start(
        &env,
        80,
        &["-j1", "--json", "events.jsonl", "check.sh", "bug.c"],
    );
    terminal.shows(&["said yes", "s skip this pass"]);
    terminal.press("s");
    env.write("go", "");
    terminal.shows(&["result: bug.reduced.c", "ended with 0"]);
    assert!(env.text("bug.reduced.c").contains("v77"));
}

#[test]
fn ctrl_c_gives_the_terminal_back() {
    if !have("tmux") {
        return;
    }
    let env = env();
    let terminal = Terminal::start(&env, 80, &["check.sh", "bug.c"]);
    terminal.shows(&["p pause"]);
    terminal.press("C-c");
    let screen = terminal.shows(&["ended with 130"]);
    assert!(!screen.contains("p pause"), "{screen}");
}

#[test]
fn a_kill_gives_the_terminal_back_too() {
    if !have("tmux") {
        return;
    }
    let env = env();
    let args = ["-j1", "check.sh", "bug.c"];
    let words: Vec<String> = std::iter::once(env!("CARGO_BIN_EXE_paredown"))
        .chain(args)
        .map(str::to_owned)
        .collect();
    // Unlike a shell that edits lines, this one leaves the terminal to whoever had it, and waits until the modes are back: the guard
    // is another process, and what is written before it leaves the other screen goes with that.
    let script = format!(
        "echo before; stty -g > modes; sh -c 'echo $$ > pid; exec {}'; \
         for i in $(seq 300); do [ \"$(stty -g)\" = \"$(cat modes)\" ] && break; sleep 0.1; done; echo; echo behind; cat",
        words.join(" ")
    );
    env.write("script.sh", script);
    let terminal = Terminal::run(&env, 80, "sh script.sh");
    terminal.shows(&["p pause", " ago"]);
    let killed = env
        .command_of("kill")
        .args(["-9", env.text("pid").trim()])
        .status();
    assert!(killed.unwrap().success());
    let screen = terminal.shows(&["before", "behind"]);
    assert!(!screen.contains("p pause"), "{screen}");
    terminal.press("xyz");
    terminal.press("Enter");
    // Once by the terminal, once by the program.
    terminal.shows(&["xyz\nxyz"]);
}

#[test]
fn a_terminal_that_goes_ends_the_run_with_its_result() {
    if !have("tmux") {
        return;
    }
    let env = env();
    let args = ["-j1", "--json", "events.jsonl", "check.sh", "bug.c"];
    let terminal = Terminal::start(&env, 80, &args);
    terminal.shows(&["p pause", " ago"]);
    terminal.press("p");
    terminal.shows(&["PAUSED"]);
    drop(terminal);
    let deadline = Instant::now() + PATIENCE;
    while !env.text("events.jsonl").contains("\"finished\"") {
        assert!(Instant::now() < deadline, "{}", env.text("events.jsonl"));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(env.text("bug.reduced.c").contains("bug"));
}

#[test]
fn one_line_is_enough_for_who_asks_for_it() {
    if !have("tmux") {
        return;
    }
    let env = env();
    let terminal = Terminal::start(&env, 80, &["--progress", "line", "check.sh", "bug.c"]);
    let screen = terminal.shows(&["bug.c: 1,", "bytes ("]);
    assert!(!screen.contains("p pause"), "{screen}");
    terminal.press("C-c");
    terminal.shows(&["ended with 130"]);
}

#[test]
fn a_ci_log_gets_a_line_for_each_tenth_at_most() {
    let env = TestEnv::new();
    let lines: Vec<String> = (0..100).map(|number| format!("int v{number};\n")).collect();
    let lines = lines.concat();
    env.write("bug.c", format!("{lines}int bug;\n"));
    env.check("check.sh", "grep -q bug \"$1\"");
    let mut command = env.command(&["--strategy", "lines", "check.sh", "bug.c"]);
    let output = command.env("CI", "true").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = said
        .lines()
        .filter(|line| line.contains("queries, "))
        .count();
    assert!((1..=10).contains(&lines), "{said}");
}
