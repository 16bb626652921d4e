//! One step of the pipeline: a pass at one of its times, and the sizes that it is asked for.

use crate::pass::{Due, Grain, Pass};

/// One stage of the pipeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) pass: &'static Pass,
    pub(super) grain: Grain,
    /// Whether it asks again about what has failed in a larger document.
    pub(super) is_second_try: bool,
}

impl Step {
    /// A pass that knows only one size.
    pub(super) fn new(pass: &'static Pass) -> Self {
        Self::of_grain(pass, Grain::default())
    }

    /// A pass that is asked for these sizes.
    pub(super) fn of_grain(pass: &'static Pass, grain: Grain) -> Self {
        Self {
            pass,
            grain,
            is_second_try: false,
        }
    }

    /// The same over what has failed before.
    pub(super) fn again(self) -> Self {
        Self {
            is_second_try: true,
            ..self
        }
    }

    /// Whether it asks about proposals of this weight: a round before the last cut makes only changes of its size.
    pub(super) fn is_large_enough(self, weight: u32) -> bool {
        !matches!(self.pass.due, Due::Round | Due::Further)
            || self.pass.frees_others
            || weight >= self.grain.least
    }

    /// Whether it asks again about what has failed before, one change after the other, and ends with the first success.
    pub(super) fn is_certificate(self) -> bool {
        matches!(self.pass.due, Due::SoundSweep | Due::Sweep)
    }
}
