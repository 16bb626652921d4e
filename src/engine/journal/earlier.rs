//! What runs on other inputs found out, for a state that is taken up with another one.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::records::{KEPT_KEY, REFUSED, intact};
use super::{Identity, JournalError, MOST_RECORDS, OURS_ALONE, beginning, parsed};
use crate::output::ResultFile;

/// The file's name in the state.
pub(super) const EARLIER: &str = "earlier";

/// The keys of what was refused.
pub(super) type Earlier = BTreeSet<[u8; KEPT_KEY]>;

/// What a journal refused, if it is of another input and can be taken up.
pub(super) fn refused_with_another_input(
    content: &[u8],
    ours: &Identity,
) -> Option<Vec<[u8; KEPT_KEY]>> {
    let (theirs, body) = parsed(content)?;
    let is_other = theirs != *ours && theirs.is_of_another_input(ours);
    let (records, _) = is_other.then(|| intact(body))?;
    let refused = records.into_iter().filter(|it| it[KEPT_KEY] == REFUSED);
    Some(
        refused
            .filter_map(|record| record.first_chunk().copied())
            .collect(),
    )
}

/// What the runs before on other inputs found uninteresting.
pub(super) fn known_earlier(folder: &Path) -> io::Result<Earlier> {
    let most = (MOST_RECORDS * KEPT_KEY) as u64;
    let bytes = match beginning(&folder.join(EARLIER), most) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let (keys, _) = bytes.as_chunks();
    Ok(keys.iter().copied().collect())
}

/// Keeps it beside the journal. It is there as a whole before the journal of the other input goes.
pub(super) fn keep_earlier(folder: &Path, earlier: &Earlier) -> Result<(), JournalError> {
    let path = folder.join(EARLIER);
    let bytes: Vec<u8> = earlier
        .iter()
        .take(MOST_RECORDS)
        .flatten()
        .copied()
        .collect();
    let permissions = Permissions::from_mode(OURS_ALONE & 0o666);
    let written = ResultFile::at(&path, permissions).and_then(|mut file| file.save(&bytes));
    written.map_err(|error| JournalError::System {
        path,
        source: io::Error::other(error),
    })
}
