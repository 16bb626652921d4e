//! What the last parts of a long row do not reach, as one question: from one of them, in each way to tell what is meant, from a few,
//! and then from one with what is found to be missing ([`super::missing`]).

use super::missing::Missing;
use crate::pass::{
    Context, Proposal,
    dependencies::Dependencies,
    reach::{Meant, Reach},
};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// From more of the last parts on nearly everything is reached.
const MOST_ROOTS: usize = 32;
/// From so many it is seldom that much more is reached.
const FEW_ROOTS: usize = 4;
/// What is missing is looked for where at least this part of the row is not reached.
const UNREACHED: u64 = 8;

/// The search for what is not reached. Clones share what reaches what.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    reach: Arc<Reach>,
    weights: Arc<[u32]>,
    /// Less than this is worth no question.
    least: u64,
    way: Way,
    /// What was to stay in the question before.
    asked: Option<FixedBitSet>,
    group: Vec<u32>,
}

/// How what stays is told.
#[derive(Clone, Debug)]
enum Way {
    /// From so many of the last parts all is reached.
    Closure(usize, Meant),
    Missing(Box<Missing>),
    End,
}

impl Roots {
    /// Over these parts, which are in document order. Cost: as [`Reach::of`].
    pub(super) fn new(context: &Context, row: &[Proposal], least: u32) -> Self {
        Self {
            reach: Arc::new(Reach::of(context, row)),
            weights: Dependencies::own_weights(row),
            least: least.into(),
            way: Way::Closure(1, Meant::Least),
            asked: None,
            group: Vec::new(),
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end, which the first success is but for what is missing.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        let group = loop {
            match &mut self.way {
                Way::End => return None,
                Way::Missing(missing) => {
                    let roots = self.reach.last(1);
                    break missing.next(&self.reach, &roots)?;
                }
                &mut Way::Closure(count, meant) => {
                    let parts = self.weights.len();
                    if self.reach.is_empty() || count > MOST_ROOTS.min(parts) {
                        return None;
                    }
                    let stays = self.closure(count, meant);
                    if self.asked.as_ref() == Some(&stays) {
                        self.go_on(count, meant);
                        continue;
                    }
                    let group: Vec<u32> = (0..parts)
                        .filter(|&part| !stays.contains(part))
                        .map(|part| u32::try_from(part).unwrap_or(u32::MAX))
                        .collect();
                    self.asked = Some(stays);
                    if group.is_empty() || self.weight(&group) < self.least {
                        return None;
                    }
                    break group;
                }
            }
        };
        self.group = group;
        Some(&self.group)
    }

    fn closure(&self, count: usize, meant: Meant) -> FixedBitSet {
        self.reach.closure(self.reach.last(count), meant)
    }

    fn weight(&self, parts: &[u32]) -> u64 {
        let weights = parts.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// What comes after a refused closure.
    fn go_on(&mut self, count: usize, meant: Meant) {
        // From several parts all ways but the boldest reach nearly everything.
        let is_only = meant == Meant::Least && count > 1;
        if let Some(wider) = meant.wider().filter(|_| !is_only) {
            self.way = Way::Closure(count, wider);
            return;
        }
        // From where all begins is known when it comes to members.
        let is_last = count == FEW_ROOTS || self.reach.has_members();
        let missing = is_last.then(|| self.missing()).flatten();
        self.way = missing.map_or(Way::Closure(2 * count, Meant::Least), |missing| {
            Way::Missing(Box::new(missing))
        });
    }

    /// The search for what is missing, where it promises enough.
    fn missing(&self) -> Option<Missing> {
        // Of members more is missed, so less is taken for unreached at first.
        let meant = if self.reach.has_members() {
            Meant::Most
        } else {
            Meant::Widely
        };
        let stays = self.closure(1, meant);
        let total: u64 = self.weights.iter().copied().map(u64::from).sum();
        let reached = stays.ones().map(|part| u64::from(self.weights[part]));
        let unreached = total - reached.sum::<u64>();
        (unreached >= total / UNREACHED)
            .then(|| Missing::new(&self.reach, &self.weights, (stays, meant), self.least))
    }

    /// Takes the answer to the parts that [`Roots::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        match &mut self.way {
            &mut Way::Closure(count, meant) if !good => self.go_on(count, meant),
            Way::Missing(missing) => missing.tell(good, &group),
            Way::Closure(..) | Way::End => self.way = Way::End,
        }
        if good { group } else { Vec::new() }
    }

    /// What was found to be needed though nothing reaches it, by its keys. What no other part uses is needed for its own sake.
    pub(super) fn needed(&self) -> Vec<u64> {
        let Way::Missing(missing) = &self.way else {
            return Vec::new();
        };
        let used = self.reach.used_parts();
        let key = |&part: &usize| {
            if self.reach.is_named(part) && !used.contains(part) {
                self.reach.key_as_end(part)
            } else {
                self.reach.key(part)
            }
        };
        missing.found().iter().map(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::declarations,
        syntax::{Document, Language},
    };

    /// Declarations that nothing uses before a program, of which some are needed all the same; what stays, what is known to be
    /// needed, and the number of questions.
    fn search(count: usize, needed: &[u32]) -> (Vec<u32>, usize, usize) {
        search_in((0..count).map(|it| format!("int a{it};")), needed)
    }

    fn search_in(lines: impl Iterator<Item = String>, needed: &[u32]) -> (Vec<u32>, usize, usize) {
        let lines: Vec<String> = lines.chain(["int main() { }".to_owned()]).collect();
        let (text, count) = (lines.join("\n"), lines.len() - 1);
        let context = Context::new(Document::new(text.as_bytes(), Language::named("c")));
        let row = declarations(&context);
        assert_eq!(row.len(), count + 1);
        let mut roots = Roots::new(&context, &row, 1);
        let (mut gone, mut questions) = (Vec::new(), 0);
        while let Some(group) = roots.next() {
            assert!(group.iter().all(|part| !gone.contains(part)), "asked again");
            let good = !needed.iter().any(|part| group.contains(part));
            questions += 1;
            gone.extend(roots.tell(good));
        }
        let all = 0..u32::try_from(row.len()).unwrap();
        let stays = all.filter(|part| !gone.contains(part)).collect();
        (stays, roots.needed().len(), questions)
    }

    #[test]
    fn what_is_not_reached_goes_at_once() {
        assert_eq!(search(40, &[]), (vec![40], 0, 1));
    }

    #[test]
    fn what_is_missing_is_found_in_as_many_questions_as_halves() {
        let (stays, needed, questions) = search(40, &[7]);
        assert_eq!((stays, needed), (vec![7, 40], 1));
        assert!(questions <= 12, "{questions}");
        let (stays, needed, questions) = search(40, &[7, 30]);
        assert_eq!((stays, needed), (vec![7, 30, 40], 2));
        assert!(questions <= 20, "{questions}");
    }

    #[test]
    fn what_is_missing_stays_with_what_it_uses_though_that_is_declared_later() {
        let users = (0..40).map(|it| format!("int f{it}() {{ return a{it}; }}"));
        let used = (0..40).map(|it| format!("int a{it};"));
        let (stays, needed, questions) = search_in(users.chain(used), &[7, 47]);
        assert_eq!((stays, needed), (vec![7, 47, 80], 1));
        assert!(questions <= 12, "{questions}");
    }

    #[test]
    fn what_is_missing_is_found_among_what_uses_each_other() {
        let declared = (0..40).map(|it| format!("int a{it};"));
        let users =
            (0..40).map(|it| format!("int f{it}() {{ return a{it} + f{}(); }}", (it + 1) % 40));
        let (stays, needed, questions) = search_in(users.chain(declared), &[7]);
        assert_eq!((stays.len(), needed), (81, 1));
        assert!(questions <= 8, "{questions}");
    }

    #[test]
    fn where_names_tell_nothing_it_ends_soon() {
        let all: Vec<u32> = (0..200).collect();
        let (stays, _, questions) = search(200, &all);
        assert_eq!(stays.len(), 201);
        assert!(questions <= 24, "{questions}");
    }
}
