//! What stands where the check runs, and what of it changes from query to query.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::removal::make_folder;
use super::workplace::{FileId, write_new};
use crate::folder::{Content, Entry, listed};

/// What stands in the working directory. All names are paths from there.
#[derive(Clone, Debug)]
pub struct Layout {
    /// What the candidate's bytes are.
    pub candidate: Changing,
    /// What stands beside the candidate, or what it is a choice of. A folder comes before what is in it.
    pub companions: Vec<Entry>,
    /// What the check gets as its arguments; the first stands for `@@` in a command. An empty path is the working directory.
    pub arguments: Vec<PathBuf>,
    /// The working directory's own name, where it matters.
    pub top: Option<OsString>,
}

/// What a candidate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changing {
    /// The content of a file.
    File {
        /// Its name.
        name: PathBuf,
        /// Its permission bits (the original's, so that a script stays executable).
        mode: u32,
    },
    /// A listing of the companions that are there; see [`crate::folder`].
    Choice,
}

impl Layout {
    /// One file alone, whose path is the check's argument.
    pub fn of_file(name: impl Into<PathBuf>, mode: u32) -> Self {
        let name = name.into();
        Self {
            arguments: vec![name.clone()],
            candidate: Changing::File { name, mode },
            companions: Vec::new(),
            top: None,
        }
    }

    /// The same with another name of the candidate, which is the first argument.
    #[must_use]
    pub fn renamed(mut self, name: &Path) -> Self {
        if let (Changing::File { name: own, .. }, Some(first)) =
            (&mut self.candidate, self.arguments.first_mut())
        {
            name.clone_into(own);
            name.clone_into(first);
        }
        self
    }

    /// The working directory below `container`.
    pub(super) fn work(&self, container: &Path) -> PathBuf {
        let top = self.top.as_ref();
        top.map_or_else(|| container.to_owned(), |top| container.join(top))
    }

    /// The check's arguments when it runs in `work`.
    pub(super) fn absolute_arguments(&self, work: &Path) -> Vec<PathBuf> {
        let absolute = |path: &PathBuf| {
            if path.as_os_str().is_empty() {
                work.to_owned()
            } else {
                work.join(path)
            }
        };
        self.arguments.iter().map(absolute).collect()
    }

    /// The companions that are there beside the candidate, or as it says.
    pub(super) fn present<'l>(&'l self, candidate: &[u8]) -> Vec<&'l Entry> {
        match self.candidate {
            Changing::File { .. } => self.companions.iter().collect(),
            Changing::Choice => self.chosen(listed(candidate)),
        }
    }

    /// The companions of these numbers.
    pub(super) fn chosen(&self, numbers: impl Iterator<Item = usize>) -> Vec<&Entry> {
        numbers
            .filter_map(|number| self.companions.get(number))
            .collect()
    }

    /// Fills the empty folder `work`. Returns which file the candidate is, if it is one.
    pub(super) fn place(&self, work: &Path, candidate: &[u8]) -> io::Result<FileId> {
        for entry in self.present(candidate) {
            put(work, entry)?;
        }
        match &self.candidate {
            Changing::File { name, mode } => {
                make_folders(work, name)?;
                write_new(&work.join(name), candidate, *mode)
            }
            Changing::Choice => Ok(FileId::default()),
        }
    }

    /// All that stands in `work` beside the candidate, with the folders that nobody named.
    pub(super) fn placed(&self, work: &Path, candidate: &[u8]) -> BTreeSet<PathBuf> {
        let present = self.present(candidate);
        let mut placed: BTreeSet<PathBuf> = BTreeSet::new();
        let mut add_folders = |name: &Path| {
            let folders = name.ancestors().skip(1);
            placed.extend(folders.map(|folder| work.join(folder)));
        };
        for entry in &present {
            add_folders(&entry.name);
        }
        if let Changing::File { name, .. } = &self.candidate {
            add_folders(name);
        }
        placed.extend(present.iter().map(|entry| work.join(&entry.name)));
        placed
    }
}

/// Makes an entry and the folders that it is in.
pub(super) fn put(work: &Path, entry: &Entry) -> io::Result<()> {
    make_folders(work, &entry.name)?;
    let path = work.join(&entry.name);
    match &entry.content {
        Content::File(bytes) => write_new(&path, bytes, entry.mode).map(|_| ()),
        Content::Link(target) => symlink(target, path),
        // The check must be able to work in it.
        Content::Folder => make_folder(&path),
    }
}

fn make_folders(work: &Path, name: &Path) -> io::Result<()> {
    let mut folders: Vec<&Path> = name.ancestors().skip(1).collect();
    // The last one is the empty path.
    folders.pop();
    folders
        .iter()
        .rev()
        .try_for_each(|folder| make_folder(&work.join(folder)))
}
