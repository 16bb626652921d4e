//! Detaching: what flows into a name becomes the plainest value there is, and what is done with the name's members goes at once.
//!
//! A parameter or a variable that holds an object ties what makes the object to what is done with it: the value cannot change as long
//! as a member of it is named, and the member cannot go as long as the value is no other. Both in one edit cut the flow, and what
//! the value needed is free then.

use super::{
    Context, arguments,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint},
    retarget,
};
use crate::syntax::{Document, Edit, NodeId, Role, Splice};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// How often it is looked for what goes with what has gone.
const MOST_LAYERS: usize = 8;
/// Larger documents have shorter ways to become smaller.
const LARGEST: u32 = 20_000;

/// For every parameter and variable, and every value that the language has for such: that value in the place of all that is given to
/// it, and the name alone in the place of each of its members.
pub fn detached(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let fillers = match document.language() {
        Some(language) if document.node(0).tokens < LARGEST => &language.facts().plainest,
        _ => return Vec::new(),
    };
    let names = context.names();
    let mut proposals = Vec::new();
    if fillers.is_empty() {
        return proposals;
    }
    for declaration in &names.declarations {
        let sources = sources(document, names, declaration);
        if sources.is_empty() {
            continue;
        }
        let uses = members(document, names, declaration, &sources);
        for filler in fillers {
            proposals.extend(cut(
                context,
                declaration,
                &sources,
                &uses,
                filler.as_bytes(),
            ));
        }
    }
    proposals
}

/// What is given to a parameter by all calls, or to a variable by its declaration.
fn sources(document: &Document, names: &Names, declaration: &Declaration) -> Vec<NodeId> {
    if declaration.imports {
        return Vec::new();
    }
    let list = document.node(declaration.declarer).parent;
    let lists = [declaration.declarer, list];
    if let Some(&list) = lists
        .iter()
        .find(|&&list| document.has_role(list, Role::Parameters))
    {
        return given(document, names, declaration, list);
    }
    let value = retarget::given_value(document, declaration);
    // What a loop goes through is not what the variable is.
    let is_loop = document.kind_name(declaration.declarer).contains("for");
    value.filter(|_| !is_loop).into_iter().collect()
}

/// What all calls of the function give for its parameter; nothing if one is not understood.
fn given(document: &Document, names: &Names, parameter: &Declaration, list: NodeId) -> Vec<NodeId> {
    let own = document.node(list).parent;
    let mut function = names.declared_in(&(own..list)).iter();
    let Some(function) = function.rfind(|it| it.declarer == own) else {
        return Vec::new();
    };
    let calls = names.uses_of(function).iter();
    let given = calls.filter_map(|&leaf| arguments::given_for(document, leaf, list));
    let pair = given.filter_map(|pairs| {
        let is_meant = |&&(own, _): &&(NodeId, NodeId)| {
            (own..document.node(own).end_id).contains(&parameter.leaf)
        };
        pairs.iter().find(is_meant).map(|&(_, argument)| argument)
    });
    pair.collect()
}

/// The uses of a name together with the members, elements and calls that are taken of it: outermost ones only, in document order.
fn members(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    sources: &[NodeId],
) -> Vec<(NodeId, Range<usize>)> {
    let is_given = |leaf: NodeId| {
        let mut sources = sources.iter();
        sources.any(|&source| (source..document.node(source).end_id).contains(&leaf))
    };
    let mut found: Vec<(NodeId, Range<usize>)> = Vec::new();
    for &leaf in names.uses_in_scope(declaration) {
        let range = document.node(chain(document, leaf)).range();
        let is_inside = found.last().is_some_and(|(_, last)| range.start < last.end);
        if !is_given(leaf) && !is_inside {
            found.push((leaf, range));
        }
    }
    found
}

/// The outermost node that is a member, an element or the result of what stands first in it.
fn chain(document: &Document, leaf: NodeId) -> NodeId {
    let mut at = leaf;
    loop {
        let above = document.node(at).parent;
        let row = document.row(above);
        let goes_on = match row[..] {
            [first, second, ..] if first == at => {
                document.has_role(second, Role::Arguments)
                    || [&b"."[..], b"?.", b"->", b"["].contains(&document.text(second))
            }
            _ => false,
        };
        if !goes_on || above == 0 {
            return at;
        }
        at = above;
    }
}

/// The value in the place of the sources, and the name in the place of its members.
fn cut(
    context: &Context,
    declaration: &Declaration,
    sources: &[NodeId],
    uses: &[(NodeId, Range<usize>)],
    filler: &[u8],
) -> Option<Proposal> {
    let document = context.document();
    let name = &context.names().texts[declaration.name as usize];
    let of_source = |&source: &NodeId| (document.node(source).range(), filler);
    let of_use = |(_, range): &(NodeId, Range<usize>)| (range.clone(), &**name);
    let all = sources.iter().map(of_source).chain(uses.iter().map(of_use));
    let mut places: Vec<(Range<usize>, &[u8])> = all
        .filter(|(range, text)| document.bytes()[range.clone()] != **text)
        .collect();
    places.sort_by_key(|(range, _)| range.start);
    let is_stripped =
        |(_, range): &(NodeId, Range<usize>)| document.bytes()[range.clone()] != **name;
    if !uses.iter().any(is_stripped) {
        return None;
    }
    let overlap = |pair: &[(Range<usize>, &[u8])]| pair[0].0.end > pair[1].0.start;
    if places.windows(2).any(overlap) {
        return None;
    }
    let count = |text: &[u8]| document.lexis().count(text);
    let before: usize = places
        .iter()
        .map(|(range, _)| count(&document.bytes()[range.clone()]))
        .sum();
    let after: usize = places.iter().map(|(_, text)| count(text)).sum();
    let saved = before.checked_sub(after).filter(|&saved| saved > 0)?;
    // What else a function takes may have refused it.
    let list = document.node(declaration.declarer).parent;
    let head = if document.has_role(list, Role::Parameters) {
        document.text(list)
    } else {
        &[]
    };
    let leaves = leaves_of(document, &places, declaration);
    let splices = places
        .iter()
        .map(|(range, text)| Splice::replacement(range.clone(), text));
    let changed: Vec<u8> = places
        .iter()
        .flat_map(|(range, _)| &document.bytes()[range.clone()])
        .copied()
        .collect();
    Some(Proposal {
        edit: Edit::new(splices.collect()),
        weight: u32::try_from(saved).unwrap_or(u32::MAX) + freed(context, leaves),
        signature: fingerprint(&[b"detach", name, &changed, filler, head]),
        ..Proposal::default()
    })
}

/// The leaves that go: those of what is replaced, without the name itself.
fn leaves_of(
    document: &Document,
    places: &[(Range<usize>, &[u8])],
    declaration: &Declaration,
) -> FixedBitSet {
    let mut gone = FixedBitSet::with_capacity(document.nodes().len());
    let own = document.text(declaration.leaf);
    for (place, _) in places {
        let leaves = document
            .nodes_in(place.clone())
            .filter(|&node| document.is_leaf(node));
        let others = leaves.filter(|&leaf| document.text(leaf) != own);
        gone.extend(others.map(|leaf| leaf as usize));
    }
    gone
}

/// The tokens of all declarations that nothing uses any more once these leaves have gone.
pub(super) fn freed(context: &Context, mut gone: FixedBitSet) -> u32 {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut freed = 0;
    for _ in 0..MOST_LAYERS {
        let mut more = false;
        for declaration in &names.declarations {
            let uses = names.uses_of(declaration);
            let is_free = !uses.is_empty()
                && !gone.contains(declaration.leaf as usize)
                && uses.iter().all(|&leaf| gone.contains(leaf as usize));
            let Some(unit) = units
                .around(document, declaration.declarer)
                .filter(|_| is_free)
            else {
                continue;
            };
            let nodes = unit..document.node(unit).end_id;
            if nodes.contains(&declaration.leaf) && !gone.contains(unit as usize) {
                freed += document.node(unit).tokens;
                gone.insert_range(nodes.start as usize..nodes.end as usize);
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    freed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn what_is_given_and_what_is_taken_of_it_go_together() {
        for (language, text, wanted) in [
            (
                "python",
                "def f(a):\n  return [a.b for a in a.c]\nf(g(1).h)\n",
                "def f(a):\n  return [a for a in a]\nf(\"\")\n",
            ),
            (
                "python",
                "class A:\n  def f(self, a):\n    a.b(1)\nx.f(y.z)\n",
                "class A:\n  def f(self, a):\n    a\nx.f(\"\")\n",
            ),
            ("python", "a = b.c()\nd(a[1].e)\n", "a = \"\"\nd(a)\n"),
            (
                "javascript",
                "function f(a, b) { b.c(); } f(1, new D(2))",
                "function f(a, b) { b; } f(1, [])",
            ),
        ] {
            assert_offers(language, text, wanted, detached);
        }
    }
}
