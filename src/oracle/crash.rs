//! Which crash it is: what of a failed run's output stays the same when the input gets smaller.
//!
//! The kind of a sanitizer's report and the functions at the top of the stack name a bug better than its whole text, which is
//! full of addresses, process numbers and paths. Where there is no stack, the line that says what happened stands for it.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// What is the same for two runs that fail in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The exit status, 128 + N for death by signal N.
    pub code: i32,
    /// The line that says what happened, without what differs from run to run.
    pub message: Option<String>,
    /// The functions at the top of the stack, the innermost first.
    pub frames: Vec<String>,
}

/// So many frames tell a bug from others; more of them also tell ways to the same bug apart.
const FRAMES: usize = 3;

/// How the line begins, or what it contains, that says what happened; the surest first.
static MESSAGES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?m)^.*\bERROR: \w+Sanitizer: .*$",
        r"(?m)^.*\bWARNING: (?:Thread|Memory)Sanitizer: .*$",
        r"(?m)^.*: runtime error: .*$",
        r"(?m)^.*\binternal compiler error: .*$",
        r"(?m)^.*\bAssertion\b.*\bfailed\b.*$",
        r"(?m)^.*\bpanicked at .*(?:\n.*)?$",
        r"(?m)^(?:Exception in thread|panic:|fatal error:|FATAL|Fatal|LLVM ERROR:).*$",
        r"(?m)^\w[\w.]*(?:Error|Exception|Interrupt|Exit)(?::.*)?$",
        r"(?im)^.*\b(?:segmentation fault|stack overflow|core dumped|out of memory)\b.*$",
    ]
    .iter()
    .filter_map(|pattern| Regex::new(pattern).ok())
    .collect()
});

/// A line of a stack trace: of sanitizers, LLVM and GDB, of Rust, of Python.
static FRAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let frame = r#"(?m)^\s*#\d+\s+(?:0x[0-9a-fA-F]+\s+)?(?:in\s+)?([^\s(].*)$|^\s+\d+:\s+(?:0x[0-9a-fA-F]+ - )?([\w<{].*)$|^\s+File "[^"]*", line \d+, in (\S+)$"#;
    Regex::new(frame).ok()
});

/// What stands at the top of every stack and says nothing.
static NOISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let noise = r"PrintStackTrace|SignalHandler|RunSignalHandlers|__restore_rt|\babort\b|__assert|\braise\b|pthread_kill|gsignal|__interceptor_|__asan_|__sanitizer|__ubsan|rust_begin_unwind|begin_panic|core::panicking|std::panicking|std::sys|^\(|<unknown module>|libc\.so|libc_start";
    Regex::new(noise).ok()
});

/// What differs from run to run: addresses, numbers, the folders of a path.
static VOLATILE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"==\d+==|0x[0-9a-fA-F]+|\d+|(?:/[^\s/:]+)+/").ok());

impl Crash {
    /// What a run shows; `None` when it did not fail.
    pub fn of(code: i32, stdout: &[u8], stderr: &[u8]) -> Option<Self> {
        let message = message(stderr).or_else(|| message(stdout));
        if code == 0 && message.is_none() {
            return None;
        }
        let mut frames = frames(stderr);
        if frames.is_empty() {
            frames = self::frames(stdout);
        }
        let first_line = || [stderr, stdout].into_iter().find_map(first_line);
        Some(Self {
            code,
            message: message.or_else(first_line),
            frames,
        })
    }

    /// Whether another run failed in the same way: where both have a stack, its top decides and the kind before it.
    pub fn is_same(&self, other: &Self) -> bool {
        let kind = |crash: &Self| crash.message.as_deref().map(kind).unwrap_or_default();
        self.code == other.code
            && if self.frames.is_empty() && other.frames.is_empty() {
                self.message == other.message
            } else {
                self.frames == other.frames && kind(self) == kind(other)
            }
    }
}

fn message(output: &[u8]) -> Option<String> {
    let found = MESSAGES.iter().find_map(|pattern| pattern.find(output))?;
    Some(normalised(found.as_bytes()))
}

fn first_line(output: &[u8]) -> Option<String> {
    let mut lines = output.split(|&byte| byte == b'\n');
    let line = lines.find(|line| !line.trim_ascii().is_empty())?;
    Some(normalised(line))
}

/// A sanitizer's kind of error, or the whole message of something else.
fn kind(message: &str) -> String {
    let Some((_, rest)) = message.split_once("Sanitizer: ") else {
        return message.to_owned();
    };
    rest.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn frames(output: &[u8]) -> Vec<String> {
    let (Some(frame), Some(noise)) = (&*FRAME, &*NOISE) else {
        return Vec::new();
    };
    let lines = frame.captures_iter(output);
    let names = lines.filter_map(|line| {
        let name = (1..=3).find_map(|group| line.get(group))?.as_bytes();
        (!noise.is_match(name)).then(|| function(name))
    });
    names.filter(|name| !name.is_empty()).take(FRAMES).collect()
}

/// The function's name without its arguments and the place behind it.
fn function(frame: &[u8]) -> String {
    let text = String::from_utf8_lossy(frame);
    let text = text.split(" (/").next().unwrap_or_default();
    // `f(int, char) file.c:1:2` and `f file.c:1:2`; `operator()` keeps its brackets.
    let end = text
        .char_indices()
        .find(|&(at, c)| c == '(' && at > 0 && !text[..at].ends_with("operator"))
        .map_or(text.len(), |(at, _)| at);
    let name = text[..end].split(" at ").next().unwrap_or_default();
    let place = name.find(" /").or_else(|| {
        let last = name.rfind(' ')?;
        name[last..].contains(':').then_some(last)
    });
    let name = place.map_or(name, |place| &name[..place]);
    normalised(name.split('+').next().unwrap_or(name).trim().as_bytes())
}

fn normalised(text: &[u8]) -> String {
    let text = VOLATILE.as_ref().map_or_else(
        || text.to_vec(),
        |volatile| volatile.replace_all(text, &b"~"[..]).into_owned(),
    );
    String::from_utf8_lossy(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASAN: &str = "=================================================================
==4711==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x0001 bp 0x7ffe sp 0x7ffe
READ of size 4 at 0x602000000010 thread T0
    #0 0x4c3f21 in parse_list(Node*, int) /tmp/build/parse.c:17:9
    #1 0x4c40aa in parse /tmp/build/parse.c:40:3
    #2 0x4c41bb in main /tmp/build/main.c:9:2
    #3 0x7f11 in __libc_start_main (/lib/libc.so.6+0x27)
";

    fn crash(code: i32, stderr: &str) -> Crash {
        Crash::of(code, b"", stderr.as_bytes()).unwrap()
    }

    #[test]
    fn a_sanitizers_report_is_its_kind_and_its_top_frames() {
        let first = crash(1, ASAN);
        assert_eq!(first.frames, ["parse_list", "parse", "main"]);
        let moved = ASAN
            .replace("4711", "99")
            .replace("0x602000000010", "0x603")
            .replace(":17:9", ":3:1")
            .replace("READ of size 4", "READ of size 1");
        assert!(first.is_same(&crash(1, &moved)));
        assert!(!first.is_same(&crash(
            1,
            &ASAN.replace("heap-use-after-free", "stack-overflow")
        )));
        assert!(!first.is_same(&crash(1, &ASAN.replace("in parse /", "in other /"))));
        assert!(!first.is_same(&crash(2, ASAN)));
    }

    #[test]
    fn an_internal_error_is_its_message_without_places_and_numbers() {
        let at = |line: u32, what: &str| {
            let text = format!(
                "/tmp/x{line}/bug.c:{line}:3: internal compiler error: {what}, at c/x.c:{line}\n"
            );
            crash(4, &text)
        };
        assert!(at(1, "in foo").is_same(&at(20, "in foo")));
        assert!(!at(1, "in foo").is_same(&at(1, "in bar")));
    }

    #[test]
    fn stacks_of_other_tools_are_read() {
        let llvm = "opt: x.cpp:1: void f(): Assertion `a && \"b\"' failed.\nPLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: opt\n #0 0x0000 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0x1)\n #1 0x0001 SignalHandler(int) Signals.cpp:0:0\n #2 0x0002 llvm::Foo::run(llvm::Function&) (/usr/lib/libLLVM.so+0x2)\n";
        assert_eq!(crash(134, llvm).frames, ["llvm::Foo::run"]);
        let rust = "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n   2: tool::parse::list\n             at ./src/parse.rs:3\n";
        assert_eq!(crash(101, rust).frames, ["tool::parse::list"]);
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in run\n    x\nValueError: bad 17\n";
        let crash = crash(1, python);
        assert_eq!(
            (crash.message.as_deref(), &crash.frames[..]),
            (Some("ValueError: bad ~"), &["run".to_owned()][..])
        );
    }

    #[test]
    fn what_ends_well_and_says_nothing_is_no_crash() {
        assert_eq!(Crash::of(0, b"fine\n", b""), None);
        assert!(Crash::of(139, b"", b"").is_some());
        assert!(Crash::of(0, b"", ASAN.as_bytes()).is_some());
    }
}
