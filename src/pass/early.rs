//! Which functions may be run while the program is compiled: those that are named where a constant is wanted, and those that these
//! name, and so on. The body of any other one is looked at by no one, whatever its head allows.
//!
//! Where a constant is wanted says the language's `locals.scm` (`@local.early`). What has no name of its own is told by what
//! declares it: an operator may be run early if it is applied there, a conversion always.

use super::Context;
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::{collections::VecDeque, ops::Range};

/// Of these functions, which are in document order, those that may be run early: first those that are named where a constant is
/// wanted or may be meant anywhere, then those that these name, and so on, with all functions of one name side by side. Cost: linear
/// in the document.
pub(super) fn early(context: &Context, functions: &[NodeId]) -> Vec<NodeId> {
    let document = context.document();
    let mut found = Vec::new();
    let mut named: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
    let mut seen = FixedBitSet::with_capacity(document.nodes().len());
    let mut open = VecDeque::from(constants(context, functions));
    for &function in functions {
        if let Some(name) = name(context, function) {
            named.entry(name).or_default().push(function);
        } else {
            found.push(function);
            open.extend(body(document, function));
        }
    }
    while let Some(range) = open.pop_front() {
        let mut next = range.start;
        while next < range.end {
            if context.names().is_unevaluated(next) {
                next = document.node(next).end_id;
                continue;
            }
            let is_new = !seen.put(next as usize) && document.is_leaf(next);
            let called = is_new.then(|| named.remove(document.text(next))).flatten();
            for function in called.unwrap_or_default() {
                found.push(function);
                open.extend(body(document, function));
            }
            next += 1;
        }
    }
    found
}

fn body(document: &Document, function: NodeId) -> Option<Range<NodeId>> {
    let body = document.child_in_field(function, "body")?;
    Some(body..document.node(body).end_id)
}

/// The places where a constant is wanted, but for those in these functions: some lie in others.
fn constants(context: &Context, functions: &[NodeId]) -> Vec<Range<NodeId>> {
    let document = context.document();
    let is_inner = |node: NodeId| {
        let behind = functions.partition_point(|&function| function <= node);
        let function = behind.checked_sub(1).map(|place| functions[place]);
        let body = function.and_then(|function| body(document, function));
        body.is_some_and(|body| body.contains(&node))
    };
    let places = context.names().early().filter(|&node| !is_inner(node));
    places
        .map(|node| node..document.node(node).end_id)
        .collect()
}

/// What a function is called by: its name, or the operator that it declares.
fn name(context: &Context, function: NodeId) -> Option<&[u8]> {
    let document = context.document();
    let head = document.child_in_field(function, "declarator")?;
    let end = document.node(head).end_id;
    let own = &context.names().own_operators;
    let operator = own.get(own.partition_point(|&leaf| leaf < head));
    if let Some(&operator) = operator.filter(|&&operator| operator < end) {
        return Some(document.text(operator));
    }
    let declarations = &context.names().declarations;
    let first = declarations.partition_point(|declaration| declaration.leaf < head);
    let declared = declarations[first..].iter().take_while(|it| it.leaf < end);
    let is_parameter = |leaf: NodeId| {
        let mut at = document.node(leaf).parent;
        while at > head && !document.has_role(at, Role::Parameters) {
            at = document.node(at).parent;
        }
        at > head
    };
    let mut own = declared.filter(|it| !is_parameter(it.leaf));
    own.next().map(|it| document.text(it.leaf))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::sample;

    #[test]
    fn what_a_constant_asks_for_is_run_early_and_what_that_calls() {
        let text = "constexpr int a() { return 1; } constexpr int b() { return a(); } constexpr int c() { return b(); }\n\
            struct s { constexpr bool operator<(s) const { return true; } constexpr bool operator>(s) const { return true; }\n\
            constexpr operator int() const { return 1; } };\n\
            static_assert(b() && s() < s() && noexcept(c()) && requires { c(); }); int d() { return c(); }";
        let sample = sample("cpp", text);
        let document = sample.document();
        let is_function = |node: &NodeId| document.kind_name(*node) == "function_definition";
        let functions: Vec<NodeId> = document.ids().filter(is_function).collect();
        let found = early(&sample, &functions);
        let are_early: Vec<bool> = functions
            .iter()
            .map(|function| found.contains(function))
            .collect();
        assert_eq!(are_early, [true, true, false, true, false, true, false]);
        let order: Vec<usize> = found
            .iter()
            .map(|found| functions.iter().position(|it| it == found).unwrap())
            .collect();
        assert_eq!(order, [5, 1, 3, 0]);
    }
}
