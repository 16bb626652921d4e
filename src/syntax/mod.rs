//! Documents: bytes with a tree over them, the edits that make smaller documents, and the languages that give the trees.
//!
//! The only room that names tree-sitter. Parsing never fails: what the parser does not understand becomes nodes that are marked
//! as errors, and a document without a language gets a tree from its brackets and lines.

mod bracketed;
mod chains;
mod columns;
mod damage;
mod document;
mod edit;
mod facts;
mod language;
mod own;
mod parse;
mod phrases;
mod plain;
mod points;
mod prefixes;
mod query;
mod reparse;
pub mod rewrites;
mod rows;
mod segments;
mod shown;
mod tags;

pub(crate) use crate::lexis::melt;
pub use crate::lexis::{Lexis, count_tokens};
pub use document::{Document, Node, NodeId, Nodes};
pub use edit::{Edit, Joint, Splice};
pub use facts::{
    Anything, Cuts, Form, Given, Implied, Jump, LanguageFacts, Role, StaticSingle, Taken, Variables,
};
pub use language::Language;
pub use own::{OwnLanguage, OwnLanguageError, name_of_grammar};
pub(crate) use phrases::{column_behind, goes_on};
pub use query::{Match, Query, QueryMistake};
