//! Which parts of a document others reach by names: what is left when all but that goes is mostly a program still.
//!
//! A part reaches the parts that declare a name that it uses, all overloads and all specialisations of it. What is declared in the
//! body of a class is reached through the class, so a name behind a dot ties nothing together: words like `size` or `value` would
//! tie the whole of a library. A part that declares nothing by a name (an operator, a specialisation of something in brackets, an
//! assertion) comes along when all that it mentions does. Union of closures as in Kalhauge and Palsberg, "Binary reduction of
//! dependency graphs" (2019), over an approximation by names alone.

use super::{Context, Proposal, dependencies::Parts, names::Declaration};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// What reaches what among the parts of one row.
#[derive(Debug, Default)]
pub struct Reach {
    /// By part: the names of other parts that it uses.
    used: Vec<Vec<u32>>,
    /// By part: whether it declares a name for others.
    is_named: Vec<bool>,
    /// By name: the parts that declare it.
    declarers: Vec<Vec<u32>>,
}

impl Reach {
    /// Of the parts that these proposals take, which are in document order and do not overlap. Cost: linear in the
    /// document. Without declared names there is nothing to reach.
    pub fn of(context: &Context, row: &[Proposal]) -> Self {
        let (document, names) = (context.document(), context.names());
        if names.declarations.is_empty() {
            return Self::default();
        }
        let parts = Parts::of(row);
        let bodies = count_above(document, |node| is_body(document, node));
        let mut reach = Self {
            used: vec![Vec::new(); row.len()],
            is_named: vec![false; row.len()],
            declarers: vec![Vec::new(); names.texts.len()],
        };
        for declaration in &names.declarations {
            if let Some((start, part)) = parts.around(declaration.leaf)
                && is_exported(document, &bodies, start, declaration)
            {
                reach.is_named[part as usize] = true;
                reach.declarers[declaration.name as usize].push(part);
            }
        }
        let are_members = members(document, row);
        let mut used: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); row.len()];
        for (name, uses) in (0..).zip(&names.uses) {
            let declarers = &reach.declarers[name as usize];
            if declarers.is_empty() {
                continue;
            }
            let mut of_members = declarers.iter();
            let of_members = of_members.any(|&declarer| are_members[declarer as usize]);
            for &leaf in uses {
                if let Some((_, part)) = parts.around(leaf)
                    && (of_members || !is_behind_dot(document, leaf))
                    && *declarers != [part]
                {
                    used[part as usize].insert(name);
                }
            }
        }
        let sorted = |names: BTreeSet<u32>| names.into_iter().collect();
        reach.used = used.into_iter().map(sorted).collect();
        reach
    }

    /// Whether nothing is declared by a name, so that nothing reaches anything.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// All that these parts reach, themselves included, and the parts without a name that mention nothing else. Cost: linear.
    pub fn closure(&self, roots: impl Iterator<Item = usize>) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.used.len());
        let mut open: Vec<usize> = roots.collect();
        for &root in &open {
            reached.insert(root);
        }
        while let Some(part) = open.pop() {
            for &name in &self.used[part] {
                for &declarer in &self.declarers[name as usize] {
                    if !reached.put(declarer as usize) {
                        open.push(declarer as usize);
                    }
                }
            }
        }
        let is_known = |name: &u32| {
            let mut declarers = self.declarers[*name as usize].iter();
            declarers.any(|&declarer| reached.contains(declarer as usize))
        };
        let nameless = (0..self.used.len()).filter(|&part| !self.is_named[part]);
        let along: Vec<usize> = nameless
            .filter(|&part| self.used[part].iter().all(is_known))
            .collect();
        reached.extend(along);
        reached
    }
}

/// Whether a declaration is known outside of the part that begins at `start` by its name alone: it does not stand in a body there,
/// unless it is a value of an enumeration. `bodies`: by node, how many it lies in.
fn is_exported(
    document: &Document,
    bodies: &[u32],
    start: NodeId,
    declaration: &Declaration,
) -> bool {
    let is_value = || document.kind_name(declaration.declarer).contains("enum");
    let around = |node: NodeId| bodies[document.node(node).parent as usize];
    declaration.scope.start < start && (is_value() || around(declaration.leaf) == around(start))
}

/// By part: whether it is a member of something that is more than a name for what is in it.
fn members(document: &Document, row: &[Proposal]) -> Vec<bool> {
    let spaces = document
        .language()
        .map(|language| language.kinds_of(Role::Namespaces))
        .unwrap_or_default();
    let opaque = count_above(document, |node| {
        let owner = document.node(document.node(node).parent).kind;
        is_body(document, node) && !spaces.contains(&owner)
    });
    let is_member = |part: &Proposal| {
        let start = part.takes.first().map_or(0, |nodes| nodes.start);
        opaque[document.node(start).parent as usize] > 0
    };
    row.iter().map(is_member).collect()
}

/// By node: how many nodes of a sort it lies in, itself included.
fn count_above(document: &Document, is_meant: impl Fn(NodeId) -> bool) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()) {
        let above = if id == 0 {
            0
        } else {
            counts[node.parent as usize]
        };
        counts.push(above + u32::from(is_meant(id)));
    }
    counts
}

fn is_body(document: &Document, node: NodeId) -> bool {
    document.field_name(node) == Some("body")
}

/// Whether a name is that of a member of what stands before it.
fn is_behind_dot(document: &Document, leaf: NodeId) -> bool {
    let before = &document.bytes()[..document.node(leaf).range().start];
    before.ends_with(b".") || before.ends_with(b"->")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{rows, testing::sample};

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        let sample = sample("cpp", text);
        let (document, names) = (sample.document(), sample.names());
        let row = rows::row(document, names, sample.units(), 100, 100);
        let row: Vec<Proposal> = row.into_iter().filter(|part| part.weight > 1).collect();
        let last = row.len() - 1;
        let closure = Reach::of(&sample, &row).closure([last].into_iter());
        assert_eq!(closure.ones().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_part_reaches_what_it_uses_and_so_on() {
        check(
            "int a; int b = a; int c; int main() { return b; }",
            &[0, 1, 3],
        );
        check("int f(int); int f(long); int main() { f(1); }", &[0, 1, 2]);
    }

    #[test]
    fn templates_are_reached() {
        let text = "template<bool> struct cond { template<class T, class> using type = T; }; template<> struct cond<false> { template<class, class T> using type = T; }; template<bool C, class A, class B> using cond_t = typename cond<C>::template type<A, B>; int main() { cond_t<true, int, long> x; }";
        check(text, &[0, 1, 2, 3]);
        let text = "template<class T> struct a; template<class T> struct b { enum { v = a<T>::v }; }; \
            template<class T> struct a {}; struct c; int main() { b<int> x; }";
        check(text, &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn members_are_reached_through_what_they_belong_to() {
        let text = "struct a { int size; }; int size(); struct b { int size; }; int main() { a x; return x.size; }";
        check(text, &[0, 3]);
    }

    #[test]
    fn what_has_no_name_comes_along_with_all_that_it_mentions() {
        let text = "struct a {}; struct b {}; static_assert(sizeof(a)); static_assert(sizeof(b)); int main() { a x; }";
        check(text, &[0, 2, 4]);
    }
}
