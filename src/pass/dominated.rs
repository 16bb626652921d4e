//! What is reached only through one unit goes together with it.
//!
//! A node reaches its children, and a name all that declares it ([`super::reach`]). If every way from the roots of a document to a
//! declaration leads through a node, the node dominates it, and without the node nothing needs it. So a statement goes with
//! the half of a library that only it uses, in one question, and the units that free most come first. What is declared inside of a
//! declaration is reached by its name, too: an expression goes with the variable that only it uses.

mod graph;

use super::{
    Context, Proposal,
    bodies::bodies,
    combined::LARGE,
    dependencies::Parts,
    hoist, hoist_deep, least,
    proposal::fingerprint,
    reach::{Reach, needed_members},
    rows,
};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use graph::{Graph, Inner, times};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, iter, ops::Range};

/// Of more changes only those that free most are asked about.
const MOST: usize = 64;
/// A hoist has to free so many times as much as a removal.
const HOISTS: u32 = 2;
/// So many changes that take about the same are asked about.
const ALIKE: usize = 2;

/// Each removal, minimal replacement and hoist that frees at least as many tokens as the grain says, but not nearly all, with all that
/// it dominates; what frees most comes first. Cost: linear in the document, but for the rounds of the iteration and for what goes.
pub fn dominated(context: &Context) -> Vec<Proposal> {
    let (document, grain) = (context.document(), context.grain);
    // In a small document the statements of its main function go by themselves.
    let main = rows::main_body(document).filter(|_| document.node(0).tokens >= LARGE);
    let row = rows::declarations_in(document, context.units(), grain.part, main);
    let reach = Reach::of(context, &row);
    if reach.is_empty() {
        return Vec::new();
    }
    let needed: FxHashSet<NodeId> = needed_members(context)
        .into_iter()
        .map(|member| member.declarer)
        .collect();
    let inner = Inner::of(context, &row, &needed);
    let parts: Vec<&Proposal> = row.iter().chain(inner.parts()).collect();
    let found = Dominators::of(document, &parts, &reach, &inner);
    let operators = Operators::of(context, &row, &reach);
    let most = document.node(0).tokens / 4 * 3;
    let units = context
        .units()
        .iter()
        .filter(|unit| !needed.contains(&unit.node));
    let removals = units.map(|unit| &unit.proposal);
    let others = [
        least_or_filled(context),
        hoist::hoists(context),
        hoist_deep::deep_hoists(context),
    ]
    .concat();
    let others = others.iter().filter(|change| is_nameless(context, change));
    let mut changes: Vec<Change> = removals
        .chain(others)
        .filter_map(|proposal| found.change(document, proposal))
        .filter(|change| change.worth() >= grain.least && change.freed <= most)
        .collect();
    changes.sort_by_key(|change| Reverse(change.worth()));
    let changes = found.without_repetitions(changes).into_iter();
    changes
        .filter_map(|change| found.together(document, &change, &parts, (&reach, &operators)))
        .collect()
}

/// The least replacements; but a body becomes what may stand for any where the language has such a text, types have members, and a
/// function that has to return something does not compile without.
fn least_or_filled(context: &Context) -> Vec<Proposal> {
    let mut replacements = least::replacements(context);
    let language = context.document().language();
    let has_fillers = language.is_some_and(|language| {
        let mut fillers = language.facts().bodies.values();
        language.has_kinds_of(Role::Members) && fillers.all(|filler| filler.starts_with('{'))
    });
    if has_fillers {
        let filled = bodies(context);
        let places: FxHashSet<NodeId> = filled.iter().map(|body| body.nodes().start).collect();
        replacements.retain(|least| !places.contains(&least.nodes().start));
        replacements.extend(filled);
    }
    replacements
}

/// A change of one node.
struct Change<'p> {
    /// How many tokens go with it, at most.
    freed: u32,
    node: NodeId,
    /// What stays of the node, with all that is in it.
    kept: Range<NodeId>,
    proposal: &'p Proposal,
}

/// Whether a change leaves the names that are known outside of what it takes, members included: others are lost with that, and nothing
/// is the less needed that way.
fn is_nameless(context: &Context, change: &Proposal) -> bool {
    let (Some(first), Some(last)) = (change.takes.first(), change.takes.last()) else {
        return false;
    };
    let takes = |node: NodeId| change.takes.iter().any(|nodes| nodes.contains(&node));
    let all = first.start..last.end;
    let document = context.document();
    let mut declared = context.names().declared_in(&all).iter();
    !declared.any(|declaration| {
        let is_lost = takes(declaration.leaf) || takes(declaration.declarer);
        is_lost && (declaration.scope.start < all.start || document.is_member(declaration.declarer))
    })
}

impl Change<'_> {
    /// How many tokens it promises: in the place of the whole a part seldom does.
    fn worth(&self) -> u32 {
        let is_hoist = !self.kept.is_empty();
        self.freed / if is_hoist { HOISTS } else { 1 }
    }
}

/// What dominates what: the nodes of a document, then its names.
struct Dominators {
    /// By part, those inside of others behind all others: its first node.
    starts: Vec<NodeId>,
    /// By node: the time at which a walk through the tree of dominators comes to it, and the last time below it; 0 for what is
    /// not reached.
    times: Vec<(u32, u32)>,
    /// By node: how many leaves it dominates.
    leaves: Vec<u32>,
    /// The parts by the times of their first nodes.
    parts: Vec<(u32, u32)>,
    graph: Graph,
}

impl Dominators {
    fn of(document: &Document, parts: &[&Proposal], reach: &Reach, inner: &Inner) -> Self {
        let starts: Vec<NodeId> = parts.iter().map(|part| part.nodes().start).collect();
        let (graph, order) = Graph::of(document, &starts, reach, inner);
        let above = graph.dominators(&order);
        let mut leaves: Vec<u32> = vec![0; graph.len()];
        for &node in order.iter().rev() {
            let is_leaf = (node as usize) < document.nodes().len() && document.is_leaf(node);
            leaves[node as usize] += u32::from(is_leaf);
            if node != 0 {
                leaves[above[node as usize] as usize] += leaves[node as usize];
            }
        }
        let times = times(&order, &above);
        let mut parts: Vec<(u32, u32)> = (0..)
            .zip(&starts)
            .map(|(part, &start)| (times[start as usize].0, part))
            .filter(|&(time, _)| time > 0)
            .collect();
        parts.sort_unstable();
        Self {
            starts,
            times,
            leaves,
            parts,
            graph,
        }
    }

    /// What a proposal does to a node; `None` if it is to more than one, or if that is reached from nowhere or nothing but itself
    /// goes with it.
    fn change<'p>(&self, document: &Document, proposal: &'p Proposal) -> Option<Change<'p>> {
        let (node, kept) = match proposal.takes.as_slice() {
            [whole] => (whole.start, whole.end..whole.end),
            [before, behind] => (before.start, before.end..behind.start),
            _ => return None,
        };
        let end = proposal.takes.last()?.end;
        if document.nodes().get(node as usize)?.end_id != end {
            return None;
        }
        let sum = |of: &dyn Fn(NodeId) -> u32| -> u32 { roots_in(document, &kept).map(of).sum() };
        let kept_leaves = sum(&|root| self.leaves[root as usize]);
        let freed = self.leaves[node as usize].saturating_sub(kept_leaves);
        let own = document.node(node).tokens - sum(&|root| document.node(root).tokens);
        (freed > own).then_some(Change {
            freed,
            node,
            kept,
            proposal,
        })
    }

    /// Of changes that free about as much, each around or within what the one before it takes, only the first two: what stands around
    /// a needed use is needed, too.
    fn without_repetitions<'p>(&self, changes: Vec<Change<'p>>) -> Vec<Change<'p>> {
        let mut kept: Vec<Change> = Vec::new();
        for change in changes {
            let is_above = |other: &&Change| {
                u64::from(other.worth()) * 15 <= u64::from(change.worth()) * 16
                    && (self.dominates(other.node, change.node)
                        || self.dominates(change.node, other.node))
            };
            let above = kept.iter().rev().filter(is_above);
            if above.take(ALIKE).count() < ALIKE {
                kept.push(change);
            }
            if kept.len() == MOST {
                break;
            }
        }
        kept
    }

    /// Whether one node dominates another.
    fn dominates(&self, one: NodeId, other: NodeId) -> bool {
        let (from, to) = self.times[one as usize];
        (from..=to).contains(&self.times[other as usize].0)
    }

    /// What is reached from these nodes among all that `above` dominates.
    fn reached_below(&self, above: NodeId, from: impl Iterator<Item = NodeId>) -> FxHashSet<u32> {
        let mut open: Vec<u32> = from.collect();
        let mut reached: FxHashSet<u32> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            for &to in self.graph.reached_by(node) {
                if self.dominates(above, to) && reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// The parts below a node, without the one that begins there.
    fn parts_below(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        let (from, to) = self.times[node as usize];
        let first = self.parts.partition_point(|&(time, _)| time <= from);
        let below = self.parts[first..].iter();
        below
            .take_while(move |&&(time, _)| time <= to)
            .map(|&(_, part)| part)
    }

    fn is_reached(&self, part: u32) -> bool {
        self.times[self.starts[part as usize] as usize].0 > 0
    }

    /// A change together with the parts that it dominates, and those without a name that lose one by it. Of an operator only the body goes
    /// where that may go, and all that is lost is used in it: without one of several another may be applied, or none can be told from the
    /// others.
    fn together(
        &self,
        document: &Document,
        change: &Change,
        parts: &[&Proposal],
        (reach, operators): (&Reach, &Operators),
    ) -> Option<Proposal> {
        let node = change.node;
        let needed = self.reached_below(node, roots_in(document, &change.kept));
        let is_needed = |part: &u32| needed.contains(&self.starts[*part as usize]);
        let below = self.parts_below(node).filter(|part| !is_needed(part));
        let (mut gone, inner): (Vec<u32>, Vec<u32>) = below.partition(|&part| reach.has_part(part));
        gone.sort_unstable();
        let emptied = loop {
            let lost = reach.lost(&gone);
            let mut bereft = reach.bereft(&gone, &lost, |part| self.is_reached(part));
            bereft.retain(|part| gone.binary_search(part).is_err());
            let (emptied, bereft): (Vec<u32>, Vec<u32>) = bereft
                .into_iter()
                .partition(|&part| operators.loses_only_its_body(part, &lost));
            if bereft.is_empty() {
                break emptied;
            }
            gone.extend(bereft);
            gone.sort_unstable();
        };
        gone.extend(inner);
        let of_change = node..document.node(node).end_id;
        let gone = gone.into_iter().map(|part| parts[part as usize]);
        let emptied = emptied.iter().map(|part| &operators.bodies[part]);
        let gone = gone.chain(emptied.filter(|body| !body.nodes().contains(&node)));
        let gone = outermost(gone.filter(|part| !of_change.contains(&part.nodes().start)));
        if gone.is_empty() {
            return None;
        }
        let mut all = change.proposal.clone();
        for part in gone {
            all.drops.extend(&part.drops);
            all.edit = all.edit.union(&part.edit);
            all.weight += part.weight;
            all.takes.extend(part.takes.iter().cloned());
        }
        all.signature = fingerprint(&[b"dominated", &change.proposal.signature.to_le_bytes()]);
        Some(all)
    }
}

/// The operators that are applied, and are functions whose bodies can go.
struct Operators {
    /// By part: what empties its body.
    bodies: FxHashMap<u32, Proposal>,
    /// By part: the names of others that it uses outside of that.
    used_outside: FxHashMap<u32, Vec<u32>>,
}

impl Operators {
    fn of(context: &Context, row: &[Proposal], reach: &Reach) -> Self {
        let parts = Parts::of(row);
        let around = |node: NodeId| parts.around(node).map(|(_, part)| part);
        let is_operator = |part: usize| !reach.is_named(part) && reach.is_applied(part);
        let of_operator = |body: Proposal| {
            let start = body.nodes().start;
            let part = around(start).filter(|&part| is_operator(part as usize))?;
            // What is defined apart goes as a whole.
            (start > row[part as usize].nodes().start).then_some((part, body))
        };
        let bodies = bodies(context).into_iter().filter_map(of_operator);
        let bodies: FxHashMap<u32, Proposal> = bodies.collect();
        let mut used_outside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(leaf, name) in reach.uses() {
            let part = around(leaf);
            let is_outside = |part: &u32| {
                bodies
                    .get(part)
                    .is_some_and(|body| !body.nodes().contains(&leaf))
            };
            if let Some(part) = part.filter(is_outside) {
                used_outside.entry(part).or_default().push(name);
            }
        }
        Self {
            bodies,
            used_outside,
        }
    }

    /// Whether a part is one of them, and uses none of these names outside of its body.
    fn loses_only_its_body(&self, part: u32, lost: &FixedBitSet) -> bool {
        let mut outside = self.used_outside.get(&part).into_iter().flatten();
        self.bodies.contains_key(&part) && !outside.any(|&name| lost.contains(name as usize))
    }
}

/// Those of some proposals that lie in no other, in document order.
fn outermost<'p>(proposals: impl Iterator<Item = &'p Proposal>) -> Vec<&'p Proposal> {
    let mut all: Vec<&Proposal> = proposals.collect();
    all.sort_by_key(|part| (part.nodes().start, Reverse(part.nodes().end)));
    let mut end = 0;
    all.retain(|part| {
        let nodes = part.nodes();
        let is_outer = nodes.start >= end;
        end = end.max(nodes.end);
        is_outer
    });
    all
}

/// The outermost nodes of a range.
fn roots_in(document: &Document, nodes: &Range<NodeId>) -> impl Iterator<Item = NodeId> {
    let end = nodes.end;
    let first = (nodes.start < end).then_some(nodes.start);
    iter::successors(first, move |&node| {
        Some(document.node(node).end_id).filter(|&next| next < end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{
        Grain,
        testing::{results, sample},
    };

    /// What is left after each proposal that frees so many tokens.
    fn left(language: &str, text: &str, least: u32) -> Vec<String> {
        let grain = Grain {
            least,
            part: 100,
            ..Grain::default()
        };
        let context = sample(language, text).with_grain(grain);
        let left = results(context.document(), &dominated(&context));
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        left.into_iter().map(words).collect()
    }

    #[test]
    fn an_applied_operator_that_loses_a_name_in_its_body_loses_that_alone() {
        let text = "int f(); struct a { }; a operator+(a b, int) { f(); return b; } a operator-(a b, int) { f(); return b; } \
            int main() { a c; c + 1; }";
        let context = sample("cpp", text);
        let row = rows::declarations(context.document(), context.units(), 100);
        let row: Vec<Proposal> = row.into_iter().filter(|part| part.weight > 1).collect();
        let reach = Reach::of(&context, &row);
        let operators = Operators::of(&context, &row, &reach);
        let loses_only_its_body = |gone: u32| -> Vec<u32> {
            let lost = reach.lost(&[gone]);
            let parts = 0..u32::try_from(row.len()).unwrap();
            parts
                .filter(|&part| operators.loses_only_its_body(part, &lost))
                .collect()
        };
        assert_eq!(loses_only_its_body(0), [2]);
        assert!(loses_only_its_body(1).is_empty());
    }

    #[test]
    fn a_statement_goes_with_all_that_only_it_uses() {
        let text = "int a() { return 1; } int b() { return a(); } int c; int main() { b(); c = 2; return c; }";
        let found = left("cpp", text, 20);
        assert!(
            found.contains(&String::from("int c; int main() { c = 2; return c; }")),
            "{found:?}"
        );
    }

    #[test]
    fn an_expression_goes_with_the_variables_that_only_it_uses() {
        let text = "int a() { return 1; } struct s { int t; int u; }; int main() { s v; int w = a(); v.t = 3; return v.u + w; }";
        let found = left("cpp", text, 5);
        let wanted = "struct s { int t; int u; }; int main() { s v; v.t = 3; return v.u; }";
        assert!(found.contains(&String::from(wanted)), "{found:?}");
    }

    #[test]
    fn a_parameter_keeps_what_stands_around_its_name() {
        let text =
            "struct s { s(const s &a) { f(a.b); } int b; void f(int); }; int main() { return 0; }";
        let found = left("cpp", text, 5);
        let is_kept = |left: &String| !left.contains("s(const s )");
        assert!(!found.is_empty() && found.iter().all(is_kept), "{found:?}");
    }

    #[test]
    fn what_others_use_stays() {
        let text =
            "int a() { return 1; } int b() { return a(); } int main() { b(); a(); return 0; }";
        let found = left("cpp", text, 14);
        assert!(
            found.contains(&String::from(
                "int a() { return 1; } int main() { a(); return 0; }"
            )),
            "{found:?}"
        );
        let is_whole = |left: &String| !left.contains("a();") || left.contains("int a()");
        assert!(found.iter().all(is_whole), "{found:?}");
    }

    #[test]
    fn what_a_member_that_is_defined_apart_uses_is_needed() {
        let text = "struct a { int operator()(); } b; int f(); int a::operator()() { return f(); } \
            int g() { return f(); } int main() { g(); b(); return 0; }";
        let found = left("cpp", text, 14);
        let wanted = "struct a { int operator()(); } b; int f(); int a::operator()() { return f(); } int main() { b(); return 0; }";
        assert!(found.contains(&String::from(wanted)), "{found:?}");
    }

    #[test]
    fn what_only_names_of_each_other_reach_is_reached_where_it_stands() {
        let used = "if (int i = a()) b(i); if (int i = c.d) b(i);";
        let text = format!(
            "int a(); int b(int); struct s {{ int d; }} c; int e() {{ return c.d; }} int main() {{ {used} e(); return 0; }}"
        );
        let found = left("cpp", &text, 5);
        let is_whole = |left: &String| !left.contains("= c.d") || left.contains("int d;");
        assert!(
            !found.is_empty() && found.iter().all(is_whole),
            "{found:#?}"
        );
    }

    #[test]
    fn a_type_keeps_its_body() {
        let text = "struct a { int b, c; }; struct d : a { int e; }; enum f { g, h }; f i; \
            int j(a k) { return k.b + k.c + g; } int main() { d l; return j(l) + i; }";
        let found = left("cpp", text, 4);
        let is_whole = |left: &String| {
            (!left.contains(": a") || left.contains("struct a {"))
                && (!left.contains("f i") || left.contains("enum f {"))
        };
        assert!(
            !found.is_empty() && found.iter().all(is_whole),
            "{found:#?}"
        );
    }

    #[test]
    fn an_assertion_goes_with_what_it_is_about() {
        let text = "namespace n { struct s { int a, b, c; }; static_assert(sizeof(s)); } int main() { n::s x; return 0; }";
        let found = left("cpp", text, 10);
        assert!(
            found.contains(&String::from("namespace n { } int main() { return 0; }")),
            "{found:?}"
        );
    }

    #[test]
    fn what_may_stand_for_a_body_takes_the_place_of_one() {
        let text = "class A { static int f() { return g() + g(); } static int g() { return 1; } } class B { int h() { return A.f(); } }";
        let found = left("java", text, 5);
        let wanted =
            "class A { static int f() {throw null;} } class B { int h() { return A.f(); } }";
        assert!(found.contains(&String::from(wanted)), "{found:#?}");
    }

    #[test]
    fn what_a_type_needs_goes_with_it_only() {
        let text = "abstract class A { abstract m(): number; } function f() { return 1; } class B extends A { constructor() { super(); } \
            m() { return f() + f(); } n() { return new this.constructor(this.m()); } } new B();";
        let found = left("typescript", text, 5);
        let is_whole = |left: &String| !left.contains("class B") || left.contains("m() {");
        assert!(
            !found.is_empty() && found.iter().all(is_whole),
            "{found:#?}"
        );
        // What the constructor reaches is reached, although only a part that is reached from nowhere names it.
        let text = "function f() { return [1, 2, 3]; } function g() { return f(); } class A { constructor() { f(); g(); } \
            n() { return new this.constructor(); } } new A();";
        let found = left("typescript", text, 5);
        assert!(
            found
                .iter()
                .all(|left| !left.contains("f();") || left.contains("function f")),
            "{found:#?}"
        );
    }
}
