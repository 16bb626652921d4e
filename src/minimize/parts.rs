//! How the ddmin family divides a list: into a number of consecutive parts of near-equal length.

use super::runs::Runs;

/// Part `index` of the `count` parts of `list`; lengths differ by one at most. Cost: `O(log n)`.
pub(super) fn part(list: &Runs, count: usize, index: usize) -> Runs {
    list.slice(boundary(list.len(), count, index)..boundary(list.len(), count, index + 1))
}

/// The place of `index` in a walk over `count` parts from the last to the first, or just `index`.
pub(super) fn turn(backward: bool, count: usize, index: usize) -> usize {
    if backward { count - 1 - index } else { index }
}

/// Where part `index` begins. The product is taken apart so that it cannot overflow.
fn boundary(len: usize, count: usize, index: usize) -> usize {
    let (quotient, remainder) = (len / count, len % count);
    quotient * index + remainder * index / count
}
