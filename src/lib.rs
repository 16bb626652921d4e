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
//! - [`minimize`]: the list minimisers, one a file, over indices and weights.
//! - [`lexis`]: what a token is where no grammar says it: the measure of sizes.
//! - [`syntax`]: documents, their trees, edits, languages. The only room that names tree-sitter.
//! - [`grammar`]: what a grammar says about a place in a tree: what can go, what can stand there, what is the least.
//! - [`strategy`]: searches over documents: lists of lines and tokens, HDD and its kin, the pipeline.
//! - [`pass`]: one transformation a file, each a list of edits for a document.
//! - [`folder`]: what stands in a folder, and the choices of it that are candidates.
//!
//! Rooms that touch the world:
//!
//! - [`oracle`]: one run of the user's check. The only room that starts programs.
//! - [`library`]: parsers of the user's own, loaded at run time. The only room that loads code.
//! - [`engine`]: asks a search's questions in order, several at a time, behind the cache.
//! - [`doctor`]: what is wrong with a check, found by running it under changed circumstances.
//! - [`init`]: the text of a new check.
//! - [`report`]: what happened, for people and for programs.
//! - [`output`], [`interrupt`], [`config`], [`cli`], [`error`], [`app`].
//!
//! # One query, from the file to the verdict and back
//!
//! 1. [`app`] reads the command line ([`cli`]) into a [`config::Config`], which compares all places that will be written with all
//!    that is read, and lets [`engine::probe`] run the check on the original: it must accept that, and not accept an empty file.
//! 2. [`syntax::Document`] parses the bytes: nodes in one table, and what [`grammar`] says about them is worked out when asked for.
//! 3. [`strategy::search`] makes the [`search::Search`] of the plan. In the default pipeline a *step* takes one [`pass::Pass`], which
//!    proposes changes of the document, and a *stage* lets a chooser (group testing of [`minimize`], or any other list minimiser)
//!    pick those that are tried together; [`pass::compose`] makes them one [`syntax::Edit`]. That edit of that document is the
//!    candidate that [`search::Search::ask`] gives: nothing has been written out yet.
//! 4. [`engine`] renders it to bytes, once, and looks for these bytes in the cache of what was uninteresting and in the journal of
//!    `--state`. If they are new they are a *query*: one run of the check, now or ahead of its turn on another thread.
//! 5. [`oracle`] writes the bytes under the file's own name into a folder of a slot, starts the check in a process group of its own,
//!    waits, kills what is left, and reads the verdict off the exit code or the output.
//! 6. Back in [`engine`], answers are consumed in the order of the questions. An interesting candidate that is smaller than the
//!    best is written under the result's name at once ([`output`]); whoever listens hears of it ([`report`]).
//! 7. [`search::Search::tell`] takes the verdict. The stage adds the accepted changes to its edit; at its end the edited text is parsed
//!    again and is the document of the next step.
//!
//! # One word for one thing
//!
//! - A *candidate* is what a search asks about, and its bytes once they are rendered (`engine`'s `Rendered`).
//! - A *question* is one time that a search asks. It becomes a *query* ([`oracle::Query`]) if nothing that is known answers it.
//! - A *run* ([`oracle::Run`]) is the check at work on one query; `--repeat` and `--confidence` make several for one candidate.
//! - An *outcome* ([`oracle::Outcome`]) is how a run ended: it may also have timed out or been cancelled.
//! - An *answer* (`engine`'s `Answer`) is an outcome with its [source](report::Source) and what it cost.
//! - A *verdict* ([`search::Verdict`]) is what the search is told: interesting or not.
//!
//! # The order of the default pipeline
//!
//! What is cheap a byte comes first, and what may hide a chance for others comes last ([`pass::list::PASSES`]):
//!
//! 1. *Comments*: one query, or runs of one kind where some are needed, and everything after them has fewer bytes to parse, hash and
//!    write; in a large document blanks, too.
//! 2. *What names do not reach* (large documents only): as many of the last declarations as may go, and then all that those that are
//!    last now do not use, directly or through others, in one query, and in another one the members of types that these do not use;
//!    where one is refused a search for the few declarations that names miss, by halves; the same with what can be taken out of the
//!    end, name by name and finer and finer; then the units that free most, each with all declarations that only it reaches.
//!    Where the language has something of any type, each declaration with that in the place of its uses; behind the bodies once more.
//! 3. *Bodies* of functions, all at once and in halves: most of a large program, and nothing outside depends on them. In a large
//!    document each run of them with what only they reached: bodies in that need no question. Then those
//!    that the compiler could run and does not, and after the first row those that it may run, the further they are from where a
//!    constant is wanted the sooner. In what is not large they come before the units that free most.
//!    Without a grammar *blocks of lines* come here instead, and of rows and bodies: level by level of what the indentation, brackets
//!    and tags tell, down to single lines.
//! 4. *Rows* (large documents only): runs of neighbouring declarations from the end, since uses follow declarations, and what
//!    nothing reaches any more as soon as that is much; then what nothing uses, with all that only it used. Repeated with finer
//!    parts as long as it pays. Then a few rewrites of the last declarations: a template that becomes a function may free a library.
//!    In languages whose functions are made of blocks that jump to each other, runs of blocks come behind the rows of declarations,
//!    with what they alone lead to, and runs of instructions behind small parts of one kind.
//! 5. *Cuts*: units from large to small, so that few queries are spent on what a larger cut would have taken along. In a large
//!    document what names do not reach any more goes each time when they have taken an eighth. Where they leave much, everything
//!    holds everything: then a round of changes of that size comes before the smallest units.
//! 6. *Rounds* of all ordinary passes, those first that take much with a query, until one round changes nothing. As long as much is
//!    left, the first rounds make large changes only.
//! 7. *Late* passes: rewrites that seldom succeed, or that tie together what the others take apart. A success is a reason for
//!    another round. Then once more what the sweep does not ask about and was refused as long as more was there.
//! 8. *Bytes, layout, blanks, any token*: what no grammar explains. Where there is no grammar at all, the blanks come first, in groups.
//! 9. *The sweep*: every single change once more, until all have been refused on the same bytes: the result is 1-minimal. In
//!    what was very large at first this is done with what keeps the syntax before it is done with all: what breaks it leaves a text
//!    that rewrites know less of.
//! 10. *Other names* for names that were refused as long as more was there: last, since two things under one name are hard to take
//!     apart again. A success is a reason for another round and another sweep.
//! 11. *The proof*: each single change of what is left, where the pipeline has asked about all tokens but not about all bytes. If one
//!     is accepted after all that does more than make a token shorter, the pipeline begins again with that, once, and knows what it
//!     was refused.
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
//!
//! # As a library
//!
//! The default pipeline with a closure as the oracle, which is told the candidate's bytes:
//!
//! ```
//! use paredown::engine::{Engine, Settings};
//! use paredown::interrupt::Interrupt;
//! use paredown::output::ResultFile;
//! use paredown::strategy::{self, Plan, Strategy};
//! use paredown::syntax::{Document, Language};
//!
//! let original = b"int a;\nint f(int b) { return a + b; }\nint bug;\n";
//! let oracle = |candidate: &[u8]| candidate.windows(3).any(|word| word == b"bug");
//! let (mut nowhere, interrupt) = (ResultFile::nowhere(), Interrupt::new());
//! let mut silent = |_: &_| {};
//! let settings = Settings::default();
//! let mut engine =
//!     Engine::new(original, &oracle, settings, &mut nowhere, &interrupt, &mut silent);
//! let plan = Plan::new(Strategy::Auto);
//! engine.run_until_known(move |bytes| {
//!     let document = Document::new(bytes, Language::named("c"));
//!     strategy::search(&document, &plan)
//! })?;
//! let (smallest, statistics) = engine.finish();
//! assert_eq!(smallest, b"bug\n");
//! assert!(statistics.queries < 20);
//! # Ok::<(), paredown::engine::EngineError>(())
//! ```
//!
//! A [`search::Search`] of one's own gets the cache, the limits, the working ahead on several jobs and the statistics from the engine.
//! This one leaves out one word at a time:
//!
//! ```
//! use paredown::engine::{Engine, Settings};
//! use paredown::interrupt::Interrupt;
//! use paredown::output::ResultFile;
//! use paredown::search::{Render, Search, Verdict};
//!
//! #[derive(Clone)]
//! struct Words {
//!     best: Vec<String>,
//!     at: usize,
//! }
//!
//! struct Text(Vec<String>);
//!
//! impl Render for Text {
//!     fn render(&self, out: &mut Vec<u8>) {
//!         out.extend_from_slice(self.0.join(" ").as_bytes());
//!     }
//!
//!     fn pass(&self) -> &'static str {
//!         "words"
//!     }
//! }
//!
//! impl Search for Words {
//!     type Candidate = Text;
//!     type Best = Vec<String>;
//!
//!     fn ask(&self) -> Option<Text> {
//!         let mut words = self.best.clone();
//!         (self.at < words.len()).then(|| {
//!             words.remove(self.at);
//!             Text(words)
//!         })
//!     }
//!
//!     fn tell(&mut self, verdict: Verdict) {
//!         if let Some(Text(words)) = self.ask() {
//!             match verdict {
//!                 Verdict::Interesting => self.best = words,
//!                 Verdict::Uninteresting => self.at += 1,
//!             }
//!         }
//!     }
//!
//!     fn best(&self) -> &Vec<String> {
//!         &self.best
//!     }
//! }
//!
//! let original = "a watched pot never boils";
//! let oracle = |candidate: &[u8]| String::from_utf8_lossy(candidate).contains("pot never");
//! let (mut nowhere, interrupt) = (ResultFile::nowhere(), Interrupt::new());
//! let mut silent = |_: &_| {};
//! let settings = Settings { jobs: 2, ..Settings::default() };
//! let mut engine =
//!     Engine::new(original.as_bytes(), &oracle, settings, &mut nowhere, &interrupt, &mut silent);
//! let words = original.split(' ').map(str::to_owned).collect();
//! engine.run(Words { best: words, at: 0 })?;
//! assert_eq!(engine.best(), b"pot never");
//! # Ok::<(), paredown::engine::EngineError>(())
//! ```

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
pub mod lexis;
pub mod library;
pub mod minimize;
pub mod oracle;
pub mod output;
pub mod pass;
mod platform;
pub mod report;
pub mod search;
pub mod strategy;
pub mod syntax;
mod terminal;
