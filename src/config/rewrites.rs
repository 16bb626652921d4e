//! The user's own rewrites: files in the format of `grammars/README.md`, for the languages of the inputs.

use super::Input;
use super::inputs::read_text;
use crate::cli::Args;
use crate::error::Error;
use crate::syntax::{Language, rewrites::Mistake};
use std::path::Path;
use std::sync::Arc;

/// A built-in language with the user's rewrites for it: one of this run's own, if there are any.
///
/// # Errors
/// A file cannot be read, or has a mistake.
pub(super) fn added(
    args: &Args,
    shared: Option<Arc<Language>>,
) -> Result<Option<Arc<Language>>, Error> {
    if args.rewrites.is_empty() {
        return Ok(shared);
    }
    let mut own = shared.and_then(|shared| Language::unshared(shared.name()));
    if let Some(own) = &mut own {
        add_all(args, own)?;
    }
    Ok(own.map(Arc::new))
}

/// Adds the user's rewrites to a language that nobody shares.
///
/// # Errors
/// A file cannot be read, or has a mistake.
pub(super) fn add_all(args: &Args, language: &mut Language) -> Result<(), Error> {
    let mut paths = args.rewrites.iter();
    paths.try_for_each(|path| add(language, path))
}

fn add(language: &mut Language, path: &Path) -> Result<(), Error> {
    let text = read_text(path)?;
    let added = language.add_rewrites(&text);
    added.map_err(|mistake| wrong(path, mistake))
}

/// A mistake in a file that the user wrote.
pub(super) fn wrong(path: &Path, mistake: Mistake) -> Error {
    let Mistake {
        line,
        column,
        message,
        advice,
    } = mistake;
    Error::Usage {
        problem: format!("{}:{line}:{column}: {message}", path.display()),
        hint: advice,
    }
}

/// The texts of all rewrites of the user's, which decide which candidates are made.
pub(super) fn texts(inputs: &[Input]) -> Vec<&str> {
    let languages = inputs.iter().filter_map(Input::language);
    let rewrites = languages.flat_map(|language| language.own_rewrites());
    let mut texts: Vec<&str> = rewrites.map(|rewrites| &rewrites.text[..]).collect();
    texts.dedup();
    texts
}
