//! What a group has cost so far.
//!
//! This stands against busy machines: a check that does not get the processors for a while would reach its time limit, the
//! candidate would count as uninteresting, and the result would depend on what else the machine did. Processor time tells a check
//! that works too long from one that waits for its turn.
//!
//! Test: `who_does_not_want_to_work_ends_at_the_time_limit_and_who_works_at_the_work_limit` in `tests.rs` beside this file.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
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

/// Looks at all processes of the machine. Cost: about ten microseconds for each of them.
pub(super) fn work_of(group: Pid) -> Work {
    let all = all_processes();
    let mut work = Work::default();
    for process in family(&all, group.as_raw_nonzero().get()) {
        work.time += process.time;
        work.is_busy = work.is_busy || process.has_busy_thread();
    }
    work
}

/// The processor time of a process that has ended and is not reaped yet, and of all that it has waited for.
pub(super) fn work_of_ended(process: Pid) -> Option<Duration> {
    Stat::read(&folder_of(process.as_raw_nonzero().get())).map(|stat| stat.time)
}

fn all_processes() -> Vec<Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter(|entry| parse_pid(entry.file_name().as_bytes()).is_some());
    processes
        .filter_map(|entry| Stat::read(&entry.path()))
        .collect()
}

/// The processes of a group, and all that they have started: `timeout` moves to a group of its own.
fn family(all: &[Stat], group: i32) -> impl Iterator<Item = &Stat> {
    let mut members = vec![group];
    loop {
        let belongs = |stat: &&Stat| stat.group == group || members.contains(&stat.parent);
        let more = all.iter().filter(belongs).map(|stat| stat.process);
        let more: Vec<i32> = more.filter(|process| !members.contains(process)).collect();
        if more.is_empty() {
            break;
        }
        members.extend(more);
    }
    all.iter()
        .filter(move |stat| members.contains(&stat.process))
}

fn folder_of(process: i32) -> PathBuf {
    Path::new("/proc").join(process.to_string())
}

/// A process or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    process: i32,
    is_busy: bool,
    parent: i32,
    group: i32,
    time: Duration,
}

impl Stat {
    fn read(folder: &Path) -> Option<Self> {
        Self::parse(&fs::read(folder.join("stat")).ok()?)
    }

    /// The program's name comes second, in brackets, and may contain anything.
    fn parse(text: &[u8]) -> Option<Self> {
        let number_end = text.iter().position(|&byte| byte == b' ')?;
        let name_end = text.iter().rposition(|&byte| byte == b')')?;
        let rest = std::str::from_utf8(&text[name_end + 1..]).ok()?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        // Of the process itself in both modes, then the same of its children that it has waited for.
        let ticks = fields.get(11..15)?.iter();
        let ticks: u32 = ticks.filter_map(|field| field.parse::<u32>().ok()).sum();
        Some(Self {
            process: std::str::from_utf8(&text[..number_end])
                .ok()?
                .parse()
                .ok()?,
            is_busy: matches!(*fields.first()?, "R" | "D"),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            time: TICK * ticks,
        })
    }

    fn has_busy_thread(&self) -> bool {
        let threads = fs::read_dir(folder_of(self.process).join("task"));
        threads
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|thread| Self::read(&thread.path()))
            .any(|stat| stat.is_busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_found_behind_any_name() {
        let text = b"12 (a) R (b) S 1 77 77 0 -1 4194560 9 9 9 9 100 20 3 4 20 0 1 0 55 0 0";
        let stat = Stat {
            process: 12,
            is_busy: false,
            parent: 1,
            group: 77,
            time: Duration::from_millis(1270),
        };
        assert_eq!(Stat::parse(text), Some(stat));
        assert_eq!(Stat::parse(b"12 (a) R 1"), None);
    }

    #[test]
    fn what_a_group_has_started_belongs_to_it_wherever_it_has_moved() {
        let stat = |process, parent, group| Stat {
            process,
            is_busy: false,
            parent,
            group,
            time: Duration::ZERO,
        };
        let all = [
            stat(5, 1, 5),
            stat(9, 8, 8),
            stat(7, 5, 5),
            stat(8, 7, 8),
            stat(6, 1, 6),
            stat(4, 1, 5),
        ];
        let found: Vec<i32> = family(&all, 5).map(|stat| stat.process).collect();
        assert_eq!(found, [5, 9, 7, 8, 4]);
    }
}
