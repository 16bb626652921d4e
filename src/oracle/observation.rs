//! What is seen of a run that has ended.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::check::Observation;
use super::process::Ended;
use super::slot::Output;
use super::watchdog::Killed;
use super::workplace::Workplace;

/// As much of an output is searched for the user's regular expressions: its beginning and its end.
pub(super) const SEARCHED: u64 = 32 << 20;
/// Whether so much was printed that a part of it is not there.
pub(super) fn is_cut(output: &[u8]) -> bool {
    output.len() as u64 >= SEARCHED
}

pub(super) fn observe(workplace: &Workplace, ended: &Ended, output: Output) -> Observation {
    let read = |mut file: &File| match output {
        Output::Captured => ends_of(&mut file, SEARCHED).unwrap_or_default(),
        Output::Discarded => Vec::new(),
    };
    Observation {
        status: ended.status,
        timed_out: ended.killed == Some(Killed::TimedOut),
        memory: own_memory(ended.memory),
        stdout: read(&workplace.stdout),
        stderr: read(&workplace.stderr),
    }
}

/// A process that was started begins with the memory of the one that starts it, as the system counts: as much as this one has is
/// nothing that is known about the other.
fn own_memory(counted: u64) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| {
        let digits = line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?;
        digits.parse::<u64>().ok()
    });
    if counted > peak.unwrap_or(0) << 10 {
        counted
    } else {
        0
    }
}

/// The first and the last half of `limit` bytes, or everything if it is less.
pub(super) fn ends_of(file: &mut (impl Read + Seek), limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    if length <= limit {
        file.take(limit).read_to_end(&mut bytes)?;
    } else {
        file.take(limit / 2).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::Start(length - limit / 2))?;
        file.take(limit / 2).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
