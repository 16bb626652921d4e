//! What not every Unix can do, and what is done where it cannot.
//!
//! [`linux`] has it all; [`portable`] keeps paredown running elsewhere, with less of a guarantee: processes that leave their group are
//! not found, limits are not imposed, and checks run in the folder for temporary files instead of in memory. What is read from
//! `/proc` needs no other form: where there is none, nothing is found.
//!
//! Built with `--cfg paredown_portable` the portable form is used on Linux too, so that it can be tested.

#[cfg(all(target_os = "linux", not(paredown_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), paredown_portable))]
mod portable;

#[cfg(all(target_os = "linux", not(paredown_portable)))]
use linux as system;
#[cfg(any(not(target_os = "linux"), paredown_portable))]
use portable as system;

pub(crate) use system::{
    Handle, REAL_TIME_SIGNALS, SIGNALS, Watch, become_subreaper, end_with_parent, exchange,
    has_limits, limit, look_at, memory_folder,
};

/// What stands under a path, itself and not what a link leads to.
pub(crate) struct Seen {
    pub(crate) is_folder: bool,
    /// Its permission bits, and maybe others.
    pub(crate) mode: u32,
    /// Whether something is mounted there.
    pub(crate) is_mounted: bool,
}
