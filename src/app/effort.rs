//! What `--effort max` came to: what was asked behind the certificate, and what it brought.

use crate::report::{Effort, Event};
use crate::strategy::is_beyond;

/// Follows the reduction of one file.
pub(super) struct Follower {
    queries: u64,
    bytes: usize,
    /// Queries and bytes when the first question behind the certificate was asked.
    begun: Option<(u64, usize)>,
}

impl Follower {
    /// A file of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            queries: 0,
            bytes,
            begun: None,
        }
    }

    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Answered { pass, queries, .. } => {
                if self.begun.is_none() && is_beyond(pass) {
                    self.begun = Some((self.queries, self.bytes));
                }
                self.queries = *queries;
            }
            Event::Improved { bytes, .. } => self.bytes = *bytes,
            _ => {}
        }
    }

    /// Adds what was done to what was done with other files.
    pub(super) fn add_to(&self, effort: &mut Effort) {
        if let Some((queries, bytes)) = self.begun {
            effort.has_begun = true;
            effort.queries += self.queries - queries;
            effort.bytes_gone += bytes.saturating_sub(self.bytes) as u64;
        }
    }
}
