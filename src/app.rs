//! A whole run from the arguments to the exit code; it reads like a list of contents.

mod ending;
mod first_runs;
mod keeping;
mod reduction;
mod state;

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Instant;

use crate::cli::{self, Args};
use crate::config::{Config, Input, Place};
use crate::engine::{Journal, Probe};
use crate::error::{Error, exit};
use crate::interrupt::Interrupt;
use crate::oracle::{Companion, Layout, ProcessOptions, ProcessOracle};
use crate::output::ResultFile;
use crate::report::{self, Reporter, Statistics, Stop};
use crate::syntax::Language;

/// Does what the arguments ask for and gives the exit code.
///
/// # Errors
/// Whatever keeps the run from giving a result; see [`Error`].
pub fn run(args: Args) -> Result<u8, Error> {
    report::set_colors(args.color);
    if let Some(what) = args.generate {
        return generate(what);
    }
    if args.language.as_deref() == Some(cli::LIST) {
        return list_languages();
    }
    let config = Config::from_args(args)?;
    let interrupt = Interrupt::install().map_err(system("cannot listen to signals"))?;
    let mut run = Run::prepare(&config, &interrupt)?;
    run.check_original()?;
    run.reduce()?;
    run.verify()?;
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
    files: Vec<Work>,
    oracle: ProcessOracle,
    /// The answers of `--state`.
    journal: Option<Journal>,
    /// What the first runs showed.
    probe: Probe,
    totals: Statistics,
    stopped: Option<Stop>,
    /// Whether the result was interesting in a run that was made beside the last queries.
    last_test: Option<bool>,
    verified: Verified,
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
    best: Vec<u8>,
    /// Whether each single change of the best has been refused.
    is_minimal: bool,
    result: ResultFile,
}

impl<'c> Run<'c> {
    /// Opens whatever will be written, so that what cannot be written is known before any work.
    fn prepare(config: &'c Config, interrupt: &'c Interrupt) -> Result<Self, Error> {
        let files = config
            .inputs()
            .iter()
            .map(Work::open)
            .collect::<Result<Vec<_>, _>>()?;
        let report = config
            .report()
            .map(|path| ResultFile::at(path, Permissions::from_mode(0o644)))
            .transpose()?;
        let json = config.json().map(json_lines).transpose()?;
        let mut reporter = Reporter::new(config.verbosity(), config.progress(), json);
        reporter.files(config.inputs().iter().map(|input| {
            let language = input.language().map(|language| language.name());
            (
                input.name().to_string_lossy(),
                input.bytes().len(),
                language,
            )
        }));
        let layout = layout(config.inputs(), &files, 0);
        let journal = state::journal(config)?;
        let fresh = files.iter().filter_map(|work| work.result.fresh_path());
        let options = ProcessOptions {
            remove_if_killed: fresh.map(Path::to_owned).collect(),
            ..config.process_options()
        };
        let oracle = ProcessOracle::new(config.check().clone(), layout, options, interrupt)?;
        Ok(Self {
            config,
            interrupt,
            started: Instant::now(),
            reporter,
            report,
            files,
            oracle,
            journal,
            probe: Probe::default(),
            totals: Statistics::default(),
            stopped: None,
            last_test: None,
            verified: Verified::Always,
        })
    }

    /// Whether a signal ended the run before its time.
    fn is_interrupted(&self) -> bool {
        self.interrupt.signal().is_some()
    }
}

impl Work {
    fn open(input: &Input) -> Result<Self, Error> {
        let result = match input.place() {
            Place::File(path) => {
                // The next run must be able to replace it.
                let mode = input.mode() | OWNER_MAY_WRITE;
                ResultFile::at(path, Permissions::from_mode(mode))?
            }
            Place::InPlace(path) => ResultFile::in_place(path, input.bytes())?,
            Place::Stdout => ResultFile::stdout(),
        };
        Ok(Self {
            best: input.bytes().to_vec(),
            is_minimal: false,
            result,
        })
    }
}

/// What stands in the check's folder while the file `index` is reduced: the others beside it, as small as they are by now.
fn layout(inputs: &[Input], files: &[Work], index: usize) -> Layout {
    let others = inputs
        .iter()
        .zip(files)
        .enumerate()
        .filter(|(other, _)| *other != index);
    Layout {
        name: inputs[index].name().to_owned(),
        mode: inputs[index].mode(),
        companions: others
            .map(|(_, (input, work))| Companion {
                name: input.name().to_owned(),
                mode: input.mode(),
                bytes: work.best.clone(),
            })
            .collect(),
    }
}

fn json_lines(place: &Place) -> Result<Box<dyn Write>, Error> {
    let to_file = |path: &Path| {
        let file = File::create(path).map_err(|source| Error::CannotWrite {
            path: path.to_owned(),
            source,
        })?;
        Ok(Box::new(BufWriter::new(file)) as Box<dyn Write>)
    };
    place.path().map_or_else(
        || Ok(Box::new(BufWriter::new(io::stdout())) as Box<dyn Write>),
        to_file,
    )
}

fn generate(what: cli::Generate) -> Result<u8, Error> {
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

fn system(doing: &str) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::System {
        doing: doing.into(),
        source,
    }
}
