//! Texts without a grammar: what the default pipeline makes of them, beside ddmin on their lines and beside two passes of ddmin.

use super::shapes::{Check, shapes};
use paredown::{
    minimize::{Algorithm, Options},
    search::{Search, Verdict},
    strategy::{Plan, Strategy, search},
    syntax::Document,
};
use std::collections::HashSet;

/// How a reduction went: the sizes of its successes, each with the number of queries until then.
struct Curve {
    successes: Vec<(usize, usize)>,
    queries: usize,
    size: usize,
}

impl Curve {
    fn of(text: &str, plan: &Plan, check: &Check) -> Self {
        let mut search = search(&Document::new(text.as_bytes(), None), plan);
        let mut refused = HashSet::new();
        let mut curve = Self {
            successes: vec![(0, text.len())],
            queries: 0,
            size: text.len(),
        };
        while let Some(candidate) = search.ask() {
            let bytes = candidate.to_bytes();
            if refused.contains(&bytes) {
                search.tell(Verdict::Uninteresting);
                continue;
            }
            curve.queries += 1;
            assert!(curve.queries < 20_000, "no end");
            let verdict = Verdict::of(check.accepts(&bytes));
            if verdict.is_interesting() && bytes.len() < curve.size {
                curve.size = bytes.len();
                curve.successes.push((curve.queries, curve.size));
            }
            if !verdict.is_interesting() {
                refused.insert(bytes);
            }
            search.tell(verdict);
        }
        assert!(check.accepts(&search.best().to_bytes()));
        curve
    }

    /// After how many queries it was this small; all of them and as many again if never.
    fn queries_to(&self, size: usize) -> usize {
        let mut successes = self.successes.iter();
        let first = successes.find(|success| success.1 <= size);
        first.map_or(2 * self.queries, |success| success.0)
    }

    fn queries_to_the_end(&self) -> usize {
        self.queries_to(self.size)
    }
}

fn ddmin_on_lines(backward: bool) -> Plan {
    let mut options = Options::new(Algorithm::Ddmin);
    options.backward = backward;
    Plan {
        minimizer: Some(options),
        ..Plan::new(Strategy::Lines)
    }
}

#[test]
fn no_text_is_dearer_than_ddmin_on_its_lines_or_larger_than_after_two_passes() {
    let mut sums = Figures::default();
    for shape in shapes(160, 1) {
        let mut own = Figures::default();
        for check in shape.checks(5) {
            let run = |plan: &Plan| Curve::of(&shape.text, plan, &check);
            let ours = run(&Plan::new(Strategy::Auto));
            let two_pass = run(&Plan::new(Strategy::TwoPass));
            let [forward, backward] = [false, true].map(|backward| run(&ddmin_on_lines(backward)));
            let figures = [
                (ours.queries_to(forward.size), forward.queries_to_the_end()),
                (
                    ours.queries_to(backward.size),
                    backward.queries_to_the_end(),
                ),
                (ours.size, two_pass.size),
                (ours.queries, two_pass.queries),
            ];
            // Needles can be joined in more than one way, and some share a letter or two.
            let name = format!("{} {}", shape.name, check.name);
            assert!(
                20 * ours.size <= 21 * two_pass.size + 60,
                "{name}: {figures:?}"
            );
            add(&mut own, &figures);
        }
        let [forward, backward, size, queries] = own;
        eprintln!(
            "{}: queries to the size of ddmin's, ours and its: {forward:?}, backward {backward:?}; \
            bytes in the end, ours and those of two passes: {size:?} after {queries:?}",
            shape.name
        );
        add(&mut sums, &own);
    }
    let [forward, backward, size, queries] = sums;
    assert!(10 * forward.0 <= 8 * forward.1, "{sums:?}");
    assert!(10 * backward.0 <= 8 * backward.1, "{sums:?}");
    assert!(size.0 <= size.1 && 2 * queries.0 <= queries.1, "{sums:?}");
}

/// Ours beside that of others: queries to the size of ddmin, forward and backward, then bytes and queries beside two passes.
type Figures = [(usize, usize); 4];

fn add(sums: &mut Figures, figures: &Figures) {
    for (sum, (ours, other)) in sums.iter_mut().zip(figures) {
        sum.0 += ours;
        sum.1 += other;
    }
}
