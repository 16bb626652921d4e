//! Any of the list minimisers, followed by what is common to them: the final sweep and the fixed point.

use super::alone::Alone;
use super::cdd::Cdd;
use super::ddmin::Ddmin;
use super::greeddy::Greeddy;
use super::opdd::Opdd;
use super::probdd::Probdd;
use super::wddmin::Wddmin;
use super::wprobdd::Wprobdd;
use super::{Algorithm, Cut, Options, Runs, Weights};
use crate::search::{Search, Verdict};

/// A search for a small subset of a list.
///
/// A question is relative to [`Search::best`]. An interesting answer does not always become the best at once: GreeDDy first asks the
/// rest of its window.
///
/// Clones and answers cost `O(log n)` or the size of the change, apart from the work at the start of a round, which is linear.
/// It promises a fixed point if [`Options::fixed_point`] is set.
#[derive(Clone, Debug)]
pub struct Minimizer {
    weights: Weights,
    options: Options,
    stage: Stage,
    kept: Runs,
    /// How many elements there were when this round of the fixed point began.
    kept_before: usize,
    /// The kept elements whose deletion alone has not been refused since the last success. Only looked after when there is a sweep.
    untried: Runs,
    /// What [`Search::ask`] gives, made once for each answer.
    question: Option<Cut>,
}

#[derive(Clone, Debug)]
enum Stage {
    Algorithm(Running),
    /// The final sweep asks about this element.
    Sweep(usize),
}

/// One round of one algorithm.
#[derive(Clone, Debug)]
enum Running {
    Ddmin(Ddmin),
    Opdd(Opdd),
    Greeddy(Greeddy),
    Probdd(Probdd),
    Cdd(Cdd),
    Wddmin(Wddmin),
    Wprobdd(Wprobdd),
    Alone(Box<Alone>),
}

/// The same for whichever algorithm runs.
macro_rules! with_running {
    ($running:expr, $search:ident => $body:expr) => {
        match $running {
            Running::Ddmin($search) => $body,
            Running::Opdd($search) => $body,
            Running::Greeddy($search) => $body,
            Running::Probdd($search) => $body,
            Running::Cdd($search) => $body,
            Running::Wddmin($search) => $body,
            Running::Wprobdd($search) => $body,
            Running::Alone($search) => $body,
        }
    };
}

impl Minimizer {
    /// A search that begins with all elements. They must be interesting together; nobody asks that.
    ///
    /// Cost: linear in the elements where there are weights or a seed, else `O(log n)`.
    pub fn new(weights: &Weights, options: &Options) -> Self {
        let kept = Runs::from_range(0..weights.len());
        let mut minimizer = Self {
            stage: Stage::Algorithm(Running::new(kept.clone(), weights, options)),
            weights: weights.clone(),
            options: options.clone(),
            kept_before: kept.len(),
            untried: kept.clone(),
            kept,
            question: None,
        };
        minimizer.next_question();
        minimizer
    }

    fn next_question(&mut self) {
        let question = match &self.stage {
            Stage::Algorithm(running) => running.ask(),
            Stage::Sweep(_) => None,
        };
        self.question = question.or_else(|| self.sweep());
        if self.question.is_none() && self.options.fixed_point && self.kept.len() < self.kept_before
        {
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        self.kept_before = self.kept.len();
        self.stage = Stage::Algorithm(Running::new(
            self.kept.clone(),
            &self.weights,
            &self.options,
        ));
        self.next_question();
    }

    /// The sweep's question about the next untried element, going round the list.
    fn sweep(&mut self) -> Option<Cut> {
        if !self.options.sweep {
            return None;
        }
        let from = match self.stage {
            Stage::Algorithm(_) => 0,
            Stage::Sweep(element) => element,
        };
        let element = self
            .untried
            .select(self.untried.rank(from))
            .or_else(|| self.untried.first())?;
        self.stage = Stage::Sweep(element);
        Some(Cut::Drop(Runs::from_range(element..element + 1)))
    }

    /// Takes over the set that is kept after an answer, and remembers deletions that need not be asked again.
    fn keep(&mut self, kept: Runs, question: &Cut) {
        let changed = kept.len() < self.kept.len();
        if changed {
            self.kept = kept;
            self.untried = self.kept.clone();
        } else if self.options.sweep && question.count_dropped_from(&self.kept) == 1 {
            self.untried = self.untried.subtract(&question.dropped_from(&self.kept));
        }
    }
}

impl Search for Minimizer {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.question.clone()
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(question) = self.question.take() else {
            return;
        };
        let kept = match &mut self.stage {
            Stage::Algorithm(running) => {
                running.tell(verdict);
                running.best().clone()
            }
            Stage::Sweep(_) if verdict.is_interesting() => question.kept_of(&self.kept),
            Stage::Sweep(_) => self.kept.clone(),
        };
        self.keep(kept, &question);
        self.next_question();
    }

    fn best(&self) -> &Runs {
        &self.kept
    }

    fn chance(&self) -> Option<f64> {
        match &self.stage {
            Stage::Algorithm(running) if self.question.is_some() => running.chance(),
            _ => None,
        }
    }
}

impl Running {
    fn new(kept: Runs, weights: &Weights, options: &Options) -> Self {
        match options.algorithm {
            Algorithm::Ddmin => Self::Ddmin(Ddmin::new(kept, options)),
            Algorithm::Opdd => Self::Opdd(Opdd::new(kept, options)),
            Algorithm::Greeddy => Self::Greeddy(Greeddy::new(kept, options)),
            Algorithm::Probdd => Self::Probdd(Probdd::new(kept, options)),
            Algorithm::Cdd => Self::Cdd(Cdd::new(kept, options)),
            Algorithm::Wddmin => Self::Wddmin(Wddmin::new(kept, weights, options)),
            Algorithm::Wprobdd => Self::Wprobdd(Wprobdd::new(kept, weights, options)),
            Algorithm::Splitting => Self::Alone(Box::new(Alone::splitting(kept, weights, options))),
            Algorithm::Halving => Self::Alone(Box::new(Alone::halving(kept, weights))),
        }
    }
}

impl Search for Running {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        with_running!(self, search => search.ask())
    }

    fn tell(&mut self, verdict: Verdict) {
        with_running!(self, search => search.tell(verdict));
    }

    fn best(&self) -> &Runs {
        with_running!(self, search => search.best())
    }

    fn chance(&self) -> Option<f64> {
        with_running!(self, search => search.chance())
    }
}
