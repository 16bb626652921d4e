//! The folder by which the reductions of a batch share their jobs.

use std::fs;
use std::path::{Path, PathBuf};

use super::system;
use crate::error::{Error, shell_word};
use crate::oracle::make_places;

/// The folder of the places that all share. It is one of the batch, so that what a kill leaves of it is used again.
pub(super) struct Pool(PathBuf);

impl Pool {
    /// Makes it.
    ///
    /// # Errors
    /// Something of the user's has its name, or it cannot be made.
    pub(super) fn make(folder: PathBuf, jobs: usize) -> Result<Self, Error> {
        if !Self::may_be_removed(&folder) {
            return Err(Error::Usage {
                problem: format!("no batch has made what is in {}", folder.display()),
                hint: format!("give it another name: mv {0} {0}.mine", shell_word(&folder)),
            });
        }
        let pool = Self(folder);
        pool.remove();
        make_places(&pool.0, jobs).map_err(system("paredown batch"))?;
        Ok(pool)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// Whether nothing is there, or what a batch has left: empty files with numbers as their names.
    fn may_be_removed(folder: &Path) -> bool {
        let is_place = |entry: std::io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let is_empty = entry
                    .metadata()
                    .is_ok_and(|found| found.is_file() && found.len() == 0);
                is_empty
                    && entry
                        .file_name()
                        .as_encoded_bytes()
                        .iter()
                        .all(u8::is_ascii_digit)
            })
        };
        match fs::symlink_metadata(folder) {
            Err(_) => true,
            Ok(found) if found.is_dir() => {
                fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_place))
            }
            Ok(_) => false,
        }
    }

    fn remove(&self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.remove();
    }
}
