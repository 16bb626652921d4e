//! A whole run from the arguments to the exit code; it reads like a list of contents.

mod batch;
mod doctor;
mod effort;
mod ending;
mod first_runs;
mod init;
mod keeping;
mod left;
mod material;
mod pages;
mod pool;
mod reduction;
mod state;
mod transform;
mod tree;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crate::cli::{self, Args, Task};
use crate::config::{Config, Input, Place};
use crate::engine::Probe;
use crate::error::{Error, exit};
use crate::interrupt::Interrupt;
use crate::oracle::{ProcessOptions, ProcessOracle};
use crate::output::{self, ResultFile};
use crate::report::{self, Effort, Reporter, Statistics, Stop};
use crate::strategy;
use crate::syntax::Language;
use crate::terminal;
use material::Material;
use pages::Pages;
use state::Answers;
use transform::Transformed;

/// Does what is asked for and gives the exit code.
///
/// # Errors
/// Whatever keeps the run from giving a result; see [`Error`].
pub fn run(task: Task) -> Result<u8, Error> {
    match task {
        Task::Reduce(args) => reduce(*args),
        Task::Doctor(args) => {
            report::set_colors(args.color);
            doctor::doctor(*args)
        }
        Task::Batch(args) => {
            report::set_colors(args.args.color);
            batch::batch(*args)
        }
        Task::Init(args) => {
            report::set_colors(args.color);
            init::init(&args)
        }
    }
}

fn reduce(args: Args) -> Result<u8, Error> {
    report::set_colors(args.color);
    if let Some(what) = args.generate {
        return generate(what);
    }
    if args.language.as_deref() == Some(cli::LIST) {
        return list_languages();
    }
    if args.help_passes {
        return list_passes();
    }
    let config = Config::from_args(args)?;
    let interrupt = Interrupt::install().map_err(system("cannot listen to signals"))?;
    let mut run = Run::prepare(&config, &interrupt)?;
    let worked = run.work();
    run.clean_up();
    worked?;
    run.finish()
}

const OWNER_MAY_WRITE: u32 = 0o200;

/// One run with all that it holds open.
struct Run<'c> {
    config: &'c Config,
    interrupt: &'c Interrupt,
    started: Instant,
    oracle: ProcessOracle,
    material: Material<'c>,
    answers: Answers,
    reporter: Reporter,
    pages: Pages,
    /// What the first runs showed.
    probe: Probe,
    tally: Tally,
    transformed: Transformed,
}

/// What has been done so far, and how it came out.
#[derive(Default)]
struct Tally {
    totals: Statistics,
    /// What was asked behind the certificate.
    effort: Effort,
    stopped: Option<Stop>,
    /// Passes that the user has skipped.
    skipped: Vec<&'static str>,
    /// Whether the result was interesting in a run that was made beside the last queries.
    last_test: Option<bool>,
    verified: Verified,
}

/// How often the check accepted at the end what the search was told to be interesting.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Verified {
    #[default]
    Always,
    Sometimes,
    Never,
}

impl<'c> Run<'c> {
    /// Opens whatever will be written, so that what cannot be written is known before any work.
    fn prepare(config: &'c Config, interrupt: &'c Interrupt) -> Result<Self, Error> {
        let material = Material::open(config)?;
        let pages = Pages::open(config)?;
        // Before the events of an earlier run are overwritten, all that may be refused has been.
        let answers = Answers::open(config)?;
        let mode = config.mode_of_copies() | OWNER_MAY_WRITE;
        let json = config.places().json();
        let json = json.map(|place| json_lines(place, mode)).transpose()?;
        let fresh = material.results().filter_map(ResultFile::fresh_path);
        let fresh = fresh.chain(pages.fresh_paths());
        let fresh = fresh.chain(answers.fresh_paths());
        let options = ProcessOptions {
            remove_if_killed: fresh.map(Path::to_owned).collect(),
            ..config.process_options()
        };
        let layout = material.layout(material.first_unit());
        let oracle = ProcessOracle::new(config.check().clone(), layout, options, interrupt)?;
        let reporter = Reporter::new(config.verbosity(), config.progress(), json);
        let mut run = Self {
            config,
            interrupt,
            started: Instant::now(),
            oracle,
            material,
            answers,
            reporter,
            pages,
            probe: Probe::default(),
            tally: Tally::default(),
            transformed: Transformed::default(),
        };
        run.introduce();
        Ok(run)
    }

    /// Says what will be reduced, and what is odd about how.
    fn introduce(&mut self) {
        let config = self.config;
        let limits = (config.max_time(), config.max_queries());
        // The answers of a state are of a search with all its passes.
        let is_auto = config.plan().strategy == strategy::Strategy::Auto;
        let may_skip = is_auto && !self.answers.has_journal();
        let note = self.oracle.run_folder().join(terminal::NOTE);
        let passes = strategy::passes();
        self.reporter
            .go_live(limits, may_skip, passes, note, self.interrupt);
        self.reporter.files(config.inputs().iter().map(|input| {
            let language = input.language().map(|language| language.name());
            (
                input.name().to_string_lossy(),
                input.bytes().len(),
                language,
            )
        }));
        for warning in config.warnings() {
            self.reporter.warn(warning);
        }
    }

    /// All that asks the oracle.
    fn work(&mut self) -> Result<(), Error> {
        self.prepare_languages();
        self.check_original()?;
        self.reduce()?;
        self.verify()
    }

    /// Has the languages read their queries while the first checks run.
    fn prepare_languages(&self) {
        if self.config.plan().strategy != strategy::Strategy::Auto {
            return;
        }
        let languages = self.config.inputs().iter().filter_map(Input::language);
        let mut languages: Vec<&Arc<Language>> = languages.collect();
        languages.sort_unstable_by_key(|language| language.name());
        languages.dedup_by_key(|language| language.name());
        for language in languages.into_iter().map(Arc::clone) {
            // Where no thread is to be had they are read by who needs them.
            let _ = thread::Builder::new().spawn(move || language.prepare());
        }
    }

    /// Warns of what the checks left and cannot be removed, which is no reason to end in another way.
    fn clean_up(&mut self) {
        let lost = self.oracle.lost();
        if lost.jobs > 0 {
            let (jobs, said) = (lost.jobs, lost.said);
            self.reporter.warn(format!("{jobs} jobs ended without a verdict and were run again; the launcher said of the last: {said}"));
        }
        let left = self.oracle.clean_up();
        if let Some(warning) = left::warning(self.oracle.run_folder(), &left) {
            self.reporter.warn(warning);
        }
    }

    /// Whether a signal ended the run before its time.
    fn is_interrupted(&self) -> bool {
        self.interrupt.signal().is_some()
    }
}

fn json_lines(place: &Place, mode: u32) -> Result<Box<dyn Write>, Error> {
    let out: Box<dyn Write> = match place.path() {
        Some(path) => Box::new(output::open_lines(path, mode)?),
        None => Box::new(output::stdout()?),
    };
    Ok(Box::new(BufWriter::new(out)))
}

fn generate(what: cli::Generate) -> Result<u8, Error> {
    output::stdout()?;
    listed(cli::generate(what, &mut io::stdout().lock()))
}

/// What came of printing: whoever closes the pipe has read enough.
fn printed(written: io::Result<()>) -> Result<(), Error> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(output::write_error(Path::new("standard output"), error).into())
        }
        _ => Ok(()),
    }
}

/// The end of a run that only prints.
fn listed(written: io::Result<()>) -> Result<u8, Error> {
    printed(written).map(|()| exit::DONE)
}

/// The built-in languages with their extensions, one a line.
fn list_languages() -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    let mut lines = Language::built_in();
    let written = lines.try_for_each(|(name, extensions)| {
        let dotted: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
        writeln!(out, "{name:<11} {}", dotted.join(" "))
    });
    listed(written)
}

/// The passes of the default pipeline with what they do, one a line.
fn list_passes() -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    let mut passes = strategy::passes().into_iter();
    let written = passes.try_for_each(|(name, about)| writeln!(out, "{name:<23} {about}"));
    listed(written.and_then(|()| write_rewrites(&mut out)))
}

/// Lists the rules that the pass `rewrite` follows, by languages.
fn write_rewrites(out: &mut impl Write) -> io::Result<()> {
    for language in Language::names().filter_map(Language::named) {
        let rules = language.rewrites().flat_map(|rewrites| &rewrites.rules);
        for (number, rule) in rules.enumerate() {
            if number == 0 {
                writeln!(out, "\nRewrites of {}:", language.name())?;
            }
            writeln!(out, "  {:<23} {}", rule.name, rule.about)?;
        }
    }
    Ok(())
}

fn system(doing: &str) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::System {
        doing: doing.into(),
        source,
    }
}
