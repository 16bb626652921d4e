//! What the strategies ask about.

use super::list::Selection;
use crate::search::Render;

/// A smaller document that has not been written out yet. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Candidate {
    pass: &'static str,
    draft: Draft,
}

#[derive(Clone, Debug)]
enum Draft {
    Selection(Selection),
}

impl Candidate {
    pub(super) fn of_selection(pass: &'static str, selection: Selection) -> Self {
        Self {
            pass,
            draft: Draft::Selection(selection),
        }
    }

    /// The candidate's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.render(&mut out);
        out
    }
}

impl Render for Candidate {
    fn render(&self, out: &mut Vec<u8>) {
        match &self.draft {
            Draft::Selection(selection) => selection.render(out),
        }
    }

    fn pass(&self) -> &'static str {
        self.pass
    }
}
