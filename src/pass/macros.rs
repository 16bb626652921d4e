//! Macros with parameters: each call becomes the text behind the name, with the arguments in the places of the parameters.
//!
//! `#define A(x) (x + 1)` goes, and `A(2)` becomes `(2 + 1)`, as the preprocessor would have it.

use super::{
    Context, arguments,
    bundle::UnitMap,
    names::Names,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Lexis, NodeId, Splice};

/// The expansions of every macro with parameters that all of its uses call.
pub fn expansions(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    document
        .ids()
        .filter(|&node| document.kind_name(node) == "preproc_function_def")
        .filter_map(|node| expansion(document, names, units, node))
        .collect()
}

fn expansion(
    document: &Document,
    names: &Names,
    units: &UnitMap,
    definition: NodeId,
) -> Option<Proposal> {
    let name = document.text(document.child_in_field(definition, "name")?);
    let parameters: Vec<&[u8]> =
        arguments::elements_of(document, document.child_in_field(definition, "parameters")?)
            .into_iter()
            .map(|parameter| document.text(parameter))
            .collect();
    let body = document
        .child_in_field(definition, "value")
        .map_or(&b""[..], |value| document.text(value));
    let own = definition..document.node(definition).end_id;
    let number = names.texts.iter().position(|text| &**text == name)?;
    let uses = names.uses[number].iter().filter(|leaf| !own.contains(leaf));
    let mut splices = Vec::new();
    let mut saved = i64::from(document.node(definition).tokens);
    let lexis = document.lexis();
    for &leaf in uses {
        let list = arguments::argument_list(document, leaf)?;
        let call = document.node(list).parent;
        let given = arguments::elements_of(document, list);
        let text = substituted(lexis, body, &parameters, |place| {
            Some(document.text(*given.get(place)?))
        })?;
        saved += i64::from(document.node(call).tokens);
        saved -= i64::try_from(lexis.count(&text)).unwrap_or(i64::MAX);
        splices.push(Splice::replacement(document.node(call).range(), &text));
    }
    let weight = u32::try_from(saved).ok().filter(|&saved| saved > 0)?;
    (!splices.is_empty()).then_some(())?;
    Some(Proposal {
        drops: vec![units.drop_of(definition)?],
        weight,
        takes: only(own),
        target: Some(definition),
        signature: fingerprint(&[
            b"macro",
            document.text(definition),
            &splices.len().to_le_bytes(),
        ]),
        edit: Edit::new(splices),
        ..Proposal::default()
    })
}

/// The body with an argument for each parameter; `None` when one is missing.
fn substituted<'t>(
    lexis: &Lexis,
    body: &[u8],
    parameters: &[&[u8]],
    argument: impl Fn(usize) -> Option<&'t [u8]>,
) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut end = 0;
    for range in lexis.tokens(body) {
        text.extend_from_slice(&body[end..range.start]);
        let token = &body[range.clone()];
        match parameters.iter().position(|&parameter| parameter == token) {
            Some(place) => text.extend_from_slice(argument(place)?),
            None => text.extend_from_slice(token),
        }
        end = range.end;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_call_becomes_what_the_macro_says() {
        let text = "#define A(x, y) (x + y * 2)\nint a = A(2, b(3));\n";
        assert_offers("c", text, "int a = (2 + b(3) * 2);\n", expansions);
    }

    #[test]
    fn a_macro_that_is_called_with_too_little_stays() {
        let text = "#define A(x, y) x y\nint a = A(2);\n";
        let found = offered("c", text, expansions);
        assert!(found.is_empty());
    }
}
