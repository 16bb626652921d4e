//! Did a group have its time? A busy machine can keep a check from running, and then its wall time says nothing about it.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

use super::strays::parse_pid;

/// The unit of the times in `/proc/PID/stat`, the same on every Linux: programs rely on it.
const TICK: Duration = Duration::from_millis(10);

/// What a group has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    /// Processor time of its processes, and of those that they have waited for.
    pub(super) time: Duration,
    /// Whether some of it runs, or would if a processor or the disk were free.
    pub(super) is_busy: bool,
}

/// Looks at all processes of the machine. Cost: a few microseconds for each of them.
pub(super) fn work_of(group: Pid) -> Work {
    let mut work = Work::default();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = parse_pid(entry.file_name().as_bytes()) else {
            continue;
        };
        let Some(stat) = Stat::read(&entry.path()) else {
            continue;
        };
        if process == group || stat.group == group.as_raw_nonzero().get() {
            work.time += stat.time;
            work.is_busy = work.is_busy || has_busy_thread(&entry.path());
        }
    }
    work
}

fn has_busy_thread(process: &Path) -> bool {
    let threads = fs::read_dir(process.join("task")).into_iter().flatten();
    threads
        .flatten()
        .filter_map(|thread| Stat::read(&thread.path()))
        .any(|stat| stat.is_busy)
}

/// A process or a thread.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    is_busy: bool,
    group: i32,
    time: Duration,
}

impl Stat {
    fn read(folder: &Path) -> Option<Self> {
        Self::parse(&fs::read(folder.join("stat")).ok()?)
    }

    /// The program's name comes second, in brackets, and may contain anything.
    fn parse(text: &[u8]) -> Option<Self> {
        let name_end = text.iter().rposition(|&byte| byte == b')')?;
        let rest = std::str::from_utf8(&text[name_end + 1..]).ok()?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        // Of the process itself in both modes, then the same of its children that it has waited for.
        let ticks = fields.get(11..15)?.iter();
        let ticks: u32 = ticks.filter_map(|field| field.parse::<u32>().ok()).sum();
        Some(Self {
            is_busy: matches!(*fields.first()?, "R" | "D"),
            group: fields.get(2)?.parse().ok()?,
            time: TICK * ticks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_found_behind_any_name() {
        let text = b"12 (a) R (b) S 1 77 77 0 -1 4194560 9 9 9 9 100 20 3 4 20 0 1 0 55 0 0";
        let stat = Stat {
            is_busy: false,
            group: 77,
            time: Duration::from_millis(1270),
        };
        assert_eq!(Stat::parse(text), Some(stat));
        assert_eq!(Stat::parse(b"12 (a) R 1"), None);
    }
}
