//! The passes of the default pipeline, in the order in which they come at each of their times.
//!
//! A new pass is a file with a function from a [`Context`] to proposals, and an entry here.

use super::{
    Company, Due, Pass, Prior, absorb, arguments, bare, borrow, brackets, bytes, carry, combined,
    combined::by_weight, comments, compounds, disband, elements, everywhere, fields, flatten, fold,
    forward, free, hoist, inline, join, layout, least, lift, literals, macros, masks, orphans,
    recast, rename, results, retarget, texts, tokens, twins, unmark, wrap,
};

/// All of them.
pub const PASSES: &[Pass] = &[
    Pass::new(Due::First, "remove-comments", "Takes a comment out.", |context| comments::comments(context.document())).prior(Prior::AtFirst(0.98)).thorough(),
    Pass::new(Due::Bodies, "empty-bodies", "Puts the least that may stand for any body in the place of function bodies.", combined::bodies).prior(Prior::AllButOne).row(Company::None).thorough(),
    Pass::new(Due::Row, "remove-runs", "Takes out runs of neighbouring parts, with what loses a name by it.", combined::row).prior(Prior::AllButOne).row(Company::Dependents).thorough(),
    Pass::new(Due::AfterRow, "remove-unused", "Takes out what nothing uses, with all that only it used.", combined::fine_row).prior(Prior::AllButOne).row(Company::Garbage).thorough(),
    Pass::new(Due::Cut, "remove-units", "Takes out what the grammar lets go: list elements, statements, optional parts; large ones first.", combined::large_units).prior(Prior::AllButOne).thorough(),
    Pass::new(Due::Round, "remove-with-uses", "Takes out a declaration with the units around all its uses.", combined::bundles),
    Pass::new(Due::Round, "replace-identifier", "Puts another name, the declared value or the least text in the place of all uses of a name.", |context| {
            by_weight(retarget::retargets(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }),
    Pass::new(Due::Round, "inline", "Puts what a declaration declares in the place of its use.", |context| {
            by_weight(inline::inlinings(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }),
    Pass::new(Due::Round, "drop-parameter", "Takes a parameter out, with its argument in every call.", |context| by_weight(arguments::arguments(context.document(), context.names()))).prior(Prior::AtFirst(0.3)),
    Pass::new(Due::Round, "drop-return-value", "Takes out the type that a function returns, with the values that it returns.", |context| by_weight(results::results(context.document()))),
    Pass::new(Due::Round, "hoist", "Puts a part of a node in the node's place.", |context| by_weight(hoist::hoists(context.document()))).prior(Prior::AtFirst(0.3)),
    Pass::new(Due::Round, "remove-brackets", "Takes brackets out, with or without what they hold.", |context| by_weight(brackets::brackets(context.document()))).prior(Prior::AtFirst(0.3)),
    Pass::new(Due::Round, "remove-units", "The same, of any size.", |context| by_weight(combined::removals(context))).prior(Prior::AtFirst(0.3)),
    Pass::new(Due::Round, "remove-unparsed", "Takes out units and brackets of what the parser does not understand.", combined::plain_units).prior(Prior::AtFirst(0.3)).reading_plain(),
    Pass::new(Due::Round, "remove-everywhere", "Takes the same words out wherever they stand.", |context| by_weight(everywhere::everywhere(context.document()))).prior(Prior::AtFirst(0.1)),
    Pass::new(Due::Round, "minimal-replacement", "Puts the least that the grammar takes in a node's place.", |context| by_weight(least::replacements(context.document()))).prior(Prior::AtFirst(0.3)),
    Pass::new(Due::Round, "drop-dimension", "Makes a pointer, an array or a list into what it holds, with all its uses.", |context| by_weight(flatten::flattenings(context.document(), context.names()))),
    Pass::new(Due::Round, "move-declaration", "Moves a local declaration or a parameter out, or to another one.", |context| {
            by_weight(lift::lifts(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }),
    Pass::new(Due::Round, "shorten-literal", "Shortens strings, numbers and comments.", |context| by_weight(literals::literals(context.document()))).prior(Prior::AtFirst(0.1)),
    Pass::new(Due::Round, "reduce-text", "Takes apart what stands inside of strings, character data and macros.", |context| by_weight(texts::texts(context.document()))),
    Pass::new(Due::Round, "remove-tokens", "Takes a single token out.", |context| tokens::windows(context.document(), 1)).prior(Prior::AtFirst(0.1)),
    Pass::new(Due::Round, "remove-windows", "Takes neighbouring tokens out, whatever the tree.", combined::token_windows).prior(Prior::AtFirst(0.08)),
    Pass::new(Due::Late(0), "merge-declarations", "Puts a definition in the place of the declaration before it.", |context| {
            by_weight(forward::definitions(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }).thorough(),
    Pass::new(Due::Late(0), "method-to-function", "Makes a method a function, without what it was a part of.", |context| {
            by_weight(
                [
                    free::functions(context.document(), context.names()),
                    disband::functions(context.document()),
                ]
                .concat(),
            )
        }).thorough(),
    Pass::new(Due::Late(0), "hoist-with-declarations", "Hoists a part together with the declarations that it needs.", |context| {
            by_weight(carry::carries(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }),
    Pass::new(Due::Late(0), "hoist-without-jumps", "Hoists a part and replaces the jumps in it that would lead nowhere.", |context| by_weight(orphans::hoists(context.document()))),
    Pass::new(Due::Late(0), "other-replacement", "Puts other small texts that the grammar takes in a node's place.", |context| by_weight(least::alternatives(context.document()))).prior(Prior::AtFirst(0.1)).thorough(),
    Pass::new(Due::Late(1), "change-kind", "Makes a node one of a similar kind around what it holds, or a calculation its value.", |context| {
            by_weight(
                [
                    recast::recasts(context.document()),
                    fold::constants(context.document()),
                ]
                .concat(),
            )
        }).prior(Prior::AtFirst(0.1)).thorough(),
    Pass::new(Due::Late(1), "statement-to-expression", "Puts an expression of a statement in the statement's place.", |context| by_weight(bare::expressions(context.document()))),
    Pass::new(Due::Late(1), "change-brackets", "Puts an object in brackets of another sort, or in none.", |context| by_weight(wrap::wrappings(context.document()))),
    Pass::new(Due::Late(1), "drop-async", "Makes an asynchronous function or a generator an ordinary one.", |context| by_weight(unmark::functions(context.document()))),
    Pass::new(Due::Late(1), "drop-field", "Takes out a member of a structure with its values, or makes a structure of one member that member.", |context| by_weight(fields::fields(context.document(), context.unit_map()))),
    Pass::new(Due::Late(1), "expand-macro", "Puts a macro's text in the place of its calls.", |context| {
            by_weight(macros::expansions(
                context.document(),
                context.names(),
                context.unit_map(),
            ))
        }),
    Pass::new(Due::Late(1), "merge-elements", "Makes two neighbours, or a parent and its child, one.", |context| {
            by_weight(
                [
                    elements::elements(context.document(), context.unit_map()),
                    join::joints(context.document()),
                ]
                .concat(),
            )
        }),
    Pass::new(Due::Late(1), "shorten-name", "Keeps one word of a name of several words, wherever it stands.", |context| by_weight(compounds::compounds(context.document(), context.names()))),
    Pass::new(Due::Late(1), "move-into-use", "Moves an expression into its neighbour, in the place of a name that it is about.", |context| by_weight(absorb::absorptions(context.document()))),
    Pass::new(Due::Late(1), "remove-equal", "Takes out units with the same text together, or merges brackets.", |context| {
            by_weight(
                [
                    twins::twins(context.document(), context.units()),
                    brackets::mergers(context.document()),
                ]
                .concat(),
            )
        }),
    Pass::new(Due::Late(2), "copy-smaller", "Puts a smaller node of the same kind from elsewhere in a node's place.", |context| by_weight(borrow::copies(context.document()))).prior(Prior::AtFirst(0.08)),
    Pass::new(Due::Late(2), "remove-masks", "Takes out units of a small window in all combinations.", |context| by_weight(masks::masks(context.document(), context.units()))).prior(Prior::AtFirst(0.08)),
    Pass::new(Due::Rename, "rename", "Gives every name the shortest that is free (with --rename).", |context| rename::renamings(context.document(), context.names())).prior(Prior::Always(0.99)).thorough(),
    Pass::new(Due::Bytes, "remove-bytes", "Takes single bytes out of what no grammar explains.", |context| bytes::bytes(context.document())).prior(Prior::AtFirst(0.08)).thorough().breaking_syntax(),
    Pass::new(Due::Layout, "layout", "Takes out blank lines and blanks.", |context| layout::layout(context.document())).prior(Prior::AtFirst(0.98)),
    Pass::new(Due::AnyTokens, "remove-tokens", "The same, whatever the parser says.", |context| tokens::windows(context.document(), 1)).prior(Prior::Always(0.1)).breaking_syntax(),
    Pass::new(Due::Sweep, "certificate", "Tries all single changes once more, which proves the result 1-minimal.", combined::single_changes).prior(Prior::Always(0.03)).thorough().breaking_syntax(),
];

/// The passes that are due at this time.
pub fn due_at(due: Due) -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(move |pass| pass.due == due)
}

/// The names of all passes and what they do, each once, in the order in which they first come.
pub fn described() -> Vec<(&'static str, &'static str)> {
    let mut described: Vec<(&str, &str)> = Vec::new();
    for pass in PASSES {
        if described.iter().all(|(name, _)| *name != pass.name) {
            described.push((pass.name, pass.about));
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_with_hyphens_and_each_says_what_it_does() {
        for pass in PASSES {
            let is_word = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(!pass.name.is_empty() && pass.name.chars().all(is_word));
            let first = pass.about.chars().next().unwrap();
            assert!(
                first.is_uppercase() && pass.about.ends_with('.'),
                "{}",
                pass.name
            );
        }
    }

    #[test]
    fn every_time_has_a_pass() {
        use Due::*;
        for due in [
            First,
            Bodies,
            Row,
            AfterRow,
            Cut,
            Round,
            Late(0),
            Late(1),
            Late(2),
            Rename,
            Bytes,
            Layout,
            AnyTokens,
            Sweep,
        ] {
            assert!(due_at(due).next().is_some(), "{due:?}");
        }
    }
}
