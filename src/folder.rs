//! What stands in a folder, and the candidates that are a choice of it.
//!
//! A candidate of a whole folder is a *listing*: the numbers of the entries that stay, one a line, in order. That is all the bytes
//! that the engine has to compare, to remember and to write down, however large the files are; who fills a folder reads it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something that stands in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the top of the folder, without `.` and `..`.
    pub name: PathBuf,
    /// Its permission bits; those of a link say nothing.
    pub mode: u32,
    /// What it is.
    pub content: Content,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A file with these bytes.
    File(Arc<[u8]>),
    /// A symbolic link to this path.
    Link(PathBuf),
    /// A folder. What is in it has entries of its own, behind this one.
    Folder,
}

impl Entry {
    /// A file.
    pub fn file(name: impl Into<PathBuf>, mode: u32, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            mode,
            content: Content::File(bytes.into()),
        }
    }

    /// The bytes of a file; none for what is something else.
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::File(bytes) => bytes,
            Content::Link(_) | Content::Folder => &[],
        }
    }

    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.content == Content::Folder
    }
}

/// The listing of these entries. Numbers must rise.
pub fn listing(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut text = Vec::new();
    for number in numbers {
        text.extend_from_slice(number.to_string().as_bytes());
        text.push(b'\n');
    }
    text
}

/// The numbers in a listing. What is no number is passed over, so any bytes have an answer.
pub fn listed(listing: &[u8]) -> impl Iterator<Item = usize> {
    let lines = listing.split(|&byte| byte == b'\n');
    lines.filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok())
}

/// The entry that is the folder of each entry, if it has one. Cost: quadratic in the depth only.
pub fn parents(entries: &[Entry]) -> Vec<Option<usize>> {
    let folders: std::collections::BTreeMap<&Path, usize> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.is_folder())
        .map(|(number, entry)| (entry.name.as_path(), number))
        .collect();
    let parent = |entry: &Entry| folders.get(entry.name.parent()?).copied();
    entries.iter().map(parent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_gives_its_numbers_back() {
        let numbers = [0, 3, 17, 300];
        assert_eq!(listed(&listing(numbers)).collect::<Vec<_>>(), numbers);
        assert_eq!(listed(b"").count(), 0);
        assert_eq!(listed(b"1\nx\n\xff\n2").collect::<Vec<_>>(), [1, 2]);
    }
}
