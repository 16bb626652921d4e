//! Random inputs, all languages, strategies and minimisers, any number of jobs: nothing panics, the check accepts the result, the
//! number of jobs makes no difference, and a result that is said to be 1-minimal is.
//!
//! The suite runs a few of them; all of them are, with a seed that changes the cases,
//!
//! ```text
//! FUZZ_RUNS=10000 FUZZ_SEED=1 cargo test --release --locked --test it fuzz -- --ignored --nocapture
//! ```

use crate::harness::TestEnv;
use paredown::engine::{Engine, Settings};
use paredown::interrupt::Interrupt;
use paredown::minimize::{Algorithm, Options};
use paredown::output::ResultFile;
use paredown::report::Statistics;
use paredown::strategy::{Hoist, Plan, Strategy, search, single_changes};
use paredown::syntax::{Document, Language};
use std::fmt;

/// Numbers that look random and are the same in each run: `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    pub(crate) fn one_of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// A part of a text, of at most so many bytes.
    fn part<'t>(&mut self, text: &'t [u8], most: usize) -> &'t [u8] {
        let start = self.below(text.len() + 1);
        let length = self.below(most.min(text.len() - start) + 1);
        &text[start..start + length]
    }
}

/// A text in each language, in some that there is no grammar for, and what is none.
pub(crate) const SAMPLES: &[(&str, &str)] = &[
    (
        "c",
        "#define N 2 /* n */\nint f(int a, char *s) { if (a) return N; printf(\"%d é\\n\", f(a - 1, s)); } // end\n",
    ),
    (
        "cpp",
        "namespace a { template <class T> struct s { T t; auto m() { return [&] { return t; }; } }; }\nint main() { a::s<int> x{0x1f}; }\n",
    ),
    (
        "css",
        "@media (a: 2px) { .a > b, #c { color: #fff; width: 1.5em /* x */; } }\n@keyframes k { from { top: 0 } }\n",
    ),
    (
        "go",
        "package main\nfunc f(a int, b ...string) (int, error) {\n\tfor i := range b { go g(`x`, i) }\n\treturn a, nil // y\n}\n",
    ),
    (
        "java",
        "class A<T> extends B { int f(String s) throws E { try { return g(s, 'c'); } finally { h(\"t\"); } } }\n",
    ),
    (
        "javascript",
        "const a = [1, , ...b], f = async (x) => `t${x}` + /a\\//g.test(x);\nclass C { get p() { return this?.q } } // c\n",
    ),
    (
        "json",
        "{\"a\": [1, 2.5e3, {\"b\": null, \"c\": \"d\\n e\"}], \"url\": \"http://a.b/c\"}\n",
    ),
    (
        "llvm",
        "define i32 @f(i32 %0) {\n  switch i32 %0, label %2 [ i32 1, label %3\n    i32 4, label %2 ]\n\n2: ; no\n  %a = add i32 %0, 1\n  br label %3\n\n3:\n  %b = phi i32 [ %a, %2 ], [ 0, %1 ]\n  ret i32 %b\n}\n",
    ),
    (
        "python",
        "def f(a, *b, c=1):\n    '''doc # no'''\n    if a // 2:  # yes\n        return [x for x in b if x]\n    return f\"{c!r}\"\n",
    ),
    (
        "rust",
        "fn f<'a>(s: &'a str) -> Option<u8> { match s { \"b\" => Some(1), _ => None? } } // r\nstruct S { a: u8 }\n",
    ),
    (
        "tsx",
        "const a = <A b=\"c\">{d ? <e/> : 'f'} g</A>;\ninterface I<T> { x?: T }\n",
    ),
    (
        "typescript",
        "enum E { A = 1, B }\nfunction f(this: E, a: string | number = 2): asserts a is string { return a!; }\n",
    ),
    (
        "xml",
        "<?xml version=\"1.0\"?>\n<!-- c --><a b='d'><![CDATA[ z ]]>t&amp;<c/></a>\n",
    ),
    (
        "none",
        "# Title\n\nSee [it](http://example.org/x/y), don't panic - it's `code`.\n\n* one\n* two (three)\n",
    ),
    (
        "none",
        "a: http://b.c/d # e\nf:\n  - g: [1, 2]\n  - 'h i'\n",
    ),
    (
        "none",
        "select a, b from t where c = 'd' and e in (1, 2) -- x\norder by f desc;\n",
    ),
    ("none", "\x00\x01\x02binary\x00\x00data\x1f\x7f\x00"),
    ("none", ""),
];

/// What the check wants.
#[derive(Clone, Debug)]
enum Wanted {
    /// All of these, anywhere.
    All(Vec<Vec<u8>>),
    /// One of these.
    Any(Vec<Vec<u8>>),
    /// These bytes in this order.
    Scattered(Vec<u8>),
    /// One, and brackets that fit.
    Balanced(Vec<u8>),
    /// One, and a length that this number does not divide.
    Length(Vec<u8>, usize),
    /// One in so many texts, by chance.
    Chance(u64, u64),
    NotEmpty,
}

impl Wanted {
    fn of(text: &[u8], random: &mut Random) -> Self {
        let mut part = |most| random.part(text, most).to_vec();
        let (one, two, three) = (part(5), part(8), part(2));
        match random.below(8) {
            0 => Self::All(vec![one, two, three]),
            1 => Self::Any(vec![one, two]),
            2 => {
                let step = 1 + random.below(12);
                Self::Scattered(text.iter().copied().step_by(step).collect())
            }
            3 => Self::Balanced(one),
            4 => Self::Length(one, 2 + random.below(3)),
            5 => Self::Chance(random.next(), 2 + random.next() % 9),
            6 => Self::NotEmpty,
            _ => Self::All(vec![one]),
        }
    }

    fn accepts(&self, text: &[u8]) -> bool {
        let has = |part: &Vec<u8>| part.is_empty() || text.windows(part.len()).any(|at| at == part);
        match self {
            Self::All(parts) => parts.iter().all(has),
            Self::Any(parts) => parts.iter().any(has),
            Self::Scattered(bytes) => {
                let mut rest = text.iter();
                bytes.iter().all(|byte| rest.any(|other| other == byte))
            }
            Self::Balanced(part) => has(part) && is_balanced(text),
            Self::Length(part, divisor) => has(part) && !text.len().is_multiple_of(*divisor),
            Self::Chance(seed, odds) => {
                let mix = |hash: u64, &byte: &u8| {
                    let mixed = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                    mixed.rotate_left(23)
                };
                text.iter().fold(*seed, mix).is_multiple_of(*odds)
            }
            Self::NotEmpty => !text.is_empty(),
        }
    }
}

fn is_balanced(text: &[u8]) -> bool {
    let mut open: i64 = 0;
    let never_closed = text.iter().all(|byte| {
        open += i64::from(b"([{".contains(byte)) - i64::from(b")]}".contains(byte));
        open >= 0
    });
    never_closed && open == 0
}

struct Case {
    text: Vec<u8>,
    language: &'static str,
    plan: Plan,
    wanted: Wanted,
}

fn document(language: &str, text: &[u8]) -> Document {
    Document::new(text, Language::named(language))
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.escape_ascii();
        let (language, plan, wanted) = (self.language, &self.plan, &self.wanted);
        write!(formatter, "{language} \"{text}\" {wanted:?} {plan:?}")
    }
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let mut plan = Plan::new(*random.one_of(&Strategy::ALL));
        if random.below(4) > 0 {
            plan.minimizer = Some(Options::new(*random.one_of(&Algorithm::ALL)));
        }
        plan.hoist = *random.one_of(&Hoist::ALL);
        plan.once = random.below(6) == 0;
        plan.rename = random.below(6) == 0;
        Self::with(plan, random)
    }

    fn with(plan: Plan, random: &mut Random) -> Self {
        let (language, sample) = *random.one_of(SAMPLES);
        let text = mutated(sample.as_bytes(), random);
        let wanted = Wanted::of(&text, random);
        // Now and then the file is not what its name says.
        let language = match random.below(8) {
            0 => random.one_of(SAMPLES).0,
            _ => language,
        };
        Self {
            text,
            language,
            plan,
            wanted,
        }
    }

    fn accepts(&self, text: &[u8]) -> bool {
        // The original is accepted whatever was picked.
        text == self.text || self.wanted.accepts(text)
    }

    fn document(&self, text: &[u8]) -> Document {
        document(self.language, text)
    }

    fn run(&self, jobs: usize) -> End {
        let (mut output, interrupt) = (ResultFile::nowhere(), Interrupt::new());
        let mut ignore = |_: &_| ();
        let oracle = |text: &[u8]| self.accepts(text);
        let settings = Settings {
            jobs,
            ..Settings::default()
        };
        let mut engine = Engine::new(
            &self.text,
            &oracle,
            settings,
            &mut output,
            &interrupt,
            &mut ignore,
        );
        let (language, plan) = (self.language, self.plan.clone());
        let build = move |best: &[u8]| search(&document(language, best), &plan);
        engine.run_until_known(build).unwrap();
        let best = self.document(engine.best());
        let is_minimal = engine.are_refused(single_changes(&best, &self.plan));
        let (best, statistics) = engine.finish();
        End {
            best,
            is_minimal,
            statistics,
        }
    }

    /// A single change that the check accepts, found without anything that the run knew.
    fn counterexample(&self, best: &[u8]) -> Option<Vec<u8>> {
        let document = self.document(best);
        let mut changed: Vec<Vec<u8>> = single_changes(&document, &self.plan)
            .map(|change| change.to_bytes())
            .collect();
        let without = |start: usize, end: usize| [&best[..start], &best[end..]].concat();
        let each_byte = (0..best.len()).map(|at| without(at, at + 1));
        match self.plan.strategy {
            Strategy::Bytes => changed.extend(each_byte),
            Strategy::Auto if self.language == "none" => changed.extend(each_byte),
            Strategy::Lines => {
                let mut start = 0;
                for line in best.split_inclusive(|&byte| byte == b'\n') {
                    changed.push(without(start, start + line.len()));
                    start += line.len();
                }
            }
            Strategy::Chars | Strategy::TwoPass => {
                if let Ok(text) = std::str::from_utf8(best) {
                    let chars = text.char_indices();
                    changed.extend(chars.map(|(at, one)| without(at, at + one.len_utf8())));
                }
            }
            _ => {}
        }
        let is_smaller = |text: &Vec<u8>| text != best && self.accepts(text);
        changed.into_iter().find(is_smaller)
    }
}

/// How a run ended.
struct End {
    best: Vec<u8>,
    is_minimal: bool,
    statistics: Statistics,
}

/// A text with some parts that were taken out, doubled, moved or replaced; or bytes out of nothing.
pub(crate) fn mutated(sample: &[u8], random: &mut Random) -> Vec<u8> {
    if random.below(12) == 0 {
        let alphabets: [&[u8]; 3] = [b"ab(){};\n \"'/*#", b"\0\xff\xc3\xa9a", b"<a>]&;-!"];
        let letters = *random.one_of(&alphabets);
        return (0..random.below(60))
            .map(|_| *random.one_of(letters))
            .collect();
    }
    let mut text = sample.to_vec();
    for _ in 0..random.below(5) {
        let part = random.part(&text, 12).to_vec();
        let at = random.below(text.len() + 1);
        match random.below(4) {
            0 => drop(text.drain(at..(at + part.len()).min(text.len()))),
            1 => drop(text.splice(at..at, part)),
            2 if at < text.len() => text[at] = u8::try_from(random.below(256)).unwrap(),
            _ => text.truncate(at.max(text.len() / 2)),
        }
    }
    text
}

/// What was found out about some runs.
#[derive(Debug, Default)]
struct Tally {
    runs: usize,
    minimal: usize,
    not_minimal: usize,
    /// No change is accepted, but not each was asked about.
    not_known: usize,
}

impl Tally {
    /// Runs a case with these numbers of jobs.
    #[track_caller]
    fn check(&mut self, case: &Case, jobs: &[usize]) {
        let end = case.run(1);
        assert!(case.accepts(&end.best), "refused: {case:?}");
        for &jobs in jobs {
            let other = case.run(jobs);
            assert_eq!(other.best, end.best, "{jobs} jobs: {case:?}");
            let queries = [&other, &end].map(|end| end.statistics.queries);
            assert_eq!(queries[0], queries[1], "{jobs} jobs: {case:?}");
            assert_eq!(other.is_minimal, end.is_minimal, "{jobs} jobs: {case:?}");
        }
        let counterexample = case.counterexample(&end.best);
        let result = end.best.escape_ascii();
        if let Some(smaller) = counterexample.as_ref().filter(|_| end.is_minimal) {
            let smaller = smaller.escape_ascii();
            panic!("`{result}` is no minimum, because of `{smaller}`: {case:?}");
        }
        self.runs += 1;
        self.minimal += usize::from(end.is_minimal);
        self.not_minimal += usize::from(counterexample.is_some());
        self.not_known += usize::from(!end.is_minimal && counterexample.is_none());
        let is_promised = case.plan.strategy == Strategy::Auto && !case.plan.once;
        assert!(end.is_minimal || !is_promised, "`{result}`: {case:?}");
    }
}

pub(crate) fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(default, |text| text.parse().unwrap())
}

/// So many runs of cases that differ with the seed.
fn fuzz(runs: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for run in 0..runs {
        let case = Case::new(&mut Random(seed.wrapping_mul(1 << 32).wrapping_add(run)));
        tally.check(&case, &[2, 5]);
    }
    tally
}

/// So many runs of each strategy with each minimiser.
fn every_strategy(runs: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for (number, strategy) in (0..).zip(Strategy::ALL) {
        for (other, algorithm) in (0..).zip(Algorithm::ALL) {
            for run in 0..runs {
                let plan = Plan {
                    minimizer: Some(Options::new(algorithm)),
                    ..Plan::new(strategy)
                };
                let seed = seed + (number << 40) + (other << 32) + run;
                tally.check(&Case::with(plan, &mut Random(seed)), &[]);
            }
        }
    }
    tally
}

/// Some runs of the binary, with a check in the shell that wants a word of the text.
fn binary(runs: u64, seed: u64) {
    for run in 0..runs {
        let mut random = Random(seed.wrapping_mul(1 << 48).wrapping_add(run));
        let mut case = Case::new(&mut random);
        case.text.extend_from_slice(b" w0rd ");
        case.wanted = Wanted::All(vec![b"w0rd".to_vec()]);
        let is_tree = !case.plan.strategy.name().starts_with(['l', 't', 'b'])
            && case.plan.strategy != Strategy::Chars;
        let env = TestEnv::new();
        env.check("check.sh", "LC_ALL=C grep -qa w0rd \"$1\"");
        env.write("input", &case.text);
        let jobs = random.one_of(&["-j1", "-j2", "-j5"]);
        let strategy = case.plan.strategy.name();
        let mut args = vec![
            "-q",
            jobs,
            "--strategy",
            strategy,
            "--json",
            "events",
            "-o",
            "out",
        ];
        if let Some(options) = &case.plan.minimizer {
            args.extend(["--minimizer", options.algorithm.name()]);
        }
        if is_tree && case.plan.strategy != Strategy::Auto {
            args.extend(["--hoist", case.plan.hoist.name()]);
        } else {
            case.plan.hoist = Hoist::None;
        }
        if case.language != "none" {
            args.extend(["--language", case.language]);
        }
        if case.plan.once {
            args.push("--once");
        }
        if case.plan.rename {
            args.push("--rename");
        }
        args.extend(["check.sh", "input"]);
        let run = env.run(&args).expect_code(0);
        let best = env.read("out");
        assert!(case.accepts(&best), "{case:?}");
        let events = env.text("events");
        let end: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        let counterexample = case.counterexample(&best);
        let is_minimal = end["one_minimal"] == true;
        assert!(!is_minimal || counterexample.is_none(), "{case:?}");
        assert_eq!(end["swept"].as_array().unwrap().is_empty(), !is_minimal);
        env.assert_nothing_left(run.pid);
    }
}

#[test]
fn some_random_cases_go_well() {
    let tally = fuzz(60, 1);
    assert!(tally.minimal > tally.runs / 2, "{tally:?}");
    binary(4, 1);
}

#[test]
fn a_result_is_one_minimal_where_that_is_said() {
    let tally = every_strategy(1, 1);
    assert!(tally.minimal > tally.runs / 2, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
#[expect(clippy::print_stdout, reason = "says what was done")]
fn many_random_cases_go_well() {
    let (runs, seed) = (number("FUZZ_RUNS", 10_000), number("FUZZ_SEED", 1));
    println!(
        "all strategies and minimisers: {:?}",
        every_strategy(runs.div_ceil(10 * 77), seed)
    );
    binary(runs / 100, seed);
    println!("the binary: {} runs", runs / 100);
    println!("random cases: {:?}", fuzz(runs, seed));
}
