//! paredown makes a file as small as it can while the user's check still accepts it.
//!
//! # Bird's eye view
//!
//! A **pass** proposes edits; a **search** decides which of them to keep; the **engine** asks the **oracle**; what stands under
//! the result's name is always the best test case so far.
//!
//! ```text
//! bytes ─parse→ Document ─propose→ [Edit] ─search→ candidate ─render→ bytes ─cache→ oracle ─verdict→ search
//!                  ↑                                                                  │ interesting
//!                  └──────────────────────── new Document ←──────────── output file ←─┘
//! ```
//!
//! # Code map
//!
//! Pure rooms: no input or output, no clock, no global state, no failure. Any bytes are a valid input.
//!
//! - [`search`]: what a reduction algorithm is: it is asked what to test next and told the answer.
//! - [`minimize`]: the list minimisers of the papers, one a file, over indices and weights.
//! - [`syntax`]: documents, their trees, edits, languages. The only room that names tree-sitter.
//! - [`grammar`]: what a grammar says about a place in a tree: what can go, what can stand there, what is the least.
//! - [`strategy`]: searches over documents: lists of lines and tokens, HDD and its kin, the pipeline.
//! - [`pass`]: one transformation a file, each a list of edits for a document.
//! - [`folder`]: what stands in a folder, and the choices of it that are candidates.
//!
//! Rooms that touch the world:
//!
//! - [`oracle`]: one run of the user's check. The only room that starts programs.
//! - [`engine`]: asks a search's questions in order, several at a time, behind the cache.
//! - [`doctor`]: what is wrong with a check, found by running it under changed circumstances.
//! - [`init`]: the text of a new check.
//! - [`report`]: what happened, for people and for programs.
//! - [`output`], [`interrupt`], [`config`], [`cli`], [`error`], [`app`].
//!
//! # Invariants
//!
//! 1. The pure rooms do no I/O, read no clock, hold no global state and cannot fail.
//! 2. Each foreign library is named in as few rooms as can be, mostly one.
//! 3. The sequence of questions and answers that are consumed, the output and the counts do not depend on `--jobs`.
//! 4. Whatever stands under the result's name is at every moment a test case that the oracle accepted, or the original.
//! 5. When paredown has exited, nothing that it started is running and nothing that it made is left in the temp folder. Means: a
//!    process group for each query, being the subreaper of what leaves it, and a guard that does the same when paredown is killed.
//!    What escapes these is documented in [`oracle`]'s files, and what may not be removed is named in a warning.

pub mod app;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod engine;
pub mod error;
pub mod folder;
pub mod grammar;
pub mod init;
pub mod interrupt;
pub mod minimize;
pub mod oracle;
pub mod output;
pub mod pass;
pub mod report;
pub mod search;
pub mod strategy;
pub mod syntax;
