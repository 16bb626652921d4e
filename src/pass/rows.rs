//! Long rows: the parts of a document in document order, whatever they lie in.
//!
//! A namespace or class that is too heavy gives way to the parts in it, so that the declarations of all namespaces and the
//! members of large classes stand in one row and go in one run.

use super::{
    combined::LARGE, dependencies::Dependencies, names::Names, proposal::Proposal, units::Unit,
};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use std::{cmp::Reverse, iter};

/// What a file cannot be without, since each run with it would be refused; and what goes with its neighbour, whose part holds it.
const OF_OTHERS: [Role; 3] = [Role::Kept, Role::Attributes, Role::Ends];
/// In a document of fewer tokens the statements of its main function go one by one.
const LARGE_AFTER_CUTS: u32 = LARGE / 8;

/// The outermost units, those that hold declarations of others only up to `most` tokens; what nothing else in the row uses is cut
/// as fine as `finest`, since it may be all that holds the rest. Cost: linear in the units, a few times.
pub fn row(
    document: &Document,
    names: &Names,
    units: &[Unit],
    most: u32,
    finest: u32,
) -> Vec<Proposal> {
    let units = parts_in_order(document, units);
    let ends: Vec<u32> = units
        .iter()
        .map(|unit| document.node(unit.node).end_id)
        .collect();
    let gives_way = giving_way(document, &units, &ends);
    let main = main_body(document);
    let mut is_open: Vec<bool> = (0..units.len())
        .map(|index| {
            let unit = &units[index];
            let is_large = || unit.proposal.weight > most && is_container(document, unit);
            gives_way.contains(index) && is_large() || is_around(document, unit.node, main)
        })
        .collect();
    loop {
        let row = outermost(&units, &ends, &is_open);
        let proposals: Vec<Proposal> = row
            .iter()
            .map(|&index| units[index].proposal.clone())
            .collect();
        if most <= finest {
            return proposals;
        }
        let dependencies = Dependencies::of(document, names, &proposals);
        let gone = FixedBitSet::with_capacity(row.len());
        let mut changed = false;
        for (part, &index) in (0..).zip(&row) {
            if units[index].proposal.weight > finest
                && gives_way.contains(index)
                && dependencies.is_unused(part, &gone)
            {
                is_open[index] = true;
                changed = true;
            }
        }
        if !changed {
            return proposals;
        }
    }
}

/// The parts of a row with the units around them, in document order: what stands before and behind the parts in such a unit goes
/// with all of it only. Cost: linear in the units.
pub fn with_shells(document: &Document, units: &[Unit], row: Vec<Proposal>) -> Vec<Proposal> {
    let start = |part: &Proposal| part.nodes().start;
    let is_around = |unit: &&Unit| {
        let first = row.partition_point(|part| start(part) < unit.node);
        let inner = row.get(first).map(start);
        inner.is_some_and(|inner| unit.node < inner && inner < document.node(unit.node).end_id)
    };
    let shells = units.iter().filter(is_around);
    let mut all: Vec<Proposal> = shells.map(|unit| unit.proposal.clone()).collect();
    all.extend(row);
    all.sort_by_key(start);
    all
}

/// The body of the innermost function that holds more than half of a document, in languages in which bundlers and minifiers put whole
/// programs into one: what stands in it are the declarations of the program. Cost: the depth of the tree times the length of its rows.
pub(super) fn main_body(document: &Document) -> Option<NodeId> {
    let all = document.node(0).tokens;
    let facts = document.language()?.facts();
    if all < LARGE_AFTER_CUTS || facts.bodies_in_much.is_empty() {
        return None;
    }
    let is_function = |node: NodeId| {
        let kind = document.kind_name(node);
        facts.bodies_in_much.contains_key(kind) || facts.bodies.contains_key(kind)
    };
    let is_most = |&child: &NodeId| 2 * document.node(child).tokens > all;
    let (mut at, mut main) = (0, None);
    while let Some(child) = document.children(at).find(is_most) {
        let is_body = document.field_name(child) == Some("body");
        if is_body && is_function(at) {
            main = Some(child);
        }
        at = child;
    }
    main
}

/// Whether a node is what the `main` body lies in, if there is one.
pub(super) fn is_around(document: &Document, node: NodeId, main: Option<NodeId>) -> bool {
    main.is_some_and(|main| (node..document.node(node).end_id).contains(&main))
}

/// Whether a unit holds declarations that are known outside of it. What stands in a function is not, and its neighbours tell little.
fn is_container(document: &Document, unit: &Unit) -> bool {
    let has_members = || {
        let mut children = document.children(unit.node);
        children.any(|child| document.has_role(child, Role::Members))
    };
    unit.proposal.declares.len() > 1 || has_members()
}

/// The units that have parts in their bodies, or most of which is parts. What can go of a declaration without a body mostly means
/// nothing without the rest. Cost: linear.
fn giving_way(document: &Document, units: &[&Unit], ends: &[u32]) -> FixedBitSet {
    let mut gives_way = FixedBitSet::with_capacity(units.len());
    let mut inside = vec![0; units.len()];
    let mut around: Vec<usize> = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        while around.pop_if(|outer| ends[*outer] <= unit.node).is_some() {}
        if let Some(&outer) = around.last() {
            inside[outer] += unit.proposal.weight;
            let parent = document.node(unit.node).parent;
            let is_in_body = document.field_name(parent) == Some("body");
            let is_most = 2 * inside[outer] >= units[outer].proposal.weight;
            if is_in_body || is_most {
                gives_way.insert(outer);
            }
        }
        around.push(index);
    }
    gives_way
}

/// The outermost units that are not open, or that have none in them.
fn outermost(units: &[&Unit], ends: &[u32], is_open: &[bool]) -> Vec<usize> {
    let mut row = Vec::new();
    let mut next = 0;
    for (index, unit) in units.iter().enumerate() {
        let has_inner = units
            .get(index + 1)
            .is_some_and(|inner| inner.node < ends[index]);
        if unit.node >= next && !(is_open[index] && has_inner) {
            next = ends[index];
            row.push(index);
        }
    }
    row
}

/// The declarations of a document that others can reach by name: the outermost units in its namespaces, and the members of what
/// holds more than `most` tokens, which keeps its name. A namespace without declarations is not one of them: what it says of its
/// name, it says of those that have some. Cost: linear in the document.
pub fn declarations(document: &Document, units: &[Unit], most: u32) -> Vec<Proposal> {
    declarations_in(document, units, most, main_body(document))
}

/// The same with what is in the `main` body, if there is one.
pub(super) fn declarations_in(
    document: &Document,
    units: &[Unit],
    most: u32,
    main: Option<NodeId>,
) -> Vec<Proposal> {
    let units = parts_in_order(document, units);
    rows_of_declarations(document, &units, main, |unit| {
        unit.proposal.weight > most && is_container(document, unit)
    })
}

/// The outermost units in the namespaces, and behind each the members of the types in it. Cost: linear in the units, but for sorting
/// them.
pub fn members(document: &Document, units: &[Unit]) -> Vec<Proposal> {
    let units = parts_in_order(document, units);
    let members = units.iter().filter(|unit| document.is_member(unit.node));
    let mut row = rows_of_declarations(document, &units, main_body(document), |_| false);
    row.extend(members.map(|unit| unit.proposal.clone()));
    row.sort_by_key(|part| (part.nodes().start, Reverse(part.nodes().end)));
    // The members of a namespace are declarations already.
    row.dedup_by_key(|part| part.nodes());
    row
}

/// Whether a part of a row, which is in document order, lies in another one.
pub(super) fn lie_in_each_other(row: &[Proposal]) -> bool {
    let mut pairs = row.windows(2);
    pairs.any(|pair| pair[1].nodes().start < pair[0].nodes().end)
}

fn rows_of_declarations(
    document: &Document,
    units: &[&Unit],
    main: Option<NodeId>,
    is_large: impl Fn(&Unit) -> bool,
) -> Vec<Proposal> {
    let ends: Vec<u32> = units
        .iter()
        .map(|unit| document.node(unit.node).end_id)
        .collect();
    let first_behind = |node: NodeId| {
        let behind = units.partition_point(|unit| unit.node <= node);
        units.get(behind).map(|unit| unit.node)
    };
    let is_open: Vec<bool> = units
        .iter()
        .map(|unit| {
            is_namespace(document, unit.node, first_behind)
                || is_large(unit)
                || is_around(document, unit.node, main)
        })
        .collect();
    let row = outermost(units, &ends, &is_open).into_iter();
    let row = row.filter(|&index| !is_empty_namespace(document, units[index].node));
    row.map(|index| units[index].proposal.clone()).collect()
}

fn is_empty_namespace(document: &Document, unit: NodeId) -> bool {
    let body = || document.child_in_field(unit, "body");
    let is_empty = |body| document.node(body).tokens <= 2;
    document.has_role(unit, Role::Namespaces) && body().is_some_and(is_empty)
}

/// The nodes that are no parts of their own, nor is anything in them. What stands before the body of something, or in its name: that is
/// said of all that is in the body. And what has one of the [`OF_OTHERS`].
fn of_others(document: &Document) -> FixedBitSet {
    let is_in = |id: NodeId, field| document.field_name(id) == Some(field);
    let mut has_body = FixedBitSet::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()) {
        if is_in(id, "body") {
            has_body.insert(node.parent as usize);
        }
    }
    let mut found = FixedBitSet::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()).skip(1) {
        let parent = node.parent as usize;
        let is_head = has_body.contains(parent) && !is_in(id, "body")
            || is_beside_group(document, id)
            || OF_OTHERS.iter().any(|&role| document.has_role(id, role))
            || is_in(id, "name")
            || document.has_role(id, Role::Parameters);
        found.set(id as usize, is_head || found.contains(parent));
    }
    found
}

/// Whether a node is a group of declarations, or the list in one.
fn is_in_group(document: &Document, node: NodeId) -> bool {
    document.has_role(node, Role::Groups) || document.has_role(node, Role::GroupLists)
}

/// Whether a node stands in a group of declarations beside their list.
fn is_beside_group(document: &Document, node: NodeId) -> bool {
    let parent = document.node(node).parent;
    document.has_role(parent, Role::Groups)
        && !document.has_role(parent, Role::GroupLists)
        && !is_in_group(document, node)
}

/// Whether the first unit behind the beginning of a unit's body is one of several declarations to which that unit only gives a name,
/// or nothing.
fn is_namespace(
    document: &Document,
    unit: NodeId,
    first_behind: impl Fn(NodeId) -> Option<NodeId>,
) -> bool {
    let is_list = |body| first_behind(body).is_some_and(|it| document.node(it).parent == body);
    let has_list = || document.child_in_field(unit, "body").is_some_and(is_list);
    let inner = |&group: &NodeId| {
        let mut children = document.children(group);
        children.find(|&child| is_in_group(document, child))
    };
    let group = Some(unit).filter(|&unit| document.has_role(unit, Role::Groups));
    document.has_role(unit, Role::Namespaces) && has_list()
        || iter::successors(group, inner).any(is_list)
}

/// The units that may be parts of a row, in document order.
fn parts_in_order<'u>(document: &Document, units: &'u [Unit]) -> Vec<&'u Unit> {
    let of_others = of_others(document);
    let parts = units.iter();
    let mut parts: Vec<&Unit> = parts
        .filter(|unit| !of_others.contains(unit.node as usize))
        .collect();
    parts.sort_by_key(|unit| unit.node);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::testing::sample, syntax::Language};

    #[test]
    fn what_stands_before_a_body_is_no_part() {
        let text =
            "namespace a { template<class T, class U> struct b : T { U c; int d; }; } int e;";
        let row = ["U c;", "int d;", "int e;"];
        assert_eq!(parts(text, 4, 4), row);
        let sample = sample("cpp", text);
        let all = super::row(sample.document(), sample.names(), sample.units(), 4, 4);
        assert_eq!(all.len(), row.len());
    }

    #[test]
    fn what_goes_with_its_neighbour_is_no_part() {
        if Language::named("rust").is_none() {
            return;
        }
        let sample = sample("rust", "#[a(f, g)] struct b; c!(d); fn e() {}");
        let row = declarations(sample.document(), sample.units(), 100);
        let parts: Vec<_> = row.iter().map(Proposal::nodes).collect();
        assert_eq!(parts.len(), 3);
        assert!(parts.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn what_names_a_declaration_is_none() {
        let sample = sample(
            "cpp",
            "inline namespace a { } namespace b::c { int d; int e; } int f;",
        );
        let row = declarations(sample.document(), sample.units(), 100);
        let text = |part: &Proposal| sample.document().text(part.takes[0].start).to_vec();
        let row: Vec<Vec<u8>> = row.iter().map(text).collect();
        assert_eq!(row, [b"int d;", b"int e;", b"int f;"]);
    }

    /// The statements and declarations of the row.
    fn parts(text: &str, most: u32, finest: u32) -> Vec<String> {
        let sample = sample("cpp", text);
        let row = super::row(
            sample.document(),
            sample.names(),
            sample.units(),
            most,
            finest,
        );
        let text = |part: &Proposal| {
            String::from_utf8_lossy(sample.document().text(part.takes[0].start)).into_owned()
        };
        let mut parts: Vec<String> = row.iter().map(text).collect();
        parts.retain(|part| part.ends_with([';', '}']));
        parts
    }

    #[test]
    fn what_is_too_heavy_gives_way_to_what_is_in_it() {
        let text = "namespace a { int b; int c; } int d; int e = d;";
        let whole = ["namespace a { int b; int c; }", "int d;", "int e = d;"];
        assert_eq!(parts(text, 100, 100), whole);
        let inner = ["int b;", "int c;", "int d;", "int e = d;"];
        assert_eq!(parts(text, 5, 5), inner);
    }

    /// The parts of a text in JavaScript, and its declarations.
    fn in_javascript(text: &str) -> [usize; 2] {
        let sample = sample("javascript", text);
        let (document, units) = (sample.document(), sample.units());
        let row = super::row(document, sample.names(), units, u32::MAX, u32::MAX);
        let declarations = declarations(document, units, u32::MAX);
        [row, declarations].map(|row| row.len())
    }

    #[test]
    fn the_function_around_a_program_gives_way_to_what_is_in_it() {
        let count = LARGE_AFTER_CUTS as usize / 5;
        let inner = "let a = 1; ".repeat(count);
        let within = |before: &str, inner: &str, behind: &str| {
            in_javascript(&format!("let b; {before} {inner} {behind}"))
        };
        let wrapped = [
            ("(function(c) {", "})(window);"),
            ("!function(c, d) { d(c) }(window, (c) => {", "});"),
            ("function c() {", "}"),
        ];
        for (before, behind) in wrapped {
            let [row, declared] = within(before, &inner, behind);
            assert!(
                row >= count && declared >= count,
                "{before} {row} {declared}"
            );
            let small = "let a = 1; let a = 1;";
            assert_eq!(within(before, small, behind)[1], 2, "{before}");
        }
        assert_eq!(within("for (;;) {", &inner, "}"), [2, 2]);
        // One statement may hold most of the body.
        let [row, _] = within("(() => { let c; for (;;) {", &inner, "} })();");
        assert_eq!(row, 4);
        let parameters = format!("function c(d = [{}]) {{ }}", "1, ".repeat(count));
        assert_eq!(in_javascript(&parameters)[1], 1);
    }

    #[test]
    fn a_type_with_members_gives_way_to_them() {
        let sample = sample("java", "class A { int b; int c() { return 1; } }");
        let declared = |most| declarations(sample.document(), sample.units(), most).len();
        assert_eq!([declared(100), declared(5)], [1, 2]);
    }

    #[test]
    fn members_stand_once_in_their_row() {
        let long = "a = b(); ".repeat(LARGE_AFTER_CUTS as usize / 3);
        let class = format!("class A {{ int a; void f() {{ {long} }} }} class B {{ int z; }}");
        let space = String::from("namespace N { class A { int a; } class B { } }");
        let inner = "let a = 1; ".repeat(LARGE_AFTER_CUTS as usize / 5);
        let function = format!("(() => {{ class A {{ f() {{}} }} {inner} }})();");
        for (language, text, count) in [
            ("java", class, 5),
            ("csharp", space, 3),
            ("javascript", function, 2 + LARGE_AFTER_CUTS as usize / 5),
        ] {
            if Language::named(language).is_none() {
                continue;
            }
            let sample = sample(language, &text);
            let row = members(sample.document(), sample.units());
            assert_eq!(row.len(), count, "{language}");
        }
    }

    #[test]
    fn a_declaration_without_a_body_stays_whole() {
        let text = "static int a(int b) noexcept; struct c { static int d; int e(); };";
        let members = ["static int d;", "int e();"];
        let whole = ["static int a(int b) noexcept;", members[0], members[1]];
        assert_eq!(parts(text, 1, 1), whole);
        let sample = sample("cpp", text);
        let row = super::row(sample.document(), sample.names(), sample.units(), 1, 1);
        assert_eq!(row.len(), whole.len());
    }

    #[test]
    fn what_nothing_uses_is_cut_finer() {
        let text = "int f() { return 1; } int g() { f(); f(); }";
        assert_eq!(
            parts(text, 100, 4),
            ["int f() { return 1; }", "f();", "f();"]
        );
    }
}
