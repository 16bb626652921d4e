//! Which parts of an original are still in the result: a longest common subsequence of tokens and comments.

use std::ops::Range;

use crate::syntax::Lexis;

/// A part of the original, or text that is only in the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// In both.
    Kept(Range<usize>),
    /// In the original only.
    Gone(Range<usize>),
    /// In the result only; a range of the result.
    New(Range<usize>),
}

/// The comparison costs the product of the two numbers of tokens; above this there is none.
const MOST_CELLS: usize = 64 << 20;

/// The original with what became of each piece of it, in order, or `None` when the files are too large to compare.
///
/// Cost: time and one byte of memory for each pair of a token of the original and one of the result.
pub(super) fn compare(before: &[u8], after: &[u8], lexis: &Lexis) -> Option<Vec<Part>> {
    let (old, new) = (
        lexis.tokens_and_comments(before),
        lexis.tokens_and_comments(after),
    );
    if old.len().saturating_mul(new.len().max(1)) > MOST_CELLS {
        return None;
    }
    let equal = |i: usize, j: usize| before[old[i].clone()] == after[new[j].clone()];
    let skips = skip_old_table(old.len(), new.len(), equal);
    Some(walk(before, &old, &new, &skips, equal))
}

/// For each pair (i, j), whether leaving out the old token i is at least as good as leaving out the new token j.
fn skip_old_table(old: usize, new: usize, equal: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut skips = vec![true; old * new];
    let mut below = vec![0_u32; new + 1];
    for i in (0..old).rev() {
        let mut diagonal = 0;
        for j in (0..new).rev() {
            let (down, right) = (below[j], below[j + 1]);
            skips[i * new + j] = down >= right;
            below[j] = if equal(i, j) {
                diagonal + 1
            } else {
                down.max(right)
            };
            diagonal = down;
        }
    }
    skips
}

fn walk(
    before: &[u8],
    old: &[Range<usize>],
    new: &[Range<usize>],
    skips: &[bool],
    equal: impl Fn(usize, usize) -> bool,
) -> Vec<Part> {
    let mut parts = Parts {
        parts: Vec::new(),
        position: 0,
    };
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && equal(i, j) {
            parts.old(&old[i], true);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && skips[i * new.len() + j]) {
            parts.old(&old[i], false);
            i += 1;
        } else {
            parts.parts.push(Part::New(new[j].clone()));
            j += 1;
        }
    }
    parts.old(&(before.len()..before.len()), false);
    parts.parts
}

struct Parts {
    parts: Vec<Part>,
    position: usize,
}

impl Parts {
    /// A token of the original, with the blanks before it: they stay only between two tokens that stay.
    fn old(&mut self, token: &Range<usize>, kept: bool) {
        let blanks_kept = kept && matches!(self.parts.last(), Some(Part::Kept(_)));
        self.push(self.position..token.start, blanks_kept);
        self.push(token.clone(), kept);
        self.position = token.end;
    }

    fn push(&mut self, range: Range<usize>, kept: bool) {
        match self.parts.last_mut() {
            _ if range.is_empty() => {}
            Some(Part::Kept(last)) if kept && last.end == range.start => last.end = range.end,
            Some(Part::Gone(last)) if !kept && last.end == range.start => last.end = range.end,
            _ if kept => self.parts.push(Part::Kept(range)),
            _ => self.parts.push(Part::Gone(range)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    fn c() -> Lexis {
        let language = Language::named("c");
        Lexis::of(language.as_deref()).clone()
    }

    #[track_caller]
    fn check(before: &str, after: &str, expect: &str) {
        let parts = compare(before.as_bytes(), after.as_bytes(), &c()).unwrap();
        let show = |part: &Part| match part {
            Part::Kept(range) => before[range.clone()].to_owned(),
            Part::Gone(range) => format!("[-{}-]", &before[range.clone()]),
            Part::New(range) => format!("[+{}+]", &after[range.clone()]),
        };
        assert_eq!(parts.iter().map(show).collect::<String>(), expect);
    }

    #[test]
    fn what_is_in_both_is_kept() {
        check("int a; int b;", "int b;", "int[- a; int -]b;");
        check("f(a, b)", "f(b)", "f([-a, -]b)");
        check("a b", "", "[-a b-]");
        check("x = 12;", "x = 0;", "x =[- 12-][+0+];");
        check("a /* b */ c", "a c", "a[- /* b */ -]c");
        check("a // b\nc", "a // b\nc", "a // b\nc");
    }

    #[test]
    fn the_parts_of_the_original_are_the_whole_original() {
        for (before, after) in [
            ("  a b /* c */ d \n", "b d"),
            ("", "x"),
            ("x", "x"),
            ("\n\n", ""),
            ("(((", "(("),
        ] {
            let parts = compare(before.as_bytes(), after.as_bytes(), &c()).unwrap();
            let whole: String = parts
                .iter()
                .filter_map(|part| match part {
                    Part::Kept(range) | Part::Gone(range) => Some(&before[range.clone()]),
                    Part::New(_) => None,
                })
                .collect();
            assert_eq!(whole, before);
        }
    }
}
