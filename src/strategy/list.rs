//! A document as a list: of lines, tokens, characters or bytes.
//!
//! **Idea.** The text is cut into units without gaps; the list minimiser chooses which of them stay. To the fixed point ddmin on
//! lines is DDMIN\* (dissertation ch. 5), and lines followed by characters the two-pass variant of the same chapter.
//!
//! **Laws.** Those of [`crate::search`]; with a 1-minimal list minimiser no single unit of the last kind can go in the end.

use super::{Candidate, Plan};
use crate::lexis::melt;
use crate::minimize::{Algorithm, Minimizer, Options, Runs, Weights};
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Language, Lexis};
use std::{ops::Range, sync::Arc};

/// What the elements of the list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitKind {
    Lines,
    Tokens,
    Chars,
    Bytes,
    /// Of a text that is too large for anything else.
    Pieces,
}

/// The list minimiser on one kind of units, then on the next.
#[derive(Clone, Debug)]
pub(super) struct ListSearch {
    kind: UnitKind,
    later: &'static [UnitKind],
    options: Options,
    language: Option<Arc<Language>>,
    units: Arc<Units>,
    minimizer: Minimizer,
    best: Candidate,
}

/// The units of a text that stay.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    units: Arc<Units>,
    kept: Runs,
}

#[derive(Debug)]
struct Units {
    bytes: Arc<[u8]>,
    /// Where each unit begins, and the end of the last; `None` when each byte is a unit.
    bounds: Option<Vec<usize>>,
    /// Whether a space is put where two units would melt into one token.
    apart: bool,
}

impl ListSearch {
    /// The search on the first kind of units and, after it, on the others.
    pub(super) fn new(document: &Document, kinds: &'static [UnitKind], plan: &Plan) -> Self {
        let mut options = plan.minimizer_options();
        options.fixed_point = !plan.once;
        let (kind, later) = match kinds {
            [] => (UnitKind::Bytes, kinds),
            [kind, later @ ..] => (*kind, later),
        };
        let (bytes, language) = (document.bytes().clone(), document.language().cloned());
        Self::begin(bytes, kind, later, options, language)
    }

    /// The search on the pieces between these bounds, once.
    pub(super) fn of_pieces(document: &Document, bounds: Vec<usize>) -> Self {
        let units = Units {
            bytes: document.bytes().clone(),
            bounds: Some(bounds),
            apart: false,
        };
        let options = Options {
            sweep: false,
            ..Options::new(Algorithm::Halving)
        };
        let language = document.language().cloned();
        Self::over(units, UnitKind::Pieces, &[], options, language)
    }

    fn begin(
        bytes: Arc<[u8]>,
        kind: UnitKind,
        later: &'static [UnitKind],
        options: Options,
        language: Option<Arc<Language>>,
    ) -> Self {
        let units = Units::new(bytes, kind, Lexis::of(language.as_deref()));
        Self::over(units, kind, later, options, language)
    }

    fn over(
        units: Units,
        kind: UnitKind,
        later: &'static [UnitKind],
        options: Options,
        language: Option<Arc<Language>>,
    ) -> Self {
        let lexis = Lexis::of(language.as_deref());
        let units = Arc::new(units);
        let minimizer = Minimizer::new(&units.weights(kind, lexis), &options);
        let kept = minimizer.best().clone();
        let mut search = Self {
            kind,
            later,
            options,
            language,
            best: candidate(kind, &units, kept),
            units,
            minimizer,
        };
        search.advance();
        search
    }

    /// Whether the units of what is left are those that were left.
    pub(super) fn has_lasting_units(&self) -> bool {
        matches!(
            self.kind,
            UnitKind::Lines | UnitKind::Bytes | UnitKind::Pieces
        )
    }

    /// Goes on with the next kind of units when this one has no more questions.
    fn advance(&mut self) {
        if let (true, [kind, later @ ..]) = (self.minimizer.ask().is_none(), self.later) {
            let bytes = self.best.to_bytes().into();
            let (options, language) = (self.options.clone(), self.language.clone());
            *self = Self::begin(bytes, *kind, later, options, language);
        }
    }
}

impl Search for ListSearch {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        let cut = self.minimizer.ask()?;
        let kept = cut.kept_of(self.minimizer.best());
        Some(candidate(self.kind, &self.units, kept))
    }

    fn tell(&mut self, verdict: Verdict) {
        let before = self.minimizer.best().len();
        self.minimizer.tell(verdict);
        let kept = self.minimizer.best();
        if kept.len() < before {
            self.best = candidate(self.kind, &self.units, kept.clone());
        }
        self.advance();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }

    fn chance(&self) -> Option<f64> {
        self.minimizer.chance()
    }
}

impl Selection {
    /// Appends the text of the units that stay. Cost: one copy for each run of neighbours.
    pub(super) fn render(&self, out: &mut Vec<u8>) {
        for run in self.kept.ranges() {
            let piece = &self.units.bytes[self.units.byte_range(run)];
            if self.units.apart && melt(out, piece) {
                out.push(b' ');
            }
            out.extend_from_slice(piece);
        }
    }
}

impl Units {
    fn new(bytes: Arc<[u8]>, kind: UnitKind, lexis: &Lexis) -> Self {
        let bounds = match kind {
            UnitKind::Bytes | UnitKind::Pieces => None,
            UnitKind::Chars if bytes.is_ascii() => None,
            UnitKind::Chars => Some(bounds_of(chars(&bytes))),
            UnitKind::Lines => Some(bounds_of(lines(&bytes))),
            UnitKind::Tokens => Some(bounds_of(tokens(&bytes, lexis).into_iter())),
        };
        Self {
            bytes,
            bounds,
            apart: kind == UnitKind::Tokens,
        }
    }

    fn len(&self) -> usize {
        match &self.bounds {
            None => self.bytes.len(),
            Some(bounds) => bounds.len() - 1,
        }
    }

    fn byte_range(&self, units: Range<usize>) -> Range<usize> {
        match &self.bounds {
            None => units,
            Some(bounds) => bounds[units.start]..bounds[units.end],
        }
    }

    /// A line weighs its tokens, a piece its bytes, everything else 1.
    fn weights(&self, kind: UnitKind, lexis: &Lexis) -> Weights {
        let weigh = |unit| {
            let text = &self.bytes[self.byte_range(unit..unit + 1)];
            if kind == UnitKind::Pieces {
                text.len()
            } else {
                lexis.count(text).max(1)
            }
        };
        if ![UnitKind::Lines, UnitKind::Pieces].contains(&kind) {
            return Weights::Uniform(self.len());
        }
        let weights = (0..self.len()).map(|unit| u32::try_from(weigh(unit)).unwrap_or(u32::MAX));
        Weights::Each(weights.collect())
    }
}

/// The text of a document without each of its units.
pub(super) fn single_changes(
    document: &Document,
    kind: UnitKind,
) -> impl Iterator<Item = Candidate> + use<> {
    let lexis = Lexis::of(document.language().map(|language| &**language));
    let units = Arc::new(Units::new(document.bytes().clone(), kind, lexis));
    let all = Runs::from_range(0..units.len());
    (0..units.len()).map(move |unit| {
        let kept = all.subtract(&Runs::from_range(unit..unit + 1));
        candidate(kind, &units, kept)
    })
}

fn candidate(kind: UnitKind, units: &Arc<Units>, kept: Runs) -> Candidate {
    let pass = match kind {
        UnitKind::Lines => "lines",
        UnitKind::Tokens => "tokens",
        UnitKind::Chars => "chars",
        UnitKind::Bytes => "bytes",
        UnitKind::Pieces => "remove-pieces",
    };
    let units = units.clone();
    Candidate::of_selection(pass, Selection { units, kept })
}

/// The bounds of units of these lengths.
fn bounds_of(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut bounds = vec![0];
    let mut end = 0;
    for length in lengths {
        end += length;
        bounds.push(end);
    }
    bounds
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::len)
}

fn chars(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes.utf8_chunks().flat_map(|chunk| {
        let invalid = chunk.invalid().iter().map(|_| 1);
        chunk.valid().chars().map(char::len_utf8).chain(invalid)
    })
}

/// A token with the blanks behind it, or what else stands between two tokens: a comment, blanks at the start.
fn tokens(bytes: &[u8], lexis: &Lexis) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut position = 0;
    for token in lexis.tokens(bytes) {
        push_gap(&bytes[position..token.start], &mut lengths);
        lengths.push(token.len());
        position = token.end;
    }
    push_gap(&bytes[position..], &mut lengths);
    lengths
}

fn push_gap(gap: &[u8], lengths: &mut Vec<usize>) {
    match lengths.last_mut() {
        Some(token) if gap.trim_ascii_start().is_empty() => *token += gap.len(),
        _ if gap.is_empty() => {}
        _ => lengths.push(gap.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws;
    use super::*;
    use crate::strategy::Strategy;

    #[track_caller]
    fn check_units(kind: UnitKind, text: &[u8], expected: &[&[u8]]) {
        let language = Language::named("c");
        let units = Units::new(text.into(), kind, Lexis::of(language.as_deref()));
        let pieces: Vec<&[u8]> = (0..units.len())
            .map(|unit| &units.bytes[units.byte_range(unit..unit + 1)])
            .collect();
        assert_eq!(pieces, expected);
        assert_eq!(pieces.concat(), text);
    }

    #[test]
    fn units_cover_the_text_without_gaps() {
        check_units(UnitKind::Lines, b"a\nb", &[b"a\n", b"b"]);
        check_units(UnitKind::Lines, b"\n\n", &[b"\n", b"\n"]);
        check_units(UnitKind::Bytes, b"ab", &[b"a", b"b"]);
        check_units(UnitKind::Chars, "aé".as_bytes(), &[b"a", "é".as_bytes()]);
        check_units(UnitKind::Chars, b"\xffa\xc3", &[b"\xff", b"a", b"\xc3"]);
        check_units(UnitKind::Tokens, b" a  +b", &[b" ", b"a  ", b"+", b"b"]);
        check_units(
            UnitKind::Tokens,
            b"a /* x */ b",
            &[b"a", b" /* x */ ", b"b"],
        );
        for kind in [
            UnitKind::Lines,
            UnitKind::Chars,
            UnitKind::Tokens,
            UnitKind::Bytes,
        ] {
            check_units(kind, b"", &[]);
        }
    }

    #[test]
    fn tokens_stay_apart_when_what_was_between_them_goes() {
        let result = laws::reduce("int x;", None, &Plan::new(Strategy::Tokens), |bytes| {
            bytes.starts_with(b"int") && bytes.ends_with(b";")
        });
        assert_eq!(result, "int ;");
        let result = laws::reduce("a+b", None, &Plan::new(Strategy::Tokens), |bytes| {
            bytes.contains(&b'a') && bytes.contains(&b'b')
        });
        assert_eq!(result, "a b");
    }

    #[test]
    fn two_pass_goes_on_with_characters_where_lines_end() {
        let plan = Plan::new(Strategy::TwoPass);
        let result = laws::reduce("abc\ndef\n", None, &plan, |bytes| bytes.contains(&b'e'));
        assert_eq!(result, "e");
    }

    #[test]
    fn one_round_of_ddmin_on_lines_keeps_what_the_fixed_point_removes() {
        // `b` can only go once `c` has gone, which is asked later.
        let needed = |bytes: &[u8]| {
            let has = |byte| bytes.contains(&byte);
            has(b'a') && (has(b'b') || !has(b'c'))
        };
        let mut plan = Plan::new(Strategy::Lines);
        plan.minimizer = Some(Options {
            sweep: false,
            ..Options::new(crate::minimize::Algorithm::Opdd)
        });
        assert_eq!(laws::reduce("b\na\nc\n", None, &plan, needed), "a\n");
        plan.once = true;
        assert_eq!(laws::reduce("b\na\nc\n", None, &plan, needed), "b\na\n");
    }
}
