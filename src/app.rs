//! A whole run from the arguments to the exit code; it reads like a list of contents.

mod batch;
mod doctor;
mod effort;
mod ending;
mod first_runs;
mod init;
mod keeping;
mod left;
mod reduction;
mod state;
mod transform;
mod tree;

use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::cli::{self, Args, Task};
use crate::config::{Config, Input, Place};
use crate::engine::{Journal, Probe, Recording};
use crate::error::{Error, exit};
use crate::folder::Entry;
use crate::interrupt::Interrupt;
use crate::oracle::{Changing, Layout, ProcessOptions, ProcessOracle};
use crate::output::{self, Keep, MadeFolders, ResultFile};
use crate::report::{self, Effort, Reporter, Statistics, Stop};
use crate::strategy;
use crate::syntax::Language;
use crate::terminal;
use transform::Transformed;
use tree::TreeWork;

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
    reporter: Reporter,
    /// Where the HTML report goes.
    report: Option<ResultFile>,
    /// Where the summary goes.
    summary_file: Option<ResultFile>,
    files: Vec<Work>,
    /// What is left of a folder.
    tree: Option<TreeWork>,
    oracle: ProcessOracle,
    /// The answers of `--state`.
    journal: Option<Journal>,
    /// The answers of `--record`, and where they go.
    recording: Option<(Recording, ResultFile)>,
    /// What the first runs showed.
    probe: Probe,
    totals: Statistics,
    /// What was asked behind the certificate.
    effort: Effort,
    stopped: Option<Stop>,
    /// Passes that the user has skipped.
    skipped: Vec<&'static str>,
    /// Whether the result was interesting in a run that was made beside the last queries.
    last_test: Option<bool>,
    verified: Verified,
    transformed: Transformed,
    #[expect(dead_code, reason = "what is still empty goes at the end")]
    made_folders: MadeFolders,
}

/// What gets smaller at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// The whole folder, by whole files.
    Folder,
    /// The file of this number.
    File(usize),
}

/// How often the check accepted at the end what the search was told to be interesting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verified {
    Always,
    Sometimes,
    Never,
}

/// One file on its way.
struct Work {
    best: Arc<[u8]>,
    /// Whether each single change of the best has been refused.
    is_minimal: bool,
    /// Whether something stands where its result will be since another file has one.
    is_written: bool,
    result: ResultFile,
}

impl<'c> Run<'c> {
    /// Opens whatever will be written, so that what cannot be written is known before any work.
    fn prepare(config: &'c Config, interrupt: &'c Interrupt) -> Result<Self, Error> {
        let places = config.places();
        let mut made_folders = MadeFolders::default();
        let tree = TreeWork::open(config, &mut made_folders)?;
        let files = (0..config.inputs().len())
            .map(|index| Work::open(config, index, &mut made_folders))
            .collect::<Result<Vec<_>, _>>()?;
        let mode = config.mode_of_copies() | OWNER_MAY_WRITE;
        let report = places
            .report()
            .map(|path| ResultFile::at(path, Permissions::from_mode(mode)))
            .transpose()?;
        let summary_file = places
            .summary()
            .map(|path| ResultFile::at(path, Permissions::from_mode(mode)))
            .transpose()?;
        // Before the events of an earlier run are overwritten, all that may be refused has been.
        let journal = state::journal(config)?;
        let recording = state::recording(config)?;
        let json = places.json().map(|place| json_lines(place, mode));
        let json = json.transpose()?;
        let layout = layout(config, &files, tree.as_ref(), first_unit(config));
        let results = files.iter().map(|work| &work.result).chain(&report);
        let results = results.chain(recording.iter().map(|(_, file)| file));
        let results = results.chain(tree.as_ref().map(|tree| &tree.result));
        let fresh = results.filter_map(ResultFile::fresh_path);
        let fresh = fresh.chain(journal.as_ref().and_then(Journal::fresh_path));
        let options = ProcessOptions {
            remove_if_killed: fresh.map(Path::to_owned).collect(),
            ..config.process_options()
        };
        let oracle = ProcessOracle::new(config.check().clone(), layout, options, interrupt)?;
        let mut reporter = Reporter::new(config.verbosity(), config.progress(), json);
        let limits = (config.max_time(), config.max_queries());
        // The answers of a state are of a search with all its passes.
        let is_auto = config.plan().strategy == strategy::Strategy::Auto;
        let may_skip = is_auto && journal.is_none();
        let note = oracle.run_folder().join(terminal::NOTE);
        reporter.go_live(limits, may_skip, strategy::passes(), note, interrupt);
        reporter.files(config.inputs().iter().map(|input| {
            let language = input.language().map(|language| language.name());
            (
                input.name().to_string_lossy(),
                input.bytes().len(),
                language,
            )
        }));
        for warning in config.warnings() {
            reporter.warn(warning);
        }
        Ok(Self {
            config,
            interrupt,
            started: Instant::now(),
            reporter,
            report,
            summary_file,
            files,
            tree,
            oracle,
            journal,
            recording,
            probe: Probe::default(),
            totals: Statistics::default(),
            effort: Effort::default(),
            stopped: None,
            skipped: Vec::new(),
            last_test: None,
            verified: Verified::Always,
            transformed: Transformed::default(),
            made_folders,
        })
    }

    /// All that asks the oracle.
    fn work(&mut self) -> Result<(), Error> {
        self.check_original()?;
        self.reduce()?;
        self.verify()
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

impl Work {
    fn open(config: &Config, index: usize, folders: &mut MadeFolders) -> Result<Self, Error> {
        let input = &config.inputs()[index];
        let result = match config.places().file(index).result() {
            // The folder's result is there as a whole or not at all.
            Place::File(_) if config.folder().is_some() => ResultFile::nowhere(),
            Place::File(path) => {
                if let (Some(_), Some(folder)) = (config.places().folder(), path.parent()) {
                    folders.make(folder)?;
                }
                // The next run must be able to replace it.
                let mode = input.mode() | OWNER_MAY_WRITE;
                ResultFile::at(path, Permissions::from_mode(mode))?
            }
            Place::InPlace(path) => ResultFile::in_place(path, kept(config, input))?,
            Place::Stdout => ResultFile::stdout()?,
        };
        Ok(Self {
            best: Arc::clone(input.bytes()),
            is_minimal: false,
            is_written: false,
            result,
        })
    }
}

/// How much of an input that is rewritten is kept beside it.
fn kept(config: &Config, input: &Input) -> Keep {
    let Some(state) = config.places().state() else {
        return Keep::Original;
    };
    match fs::read(input.path()) {
        // Who goes on from the state needs it.
        Ok(found) if found == **input.bytes() => Keep::Exactly,
        Ok(found) if Journal::is_best(state, &found) => Keep::Nothing,
        _ => Keep::Original,
    }
}

/// What the check is tried with first.
fn first_unit(config: &Config) -> Unit {
    match config.folder() {
        Some(_) => Unit::Folder,
        None => Unit::File(0),
    }
}

/// What stands where the check runs while a unit is reduced: the others beside it, as small as they are by now.
fn layout(config: &Config, files: &[Work], tree: Option<&TreeWork>, unit: Unit) -> Layout {
    let inputs = config.inputs();
    let candidate = match unit {
        Unit::Folder => Changing::Choice,
        Unit::File(index) => Changing::File {
            name: inputs[index].name().to_owned(),
            mode: inputs[index].mode(),
        },
    };
    let beside = inputs.iter().zip(files).enumerate();
    let beside = beside.filter(|(other, _)| unit != Unit::File(*other));
    let entry = |(_, (input, work)): (_, (&Input, &Work))| {
        Entry::file(input.name(), input.mode(), &work.best[..])
    };
    Layout {
        candidate,
        companions: match tree {
            Some(tree) => tree.companions(config, unit),
            None => beside.map(entry).collect(),
        },
        arguments: config.arguments().to_vec(),
        top: config.top().cloned(),
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
    let written = cli::generate(what, &mut io::stdout().lock());
    written.map_err(system("cannot write to standard output"))?;
    Ok(exit::DONE)
}

/// The built-in languages with their extensions, one a line.
fn list_languages() -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    let mut lines = Language::built_in();
    let written = lines.try_for_each(|(name, extensions)| {
        let dotted: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
        writeln!(out, "{name:<11} {}", dotted.join(" "))
    });
    written.map_err(system("cannot write to standard output"))?;
    Ok(exit::DONE)
}

/// The passes of the default pipeline with what they do, one a line.
fn list_passes() -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    let mut passes = strategy::passes().into_iter();
    let written = passes.try_for_each(|(name, about)| writeln!(out, "{name:<23} {about}"));
    let written = written.and_then(|()| write_rewrites(&mut out));
    written.map_err(system("cannot write to standard output"))?;
    Ok(exit::DONE)
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
