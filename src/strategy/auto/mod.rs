//! The default pipeline: one search made of stages, each of which asks about the proposals of one pass.
//!
//! First come many comments, by kinds; then cuts: in a large document as many of the last declarations as may go (`tail`), what its end
//! does not reach then (`roots`), declaration by declaration and member by member, with a search for what names miss (`missing`), what
//! names and parts of its end hold alone (`ends`), and units with what only they reach; function bodies, in a large document with what only
//! they reach (`emptying`); what rules make everywhere at once; in a large document runs of neighbours over all of it (`runs`), each with
//! what depends on it, what refused ones have in common (`blame`), what nothing reaches any more meanwhile (`leftover`), and what nothing
//! uses any more (`large`); runs of blocks and of instructions, in languages that have them; units from large to small, in a large document
//! with a look at what its end still reaches whenever they have taken an eighth, and with a round of equally large changes before the last
//! cut where the cuts leave much. Then rounds of all passes ([`crate::pass::list`]), of large changes first and with large late rewrites
//! before small ones, until one changes nothing; then once more what the sweep does not ask about and has failed as long as more was there;
//! then a sweep that proves that no single unit, hoist or token can go, in what was very large at first one of what keeps the syntax before
//! it; behind it names in the place of others once more, and if that takes something, all from the rounds on (`schedule`).
//!
//! Small texts of a markup that takes any text are read without their grammar. Within a stage groups of proposals are asked about
//! together (`chooser`): by group testing ([`crate::minimize::Splitting`]), or by the list minimiser that the user chose. A
//! declaration waits until its uses are gone, if it is told which they are; what became of changes of one class says something
//! about the others (`classes`), as it does of those that leave a name without its declaration (`strands`); what holds much that
//! was refused alone comes late (`refused`), and what breaks the syntax is not asked about before the sweep (`stage`). A proposal
//! that failed is known again by what it was made to, and not asked about again before that.

mod blame;
mod chooser;
mod classes;
mod elements;
mod emptying;
mod ends;
mod large;
mod leftover;
mod levels;
mod missing;
mod part_names;
mod refused;
mod roots;
mod runs;
mod schedule;
mod stage;
mod step;
mod strands;
mod sweep;
mod tail;
mod text;
#[cfg(test)]
mod transformations;

use crate::{
    minimize::{Options, Rate},
    pass::{Context, Due, Proposal, Row},
    search::{Known, Part, Search, Verdict},
    strategy::{Candidate, Plan, Strategy},
    syntax::Document,
};
use classes::{Class, Classes};
use refused::Refused;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Schedule;
use stage::Stage;
use std::{ops::Range, sync::Arc};
use step::Step;

/// The pipeline as a search.
#[derive(Clone, Debug)]
pub(super) struct Auto {
    /// The document that the next stage starts from, and what the passes know of it.
    context: Context,
    best: Candidate,
    memory: Memory,
    /// What the passes of each name have seen.
    rates: Vec<(&'static str, Rate)>,
    /// What became of changes of each class.
    classes: Arc<Classes>,
    stage: Option<Stage>,
    schedule: Schedule,
    /// What is asked now.
    question: Option<Candidate>,
    /// The list minimiser that the user chose.
    minimizer: Option<Arc<Options>>,
    /// The names of the passes that are left out.
    without: Arc<[String]>,
}

/// What a run of the pipeline has found to fail.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// What failed, by signature, with the tokens that the document had then: not asked about again before the late steps have
    /// nothing left.
    failures: Arc<FxHashMap<u64, u32>>,
    /// What was found to be needed though names do not tell, by its keys.
    needed: Arc<FxHashSet<u64>>,
}

impl Auto {
    /// The pipeline over a document that is known to be interesting. Of the plan it takes whether one round is enough, which
    /// leaves out the sweep too, and whether names are to be shortened, which comes before the sweep.
    ///
    /// What failed in an earlier run over a larger text is not asked about before the late steps have nothing left.
    pub(super) fn new(document: Document, plan: &Plan, memory: Memory) -> Self {
        Self::with_schedule(document, Schedule::new(plan), plan, memory)
    }

    /// The same over its own result, where nothing is given up before it has been asked about.
    pub(super) fn thorough(document: Document, plan: &Plan) -> Self {
        Self::with_schedule(document, Schedule::thorough(plan), plan, Memory::default())
    }

    /// What it has found to fail.
    pub(super) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// Nothing but shorter names for a document that is known to be interesting.
    pub(super) fn renaming(document: Document) -> Self {
        let plan = Plan::new(Strategy::Auto);
        Self::with_schedule(document, Schedule::renaming(), &plan, Memory::default())
    }

    fn with_schedule(document: Document, schedule: Schedule, plan: &Plan, memory: Memory) -> Self {
        let document = if is_foreign(&document) {
            document.without_grammar()
        } else {
            document
        };
        let best = Candidate::of_edit("original", document.clone(), Arc::default());
        let mut auto = Self {
            context: Context::new(document),
            best,
            memory,
            rates: Vec::new(),
            classes: Arc::default(),
            stage: None,
            schedule,
            question: None,
            minimizer: plan
                .minimizer
                .is_some()
                .then(|| plan.minimizer_options().into()),
            without: plan.without.clone().into(),
        };
        auto.advance();
        auto
    }

    /// Goes on to the next question, through as many stages as it takes.
    fn advance(&mut self) {
        while self.question.is_none() {
            match &mut self.stage {
                Some(stage) => {
                    self.question = stage.question();
                    if self.question.is_none() {
                        self.end_stage();
                    }
                }
                None => match self.next_step() {
                    Some(step) if self.is_left_out(step) => {}
                    Some(step) => self.start_stage(step),
                    None => return,
                },
            }
        }
    }

    fn next_step(&mut self) -> Option<Step> {
        let document = self.context.document();
        let has_grammar = document.grammar().is_some();
        self.schedule.next(document.node(0).tokens, has_grammar)
    }

    fn is_left_out(&self, step: Step) -> bool {
        self.without.iter().any(|name| name == step.pass.name)
    }

    fn start_stage(&mut self, step: Step) {
        self.leave_grammar(step);
        let context = self.context.with_grain(step.grain);
        let mut context = context.with_needed(Arc::clone(&self.memory.needed));
        let mut damaged = None;
        if step.pass.reads_plain {
            let document = context.document();
            if !is_stray(document, SOME) {
                return;
            }
            damaged = Some(document.damaged_places());
            context = Context::new(document.without_grammar()).with_grain(step.grain);
        }
        let document = context.document();
        // What was refused alone reaches the rest as before, and lies in the same blocks.
        let is_of_all = matches!(
            step.pass.row,
            Some(Row::Unreached | Row::Tail | Row::Ends | Row::Lines)
        );
        let asks_again = step.is_certificate() || is_of_all;
        let changes_something =
            |proposal: &Proposal| !proposal.drops.is_empty() || !proposal.edit.is_empty();
        let size = self.context.document().node(0).tokens;
        let is_new = |proposal: &Proposal| match self.memory.failures.get(&proposal.signature) {
            // What stood against it may be gone.
            Some(&before) => asks_again || step.is_second_try && has_shrunk(before, size),
            None => true,
        };
        let is_meant = |proposal: &Proposal| {
            let touches = |places: &Vec<_>| touches(document, proposal, places);
            damaged.as_ref().is_none_or(touches)
        };
        let mut proposals = step.pass.proposals(&context);
        proposals.retain(|proposal| {
            changes_something(proposal)
                && is_new(proposal)
                && is_meant(proposal)
                && step.is_large_enough(proposal.weight)
        });
        if step.pass.heaviest_first && !asks_again {
            let rate = self.seen(step.pass.name).unwrap_or(UNSEEN);
            let chance = |proposal: &Proposal| {
                let class = Class::of(document, step.pass.name, proposal);
                let chance = class.map_or(1.0, |class| self.classes.chance(class, rate));
                let least = if proposal.is_repeated { REPEATED } else { 0.0 };
                chance.max(least)
            };
            Refused::of(&context, &self.memory.failures).order(&mut proposals, chance);
        }
        if step.is_certificate() {
            let place = step.grain.from as usize;
            sweep::order(&mut proposals, document, place, &self.memory.failures);
        }
        let chance = step
            .pass
            .prior
            .chance(self.seen(step.pass.name), proposals.len());
        let (tokens, has_grammar) = (document.node(0).tokens, document.grammar().is_some());
        let patience = self.schedule.patience(step, tokens, has_grammar);
        let stage = Stage::new(
            step,
            context,
            proposals,
            Rate::new(chance),
            patience,
            self.minimizer.as_deref(),
        )
        .with_classes(Arc::clone(&self.classes), self.schedule.is_thorough());
        self.stage = Some(stage);
    }

    /// Reads the document without its grammar from the rounds on, if that tells more about a text of its size.
    fn leave_grammar(&mut self, step: Step) {
        let document = self.context.document();
        let is_of_rounds = matches!(
            step.pass.due,
            Due::Round
                | Due::Late(_)
                | Due::Rename
                | Due::Bytes
                | Due::Layout
                | Due::AnyTokens
                | Due::SoundSweep
                | Due::Sweep
        );
        if is_of_rounds && document.grammar().is_some() && is_mere_text(document) {
            self.context = Context::new(document.without_grammar());
        }
    }

    /// The share of successes of the passes of this name.
    fn seen(&self, name: &str) -> Option<f64> {
        let rate = self.rates.iter().find(|(known, _)| *known == name);
        rate.map(|(_, rate)| rate.overall())
    }

    fn end_stage(&mut self) {
        let Some(stage) = self.stage.take() else {
            return;
        };
        let document = self.context.document();
        let size = document.node(0).tokens;
        let failures = stage.failures().map(|failed| (failed, size));
        Arc::make_mut(&mut self.memory.failures).extend(failures);
        let needed = stage.needed();
        if !needed.is_empty() {
            Arc::make_mut(&mut self.memory.needed).extend(needed);
        }
        self.classes = stage.classes();
        if stage.was_short() {
            self.schedule.note_hurry();
        }
        if stage.has_taken_enough() {
            self.schedule.note_enough();
        }
        if let Some(rate) = stage.rate() {
            let name = stage.name();
            self.rates.retain(|(known, _)| *known != name);
            self.rates.push((name, rate));
        }
        if let Some((document, place)) = stage.changed_document() {
            self.schedule.note_change(stage.step(), place);
            self.context = Context::new(if stage.step().pass.reads_plain {
                let language = self.context.document().language().cloned();
                Document::new(Arc::clone(document.bytes()), language)
            } else {
                document
            });
        }
    }
}

/// One token in so many without a place in the grammar's tree, and the tree is no help: a dialect, or another language.
const MUCH: u32 = 4;
/// One in so many, and the damaged places are worth a look of their own.
const SOME: u32 = 10;

/// The least chance of what takes out what stands there twice.
const REPEATED: f64 = 0.7;
/// The chance of a change of a pass that has not been at work yet.
const UNSEEN: f64 = 0.3;

/// What was refused is worth another question when this part of what is left has gone since.
const AGAIN: u32 = 16;
/// Fewer than this go one by one.
const A_FEW: u32 = 8;

/// Whether the tree of a document is no help, so that it is read without its grammar.
fn is_foreign(document: &Document) -> bool {
    is_stray(document, MUCH) || is_mere_text(document)
}

/// Whether a document of `before` tokens has become so much smaller that what was refused in it may go now.
const fn has_shrunk(before: u32, tokens: u32) -> bool {
    tokens + tokens / AGAIN < before
}

/// Whether a document is so small that lines, words and marks tell more about it than its grammar does.
pub(super) fn is_mere_text(document: &Document) -> bool {
    let facts = document.language().map(|language| language.facts());
    facts.is_some_and(|facts| document.node(0).tokens < facts.text_below)
}

/// Whether at least one token in so many has no place in the tree.
fn is_stray(document: &Document, one_in: u32) -> bool {
    if !document.is_damaged() {
        return false;
    }
    let stray = document.stray_tokens();
    stray >= A_FEW && stray.saturating_mul(one_in) >= document.node(0).tokens
}

/// Whether a proposal changes one of these places, which are in order.
fn touches(document: &Document, proposal: &Proposal, places: &[Range<usize>]) -> bool {
    let overlaps = |range: Range<usize>| {
        let first = places.partition_point(|place| place.end <= range.start);
        places
            .get(first)
            .is_some_and(|place| place.start < range.end)
    };
    let mut splices = proposal.edit.splices().iter();
    let mut taken = proposal.takes.iter();
    splices.any(|splice| overlaps(splice.range()))
        || taken.any(|nodes| overlaps(document.node(nodes.start).range()))
}

impl Search for Auto {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.question.clone()
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.question.take().is_none() {
            return;
        }
        if let Some(stage) = &mut self.stage
            && stage.tell(verdict.is_interesting())
        {
            self.best = stage.best();
        }
        self.advance();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }

    fn chance(&self) -> Option<f64> {
        self.stage.as_ref()?.chance(&|_| None)
    }

    fn chance_by(&self, known: &Known<'_>) -> Option<f64> {
        self.stage.as_ref()?.chance(known)
    }

    fn parts(&self) -> Vec<Part> {
        self.stage.as_ref().map(Stage::parts).unwrap_or_default()
    }

    fn alone(&self, part: u64) -> Option<Candidate> {
        self.stage.as_ref()?.alone(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{compose, list::due_at},
        search::Render,
        syntax::{Language, count_tokens},
    };
    use proptest::prelude::*;

    const C: &str = "#include <x.h>\ntypedef long t;\nstruct s { t a, b; } g;\nint f(t x, int y) { if (x) { return y + 1; } return f(y, 2); }\n\
        int main(void) { int i; for (i = 0; i < 3; i++) { g.a += f(i, g.b); } printf(\"%d\", (int)g.a); return 0; }\n";
    const JAVASCRIPT: &str = "// c\nclass A extends B { m(x) { return x ? [1, 2, x] : { a: 1, ...x }; } }\n\
        const a = new A(), h = (u, v) => u(v);\nfunction* g() { try { yield a.m(3) } catch { } }\nh(g, `t${a}`);\n";

    /// Runs to the end; the result and how many questions it took.
    fn reduce(
        text: &str,
        language: &str,
        mut oracle: impl FnMut(&[u8]) -> bool,
    ) -> (Vec<u8>, usize) {
        let mut auto = Auto::new(
            Document::new(text.as_bytes(), Language::named(language)),
            &Plan::new(super::Strategy::Auto),
            Memory::default(),
        );
        let mut questions = 0;
        while let Some(candidate) = auto.ask() {
            auto.tell(Verdict::of(oracle(&candidate.to_bytes())));
            questions += 1;
        }
        (auto.best().to_bytes(), questions)
    }

    #[test]
    fn what_was_refused_is_asked_about_again_when_a_part_has_gone() {
        assert!(has_shrunk(2, 1) && has_shrunk(AGAIN, AGAIN - 1));
        assert!(!has_shrunk(AGAIN + 1, AGAIN) && has_shrunk(AGAIN + 2, AGAIN));
        assert!(!has_shrunk(1000, 950) && has_shrunk(1000, 940));
    }

    #[test]
    fn a_thorough_run_asks_about_what_a_quick_one_gives_up() {
        let plan = Plan::new(super::Strategy::Auto);
        let document = || Document::new(JAVASCRIPT.as_bytes(), Language::named("javascript"));
        let questions = |mut auto: Auto| {
            let mut questions = 0;
            while auto.ask().is_some() {
                auto.tell(Verdict::Uninteresting);
                questions += 1;
            }
            questions
        };
        let quick = questions(Auto::new(document(), &plan, Memory::default()));
        let thorough = questions(Auto::thorough(document(), &plan));
        assert!(thorough > quick, "{thorough} and {quick}");
    }

    fn contains(bytes: &[u8], word: &str) -> bool {
        bytes
            .windows(word.len())
            .any(|window| window == word.as_bytes())
    }

    #[track_caller]
    fn check(language: &str, text: &str, needed: &[&str], expected_tokens: usize) {
        let (best, questions) = reduce(text, language, |bytes| {
            needed.iter().all(|word| contains(bytes, word))
        });
        let best_text = String::from_utf8_lossy(&best);
        assert!(count_tokens(&best) <= expected_tokens, "{best_text}");
        assert!(questions < 200, "{questions} questions");
    }

    #[test]
    fn what_is_needed_is_all_that_stays() {
        check("c", C, &["printf"], 1);
        check("c", C, &["g.a", "f("], 5);
        check("javascript", JAVASCRIPT, &["yield"], 1);
        check("javascript", JAVASCRIPT, &["...x", "catch"], 4);
    }

    #[test]
    fn a_question_about_one_change_is_what_that_part_is_alone() {
        let document = Document::new(C.as_bytes(), Language::named("c"));
        let mut auto = Auto::new(
            document,
            &Plan::new(super::Strategy::Auto),
            Memory::default(),
        );
        let mut found = 0;
        while let Some(candidate) = auto.ask() {
            let bytes = candidate.to_bytes();
            let is_open = |name| auto.parts().iter().any(|part| part.name == name);
            if let Some(name) = candidate.part().filter(|&name| is_open(name)) {
                let alone = auto.alone(name);
                assert!(alone.is_some_and(|alone| alone.to_bytes() == bytes));
                found += 1;
            }
            auto.tell(Verdict::of(contains(&bytes, "g.a")));
        }
        assert!(found > 20, "{found}");
    }

    #[test]
    fn another_language_is_read_without_the_grammar() {
        let text = "create table t (a, b, c);\ninsert into t values (1, 2, 3), (4, 5, 6);\n\
            select a, sum(b) from t where c between 1 and 9 group by a order by 2 desc;\n";
        check("python", text, &["select a", "group by"], 4);
    }

    #[test]
    fn an_oracle_that_takes_anything_leaves_nothing() {
        for (language, text) in [
            ("c", C),
            ("javascript", JAVASCRIPT),
            ("xml", "<a b='c'>d</a>"),
            ("python", "if a:\n  b\n"),
        ] {
            assert_eq!(
                count_tokens(&reduce(text, language, |_| true).0),
                0,
                "{language}"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn no_single_change_of_the_sweep_goes_from_the_result(seed in any::<u64>(), c in any::<bool>()) {
            let (language, text) = if c { ("c", C) } else { ("javascript", JAVASCRIPT) };
            let wanted: Vec<&str> = text
                .split(|letter: char| !letter.is_alphanumeric())
                .filter(|word| word.len() > 1)
                .enumerate()
                .filter(|(index, _)| (seed >> (index % 64)).trailing_zeros() >= 3)
                .map(|(_, word)| word)
                .collect();
            let oracle = |bytes: &[u8]| wanted.iter().all(|word| contains(bytes, word));
            let (best, _) = reduce(text, language, oracle);
            let document = Document::new(best.clone(), Language::named(language));
            let sweep = due_at(Due::Sweep).next().unwrap();
            for proposal in sweep.proposals(&Context::new(document.clone())) {
                let Some(edit) = compose(&document, [&proposal]) else { continue };
                let smaller = document.edited(&edit).bytes().to_vec();
                let saves = (count_tokens(&smaller), smaller.len()) < (count_tokens(&best), best.len());
                prop_assert!(!saves || !oracle(&smaller), "{}", String::from_utf8_lossy(&smaller));
            }
        }
    }
}
