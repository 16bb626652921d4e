//! Lines by one of the list minimisers, until the strategies are there.

use std::sync::Arc;

use crate::config::Plan;
use crate::minimize::{Cut, Minimizer, Options, Runs, Weights};
use crate::search::{Render, Search, Verdict};

#[derive(Clone)]
pub(super) struct Lines {
    lines: Arc<Vec<Vec<u8>>>,
    minimizer: Minimizer,
}

pub(super) struct Candidate(Arc<Vec<Vec<u8>>>, Runs);

impl Lines {
    pub(super) fn new(bytes: &[u8], plan: &Plan) -> Self {
        let lines: Vec<Vec<u8>> = bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        let options = Options {
            fixed_point: !plan.once,
            ..plan.minimizer.clone()
        };
        let minimizer = Minimizer::new(&Weights::Uniform(lines.len()), &options);
        Self {
            lines: Arc::new(lines),
            minimizer,
        }
    }
}

impl Search for Lines {
    type Candidate = Candidate;
    type Best = Runs;

    fn ask(&self) -> Option<Candidate> {
        let cut: Cut = self.minimizer.ask()?;
        Some(Candidate(
            Arc::clone(&self.lines),
            cut.kept_of(self.minimizer.best()),
        ))
    }

    fn tell(&mut self, verdict: Verdict) {
        self.minimizer.tell(verdict);
    }

    fn best(&self) -> &Runs {
        self.minimizer.best()
    }
}

impl Render for Candidate {
    fn render(&self, out: &mut Vec<u8>) {
        for index in self.1.iter() {
            out.extend_from_slice(&self.0[index]);
        }
    }

    fn pass(&self) -> &'static str {
        "lines"
    }
}
