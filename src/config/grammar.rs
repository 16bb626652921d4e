//! The user's own grammar: the folder that `tree-sitter generate` and `tree-sitter build` have filled.

use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::{read_file, read_text};
use super::rewrites::wrong;
use crate::error::{Error, plain, shell_word};
use crate::library;
use crate::syntax::{Language, LanguageFacts, OwnLanguage, name_of_grammar};

/// Where `tree-sitter` and other builders put things.
const FOLDERS: [&str; 5] = ["", "src", "build", "build/Release", "lib"];
const LIBRARIES: [&str; 2] = ["so", "dylib"];
/// What the grammar cannot say, in the format of the `grammars` folder of the sources; else a file of the grammar's name.
const FACTS: &str = "paredown.toml";
const GRAMMAR: &str = "grammar.json";
const NODE_TYPES: &str = "node-types.json";
const DESCRIPTION: &str = "tree-sitter.json";
const LOCALS: [&str; 2] = ["locals.scm", "queries/locals.scm"];
const REWRITES: &str = "rewrites.toml";

/// Loads the language of a folder, after checks of all its parts.
pub(super) fn load(folder: &Path) -> Result<Language, Error> {
    let grammar = read(folder, GRAMMAR)?;
    let node_types = read(folder, NODE_TYPES)?;
    let refused = |why: String| refused(folder, &why);
    let name = name_of_grammar(&grammar).map_err(|error| refused(error.to_string()))?;
    let facts = facts(folder, &name)?;
    let parser = parser(folder, &name)?;
    let language = OwnLanguage {
        parser,
        grammar: &grammar,
        node_types: &node_types,
        facts: &facts,
    };
    let mut language = language
        .load()
        .map_err(|error| refused(error.to_string()))?;
    add_queries(&mut language, folder)?;
    Ok(language)
}

/// What says where names are declared, and what may be rewritten, if there is such.
fn add_queries(language: &mut Language, folder: &Path) -> Result<(), Error> {
    if let Some(path) = LOCALS.iter().find_map(|name| find(folder, name)) {
        let set = language.set_locals(read_text(&path)?);
        set.map_err(|mistake| wrong(&path, mistake))?;
    }
    if let Some(path) = find(folder, REWRITES) {
        let added = language.add_rewrites(&read_text(&path)?);
        added.map_err(|mistake| wrong(&path, mistake))?;
    }
    Ok(())
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let places = FOLDERS.iter().map(|below| folder.join(below).join(name));
    places.into_iter().find(|path| path.is_file())
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let Some(path) = find(folder, name) else {
        return Err(Error::Usage {
            problem: format!("`--grammar {}`: there is no {name} in it", shell_word(folder)),
            hint: "give the folder of a grammar in which this was run: tree-sitter generate && tree-sitter build".into(),
        });
    };
    Ok(read_file(&path)?.0)
}

fn facts(folder: &Path, name: &str) -> Result<LanguageFacts, Error> {
    let own = format!("{name}.toml");
    let Some(path) = [FACTS, &own].iter().find_map(|name| find(folder, name)) else {
        let mut facts = LanguageFacts::default();
        facts.extensions = extensions(folder);
        return Ok(facts);
    };
    let text = read_text(&path)?;
    LanguageFacts::from_toml(&text).map_err(|why| Error::Usage {
        problem: format!("{} is not understood: {why}", path.display()),
        hint: "its keys are those of the files in the folder grammars/ of paredown's sources"
            .into(),
    })
}

/// The extensions that the generator's own description has.
fn extensions(folder: &Path) -> Vec<String> {
    let description = find(folder, DESCRIPTION).and_then(|path| fs::read(path).ok());
    let description = description.unwrap_or_default();
    let description: serde_json::Value = serde_json::from_slice(&description).unwrap_or_default();
    let types = &description["grammars"][0]["file-types"];
    let types = types.as_array().into_iter().flatten();
    types
        .filter_map(|extension| Some(extension.as_str()?.to_owned()))
        .collect()
}

/// The first library in the folder that has the parser.
fn parser(folder: &Path, name: &str) -> Result<tree_sitter_language::LanguageFn, Error> {
    let libraries = libraries(folder);
    let mut why = None;
    for path in &libraries {
        // A name without a folder would be looked for elsewhere.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        match library::parser(&absolute, name) {
            Ok(parser) => return Ok(parser),
            Err(error) => why = Some(format!("{}: {}", path.display(), plain(&error))),
        }
    }
    Err(match why {
        Some(why) => refused(folder, &why),
        None => no_library(folder, name),
    })
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let mut libraries: Vec<PathBuf> = Vec::new();
    for below in FOLDERS {
        let entries = fs::read_dir(folder.join(below))
            .into_iter()
            .flatten()
            .flatten();
        let is_library = |path: &PathBuf| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| LIBRARIES.contains(&extension))
        };
        let mut found: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(is_library)
            .collect();
        found.sort();
        libraries.extend(found);
    }
    libraries
}

/// All that is read of a grammar's folder, as far as that is known without reading it.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let own = [GRAMMAR, NODE_TYPES, DESCRIPTION, FACTS, REWRITES];
    let named = own
        .iter()
        .chain(&LOCALS)
        .filter_map(|name| find(folder, name));
    named.chain(libraries(folder)).collect()
}

fn no_library(folder: &Path, name: &str) -> Error {
    let sources = folder.join("src");
    let scanner = sources.join("scanner.c");
    let scanner = if scanner.is_file() {
        format!(" {}", shell_word(&scanner))
    } else {
        String::new()
    };
    Error::Usage {
        problem: format!(
            "`--grammar {}`: there is no parser library in it",
            shell_word(folder)
        ),
        hint: format!(
            "make it: cc -shared -fPIC -O2 -I {} -o {} {}{scanner}",
            shell_word(&sources),
            shell_word(folder.join(format!("{name}.so"))),
            shell_word(sources.join("parser.c"))
        ),
    }
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::Usage {
        problem: format!("`--grammar {}` cannot be used: {why}", shell_word(folder)),
        hint: "make it anew with a tree-sitter of this time: tree-sitter generate && tree-sitter build".into(),
    }
}
