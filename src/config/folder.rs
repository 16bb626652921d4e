//! Folders to reduce: everything that is in them, and what is left out or left as it is, which is said.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::inputs::{Input, Inputs, Typed, read_input};
use crate::cli::Args;
use crate::error::{Error, shell_word};
use crate::folder::{Content, Entry, parents};
use crate::output::{mode_for_copies, real_path};
use crate::strategy::{Encoding, Shape};

/// The entries of all inputs, when one of them is a folder.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    mode: u32,
    entries: Vec<Entry>,
    shape: Shape,
    /// The entry of each file that is reduced inside.
    of_inputs: Vec<usize>,
}

impl Folder {
    /// The first folder on the command line.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its permission bits.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// Everything that the check finds where it runs; a folder comes before what is in it.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is in what, and what has to stay: what was named on the command line, and what `--keep` protects.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The entry of the input of this number.
    pub fn of_input(&self, index: usize) -> usize {
        self.of_inputs[index]
    }
}

/// What people keep in a folder beside what belongs to it.
const OF_VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".svn", ".jj"];
/// So many names are said.
const NAMED: usize = 3;

/// Reads the inputs, of which one at least is a folder.
pub(super) fn read(
    typed: Typed<'_>,
    paths: &[PathBuf],
    names: Vec<PathBuf>,
    top: Option<OsString>,
) -> Result<Inputs, Error> {
    refuse_what_needs_a_file(typed.args)?;
    let mut walk = Walk {
        own_places: own_places(typed.args),
        found: BTreeMap::new(),
        left_out: LeftOut::default(),
    };
    let mut inputs: BTreeMap<PathBuf, Input> = BTreeMap::new();
    for (path, name) in paths.iter().zip(&names) {
        if path.is_dir() {
            walk.folder(path, name);
        } else {
            inputs.insert(name.clone(), read_input(typed, path, name)?);
        }
    }
    let mut fixed = vec![];
    for input in inputs.values() {
        let entry = Entry::file(input.name(), input.mode(), input.bytes().clone());
        let path = input.path().to_owned();
        walk.found.insert(input.name().to_owned(), (entry, path));
    }
    let mut left_as_they_are = Vec::new();
    for (name, (entry, path)) in &walk.found {
        let is_named = inputs.contains_key(name) || names.contains(name);
        let mut must_stay = is_named;
        if let (Content::File(bytes), false) = (&entry.content, is_named)
            && !bytes.is_empty()
        {
            let input = Input::new(typed, path.clone(), name.clone(), entry.mode, bytes.clone())?;
            must_stay = !input.kept().is_empty();
            if is_binary(bytes) {
                left_as_they_are.push(path.clone());
            } else {
                inputs.insert(name.clone(), input);
            }
        }
        fixed.push(must_stay);
    }
    let entries: Vec<Entry> = walk.found.into_values().map(|(entry, _)| entry).collect();
    let number = |name: &Path| entries.binary_search_by(|entry| entry.name.as_path().cmp(name));
    let of_inputs = inputs.keys().filter_map(|name| number(name).ok()).collect();
    let path = paths.iter().find(|path| path.is_dir());
    let path = path.cloned().unwrap_or_default();
    if entries.is_empty() {
        return Err(Error::EmptyFile { path });
    }
    let mut warnings = walk.left_out.warnings(&entries);
    warnings.extend(binary_warning(&left_as_they_are));
    Ok(Inputs {
        files: inputs.into_values().collect(),
        folder: Some(Folder {
            mode: fs::metadata(&path).map_or(0o755, |found| found.permissions().mode() & 0o777),
            path,
            shape: Shape {
                parents: parents(&entries),
                fixed,
            },
            entries,
            of_inputs,
        }),
        arguments: names,
        top,
        warnings,
    })
}

fn refuse_what_needs_a_file(args: &Args) -> Result<(), Error> {
    let needs_file = [
        (args.in_place, "--in-place", "a new folder: -o small/"),
        (args.input.stdin, "--stdin", "the files one by one"),
        (
            args.also_interesting.is_some(),
            "--also-interesting",
            "the files one by one",
        ),
        (
            args.output.as_deref() == Some(Path::new("-")),
            "-o -",
            "a new folder: -o small/",
        ),
    ];
    match needs_file.iter().find(|(given, ..)| *given) {
        None => Ok(()),
        Some((_, option, instead)) => Err(Error::Usage {
            problem: format!("`{option}` is for files, but a folder is to be reduced"),
            hint: format!("leave it out and take {instead}"),
        }),
    }
}

/// Where this run writes, which an earlier one may have written already.
fn own_places(args: &Args) -> Vec<PathBuf> {
    let saying = &args.saying;
    let places = [&args.output, &args.json, &args.report, &args.state];
    let places = places.into_iter().chain([&saying.summary, &saying.record]);
    places.flatten().map(|path| real_path(path)).collect()
}

fn is_binary(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 8 << 10;
    Encoding::of(bytes) == Encoding::Bytes && bytes[..bytes.len().min(LOOKED_AT)].contains(&0)
}

fn binary_warning(paths: &[PathBuf]) -> Option<String> {
    let first = shell_word(paths.first()?);
    Some(format!(
        "not text, so removed as a whole or not at all: {}; to reduce one inside too, name it beside its folder: {first}",
        named(paths)
    ))
}

/// Looks into folders.
struct Walk {
    own_places: Vec<PathBuf>,
    /// By name: the entry and its path.
    found: BTreeMap<PathBuf, (Entry, PathBuf)>,
    left_out: LeftOut,
}

/// What is in a folder but not in the check's.
#[derive(Default)]
struct LeftOut {
    unreadable: Vec<PathBuf>,
    special: Vec<PathBuf>,
    of_version_control: Vec<PathBuf>,
}

impl Walk {
    /// Takes in all of a folder. Its depth is limited by the system's longest path only.
    fn folder(&mut self, path: &Path, name: &Path) {
        let mut open = vec![(path.to_owned(), name.to_owned())];
        while let Some((path, name)) = open.pop() {
            if let Err(_unreadable) = self.one_folder(&path, &name, &mut open) {
                self.left_out.unreadable.push(path);
            }
        }
    }

    fn one_folder(
        &mut self,
        path: &Path,
        name: &Path,
        open: &mut Vec<(PathBuf, PathBuf)>,
    ) -> io::Result<()> {
        let is_top = name.as_os_str().is_empty();
        let metadata = fs::metadata(path)?;
        for item in fs::read_dir(path)? {
            let item = item?;
            let [path, name] = [item.path(), name.join(item.file_name())];
            if self.own_places.contains(&real_path(&path)) {
                continue;
            }
            let is_control = OF_VERSION_CONTROL
                .iter()
                .any(|own| item.file_name() == *own);
            let found = item.metadata();
            match found {
                _ if is_control => self.left_out.of_version_control.push(path),
                Ok(found) if found.is_dir() => open.push((path, name)),
                Ok(found) => self.no_folder(path, &name, &found),
                Err(_) => self.left_out.unreadable.push(path),
            }
        }
        if !is_top {
            self.add(path, name, &metadata, Content::Folder);
        }
        Ok(())
    }

    fn no_folder(&mut self, path: PathBuf, name: &Path, found: &Metadata) {
        let content = if found.is_file() {
            fs::read(&path).map(|bytes| Content::File(bytes.into()))
        } else if found.is_symlink() {
            fs::read_link(&path).map(Content::Link)
        } else {
            self.left_out.special.push(path);
            return;
        };
        match content {
            Ok(content) => self.add(&path, name, found, content),
            Err(_) => self.left_out.unreadable.push(path),
        }
    }

    fn add(&mut self, path: &Path, name: &Path, found: &Metadata, content: Content) {
        let entry = Entry {
            name: name.to_owned(),
            mode: mode_for_copies(found),
            content,
        };
        self.found.insert(name.to_owned(), (entry, path.to_owned()));
    }
}

impl LeftOut {
    fn warnings(&self, entries: &[Entry]) -> Vec<String> {
        let outward = entries.iter().filter(|entry| leads_out(entry));
        let outward: Vec<PathBuf> = outward.map(|entry| entry.name.clone()).collect();
        let each = [
            (
                "cannot be read, so left out, for the check and in the result",
                &self.unreadable,
            ),
            (
                "neither a file nor a folder nor a link, so left out",
                &self.special,
            ),
            (
                "of version control, so left out, for the check and in the result",
                &self.of_version_control,
            ),
            (
                "links out of the folder, which lead nowhere where the check runs",
                &outward,
            ),
        ];
        let said = each.iter().filter(|(_, paths)| !paths.is_empty());
        said.map(|(what, paths)| format!("{what}: {}", named(paths)))
            .collect()
    }
}

/// Whether it is a link to a place above the folder, by a path from where it is.
fn leads_out(entry: &Entry) -> bool {
    let Content::Link(target) = &entry.content else {
        return false;
    };
    if target.is_absolute() {
        return false;
    }
    let mut depth = entry.name.components().count() - 1;
    for part in target.components() {
        match part {
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
    }
    false
}

/// Some of the paths and how many there are more.
fn named(paths: &[PathBuf]) -> String {
    let mut paths: Vec<&PathBuf> = paths.iter().collect();
    paths.sort();
    let shown: Vec<String> = paths.iter().take(NAMED).map(shell_word).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        more => format!(" and {more} others"),
    };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_out_are_told_from_those_that_stay_inside() {
        for (name, target, leads) in [
            ("a", "b", false),
            ("a", "../b", true),
            ("d/a", "../b", false),
            ("d/a", "../../b", true),
            ("d/a", "x/../../../b", true),
            ("a", "/etc", false),
        ] {
            let entry = Entry {
                name: name.into(),
                mode: 0o777,
                content: Content::Link(target.into()),
            };
            assert_eq!(leads_out(&entry), leads, "{name} -> {target}");
        }
    }

    #[test]
    fn what_is_left_out_is_said_with_the_reason() {
        let left_out = LeftOut {
            unreadable: vec!["a".into()],
            special: vec!["b".into()],
            of_version_control: vec!["c".into()],
        };
        assert_eq!(
            left_out.warnings(&[]),
            [
                "cannot be read, so left out, for the check and in the result: a",
                "neither a file nor a folder nor a link, so left out: b",
                "of version control, so left out, for the check and in the result: c",
            ]
        );
    }

    #[test]
    fn only_some_names_are_said() {
        let paths: Vec<PathBuf> = ["d", "c", "b", "a"].map(PathBuf::from).into();
        assert_eq!(named(&paths), "a, b, c and 1 other");
        assert_eq!(named(&paths[..2]), "c, d");
    }
}
