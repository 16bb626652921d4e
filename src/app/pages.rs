//! The pages about a run: the report, and the summary for a CI job.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::OWNER_MAY_WRITE;
use crate::config::Config;
use crate::output::{OutputError, ResultFile};
use crate::report::{Reporter, Summary};

/// Where the pages go.
pub(super) struct Pages {
    report: Option<ResultFile>,
    summary: Option<ResultFile>,
}

impl Pages {
    /// # Errors
    /// One of them cannot be written.
    pub(super) fn open(config: &Config) -> Result<Self, OutputError> {
        let mode = config.mode_of_copies() | OWNER_MAY_WRITE;
        let open = |path: &Path| ResultFile::at(path, Permissions::from_mode(mode));
        Ok(Self {
            report: config.places().report().map(open).transpose()?,
            summary: config.places().summary().map(open).transpose()?,
        })
    }

    /// What is there only since this run has begun.
    pub(super) fn fresh_paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.report.iter().chain(&self.summary);
        files.filter_map(ResultFile::fresh_path)
    }

    /// # Errors
    /// One of them cannot be written.
    pub(super) fn write(
        &mut self,
        reporter: &Reporter,
        summary: &Summary,
    ) -> Result<(), OutputError> {
        if let Some(file) = &mut self.report {
            file.write(reporter.html(summary).as_bytes())?;
        }
        if let Some(file) = &mut self.summary {
            file.write(reporter.markdown(summary).as_bytes())?;
        }
        Ok(())
    }
}
