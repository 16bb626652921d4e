//! Folding: a calculation with nothing but numbers becomes its value, and texts that stand in a row become one.
//!
//! `4 * sizeof(int)` becomes `16` where neither of its operands would do, as in a size or in a checksum; `'a' + 'b'` becomes `'ab'`.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Lexis, NodeId, Splice};
use std::collections::BTreeMap;

/// Longer calculations are left to simpler changes.
const LONGEST: u32 = 24;
/// Operators of two operands, by how tightly they bind.
const OPERATORS: &[&[&[u8]]] = &[
    &[b"|"],
    &[b"^"],
    &[b"&"],
    &[b"<<", b">>"],
    &[b"+", b"-"],
    &[b"*", b"/", b"%"],
];
/// The outermost calculations as numbers.
pub fn constants(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    let Some(language) = document.language().filter(|_| document.grammar().is_some()) else {
        return proposals;
    };
    let values = &language.facts().values;
    let mut end = 0;
    for node in document.ids() {
        let (tokens, is_outermost) = (document.node(node).tokens, node >= end);
        if !is_outermost || document.is_leaf(node) || !(3..=LONGEST).contains(&tokens) {
            continue;
        }
        let value = value(document.text(node), values).map(|value| value.to_string());
        let folded = value.and_then(|value| folded(document, node, value.as_bytes()));
        if folded.is_some() {
            end = document.node(node).end_id;
        }
        proposals.extend(folded);
    }
    proposals
}

/// Two texts in the same quotes, side by side or with what joins them between them, as one.
pub fn texts(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let inner = document.ids().filter(|&id| !document.is_leaf(id));
    let rows = inner.map(|id| document.row(id));
    rows.flat_map(|row| joined_texts(document, &row)).collect()
}

/// What joins two texts, in one language or another.
const JOINING: &[&[u8]] = &[b"+", b".", b".."];

fn joined_texts(document: &Document, row: &[NodeId]) -> Vec<Proposal> {
    let quote = |node: NodeId| match document.text(node) {
        [first @ (b'"' | b'\''), .., last] if first == last => Some(*first),
        _ => None,
    };
    // In `a + 'b' + 'c'` the text before the second sign is the last part of what stands there.
    let last_part = |node: NodeId| {
        let parts = std::iter::successors(Some(node), |&node| document.row(node).last().copied());
        let mut parts = parts.take(3);
        parts.find(|&part| quote(part).is_some())
    };
    let joined = |left: NodeId, right: NodeId| {
        let left = last_part(left)?;
        let are_alike = document.node(left).kind == document.node(right).kind;
        let between = document.node(left).range().end - 1..document.node(right).range().start + 1;
        (are_alike && quote(left)? == quote(right)?).then(|| Proposal {
            edit: Edit::new(vec![Splice::inside(between)]),
            weight: document.node(right).tokens.max(1),
            takes: only(right..document.node(right).end_id),
            target: Some(left),
            signature: fingerprint(&[b"texts", document.text(left), document.text(right)]),
            ..Proposal::default()
        })
    };
    let beside = row.windows(2).filter_map(|pair| joined(pair[0], pair[1]));
    let signed = row
        .windows(3)
        .filter(|triple| JOINING.contains(&document.text(triple[1])));
    beside
        .chain(signed.filter_map(|triple| joined(triple[0], triple[2])))
        .collect()
}

fn folded(document: &Document, node: NodeId, value: &[u8]) -> Option<Proposal> {
    Proposal::replacement(document, b"fold", node, value).if_smaller()
}

/// What a text calculates; `None` if it is no calculation with whole numbers, or has no value.
fn value(text: &[u8], values: &BTreeMap<String, i64>) -> Option<i64> {
    let tokens = Lexis::NONE.tokens(text);
    let mut calculation = Calculation {
        rest: tokens.into_iter().map(|range| &text[range]).collect(),
        values,
    };
    calculation.rest.reverse();
    let value = calculation.operands(0)?;
    calculation.rest.is_empty().then_some(value)
}

/// What is left of a calculation: the next token last.
struct Calculation<'t> {
    rest: Vec<&'t [u8]>,
    /// What is known of the language.
    values: &'t BTreeMap<String, i64>,
}

impl Calculation<'_> {
    /// Operands of operators that bind at least this tightly. It goes no deeper than a calculation is long.
    fn operands(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.operand();
        };
        let mut left = self.operands(level + 1)?;
        while let Some(&operator) = self.rest.last().filter(|next| operators.contains(next)) {
            self.rest.pop();
            let right = self.operands(level + 1)?;
            left = applied(operator, left, right)?;
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<i64> {
        if let Some(value) = self.known() {
            return Some(value);
        }
        match self.rest.pop()? {
            b"-" => self.operand()?.checked_neg(),
            b"~" => self.operand().map(|value| !value),
            b"(" => {
                let value = self.operands(0)?;
                (self.rest.pop()? == b")").then_some(value)
            }
            number => number_of(number),
        }
    }

    /// One of the texts that the language says the value of.
    fn known(&mut self) -> Option<i64> {
        let is_next = |text: &str| {
            let tokens = Lexis::NONE.tokens(text.as_bytes());
            let tokens = tokens.into_iter().map(|range| &text.as_bytes()[range]);
            let mut rest = self.rest.iter().rev();
            let count = tokens.clone().count();
            tokens
                .eq(rest.by_ref().take(count).copied())
                .then_some(count)
        };
        let mut values = self.values.iter();
        let (count, value) = values.find_map(|(text, &value)| Some((is_next(text)?, value)))?;
        self.rest.truncate(self.rest.len() - count);
        Some(value)
    }
}

fn applied(operator: &[u8], left: i64, right: i64) -> Option<i64> {
    match operator {
        b"|" => Some(left | right),
        b"^" => Some(left ^ right),
        b"&" => Some(left & right),
        b"<<" => left.checked_shl(u32::try_from(right).ok()?),
        b">>" => left.checked_shr(u32::try_from(right).ok()?),
        b"+" => left.checked_add(right),
        b"-" => left.checked_sub(right),
        b"*" => left.checked_mul(right),
        b"/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

/// A whole number, decimal or hexadecimal, with or without a suffix.
fn number_of(token: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(token).ok()?;
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => None,
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};
    use proptest::prelude::*;

    #[test]
    fn a_calculation_becomes_its_value() {
        for (text, wanted) in [
            ("int a[4 * sizeof(int)];", "int a[16];"),
            ("int a = 2 + 3 * (7 - 0x10u) << 1;", "int a = -50;"),
            ("int a = b + 6 / 4;", "int a = b + 1;"),
        ] {
            assert_offers("c", text, wanted, constants);
        }
    }

    #[test]
    fn texts_in_a_row_become_one() {
        for (language, text, wanted) in [
            ("javascript", "f('a' + 'b')", "f('ab')"),
            ("javascript", "f(a + 'b' + 'c')", "f(a + 'bc')"),
            ("c", "char *a = \"b\" \"c\";", "char *a = \"bc\";"),
            ("lua", "a = 'b' .. 'c'", "a = 'bc'"),
        ] {
            assert_offers(language, text, wanted, texts);
        }
        for text in ["f('a' + \"b\")", "f('a', 'b')", "f('a' == 'b')"] {
            assert!(offered("javascript", text, texts).is_empty());
        }
    }

    #[test]
    fn what_has_no_value_stays() {
        for text in [
            "int a = 1 / 0;",
            "int a = 1 << 99;",
            "int a = b + 1;",
            "int a = -1;",
        ] {
            let found = offered("c", text, constants);
            assert!(found.is_empty(), "{found:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_value_or_none(text in "[0-9()*/%<+~ -]{0,24}") {
            let _ = value(text.as_bytes(), &BTreeMap::new());
        }
    }
}
