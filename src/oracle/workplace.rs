//! The folders of one slot: where the check runs and where it may put its temporary files.
//!
//! ```text
//! RUN/0
//! ├── work      the working directory with the candidate and its companions, or the place of one with a name of its own
//! ├── tmp       TMPDIR
//! └── stdout    what the check printed, where the property is about that
//! ```
//!
//! The folders are reused. Whether the check left something there is seen from their modification time, which is set to a
//! value that no clock shows, and from the time of their last change, which nobody can set: any entry that appears or goes
//! changes both. So the usual query costs three `stat` calls, and only a check that left something is cleaned up after.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, OFlags, Timespec, Timestamps, utimensat};

use super::layout::{Changing, Layout, put};
use crate::platform::memory_folder;

use super::removal::{Left, OURS_ALONE, discard, empty, make_folder, refuse, remove_run_folder};
use super::{abandoned, mark};
use crate::folder::listed;

/// The folders of one slot.
#[derive(Debug)]
pub(super) struct Workplace {
    root: PathBuf,
    /// The folder that is emptied: the working directory, or the one that it is in.
    container: PathBuf,
    work: PathBuf,
    tmp: PathBuf,
    /// Which file we made for the candidate, if that is a file.
    candidate_file: FileId,
    /// What of the companions is there, if that is what candidates are.
    choice: Vec<u8>,
    layout: Layout,
    /// The folders and the companions as they were before the check ran.
    marked: Vec<Marked>,
    pub(super) stdout: File,
    pub(super) stderr: File,
}

/// What stands in the folder of a slot.
const OWN_NAMES: [&str; 5] = ["work", "tmp", "stdout", "stderr", JOB];
/// The folder of what a launcher runs, and of its verdict.
pub(super) const JOB: &str = "job";

/// 1 s and a bit after the epoch.
const MARK: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 271_828_182,
};

impl Workplace {
    /// `is_launched`: the check will run elsewhere, see [`super::launch`].
    pub(super) fn new(root: PathBuf, layout: &Layout, is_launched: bool) -> io::Result<Self> {
        make_folder(&root)?;
        if is_launched {
            make_folder(&root.join(JOB))?;
        }
        let container = root.join("work");
        let capture = |name| {
            let options = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .clone();
            options.open(root.join(name))
        };
        let mut workplace = Self {
            tmp: root.join("tmp"),
            candidate_file: FileId::default(),
            choice: Vec::new(),
            work: layout.work(&container),
            stdout: capture("stdout")?,
            stderr: capture("stderr")?,
            layout: layout.clone(),
            marked: Vec::new(),
            container,
            root,
        };
        workplace.rebuild(b"")?;
        Ok(workplace)
    }

    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    pub(super) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// The content of the candidate's file after a run, if it is still a plain file.
    pub(super) fn candidate(&self) -> Option<Vec<u8>> {
        let path = self.candidate_path()?;
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        is_file.then(|| fs::read(&path).ok()).flatten()
    }

    /// Where the candidate stands, if it is a file.
    pub(super) fn candidate_path(&self) -> Option<PathBuf> {
        match &self.layout.candidate {
            Changing::File { name, .. } => Some(self.work.join(name)),
            Changing::Choice => None,
        }
    }

    /// What the check gets as its arguments.
    pub(super) fn arguments(&self) -> Vec<PathBuf> {
        self.layout.absolute_arguments(&self.work)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Puts the candidate in its place, in the folders that [`Workplace::clean`] left. Cost: writing the bytes once; of a choice,
    /// what is different, and a look at each entry.
    pub(super) fn fill(&mut self, candidate: &[u8]) -> io::Result<()> {
        let filled = match &self.layout.candidate {
            Changing::File { name, mode } => {
                let path = self.work.join(name);
                write_over(&path, self.candidate_file, candidate, *mode)
            }
            Changing::Choice => self.choose(candidate),
        };
        match filled {
            Ok(()) => Ok(()),
            // The check did something to the file that the folders do not show, such as taking away the permissions; or the
            // original has none to write.
            Err(_) => self.rebuild(candidate),
        }
    }

    /// Makes another choice of the companions from the one that is there.
    fn choose(&mut self, choice: &[u8]) -> io::Result<()> {
        if choice == self.choice {
            return Ok(());
        }
        let [old, new] = [&self.choice[..], choice].map(|text| listed(text).collect::<Vec<_>>());
        let without = |these: &[usize], others: &[usize]| {
            let is_other = |number: &usize| others.binary_search(number).is_ok();
            let rest = these.iter().copied().filter(|number| !is_other(number));
            rest.collect::<Vec<_>>()
        };
        let gone = self.layout.chosen(without(&old, &new).into_iter().rev());
        for entry in gone {
            let path = self.work.join(&entry.name);
            if entry.is_folder() {
                fs::remove_dir(path)?;
            } else {
                fs::remove_file(path)?;
            }
        }
        for entry in self.layout.chosen(without(&new, &old).into_iter()) {
            put(&self.work, entry)?;
        }
        self.mark_all(choice)
    }

    /// Makes the folders as they were before the check ran, whatever it did to them. Its processes must be dead. After an
    /// error, which mostly means that something cannot be removed, this is no place to work in any more.
    pub(super) fn clean(&mut self) -> io::Result<()> {
        if self.marked.iter().all(Marked::is_unchanged) {
            return Ok(());
        }
        self.rebuild(b"")
    }

    /// Forgets what was captured, which may be much.
    pub(super) fn clear_captures(&self) -> io::Result<()> {
        self.stdout.set_len(0)?;
        self.stderr.set_len(0)
    }

    fn rebuild(&mut self, candidate: &[u8]) -> io::Result<()> {
        self.clear_root()?;
        for folder in [&self.container, &self.tmp] {
            // A folder that can be kept keeps its inode: the usual case of a file that was left behind.
            if !empty(folder, &self.root).is_empty() {
                refuse(discard(folder, &self.root))?;
                make_folder(folder)?;
            }
        }
        make_folder(&self.work)?;
        self.candidate_file = self.layout.place(&self.work, candidate)?;
        self.mark_all(candidate)
    }

    /// Remembers how everything looks that only the check can change from now on.
    fn mark_all(&mut self, candidate: &[u8]) -> io::Result<()> {
        if self.layout.candidate == Changing::Choice {
            self.choice = candidate.to_vec();
        }
        self.marked.clear();
        let mut all = self.layout.placed(&self.work, candidate);
        all.extend([&self.work, &self.container, &self.tmp, &self.root].map(Clone::clone));
        // What is in a folder before the folder.
        for path in all.into_iter().rev() {
            self.marked.push(Marked::new(path)?);
        }
        Ok(())
    }

    /// Leaves only what belongs there.
    fn clear_root(&self) -> io::Result<()> {
        if let Some(run_folder) = self.root.parent() {
            make_folder(run_folder)?;
        }
        if make_folder(&self.root).is_err() {
            refuse(discard(&self.root, &self.root))?;
            make_folder(&self.root)?;
        }
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if !OWN_NAMES.iter().any(|name| entry.file_name() == *name) {
                refuse(discard(&entry.path(), &self.root))?;
            }
        }
        Ok(())
    }
}

/// A folder or a file that only the check can have changed.
#[derive(Debug)]
struct Marked {
    path: PathBuf,
    look: Look,
}

/// Which one it is, its permissions, and when its content and when anything about it was changed.
#[derive(Debug, PartialEq, Eq)]
struct Look {
    file: FileId,
    mode: u32,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Marked {
    fn new(path: PathBuf) -> io::Result<Self> {
        let times = Timestamps {
            last_access: MARK,
            last_modification: MARK,
        };
        utimensat(CWD, &path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
        let look = look(&path)?;
        Ok(Self { path, look })
    }

    fn is_unchanged(&self) -> bool {
        look(&self.path).is_ok_and(|look| look == self.look)
    }
}

fn look(path: &Path) -> io::Result<Look> {
    let found = fs::symlink_metadata(path)?;
    Ok(Look {
        file: FileId::of(&found),
        mode: found.mode(),
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
    })
}

/// Device and inode: another file that is mounted in a file's place has others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

impl FileId {
    fn of(found: &fs::Metadata) -> Self {
        Self(found.dev(), found.ino())
    }
}

/// Writes a file where there is none.
pub(super) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<FileId> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(bytes)?;
    // The usual mask may have taken some of them away.
    file.set_permissions(Permissions::from_mode(mode))?;
    Ok(FileId::of(&file.metadata()?))
}

/// Writes a file in place. An error when it is not the plain file that we made any more, or when the check gave it a second
/// name to keep it.
fn write_over(path: &Path, ours: FileId, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
        .open(path)?;
    let found = file.metadata()?;
    if FileId::of(&found) != ours || found.nlink() != 1 {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    file.write_all(bytes)?;
    if found.len() > bytes.len() as u64 {
        file.set_len(bytes.len() as u64)?;
    }
    if found.mode() & 0o7777 != mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// The folder of a run; goes with all that is in it when dropped.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    /// See [`abandoned`].
    #[expect(dead_code, reason = "it only has to live as long")]
    lock: Option<OwnedFd>,
}

impl RunFolder {
    /// A name for it: in memory-backed storage when that is there and can be used, else in the temp folder. A paredown that the
    /// check of another one has started uses the temp folder that it was given: the other one kills it without a word
    /// and empties that. The guard is told the name before the folder is made, so that there is no moment in which a kill
    /// leaves it behind. `below` is where the user wants it.
    pub(super) fn choose(below: Option<&Path>) -> PathBuf {
        use std::hash::{BuildHasher, RandomState};
        let is_inner = std::env::var_os(mark::VARIABLE).is_some();
        let memory = || memory_folder().filter(|_| !is_inner);
        let chosen =
            below.map(|below| std::path::absolute(below).unwrap_or_else(|_| below.to_owned()));
        let base = chosen.or_else(memory).unwrap_or_else(|| {
            std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| "/tmp".into())
        });
        let random = RandomState::new().hash_one(std::time::SystemTime::now());
        base.join(format!(
            "{}{}-{random:016x}",
            abandoned::PREFIX,
            std::process::id()
        ))
    }

    /// Makes it. An error if anything of that name is there.
    pub(super) fn make(path: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().mode(OURS_ALONE).create(&path)?;
        let lock = abandoned::occupy(&path);
        Ok(Self { path, lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it now, as far as possible, and returns what is left.
    pub(super) fn remove(&self) -> Vec<Left> {
        remove_run_folder(&self.path)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        self.remove();
    }
}
