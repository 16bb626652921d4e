//! Unbinding: a method that does not use what it is called on becomes a function beside its class.
//!
//! Its calls no longer need an object then, and what made the object, or the rest of the class, is free.

use super::{
    Context, arguments, columns, detach,
    elements::elements_of,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Joint, NodeId, Splice};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// Every such method that is called, as a function in front of its class.
pub fn unbound(context: &Context) -> Vec<Proposal> {
    let methods = context.names().declarations.iter();
    let proposals = methods.filter_map(|method| unbound_method(context, method));
    proposals.collect()
}

fn unbound_method(context: &Context, method: &Declaration) -> Option<Proposal> {
    let (document, units) = (context.document(), context.unit_map());
    let node = method.declarer;
    let own = node..document.node(node).end_id;
    let receiver = unused_receiver(document, method)?;
    let receiver = (!receiver.is_empty()).then_some(receiver.start);
    let unit = units.around(document, node).filter(|&unit| unit == node)?;
    let class = units.around(document, document.node(unit).parent)?;
    let callees = callees(document, context.names(), method)?;
    let name = &context.names().texts[method.name as usize];
    let mut gone = FixedBitSet::with_capacity(document.nodes().len());
    let mut splices = vec![function(document, node, class, receiver)?];
    for callee in callees {
        let range = document.node(callee);
        gone.insert_range(callee as usize..range.end_id as usize - 1);
        splices.push(Splice::replacement(range.range(), name));
    }
    splices.sort_by_key(|splice| splice.start);
    let overlap = |pair: &[Splice]| pair[0].end > pair[1].start;
    if splices.windows(2).any(overlap) {
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

/// The parameter for what a method is called on, empty if the language has none; `None` for what is no method or uses it.
fn unused_receiver(document: &Document, method: &Declaration) -> Option<Range<NodeId>> {
    let facts = document.language()?.facts();
    let node = method.declarer;
    let list = arguments::parameters_of(document, node)?;
    let first = elements_of(document, list).first().copied();
    let receiver = first.filter(|&it| arguments::is_receiver(document, it));
    // Where a word makes the function, what stands before the name of the method belongs to methods alone.
    let is_plain = !facts.bound_words.is_empty()
        && document.kind_name(node).contains("method")
        && document.node(node).start == document.node(method.leaf).start;
    if receiver.is_none() && !is_plain {
        return None;
    }
    let taken = receiver.map_or(0..0, |it| it..document.node(it).end_id);
    let is_bound = |leaf: NodeId| {
        document.is_leaf(leaf)
            && (arguments::is_receiver(document, leaf) || arguments::is_bound_word(document, leaf))
    };
    let mut own = node..document.node(node).end_id;
    let uses = own.any(|leaf| is_bound(leaf) && !taken.contains(&leaf));
    (!uses).then_some(taken)
}

/// What is called where the method is: nodes that end with its name. `None` if it is used in another way, in itself, or nowhere.
fn callees(document: &Document, names: &Names, method: &Declaration) -> Option<Vec<NodeId>> {
    let own = method.declarer..document.node(method.declarer).end_id;
    let callee = |&leaf: &NodeId| {
        arguments::argument_list(document, leaf)?;
        let callee = document.node(leaf).parent;
        let ends = document.children(callee).last() == Some(leaf);
        (ends && !own.contains(&leaf)).then_some(callee)
    };
    let callees: Option<Vec<NodeId>> = names.uses_of(method).iter().map(callee).collect();
    callees.filter(|callees| !callees.is_empty())
}

/// The function in front of the class.
fn function(
    document: &Document,
    method: NodeId,
    class: NodeId,
    receiver: Option<NodeId>,
) -> Option<Splice> {
    let facts = document.language()?.facts();
    let mut text = facts.function_word.clone().into_bytes();
    text.extend(text_at_place_of(document, method, class, receiver));
    text.push(b'\n');
    text.extend(indentation(document, class));
    let start = document.node(class).start as usize;
    Some(Splice::replacement(start..start, &text))
}

/// The text of a method without its receiver, in the column of its class.
fn text_at_place_of(
    document: &Document,
    method: NodeId,
    class: NodeId,
    receiver: Option<NodeId>,
) -> Vec<u8> {
    let range = document.node(method).range();
    let nodes = method..document.node(method).end_id;
    let mut splices = columns::moved(document, nodes, class);
    splices.push(Splice::deletion(0..range.start));
    if let Some(receiver) = receiver {
        let own = document.node(receiver).range();
        let rest = document.bytes()[own.end..range.end].iter();
        let blanks = rest
            .take_while(|&&byte| matches!(byte, b' ' | b','))
            .count();
        splices.push(Splice::deletion(own.start..own.end + blanks));
    }
    let mut text = Vec::new();
    Edit::new(splices).render(&document.bytes()[..range.end], Joint::Touch, &mut text);
    text
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
