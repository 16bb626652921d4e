//! The rows that functions are made of: blocks, and the lines in them.

use super::{facts, functions, text::Line};
use crate::{
    pass::{
        Context,
        proposal::{Proposal, fingerprint, only},
    },
    syntax::{Document, Edit, NodeId, StaticSingle},
};

/// Takes out each block that has a label, but for the first of a function, in document order. What is reached only through it goes,
/// too: the edit is made whole. Its weight is that of its own tokens. Cost: linear.
pub fn blocks(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let Some(facts) = facts(document) else {
        return Vec::new();
    };
    let bodies: Vec<_> = bodies(document, facts).collect();
    let blocks = bodies.iter().flat_map(|body| blocks_of(document, body));
    blocks.map(|block| removal(document, block)).collect()
}

/// Takes out each instruction that does not end a block, in document order. Cost: linear.
pub fn instructions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let Some(facts) = facts(document) else {
        return Vec::new();
    };
    let ends_block = |node: NodeId| Line(document.text(node).to_vec()).ends_block(facts);
    let lines = bodies(document, facts).flatten();
    let lines = lines.filter(|&line| !is_label(document, line) && !ends_block(line));
    lines.map(|line| removal(document, &[line])).collect()
}

/// The labels and instructions of each function.
fn bodies(document: &Document, facts: &StaticSingle) -> impl Iterator<Item = Vec<NodeId>> {
    let bodies = functions(document, facts).filter_map(|node| document.children(node).last());
    bodies.map(|body| {
        let lines = document.children(body);
        lines
            .filter(|&line| document.node(line).is_named())
            .collect()
    })
}

fn is_label(document: &Document, line: NodeId) -> bool {
    document.text(line).ends_with(b":")
}

/// The blocks behind the first one of a body.
fn blocks_of<'b>(document: &Document, body: &'b [NodeId]) -> impl Iterator<Item = &'b [NodeId]> {
    let is_instruction = |line: &NodeId| !is_label(document, *line);
    let entry = body.iter().position(is_instruction).unwrap_or(body.len());
    let body = &body[entry..];
    let first = body.iter().position(|&line| is_label(document, line));
    let body = &body[first.unwrap_or(body.len())..];
    body.chunk_by(move |_, next| !is_label(document, *next))
}

fn removal(document: &Document, lines: &[NodeId]) -> Proposal {
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    let range = document.node(first).range().start..document.node(last).range().end;
    let tokens = lines.iter().map(|&node| document.node(node).tokens);
    let texts = lines.iter().map(|&node| document.fingerprint(node));
    let texts: Vec<u8> = texts.flat_map(u64::to_le_bytes).collect();
    Proposal {
        edit: Edit::deletion(range),
        weight: tokens.sum::<u32>().max(1),
        takes: only(first..document.node(last).end_id),
        signature: fingerprint(&[b"lines", &texts]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::testing::sample;

    #[test]
    fn the_first_block_of_a_function_is_no_part_of_a_row() {
        let text = "define void @f() {\nbr label %b\nb:\nret void\nc:\nunreachable\n}\ndefine void @g() {\na:\nfreeze i1 undef\nret void\n}\n";
        let sample = sample("llvm", text);
        let texts = |parts: Vec<crate::pass::Proposal>| -> Vec<String> {
            let text = |part: &crate::pass::Proposal| {
                let nodes = part.nodes();
                let document = sample.document();
                let start = document.node(nodes.start).range().start;
                let end = document.node(nodes.end - 1).range().end;
                String::from_utf8_lossy(&document.bytes()[start..end]).into_owned()
            };
            parts.iter().map(text).collect()
        };
        assert_eq!(
            texts(super::blocks(&sample)),
            ["b:\nret void", "c:\nunreachable"]
        );
        assert_eq!(texts(super::instructions(&sample)), ["freeze i1 undef"]);
    }
}
