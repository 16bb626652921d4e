//! Which launcher is meant: a ready-made one, one in a file, or a prefix for the check's command.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use toml::de::Error as Malformed;

use super::inputs::read_text;
use crate::cli::Args;
use crate::error::Error;
use crate::oracle::{Launcher, READY_MADE};

/// So long may jobs be lost one after the other.
const PATIENCE: Duration = Duration::from_secs(600);

/// A launcher as it stands in a file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    run: String,
    cancel: Option<String>,
    beside: Option<String>,
    ready: Option<String>,
    close: Option<String>,
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    copies: bool,
    #[serde(default, rename = "about")]
    _about: String,
}

/// The launcher that the options name.
///
/// # Errors
/// A file is missing or is none, or it is given together with what cannot be measured elsewhere.
pub(super) fn launcher(args: &Args) -> Result<Option<Launcher>, Error> {
    let Some(given) = &args.launch.launcher else {
        return Ok(None);
    };
    if args.property.memory_is_interesting.is_some() {
        return Err(Error::Usage {
            problem: "`--memory-is-interesting` needs the check on this machine, but `--launcher` takes it elsewhere".into(),
            hint: "measure it in the check: ulimit -v, or /usr/bin/time".into(),
        });
    }
    let patience = args.launch.launcher_patience.unwrap_or(PATIENCE);
    let (name, items) = given.split_once(':').unwrap_or((given, ""));
    let (table, items) = match (ready_made(name), file(given)) {
        (Some(table), _) => (table, items),
        (None, Some(path)) => (from_file(path)?, items),
        (None, None) => (prefix(given), ""),
    };
    let items: Vec<String> = items
        .split(',')
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect();
    let texts = [
        Some(&table.run),
        table.cancel.as_ref(),
        table.beside.as_ref(),
    ];
    if items.is_empty()
        && texts
            .into_iter()
            .flatten()
            .any(|text| text.contains("{item}"))
    {
        return Err(Error::Usage {
            problem: format!("the launcher `{name}` does not say where to run"),
            hint: format!("name it, several with commas between: --launcher {name}:one,two"),
        });
    }
    Ok(Some(Launcher {
        name: given.clone(),
        run: table.run,
        whole: table.whole,
        copies: table.copies,
        cancel: table.cancel,
        beside: table.beside,
        ready: table.ready,
        close: table.close,
        items,
        patience,
    }))
}

fn ready_made(name: &str) -> Option<Table> {
    let mut tables: toml::Table = READY_MADE.parse().ok()?;
    tables.remove(name)?.try_into().ok()
}

/// The file that describes the launcher, if it is given by one.
pub(super) fn file(given: &str) -> Option<&Path> {
    let name = given.split(':').next().map(Path::new);
    name.filter(|name| name.extension().is_some_and(|it| it == "toml"))
}

fn from_file(path: &Path) -> Result<Table, Error> {
    let text = read_text(path)?;
    toml::from_str(&text).map_err(|error: Malformed| Error::Usage {
        problem: format!("{} is no launcher: {}", path.display(), error.message()),
        hint: "it needs at least a line like this: run = \"srun --ntasks=1\"; examples/cluster has one".into(),
    })
}

fn prefix(text: &str) -> Table {
    Table {
        run: text.to_owned(),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ready_made_launchers_can_be_read() {
        let tables: toml::Table = READY_MADE.parse().unwrap();
        assert!(tables.keys().all(|name| ready_made(name).is_some()));
        assert!(
            tables.contains_key("slurm")
                && tables.contains_key("ssh")
                && tables.contains_key("docker")
        );
    }
}
