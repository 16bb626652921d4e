//! Documents that edits make, told from the parser's tree of before: the parser reads again only what an edit touches.

use super::{
    Document, Edit, Joint, Language,
    document::Nodes,
    parse::{LARGE, parse_after, tree_after},
    points::Points,
};
use std::{ops::Range, sync::Arc};
use tree_sitter::{InputEdit, Tree};

impl Document {
    /// The document that an edit makes of this one. A small text is parsed anew when somebody asks for its tree. A large one is parsed
    /// now, from the tree of this one; where two readings are as good, or something is not understood, the parser may then read it
    /// otherwise than from nothing.
    #[must_use]
    pub fn edited(&self, edit: &Edit) -> Self {
        let (bytes, changes) = self.rendered(edit);
        let is_large = bytes.len() > LARGE;
        let nodes = is_large.then(|| self.nodes_after(&bytes, changes));
        self.with_bytes(bytes.into(), nodes.flatten())
    }

    /// The nodes of the text that some changes have made of this one; `None` where all of it must be parsed.
    fn nodes_after(&self, bytes: &[u8], changes: Vec<Change>) -> Option<Nodes> {
        let (language, before) = self.readable_again()?;
        parse_after(
            bytes,
            language,
            &changed(before, self.bytes(), bytes, changes)?,
        )
    }

    /// Whether the document that an edit makes seems to have no more than so many errors; where it is not clear without parsing all of
    /// it, the answer is no. What the parser makes of an error may differ from what it makes of the whole text. Cost: a copy of the
    /// text, and what the parser takes for the changed places.
    pub fn has_few_errors_after(&self, edit: &Edit, most: usize) -> bool {
        let Some((language, before)) = self.readable_again() else {
            return false;
        };
        let (bytes, changes) = self.rendered(edit);
        let tree = changed(before, self.bytes(), &bytes, changes);
        let after = tree.and_then(|tree| tree_after(&bytes, language, &tree));
        after.is_some_and(|tree| errors(&tree) <= most)
    }

    /// What an edit makes of the text, and where it changes that.
    fn rendered(&self, edit: &Edit) -> (Vec<u8>, Vec<Change>) {
        let mut bytes = Vec::with_capacity(self.bytes().len());
        let mut changes = Vec::new();
        let note = |old, new| changes.push((old, new));
        edit.render_noting(self.bytes(), Joint::KeepTokensApart, &mut bytes, note);
        (bytes, changes)
    }

    /// The language and the tree, if the parser was shown the text as it is and can go on from what it has made of that.
    fn readable_again(&self) -> Option<(&Arc<Language>, &Tree)> {
        let can_read = |language: &&Arc<Language>| {
            // Some scanners cannot hold all that an edit may leave open.
            let facts = language.facts();
            let holds_all = facts.most_columns.is_none() && facts.most_elements.is_none();
            holds_all && self.is_read_as_it_is()
        };
        self.language().filter(can_read).zip(self.parsed())
    }

    /// Whether the parser was shown the text itself, as a whole.
    fn is_read_as_it_is(&self) -> bool {
        self.segments().is_empty() && self.shown().is_all()
    }
}

/// Which bytes went, and which stand there now.
type Change = (Range<usize>, Range<usize>);

/// Whether all changes stand one behind the other. Blanks that go with one may have been those of another.
fn are_apart(changes: &[Change]) -> bool {
    changes.windows(2).all(|pair| {
        let ((old, new), (next_old, next_new)) = (&pair[0], &pair[1]);
        old.end <= next_old.start && new.end <= next_new.start
    })
}

/// The tree of a text in which the parser finds what some changes have made of it; `None` where they meet.
fn changed(before: &Tree, old_text: &[u8], new_text: &[u8], changes: Vec<Change>) -> Option<Tree> {
    if !are_apart(&changes) {
        return None;
    }
    let points = Points::of(old_text);
    let mut tree = before.clone();
    // From the last to the first, so that the places of the others are those of before.
    for (old, new) in changes.into_iter().rev() {
        let start = points.point(old.start);
        tree.edit(&InputEdit {
            start_byte: old.start,
            old_end_byte: old.end,
            new_end_byte: old.start + new.len(),
            start_position: start,
            old_end_position: points.point(old.end),
            new_end_position: Points::of(&new_text[new.clone()]).end_from(start, new.len()),
        });
    }
    Some(tree)
}

/// How many nodes are errors or missing. Cost: linear in what lies around them.
fn errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Splice;
    use proptest::prelude::*;

    const C: &str =
        "int a;\nint f(int b) { /* c\n d */ return b + 1; }\n\nstruct s { int t; } u;\n";

    fn document(language: &str, text: &str) -> Document {
        Document::new(text.as_bytes(), Language::named(language))
    }

    fn keeps_syntax(document: &Document, edit: &Edit) -> bool {
        document.has_few_errors_after(edit, document.error_count())
    }

    #[test]
    fn what_leaves_no_error_is_known() {
        let c = document("c", C);
        assert!(keeps_syntax(&c, &Edit::deletion(0..7)));
        let value = C.find("b + 1").unwrap();
        assert!(keeps_syntax(&c, &Edit::replacement(value..value + 5, b"3")));
        let brace = C.find('{').unwrap();
        assert!(!keeps_syntax(&c, &Edit::deletion(brace..brace + 1)));
        let python = document("python", "if a:\n  b()\n  c()\nd()\n");
        assert!(keeps_syntax(&python, &Edit::deletion(12..18)));
        assert!(!keeps_syntax(&python, &Edit::deletion(10..11)));
    }

    #[test]
    fn a_large_text_is_read_as_if_from_nothing() {
        let function = |number: usize| format!("int f{number}(int a) {{ return a + {number}; }}\n");
        let text: String = (0..5000).map(function).collect();
        assert!(text.len() > LARGE + 2000);
        let document = document("c", &text);
        let line = |number: usize| text.find(&function(number)).unwrap();
        let body = |number: usize| {
            let start = line(number) + text[line(number)..].find('{').unwrap() + 1;
            start..start + text[start..].find('}').unwrap()
        };
        let edits = [
            vec![Splice::deletion(line(0)..line(20))],
            vec![
                Splice::replacement(body(3), b" "),
                Splice::deletion(line(7)..line(8)),
            ],
            vec![
                Splice::deletion(line(30)..line(31) - 2),
                Splice::replacement(body(4900), b"/* b */"),
            ],
        ];
        for splices in edits {
            let after = document.edited(&Edit::new(splices));
            assert!(after.tree_is_known());
            let fresh = Document::new(Arc::clone(after.bytes()), after.language().cloned());
            assert!(!fresh.tree_is_known());
            assert_eq!(after.nodes(), fresh.nodes());
        }
        let small = document.edited(&Edit::deletion(line(2)..text.len()));
        assert!(!small.tree_is_known());
    }

    #[test]
    fn without_a_tree_nothing_is_known() {
        let text = document("c", C).without_grammar();
        assert!(!keeps_syntax(&text, &Edit::deletion(0..7)));
    }

    proptest! {
        #[test]
        fn what_is_known_is_so(
            cuts in prop::collection::vec((0usize..90, 0usize..20, 0usize..3), 1..6),
            is_c in any::<bool>(),
        ) {
            let (language, text) = if is_c { ("c", C) } else { ("javascript", "f(a => { b; });\nlet c = `d${e}`;\n// g\nh = /i/\n") };
            let document = document(language, text);
            let splices = cuts.iter().map(|&(start, length, with)| {
                let start = start.min(text.len());
                let end = (start + length).min(text.len());
                Splice::replacement(start..end, ["", "1", "\n"][with].as_bytes())
            });
            let edit = Edit::new(splices.collect());
            if keeps_syntax(&document, &edit) {
                let errors = document.edited(&edit).error_count();
                prop_assert!(errors <= document.error_count(), "{errors}");
            }
        }
    }
}
