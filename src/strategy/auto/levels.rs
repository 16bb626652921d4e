//! A text without a grammar: its blocks of lines of every depth, and its lines as they stand, each a row of its own that is searched
//! for runs.
//!
//! How a text is laid out says mostly, but not always, what belongs together: labels stand left of what they mark, and a bracket that
//! is closed early may hold all that follows. So no row is searched to its end before the next one begins. The next question goes to
//! the row whose next run has most to gain: what is left of it, times how often a run of that row went. The rows share what has gone,
//! and a row of deeper blocks is opened when of what its blocks lie in no more is undecided than half of what they hold.

use crate::{
    minimize::Halving,
    pass::{
        Context, Proposal,
        dependencies::Dependencies,
        lines::{self, Block, Lines},
    },
};
use fixedbitset::FixedBitSet;
use std::{iter, ops::Range, sync::Arc};

/// The search over the lines of a text. Clones copy the open runs and a bit a line.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The blocks from the outermost on, whose row is open from the first, then what else the text is cut into.
    rows: Vec<Row>,
    /// The row whose run is asked about now.
    turn: usize,
    dependencies: Arc<Dependencies>,
    weights: Arc<[u32]>,
    gone: FixedBitSet,
    /// The lines that are asked about now.
    group: Vec<u32>,
}

/// Blocks that lie in more others go line by line.
const DEEPEST: u32 = 12;
/// Units that end with lines that say the same are a guess: they begin as if so many of their runs had been refused.
const DOUBT_OF_UNITS: u32 = 20;
/// The same for the lines as they stand, first along the depths of the text and then in halves: they come to their turn where the
/// layout misleads.
const DOUBT_OF_LINES: u32 = 500;
const DOUBT_OF_HALVES: u32 = 1000;
/// The tokens that a question has to promise: what comes later takes as many with its questions.
const LEAST_GAIN: f64 = 0.3;
const LEAST_GAIN_OF_GUESSES: f64 = 1.0;

impl Levels {
    /// Over these lines, which are in order. Cost: linear in them for each depth.
    pub(super) fn new(context: &Context, lines: &[Proposal]) -> Self {
        let document = context.document();
        let weights: Arc<[u32]> = lines.iter().map(|line| line.weight).collect();
        let texts = lines::texts(document, lines);
        let text = Lines::of(&texts);
        let outermost = Row::new(text.blocks_at(0), &weights).of_all();
        let inner = (1..=DEEPEST).map(|level| text.blocks_at(level));
        let inner = inner.take_while(|blocks| !blocks.is_empty());
        let inner = inner.map(|blocks| Row::new(blocks, &weights));
        let all = text.single();
        let halves = all.iter().map(|line| Block {
            seam: 0,
            ..line.clone()
        });
        let halves = halves.collect();
        let guesses = [
            (lines::units(&texts), DOUBT_OF_UNITS),
            (all, DOUBT_OF_LINES),
            (halves, DOUBT_OF_HALVES),
        ];
        let guess = |(blocks, doubt)| Row::new(blocks, &weights).of_all().guessed(doubt);
        let guesses = guesses.into_iter().map(guess);
        let rows = iter::once(outermost).chain(inner).chain(guesses).collect();
        Self {
            rows,
            turn: 0,
            dependencies: Arc::new(Dependencies::of(document, context.names(), lines)),
            gone: FixedBitSet::with_capacity(lines.len()),
            weights,
            group: Vec::new(),
        }
    }

    /// The lines that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        while self.group.is_empty() {
            self.turn = self.next_turn()?;
            self.group = self.with_company(self.asked());
            if self.group.is_empty() {
                // Its halves may go alone.
                let row = &mut self.rows[self.turn];
                row.halving.refuse(&row.loads);
            }
        }
        Some(&self.group)
    }

    /// The row whose next run has most to gain, the first of equal ones; none if all are at their ends.
    fn next_turn(&mut self) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for place in 0..self.rows.len() {
            if !self.rows[place].is_open {
                let undecided = self.rows[place - 1].undecided();
                let row = &mut self.rows[place];
                row.is_open = 2 * undecided <= row.left();
            }
            let row = &mut self.rows[place];
            let gain = if row.is_open { row.gain() } else { None };
            if let Some(gain) = gain
                && best.is_none_or(|(most, _)| gain > most)
            {
                best = Some((gain, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// What is left of these lines; with the lines elsewhere that lose a word without them, if they are few and such groups went
    /// at least as often as runs alone.
    pub(super) fn with_company(&self, mut lines: Vec<u32>) -> Vec<u32> {
        lines.retain(|&line| !self.gone.contains(line as usize));
        if self.rows[self.turn].goes_alone() {
            return lines;
        }
        let none = FixedBitSet::new();
        let all = self.dependencies.with_dependents(&self.gone, &none, &lines);
        match all {
            None => Vec::new(),
            Some(all) if 2 * self.weight(&all) <= 3 * self.weight(&lines) => all,
            Some(_) => lines,
        }
    }

    fn weight(&self, lines: &[u32]) -> u64 {
        let weights = lines.iter().map(|&line| self.weights[line as usize]);
        weights.map(u64::from).sum()
    }

    /// Takes the answer to the lines that [`Levels::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        let weight = self.weight(&group);
        self.rows[self.turn].tell(good, weight);
        if !good {
            return Vec::new();
        }
        self.gone.extend(group.iter().map(|&line| line as usize));
        let weights = self.weights.iter().enumerate();
        let left = weights.map(|(line, &weight)| if self.gone.contains(line) { 0 } else { weight });
        let left: Vec<u32> = left.collect();
        for row in &mut self.rows {
            row.loads = loads(&row.blocks, &left);
        }
        group
    }

    /// Turns down the lines that [`Levels::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        self.group.clear();
        let row = &mut self.rows[self.turn];
        row.halving.refuse(&row.loads);
    }

    /// The lines of the run that is asked about, without its company.
    pub(super) fn asked(&self) -> Vec<u32> {
        let row = &self.rows[self.turn];
        let run = row.halving.testing();
        run.map(|run| row.lines(run)).unwrap_or_default()
    }

    /// The lines of each open run, without their company, and its chance: first those of the row that is asked about.
    pub(super) fn open(&self) -> impl Iterator<Item = (Vec<u32>, f64)> {
        let (before, from) = self.rows.split_at(self.turn);
        let rows = from.iter().chain(before).filter(|row| row.is_open);
        rows.flat_map(|row| {
            let runs = row.halving.open();
            let runs = runs.filter(|run| row.gain_of(run) >= row.least_gain);
            runs.map(|run| (row.lines(run), row.halving.odds()))
        })
    }

    /// The chance that what [`Levels::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.rows[self.turn].halving.odds()
    }

    /// The lines that were refused alone.
    pub(super) fn failed(&self) -> Vec<u32> {
        let of_row = |row: &Row| {
            let blocks = row.halving.failed().iter();
            let lines = blocks.map(|&block| row.blocks[block as usize].lines.clone());
            let single = lines.filter(|lines| lines.len() == 1);
            single.flatten().collect::<Vec<u32>>()
        };
        let mut failed: Vec<u32> = self.rows.iter().flat_map(of_row).collect();
        failed.sort_unstable();
        failed.dedup();
        failed
    }
}

/// Runs over blocks of one kind.
#[derive(Clone, Debug)]
struct Row {
    halving: Halving,
    blocks: Arc<[Block]>,
    /// By block: the tokens that are left of it.
    loads: Arc<[u32]>,
    /// Of the runs that were asked about with lines from elsewhere, and without them once that had failed.
    in_company: Record,
    alone: Record,
    is_open: bool,
    /// A run with less to gain is left to the other steps.
    least_gain: f64,
}

/// How often something went.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    asked: u32,
    successes: u32,
}

impl Record {
    fn note(&mut self, good: bool) {
        self.asked += 1;
        self.successes += u32::from(good);
    }

    fn odds(self) -> f64 {
        (f64::from(self.successes) + 1.0) / (f64::from(self.asked) + 2.0)
    }
}

impl Row {
    fn new(blocks: Vec<Block>, weights: &[u32]) -> Self {
        let loads = loads(&blocks, weights);
        let seams: Vec<u32> = blocks.iter().map(|block| block.seam).collect();
        Self {
            halving: Halving::along(&loads, seams.into()),
            blocks: blocks.into(),
            loads,
            in_company: Record::default(),
            alone: Record::default(),
            is_open: false,
            least_gain: LEAST_GAIN,
        }
    }

    /// The same, open from the first, if these blocks are all of the text: without them nothing is left.
    fn of_all(self) -> Self {
        Self {
            halving: self.halving.of_needed(&self.loads),
            is_open: true,
            ..self
        }
    }

    /// The same, as if so many runs had been refused.
    fn guessed(self, doubt: u32) -> Self {
        Self {
            halving: self.halving.doubted(doubt),
            least_gain: LEAST_GAIN_OF_GUESSES,
            ..self
        }
    }

    fn lines(&self, run: &Range<u32>) -> Vec<u32> {
        let blocks = &self.blocks[run.start as usize..run.end as usize];
        let lines = blocks.iter().flat_map(|block| block.lines.clone());
        lines.collect()
    }

    fn goes_alone(&self) -> bool {
        self.alone.odds() > self.in_company.odds()
    }

    /// Takes the answer to a run with its company, which weigh so much together.
    fn tell(&mut self, good: bool, weight: u64) {
        let of_run = self.halving.testing().map(|run| self.left_of(run));
        if self.goes_alone() {
            self.alone.note(good);
        } else if of_run.is_some_and(|of_run| of_run < weight) {
            self.in_company.note(good);
        }
        self.halving.tell(good, &self.loads);
    }

    /// What the next run has to gain that is worth a question; none at the end.
    fn gain(&mut self) -> Option<f64> {
        loop {
            let run = self.halving.next(&self.loads)?;
            let gain = self.gain_of(&run);
            if gain >= self.least_gain {
                return Some(gain);
            }
            self.halving.skip();
        }
    }

    /// What is left of a run, times how often one went.
    fn gain_of(&self, run: &Range<u32>) -> f64 {
        let weight = u32::try_from(self.left_of(run)).unwrap_or(u32::MAX);
        f64::from(weight) * self.halving.odds()
    }

    fn left_of(&self, run: &Range<u32>) -> u64 {
        let loads = &self.loads[run.start as usize..run.end as usize];
        loads.iter().copied().map(u64::from).sum()
    }

    fn left(&self) -> u64 {
        self.loads.iter().copied().map(u64::from).sum()
    }

    /// What is left in runs that have not been asked about.
    fn undecided(&self) -> u64 {
        let runs = self
            .halving
            .testing()
            .into_iter()
            .chain(self.halving.open());
        runs.map(|run| self.left_of(run)).sum()
    }
}

/// What these blocks weigh, by the weights of the lines.
fn loads(blocks: &[Block], weights: &[u32]) -> Arc<[u32]> {
    let of_block = |block: &Block| {
        let lines = &weights[block.lines.start as usize..block.lines.end as usize];
        lines.iter().copied().fold(0, u32::saturating_add)
    };
    blocks.iter().map(of_block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Document, Language};
    use proptest::prelude::*;

    fn context(text: &str) -> Context {
        Context::new(Document::new(text.as_bytes(), Language::named("none")))
    }

    /// Searches to the end, where all lines may go but these; what has gone, and the groups that were asked about.
    fn search(text: &str, needed: &[u32]) -> (Vec<u32>, Vec<Vec<u32>>) {
        let context = context(text);
        let lines = lines::lines(&context);
        let mut levels = Levels::new(&context, &lines);
        let (mut gone, mut asked) = (Vec::new(), Vec::new());
        while let Some(group) = levels.next() {
            let group = group.to_vec();
            assert!(group.iter().all(|line| !gone.contains(line)), "asked again");
            let good = !needed.iter().any(|line| group.contains(line));
            let went = levels.tell(good);
            assert_eq!(went, if good { group.clone() } else { Vec::new() });
            gone.extend(went);
            asked.push(group);
        }
        assert!(levels.failed().iter().all(|line| needed.contains(line)));
        gone.sort_unstable();
        (gone, asked)
    }

    /// So many words make each line worth a question.
    const WORDS: usize = 60;

    /// Blocks of so many lines behind a head, with other words in each.
    fn blocks(sizes: &[usize]) -> String {
        let block = |(place, size): (usize, &usize)| {
            let line = |line: usize| format!("  a{place}x{line}{}\n", " b".repeat(WORDS));
            let lines: Vec<String> = (0..*size).map(line).collect();
            format!("h{place}\n{}", lines.concat())
        };
        sizes.iter().enumerate().map(block).collect()
    }

    #[test]
    fn small_blocks_wait_while_a_large_one_has_lines() {
        // Many small blocks that are needed, and a large one of which only a line is.
        let sizes = [&[1; 16][..], &[64]].concat();
        let needed: Vec<u32> = (0..34).collect();
        let (_, asked) = search(&blocks(&sizes), &needed[..33]);
        let is_inside = |group: &&Vec<u32>| group.iter().all(|line| (33..97).contains(line));
        let first_inside = asked.iter().position(|group| is_inside(&group));
        let first_small = asked
            .iter()
            .position(|group| group.iter().all(|line| *line < 2));
        assert!(
            first_inside < first_small,
            "{first_inside:?} {first_small:?}"
        );
        assert!(first_inside.is_some_and(|first| asked[first].len() >= 16));
    }

    #[test]
    fn a_run_is_halved_where_its_blocks_end() {
        let (gone, asked) = search(&blocks(&[3, 3, 3, 3]), &[0, 1]);
        assert_eq!(asked[0], (8..16).collect::<Vec<u32>>());
        assert_eq!(asked[1], (4..8).collect::<Vec<u32>>());
        assert_eq!(gone, (2..16).collect::<Vec<u32>>());
    }

    #[test]
    fn units_between_equal_lines_go_though_the_layout_says_nothing() {
        let unit = |place: usize| {
            let line = |line: usize| format!("u{place}v{line} w\n");
            let lines: Vec<String> = (0..20).map(line).collect();
            format!("UNIT z{place}\n{}END\n", lines.concat())
        };
        let text: String = (0..16).map(unit).collect();
        let context = context(&text);
        let lines = lines::lines(&context);
        let units: Vec<Range<u32>> = lines::units(&lines::texts(context.document(), &lines))
            .into_iter()
            .map(|unit| unit.lines)
            .collect();
        assert_eq!(
            units,
            (0..16)
                .map(|unit| 22 * unit..22 * unit + 22)
                .collect::<Vec<_>>()
        );
        // A unit goes as a whole or not at all, and the sixth stays.
        let mut levels = Levels::new(&context, &lines);
        let (mut left, mut questions): (Vec<bool>, usize) = (vec![true; 352], 0);
        while left.iter().filter(|&&is_left| is_left).count() > 22 {
            let group = levels.next().unwrap().to_vec();
            let mut after = left.clone();
            for &line in &group {
                after[line as usize] = false;
            }
            let is_whole = after
                .chunks(22)
                .all(|unit| unit.iter().all(|&it| it) || !unit.contains(&true));
            let good = is_whole && after[22 * 5];
            levels.tell(good);
            left = if good { after } else { left };
            questions += 1;
        }
        assert!(questions <= 40, "{questions}");
    }

    #[test]
    fn without_lines_there_is_nothing_to_ask() {
        assert_eq!(search("", &[]).1.len(), 0);
        assert_eq!(search("a", &[]).1.len(), 0);
        assert_eq!(search("\n\n", &[1]).1.len(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_worth_a_question_goes_unless_it_is_needed(
            sizes in prop::collection::vec(0usize..9, 1..12), needed in prop::collection::vec(0u32..60, 1..8),
        ) {
            let text = blocks(&sizes);
            let count = u32::try_from(text.lines().count()).unwrap();
            let needed: Vec<u32> = needed.into_iter().map(|line| line % count).collect();
            let (gone, asked) = search(&text, &needed);
            prop_assert!(!needed.iter().any(|line| gone.contains(line)));
            // Of the others only single words may be left, the heads of blocks.
            let left = text.lines().zip(0..count).filter(|(_, line)| !gone.contains(line) && !needed.contains(line));
            let left: Vec<&str> = left.map(|(line, _)| line).collect();
            prop_assert!(left.iter().all(|line| line.starts_with('h')), "{left:?}");
            // Each row is a binary tree of runs: two of levels, one of units and two of lines.
            prop_assert!(asked.len() <= 8 * count as usize);
        }
    }
}
