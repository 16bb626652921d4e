//! The user's own rewrites: files in the format of `grammars/README.md`, for the languages of the inputs.

use super::Input;
use super::inputs::read_text;
use crate::cli::Args;
use crate::error::Error;
use crate::syntax::{Language, rewrites::Mistake};
use std::path::Path;
use std::sync::Arc;

/// The language of a file with the user's rewrites for it.
///
/// # Errors
/// A file cannot be read, or has a mistake.
pub(super) fn added(
    args: &Args,
    language: Option<Arc<Language>>,
) -> Result<Option<Arc<Language>>, Error> {
    let Some(language) = language else {
        return Ok(None);
    };
    if args.rewrites.is_empty() {
        return Ok(Some(language));
    }
    // A built-in language is not this run's alone.
    let mut language = match Arc::try_unwrap(language) {
        Ok(language) => language,
        Err(shared) => match Language::unshared(shared.name()) {
            Some(language) => language,
            None => return Ok(Some(shared)),
        },
    };
    for path in &args.rewrites {
        add(&mut language, path)?;
    }
    Ok(Some(Arc::new(language)))
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
