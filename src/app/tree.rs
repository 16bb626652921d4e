//! A folder on its way: whole files first, and again when what is in them got smaller.

use std::sync::Arc;

use super::Run;
use super::material::Unit;
use super::reduction::add;
use crate::config::Config;
use crate::engine::{Engine, Settings, Size};
use crate::error::Error;
use crate::folder::{Entry, listed, listing};
use crate::output::{MadeFolders, ResultFile};
use crate::report::Stop;
use crate::strategy::FileSearch;

/// What is left of a folder.
pub(super) struct TreeWork {
    /// All that was there, the files as small as they are by now.
    entries: Vec<Entry>,
    /// The listing of those that are left.
    best: Vec<u8>,
    /// Whether each single entry has been refused.
    pub(super) is_minimal: bool,
    pub(super) result: ResultFile,
    is_saved: bool,
    /// Bytes of all files at first.
    pub(super) original_size: usize,
}

impl TreeWork {
    /// `None`: no input is a folder.
    pub(super) fn open(config: &Config, folders: &mut MadeFolders) -> Result<Option<Self>, Error> {
        let (Some(folder), Some(place)) = (config.folder(), config.places().folder()) else {
            return Ok(None);
        };
        if let Some(above) = place.parent() {
            folders.make(above)?;
        }
        let entries = folder.entries().to_vec();
        Ok(Some(Self {
            best: listing(0..entries.len()),
            is_minimal: false,
            result: ResultFile::folder(place, entries.clone(), folder.mode())?,
            is_saved: false,
            original_size: entries.iter().map(|entry| entry.bytes().len()).sum(),
            entries,
        }))
    }

    /// The listing of what is left.
    pub(super) fn best(&self) -> &[u8] {
        &self.best
    }

    /// What stands beside the unit, or what it is a choice of.
    pub(super) fn companions(&self, config: &Config, unit: Unit) -> Vec<Entry> {
        match (unit, config.folder()) {
            (Unit::File(index), Some(folder)) => {
                let own = folder.of_input(index);
                let others = listed(&self.best).filter(|&number| number != own);
                others.map(|number| self.entries[number].clone()).collect()
            }
            _ => self.entries.clone(),
        }
    }

    pub(super) fn has(&self, number: usize) -> bool {
        listed(&self.best).any(|left| left == number)
    }

    /// How many files are left, and how many there were.
    pub(super) fn counts(&self) -> (usize, usize) {
        let is_file = |entry: &&Entry| !entry.is_folder();
        let left = listed(&self.best).map(|number| &self.entries[number]);
        (
            left.filter(is_file).count(),
            self.entries.iter().filter(is_file).count(),
        )
    }

    /// Bytes of all that is left.
    pub(super) fn size(&self) -> usize {
        let left = listed(&self.best).map(|number| self.entries[number].bytes().len());
        left.sum()
    }

    /// Bytes of each entry.
    fn sizes(&self) -> Arc<[usize]> {
        let sizes = self.entries.iter().map(|entry| entry.bytes().len());
        sizes.collect()
    }

    pub(super) fn set_entry(&mut self, number: usize, bytes: &[u8]) {
        let bytes: Arc<[u8]> = bytes.into();
        self.result.set_entry(number, Arc::clone(&bytes));
        let old = &self.entries[number];
        self.entries[number] = Entry::file(old.name.clone(), old.mode, bytes);
    }

    /// Puts what is left under the result's name, if that has not been done.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        if !self.is_saved {
            self.result.save(&self.best)?;
            self.is_saved = true;
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Removes whole files. Says whether any went.
    pub(super) fn reduce_folder(&mut self) -> Result<bool, Error> {
        self.oracle.rearrange(self.material.layout(Unit::Folder));
        let settings = self.settings(Unit::Folder);
        let (Some(folder), Some(tree)) = (self.config.folder(), &mut self.material.tree) else {
            return Ok(false);
        };
        let settings = Settings {
            tests_result: false,
            size: Size::Entries(tree.sizes()),
            ..settings
        };
        let name = folder.path().to_string_lossy();
        let sizes = [tree.original_size, tree.size(), 0];
        self.reporter.reducing(
            &name,
            &tree.best[..].into(),
            sizes,
            self.tally.totals.queries,
        );
        let reporter = &mut self.reporter;
        let mut events = |event: &_| reporter.event(event);
        let mut engine = self.answers.for_search(Engine::new(
            &tree.best,
            &self.oracle,
            settings,
            &mut tree.result,
            self.interrupt,
            &mut events,
        ));
        let shape = folder.shape().clone();
        let build = move |best: &[u8]| FileSearch::new(&shape, listed(best));
        let stopped = engine.run_until_known(build)?;
        // There is one pass here; without it the files come next.
        self.interrupt.take_skip();
        self.tally.stopped = stopped.filter(|reason| *reason != Stop::Skipped);
        let (best, statistics) = engine.finish();
        let changed = best != tree.best;
        tree.is_minimal = stopped.is_none() && statistics.given_up == 0;
        tree.is_saved |= changed;
        tree.best = best;
        add(&mut self.tally.totals, &statistics);
        Ok(changed)
    }
}
