//! One candidate that comes from elsewhere.

use crate::search::{Render, Search, Verdict};
use std::sync::Arc;

/// Bytes that another program has made.
#[derive(Clone, Debug)]
pub struct Offered(Arc<[u8]>);

impl Render for Offered {
    fn render(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }

    fn pass(&self) -> &'static str {
        "transform"
    }
}

/// Asks about one candidate.
#[derive(Clone, Debug)]
pub struct Offer {
    offered: Option<Offered>,
    best: Offered,
}

impl Offer {
    /// For a text that is known to be interesting, and another one.
    pub fn new(known: &[u8], offered: Vec<u8>) -> Self {
        Self {
            offered: Some(Offered(offered.into())),
            best: Offered(known.into()),
        }
    }
}

impl Search for Offer {
    type Candidate = Offered;
    type Best = Offered;

    fn ask(&self) -> Option<Offered> {
        self.offered.clone()
    }

    fn tell(&mut self, verdict: Verdict) {
        let offered = self.offered.take();
        if let (Some(offered), true) = (offered, verdict.is_interesting()) {
            self.best = offered;
        }
    }

    fn best(&self) -> &Offered {
        &self.best
    }
}
