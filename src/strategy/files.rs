//! Whole files of a folder: which can go?
//!
//! All entries are one row, what is in a folder before the folder. It is asked about as a whole, then in halves, down to single
//! entries; a folder goes with the last of what is in it. Where a row is refused and its first half can go, the second half is
//! halved without being asked about: something in it is needed. So *k* needed files of *n* cost about *k* log *n* questions
//! wherever they lie. At the end each entry is asked about alone, a folder with all that is in it, until nothing goes.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::folder::listing;
use crate::search::{Render, Search, Verdict};

/// The entries of a folder, as far as the search needs to know them.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The folder of each entry; it stands before what is in it. `None`: it stands at the top.
    pub parents: Vec<Option<usize>>,
    /// Those that have to stay, and with them their folders.
    pub fixed: Vec<bool>,
}

/// A choice of entries.
#[derive(Clone, Debug)]
pub struct FileChoice(Arc<FixedBitSet>);

impl FileChoice {
    /// The numbers of the entries that stay.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0.ones()
    }
}

impl Render for FileChoice {
    fn render(&self, out: &mut Vec<u8>) {
        out.extend(listing(self.numbers()));
    }

    fn pass(&self) -> &'static str {
        "files"
    }
}

/// A search for the fewest entries.
#[derive(Clone, Debug)]
pub struct FileSearch {
    tree: Arc<Tree>,
    best: FileChoice,
    /// What is still to be asked about, the next last.
    open: Vec<Row>,
    /// Whether anything went since each entry was asked about alone.
    went: bool,
    /// Whether entries are asked about alone only.
    is_sweep: bool,
}

#[derive(Debug)]
struct Tree {
    children: Vec<Vec<usize>>,
    top: Vec<usize>,
    fixed: Vec<bool>,
}

impl Tree {
    /// All entries, what is in a folder before the folder.
    fn in_order(&self) -> Vec<usize> {
        let mut reversed = Vec::with_capacity(self.children.len());
        let mut open = self.top.clone();
        while let Some(entry) = open.pop() {
            reversed.push(entry);
            open.extend(&self.children[entry]);
        }
        reversed.reverse();
        reversed
    }
}

/// Neighbours in the row of all entries.
#[derive(Clone, Debug)]
struct Row {
    entries: Vec<usize>,
    /// Whether it is known that one of them is needed.
    is_needed: bool,
    half: Half,
}

/// Which part a row is of one that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    First,
    Second,
    Neither,
}

impl FileSearch {
    /// Begins with the entries that are `present`, which must be interesting.
    pub fn new(shape: &Shape, present: impl IntoIterator<Item = usize>) -> Self {
        let count = shape.parents.len();
        let mut tree = Tree {
            children: vec![Vec::new(); count],
            top: Vec::new(),
            fixed: shape.fixed.clone(),
        };
        for number in (0..count).rev() {
            if let (Some(parent), true) = (shape.parents[number], tree.fixed[number]) {
                tree.fixed[parent] = true;
            }
        }
        for (number, parent) in shape.parents.iter().enumerate() {
            match parent {
                Some(parent) => tree.children[*parent].push(number),
                None => tree.top.push(number),
            }
        }
        let mut best = FixedBitSet::with_capacity(count);
        best.extend(present);
        let mut search = Self {
            open: vec![Row::new(tree.in_order())],
            tree: Arc::new(tree),
            best: FileChoice(Arc::new(best)),
            went: true,
            is_sweep: false,
        };
        search.go_on();
        search
    }

    /// The entries of a row that are there and may go.
    fn is_candidate(&self, entry: usize) -> bool {
        self.best.0.contains(entry) && !self.tree.fixed[entry]
    }

    /// Makes the last of the open rows one that can be asked about, or none is left.
    fn go_on(&mut self) {
        loop {
            let Some(mut row) = self.open.pop() else {
                if !self.start_sweep() {
                    return;
                }
                continue;
            };
            row.entries.retain(|&entry| self.is_candidate(entry));
            match row.entries.len() {
                1 if row.is_needed => {}
                _ if row.is_needed => self.push_halves(&row.entries),
                _ if self.without(&row.entries) != *self.best.0 => {
                    self.open.push(row);
                    return;
                }
                _ => {}
            }
        }
    }

    /// A last round over single entries, if anything went since the last one began.
    fn start_sweep(&mut self) -> bool {
        if !std::mem::take(&mut self.went) {
            return false;
        }
        self.is_sweep = true;
        // From the end: what is in a folder comes before the folder.
        let all = self.best.0.ones().filter(|&entry| self.is_candidate(entry));
        self.open = all.map(|entry| Row::new(vec![entry])).collect();
        !self.open.is_empty()
    }

    /// What is left without these entries: in the end with all that is in them, before that only those of them that hold nothing
    /// more. What is in a folder stands before it.
    fn without(&self, row: &[usize]) -> FixedBitSet {
        let mut rest = (*self.best.0).clone();
        if self.is_sweep {
            let mut gone = row.to_vec();
            while let Some(entry) = gone.pop() {
                rest.set(entry, false);
                gone.extend(&self.tree.children[entry]);
            }
            return rest;
        }
        for &entry in row {
            let mut inside = self.tree.children[entry].iter();
            if !inside.any(|&inside| rest.contains(inside)) {
                rest.set(entry, false);
            }
        }
        rest
    }

    fn push_halves(&mut self, row: &[usize]) {
        let (first, second) = row.split_at(row.len() / 2);
        for (part, half) in [(second, Half::Second), (first, Half::First)] {
            self.open.push(Row {
                half,
                ..Row::new(part.to_vec())
            });
        }
    }
}

impl Row {
    fn new(entries: Vec<usize>) -> Self {
        Self {
            entries,
            is_needed: false,
            half: Half::Neither,
        }
    }
}

impl Search for FileSearch {
    type Candidate = FileChoice;
    type Best = FileChoice;

    fn ask(&self) -> Option<FileChoice> {
        let row = self.open.last()?;
        Some(FileChoice(Arc::new(self.without(&row.entries))))
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(row) = self.open.pop() else { return };
        if verdict.is_interesting() {
            self.best = FileChoice(Arc::new(self.without(&row.entries)));
            self.went = true;
            // The two halves together were refused, so what is needed is in the second one.
            if let (Half::First, Some(second)) = (row.half, self.open.last_mut()) {
                second.is_needed = true;
            }
        } else if row.entries.len() > 1 {
            self.push_halves(&row.entries);
        }
        self.go_on();
    }

    fn best(&self) -> &FileChoice {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(shape: &Shape, is_interesting: impl Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
        let mut search = FileSearch::new(shape, 0..shape.parents.len());
        let mut questions = 0;
        while let Some(choice) = search.ask() {
            questions += 1;
            let numbers: Vec<usize> = choice.numbers().collect();
            search.tell(Verdict::of(is_interesting(&numbers)));
        }
        (search.best().numbers().collect(), questions)
    }

    fn flat(count: usize) -> Shape {
        Shape {
            parents: vec![None; count],
            fixed: vec![false; count],
        }
    }

    #[test]
    fn three_of_three_hundred_files_cost_less_than_sixty_questions() {
        let mut most = 0;
        for step in 1..100 {
            let needed = [step, (step * 7 + 90) % 300, (step * 31 + 171) % 300];
            let (left, questions) = run(&flat(300), |kept| {
                needed.iter().all(|needed| kept.contains(needed))
            });
            assert!(left.len() <= 3 && needed.iter().all(|needed| left.contains(needed)));
            most = most.max(questions);
        }
        assert!(most < 55, "{most}");
    }

    #[test]
    fn three_files_of_three_hundred_in_nested_folders_cost_less_than_sixty_questions() {
        // Each third of twenty folders lies in another one.
        let folder = |number: usize| (number > 0 && number.is_multiple_of(3)).then_some(number / 2);
        let mut parents: Vec<Option<usize>> = (0..20).map(folder).collect();
        parents.extend((20..320).map(|file| (file % 11 > 0).then_some(file * 7 % 20)));
        let fixed = vec![false; parents.len()];
        let shape = Shape { parents, fixed };
        let mut most = 0;
        for step in 20..120 {
            let needed = [
                step,
                20 + (step * 7 + 90) % 300,
                20 + (step * 31 + 171) % 300,
            ];
            let (left, questions) = run(&shape, |kept| {
                needed.iter().all(|needed| kept.contains(needed))
            });
            let files = left.iter().filter(|&&entry| entry >= 20).count();
            assert!(files <= 3 && needed.iter().all(|needed| left.contains(needed)));
            most = most.max(questions);
        }
        assert!(most < 60, "{most}");
    }

    #[test]
    fn a_folder_goes_with_what_is_in_it_and_stays_for_what_is_needed() {
        // 0 and 3 are folders with two files each.
        let shape = Shape {
            parents: vec![None, Some(0), Some(0), None, Some(3), Some(3)],
            fixed: vec![false; 6],
        };
        let (left, questions) = run(&shape, |kept| kept.contains(&5));
        assert_eq!(left, [3, 5]);
        assert!(questions < 10, "{questions}");
    }

    #[test]
    fn what_is_fixed_stays_with_its_folder_and_what_is_beside_it_goes() {
        let shape = Shape {
            parents: vec![None, Some(0), Some(0), None],
            fixed: vec![false, false, true, false],
        };
        let (left, _) = run(&shape, |_| true);
        assert_eq!(left, [0, 2]);
    }

    proptest! {
        /// Whatever the answers are: it ends, and nothing that is left could go alone.
        #[test]
        fn each_single_entry_that_is_left_was_refused(
            parents in proptest::collection::vec(0_usize..8, 1..24),
            salt in 0_u64..1000,
        ) {
            let count = parents.len();
            let parent = |(number, parent): (usize, &usize)| (*parent < number).then_some(*parent);
            let shape = Shape {
                parents: parents.iter().enumerate().map(parent).collect(),
                fixed: vec![false; count],
            };
            let all: Vec<usize> = (0..count).collect();
            let is_interesting = |kept: &[usize]| {
                let mut hash = salt;
                for number in kept {
                    hash = hash.wrapping_mul(31).wrapping_add(*number as u64).rotate_left(7);
                }
                kept == all || (hash ^ (hash >> 17)).is_multiple_of(3)
            };
            let (left, questions) = run(&shape, is_interesting);
            prop_assert!(questions <= 2 * count * count + 2);
            prop_assert!(is_interesting(&left));
            let mut search = FileSearch::new(&shape, left.iter().copied());
            search.is_sweep = true;
            for entry in left.iter().copied() {
                let rest: Vec<usize> = search.without(&[entry]).ones().collect();
                prop_assert!(!is_interesting(&rest), "{entry} of {left:?}");
            }
        }
    }
}
