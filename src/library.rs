//! Parsers that are not built in: shared libraries with what `tree-sitter build` makes. The only room that loads code.

use std::error::Error;
use std::io;
use std::path::Path;

use libloading::{Library, Symbol};
use tree_sitter_language::LanguageFn;

/// The function of a generated parser that gives its tables.
type Entry = unsafe extern "C" fn() -> *const ();

/// Loads a library, which stays loaded for the life of the process, and finds the parser of this name in it: the function
/// `tree_sitter_NAME`. The library's own code runs: give only what is trusted as much as a program that is run.
///
/// # Errors
/// It is no shared library for this machine, or has no such function; with the system's words.
#[expect(
    unsafe_code,
    reason = "code of the user's own choice is loaded, as a compiler's plugin is; there is no safe way to do that"
)]
pub fn parser(path: &Path, name: &str) -> io::Result<LanguageFn> {
    let other = |what: &str, error: libloading::Error| {
        let why = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        io::Error::other(format!("{what} ({why})"))
    };
    let symbol = format!("tree_sitter_{name}\0");
    let missing = format!("there is no parser `tree_sitter_{name}` in it");
    // SAFETY: initialisers of a parser library do nothing; the caller says that it is one.
    let library = unsafe { Library::new(path) }
        .map_err(|error| other("it is no shared library for this machine", error))?;
    // SAFETY: the functions of this name that the generator writes have this type.
    let entry: Symbol<'_, Entry> =
        unsafe { library.get(symbol.as_bytes()) }.map_err(|error| other(&missing, error))?;
    let entry = *entry;
    // What the function gives lives as long as the library.
    std::mem::forget(library);
    // SAFETY: see above.
    Ok(unsafe { LanguageFn::from_raw(entry) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_library_is_an_error_with_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("parser.so");
        std::fs::write(&path, "no library").unwrap();
        let refused = parser(&path, "x").err().unwrap().to_string();
        let said = "it is no shared library for this machine (";
        assert!(refused.starts_with(said), "{refused}");
    }

    #[test]
    fn a_library_without_the_parser_is_an_error_with_its_name() {
        // Whichever of these the system has.
        let libraries = ["libm.so.6", "libc.so", "libm.dylib", "libSystem.B.dylib"];
        let mut refused = libraries.map(|name| parser(Path::new(name), "x").err().unwrap());
        refused.sort_by_key(|error| error.to_string().contains("no shared library"));
        let said = refused[0].to_string();
        assert!(
            said.starts_with("there is no parser `tree_sitter_x")
                || said.starts_with("it is no shared library"),
            "{said}"
        );
    }
}
