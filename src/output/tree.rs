//! The result of a folder: a whole tree of files, which takes its name in one step.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{OutputError, fresh, owners, write_error};
use crate::folder::{Content, Entry, listed};
use crate::platform::exchange;

/// Where the best choice of some entries goes.
#[derive(Debug)]
pub(super) struct Tree {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The permission bits of the folder itself.
    mode: u32,
    /// A hidden name beside it, under which the next tree grows.
    fresh: PathBuf,
}

const OWNER_MAY_ALL: u32 = 0o700;

impl Tree {
    /// Finds out that something can be made there.
    pub(super) fn new(path: &Path, entries: Vec<Entry>, mode: u32) -> Result<Self, OutputError> {
        let real = super::real_path(path);
        let fresh = owners::refuse_trap(path).and_then(|()| fresh::name_beside(&real));
        Ok(Self {
            fresh: fresh.map_err(|source| write_error(path, source))?,
            path: real,
            entries,
            mode,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn fresh_path(&self) -> &Path {
        &self.fresh
    }

    pub(super) fn entry(&self, number: usize) -> Option<&Entry> {
        self.entries.get(number)
    }

    pub(super) fn set_entry(&mut self, number: usize, bytes: Arc<[u8]>) {
        if let Some(entry) = self.entries.get_mut(number) {
            entry.content = Content::File(bytes);
        }
    }

    /// Puts the entries of a listing under the result's name. Cost: writing all of them once.
    pub(super) fn save(&self, listing: &[u8]) -> Result<(), OutputError> {
        let saved = self.write(listing).and_then(|()| self.take_the_name());
        // What was there before, or what could not be finished.
        let _ = fs::remove_dir_all(&self.fresh);
        saved.map_err(|source| write_error(&self.path, source))
    }

    fn write(&self, listing: &[u8]) -> io::Result<()> {
        let _ = fs::remove_dir_all(&self.fresh);
        DirBuilder::new().mode(OWNER_MAY_ALL).create(&self.fresh)?;
        let mut folders = Vec::new();
        for entry in listed(listing).filter_map(|number| self.entries.get(number)) {
            let path = self.fresh.join(&entry.name);
            let parent = path.parent().unwrap_or(&self.fresh);
            fs::create_dir_all(parent)?;
            match &entry.content {
                Content::File(bytes) => write_file(&path, bytes, entry.mode)?,
                Content::Link(target) => symlink(target, &path)?,
                Content::Folder => {
                    fs::create_dir(&path)?;
                    folders.push((path, entry.mode));
                }
            }
        }
        folders.push((self.fresh.clone(), self.mode));
        folders.into_iter().try_for_each(|(path, mode)| {
            fs::set_permissions(path, Permissions::from_mode(mode | OWNER_MAY_ALL))
        })
    }

    fn take_the_name(&self) -> io::Result<()> {
        if fs::symlink_metadata(&self.path).is_err() {
            return fs::rename(&self.fresh, &self.path);
        }
        exchange(&self.fresh, &self.path).or_else(|_| {
            // Not every file system can do both at once.
            fs::remove_dir_all(&self.path)?;
            fs::rename(&self.fresh, &self.path)
        })
    }
}

fn write_file(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file: File = fresh::create(path)?;
    file.write_all(bytes)?;
    let permissions = Permissions::from_mode(mode | super::OWNER_MAY_WRITE);
    owners::set_permissions(&file, &permissions, owners::own_group())
}

/// Folders that were made for results; those that are still empty go when this is dropped.
#[derive(Debug, Default)]
pub struct MadeFolders(Vec<PathBuf>);

const ONLY_OWNER_WRITES: u32 = 0o755;

impl MadeFolders {
    /// Makes a folder with all that it is in, as far as they are missing. Nobody else may put anything there.
    pub fn make(&mut self, path: &Path) -> Result<(), OutputError> {
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            let mut builder = DirBuilder::new();
            builder.mode(ONLY_OWNER_WRITES);
            let made = builder.create(folder);
            made.map_err(|source| write_error(folder, source))?;
            self.0.push(folder.to_owned());
        }
        Ok(())
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // It fails when there is something in it.
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_takes_the_place_of_an_older_one_and_nothing_is_left_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("small");
        let entries = vec![
            Entry {
                name: "d".into(),
                mode: 0o750,
                content: Content::Folder,
            },
            Entry::file("d/run", 0o755, *b"#!/bin/sh\n"),
            Entry {
                name: "link".into(),
                mode: 0o777,
                content: Content::Link("d/run".into()),
            },
            Entry::file("more", 0o444, *b"more"),
        ];
        let tree = Tree::new(&place, entries, 0o755).unwrap();
        assert!(!place.exists());
        tree.save(b"0\n1\n2\n3\n").unwrap();
        assert_eq!(fs::read(place.join("more")).unwrap(), b"more");
        tree.save(b"0\n1\n2\n").unwrap();
        assert!(!place.join("more").exists());
        let mode = |name: &str| fs::metadata(place.join(name)).unwrap().permissions().mode();
        assert_eq!([mode("d") & 0o777, mode("d/run") & 0o777], [0o750, 0o755]);
        assert_eq!(
            fs::read_link(place.join("link")).unwrap(),
            Path::new("d/run")
        );
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_was_made_and_stayed_empty_goes() {
        let root = tempfile::tempdir().unwrap();
        let mut made = MadeFolders::default();
        made.make(&root.path().join("a/b")).unwrap();
        made.make(&root.path().join("c")).unwrap();
        fs::write(root.path().join("c/file"), "").unwrap();
        drop(made);
        assert!(!root.path().join("a").exists() && root.path().join("c/file").exists());
    }
}
