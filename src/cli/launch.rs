//! Options about where the check runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::RUNNING;
use super::values::positive_seconds;

/// See each option.
#[derive(Args, Debug, Clone, Default)]
pub struct LaunchArgs {
    /// Run each check by CMD, such as a cluster's scheduler: slurm, slurm-jobs, ssh:HOSTS, ssh-shared:HOSTS, docker:IMAGE, a
    /// FILE.toml or a prefix
    ///
    /// A prefix is a command that runs what is put behind it and waits for its end: 'srun --ntasks=1 --chdir={dir}'. In it stand
    /// {dir} for the query's folder, {file} for the candidate, {timeout} for the check's time limit in seconds (0 without one) and
    /// {name} for a name that no other job has. slurm takes one allocation for the whole run, slurm-jobs one job for each check; HOSTS are
    /// separated by commas. Give -j as many as may run at a time. Only a check's own end counts as an answer: a job that is lost,
    /// refused or preempted is run again. examples/cluster shows how.
    #[arg(long, value_name = "CMD", help_heading = RUNNING)]
    pub launcher: Option<String>,

    /// With --launcher: seconds that jobs may be lost one after the other before the run ends [default: 600]
    #[arg(long, value_name = "SECS", value_parser = positive_seconds, requires = "launcher", help_heading = RUNNING)]
    pub launcher_patience: Option<Duration>,

    /// Run the checks in a folder below DIR: with --launcher one that all nodes see [default: memory or TMPDIR]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = RUNNING)]
    pub work_dir: Option<PathBuf>,

    /// A folder of places that several runs share: see `paredown batch`
    #[arg(long, value_name = "DIR", hide = true)]
    pub pool: Option<PathBuf>,
}
