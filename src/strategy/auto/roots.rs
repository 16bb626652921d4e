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

/// Of no more it is said that they are needed since one of them is.
const MOST_TOLD_APART: usize = 4;

/// The search for what is not reached. Clones share what reaches what.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    reach: Arc<Reach>,
    weights: Arc<[u32]>,
    /// Less than this is worth no question.
    least: u64,
    way: Way,
    /// The last question, and the one before it.
    asked: Option<Asked>,
    asked_before: Option<Asked>,
    group: Vec<u32>,
}

/// What was asked in one way.
#[derive(Clone, Debug)]
struct Asked {
    stays: FixedBitSet,
    count: usize,
    meant: Meant,
    is_refused: bool,
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
            asked_before: None,
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
                    if let Some(asked) = self.asked.as_mut().filter(|it| it.stays == stays) {
                        (asked.count, asked.meant) = (count, meant);
                        self.go_on(count, meant);
                        continue;
                    }
                    let group: Vec<u32> = (0..parts)
                        .filter(|&part| !stays.contains(part))
                        .map(|part| u32::try_from(part).unwrap_or(u32::MAX))
                        .collect();
                    let question = Asked {
                        stays,
                        count,
                        meant,
                        is_refused: false,
                    };
                    self.asked_before = self.asked.replace(question);
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
        if let Some(asked) = &mut self.asked {
            asked.is_refused = !good;
        }
        match &mut self.way {
            &mut Way::Closure(count, meant) if !good => self.go_on(count, meant),
            Way::Missing(missing) => missing.tell(good, &group),
            Way::Closure(..) | Way::End => self.way = Way::End,
        }
        if good { group } else { Vec::new() }
    }

    /// Turns down the parts that [`Roots::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        self.tell(false);
        if let Some(asked) = &mut self.asked {
            asked.is_refused = false;
        }
    }

    /// What was found to be needed though nothing reaches it, by its keys. What no other part uses is needed for its own sake.
    pub(super) fn needed(&self) -> Vec<u64> {
        let (found, are_places_needed) = match &self.way {
            Way::Missing(missing) => (missing.found().to_vec(), false),
            Way::End => self.told_apart(),
            Way::Closure(..) => return Vec::new(),
        };
        let used = self.reach.used_parts();
        let key = |&part: &usize| {
            if self.reach.is_named(part) && !used.contains(part) {
                self.reach.key_as_end(part)
            } else {
                self.reach.key(part)
            }
        };
        let places = are_places_needed.then(Reach::key_of_places);
        found.iter().map(key).chain(places).collect()
    }

    /// What stayed in the accepted question, but not in the one before it: if that was refused, something of it is needed. That may be the
    /// places of members, which are needed for what keeps theirs then; for its own sake a member is not.
    fn told_apart(&self) -> (Vec<usize>, bool) {
        let before = self.asked_before.as_ref().filter(|it| it.is_refused);
        let Some((before, now)) = before.zip(self.asked.as_ref()) else {
            return (Vec::new(), false);
        };
        let apart = || now.stays.difference(&before.stays);
        let are_places_needed = now.count == before.count
            && now.meant.keeps_places()
            && !before.meant.keeps_places()
            && apart().any(|part| self.reach.is_placed(part));
        let is_little = apart().nth(MOST_TOLD_APART).is_none();
        let may_be_alone = |&part: &usize| self.reach.is_named(part) && !self.reach.is_member(part);
        let alone = apart().filter(|part| is_little && may_be_alone(part));
        (alone.collect(), are_places_needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{Due, declarations, list::due_at},
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

    /// Over a program with an object that is made when it starts.
    fn with_object() -> Roots {
        let text = "class i { i(); };\n static i a;\n int b;\n int main() { }";
        let context = Context::new(Document::new(text.as_bytes(), Language::named("cpp")));
        Roots::new(&context, &declarations(&context), 1)
    }

    #[test]
    fn what_only_an_accepted_question_keeps_is_needed() {
        let mut roots = with_object();
        assert_eq!(roots.next(), Some(&[1, 2][..]));
        roots.tell(false);
        assert_eq!(roots.next(), Some(&[2][..]));
        assert_eq!(roots.tell(true), [2]);
        assert_eq!(roots.needed().len(), 1);
        assert_eq!(roots.next(), None);
    }

    #[test]
    fn what_was_not_asked_tells_nothing() {
        let mut roots = with_object();
        roots.next().unwrap();
        roots.reject();
        roots.next().unwrap();
        roots.tell(true);
        assert!(roots.needed().is_empty());
    }

    /// What is known to be needed of a type whose members are asked about, when so many questions were refused before.
    fn needed_of_members(refused: usize) -> Vec<u64> {
        let text = "struct a { int p; int q; void f(); };\n struct i { i(); int x; };\n i j;\n int main() { a b; }";
        let context = Context::new(Document::new(text.as_bytes(), Language::named("cpp")));
        let members = due_at(Due::Members).next().unwrap();
        let mut roots = Roots::new(&context, &(members.propose)(&context), 1);
        for _ in 0..refused {
            roots.next().unwrap();
            roots.tell(false);
        }
        roots.next().unwrap();
        roots.tell(true);
        roots.needed()
    }

    #[test]
    fn places_are_needed_only_if_the_question_that_keeps_them_is_the_first_accepted() {
        let is_known = |refused| needed_of_members(refused).contains(&Reach::key_of_places());
        assert_eq!(
            [is_known(0), is_known(1), is_known(2)],
            [false, false, true]
        );
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
