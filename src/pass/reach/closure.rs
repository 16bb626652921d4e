//! All that some parts reach: what they use, what is meant by that, and so on until nothing is added.

use super::{Meant, Reach, narrow};
use fixedbitset::FixedBitSet;

impl Reach {
    /// All that these parts reach, themselves included, with those that were found to be needed for their own sake, and the parts
    /// without a name that are meant then; those that an earlier search found to be needed are meant in any way. Cost: linear for each
    /// link of the longest chain of such parts.
    pub fn closure(&self, roots: impl Iterator<Item = usize>, meant: Meant) -> FixedBitSet {
        self.closed_from(roots, meant, |_| {})
    }

    fn closed_from(
        &self,
        roots: impl Iterator<Item = usize>,
        meant: Meant,
        each_step: impl FnMut(&[usize]),
    ) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.used.len());
        reached.extend(roots);
        reached.union_with(&self.ends);
        let open = reached.ones().collect();
        self.closed(reached, open, self.wanted(), meant, each_step)
    }

    /// The same from any parts, when others have gone, which count as reached.
    pub fn closure_without(
        &self,
        gone: &FixedBitSet,
        roots: &FixedBitSet,
        meant: Meant,
    ) -> FixedBitSet {
        let mut reached = gone.clone();
        reached.union_with(roots);
        let open = roots.ones().collect();
        self.closed(reached, open, self.wanted(), meant, |_| {})
    }

    /// By part: after how many steps from the last one it is reached; `u32::MAX` for one that is not. Cost: as a closure.
    pub fn steps(&self, meant: Meant) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.used.len()];
        let mut step = 0;
        self.closed_from(self.last(1), meant, |open| {
            for &part in open {
                steps[part] = steps[part].min(step);
            }
            step += 1;
        });
        steps
    }

    /// All that these names and calls, by their numbers, reach among the parts before `first`. What is from there on counts as reached,
    /// and of what it uses only the operators.
    pub fn closure_of(
        &self,
        first: usize,
        names: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        meant: Meant,
    ) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.used.len());
        reached.insert_range(first..self.used.len());
        let mut wanted = self.wanted();
        wanted
            .names
            .extend(names.map(|name| self.meant_by(name, meant)));
        wanted.calls.extend(calls.map(|number| number as usize));
        let operators = self.operators[first..].iter().flatten();
        wanted.operators.extend(operators.map(|&it| it as usize));
        self.closed(reached, Vec::new(), wanted, meant, |_| {})
    }

    /// Nothing yet.
    fn wanted(&self) -> Wanted {
        Wanted {
            names: FixedBitSet::with_capacity(self.declarers.len()),
            calls: FixedBitSet::with_capacity(self.declarers.len()),
            parts: FixedBitSet::with_capacity(self.used.len()),
            operators: FixedBitSet::with_capacity(self.used.len()),
        }
    }

    /// Which of several functions a call means is not always what the numbers of their parameters say.
    fn meant_by(&self, name: u32, meant: Meant) -> usize {
        match meant {
            Meant::Most => self.name_of(name) as usize,
            Meant::Least | Meant::ByHeads | Meant::Widely | Meant::Placed => name as usize,
        }
    }

    fn closed(
        &self,
        mut reached: FixedBitSet,
        mut open: Vec<usize>,
        mut wanted: Wanted,
        meant: Meant,
        mut each_step: impl FnMut(&[usize]),
    ) -> FixedBitSet {
        let always = self.always.iter();
        wanted
            .names
            .extend(always.map(|&name| self.meant_by(name, meant)));
        // By what name what is certain is needed cannot be told.
        let certain_ones = self.certain.ones().filter(|&part| !self.is_named[part]);
        let acting = self.acting.ones().filter(|_| meant != Meant::Least);
        let always = self.staying.ones().chain(certain_ones).chain(acting);
        open.extend(always.filter(|&part| !reached.contains(part)));
        loop {
            self.add_outer(&mut open, &reached);
            each_step(&open);
            reached.extend(open.iter().copied());
            let applied = open.iter().flat_map(|&part| &self.operators[part]);
            wanted
                .operators
                .extend(applied.map(|&operator| operator as usize));
            let calls = open.iter().flat_map(|&part| &self.called[part]);
            wanted.calls.extend(calls.map(|&number| number as usize));
            let mentioned = open.drain(..).flat_map(|part| &self.used[part]);
            let mentioned = mentioned.map(|&name| self.meant_by(name, meant));
            wanted.names.extend(mentioned);
            let declarers = wanted.names.ones().flat_map(|name| self.declarers_of(name));
            wanted.parts.extend(declarers);
            let parts = (0..self.used.len()).filter(|&part| !reached.contains(part));
            let is_meant = |&part: &usize| {
                let is_certain = self.certain.contains(part) && wanted.parts.contains(part);
                self.has_outer(part, &reached)
                    && (is_certain || self.is_meant(part, &wanted, &reached, meant))
            };
            open.extend(parts.filter(is_meant));
            if open.is_empty() {
                open = self.last_resort(&wanted, &reached, meant);
            }
            if open.is_empty() {
                return reached;
            }
        }
    }

    /// A member stays only with what it is a member of.
    fn add_outer(&self, open: &mut Vec<usize>, reached: &FixedBitSet) {
        let mut next = 0;
        while let Some(&part) = open.get(next) {
            let outer = self.outer[part].map(|it| it as usize);
            open.extend(outer.filter(|&it| !reached.contains(it)));
            next += 1;
        }
    }

    fn is_meant(&self, part: usize, wanted: &Wanted, reached: &FixedBitSet, meant: Meant) -> bool {
        let outer = self.outer[part];
        let is_member = outer.is_some() && !self.beside.contains(part);
        let keeps_places = self.are_places_needed || meant.keeps_places();
        let is_placed = is_member && keeps_places && self.placed.contains(part);
        if is_placed || outer.is_some_and(|outer| self.is_whole[outer as usize]) {
            return true;
        }
        // A call and an index apply an operator, too, but no sign says so.
        let is_applied = |&operator: &u32| {
            wanted.operators.contains(operator as usize)
                || is_member && !self.is_seen.contains(operator as usize)
        };
        let is_applied = self.own_operator[part].as_ref().is_some_and(is_applied);
        let is_needed = self.is_owned[part] || is_applied;
        // What another member declares is known where this one is.
        let is_own = |name: u32| is_member && self.is_member_of(name, outer);
        let are_known = |names: &[u32]| {
            let mut names = names.iter();
            names.all(|&name| self.is_known(name, reached) || is_own(name))
        };
        let (used, heads) = (&self.used[part], &self.heads[part]);
        // From which type a member takes a name over cannot always be told, so that says nothing about members.
        let is_idle_import = || {
            let of = self.imported.get(&narrow(part)).filter(|_| !is_member);
            of.is_some_and(|of| !of.iter().any(|&it| reached.contains(it as usize)))
        };
        // What makes another type of one is applied without a word.
        let is_conversion = is_member && self.own_operator[part].is_none() && !heads.is_empty();
        let is_unseen = self.is_bound(part);
        let is_only = is_member && self.is_only[part];
        match meant {
            _ if self.is_named[part] && !wanted.parts.contains(part) && !is_unseen => false,
            _ if is_idle_import() => false,
            Meant::Most if self.is_named[part] || is_member => true,
            Meant::ByHeads | Meant::Widely | Meant::Placed if is_only => true,
            _ if is_member && is_needed => true,
            Meant::Least if !self.is_named[part] && !is_needed && !is_conversion => are_known(used),
            // What takes nothing that could be unknown is meant wherever it is applied.
            _ if !self.is_named[part] && heads.is_empty() => {
                is_applied && !self.is_calculated[part] || are_known(used)
            }
            _ => are_known(heads),
        }
    }

    /// All that declare a name that is used and that none of those declares which are meant; or that none of those declares which take
    /// as many arguments as are given.
    fn last_resort(&self, wanted: &Wanted, reached: &FixedBitSet, meant: Meant) -> Vec<usize> {
        let is_import = |part: usize| self.imported.contains_key(&narrow(part));
        let is_known = |part: usize| reached.contains(part) && !is_import(part);
        let is_unknown = |&name: &usize| !self.declarers_of(name).any(is_known);
        let names = wanted.names.ones();
        let names = names.filter(|&name| is_unknown(&(self.name_of(narrow(name)) as usize)));
        let calls = wanted.calls.ones().filter(|_| meant != Meant::Most);
        let unknown = names.chain(calls.filter(is_unknown));
        let open = unknown.flat_map(|name| self.declarers_of(name));
        let are_all_meant = matches!(meant, Meant::Widely | Meant::Placed | Meant::Most);
        let is_open = |part: &usize| {
            !reached.contains(*part) && (are_all_meant || self.has_outer(*part, reached))
        };
        let open = open.filter(is_open);
        let mut parts: Vec<usize> = open.collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Whether a part is no member, or one of what is reached.
    fn has_outer(&self, part: usize, reached: &FixedBitSet) -> bool {
        let is_reached = |outer: u32| reached.contains(outer as usize);
        self.outer[part].is_none_or(is_reached) || self.beside.contains(part)
    }

    fn declarers_of(&self, name: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        self.declarers[name].iter().map(|&part| part as usize)
    }

    /// Whether a member of this part declares a name.
    fn is_member_of(&self, name: u32, outer: Option<u32>) -> bool {
        let mut declarers = self.declarers_of(name as usize);
        declarers.any(|declarer| self.outer[declarer] == outer)
    }

    fn is_known(&self, name: u32, reached: &FixedBitSet) -> bool {
        let mut declarers = self.declarers[name as usize].iter();
        declarers.any(|&declarer| reached.contains(declarer as usize))
    }
}

/// What is used by what is reached.
struct Wanted {
    /// Names, by their numbers.
    names: FixedBitSet,
    /// Calls for which one of some declarations must be known, by the numbers of these.
    calls: FixedBitSet,
    /// What declares one of the names.
    parts: FixedBitSet,
    /// Operators, by their numbers.
    operators: FixedBitSet,
}
