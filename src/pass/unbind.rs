//! Unbinding: a method that does not use what it is called on becomes a function beside its class.
//!
//! Its calls no longer need an object then, and what made the object, or the rest of the class, is free.

use super::{
    Context, arguments, detach,
    names::{Declaration, Manner},
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use fixedbitset::FixedBitSet;

/// Every such method, as a function in front of its class.
pub fn unbound(context: &Context) -> Vec<Proposal> {
    let names = context.names();
    let mut methods = names.declarations.iter();
    let mut proposals = Vec::new();
    for method in methods.by_ref().filter(|it| it.manner == Manner::Member) {
        proposals.extend(unbound_method(context, method));
    }
    proposals
}

fn unbound_method(context: &Context, method: &Declaration) -> Option<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let facts = document.language()?.facts();
    let node = method.declarer;
    let own = node..document.node(node).end_id;
    let list = arguments::parameters_of(document, node)?;
    let parameters = arguments::places_of(document, list);
    let receiver = parameters.first().map(|&(_, it)| it);
    let receiver = receiver.filter(|&it| arguments::is_receiver(document, it));
    if receiver.is_none() && facts.bound_words.is_empty() {
        return None;
    }
    let taken = receiver
        .map(|it| it..document.node(it).end_id)
        .unwrap_or_default();
    let is_bound = |leaf: NodeId| {
        let text = document.text(leaf);
        let words = facts.receivers.iter().chain(&facts.bound_words);
        document.is_leaf(leaf) && words.into_iter().any(|word| word.as_bytes() == text)
    };
    let unit = units.around(document, node)?;
    let class = units.around(document, document.node(unit).parent)?;
    if own
        .clone()
        .any(|leaf| !taken.contains(&leaf) && is_bound(leaf))
        || unit != node
    {
        return None;
    }
    let name = &names.texts[method.name as usize];
    let mut splices = Vec::new();
    let mut gone = FixedBitSet::with_capacity(document.nodes().len());
    for &leaf in names.uses_of(method) {
        let callee = document.node(leaf).parent;
        if arguments::argument_list(document, leaf).is_none() || document.is_leaf(callee) {
            return None;
        }
        if document.children(callee).last() != Some(leaf) {
            return None;
        }
        gone.insert_range(callee as usize..leaf as usize);
        splices.push(Splice::replacement(document.node(callee).range(), &**name));
    }
    let mut text = facts.function_word.clone().into_bytes();
    text.extend(text_at_place_of(document, node, class, receiver));
    text.push(b'\n');
    text.extend(indentation(document, class));
    let start = document.node(class).start as usize;
    splices.push(Splice::replacement(start..start, &text));
    splices.sort_by_key(|splice| splice.start);
    let overlap = |pair: &[Splice]| pair[0].end > pair[1].start;
    if splices.windows(2).any(overlap)
        || splices
            .iter()
            .any(|it| own.contains(&node_at(document, it)))
    {
        return None;
    }
    let count = u32::try_from(splices.len()).unwrap_or(u32::MAX);
    Some(Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        weight: count + detach::freed(context, gone),
        takes: only(own),
        signature: fingerprint(&[b"unbind", document.text(node), &count.to_le_bytes()]),
        edit: Edit::new(splices),
        ..Proposal::default()
    })
}

/// The first node that begins behind the beginning of a splice.
fn node_at(document: &Document, splice: &Splice) -> NodeId {
    let nodes = document.nodes();
    let place = nodes.partition_point(|node| node.range().start < splice.start as usize);
    NodeId::try_from(place).unwrap_or(NodeId::MAX)
}

/// The text of a method without its receiver, in the column of its class.
fn text_at_place_of(
    document: &Document,
    method: NodeId,
    class: NodeId,
    receiver: Option<NodeId>,
) -> Vec<u8> {
    let range = document.node(method).range();
    let mut text = document.bytes()[range.clone()].to_vec();
    if let Some(receiver) = receiver {
        let own = document.node(receiver).range();
        let rest = &text[own.end - range.start..];
        let blanks = rest
            .iter()
            .take_while(|&&byte| matches!(byte, b' ' | b','))
            .count();
        text.drain(own.start - range.start..own.end - range.start + blanks);
    }
    let looks_at_columns = document.language().is_some_and(|it| it.facts().columns);
    if !looks_at_columns {
        return text;
    }
    let (inner, outer) = (
        indentation(document, method).len(),
        indentation(document, class).len(),
    );
    let lines = text
        .split(|&byte| byte == b'\n')
        .enumerate()
        .map(|(index, line)| {
            let blanks = line
                .iter()
                .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
                .count();
            let less = if index == 0 {
                0
            } else {
                inner.saturating_sub(outer).min(blanks)
            };
            &line[less..]
        });
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// The blanks before a node on its line.
fn indentation(document: &Document, node: NodeId) -> Vec<u8> {
    let before = &document.bytes()[..document.node(node).start as usize];
    let line = before
        .rsplit(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    line.iter().take_while(is_blank).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_method_that_does_not_use_its_object_is_a_function() {
        for (language, text, wanted) in [
            (
                "python",
                "class A:\n  def f(self, a):\n    return a\n  b = 1\nA().f(2)\n",
                "def f(a):\n  return a\nclass A:\n\n  b = 1\nf(2)\n",
            ),
            (
                "rust",
                "impl A { fn f(&self, a: u8) {} fn g(self) { self.f(1) } }",
                "fn f(a: u8) {}\nimpl A {  fn g(self) { f(1) } }",
            ),
            (
                "javascript",
                "class A { f(a) { return a } g() { return this.f(1) } }",
                "function f(a) { return a }\nclass A {  g() { return f(1) } }",
            ),
        ] {
            assert_offers(language, text, wanted, unbound);
        }
    }

    #[test]
    fn one_that_uses_it_stays() {
        let text = "class A:\n  def f(self):\n    return self.a\n  b = 1\nA().f()\n";
        assert_eq!(offered("python", text, unbound), [""; 0]);
    }
}
