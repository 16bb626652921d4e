//! What gets smaller: the files, and the folder that they are in.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use super::OWNER_MAY_WRITE;
use super::tree::TreeWork;
use crate::config::{Config, Input, Place};
use crate::engine::Journal;
use crate::error::Error;
use crate::folder::{Entry, listing};
use crate::oracle::{Changing, Layout};
use crate::output::{Keep, MadeFolders, OutputError, ResultFile};

/// What gets smaller at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// The whole folder, by whole files.
    Folder,
    /// The file of this number.
    File(usize),
}

/// All inputs, as small as they are by now.
pub(super) struct Material<'c> {
    config: &'c Config,
    pub(super) files: Vec<Work>,
    /// What is left of a folder.
    pub(super) tree: Option<TreeWork>,
    #[expect(dead_code, reason = "what is still empty goes at the end")]
    made_folders: MadeFolders,
}

/// One file on its way.
pub(super) struct Work {
    pub(super) best: Arc<[u8]>,
    /// Whether each single change of the best has been refused.
    pub(super) is_minimal: bool,
    /// Whether something stands where its result will be since another file has one.
    is_written: bool,
    pub(super) result: ResultFile,
}

impl<'c> Material<'c> {
    /// # Errors
    /// A result cannot be written.
    pub(super) fn open(config: &'c Config) -> Result<Self, Error> {
        let mut made_folders = MadeFolders::default();
        let tree = TreeWork::open(config, &mut made_folders)?;
        let files = (0..config.inputs().len())
            .map(|index| Work::open(config, index, &mut made_folders))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            config,
            files,
            tree,
            made_folders,
        })
    }

    /// Where the results come.
    pub(super) fn results(&self) -> impl Iterator<Item = &ResultFile> {
        let files = self.files.iter().map(|work| &work.result);
        files.chain(self.tree.as_ref().map(|tree| &tree.result))
    }

    /// The folder if there is one, and the files.
    pub(super) fn units(&self) -> Vec<Unit> {
        let folder = self.tree.iter().map(|_| Unit::Folder);
        folder
            .chain((0..self.files.len()).map(Unit::File))
            .collect()
    }

    /// What the check is tried with first.
    pub(super) fn first_unit(&self) -> Unit {
        match self.tree {
            Some(_) => Unit::Folder,
            None => Unit::File(0),
        }
    }

    /// A unit that got smaller.
    pub(super) fn changed_unit(&self) -> Option<Unit> {
        if self.tree.is_some() {
            return self.is_tree_smaller().then_some(Unit::Folder);
        }
        let mut files = (0..self.files.len()).rev();
        files.find(|&index| self.is_smaller(index)).map(Unit::File)
    }

    /// Whether there is one file and nothing else.
    pub(super) fn is_one_file(&self) -> bool {
        self.files.len() == 1 && self.tree.is_none()
    }

    /// The bytes that stand for all of a unit.
    pub(super) fn best(&self, unit: Unit) -> Arc<[u8]> {
        match (unit, &self.tree) {
            (Unit::File(index), _) => Arc::clone(&self.files[index].best),
            (Unit::Folder, Some(tree)) => tree.best().into(),
            (Unit::Folder, None) => Arc::from([]),
        }
    }

    /// What stands where the check runs while a unit is reduced: the others beside it, as small as they are by now.
    pub(super) fn layout(&self, unit: Unit) -> Layout {
        let inputs = self.config.inputs();
        let candidate = match unit {
            Unit::Folder => Changing::Choice,
            Unit::File(index) => Changing::File {
                name: inputs[index].name().to_owned(),
                mode: inputs[index].mode(),
            },
        };
        let beside = inputs.iter().zip(&self.files).enumerate();
        let beside = beside.filter(|(other, _)| unit != Unit::File(*other));
        let entry = |(_, (input, work)): (_, (&Input, &Work))| {
            Entry::file(input.name(), input.mode(), &work.best[..])
        };
        Layout {
            candidate,
            companions: match &self.tree {
                Some(tree) => tree.companions(self.config, unit),
                None => beside.map(entry).collect(),
            },
            arguments: self.config.arguments().to_vec(),
            top: self.config.top().cloned(),
        }
    }

    /// Bytes of all that is there beside the unit.
    pub(super) fn bytes_beside(&self, unit: Unit) -> usize {
        match (unit, &self.tree) {
            (Unit::Folder, _) => 0,
            (Unit::File(index), Some(tree)) => {
                tree.size().saturating_sub(self.files[index].best.len())
            }
            (Unit::File(index), None) => {
                let others = self.files.iter().enumerate();
                let others = others.filter(|(other, _)| *other != index);
                others.map(|(_, work)| work.best.len()).sum()
            }
        }
    }

    /// Whether the file has gone from its folder.
    pub(super) fn is_gone(&self, index: usize) -> bool {
        let tree = self.tree.as_ref().zip(self.entry(index));
        tree.is_some_and(|(tree, entry)| !tree.has(entry))
    }

    /// The file's number in the folder that it is in.
    fn entry(&self, index: usize) -> Option<usize> {
        Some(self.config.folder()?.of_input(index))
    }

    pub(super) fn is_smaller(&self, index: usize) -> bool {
        let (best, original) = (&self.files[index].best, self.config.inputs()[index].bytes());
        !Arc::ptr_eq(best, original) && best != original
    }

    pub(super) fn is_tree_smaller(&self) -> bool {
        let folder = self.config.folder();
        let entries = folder.map_or(0, |folder| folder.entries().len());
        let tree = self.tree.as_ref();
        tree.is_some_and(|tree| *tree.best() != listing(0..entries))
            || (0..self.files.len()).any(|index| self.is_smaller(index))
    }

    /// Lets a file of a folder be written into the folder's result, which is written first if it is not there.
    ///
    /// # Errors
    /// The folder's result cannot be written.
    pub(super) fn open_entry(&mut self, index: usize) -> Result<(), Error> {
        if let (Some(number), Some(tree)) = (self.entry(index), &mut self.tree) {
            tree.save()?;
            self.files[index].result = tree.result.entry(number);
        }
        Ok(())
    }

    /// A file that is going to be reduced, and those whose results are files of their own that are not there before it has one.
    pub(super) fn pick(&mut self, index: usize) -> (&mut Work, Vec<&mut Work>) {
        let places = self.config.places();
        let is_folder = self.tree.is_some();
        let is_due = |other: usize, work: &Work| {
            let is_new = matches!(places.file(other).result(), Place::File(_));
            is_new && !is_folder && !work.is_written
        };
        let (before, from) = self.files.split_at_mut(index);
        let (work, after) = from.split_at_mut(1);
        let after = after.iter_mut().zip(index + 1..);
        let others = before.iter_mut().zip(0..).chain(after);
        let others = others.filter(|(other, number)| is_due(*number, other));
        (&mut work[0], others.map(|(other, _)| other).collect())
    }

    /// Takes over what became of a file. Says whether it is another.
    pub(super) fn replace(&mut self, index: usize, best: &[u8]) -> bool {
        let entry = self.entry(index);
        let work = &mut self.files[index];
        if *best == *work.best {
            return false;
        }
        work.best = best.into();
        if let (Some(tree), Some(number)) = (&mut self.tree, entry) {
            tree.set_entry(number, &work.best);
        }
        true
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
        // Who goes on from the state needs what it began with.
        Ok(found) if found != **input.bytes() && Journal::is_best(state, &found) => Keep::Nothing,
        _ => Keep::Original,
    }
}

/// Puts files that are not reduced now where their results will be, the first time that another one has a result: neither
/// is a test case without the other.
///
/// # Errors
/// One of them cannot be written.
pub(super) fn write_beside(files: &mut Vec<&mut Work>) -> Result<(), OutputError> {
    files.drain(..).try_for_each(|file| {
        file.is_written = true;
        file.result.save(&file.best)
    })
}
