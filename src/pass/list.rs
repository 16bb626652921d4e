//! The passes of the default pipeline, in the order in which they come at each of their times.
//!
//! A new pass is a file with a function from a [`super::Context`] to proposals, and an entry here.

use super::{
    Company, Context, Due, Pass, Prior, Proposal, Row, absorb, arguments, bind, bodies, brackets,
    bytes, carry, combined, comments, detach, dominated, element_values, enumerated, everywhere,
    fold, forward, front, generics, graft, hoist, hoist_deep, hoist_further, inline, join, kinds,
    layout, least, lift, lines, literals, masks, mentions, orphans, pairs, parallel, passed_on,
    recast, rename, retarget, rewrite, sever, short_words, ssa, swap, texts, to_parameter, tokens,
    twins, unbind, unended, unify, unspace, unused,
};

/// All of them.
#[rustfmt::skip]
pub const PASSES: &[Pass] = &[
    Pass::new(Due::Comments, "remove-comments", comments::many_comments).in_order().prior(Prior::AllButOne).row(Row::Runs(Company::None)).thorough()
        .about("Takes out runs of comments of one kind."),
    Pass::new(Due::First, "remove-comments", comments::comments).in_order().prior(Prior::AtFirst(0.98)).thorough()
        .about("Takes a comment out."),
    Pass::new(Due::EarlyLayout, "layout", layout::much_layout).in_order().prior(Prior::AtFirst(0.98))
        .about("Takes out blank lines and blanks."),
    Pass::new(Due::Marked, "remove-marked", lines::marked_lines).in_order().prior(Prior::AtFirst(0.3)).thorough()
        .about("Takes out all lines that begin with the same mark, where there is no grammar."),
    Pass::new(Due::Lines, "remove-lines", lines::lines).in_order().prior(Prior::AllButOne).row(Row::Lines).thorough()
        .about("Takes out blocks of lines, and single lines, of what has no grammar."),
    Pass::new(Due::Levels, "layout", layout::levels).in_order().prior(Prior::AtFirst(0.98))
        .about("The same, with one blank for each level of the lines."),
    Pass::new(Due::Bodies, "empty-bodies", combined::bodies).in_order().prior(Prior::AllButOne).row(Row::Bodies).thorough()
        .about("Puts the least that may stand for any body in the place of function bodies, in a large document with what only they reach."),
    Pass::new(Due::Tail, "remove-tail", combined::declarations).in_order().prior(Prior::AllButOne).row(Row::Tail).thorough()
        .about("Takes out the last declarations, as many as may go."),
    Pass::new(Due::BeforeRow, "remove-unreachable", combined::declarations).in_order().prior(Prior::AllButOne).row(Row::Unreached).thorough()
        .about("Takes out all that the last declarations do not reach by names."),
    Pass::new(Due::Members, "remove-unreachable", combined::with_members).in_order().prior(Prior::AllButOne).row(Row::Unreached).thorough()
        .about("The same member by member: those of a type that nothing uses go, too."),
    Pass::new(Due::Ends, "narrow-end", front::ends).in_order().prior(Prior::AllButOne).row(Row::Ends).thorough()
        .about("Takes out runs of the last statements and members, with all that the rest of them does not reach by names."),
    Pass::new(Due::Needless, "remove-dominated", dominated::dominated).in_order().prior(Prior::AtFirst(0.3))
        .about("Takes out a unit with all declarations that only it reaches."),
    Pass::new(Due::Row, "remove-runs", combined::row_and_members).in_order().prior(Prior::AllButOne).row(Row::Runs(Company::Dependents)).thorough()
        .about("Takes out runs of neighbouring parts, with what loses a name by it."),
    Pass::new(Due::AfterRow, "remove-unused", combined::fine_row).in_order().prior(Prior::AllButOne).row(Row::Runs(Company::Garbage)).thorough()
        .about("Takes out what nothing uses, with all that only it used."),
    Pass::new(Due::LateBodies, "empty-bodies", combined::late_bodies).in_order().prior(Prior::AllButOne).row(Row::Bodies).thorough()
        .about("The same for functions that could be run by the compiler, and are not."),
    Pass::new(Due::BoldBodies, "empty-bodies", combined::bold_bodies).in_order().prior(Prior::AllButOne).row(Row::Bodies).thorough()
        .about("The same for functions that may be run by the compiler."),
    Pass::new(Due::Everywhere, "rewrite", rewrite::everywhere).prior(Prior::AtFirst(0.3)).thorough()
        .about("Makes what the rules of the language say (below), and those of --rewrites."),
    Pass::new(Due::Blocks, "remove-blocks", ssa::blocks).in_order().prior(Prior::AllButOne).row(Row::Runs(Company::None)).thorough()
        .about("Takes out runs of blocks, in languages whose functions are made of blocks that jump to each other."),
    Pass::new(Due::Kinds, "remove-kinds", kinds::kinds).prior(Prior::AtFirst(0.3)).thorough()
        .about("Takes all small parts of one kind out at once."),
    Pass::new(Due::Instructions, "remove-instructions", ssa::instructions).in_order().prior(Prior::AllButOne).row(Row::Runs(Company::None)).thorough()
        .about("Takes out runs of instructions, in the same languages."),
    Pass::new(Due::Spaces, "open-namespaces", unspace::namespaces).in_order().prior(Prior::AtFirst(0.3))
        .about("Puts what namespaces of one name hold in their place, and takes that name out before others."),
    Pass::new(Due::Sever, "sever", sever::severed).prior(Prior::AtFirst(0.3)).thorough()
        .about("Puts what fits everywhere in the place of all uses of a declaration, and takes that out."),
    Pass::new(Due::Reshape, "drop-type-parameter", generics::last_parameters).in_order()
        .about("Takes a parameter of a template out, with what is given for it wherever that is used."),
    Pass::new(Due::Cut, "remove-units", combined::large_units).in_order().prior(Prior::AllButOne).thorough()
        .about("Takes out what the grammar lets go: list elements, statements, optional parts; large ones first."),
    Pass::new(Due::Round, "remove-with-unused", unused::with_unused).trying_again()
        .about("Makes a change together with the declarations that may not stay unused behind it."),
    Pass::new(Due::Round, "sever", sever::severed_in_much).trying_again()
        .about("The same."),
    Pass::new(Due::Round, "unbind-method", unbind::unbound).trying_again().freeing_others()
        .about("Makes a method that does not use its object a function."),
    Pass::new(Due::Round, "cut-flow", detach::detached).trying_again().freeing_others()
        .about("Puts a plain value in the place of all that is given to a name, and the name in the place of its members."),
    Pass::new(Due::Round, "rewrite", rewrite::first_in_rounds).trying_again().freeing_others()
        .about("The same."),
    Pass::new(Due::Round, "open-namespaces", unspace::namespaces).in_order().prior(Prior::AtFirst(0.3))
        .about("The same."),
    Pass::new(Due::Round, "replace-identifier", retarget::retargets).trying_at_last()
        .about("Puts another name in the place of all uses of a name."),
    Pass::new(Due::Round, "replace-value", ssa::earlier_values).trying_again().prior(Prior::AtFirst(0.3))
        .about("Puts another value of the same type in the place of what an instruction gives."),
    Pass::new(Due::Round, "inline-elements", element_values::values).trying_again()
        .about("Puts what a list is declared with in the place of its elements."),
    Pass::new(Due::Round, "inline", |context| [retarget::values(context), enumerated::numbers(context), inline::inlinings(context)].concat()).trying_again()
        .about("Puts what a declaration declares, or its value, in the place of its uses."),
    Pass::new(Due::Round, "drop-parameter", arguments::arguments).trying_again().prior(Prior::AtFirst(0.3))
        .about("Takes a parameter out, with its argument in every call."),
    Pass::new(Due::Round, "drop-type-parameter", generics::parameters).trying_again().prior(Prior::AtFirst(0.3))
        .about("The same."),
    Pass::new(Due::Round, "specialisation-to-template", generics::specialisations).trying_again().prior(Prior::AtFirst(0.3))
        .about("Makes what is declared for some arguments of a template the template itself."),
    Pass::new(Due::Round, "remove-column", parallel::columns).trying_again().prior(Prior::AtFirst(0.3))
        .about("Takes the same place out of all lists that stand side by side."),
    Pass::new(Due::Round, "rewrite", rewrite::in_rounds).trying_again().freeing_others()
        .about("The same, for rules that are worth less."),
    Pass::new(Due::Round, "hoist-deep", hoist_deep::deep_hoists).prior(Prior::AtFirst(0.3))
        .about("Puts a part of half the size, or less, in the place of all that is around it."),
    Pass::new(Due::Round, "hoist", hoist::hoists).prior(Prior::AtFirst(0.3))
        .about("Puts a part of a node in the node's place."),
    Pass::new(Due::Round, "remove-mentions", mentions::mentions).trying_again().prior(Prior::AtFirst(0.1))
        .about("Takes out all lines in which the same word stands, where there is no grammar."),
    Pass::new(Due::Round, "remove-brackets", brackets::brackets).prior(Prior::AtFirst(0.3))
        .about("Takes brackets out, with or without what they hold."),
    Pass::new(Due::Round, "remove-units", combined::removals).prior(Prior::AtFirst(0.3))
        .about("The same, of any size."),
    Pass::new(Due::Round, "remove-unparsed", combined::plain_units).prior(Prior::AtFirst(0.3)).reading_plain()
        .about("Takes out units and brackets of what the parser does not understand."),
    Pass::new(Due::Round, "remove-everywhere", everywhere::everywhere).trying_again().prior(Prior::AtFirst(0.1))
        .about("Takes the same words out wherever they stand."),
    Pass::new(Due::Round, "minimal-replacement", least::replacements).prior(Prior::AtFirst(0.3))
        .about("Puts the least that the grammar takes in a node's place."),
    Pass::new(Due::Round, "move-declaration", |context| [lift::lifts(context), to_parameter::parameters(context)].concat()).trying_again()
        .about("Moves a local declaration or a parameter out, or to another one, or makes a parameter of what is declared."),
    Pass::new(Due::Round, "shorten-literal", literals::literals).prior(Prior::AtFirst(0.1))
        .about("Shortens strings, numbers and comments."),
    Pass::new(Due::Round, "reduce-text", texts::texts)
        .about("Takes apart what stands inside of strings, character data and macros."),
    Pass::new(Due::Round, "remove-tokens", |context| tokens::windows(context.document(), 1)).in_order().prior(Prior::AtFirst(0.1))
        .about("Takes a single token out."),
    Pass::new(Due::Further, "rewrite", rewrite::late).trying_again()
        .about("The same."),
    Pass::new(Due::Late(0), "merge-declarations", forward::definitions).trying_again().thorough()
        .about("Puts a definition in the place of the declaration before it."),
    Pass::new(Due::Late(0), "hoist-with-declarations", carry::carries).trying_again()
        .about("Hoists a part together with the declarations that it needs."),
    Pass::new(Due::Late(0), "hoist-without-jumps", orphans::hoists)
        .about("Hoists a part and replaces the jumps in it that would lead nowhere."),
    Pass::new(Due::Late(1), "inline", |context| [bind::bindings(context), passed_on::lines(context)].concat()).trying_again()
        .about("The same, for what a name always stands for, and for what a line says of its first word."),
    Pass::new(Due::Late(1), "change-kind", |context| [recast::recasts(context), fold::constants(context)].concat()).prior(Prior::AtFirst(0.1)).thorough()
        .about("Makes a node one of a similar kind around what it holds, or a calculation its value."),
    Pass::new(Due::Late(1), "merge-texts", fold::texts)
        .about("Makes one text of two that stand side by side, or are added."),
    Pass::new(Due::Late(1), "rewrite", rewrite::late).trying_again()
        .about("The same, for rules that are worth less."),
    Pass::new(Due::Late(1), "merge-elements", |context| [join::joints(context), join::bodies(context)].concat()).trying_again()
        .about("Makes two neighbours one."),
    Pass::new(Due::Late(1), "move-into-use", absorb::absorptions).trying_again()
        .about("Moves an expression into its neighbour, in the place of a name that it is about."),
    Pass::new(Due::Late(1), "remove-equal", |context| [twins::twins(context), brackets::mergers(context)].concat()).trying_again()
        .about("Takes out units with the same text together, or merges brackets."),
    Pass::new(Due::Late(1), "remove-unended", unended::unended).trying_again()
        .about("Takes out what the parser had to end itself with what stands behind it."),
    Pass::new(Due::Late(2), "hoist-further", hoist_further::further_hoists).trying_again().prior(Prior::AtFirst(0.08))
        .about("Puts a part in a node's place past a larger one that could stand there too."),
    Pass::new(Due::Late(2), "remove-neighbours", combined::neighbours).in_order().prior(Prior::AtFirst(0.08)).thorough().trying_again()
        .about("Takes two or three neighbours out, where there is no grammar."),
    Pass::new(Due::Late(2), "remove-windows", combined::token_windows).in_order().prior(Prior::AtFirst(0.08))
        .about("Takes neighbouring tokens out, whatever the tree."),
    Pass::new(Due::Late(2), "remove-unread", combined::unread_windows).in_order().prior(Prior::AtFirst(0.08)).thorough()
        .about("Takes neighbouring tokens out beside what the parser does not understand."),
    Pass::new(Due::Late(2), "remove-with-uses", combined::bundles).trying_again()
        .about("Takes out a declaration with the units around all its uses."),
    Pass::new(Due::Late(3), "other-replacement", |context| [least::foreign_names(context), least::alternatives(context), bodies::nearly_empty(context)].concat()).prior(Prior::AtFirst(0.1)).thorough()
        .about("Puts other small texts that the grammar takes in a node's place."),
    Pass::new(Due::Late(3), "remove-masks", masks::masks).prior(Prior::AtFirst(0.08))
        .about("Takes out units of a small window in all combinations, where there is no grammar."),
    Pass::new(Due::Late(4), "replace-identifier", retarget::of_nothing_else).thorough().trying_again()
        .about("The same."),
    Pass::new(Due::Late(4), "minimal-replacement", least::types).trying_again().prior(Prior::AtFirst(0.3))
        .about("The same."),
    Pass::new(Due::Rename, "rename", rename::renamings).in_order().prior(Prior::Always(0.99)).thorough()
        .about("Gives every name the shortest that is free (with --rename)."),
    Pass::new(Due::Bytes, "layout", layout::layout_of_text).in_order().prior(Prior::AtFirst(0.98))
        .about("The same."),
    Pass::new(Due::Bytes, "remove-blanks", layout::blanks_of_text).in_order().prior(Prior::AtFirst(0.98)).thorough()
        .about("Takes blanks and line ends out between tokens that stay two without them, where there is no grammar."),
    Pass::new(Due::Bytes, "shorten-words", short_words::short_words).in_order().thorough()
        .about("Puts a letter in the place of a word, wherever it stands, where there is no grammar."),
    Pass::new(Due::Bytes, "remove-bytes", |context| bytes::bytes_of_others(context.document())).in_order().prior(Prior::AtFirst(0.08)).thorough().breaking_syntax()
        .about("Takes single bytes out of what no grammar explains."),
    Pass::new(Due::Bytes, "remove-bytes", |context| bytes::bytes_of_repeated(context.document())).in_order().prior(Prior::AtFirst(0.08)).breaking_syntax()
        .about("The same, in words that stand in two places or more."),
    Pass::new(Due::Layout, "layout", layout::layout).in_order().prior(Prior::AtFirst(0.98))
        .about("The same."),
    Pass::new(Due::Dense, "remove-blanks", layout::needless_blanks).in_order().prior(Prior::AtFirst(0.98))
        .about("Takes blanks out between tokens that stay two without them, in languages that are often written so."),
    Pass::new(Due::AnyTokens, "remove-tokens", |context| tokens::windows(context.document(), 1)).in_order().prior(Prior::Always(0.1)).breaking_syntax()
        .about("The same, whatever the parser says."),
    Pass::new(Due::SoundSweep, "certificate", combined::single_changes).in_order().prior(Prior::Always(0.03)).thorough()
        .about("Tries all single changes once more that keep the syntax, in what was very large at first."),
    Pass::new(Due::Sweep, "certificate", combined::single_changes).in_order().prior(Prior::Always(0.03)).thorough().breaking_syntax()
        .about("The same, whatever the parser says, which proves the result 1-minimal."),
    Pass::new(Due::Beyond, "graft", graft::grafts)
        .about("Puts any other small part of the text in a node's place (this and what follows with --effort max)."),
    Pass::new(Due::Beyond, "unify-words", unify::words)
        .about("Puts another word in the place of a word, wherever it stands."),
    Pass::new(Due::Beyond, "any-change", all_of_rounds)
        .about("Makes what the other passes propose, also where nothing is saved by it."),
    Pass::new(Due::Beyond, "swap-neighbours", swap::swaps)
        .about("Puts neighbours in each other's places."),
    Pass::new(Due::Beyond, "remove-with-uses", combined::hoist_bundles)
        .about("The same, where something else is hoisted out of it."),
    Pass::new(Due::Beyond, "remove-windows", combined::grammar_windows).in_order()
        .about("The same, where there is a grammar."),
    Pass::new(Due::Beyond, "change-pairs", pairs::pairs).in_order()
        .about("Makes two changes at once."),
    Pass::new(Due::Beyond, "remove-token-sets", |context| masks::token_sets(context.document())).in_order().breaking_syntax()
        .about("Takes any few tokens of a small window out."),
    Pass::new(Due::Beyond, FOLLOW_UP, |_| Vec::new())
        .about("Makes the single changes of what is as large as before, or a little larger."),
];

/// The name under which the single changes of a way round are counted.
pub const FOLLOW_UP: &str = "follow-up";

/// What all passes of the rounds propose.
fn all_of_rounds(context: &Context) -> Vec<Proposal> {
    let is_of_rounds =
        |pass: &&Pass| matches!(pass.due, Due::Round | Due::Late(_)) && !pass.reads_plain;
    let passes = PASSES.iter().filter(is_of_rounds);
    passes.flat_map(|pass| pass.proposals(context)).collect()
}

/// The passes that are due at this time.
pub fn due_at(due: Due) -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(move |pass| pass.due == due)
}

/// Whether the pass of this name comes behind the certificate only.
pub fn is_beyond(name: &str) -> bool {
    due_at(Due::Beyond).any(|pass| pass.name == name)
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
            EarlyLayout,
            LateBodies,
            BoldBodies,
            Marked,
            Lines,
            Levels,
            BeforeRow,
            Members,
            Tail,
            Ends,
            Needless,
            Bodies,
            Row,
            AfterRow,
            Everywhere,
            Reshape,
            Cut,
            Round,
            Further,
            Late(0),
            Late(1),
            Late(2),
            Rename,
            Bytes,
            Layout,
            Dense,
            AnyTokens,
            SoundSweep,
            Sweep,
            Beyond,
        ] {
            assert!(due_at(due).next().is_some(), "{due:?}");
        }
    }
}
