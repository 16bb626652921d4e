//! Lists side by side: the i-th element of each goes with the i-th of the others.
//!
//! The columns of an `INSERT` and the values of its rows, the two sides of `a, b = c, d`, the rows of a table: where such lists
//! have to be equally long, no element goes alone.

use super::{Context, Proposal, arguments::removal, elements::Place};
use crate::syntax::{Document, NodeId};
use std::collections::BTreeMap;

/// For every node: each place in all equally long lists below it, and in its own row, where elements with commas between them
/// stand. Cost: linear.
pub fn columns(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let parents = document.ids().filter(|&id| !document.is_leaf(id));
    let groups = parents.flat_map(|parent| groups(document, parent));
    groups
        .flat_map(|lists| each_place(document, &lists))
        .collect()
}

/// The lists of one length of a node and its children, for each length that two or more of them have.
fn groups(document: &Document, parent: NodeId) -> Vec<Vec<Vec<Place>>> {
    let children = document
        .children(parent)
        .filter(|&child| !document.is_leaf(child));
    let below: Vec<Vec<Place>> = children.filter_map(|child| list(document, child)).collect();
    if below.is_empty() {
        return Vec::new();
    }
    // Where the lists are the elements, they are rows.
    let are_rows = |own: &Vec<Place>| own.iter().any(|&(.., node)| list(document, node).is_some());
    let own = list(document, parent).filter(|own| !are_rows(own));
    let mut by_length: BTreeMap<usize, Vec<Vec<Place>>> = BTreeMap::new();
    for list in own.into_iter().chain(below) {
        by_length.entry(list.len()).or_default().push(list);
    }
    by_length
        .into_values()
        .filter(|lists| lists.len() > 1)
        .collect()
}

fn each_place(document: &Document, lists: &[Vec<Place>]) -> Vec<Proposal> {
    let places = 0..lists[0].len();
    let at = |place: usize| lists.iter().map(|list| list[place]).collect::<Vec<_>>();
    places
        .filter_map(|place| removal(document, &at(place)))
        .collect()
}

/// The first run of elements with commas between them in the row of a node, if there are two or more.
fn list(document: &Document, node: NodeId) -> Option<Vec<Place>> {
    let row = document.row(node);
    let is_comma = |place: usize| {
        row.get(place)
            .is_some_and(|&child| document.text(child) == b",")
    };
    let is_element = |place: usize| {
        row.get(place)
            .is_some_and(|&child| document.node(child).is_named())
    };
    let first = (1..row.len()).find(|&place| is_comma(place) && is_element(place - 1))? - 1;
    let mut last = first;
    while is_comma(last + 1) && is_element(last + 2) {
        last += 2;
    }
    let place = |place: usize| Some((node, u32::try_from(place).ok()?, row[place]));
    (last > first).then(|| (first..=last).step_by(2).filter_map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_place_goes_from_all_lists_side_by_side() {
        for (language, text, wanted) in [
            ("python", "a, b, c = d, e, f", "a,  c = d,  f"),
            ("javascript", "var [a, b] = [c, d];", "var [ b] = [ d];"),
            (
                "c",
                "int a[2][2] = {{1, 2}, {3, 4}};",
                "int a[2][2] = {{1}, {3}};",
            ),
            (
                "sql",
                "insert into t (a, b) values (1, 2), (3, 4);",
                "insert into t ( b) values ( 2), ( 4);",
            ),
        ] {
            assert_offers(language, text, wanted, columns);
        }
    }
}
