//! What stands last in a large document is searched by the names that it uses, and by runs of neighbours, each with all that the rest
//! of it does not reach. What refused questions have in common is taken for their reason: a larger question about that is not asked.

use crate::{
    minimize::Halving,
    pass::{Context, Proposal, front::Front, reach::Meant},
};
use fixedbitset::FixedBitSet;
use std::{cmp::Reverse, collections::VecDeque, sync::Arc};

/// After so many refusals in a row other steps have more to gain.
const MOST_IN_VAIN: u32 = 6;
/// Runs of less than this part of what is searched are left alone.
const PARTS: u64 = 48;
/// After all of the end this part of it is searched, its last, and so on: what is cut finest is what the author wrote last.
const ZOOM: u64 = 8;
/// No less is searched.
const LEAST: u64 = 48;
/// No more names are looked at.
const MOST_NAMES: usize = 100;
/// The names are looked at that the last so many tokens use.
const WITH_NAMES: u64 = 1000;

/// The search. Clones copy the open runs, a bit an element and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    front: Arc<Front>,
    loads: Arc<[u32]>,
    /// What is searched begins with this element, and weighs so much.
    start: usize,
    weight: u64,
    halving: Halving,
    weights: Arc<[u32]>,
    /// Less than this is worth no question of its own.
    least: u64,
    company: Company,
    /// The names that hold most, which are asked about before runs.
    names: VecDeque<u32>,
    /// Whether a name is asked about.
    is_name: bool,
    /// The elements, and the parts before them, that have gone.
    gone: Gone,
    /// What is asked about, and its proposals.
    tried: Gone,
    group: Vec<u32>,
    /// What was asked about in the way before, and refused.
    refused: Vec<u32>,
    vain: u32,
    /// Sets of elements, each of which seems to hold what several questions were refused for.
    blamed: Vec<FixedBitSet>,
    /// The declarations that something was refused in, by their keys.
    held: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Gone {
    elements: FixedBitSet,
    parts: FixedBitSet,
}

/// What goes with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Company {
    /// It is asked first what is not reached from all of the end.
    Unknown(Meant),
    /// What is not reached, in that way.
    Unreached(Meant),
    /// Nothing: what is reached cannot be told by names.
    Nothing,
}

impl Ends {
    /// Over the proposals of the pass, for what weighs so much. Cost: as [`Front::of`].
    pub(super) fn new(context: &Context, proposals: &[Proposal], least: u32) -> Self {
        let front = Front::of(context, proposals);
        let loads = front.loads();
        let weights = front.weights(proposals);
        let total: u64 = loads.iter().copied().map(u64::from).sum();
        let gone = Gone {
            elements: FixedBitSet::with_capacity(loads.len()),
            parts: FixedBitSet::with_capacity(proposals.len()),
        };
        Self {
            halving: halving(&loads, total),
            front: Arc::new(front),
            loads,
            start: 0,
            weight: total,
            weights,
            least: least.into(),
            company: Company::Unknown(Meant::ByHeads),
            names: VecDeque::new(),
            is_name: false,
            tried: gone.clone(),
            gone,
            group: Vec::new(),
            refused: Vec::new(),
            vain: 0,
            blamed: Vec::new(),
            held: Vec::new(),
        }
    }

    /// The proposals that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        while self.group.is_empty() {
            if self.vain >= MOST_IN_VAIN && self.names.is_empty() {
                self.zoom()?;
            }
            if let Company::Unknown(meant) = self.company {
                self.try_without(self.gone.elements.clone(), Some(meant));
                if !self.group.is_empty() && self.group == self.refused {
                    self.group.clear();
                    self.widen(meant);
                } else if self.weight() < self.least {
                    self.group.clear();
                    self.begin(meant);
                }
                continue;
            }
            if let (Some(name), Company::Unreached(meant)) = (self.names.pop_front(), self.company)
            {
                self.try_name(name, meant);
                if self.is_hopeless() {
                    self.is_name = false;
                    self.group.clear();
                }
                continue;
            }
            let Some(run) = self.halving.next(&self.loads[self.start..]) else {
                self.zoom()?;
                continue;
            };
            let run = run.start as usize..run.end as usize;
            let run = run.map(|element| self.start + element).collect();
            let elements = self.front.without(&self.gone.elements, run);
            if elements == self.gone.elements {
                self.halving.skip();
                continue;
            }
            let meant = match self.company {
                Company::Unreached(meant) => Some(meant),
                Company::Unknown(_) | Company::Nothing => None,
            };
            self.try_without(elements, meant);
            if self.is_hopeless() {
                self.group.clear();
                self.halving.refuse(&self.loads[self.start..]);
            } else if self.weight() < self.least {
                // Its halves would take still less.
                self.group.clear();
                self.halving.skip();
            }
        }
        Some(&self.group)
    }

    /// From now on what is not reached goes in that way; the names come first, those that hold most before others.
    fn begin(&mut self, meant: Meant) {
        self.company = Company::Unreached(meant);
        let mut sum = 0;
        let start = self.loads.iter().rposition(|&load| {
            sum += u64::from(load);
            sum >= WITH_NAMES
        });
        let mut held: Vec<(u64, u32)> = Vec::new();
        let names = self.front.names_from(start.unwrap_or(0));
        // What stands last is what its author wrote last.
        for name in names.into_iter().rev().take(MOST_NAMES) {
            let elements = self.front.without_name(&self.gone.elements, name);
            self.try_without(elements, Some(meant));
            held.push((self.weight(), name));
        }
        self.group.clear();
        held.retain(|&(weight, _)| weight >= self.least);
        held.sort_by_key(|&(weight, _)| Reverse(weight));
        // What holds as much is mostly the same, by another name.
        held.dedup_by_key(|&mut (weight, _)| weight);
        self.names = held.into_iter().map(|(_, name)| name).collect();
    }

    /// A name with the elements around all its uses.
    fn try_name(&mut self, name: u32, meant: Meant) {
        if self.vain >= MOST_IN_VAIN {
            self.names.clear();
            self.vain = 0;
            return;
        }
        let elements = self.front.without_name(&self.gone.elements, name);
        self.try_without(elements, Some(meant));
        self.is_name = self.weight() >= self.least;
        if !self.is_name {
            self.group.clear();
        }
    }

    /// Goes on with the last part of what was searched; `None` if that is little.
    fn zoom(&mut self) -> Option<()> {
        let gone = &self.gone.elements;
        let left = |(element, &load)| if gone.contains(element) { 0 } else { load };
        self.loads = self.loads.iter().enumerate().map(left).collect();
        let left: u64 = self.loads.iter().copied().map(u64::from).sum();
        self.weight = left.min(self.weight / ZOOM);
        let mut sum = 0;
        let last = self.loads.iter().rposition(|&load| {
            sum += u64::from(load);
            sum >= self.weight
        });
        self.start = last.filter(|_| self.weight >= LEAST)?;
        self.halving = halving(&self.loads[self.start..], sum);
        self.vain = 0;
        Some(())
    }

    fn try_without(&mut self, elements: FixedBitSet, meant: Option<Meant>) {
        let parts = match meant {
            Some(meant) => self.front.unreached(&elements, meant),
            None => self.gone.parts.clone(),
        };
        let is_new = |element: &usize| !self.gone.elements.contains(*element);
        let outermost = self.front.outermost(&elements).filter(is_new);
        let taken = outermost.map(|element| self.front.proposal_of(element));
        let parts_of = parts.difference(&self.gone.parts);
        let narrow = |part| u32::try_from(part).unwrap_or(u32::MAX);
        self.group = parts_of.map(narrow).chain(taken).collect();
        self.tried = Gone { elements, parts };
    }

    fn weight(&self) -> u64 {
        let weights = self.group.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// The elements that go only with what is asked about.
    fn new_elements(&self) -> FixedBitSet {
        let mut elements = self.tried.elements.clone();
        elements.difference_with(&self.gone.elements);
        elements
    }

    /// Whether what is asked about takes more than what seems to be needed, and all of that.
    fn is_hopeless(&self) -> bool {
        let elements = self.new_elements();
        let is_part = |set: &FixedBitSet| set.is_subset(&elements) && *set != elements;
        !self.group.is_empty() && self.blamed.iter().any(is_part)
    }

    /// Takes note of a refusal: what two of them have in common is the likely reason of both.
    fn blame(&mut self, elements: FixedBitSet) {
        if elements.is_clear() {
            return;
        }
        let is_common = |set: &FixedBitSet| !set.is_disjoint(&elements);
        match self.blamed.iter().position(is_common) {
            Some(place) => self.blamed[place].intersect_with(&elements),
            None => self.blamed.push(elements),
        }
    }

    /// Takes the answer to the proposals that [`Ends::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        let is_name = std::mem::take(&mut self.is_name);
        if good {
            self.gone.clone_from(&self.tried);
        } else {
            let elements = self.new_elements();
            self.held.extend(self.front.key_around(&elements));
            self.blame(elements);
        }
        match self.company {
            _ if is_name => {}
            Company::Unknown(meant) if good => self.begin(meant),
            Company::Unknown(meant) => {
                self.refused.clone_from(&group);
                self.widen(meant);
            }
            Company::Unreached(_) | Company::Nothing => {
                self.halving.tell(good, &self.loads[self.start..]);
            }
        }
        // Runs are another search than names, with as many refusals.
        let begins = is_name && self.names.is_empty();
        self.vain = if good || begins { 0 } else { self.vain + 1 };
        if good { group } else { Vec::new() }
    }

    /// Turns to the way behind one in which what is not reached was refused.
    fn widen(&mut self, meant: Meant) {
        self.company = meant.wider().map_or(Company::Nothing, Company::Unknown);
    }

    /// Turns down the proposals that [`Ends::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        if matches!(self.company, Company::Unknown(_)) {
            self.company = Company::Nothing;
        } else if !std::mem::take(&mut self.is_name) {
            self.halving.refuse(&self.loads[self.start..]);
        }
        self.group.clear();
    }

    /// What is needed for its own sake, as far as is known: something of it alone was refused. By its keys.
    pub(super) fn needed(&self) -> Vec<u64> {
        self.held.clone()
    }

    /// The chance that what [`Ends::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.halving.odds()
    }
}

fn halving(loads: &[u32], weight: u64) -> Halving {
    Halving::new(loads, weight / 2, weight / PARTS).hurrying()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{Row, list::PASSES},
        syntax::{Document, Language},
    };
    use proptest::prelude::*;

    /// Functions, some of which call an earlier one, and statements that call some of them.
    fn program(calls: &[usize]) -> String {
        let function = |(number, call): (usize, &usize)| {
            let called = call % (number + 1);
            format!("int f{number}(int a) {{ int b = a + {number}; return f{called}(b); }}\n")
        };
        let functions: String = calls.iter().enumerate().map(function).collect();
        let statements = calls.iter().enumerate().map(|(number, call)| {
            format!(
                "  int v{number} = f{}({call}); g(v{number}, {number});\n",
                call % calls.len()
            )
        });
        functions + "int main(void) {\n" + &statements.collect::<String>() + "}\n"
    }

    /// Searches to the end, where all may go but what stands around one of the needed texts; whether anything went. `rejects` says
    /// which questions are turned down without an answer.
    fn search(text: &str, needed: &[String], rejects: impl Fn(usize) -> bool) -> bool {
        let context = Context::new(Document::new(text.as_bytes(), Language::named("c")));
        let pass = PASSES.iter().find(|pass| pass.row == Some(Row::Ends));
        let proposals = pass.unwrap().proposals(&context);
        let is_needed = |part: u32| {
            let mut splices = proposals[part as usize].edit.splices().iter();
            splices.any(|splice| {
                needed
                    .iter()
                    .any(|word| text[splice.range()].contains(word))
            })
        };
        let mut ends = Ends::new(&context, &proposals, 1);
        let mut gone: Vec<u32> = Vec::new();
        for question in 0.. {
            let most = 60 * (proposals.len() + 1);
            assert!(question < most, "no end after {question} questions");
            let Some(group) = ends.next() else { break };
            assert!(!group.is_empty());
            assert!(group.iter().any(|part| !gone.contains(part)), "asked again");
            if rejects(question) {
                ends.reject();
                continue;
            }
            assert!((0.0..=1.0).contains(&ends.odds()));
            let good = !ends.group.iter().any(|&part| is_needed(part));
            gone.extend(ends.tell(good));
        }
        assert!(
            !gone.iter().any(|&part| is_needed(part)),
            "what is needed went"
        );
        !gone.is_empty()
    }

    #[test]
    fn what_nothing_needs_goes() {
        let calls: Vec<usize> = (0..60).collect();
        assert!(search(&program(&calls), &[], |_| false));
        assert!(search(&program(&calls), &["v58".to_owned()], |_| false));
    }

    #[test]
    fn what_is_turned_down_does_not_go() {
        assert!(!search(&program(&[7; 60]), &[], |_| true));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn it_ends_and_what_is_needed_stays(
            calls in prop::collection::vec(0usize..40, 1..40),
            needed in prop::collection::vec(0usize..40, 0..6),
            step in 2usize..9,
        ) {
            let needed: Vec<String> = needed.iter().map(|number| format!("v{number},")).collect();
            search(&program(&calls), &needed, |question| question % step == 0);
        }
    }
}
