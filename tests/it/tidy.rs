//! The shape of the source, read as Rust and not as lines: which room may use which, that no rooms go round in a circle, that the
//! pure ones touch nothing of the world, and where each foreign library is named.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// The rooms that each room may use. A room that is not listed may use nothing of the crate.
const MAY_USE: &[(&str, &str)] = &[
    ("main", "app cli oracle output report"),
    (
        "app",
        "cli config doctor engine error folder init interrupt minimize oracle output report search strategy syntax terminal",
    ),
    ("init", "error"),
    ("doctor", "config error oracle platform report syntax"),
    (
        "config",
        "cli engine error folder library minimize oracle output platform strategy syntax",
    ),
    ("cli", "minimize oracle strategy syntax"),
    ("error", "engine oracle output"),
    ("report", "cli interrupt lexis syntax terminal"),
    ("engine", "folder interrupt oracle output report search"),
    ("oracle", "folder interrupt platform terminal"),
    ("output", "folder platform"),
    (
        "strategy",
        "folder grammar lexis minimize pass search syntax",
    ),
    ("pass", "grammar minimize search syntax"),
    ("syntax", "grammar lexis"),
    ("grammar", "lexis"),
    ("minimize", "search"),
];

/// The rooms without input, output, clocks and global state.
const PURE: &[&str] = &[
    "folder", "grammar", "lexis", "minimize", "pass", "search", "strategy", "syntax",
];

/// What of the standard library touches the world.
const WORLD: &[&str] = &["env", "fs", "io", "net", "os", "process", "thread", "time"];

/// The rooms that may name a foreign library.
const FOREIGN: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("tree_sitter", &["syntax"]),
    ("indicatif", &["report"]),
    ("ratatui", &["report"]),
    ("console", &["report"]),
    ("anstream", &["report"]),
    ("anstyle", &["report"]),
    ("sha3", &["engine"]),
    ("libloading", &["library"]),
    ("wait4", &["oracle"]),
    ("libc", &["terminal"]),
    ("regex", &["config", "doctor", "oracle", "pass", "syntax"]),
    ("signal_hook", &["interrupt", "oracle"]),
];

/// Lines a file may have without its tests.
const LONGEST: usize = 450;

/// One file of the source.
struct Source {
    path: PathBuf,
    room: String,
    /// Every path of the code outside of its tests, as its words.
    paths: BTreeSet<Vec<String>>,
    length: usize,
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&root(), &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        Source::new(path, &text)
    };
    let sources: Vec<Source> = files.into_iter().map(read).collect();
    assert!(sources.len() > 5, "the sources are elsewhere");
    sources
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

impl Source {
    fn new(path: PathBuf, text: &str) -> Self {
        let relative = path.strip_prefix(root()).unwrap().with_extension("");
        let module: Vec<String> = relative
            .iter()
            .map(|part| part.to_str().unwrap().to_owned())
            .filter(|part| part != "mod")
            .collect();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let mut paths = Paths {
            module: module.clone(),
            found: BTreeSet::new(),
        };
        paths.visit_file(&syn::parse_file(text).unwrap());
        Self {
            room: module[0].clone(),
            paths: paths.found,
            length: code.lines().count(),
            path,
        }
    }

    /// The rooms that the file names besides its own.
    fn rooms(&self) -> BTreeSet<&str> {
        let rooms = self.paths.iter().filter_map(|path| match &path[..] {
            [top, room, ..] if top == "crate" || top == "paredown" => Some(room.as_str()),
            _ => None,
        });
        rooms
            .filter(|room| *room != self.room && room.starts_with(char::is_lowercase))
            .collect()
    }

    fn names_library(&self, library: &str) -> bool {
        let is_named = |path: &Vec<String>| path.len() > 1 && path[0] == library;
        self.paths.iter().any(is_named)
    }
}

/// Collects the paths of a file: of `use` in every form, of types, expressions and patterns, and of what macros are given.
struct Paths {
    /// Where the file stands, for `self` and `super`.
    module: Vec<String>,
    found: BTreeSet<Vec<String>>,
}

impl Paths {
    fn add(&mut self, path: &[String]) {
        let ups = path.iter().take_while(|word| *word == "super").count();
        let from_here = ups > 0 || path.first().is_some_and(|word| word == "self");
        let path = if from_here {
            let stays = self.module.len().saturating_sub(ups);
            let rest = &path[ups.max(1)..];
            let mut whole = vec!["crate".to_owned()];
            whole.extend_from_slice(&self.module[..stays]);
            whole.extend_from_slice(rest);
            whole
        } else {
            path.to_vec()
        };
        self.found.insert(path);
    }

    fn add_tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |word: &syn::Ident| {
            let word = word.to_string();
            let is_self = word == "self" && !before.is_empty();
            let words = before.iter().cloned();
            words.chain((!is_self).then_some(word)).collect::<Vec<_>>()
        };
        match tree {
            syn::UseTree::Path(path) => self.add_tree(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) => self.add(&with(&name.ident)),
            syn::UseTree::Rename(rename) => self.add(&with(&rename.ident)),
            syn::UseTree::Glob(_) => {
                let anything = before.iter().cloned().chain(["*".to_owned()]);
                self.add(&anything.collect::<Vec<_>>());
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(tree, before);
                }
            }
        }
    }

    /// Words with `::` between them.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut words: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end(&mut words);
                    }
                    words.push(ident.to_string());
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.end(&mut words);
                    self.add_tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => self.end(&mut words),
            }
            colons = 0;
        }
        self.end(&mut words);
    }

    fn end(&mut self, words: &mut Vec<String>) {
        if words.len() > 1 {
            self.add(words);
        }
        words.clear();
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.add_tree(&item.tree, &[]);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words = path.segments.iter().map(|part| part.ident.to_string());
        self.add(&words.collect::<Vec<_>>());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        self.add_tokens(called.tokens.clone());
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        self.add_tokens(item.mac.tokens.clone());
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            self.module.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_for_tests(&item.attrs) {
            syn::visit::visit_item_impl(self, item);
        }
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
    })
}

/// What a file has of other rooms, and of the world, that it may not have.
fn trespasses(source: &Source) -> Vec<String> {
    let allowed = MAY_USE.iter().find(|(room, _)| *room == source.room);
    let allowed: Vec<&str> = allowed.map_or("", |(_, rooms)| rooms).split(' ').collect();
    let (path, room) = (source.path.display(), &source.room);
    let rooms = source.rooms().into_iter();
    let rooms = rooms.filter(|name| !allowed.contains(name));
    let rooms = rooms.map(|name| format!("{path}: {room} may not use {name}"));
    let is_worldly = |path: &&Vec<String>| {
        path.len() > 1 && path[0] == "std" && WORLD.contains(&path[1].as_str())
    };
    let is_pure = PURE.contains(&room.as_str());
    let worldly = source.paths.iter().filter(is_worldly);
    let worldly =
        worldly.map(|used| format!("{path}: {room} is pure and uses {}", used.join("::")));
    rooms.chain(worldly.filter(|_| is_pure)).collect()
}

#[test]
fn imports_point_one_way_and_pure_rooms_touch_nothing() {
    let wrong: Vec<String> = sources().iter().flat_map(trespasses).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_rooms_go_round_in_a_circle() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let rooms = source.rooms().into_iter().map(str::to_owned);
        uses.entry(source.room.clone()).or_default().extend(rooms);
    }
    let mut left = uses.len() + 1;
    while left != uses.len() {
        left = uses.len();
        let rooms: BTreeSet<String> = uses.keys().cloned().collect();
        uses.retain(|_, used| !used.is_disjoint(&rooms));
    }
    assert!(uses.is_empty(), "among these is a circle: {uses:#?}");
}

#[test]
fn an_import_that_is_not_allowed_is_seen_in_every_form() {
    let in_pass = |code: &str| {
        let source = Source::new(root().join("pass/new.rs"), code);
        trespasses(&source)
    };
    let forbidden = [
        "use crate::engine::Engine;",
        "use crate::{\n    grammar::Kind,\n    engine::{\n        Engine,\n    },\n};",
        "use crate::{self as all, engine};",
        "use crate::engine as motor;",
        "use crate::engine::*;",
        "use super::super::engine::Engine;",
        "fn f() { use crate::engine::Engine; }",
        "fn f() { crate::engine::f(); }",
        "fn f(engine: &crate::engine::Engine) {}",
        "fn f() { vec![1, crate::engine::f()]; }",
        "macro_rules! m { () => { crate::engine::f() }; }",
        "mod inner { use super::super::super::engine::Engine; }",
        "impl crate::engine::Settings {}",
        "use std::{\n    fs,\n    sync::Arc,\n};",
        "fn f() { std::process::exit(1); }",
        "fn f() { let now = std::time::Instant::now(); }",
    ];
    for code in forbidden {
        assert_eq!(in_pass(code).len(), 1, "{code}: {:?}", in_pass(code));
    }
    for code in [
        "use crate::{\n    grammar::Kind,\n    syntax::Document,\n};",
        "use super::{Proposal, names::Names};",
        "// use crate::engine::Engine;\nconst TEXT: &str = \"crate::engine::f\";",
        "#[cfg(test)]\nmod tests { use crate::engine::Engine; use std::fs; }",
        "use std::{ops::Range, sync::Arc};",
    ] {
        assert_eq!(in_pass(code), [""; 0], "{code}");
    }
}

#[test]
fn each_foreign_library_is_named_in_its_rooms_only() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (library, rooms) in FOREIGN {
            if !rooms.contains(&source.room.as_str()) && source.names_library(library) {
                let path = source.path.display();
                wrong.push(format!("{path}: {library} belongs to {rooms:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_is_too_long_to_read() {
    let sources = sources();
    let long = sources.iter().filter(|source| source.length > LONGEST);
    let wrong: Vec<String> = long
        .map(|source| format!("{}: {} lines", source.path.display(), source.length))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_main_file_is_short() {
    let sources = sources();
    let main = sources.iter().find(|source| source.room == "main").unwrap();
    assert!(main.length <= 30, "{} lines", main.length);
}
