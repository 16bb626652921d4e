//! Where a run took place: what somebody needs who gets another result.

use std::thread;

/// The version with the commit that it was built from, if that is known.
pub const VERSION: &str = env!("PAREDOWN_VERSION");

/// What it is called and what it is. `jobs` is the number of checks at a time.
pub fn environment(jobs: usize) -> Vec<(&'static str, String)> {
    let system = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let folder = std::env::current_dir().map(|path| path.display().to_string());
    vec![
        ("paredown", VERSION.to_owned()),
        (
            "system",
            format!(
                "{} {} {}",
                text(system.sysname()),
                text(system.release()),
                text(system.machine())
            ),
        ),
        ("cores", format!("{cores}, {jobs} checks at a time")),
        ("folder", folder.unwrap_or_default()),
    ]
}
