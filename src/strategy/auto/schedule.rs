//! What the pipeline does when: the order in which its steps come.

mod first;
mod proof;
mod rounds;
mod sizes;

use super::{
    large::{self, NEXT_CUT, Rows, by_names},
    step::Step,
    text::TextStep,
};
use crate::{
    minimize::Patience,
    pass::{Again, Due, Grain, Pass, list::due_at},
    strategy::{Plan, Strategy},
};
use proof::{Proof, Sweep};
use sizes::least_of_cut;
use std::mem;

/// Which step comes next: cuts from large units to small ones, then rounds until one changes nothing, then the late steps and
/// the sweep of the certificate. After a success the sweep goes on with what it has not asked about since, until it has asked about
/// everything without another. What it changed is a reason for one more round of the other steps: at once if it is much, else behind the
/// sweep. Only what these change is a reason for another sweep.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    once: bool,
    rename: bool,
    phase: Phase,
    /// A document of so many tokens is worth rows over all of it.
    enough: u32,
    /// How many tokens there were before the cuts of the present size; none before the first of them.
    before_cuts: u32,
    /// Whether something has changed since the round, or the sweep, began.
    changed: bool,
    /// Where the sweep goes on: a byte of the document.
    position: u32,
    proof: Proof,
    sweep: Sweep,
    pace: Pace,
    /// How each round begins.
    first_pace: Pace,
    /// The least weight of what the rounds propose now.
    rung: u32,
    /// So many tokens were there when the round began.
    before_round: u32,
    /// And before it was first asked what is not reached.
    before_reach: u32,
}

/// How a round goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// Steps end after a row of failures.
    Quick,
    /// As before, and one has ended before it had asked about everything.
    Hurried,
    /// The round before was hurried and found nothing, so the steps go on for longer.
    Thorough,
    /// No step gives anything up, not even what hardly ever succeeds.
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Comments,
    First,
    EarlyLayout,
    Text(TextStep),
    /// With the tokens before it.
    Tail(u32),
    /// With the place in what comes before the cuts.
    Early(usize),
    /// With the place in what comes before the cuts where it goes on behind them.
    Rows(Rows, usize),
    /// Before a cut of a large document goes on: with the least weight of the cut before it.
    ReachBefore(u32),
    MembersBefore(u32),
    /// Before a cut: what is reached only through one unit. With the least weight of the cut before it.
    NeedlessBefore(u32),
    /// Behind a cut: with its least weight.
    Behind(u32),
    /// With the least weight of the last cut.
    Cuts(u32),
    /// Before the last cut: with the least weight of the cut before it, the tokens before that, and the place of the next step.
    Coarse(u32, u32, usize),
    /// With the place of the next step.
    Round(usize),
    /// With the place of the next step.
    Further(usize),
    /// With the place of the next step: the list, and the place in it.
    Late(u8, usize),
    /// With the place of the next step.
    Again(Again, usize),
    Rename,
    Bytes(usize),
    Layout,
    Dense,
    AnyTokens,
    Sweep,
    Swept,
    Relaid,
    End,
}

/// What comes when there is nothing left to prove.
const AT_LAST: Phase = Phase::Again(Again::BehindProof, 0);
/// In a document of so many tokens a cut of single tokens is worth a round before it.
const WITH_COARSE: u32 = 500;
/// And in one of so many a cut of units of these sizes.
const WITH_EARLY_COARSE: u32 = 1000;
const FINE_CUT: u32 = 4;
/// A cut that leaves less than this part of the document goes so well that the next one comes at once.
const GOES_WELL: u32 = 4;
/// A cut that has taken this part of a large document may have cut off more.
const TAKES_ENOUGH: u32 = 8;
/// What takes this part of the document is worth another cut.
const PAYS: u32 = 20;
/// So many questions in vain end a step of the rounds.
const LONGEST_ROW: u32 = 24;
/// The same in a large document for what is reached only through one unit: what else such a document gets has more to gain by then.
const LONGEST_NEEDLESS: u32 = 8;
/// The same before the last cut, and while the rounds leave small changes for later.
const LONGEST_COARSE_ROW: u32 = 12;
/// The same in a thorough round.
const LONGEST_THOROUGH_ROW: u32 = 64;
/// After so many tokens less the sweep makes way for a round.
const WORTH_A_ROUND: u32 = 6;
/// In a document of so many tokens small parts of one kind are asked about together.
const WITH_KINDS: u32 = 2000;

impl Schedule {
    /// From the beginning, with what the plan says of rounds and names.
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            once: plan.once,
            rename: plan.rename,
            phase: Phase::Comments,
            enough: u32::MAX,
            before_cuts: 0,
            changed: false,
            position: 0,
            proof: Proof::Open,
            sweep: Sweep::All,
            pace: Pace::Quick,
            first_pace: Pace::Quick,
            rung: u32::MAX,
            before_round: 0,
            before_reach: 0,
        }
    }

    /// The same, with steps that ask about all that they propose.
    pub(super) fn thorough(plan: &Plan) -> Self {
        Self {
            pace: Pace::Whole,
            first_pace: Pace::Whole,
            ..Self::new(plan)
        }
    }

    /// Whether no step gives anything up.
    pub(super) fn is_thorough(&self) -> bool {
        self.first_pace == Pace::Whole
    }

    /// Nothing but the names.
    pub(super) fn renaming() -> Self {
        Self {
            phase: Phase::Rename,
            ..Self::new(&Plan {
                once: true,
                rename: true,
                ..Plan::new(Strategy::Auto)
            })
        }
    }

    /// A step has ended after a row of failures, before it had asked about everything.
    pub(super) fn note_hurry(&mut self) {
        if self.pace == Pace::Quick {
            self.pace = Pace::Hurried;
        }
    }

    /// A cut has ended since it has taken enough, before it had asked about everything.
    pub(super) fn note_enough(&mut self) {
        if let Phase::Behind(least) = self.phase {
            self.phase = Phase::ReachBefore(least.saturating_mul(NEXT_CUT));
        }
    }

    /// How long a step goes on in vain in a document of so many tokens. Without a grammar every step is a guess, so the rate says nothing.
    pub(super) fn patience(&self, step: Step, tokens: u32, has_grammar: bool) -> Patience {
        if self.is_thorough() || step.is_second_try {
            return Patience::default();
        }
        Patience {
            ends_when_hopeless: step.pass.gives_up && has_grammar && step.pass.due != Due::Needless,
            longest_row: match self.phase {
                _ if !step.pass.gives_up => None,
                _ if self.pace == Pace::Thorough => Some(LONGEST_THOROUGH_ROW),
                _ if step.pass.due == Due::Needless && tokens >= large::LARGE => {
                    Some(LONGEST_NEEDLESS)
                }
                Phase::Coarse(..) => Some(LONGEST_COARSE_ROW),
                Phase::Round(_) | Phase::Further(_) if self.rung > 0 => Some(LONGEST_COARSE_ROW),
                _ => Some(LONGEST_ROW),
            },
        }
    }

    /// A step has changed the document, from the byte `place` on.
    pub(super) fn note_change(&mut self, step: Step, place: u32) {
        self.changed = true;
        if self.proof == Proof::Whole {
            self.proof = Proof::Open;
        }
        if step.is_certificate() {
            self.position = place;
        }
    }

    /// The step after the last one, for a document of so many tokens, parsed by a grammar or not; `None` at the end.
    pub(super) fn next(&mut self, tokens: u32, has_grammar: bool) -> Option<Step> {
        loop {
            if self.phase == Phase::End {
                return None;
            }
            let step = self.step(tokens, has_grammar);
            // What the sweep itself has broken is no text of another language.
            let is_due = |step: &Step| !(step.pass.reads_plain && self.sweep == Sweep::AllAtLast);
            if let Some(step) = step.filter(is_due) {
                return Some(step);
            }
        }
    }

    /// The step of this phase, if it has one, and the next phase.
    fn step(&mut self, tokens: u32, has_grammar: bool) -> Option<Step> {
        match self.phase {
            Phase::Comments
            | Phase::First
            | Phase::EarlyLayout
            | Phase::Tail(_)
            | Phase::Early(_)
            | Phase::Rows(..) => {
                return self.first_step(tokens, has_grammar);
            }
            Phase::Text(step) => {
                let (step, next) = step.go_on(tokens);
                self.phase = next.map_or(Phase::Cuts(u32::MAX), Phase::Text);
                return step;
            }
            Phase::ReachBefore(before) => {
                self.phase = Phase::MembersBefore(before);
                return by_names(Due::BeforeRow, tokens, self.enough);
            }
            Phase::MembersBefore(before) => {
                self.phase = Phase::Cuts(before);
                return by_names(Due::Members, tokens, self.enough);
            }
            Phase::NeedlessBefore(before) => {
                self.phase = Phase::Cuts(before);
                return large::needless(tokens);
            }
            Phase::Behind(least) => self.phase = self.next_cut(least, tokens),
            Phase::Cuts(1) => self.phase = Phase::Round(0),
            Phase::Cuts(before) => return self.cut(before, tokens),
            Phase::Coarse(least, before, place) => {
                return self.coarse_step(least, before, place, tokens);
            }
            Phase::Round(place) => return self.round_step(place, tokens),
            Phase::Further(place) => return self.further_step(place),
            Phase::Late(list, place) => return self.late_step(list, place),
            Phase::Again(again, place) => return self.second_try(again, place),
            Phase::Rename => {
                self.phase = if self.once {
                    Phase::End
                } else {
                    Phase::Bytes(0)
                };
                return only(Due::Rename).filter(|_| self.rename);
            }
            Phase::Bytes(place) => {
                let pass = due_at(Due::Bytes).nth(place);
                self.phase = pass.map_or(Phase::Layout, |_| Phase::Bytes(place + 1));
                return pass.map(Step::new);
            }
            Phase::Layout => {
                self.phase = Phase::Dense;
                return only(Due::Layout);
            }
            Phase::Dense => {
                self.phase = Phase::AnyTokens;
                return only(Due::Dense);
            }
            Phase::AnyTokens => {
                // What the names, the bytes and the layout changed opens nothing that a round has to look for.
                self.changed = false;
                self.phase = Phase::Sweep;
                return only(Due::AnyTokens).filter(|_| self.sweep != Sweep::Sound);
            }
            Phase::Sweep => {
                self.go_on(Phase::Swept);
                if self.phase == Phase::Swept {
                    return self.sweep();
                }
            }
            Phase::Swept if self.changed && tokens + WORTH_A_ROUND <= self.before_round => {
                self.proof = Proof::Changing;
                self.go_on(Phase::Swept);
            }
            Phase::Swept if self.changed => {
                self.proof = Proof::Changing;
                self.phase = Phase::Relaid;
                return only(Due::Layout);
            }
            Phase::Relaid => {
                self.changed = false;
                self.phase = Phase::Swept;
                return self.sweep();
            }
            Phase::Swept if self.proof == Proof::Changing => {
                self.proof = Proof::Whole;
                self.pace = self.first_pace;
                self.phase = Phase::Round(0);
            }
            Phase::Swept => self.phase = self.behind_proof(),
            Phase::End => {}
        }
        None
    }

    /// A cut of units that may be smaller than those of the one before. In a large document it goes on where it was as long as it
    /// pays, after what nothing reaches any more.
    fn cut(&mut self, before: u32, tokens: u32) -> Option<Step> {
        let least = least_of_cut(before, tokens);
        self.before_cuts = self.before_cuts.max(tokens);
        self.phase = Phase::Behind(least);
        let grain = Grain {
            least,
            enough: if tokens >= large::LARGE {
                TAKES_ENOUGH
            } else {
                0
            },
            ..Grain::default()
        };
        of_grain(Due::Cut, grain)
    }

    /// What comes when a cut of this size has asked about everything.
    fn next_cut(&mut self, least: u32, tokens: u32) -> Phase {
        let before = mem::take(&mut self.before_cuts);
        let fine = if tokens >= WITH_EARLY_COARSE {
            FINE_CUT
        } else {
            1
        };
        let is_before_fine = least > 1 && least / NEXT_CUT <= fine;
        if is_before_fine {
            Phase::Coarse(least, before, 0)
        } else {
            Phase::NeedlessBefore(least)
        }
    }

    /// A step of a round that makes only changes as large as the units of the last cut, if what that left is large, and not
    /// because much of it went. Where the two have paid, both come again.
    fn coarse_step(&mut self, least: u32, before: u32, place: usize, tokens: u32) -> Option<Step> {
        let is_due = tokens >= WITH_COARSE && tokens >= before / GOES_WELL;
        if place == 0 && !is_due {
            self.phase = Phase::Cuts(least);
            return None;
        }
        let pass = due_at(Due::Round)
            .filter(|pass| pass.heaviest_first)
            .nth(place);
        let has_paid = tokens + before / PAYS <= before;
        self.phase = match pass {
            Some(_) => Phase::Coarse(least, before, place + 1),
            None if has_paid => Phase::Cuts(least * NEXT_CUT),
            // The rounds take single units, too, and first what is larger.
            None => Phase::Round(0),
        };
        let grain = at_least(least);
        pass.map(|pass| Step::of_grain(pass, grain))
    }

    /// Another round if something has changed.
    fn go_on(&mut self, otherwise: Phase) {
        self.phase = if self.changed {
            self.pace = self.first_pace;
            Phase::Round(0)
        } else {
            otherwise
        };
        self.changed = false;
    }
}

fn at_least(least: u32) -> Grain {
    Grain {
        least,
        ..Grain::default()
    }
}

/// The only pass that is due at this time.
pub(super) fn only(due: Due) -> Option<Step> {
    due_at(due).next().map(Step::new)
}

/// The same, for proposals of these sizes.
pub(super) fn of_grain(due: Due, grain: Grain) -> Option<Step> {
    let with_grain = |pass: &'static Pass| Step::of_grain(pass, grain);
    due_at(due).next().map(with_grain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first step of this kind, where no step changes a document of so many tokens.
    fn first(schedule: &mut Schedule, due: Due, tokens: u32) -> Step {
        let mut steps = std::iter::from_fn(|| schedule.next(tokens, true));
        steps.find(|step| step.pass.due == due).unwrap()
    }

    /// The least sizes of the cuts before the first step of the rounds, where no step changes a document of so many tokens.
    fn cuts_before_rounds(tokens: u32) -> Vec<u32> {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let steps = std::iter::from_fn(|| schedule.next(tokens, true));
        let before = steps.take_while(|step| step.pass.due != Due::Round);
        let cuts = before.filter(|step| step.pass.due == Due::Cut);
        cuts.map(|step| step.grain.least).collect()
    }

    #[test]
    fn rounds_come_before_cuts_that_are_fine_for_the_document() {
        assert_eq!(cuts_before_rounds(WITH_COARSE), [31, 7]);
        assert_eq!(cuts_before_rounds(WITH_EARLY_COARSE - 1), [62, 15, 3]);
        assert_eq!(cuts_before_rounds(WITH_EARLY_COARSE), [62, 15]);
        assert_eq!(cuts_before_rounds(4096), [256, 64, 16]);
    }

    #[test]
    fn what_has_failed_is_asked_about_again_before_a_sweep_goes_on() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let sweep = first(&mut schedule, Due::Sweep, 100);
        schedule.note_change(sweep, 0);
        let steps = std::iter::from_fn(|| schedule.next(100 - WORTH_A_ROUND, true));
        let mut before = steps.take_while(|step| step.pass.due != Due::Sweep);
        assert!(before.any(|step| step.is_second_try));
    }

    #[test]
    fn what_only_one_unit_reaches_is_given_up_sooner_in_a_large_document() {
        let plan = Plan::new(Strategy::Auto);
        let step = large::needless(large::LARGE).unwrap();
        let longest = |tokens| {
            Schedule::new(&plan)
                .patience(step, tokens, true)
                .longest_row
        };
        assert_eq!(longest(large::LARGE), Some(LONGEST_NEEDLESS));
        assert_eq!(longest(large::LARGE - 1), Some(LONGEST_ROW));
    }

    #[test]
    fn a_cut_that_pays_goes_on_behind_what_is_not_reached_any_more() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let cut = first(&mut schedule, Due::Cut, 16_000);
        assert_eq!((cut.grain.least, cut.grain.enough), (1000, TAKES_ENOUGH));
        schedule.note_enough();
        let reach = schedule.next(14_000, true).unwrap();
        assert_eq!(reach.pass.due, Due::BeforeRow);
        let members = schedule.next(14_000, true).unwrap();
        assert_eq!(members.pass.due, Due::Members);
        let again = schedule.next(14_000, true).unwrap();
        assert_eq!((again.pass.due, again.grain.least), (Due::Cut, 875));
        let needless = schedule.next(14_000, true).unwrap();
        assert_eq!(needless.pass.due, Due::Needless);
        let finer = schedule.next(14_000, true).unwrap();
        assert_eq!((finer.pass.due, finer.grain.least), (Due::Cut, 218));
    }

    #[test]
    fn a_cut_of_a_small_document_asks_about_everything() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let cut = first(&mut schedule, Due::Cut, 1600);
        assert_eq!((cut.grain.least, cut.grain.enough), (100, 0));
        let needless = schedule.next(1000, true).unwrap();
        assert_eq!(needless.pass.due, Due::Needless);
        let finer = schedule.next(1000, true).unwrap();
        assert_eq!((finer.pass.due, finer.grain.least), (Due::Cut, 25));
    }

    /// How many steps there are, 2000 at most, where the step of this number leaves so few tokens of as many as there were before.
    fn steps(before: u32, left: u32, at: usize) -> usize {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let steps = (0..2000).map_while(|step| {
            let next = schedule.next(if step < at { before } else { left }, true);
            if step + 1 == at {
                schedule.note_change(next?, 0);
            }
            next
        });
        steps.count()
    }

    #[test]
    fn it_ends_however_little_is_left_at_any_step() {
        for before in [100, 600, 20_000, 40_000] {
            for left in [0, 1, 11, 19, 21] {
                let endless = (0..200).find(|&at| steps(before, left, at) == 2000);
                assert_eq!(endless, None, "{before} to {left}");
            }
        }
    }

    #[test]
    fn large_late_rewrites_come_before_small_changes() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let further = first(&mut schedule, Due::Further, 2000);
        let least = further.grain.least;
        assert!(least > 0 && further.is_large_enough(least) && !further.is_large_enough(least - 1));
        schedule.note_change(further, 0);
        let next = |schedule: &mut Schedule| schedule.next(1900, true).unwrap();
        let again = next(&mut schedule);
        assert_eq!((again.pass.due, again.grain.least), (Due::Round, least));
        let further = first(&mut schedule, Due::Further, 1900);
        assert_eq!(further.grain.least, least);
        let finer = next(&mut schedule);
        assert!(finer.pass.due == Due::Round && finer.grain.least < least);
    }

    #[test]
    fn what_was_very_large_is_swept_with_its_syntax_first() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let first = schedule.next(40_000, true);
        assert!(first.is_some());
        let mut dues = Vec::new();
        while let Some(step) = schedule.next(100, true) {
            assert!(schedule.sweep != Sweep::AllAtLast || !step.pass.reads_plain);
            dues.push(step.pass.due);
        }
        let at = |due| dues.iter().position(|&it| it == due).unwrap();
        assert!(at(Due::SoundSweep) < at(Due::AnyTokens));
        assert!(at(Due::AnyTokens) < at(Due::Sweep));
    }

    #[test]
    fn what_is_changed_behind_the_proof_is_proven_again() {
        let mut schedule = Schedule::new(&Plan::new(Strategy::Auto));
        let is_last =
            |step: &Step| step.pass.again == Some(Again::BehindProof) && step.is_second_try;
        let mut steps = std::iter::from_fn(|| schedule.next(100, true));
        let before: Vec<Step> = steps.by_ref().take_while(|step| !is_last(step)).collect();
        assert_eq!(before.last().unwrap().pass.due, Due::Sweep);
        schedule.note_change(before[0], 0);
        let behind: Vec<Step> = std::iter::from_fn(|| schedule.next(90, true)).collect();
        assert!(behind.iter().any(|step| step.pass.due == Due::Round));
        assert!(behind.iter().any(|step| step.pass.due == Due::Sweep));
        assert!(is_last(behind.last().unwrap()));
    }
}
