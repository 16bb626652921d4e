//! What to reduce: read once, with everything that is wrong with it said before any work.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::{self, Folder};
use super::rewrites::{add_all, added};
use super::{Kept, similar};
use crate::cli::{Args, NO_LANGUAGE};
use crate::engine::Journal;
use crate::error::Error;
use crate::output::{backups, mode_for_copies, real_path};
use crate::strategy::Encoding;
use crate::syntax::Language;

/// One file to reduce.
#[derive(Debug, Clone)]
pub struct Input {
    path: PathBuf,
    name: PathBuf,
    bytes: Arc<[u8]>,
    mode: u32,
    language: Option<Arc<Language>>,
    kept: Arc<Kept>,
    encoding: Encoding,
}

/// What was typed, and the language that was loaded for it.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    pub(super) args: &'a Args,
    pub(super) own: Option<&'a Arc<Language>>,
    /// By extension, because a folder has many files of few languages, and loading one takes milliseconds.
    loaded: &'a RefCell<BTreeMap<String, Arc<Language>>>,
}

/// All that is to be reduced.
#[derive(Debug)]
pub(super) struct Inputs {
    pub(super) files: Vec<Input>,
    pub(super) folder: Option<Folder>,
    pub(super) arguments: Vec<PathBuf>,
    pub(super) top: Option<OsString>,
    /// What the user should know about them.
    pub(super) warnings: Vec<String>,
}

/// The argument that stands for standard input.
pub(super) const STDIN: &str = "-";
/// Standard input's name where the check runs, without its language's extension.
const NAME_OF_STDIN: &str = "input";
const MODE_OF_STDIN: u32 = 0o644;

impl Input {
    /// The path as the user gave it; of a file in a folder that was given, the folder's with the name in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path under which the check finds the candidate where it runs: the file's own name, and where several inputs do
    /// not lie in one folder, the folders that tell them apart.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The original.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Its permission bits.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// The texts that must stay.
    pub fn kept(&self) -> &Arc<Kept> {
        &self.kept
    }

    /// How its bytes stand for a text.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The language whose grammar cuts it up.
    pub fn language(&self) -> Option<&Arc<Language>> {
        self.language.as_ref()
    }

    /// Whether it was read from standard input.
    pub(super) fn is_stdin(&self) -> bool {
        self.path == Path::new(STDIN)
    }

    pub(super) fn new(
        typed: Typed<'_>,
        path: PathBuf,
        name: PathBuf,
        mode: u32,
        bytes: Arc<[u8]>,
    ) -> Result<Self, Error> {
        let encoding = Encoding::of(&bytes);
        let text = encoding.decode(&bytes);
        Ok(Self {
            language: language(typed, &name, &text)?,
            kept: Arc::new(super::keep::kept(typed.args, &text)?),
            encoding,
            mode,
            path,
            name,
            bytes,
        })
    }
}

pub(super) fn read(args: &Args, paths: &[PathBuf]) -> Result<Inputs, Error> {
    let own = args.input.grammar.as_deref();
    let mut own = own.map(super::grammar::load).transpose()?;
    if let Some(own) = &mut own {
        add_all(args, own)?;
    }
    let own = own.map(Arc::new);
    let typed = Typed {
        args,
        own: own.as_ref(),
        loaded: &RefCell::default(),
    };
    if paths.iter().any(|path| path == Path::new(STDIN)) {
        return read_stdin(typed, paths);
    }
    let (names, top) = names(paths);
    refuse_twice(paths, &names)?;
    if paths.iter().any(|path| path.is_dir()) {
        return folder::read(typed, paths, names, top);
    }
    let mut files: Vec<Input> = Vec::new();
    for (path, name) in paths.iter().zip(&names) {
        files.push(read_input(typed, path, name)?);
    }
    // Beside others an empty one may be needed, and is what is left of some results.
    if files.iter().all(|file| file.bytes.is_empty()) {
        return Err(Error::EmptyFile {
            path: paths.first().cloned().unwrap_or_default(),
        });
    }
    Ok(Inputs {
        files,
        folder: None,
        arguments: names,
        top: None,
        warnings: Vec::new(),
    })
}

/// Reads a file that was named on the command line.
pub(super) fn read_input(typed: Typed<'_>, path: &Path, name: &Path) -> Result<Input, Error> {
    let (bytes, found) = read_original(typed.args, path, name)?;
    let mode = mode_for_copies(&found);
    Input::new(typed, path.to_owned(), name.to_owned(), mode, bytes.into())
}

fn read_stdin(typed: Typed<'_>, paths: &[PathBuf]) -> Result<Inputs, Error> {
    if paths.len() > 1 {
        return Err(Error::Usage {
            problem: "`-` is standard input, which is reduced alone".into(),
            hint: "put it into a file first: cat > bug.c".into(),
        });
    }
    if typed.args.in_place {
        return Err(Error::Usage {
            problem: "standard input cannot be rewritten in place".into(),
            hint: "leave -i out: the result goes to standard output, or to -o PATH".into(),
        });
    }
    let path = PathBuf::from(STDIN);
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|source| Error::CannotRead {
        path: "standard input".into(),
        source,
    })?;
    if bytes.is_empty() {
        return Err(Error::EmptyFile {
            path: "standard input".into(),
        });
    }
    let mut input = Input::new(
        typed,
        path,
        NAME_OF_STDIN.into(),
        MODE_OF_STDIN,
        bytes.into(),
    )?;
    let language = input.language.as_ref();
    let extension = language.and_then(|language| language.facts().extensions.first());
    if let Some(extension) = extension {
        input.name.set_extension(extension);
    }
    Ok(Inputs {
        arguments: vec![input.name.clone()],
        files: vec![input],
        folder: None,
        top: None,
        warnings: Vec::new(),
    })
}

/// The inputs' names from the folder that holds them all, which is where the check runs. A folder alone is that itself, and has a
/// name of its own then.
fn names(paths: &[PathBuf]) -> (Vec<PathBuf>, Option<OsString>) {
    let places: Vec<PathBuf> = paths.iter().map(|path| place(path)).collect();
    if let ([path], [place]) = (paths, &places[..])
        && path.is_dir()
    {
        let top = place.file_name().unwrap_or(OsStr::new("root"));
        return (vec![PathBuf::new()], Some(top.to_owned()));
    }
    let parent = |place: &PathBuf| place.parent().map(Path::to_owned).unwrap_or_default();
    let mut common = places.first().map(parent).unwrap_or_default();
    for place in &places {
        let parent = parent(place);
        while !parent.starts_with(&common) && common.pop() {}
    }
    let name = |place: &PathBuf| place.strip_prefix(&common).unwrap_or(place).to_owned();
    (places.iter().map(name).collect(), None)
}

/// Where an input is. The last part of a file's path is its own name, also when it is a link.
fn place(path: &Path) -> PathBuf {
    match (path.file_name(), path.parent()) {
        (Some(name), Some(parent)) if !path.is_dir() => {
            let here = Path::new(".");
            let parent = if parent.as_os_str().is_empty() {
                here
            } else {
                parent
            };
            real_path(parent).join(name)
        }
        _ => real_path(path),
    }
}

fn refuse_twice(paths: &[PathBuf], names: &[PathBuf]) -> Result<(), Error> {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Error::Usage {
                problem: format!("{} is given twice", paths[index].display()),
                hint: "name each file once".into(),
            });
        }
    }
    Ok(())
}

/// Reads a file. A run that goes on where `-i` was stopped starts from the original again, which stands beside the file by
/// now; the state tells which of the files there it is, and whether the file is what such a run has left.
fn read_original(args: &Args, path: &Path, name: &Path) -> Result<(Vec<u8>, Metadata), Error> {
    let found = read_file(path);
    let (Some(state), true) = (&args.state, args.in_place) else {
        return found;
    };
    let name = name.to_string_lossy();
    let is_original = |bytes: &[u8]| Journal::knows_input(state, &name, bytes);
    let is_left = |bytes: &[u8]| Journal::knows_result(state, bytes);
    let is_input = |bytes: &[u8]| is_original(bytes) || !is_left(bytes);
    if found.as_ref().is_ok_and(|(bytes, _)| is_input(bytes)) {
        return found;
    }
    let copies = fs::canonicalize(path).map_or_else(|_| Vec::new(), |path| backups(&path));
    let mut copies = copies.iter().filter_map(|copy| read_file(copy).ok());
    copies
        .find(|(bytes, _)| is_original(bytes))
        .map_or(found, Ok)
}

/// The language of a file: the user's own, if it is the only file or has one of its extensions.
fn language(typed: Typed<'_>, path: &Path, bytes: &[u8]) -> Result<Option<Arc<Language>>, Error> {
    let Typed { args, own, loaded } = typed;
    if let Some(own) = own {
        let extensions = &own.facts().extensions;
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_alone = args.inputs.len() + usize::from(!args.command.is_empty()) <= 2
            && !args.inputs.last().is_some_and(|path| path.is_dir());
        if is_alone || extensions.is_empty() || extensions.iter().any(|own| own == extension) {
            return Ok(Some(Arc::clone(own)));
        }
    }
    match args.language.as_deref() {
        Some(NO_LANGUAGE) => return Ok(None),
        Some(name) => return added(args, Language::named(name)),
        None => {}
    }
    let extension = path.extension().and_then(OsStr::to_str);
    let key = extension.unwrap_or_default().to_ascii_lowercase();
    if let Some(known) = loaded.borrow().get(&key) {
        return Ok(Some(Arc::clone(known)));
    }
    let found = added(args, Language::detect(extension, bytes))?;
    // What the content has told says nothing about other files.
    if let Some(language) = found
        .as_ref()
        .filter(|found| found.facts().extensions.contains(&key))
    {
        loaded.borrow_mut().insert(key, Arc::clone(language));
    }
    Ok(found)
}

/// The text of a file that an option names.
pub(super) fn read_text(path: &Path) -> Result<String, Error> {
    let (bytes, _) = read_file(path)?;
    String::from_utf8(bytes).map_err(|error| Error::CannotRead {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidData, error),
    })
}

pub(super) fn read_file(path: &Path) -> Result<(Vec<u8>, Metadata), Error> {
    let found = refuse_other_than_file(path)?;
    let bytes = fs::read(path).map_err(|source| Error::CannotRead {
        path: path.to_owned(),
        source,
    })?;
    Ok((bytes, found))
}

/// Reading a pipe or a device could block or never end, so only files pass. Gives what is known of them.
///
/// # Errors
/// What is there instead, or that nothing is.
pub fn refuse_other_than_file(path: &Path) -> Result<Metadata, Error> {
    let metadata = fs::metadata(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound if path == Path::new("-") => Error::NotAFile {
            path: path.to_owned(),
            kind: "standard input",
        },
        io::ErrorKind::NotFound => Error::NoSuchFile {
            path: path.to_owned(),
            similar: similar::file(path),
        },
        _ => Error::CannotRead {
            path: path.to_owned(),
            source,
        },
    })?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => return Ok(metadata),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(Error::NotAFile {
        path: path.to_owned(),
        kind,
    })
}
