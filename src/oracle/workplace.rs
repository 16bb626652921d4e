//! The folders of one slot: where the check runs and where it may put its temporary files.
//!
//! ```text
//! RUN/0
//! ├── work      the working directory with the candidate and its companions
//! ├── tmp       TMPDIR
//! └── stdout    what the check printed, where the property is about that
//! ```
//!
//! The folders are reused. Whether the check left something there is seen from their modification time, which is set to a
//! value that no clock shows, and from the time of their last change, which nobody can set: any entry that appears or goes
//! changes both. So the usual query costs three `stat` calls, and only a check that left something is cleaned up after.
//!
//! Any of them may be something else by then, such as a link to a folder of the user's or a place where one is mounted, so
//! nothing is entered or changed before it was seen to be a folder itself.
//!
//! A check may leave what cannot be removed: a mount, an immutable file, a folder that a container made as another user. All
//! else is removed then, and the caller is told what is [`Left`].

use std::fs::{self, DirEntry, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    Access, AtFlags, CWD, FileType, OFlags, StatxAttributes, StatxFlags, Timespec, Timestamps,
    access, statx, utimensat,
};
use rustix::io::Errno;

use super::mark;
use super::script::Layout;

/// The folders of one slot.
#[derive(Debug)]
pub(super) struct Workplace {
    root: PathBuf,
    work: PathBuf,
    tmp: PathBuf,
    candidate: PathBuf,
    /// Which file we made of that name.
    candidate_file: FileId,
    layout: Layout,
    /// The folders and the companions as they were before the check ran.
    marked: Vec<Marked>,
    pub(super) stdout: File,
    pub(super) stderr: File,
}

pub(super) const OURS_ALONE: u32 = 0o700;

/// What stands in the folder of a slot.
const OWN_NAMES: [&str; 4] = ["work", "tmp", "stdout", "stderr"];

/// 1 s and a bit after the epoch.
const MARK: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 271_828_182,
};

impl Workplace {
    pub(super) fn new(root: PathBuf, layout: &Layout) -> io::Result<Self> {
        make_folder(&root)?;
        let work = root.join("work");
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
            candidate: work.join(&layout.name),
            candidate_file: FileId::default(),
            stdout: capture("stdout")?,
            stderr: capture("stderr")?,
            layout: layout.clone(),
            marked: Vec::new(),
            work,
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

    pub(super) fn candidate(&self) -> &Path {
        &self.candidate
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Puts the candidate in its place, in the folders that [`Workplace::clean`] left. Cost: writing the bytes once.
    pub(super) fn fill(&mut self, candidate: &[u8]) -> io::Result<()> {
        let mode = self.layout.mode;
        match write_over(&self.candidate, self.candidate_file, candidate, mode) {
            Ok(()) => Ok(()),
            // The check did something to the file that the folders do not show, such as taking away the permissions; or the
            // original has none to write.
            Err(_) => self.rebuild(candidate),
        }
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
        for folder in [&self.work, &self.tmp] {
            // A folder that can be kept keeps its inode: the usual case of a file that was left behind.
            if !empty(folder, &self.root).is_empty() {
                refuse(discard(folder, &self.root))?;
                make_folder(folder)?;
            }
        }
        self.marked.clear();
        for file in &self.layout.companions {
            let path = self.work.join(&file.name);
            write_new(&path, &file.bytes, file.mode)?;
            self.marked.push(Marked::new(path)?);
        }
        self.candidate_file = write_new(&self.candidate, candidate, self.layout.mode)?;
        for folder in [&self.work, &self.tmp, &self.root] {
            self.marked.push(Marked::new(folder.clone())?);
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

/// What a check left and we cannot remove.
#[derive(Debug)]
pub struct Left {
    /// Where it is.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// The first of what is left as an error.
fn refuse(left: Vec<Left>) -> io::Result<()> {
    left.into_iter().next().map_or(Ok(()), |left| {
        let why = format!("cannot remove {}: {}", left.path.display(), left.source);
        Err(io::Error::new(left.source.kind(), why))
    })
}

/// Removes whatever has this name, as far as possible. When nothing is left, nothing has the name any more.
fn discard(path: &Path, trash: &Path) -> Vec<Left> {
    let left = |source| {
        let path = path.to_owned();
        vec![Left { path, source }]
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => left(error),
        Ok(found) if !found.is_dir() => fs::remove_file(path).map_or_else(left, |()| Vec::new()),
        Ok(_) => {
            let inside = empty(path, trash);
            if !inside.is_empty() {
                return inside;
            }
            fs::remove_dir(path).map_or_else(left, |()| Vec::new())
        }
    }
}

/// Removes all entries of a folder, as far as possible. Folders inside are first moved up to `trash`, so that neither the depth
/// of the tree nor the length of its paths matters, and links are never followed.
fn empty(folder: &Path, trash: &Path) -> Vec<Left> {
    let mut left = Vec::new();
    let mut moved = vec![folder.to_owned()];
    while let Some(dir) = moved.pop() {
        let left_before = left.len();
        let mut keep = |path: PathBuf, source| left.push(Left { path, source });
        match entries_of(&dir) {
            Err(source) => keep(dir.clone(), source),
            Ok(entries) => {
                for entry in entries {
                    match remove_or_move(&entry, trash) {
                        Ok(place) => moved.extend(place),
                        Err(source) => keep(entry.path(), source),
                    }
                }
            }
        }
        if dir != folder
            && left.len() == left_before
            && let Err(source) = fs::remove_dir(&dir)
        {
            left.push(Left { path: dir, source });
        }
    }
    left
}

fn entries_of(folder: &Path) -> io::Result<Vec<DirEntry>> {
    open_up(folder)?;
    fs::read_dir(folder)?.collect()
}

/// Removes what is no folder. A folder goes to `trash`; returns where it is then.
fn remove_or_move(entry: &DirEntry, trash: &Path) -> io::Result<Option<PathBuf>> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return fs::remove_file(path).map(|()| None);
    }
    // Who may not look into a folder of somebody else's may still remove an empty one.
    let Err(error) = open_up(&path) else {
        let place = trash.join(name_of_trash());
        return fs::rename(path, &place).map(|()| Some(place));
    };
    fs::remove_dir(path).map(|()| None).map_err(|_| error)
}

/// One that was never given out before, and that no check uses by chance.
fn name_of_trash() -> String {
    static GIVEN_OUT: AtomicU64 = AtomicU64::new(0);
    let number = GIVEN_OUT.fetch_add(1, Ordering::Relaxed);
    format!("paredown-trash-{number}")
}

/// Makes a folder of ours alone, or takes the one that is there. An error if something else is there.
fn make_folder(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(OURS_ALONE).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open_up(path),
        made => made,
    }
}

/// Gives us all permissions for a folder. An error for anything else: a link would be followed, and what is mounted in a
/// folder's place belongs to somebody else.
fn open_up(folder: &Path) -> io::Result<()> {
    let wanted = StatxFlags::TYPE | StatxFlags::MODE;
    let found = statx(CWD, folder, AtFlags::SYMLINK_NOFOLLOW, wanted)?;
    if FileType::from_raw_mode(found.stx_mode.into()) != FileType::Directory {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    if found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT) {
        return Err(Errno::BUSY.into());
    }
    if u32::from(found.stx_mode) & 0o7777 == OURS_ALONE {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(OURS_ALONE))
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
pub(super) struct RunFolder(PathBuf);

impl RunFolder {
    /// A name for it: in memory-backed storage when that is there and can be used, else in the temp folder. A paredown that the
    /// check of another one has started uses the temp folder that it was given: the other one kills it without a word
    /// and empties that. The guard is told the name before the folder is made, so that there is no moment in which a kill
    /// leaves it behind.
    pub(super) fn choose() -> PathBuf {
        use std::hash::{BuildHasher, RandomState};
        let memory = PathBuf::from("/dev/shm");
        let usable = access(&memory, Access::WRITE_OK | Access::EXEC_OK).is_ok();
        let usable = usable && can_run_programs(&memory);
        let is_inner = std::env::var_os(mark::VARIABLE).is_some();
        let temporary =
            || std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| "/tmp".into());
        let base = if usable && !is_inner {
            memory
        } else {
            temporary()
        };
        let random = RandomState::new().hash_one(std::time::SystemTime::now());
        base.join(format!("paredown-{}-{random:016x}", std::process::id()))
    }

    /// Makes it. An error if anything of that name is there.
    pub(super) fn make(path: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().mode(OURS_ALONE).create(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Removes it now, as far as possible, and returns what is left.
    pub(super) fn remove(&self) -> Vec<Left> {
        remove_run_folder(&self.0)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes a run's folder with all that is in it, as far as possible, and returns what is left. The check may have left folders
/// that a plain removal cannot enter. It may even have put something else in its place, which is none of our business.
pub(super) fn remove_run_folder(folder: &Path) -> Vec<Left> {
    let Ok(entries) = entries_of(folder) else {
        return Vec::new();
    };
    let left: Vec<Left> = entries
        .iter()
        .flat_map(|entry| discard(&entry.path(), folder))
        .collect();
    let _ = fs::remove_dir(folder);
    left
}

/// A check may compile the candidate and run it, which a place without programs would silently make uninteresting; and a
/// place that is nearly full (containers give 64 MiB) is no place to work in.
fn can_run_programs(folder: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    const ROOM: u64 = 1 << 30;
    statvfs(folder).is_ok_and(|found| {
        !found
            .f_flag
            .intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
            && found.f_bavail.saturating_mul(found.f_frsize) >= ROOM
    })
}
