//! Renaming: every name becomes the shortest that is free.
//!
//! All leaves with the text of a name change together, whatever their scopes, so that a program means what it meant. Capital
//! names stay capital, since some languages tell types from values by that; what stands before the letters (`#a`) stays too.
//! A new name is no word of the document, no token of the grammar, and nothing that the language knows by itself.

use super::{
    Context,
    free_names::{FreeNames, is_known},
    names::Names,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use rustc_hash::{FxHashMap, FxHashSet};

/// One proposal for each name that gets shorter: those that the document declares, then the others, each in document order.
///
/// The new names differ from each other and from all that stand in the document, so any of the proposals can be made alone.
pub fn renamings(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let declared: FxHashSet<&[u8]> = names
        .declarations
        .iter()
        .map(|declaration| &*names.texts[declaration.name as usize])
        .collect();
    let mut places = chosen_names(document, names);
    places
        .retain(|(text, leaves)| declared.contains(text) || is_always_a_name(document, leaves[0]));
    places.sort_by_key(|(text, leaves)| (!declared.contains(text), leaves[0]));
    let mut free = FreeNames::of(document);
    places
        .iter()
        .filter_map(|(text, leaves)| {
            let new = free.shorter_than(text)?;
            Some(renaming(document, leaves, text, &new))
        })
        .collect()
}

/// The names that the language does not know by itself, each with its leaves.
fn chosen_names<'d>(document: &'d Document, names: &Names) -> Vec<(&'d [u8], Vec<NodeId>)> {
    let leaves: Vec<NodeId> = if document.grammar().is_some() {
        let declared = names.declarations.iter().map(|name| name.leaf);
        declared
            .chain(names.uses.iter().flatten().copied())
            .collect()
    } else if document.bytes().contains(&0) {
        // Not a text.
        Vec::new()
    } else {
        document
            .leaves()
            .filter(|&leaf| starts_like_a_name(document.text(leaf)))
            .collect()
    };
    // What is declared elsewhere is known there by its name.
    let imports = names.declarations.iter().filter(|it| it.imports);
    let imported: FxHashSet<&[u8]> = imports
        .flat_map(|it| [&*names.texts[it.name as usize], document.text(it.leaf)])
        .collect();
    let mut places: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
    for leaf in leaves {
        let text = document.text(leaf);
        if !is_known(document, text) && !imported.contains(text) {
            places.entry(text).or_default().push(leaf);
        }
    }
    let mut places: Vec<(&[u8], Vec<NodeId>)> = places.into_iter().collect();
    for (_, leaves) in &mut places {
        leaves.sort_unstable();
    }
    places.sort_unstable();
    places
}

/// Whether a leaf that nothing declares can only be a name: not a built-in type.
fn is_always_a_name(document: &Document, leaf: NodeId) -> bool {
    document.language().is_none_or(|language| {
        let sometimes = &language.facts().sometimes_names;
        !sometimes
            .iter()
            .any(|kind| kind == document.kind_name(leaf))
    })
}

fn starts_like_a_name(text: &[u8]) -> bool {
    matches!(text, [first, ..] if first.is_ascii_alphabetic() || *first == b'_' || *first >= 0x80)
}

fn renaming(document: &Document, leaves: &[NodeId], old: &[u8], new: &[u8]) -> Proposal {
    let splices = leaves
        .iter()
        .map(|&leaf| Splice::replacement(document.node(leaf).range(), new));
    let saved = leaves.len() * (old.len() - new.len());
    Proposal {
        edit: Edit::new(splices.collect()),
        weight: u32::try_from(saved).unwrap_or(u32::MAX),
        signature: fingerprint(&[b"rename", old, &leaves.len().to_le_bytes()]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;
    use crate::{pass::compose, syntax::count_tokens};
    use proptest::prelude::*;

    fn renamed(language: &str, text: &str) -> String {
        let document = Document::new(text.as_bytes(), Language::named(language));
        let proposals = renamings(&Context::new(document.clone()));
        let edit = compose(&document, &proposals).unwrap();
        String::from_utf8(document.edited(&edit).bytes().to_vec()).unwrap()
    }

    #[test]
    fn every_chosen_name_becomes_the_shortest_that_is_free() {
        let cases = [
            (
                "c",
                "struct list { int next; }; int main(void) { struct list b; return b.next + printf(0); }",
                "struct a { int c; }; int main(void) { struct a b; return b.c + printf(0); }",
            ),
            (
                "javascript",
                "class Point { #x0 = 1 }\nlet { left, right: other } = console; new Point(left)",
                "class A { #b = 1 }\nlet { a, c: d } = console; new A(a)",
            ),
            (
                "rust",
                "struct Pair<Thing>(Thing); fn make() -> Pair<u8> { Pair(0) }",
                "struct A<B>(B); fn a() -> A<u8> { A(0) }",
            ),
            ("xml", "<list><item/></list>", "<a><b/></a>"),
            ("none", "update table1 set col = 'text'", "a b c d = 'text'"),
        ];
        for (language, text, expected) in cases {
            assert_eq!(renamed(language, text), expected);
        }
    }

    #[test]
    fn a_new_name_is_neither_a_keyword_nor_taken() {
        let lines: Vec<String> = (0..800)
            .map(|number| format!("int name{number};"))
            .collect();
        let text = lines.join("\n");
        let result = renamed("c", &text);
        let document = Document::new(result.as_bytes(), Language::named("c"));
        assert!(!document.is_damaged(), "{result}");
        let names = Names::of(&document);
        assert_eq!(names.texts.len(), 801, "with int");
        assert!(!names.texts.iter().any(|name| &**name == b"do"));
    }

    #[test]
    fn a_file_that_is_no_text_has_no_names() {
        let document = Document::new(&b"name\0name"[..], None);
        assert_eq!(renamings(&Context::new(document.clone())), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_choice_of_names_makes_two_names_one_or_adds_a_token(
            words in proptest::collection::vec("[a-c]{1,3}", 1..8), chosen in any::<u64>()
        ) {
            let lines: Vec<String> = words.iter().map(|word| format!("int {word} = {word};")).collect();
            let text = lines.join("\n");
            let document = Document::new(text.as_bytes(), Language::named("c"));
            let names = Names::of(&document);
            let proposals = renamings(&Context::new(document.clone()));
            let some = proposals.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
            let edit = compose(&document, some.map(|(_, proposal)| proposal)).unwrap();
            let after = document.edited(&edit);
            prop_assert_eq!(Names::of(&after).texts.len(), names.texts.len());
            prop_assert_eq!(count_tokens(after.bytes()), count_tokens(document.bytes()));
            prop_assert!(after.bytes().len() <= document.bytes().len());
        }
    }
}
