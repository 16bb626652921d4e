//! The files to reduce: read once, with everything that is wrong with them said before any work.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Kept, similar};
use crate::cli::{Args, NO_LANGUAGE};
use crate::engine::Journal;
use crate::error::Error;
use crate::output::backups;
use crate::syntax::Language;

/// One file to reduce.
#[derive(Debug, Clone)]
pub struct Input {
    path: PathBuf,
    bytes: Vec<u8>,
    mode: u32,
    language: Option<Arc<Language>>,
    kept: Arc<Kept>,
}

impl Input {
    /// The path as the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's own name, under which the check finds the candidate.
    pub fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or(self.path.as_os_str())
    }

    /// The original.
    pub fn bytes(&self) -> &[u8] {
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

    /// The language whose grammar cuts it up.
    pub fn language(&self) -> Option<&Arc<Language>> {
        self.language.as_ref()
    }
}

pub(super) fn read(args: &Args, files: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in files {
        let (bytes, permissions) = read_original(args, path)?;
        let input = Input {
            language: language(args, path, &bytes),
            kept: Arc::new(super::keep::kept(args, &bytes)?),
            mode: permissions.mode() & 0o777,
            path: path.clone(),
            bytes,
        };
        if let Some(other) = inputs.iter().find(|other| other.name() == input.name()) {
            return Err(same_name(&other.path, path));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// Reads a file. A run that goes on where `-i` was stopped starts from the original again, which stands beside the file by
/// now; the state tells which of the files there it is.
fn read_original(args: &Args, path: &Path) -> Result<(Vec<u8>, Permissions), Error> {
    let found = read_file(path);
    let (Some(state), true) = (&args.state, args.in_place) else {
        return found;
    };
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let is_original = |bytes: &[u8]| Journal::knows_input(state, &name, bytes);
    if found.as_ref().is_ok_and(|(bytes, _)| is_original(bytes)) {
        return found;
    }
    let copies = fs::canonicalize(path).map_or_else(|_| Vec::new(), |path| backups(&path));
    let mut copies = copies.iter().filter_map(|copy| read_file(copy).ok());
    copies
        .find(|(bytes, _)| is_original(bytes))
        .map_or(found, Ok)
}

fn same_name(one: &Path, other: &Path) -> Error {
    let (one, other) = (one.display(), other.display());
    Error::Usage {
        problem: format!(
            "{one} and {other} have the same name, but the check finds all files in one folder"
        ),
        hint: "give each file a name of its own".into(),
    }
}

fn language(args: &Args, path: &Path, bytes: &[u8]) -> Option<Arc<Language>> {
    match args.language.as_deref() {
        Some(NO_LANGUAGE) => None,
        Some(name) => Language::named(name),
        None => Language::detect(path.extension().and_then(OsStr::to_str), bytes),
    }
}

fn read_file(path: &Path) -> Result<(Vec<u8>, Permissions), Error> {
    let permissions = refuse_other_than_file(path)?;
    let bytes = fs::read(path).map_err(|source| Error::CannotRead {
        path: path.to_owned(),
        source,
    })?;
    if bytes.is_empty() {
        Err(Error::EmptyFile {
            path: path.to_owned(),
        })
    } else {
        Ok((bytes, permissions))
    }
}

/// Reading a pipe or a device could block or never end, so only files pass.
pub(super) fn refuse_other_than_file(path: &Path) -> Result<Permissions, Error> {
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
        kind if kind.is_file() => return Ok(metadata.permissions()),
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
