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
//! Any of them may be something else by then, such as a link to a folder of the user's, so nothing is entered before it was
//! seen to be a folder itself.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Access, AtFlags, CWD, OFlags, Timespec, Timestamps, access, utimensat};

use super::script::Layout;

/// The folders of one slot.
#[derive(Debug)]
pub(super) struct Workplace {
    root: PathBuf,
    work: PathBuf,
    tmp: PathBuf,
    candidate: PathBuf,
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
            stdout: capture("stdout")?,
            stderr: capture("stderr")?,
            layout: layout.clone(),
            marked: Vec::new(),
            work,
            root,
        };
        workplace.rebuild()?;
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
        let Err(_) = write_over(&self.candidate, candidate, self.layout.mode) else {
            return Ok(());
        };
        // The check did something to the file that the folders do not show, such as taking away the permissions.
        self.rebuild()?;
        write_over(&self.candidate, candidate, self.layout.mode)
    }

    /// Makes the folders as they were before the check ran, whatever it did to them. Its processes must be dead.
    pub(super) fn clean(&mut self) -> io::Result<()> {
        if self.marked.iter().all(Marked::is_unchanged) {
            return Ok(());
        }
        self.rebuild()
    }

    /// Forgets what was captured, which may be much.
    pub(super) fn clear_captures(&self) -> io::Result<()> {
        self.stdout.set_len(0)?;
        self.stderr.set_len(0)
    }

    fn rebuild(&mut self) -> io::Result<()> {
        self.clear_root()?;
        for folder in [&self.work, &self.tmp] {
            // A folder that can be kept keeps its inode: the usual case of a file that was left behind.
            if empty(folder, &self.root).is_err() {
                discard(folder, &self.root)?;
                make_folder(folder)?;
            }
        }
        self.marked.clear();
        for file in &self.layout.companions {
            let path = self.work.join(&file.name);
            write_over(&path, &file.bytes, file.mode)?;
            self.marked.push(Marked::new(path)?);
        }
        write_over(&self.candidate, b"", self.layout.mode)?;
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
            discard(&self.root, &self.root)?;
            make_folder(&self.root)?;
        }
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if !OWN_NAMES.iter().any(|name| entry.file_name() == *name) {
                discard(&entry.path(), &self.root)?;
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

/// Its permissions, and when its content and when anything about it was changed.
#[derive(Debug, PartialEq, Eq)]
struct Look {
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
        mode: found.mode(),
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
    })
}

/// Removes whatever has this name. Returns without an error only when nothing has it any more.
pub(super) fn discard(path: &Path, trash: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if !found.is_dir() => fs::remove_file(path),
        Ok(_) => {
            empty(path, trash)?;
            fs::remove_dir(path)
        }
    }
}

/// Removes all entries of a folder. Folders inside are first moved up to `trash`, so that neither the depth of the tree nor
/// the length of its paths matters, and links are never followed. An error if `folder` is none itself.
fn empty(folder: &Path, trash: &Path) -> io::Result<()> {
    let mut moved = vec![folder.to_owned()];
    while let Some(dir) = moved.pop() {
        open_up(&dir)?;
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                // A folder is renamed only by who may write to it.
                open_up(&entry.path())?;
                let place = trash.join(name_of_trash());
                fs::rename(entry.path(), &place)?;
                moved.push(place);
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        if dir != folder {
            fs::remove_dir(&dir)?;
        }
    }
    Ok(())
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

/// Gives us all permissions for a folder. An error for anything else, above all for a link: it would be followed.
fn open_up(folder: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    if found.permissions().mode() & 0o7777 == OURS_ALONE {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(OURS_ALONE))
}

/// Writes a file in place. It is replaced by a new one when it is something else than a plain file of ours: a link to
/// another place, or a file that the check gave a second name to keep it.
pub(super) fn write_over(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let open = || {
        let mut options = OpenOptions::new();
        options.write(true).create(true).mode(mode);
        options
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
            .open(path)
    };
    let ours = open().and_then(|file| {
        let found = file.metadata()?;
        Ok((found.is_file() && found.nlink() == 1).then_some((file, found)))
    });
    let (mut file, found) = if let Ok(Some(ours)) = ours {
        ours
    } else {
        let _ = fs::remove_file(path);
        let file = open()?;
        let found = file.metadata()?;
        (file, found)
    };
    file.rewind()?;
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
    /// A name for it: in memory-backed storage when that is there and can be used, else in the temp folder. The guard is
    /// told the name before the folder is made, so that there is no moment in which a kill leaves it behind.
    pub(super) fn choose() -> PathBuf {
        use std::hash::{BuildHasher, RandomState};
        let memory = PathBuf::from("/dev/shm");
        let usable = access(&memory, Access::WRITE_OK | Access::EXEC_OK).is_ok();
        let usable = usable && can_run_programs(&memory);
        let temporary =
            || std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| "/tmp".into());
        let base = if usable { memory } else { temporary() };
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
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        remove_run_folder(&self.0);
    }
}

/// Removes a run's folder with all that is in it, as far as possible. The check may have left folders that a plain removal
/// cannot enter. It may even have put something else in its place, which is none of our business.
pub(super) fn remove_run_folder(folder: &Path) {
    if open_up(folder).is_err() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let _ = discard(&entry.path(), folder);
    }
    let _ = fs::remove_dir(folder);
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
