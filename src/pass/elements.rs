//! Elements: what tags and their attributes allow in XML that its grammar does not know of.
//!
//! A prefix goes with its declaration, from all names at once: without it a name that bears it is an error. Two elements become
//! one that has the attributes of both: a sibling of the same name, or a parent and its child.

use super::{
    Context,
    bundle::UnitMap,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::collections::BTreeMap;

/// Elements of more tokens are left to simpler changes.
const LARGEST: u32 = 200;

/// All prefixes without and with a default in their place, and all mergers of elements that are near each other.
pub fn elements(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.unit_map());
    let is_xml = |id| document.kind_name(id) == "element" && document.node(id).is_named();
    let all: Vec<Element> = document
        .ids()
        .filter(|&id| is_xml(id))
        .filter_map(|id| Element::of(document, id))
        .collect();
    if all.is_empty() {
        return Vec::new();
    }
    let mut proposals = without_prefixes(document, units);
    for element in &all {
        proposals.extend(merger_with_parent(document, element, &all));
        proposals.extend(merger_with_sibling(document, units, element, &all));
    }
    proposals
}

/// An element and its parts.
struct Element {
    node: NodeId,
    name: NodeId,
    attributes: Vec<NodeId>,
    content: Option<NodeId>,
}

impl Element {
    fn of(document: &Document, node: NodeId) -> Option<Self> {
        let child = |of: NodeId, kinds: &[&str]| {
            document
                .children(of)
                .find(|&child| kinds.contains(&document.kind_name(child)))
        };
        let tag = child(node, &["STag", "EmptyElemTag"])?;
        let is_attribute = |&child: &NodeId| document.kind_name(child) == "Attribute";
        Some(Self {
            node,
            name: child(tag, &["Name"])?,
            attributes: document.children(tag).filter(is_attribute).collect(),
            content: child(node, &["content"]),
        })
    }

    /// The attributes whose names `other` does not have, each behind a blank.
    fn attributes_besides(&self, document: &Document, other: &Self) -> Vec<u8> {
        let name = |attribute: NodeId| {
            let first = document.children(attribute).next();
            first.map(|first| document.text(first))
        };
        let has = |attribute: NodeId| {
            let mut theirs = other.attributes.iter();
            theirs.any(|&their| name(their) == name(attribute))
        };
        let new = self.attributes.iter().filter(|&&attribute| !has(attribute));
        new.flat_map(|&attribute| [b" ", document.text(attribute)].concat())
            .collect()
    }

    /// Where another attribute can stand.
    fn end_of_attributes(&self, document: &Document) -> usize {
        let last = self.attributes.last().unwrap_or(&self.name);
        document.node(*last).end as usize
    }
}

/// The parent gives its place to the child, which takes the parent's attributes.
fn merger_with_parent(document: &Document, child: &Element, all: &[Element]) -> Option<Proposal> {
    let content = document.node(child.node).parent;
    let parent = all.iter().find(|other| other.content == Some(content))?;
    let attributes = parent.attributes_besides(document, child);
    let (outer, inner) = (document.node(parent.node), document.node(child.node));
    if attributes.is_empty() || outer.tokens > LARGEST {
        return None;
    }
    let at = child.end_of_attributes(document);
    Some(Proposal {
        edit: Edit::new(vec![
            Splice::deletion(outer.start as usize..inner.start as usize),
            Splice::replacement(at..at, &attributes),
            Splice::deletion(inner.end as usize..outer.end as usize),
        ]),
        weight: (outer.tokens - inner.tokens).max(1),
        target: Some(parent.node),
        signature: fingerprint(&[
            b"element and parent",
            document.text(parent.node),
            &at.to_le_bytes(),
        ]),
        ..Proposal::default()
    })
}

/// An element goes, and the nearest one before it of the same name beside it takes its attributes and what it holds.
fn merger_with_sibling(
    document: &Document,
    units: &UnitMap,
    element: &Element,
    all: &[Element],
) -> Option<Proposal> {
    let parent = document.node(element.node).parent;
    let host = all.iter().rev().find(|other| {
        other.node < element.node
            && document.node(other.node).parent == parent
            && document.text(other.name) == document.text(element.name)
    })?;
    let attributes = element.attributes_besides(document, host);
    let (own, theirs) = (document.node(element.node), document.node(host.node));
    if (attributes.is_empty() && element.content.is_none()) || own.tokens > LARGEST {
        return None;
    }
    let at = host.end_of_attributes(document);
    let mut splices = vec![Splice::replacement(at..at, &attributes)];
    if let Some(content) = element.content {
        let end = host
            .content
            .map(|content| document.node(content).end as usize)?;
        splices.push(Splice::replacement(end..end, document.text(content)));
    }
    Some(Proposal {
        drops: vec![units.drop_of(element.node)?],
        edit: Edit::new(splices),
        weight: 3,
        takes: only(element.node..own.end_id),
        target: Some(element.node),
        signature: fingerprint(&[
            b"elements",
            document.text(element.node),
            &theirs.tokens.to_le_bytes(),
        ]),
        ..Proposal::default()
    })
}

/// Each prefix taken from all names: without its declaration, and with one for names without a prefix in its place.
fn without_prefixes(document: &Document, units: &UnitMap) -> Vec<Proposal> {
    let mut names: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let mut declarations: BTreeMap<&[u8], NodeId> = BTreeMap::new();
    for id in document.ids() {
        let text = document.text(id);
        if document.kind_name(id) != "Name" {
            continue;
        }
        if let Some(prefix) = text.strip_prefix(b"xmlns:") {
            declarations.entry(prefix).or_insert(id);
        } else if let Some(colon) = text.iter().position(|&byte| byte == b':') {
            names.entry(&text[..colon]).or_default().push(id);
        }
    }
    let mut proposals = Vec::new();
    for (prefix, leaves) in &names {
        let cut = |leaf: &NodeId| {
            let start = document.node(*leaf).start as usize;
            Splice::inside(start..start + prefix.len() + 1)
        };
        let bare: Vec<Splice> = leaves.iter().map(cut).collect();
        let proposal = |declaration: &[u8], drops, splices| Proposal {
            drops,
            edit: Edit::new(splices),
            weight: 2 * u32::try_from(leaves.len()).unwrap_or(u32::MAX),
            signature: fingerprint(&[b"prefix", prefix, declaration, &leaves.len().to_le_bytes()]),
            ..Proposal::default()
        };
        let Some(&declared) = declarations.get(prefix) else {
            proposals.push(proposal(b"", Vec::new(), bare));
            continue;
        };
        let drop = units.drop_of(document.node(declared).parent);
        proposals.extend(drop.map(|drop| proposal(b"", vec![drop], bare.clone())));
        let splices = bare.into_iter();
        let default = Splice::replacement(document.node(declared).range(), b"xmlns");
        proposals.push(proposal(
            b"xmlns",
            Vec::new(),
            splices.chain([default]).collect(),
        ));
    }
    proposals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[track_caller]
    fn check(text: &str, wanted: &str) {
        assert_offers("xml", text, wanted, elements);
    }

    #[test]
    fn a_prefix_goes_with_its_declaration() {
        let text = "<a xmlns:m='u' b='1'><m:c m:d='2'/></a>";
        check(text, "<a  b='1'><c d='2'/></a>");
        check(text, "<a xmlns='u' b='1'><c d='2'/></a>");
    }

    #[test]
    fn two_elements_become_one_with_the_attributes_of_both() {
        check("<a b='1'><c d='2'>e</c></a>", "<c d='2' b='1'>e</c>");
        check(
            "<r><a b='1' c='2'>x</a> <a b='3' d='4'>y</a></r>",
            "<r><a b='1' c='2' d='4'>x y</a> </r>",
        );
    }
}
