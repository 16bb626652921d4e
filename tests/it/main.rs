//! The one integration test program: the real binary in an environment of its own.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests start the binary itself"
)]
#![expect(clippy::unwrap_used, reason = "support code that fails fails its test")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod batch;
mod ci;
mod cli;
mod differential;
mod doctor;
mod errors;
mod examples;
mod figures;
mod fuzz;
mod golden;
mod grammar;
mod harness;
mod init;
mod inputs;
mod interrupt;
mod jobs;
mod kills;
mod large;
mod launch;
mod left;
mod live;
mod messages;
mod oracle_faults;
mod own_grammar;
mod packaging;
mod places;
mod plain;
mod properties;
mod readers;
mod recording;
mod reduce;
mod remedies;
mod resume;
mod rewrites;
mod said;
mod schema;
mod shapes;
mod slurm;
mod ssh;
mod tidy;
mod timeout;
mod untouched;
