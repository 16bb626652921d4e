//! What the oracle said, on disk, so that a run that was killed goes on where it was.
//!
//! A search is deterministic: told the same answers it asks the same questions. So the whole position of a run is the list
//! of its answers, and a resumed run is the same run again whose first answers come from the list. It therefore ends with
//! the same bytes as one that was never disturbed.
//!
//! ```text
//! DIR/journal   magic, length and text of the identity (a line for each part), then records of 16 bytes:
//!               12 bytes of the candidate's key, 1 byte of outcome, 3 bytes of a checksum over all records up to here
//! DIR/best      the best so far
//! DIR/earlier   what runs on other inputs found uninteresting, only if there were some: 12 bytes of each candidate's key
//! ```
//!
//! A state of the same check on another input, such as a smaller one that was made by hand, is taken up: the search is another one,
//! so that its answers do not come in the same order, but what was refused needs no run. What was accepted is asked again.
//!
//! The journal only grows at its end. Whatever a crash or a power cut left there is cut off at the first record whose
//! checksum does not fit. A record whose key is not that of the question ends the replay: no answer is ever used for other
//! bytes. After [`MOST_RECORDS`] no more is written: a resumed run then asks again from there.

mod earlier;
mod records;

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};

use earlier::{EARLIER, Earlier, keep_earlier, known_earlier, refused_with_another_input};
use records::{ACCEPTED, KEPT_KEY, RECORD, START, code_of, intact, kept, link, outcome_of};

use super::identity::Identity;
use super::rendered::{Key, Rendered};
use crate::oracle::Outcome;
use crate::output::{ResultFile, real_path};

/// 128 MiB.
const MOST_RECORDS: usize = 8 << 20;
const MAGIC: &[u8] = b"paredown state 2\n";
/// What every version begins a journal with.
const SIGN: &[u8] = b"paredown state ";
/// An identity has a line for each input and each file of the check.
const LONGEST_HEADER: usize = 16 << 20;
const JOURNAL: &str = "journal";
const BEST: &str = "best";
const OURS_ALONE: u32 = 0o700;
/// The disk is told to keep what it got at most this often: a power cut loses so much.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// The answers of this run and of the one that it goes on from.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    file: File,
    best: ResultFile,
    /// Where the records begin in the file.
    header: usize,
    records: Vec<[u8; RECORD]>,
    /// What runs on other inputs found uninteresting.
    earlier: Earlier,
    /// How many records are already used.
    replayed: usize,
    written: usize,
    chain: u64,
    synced: Instant,
}

/// Why a state cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Something that decides about the result is not the same.
    #[error("the state in `{folder}` belongs to another run: different {parts}")]
    Differs {
        /// The state's folder.
        folder: PathBuf,
        /// The parts of the identity that differ.
        parts: String,
    },
    /// The folder has a file of that name that paredown did not write.
    #[error("`{0}` is not a journal of this version of paredown")]
    Unknown(PathBuf),
    /// Another process has it open.
    #[error("another run is using the state in `{0}`")]
    InUse(PathBuf),
    /// The system refused.
    #[error("cannot use `{path}` for the state: {source}")]
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Journal {
    /// What is in `folder` that no run has put there, if it can be no state because of that. A folder that does not exist, or
    /// is empty, can become one. Changes nothing.
    pub fn foreign_in(folder: &Path) -> io::Result<Option<OsString>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        let begin = beginning(&folder.join(JOURNAL), MAGIC.len() as u64).ok();
        let has_journal = begin.as_ref().is_some_and(|begin| begin.starts_with(SIGN));
        // The writing of the first line was cut off.
        let is_begun = begin.is_some_and(|begin| SIGN.starts_with(&begin));
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let is_part = name == JOURNAL || name == BEST || name == EARLIER;
            let belongs = if is_part {
                entry.file_type()?.is_file() && (has_journal || is_begun && name != BEST)
            } else {
                has_journal
            };
            if !belongs {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Whether the state in `folder` is of a run on this input. `name` is the file's own name.
    pub fn knows_input(folder: &Path, name: &str, bytes: &[u8]) -> bool {
        let mut wanted = Identity::default();
        wanted.add_input(name, bytes);
        identity_in(folder).is_some_and(|theirs| theirs.has_all(&wanted))
    }

    /// Whether the state in `folder` is of a run with the same input, check and options.
    pub fn is_of(folder: &Path, identity: &Identity) -> bool {
        identity_in(folder).is_some_and(|theirs| theirs == *identity)
    }

    /// Whether a run whose state is in `folder` may have left this content: the best so far, or what it accepted.
    pub fn knows_result(folder: &Path, content: &[u8]) -> bool {
        let most = (LONGEST_HEADER + MOST_RECORDS * RECORD) as u64;
        let journal = beginning(&folder.join(JOURNAL), most).unwrap_or_default();
        let records = parsed(&journal).map(|(_, body)| intact(body).0);
        let candidate = Rendered::of(content.to_vec(), "result");
        let key = kept(candidate.key());
        let mut accepted = records
            .iter()
            .flatten()
            .filter(|it| it[KEPT_KEY] == ACCEPTED);
        accepted.any(|record| record[..KEPT_KEY] == key) || Self::is_best(folder, content)
    }

    /// Whether the best so far of the state in `folder` has this content.
    pub fn is_best(folder: &Path, content: &[u8]) -> bool {
        let most = content.len() as u64 + 1;
        beginning(&folder.join(BEST), most).is_ok_and(|best| best == content)
    }

    /// Opens or makes the state in `folder`. Refuses one that belongs to something else than `identity`, unless only the input is
    /// another one. Who may do what with the best so far is said by `mode`.
    pub fn open(folder: &Path, identity: &Identity, mode: u32) -> Result<Self, JournalError> {
        let path = folder.join(JOURNAL);
        let system = |source| JournalError::System {
            path: path.clone(),
            source,
        };
        let mut builder = DirBuilder::new();
        builder
            .recursive(true)
            .mode(OURS_ALONE)
            .create(real_path(folder))
            .map_err(system)?;
        let mut file =
            open_plain(&path, OpenOptions::new().append(true).create(true)).map_err(system)?;
        if !lock(&file) {
            return Err(JournalError::InUse(folder.to_owned()));
        }
        remove_unfinished(folder).map_err(system)?;
        let mut content = Vec::new();
        let most = LONGEST_HEADER + MOST_RECORDS * RECORD;
        let read = (&mut file).take(most as u64).read_to_end(&mut content);
        read.map_err(system)?;
        let header = header(identity);
        // Nothing yet, or the writing of the header was cut off.
        if content.len() < header.len() && header.starts_with(&content) {
            file.set_len(0)
                .and_then(|()| file.write_all(&header))
                .map_err(system)?;
            content.clone_from(&header);
        }
        let mut earlier = known_earlier(folder).map_err(system)?;
        if let Some(refused) = refused_with_another_input(&content, identity) {
            earlier.extend(refused);
            keep_earlier(folder, &earlier)?;
            file.set_len(0)
                .and_then(|()| file.write_all(&header))
                .map_err(system)?;
            content = header;
        }
        let body = body(&content, identity, &path)?;
        let (records, chain) = intact(body);
        let header = content.len() - body.len();
        file.set_len((header + records.len() * RECORD) as u64)
            .map_err(system)?;
        let best = ResultFile::at(&folder.join(BEST), Permissions::from_mode(mode));
        let best = best.map_err(|error| system(io::Error::other(error)))?;
        let (folder, written, synced) = (folder.to_owned(), records.len(), Instant::now());
        Ok(Self {
            folder,
            file,
            best,
            header,
            records,
            earlier,
            replayed: 0,
            written,
            chain,
            synced,
        })
    }

    /// The file that is used while a new best is being written: see [`ResultFile::fresh_path`].
    pub fn fresh_path(&self) -> Option<&Path> {
        self.best.fresh_path()
    }

    /// The answers that are left from an earlier run.
    pub fn left(&self) -> usize {
        self.records.len() - self.replayed
    }

    /// How much is known from runs on other inputs.
    pub(super) fn known_earlier(&self) -> usize {
        self.earlier.len()
    }

    /// Whether a run on another input found this uninteresting.
    pub(super) fn was_refused(&self, candidate: &Rendered) -> bool {
        !self.earlier.is_empty() && self.earlier.contains(&kept(candidate.key()))
    }

    /// The earlier answer to this question. If the next record is about something else, it and all behind it are dropped.
    pub(super) fn replay(&mut self, candidate: &Rendered) -> Result<Option<Outcome>, JournalError> {
        let Some(record) = self.records.get(self.replayed) else {
            return Ok(None);
        };
        let outcome =
            outcome_of(record[KEPT_KEY]).filter(|_| record[..KEPT_KEY] == kept(candidate.key()));
        if outcome.is_some() {
            self.replayed += 1;
        } else {
            self.forget_rest()?;
        }
        Ok(outcome)
    }

    /// Writes down an answer that was consumed.
    pub(super) fn record(
        &mut self,
        candidate: &Rendered,
        outcome: Outcome,
    ) -> Result<(), JournalError> {
        if self.written == MOST_RECORDS {
            return Ok(());
        }
        let mut record = [0; RECORD];
        record[..KEPT_KEY].copy_from_slice(&kept(candidate.key()));
        record[KEPT_KEY] = code_of(outcome);
        self.chain = link(self.chain, record);
        record[KEPT_KEY + 1..].copy_from_slice(&self.chain.to_le_bytes()[..3]);
        self.file
            .write_all(&record)
            .map_err(|source| self.error(source))?;
        self.written += 1;
        if self.synced.elapsed() > SYNC_INTERVAL {
            self.file.sync_data().map_err(|source| self.error(source))?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Keeps the best so far beside the answers.
    pub(super) fn keep(&mut self, best: &[u8]) -> Result<(), JournalError> {
        let kept = self.best.save(best);
        kept.map_err(|error| self.error(io::Error::other(error)))
    }

    fn forget_rest(&mut self) -> Result<(), JournalError> {
        self.records.truncate(self.replayed);
        self.written = self.replayed;
        self.chain = self.records.iter().copied().fold(START, link);
        let length = (self.header + self.written * RECORD) as u64;
        self.file
            .set_len(length)
            .map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> JournalError {
        JournalError::System {
            path: self.folder.join(JOURNAL),
            source,
        }
    }
}

/// Opens a plain file. Anything else is an error, and never waited for: a pipe would block, and a device has no end.
fn open_plain(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let options = options.read(true).mode(OURS_ALONE & 0o666);
    let file = options
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a plain file"))
    }
}

/// At most so many bytes of a plain file.
fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path, &mut OpenOptions::new())?
        .take(most)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Removes what a killed run had not finished writing. The folder is locked.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_unfinished(entry.file_name().as_bytes()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn is_unfinished(name: &[u8]) -> bool {
    name.strip_prefix(b".best.paredown-")
        .or_else(|| name.strip_prefix(b".earlier.paredown-"))
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_alphanumeric))
}

/// A child that is just being started holds copies of our open files for a moment, locks included; so a lock that was just
/// given up by a run that ended may last a little longer.
fn lock(file: &File) -> bool {
    const ATTEMPTS: u32 = 25;
    const PAUSE: Duration = Duration::from_millis(20);
    (0..ATTEMPTS).any(|_| {
        let locked = flock(file, FlockOperation::NonBlockingLockExclusive).is_ok();
        if !locked {
            std::thread::park_timeout(PAUSE);
        }
        locked
    })
}

fn header(identity: &Identity) -> Vec<u8> {
    let text = identity.to_text();
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

/// What follows the header, if it is a header and has our identity.
fn body<'c>(content: &'c [u8], ours: &Identity, path: &Path) -> Result<&'c [u8], JournalError> {
    let (theirs, body) = parsed(content).ok_or_else(|| JournalError::Unknown(path.to_owned()))?;
    if theirs == *ours {
        return Ok(body);
    }
    let folder = path.parent().unwrap_or(path).to_owned();
    Err(JournalError::Differs {
        folder,
        parts: theirs.differences(ours).join(", "),
    })
}

/// What the state in a folder belongs to, if there is one.
fn identity_in(folder: &Path) -> Option<Identity> {
    let most = (LONGEST_HEADER + MAGIC.len()) as u64;
    let content = beginning(&folder.join(JOURNAL), most).ok()?;
    parsed(&content).map(|(identity, _)| identity)
}

/// The identity in a journal, and what follows it.
fn parsed(content: &[u8]) -> Option<(Identity, &[u8])> {
    let rest = content.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (text, body) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((Identity::from_text(str::from_utf8(text).ok()?), body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(parts: &[(&str, &str)]) -> Identity {
        let mut identity = Identity::default();
        for (name, content) in parts {
            identity.add(name, content.as_bytes());
        }
        identity
    }

    fn candidate(text: &str) -> Rendered {
        Rendered::of(text.into(), "test")
    }

    const ANSWERS: [(&str, Outcome); 4] = [
        ("a", Outcome::Uninteresting),
        ("b", Outcome::Interesting),
        ("c", Outcome::TimedOut),
        ("d", Outcome::Uninteresting),
    ];

    fn written(folder: &Path) -> Identity {
        let identity = identity(&[("input `bug.c`", "int bug;"), ("check", "grep bug")]);
        let mut journal = Journal::open(folder, &identity, 0o600).unwrap();
        for (text, outcome) in ANSWERS {
            journal.record(&candidate(text), outcome).unwrap();
        }
        identity
    }

    /// How many of the answers a journal still knows.
    fn known(journal: &mut Journal) -> usize {
        let mut answered = |(text, outcome): &(&str, Outcome)| {
            journal
                .replay(&candidate(text))
                .unwrap()
                .is_some_and(|found| found == *outcome)
        };
        ANSWERS.iter().take_while(|answer| answered(answer)).count()
    }

    #[test]
    fn the_answers_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let identity = written(folder.path());
        let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
        assert_eq!(journal.left(), 4);
        assert_eq!(known(&mut journal), 4);
        assert_eq!(journal.left(), 0);
    }

    #[test]
    fn a_journal_that_ends_at_any_byte_or_has_any_byte_wrong_gives_no_wrong_answer() {
        let folder = tempfile::tempdir().unwrap();
        let identity = written(folder.path());
        let path = folder.path().join("journal");
        let whole = fs::read(&path).unwrap();
        let header = whole.len() - 4 * RECORD;
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
            assert_eq!(
                known(&mut journal),
                end.saturating_sub(header) / RECORD,
                "cut at {end}"
            );
        }
        for at in header..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x15;
            fs::write(&path, &damaged).unwrap();
            let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
            assert_eq!(
                known(&mut journal),
                (at - header) / RECORD,
                "damaged at {at}"
            );
        }
    }

    #[test]
    fn a_journal_grows_on_after_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let identity = written(folder.path());
        let path = folder.path().join("journal");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
        assert_eq!(known(&mut journal), 3);
        journal
            .record(&candidate("d"), Outcome::Uninteresting)
            .unwrap();
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn answers_behind_a_question_that_does_not_fit_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let identity = written(folder.path());
        let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
        assert_eq!(
            journal.replay(&candidate("a")).unwrap(),
            Some(Outcome::Uninteresting)
        );
        assert_eq!(journal.replay(&candidate("x")).unwrap(), None);
        assert_eq!(journal.left(), 0);
        journal
            .record(&candidate("x"), Outcome::Interesting)
            .unwrap();
        drop(journal);
        let mut journal = Journal::open(folder.path(), &identity, 0o600).unwrap();
        assert_eq!(
            journal.replay(&candidate("a")).unwrap(),
            Some(Outcome::Uninteresting)
        );
        assert_eq!(
            journal.replay(&candidate("x")).unwrap(),
            Some(Outcome::Interesting)
        );
    }

    #[test]
    fn a_state_of_another_run_is_refused_and_the_difference_named() {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path());
        let other = identity(&[("input `bug.c`", "int bug;"), ("check", "grep -v bug")]);
        let error = Journal::open(folder.path(), &other, 0o600)
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("belongs to another run: different check"),
            "{error}"
        );
    }

    #[test]
    fn two_runs_cannot_use_one_state_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let identity = written(folder.path());
        let _first = Journal::open(folder.path(), &identity, 0o600).unwrap();
        let second = Journal::open(folder.path(), &identity, 0o600).unwrap_err();
        let said = "another run is using the state in `";
        assert!(second.to_string().starts_with(said), "{second}");
    }

    #[test]
    fn a_file_that_is_no_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        fs::write(&path, "dear diary").unwrap();
        let opened = Journal::open(folder.path(), &Identity::default(), 0o600);
        let refused = opened.unwrap_err().to_string();
        let said = "` is not a journal of this version of paredown";
        assert!(refused.ends_with(said), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"dear diary");
    }

    #[test]
    fn a_folder_in_the_journals_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("journal")).unwrap();
        let opened = Journal::open(folder.path(), &Identity::default(), 0o600);
        let refused = opened.unwrap_err().to_string();
        assert!(refused.contains("journal` for the state: "), "{refused}");
        // Nor is anything else than a file waited for.
        let refused = open_plain(folder.path(), &mut OpenOptions::new()).unwrap_err();
        assert_eq!(refused.to_string(), "it is not a plain file");
    }
}
