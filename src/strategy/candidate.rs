//! What the strategies ask about.

use super::list::Selection;
use crate::search::Render;
use crate::syntax::{Document, Edit, Joint};
use std::sync::Arc;

/// A smaller document that has not been written out yet. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Candidate {
    pass: &'static str,
    subject: Option<u64>,
    part: Option<u64>,
    is_aside: bool,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Selection(Selection),
    Edited(Document, Arc<Edit>),
}

impl Candidate {
    pub(super) fn of_selection(pass: &'static str, selection: Selection) -> Self {
        Self {
            pass,
            subject: None,
            part: None,
            is_aside: false,
            content: Content::Selection(selection),
        }
    }

    pub(super) fn of_edit(pass: &'static str, document: Document, edit: Arc<Edit>) -> Self {
        Self {
            pass,
            subject: None,
            part: None,
            is_aside: false,
            content: Content::Edited(document, edit),
        }
    }

    /// With the search's own name for what it changes: see [`Render::subject`].
    #[must_use]
    pub(super) fn named(self, subject: Option<u64>) -> Self {
        Self { subject, ..self }
    }

    /// As a question about a single change of this name: see [`Render::part`].
    #[must_use]
    pub(super) fn of_part(self, part: Option<u64>) -> Self {
        Self { part, ..self }
    }

    /// As a question of the pass of this name on a way to something smaller: see [`Render::is_aside`].
    #[must_use]
    pub(super) fn aside(self, pass: &'static str) -> Self {
        Self {
            pass,
            is_aside: true,
            ..self
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
        match &self.content {
            Content::Selection(selection) => selection.render(out),
            Content::Edited(document, edit) => {
                edit.render(document.bytes(), Joint::KeepTokensApart, out);
            }
        }
    }

    fn pass(&self) -> &'static str {
        self.pass
    }

    fn is_aside(&self) -> bool {
        self.is_aside
    }

    fn subject(&self) -> Option<u64> {
        self.subject
    }

    fn part(&self) -> Option<u64> {
        self.part
    }
}
