//! Where what a reduction finds goes: the result file, the journal, the folder of other finds, and whoever listens.

use super::rendered::Rendered;
use super::{EngineError, Event, Finds, Journal, Recording, ResultFile};
use crate::oracle::Outcome;

pub(super) struct Outlets<'a> {
    output: &'a mut ResultFile,
    events: &'a mut dyn FnMut(&Event),
    /// Whether the events have each candidate.
    pub(super) shows_candidates: bool,
    pub(super) journal: Option<&'a mut Journal>,
    pub(super) recording: Option<&'a mut Recording>,
    pub(super) finds: Option<&'a mut Finds>,
    /// The best is not in the result file yet. During a replay it may be there already, or something better.
    unsaved: bool,
}

impl<'a> Outlets<'a> {
    pub(super) fn new(
        output: &'a mut ResultFile,
        events: &'a mut dyn FnMut(&Event),
        shows_candidates: bool,
    ) -> Self {
        Self {
            output,
            events,
            shows_candidates,
            journal: None,
            recording: None,
            finds: None,
            unsaved: false,
        }
    }

    pub(super) fn tell(&mut self, event: &Event) {
        (self.events)(event);
    }

    /// There is a new best: see [`Outlets::save`].
    pub(super) fn improved(&mut self) {
        self.unsaved = true;
    }

    /// Puts the best into the result file if it is not there. Cost: milliseconds on some disks, because a file is replaced.
    pub(super) fn save(&mut self, best: &Rendered) -> Result<(), EngineError> {
        if !std::mem::take(&mut self.unsaved) {
            return Ok(());
        }
        self.output.save(&best.bytes)?;
        if let Some(journal) = &mut self.journal {
            journal.keep(&best.bytes)?;
        }
        Ok(())
    }

    /// Writes down what the oracle said, and keeps what it marked as worth keeping.
    pub(super) fn record(
        &mut self,
        candidate: &Rendered,
        outcome: Outcome,
    ) -> Result<(), EngineError> {
        if let Some(journal) = &mut self.journal {
            journal.record(candidate, outcome)?;
        }
        if outcome == Outcome::AlsoInteresting {
            self.keep_find(candidate);
        }
        Ok(())
    }

    /// Adds what the oracle said now, or in the run that the journal is of, to the recording.
    pub(super) fn add_to_recording(&mut self, candidate: &Rendered, outcome: Outcome) {
        if let Some(recording) = &mut self.recording {
            recording.record_rendered(candidate, outcome);
        }
    }

    /// That it cannot be saved is worth a word, not the end.
    fn keep_find(&mut self, candidate: &Rendered) {
        let Some(finds) = &mut self.finds else { return };
        let event = match finds.save(candidate) {
            Ok(None) => return,
            Ok(Some(path)) => Event::AlsoInteresting { path },
            Err(error) => {
                let text = format!("cannot save a candidate that is also interesting: {error}");
                Event::Warning { text }
            }
        };
        self.tell(&event);
    }
}
