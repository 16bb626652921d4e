//! Candidates that the check marked as worth keeping (`--also-interesting`): another bug, found on the way.
//!
//! They are saved and have no effect on the search.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use sha3::{Digest, Sha3_256};

use super::rendered::{Key, Rendered};

/// The folder where they are kept, numbered, each content once.
#[derive(Debug)]
pub struct Finds {
    folder: PathBuf,
    suffix: String,
    mode: u32,
    seen: FxHashSet<Key>,
    saved: usize,
}

/// More of them help nobody.
const MOST: usize = 1000;

impl Finds {
    /// The folder is made with the first find; what an earlier run left there stays and is not saved again. `name` is the
    /// input's file name, `mode` its permission bits, which the finds have too.
    pub fn new(folder: &Path, name: &str, mode: u32) -> Self {
        let mut finds = Self {
            folder: folder.to_owned(),
            suffix: name.to_owned(),
            mode,
            seen: FxHashSet::default(),
            saved: 0,
        };
        for entry in fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(MOST)
        {
            // Nothing else is a find: a pipe would block, and a device has no end.
            let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_plain && let Ok(bytes) = fs::read(entry.path()) {
                finds.seen.insert(Sha3_256::digest(&bytes).into());
            }
            finds.saved += 1;
        }
        finds
    }

    /// Saves it if it is new and there is room; says where.
    pub(super) fn save(&mut self, find: &Rendered) -> io::Result<Option<PathBuf>> {
        if self.saved >= MOST || !self.seen.insert(*find.key()) {
            return Ok(None);
        }
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700).create(&self.folder)?;
        loop {
            self.saved += 1;
            let path = self
                .folder
                .join(format!("{:04}-{}", self.saved, self.suffix));
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(self.mode);
            match options.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => {
                    opened?.write_all(&find.bytes)?;
                    return Ok(Some(path));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_content_is_saved_once_also_over_several_runs() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("also");
        let save = |texts: &[&str]| {
            let mut finds = Finds::new(&place, "bug.c", 0o600);
            let find = |text: &&str| Rendered::of(text.as_bytes().to_vec(), "test");
            texts
                .iter()
                .filter(|text| finds.save(&find(text)).unwrap().is_some())
                .count()
        };
        assert!(!place.exists());
        assert_eq!(save(&["a", "b", "a"]), 2);
        assert_eq!(save(&["b", "c"]), 1);
        assert_eq!(fs::read(place.join("0003-bug.c")).unwrap(), b"c");
    }
}
