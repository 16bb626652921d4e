//! What the strategies ask about.

use super::{draft::Draft, list::Selection};
use crate::search::Render;
use crate::syntax::{Document, Edit, Joint};
use std::sync::Arc;

/// A smaller document that has not been written out yet. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Candidate {
    pass: &'static str,
    subject: Option<u64>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Selection(Selection),
    Draft(Draft),
    Edited(Document, Arc<Edit>),
}

impl Candidate {
    pub(super) fn of_selection(pass: &'static str, selection: Selection) -> Self {
        Self {
            pass,
            subject: None,
            content: Content::Selection(selection),
        }
    }

    pub(super) fn of_draft(pass: &'static str, draft: Draft) -> Self {
        Self {
            pass,
            subject: None,
            content: Content::Draft(draft),
        }
    }

    pub(super) fn of_edit(pass: &'static str, document: Document, edit: Arc<Edit>) -> Self {
        Self {
            pass,
            subject: None,
            content: Content::Edited(document, edit),
        }
    }

    /// With the search's own name for what it changes: see [`Render::subject`].
    #[must_use]
    pub(super) fn named(self, subject: Option<u64>) -> Self {
        Self { subject, ..self }
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
        match &self.content {
            Content::Selection(selection) => selection.render(out),
            Content::Draft(draft) => draft.render(out),
            Content::Edited(document, edit) => {
                edit.render(document.bytes(), Joint::KeepTokensApart, out);
            }
        }
    }

    fn pass(&self) -> &'static str {
        self.pass
    }

    fn subject(&self) -> Option<u64> {
        self.subject
    }
}
