//! The list minimisers as their papers write them down, on plain vectors: slow, and short enough to be seen to be right.
//!
//! `ask` is the property ψ: whether these elements alone are interesting. Ties, which the papers leave open, go to the input's order
//! and to the longer prefix.

/// Asks about a subset.
pub(crate) type Ask<'a> = &'a mut dyn FnMut(&[usize]) -> bool;
/// Elements, their weights, ψ; gives what is left.
pub(crate) type Reference = Box<dyn Fn(Vec<usize>, &[u32], Ask<'_>) -> Vec<usize>>;

/// So many parts of near-equal length.
fn divide(list: &[usize], parts: usize) -> Vec<Vec<usize>> {
    let bound = |part: usize| part * list.len() / parts;
    (0..parts)
        .map(|part| list[bound(part)..bound(part + 1)].to_vec())
        .collect()
}

fn without(list: &[usize], gone: &[usize]) -> Vec<usize> {
    list.iter()
        .copied()
        .filter(|element| !gone.contains(element))
        .collect()
}

/// Zeller and Hildebrandt 2002, figure 2.1 of the dissertation; `split` instead of 2 is Kiss 2018, without subsets Hodován and Kiss 2016.
pub(crate) fn ddmin(mut c: Vec<usize>, subsets: bool, split: usize, ask: Ask<'_>) -> Vec<usize> {
    let mut n = split;
    'again: while !c.is_empty() {
        n = n.min(c.len());
        let parts = divide(&c, n);
        for part in parts.iter().filter(|_| subsets && n > 1) {
            if ask(part) {
                c.clone_from(part);
                n = split;
                continue 'again;
            }
        }
        for part in &parts {
            let complement = without(&c, part);
            if ask(&complement) {
                c = complement;
                n = (n - 1).max(2);
                continue 'again;
            }
        }
        if n == c.len() {
            break;
        }
        n *= split;
    }
    c
}

/// Gharachorlu and Sumner 2018: goes on with the next part after a success.
pub(crate) fn opdd(mut c: Vec<usize>, split: usize, ask: Ask<'_>) -> Vec<usize> {
    let mut n = split;
    while !c.is_empty() {
        n = n.min(c.len());
        let (whole, parts) = (c.len(), divide(&c, n));
        let mut left = n;
        for part in parts {
            let complement = without(&c, &part);
            if ask(&complement) {
                c = complement;
                left -= 1;
            }
        }
        if n == whole {
            break;
        }
        n = left * split;
    }
    c
}

/// Dissertation, chapter 6: windows of complements of one list; the interesting ones F are combined.
pub(crate) fn greeddy(mut c: Vec<usize>, window: usize, ask: Ask<'_>) -> Vec<usize> {
    let mut n = 2;
    'again: while !c.is_empty() {
        n = n.min(c.len());
        let parts = divide(&c, n);
        for tested in parts.chunks(window) {
            let f: Vec<&Vec<usize>> = tested
                .iter()
                .filter(|part| ask(&without(&c, part)))
                .collect();
            if f.is_empty() {
                continue;
            }
            let all = f.iter().fold(c.clone(), |rest, part| without(&rest, part));
            if f.len() > 1 && ask(&all) {
                c = all;
                n = n.saturating_sub(f.len()).max(2);
                continue 'again;
            }
            let mut taken = 1;
            c = without(&c, f[0]);
            for part in &f[1..] {
                let more = without(&c, part);
                // All together have just been refused.
                if taken + 1 < f.len() && ask(&more) {
                    c = more;
                    taken += 1;
                }
            }
            n = n.saturating_sub(taken).max(2);
            continue 'again;
        }
        if n == c.len() {
            break;
        }
        n *= 2;
    }
    c
}

/// Zhou et al. 2025, algorithm 1; its worked example divides before the first question.
pub(crate) fn wddmin(l: Vec<usize>, weights: &[u32], subsets: bool, ask: Ask<'_>) -> Vec<usize> {
    let mut partitions = weighted_partition(std::slice::from_ref(&l), weights);
    let mut l_min = l;
    'again: while !partitions.is_empty() {
        // A partition that is all that is left is known to be interesting.
        let alone = partitions
            .iter()
            .filter(|ptn| subsets && ptn.len() < l_min.len());
        for ptn in alone {
            if ask(ptn) {
                l_min.clone_from(ptn);
                partitions = weighted_partition(std::slice::from_ref(&l_min), weights);
                continue 'again;
            }
        }
        for place in 0..partitions.len() {
            let complement = without(&l_min, &partitions[place]);
            if ask(&complement) {
                l_min = complement;
                partitions.remove(place);
                continue 'again;
            }
        }
        partitions = weighted_partition(&partitions, weights);
    }
    // ensureOneMinimal
    let mut place = 0;
    while place < l_min.len() {
        let complement = without(&l_min, &[l_min[place]]);
        if ask(&complement) {
            l_min = complement;
            place = 0;
        } else {
            place += 1;
        }
    }
    l_min
}

fn weighted_partition(partitions: &[Vec<usize>], weights: &[u32]) -> Vec<Vec<usize>> {
    let sum = |part: &[usize]| {
        part.iter()
            .map(|&element| i64::from(weights[element]))
            .sum::<i64>()
    };
    let mut result = Vec::new();
    for ptn in partitions.iter().filter(|ptn| ptn.len() > 1) {
        let uneven = |&cut: &usize| (sum(&ptn[..cut]) - sum(&ptn[cut..])).abs();
        let cut = (1..ptn.len()).min_by_key(uneven).unwrap_or(1);
        result.extend([ptn[..cut].to_vec(), ptn[cut..].to_vec()]);
    }
    result
}

/// Gains that differ by less than rounding does are equal.
const ALMOST_ONE: f64 = 1.0 - 1e-12;

/// Wang et al. 2021: WProbDD with equal weights.
pub(crate) fn probdd(l: Vec<usize>, p0: f64, ask: Ask<'_>) -> Vec<usize> {
    let weights = vec![1; l.len()];
    wprobdd(l, &weights, p0, ask)
}

/// Zhou et al. 2025, algorithm 2.
pub(crate) fn wprobdd(l: Vec<usize>, weights: &[u32], p0: f64, ask: Ask<'_>) -> Vec<usize> {
    let mut probs = vec![p0; l.len()];
    let mut l_min = l;
    loop {
        let value = |&element: &usize| f64::from(weights[element]) * (1.0 - probs[element]);
        let mut l_sorted: Vec<usize> = l_min
            .iter()
            .copied()
            .filter(|&element| probs[element] < 1.0)
            .collect();
        if l_sorted.is_empty() {
            return l_min;
        }
        // Sorting keeps the order of equal ones.
        l_sorted.sort_by(|one, other| value(other).total_cmp(&value(one)));
        let (mut weight, mut all_go, mut gain_max, mut size) = (0.0, 1.0, 0.0, 0);
        for (place, &element) in l_sorted.iter().enumerate() {
            weight += f64::from(weights[element]);
            all_go *= 1.0 - probs[element];
            if weight * all_go >= gain_max * ALMOST_ONE {
                gain_max = f64::max(gain_max, weight * all_go);
                size = place + 1;
            }
        }
        let ptn = &l_sorted[..size];
        let complement = without(&l_min, ptn);
        if ask(&complement) {
            l_min = complement;
            continue;
        }
        let all_go: f64 = ptn.iter().map(|&element| 1.0 - probs[element]).product();
        for &element in ptn {
            probs[element] = if ptn.len() == 1 {
                1.0
            } else {
                probs[element] / (1.0 - all_go)
            };
        }
    }
}

/// Zhang et al. 2025, algorithm 2.
pub(crate) fn cdd(mut l: Vec<usize>, p0: f64, ask: Ask<'_>) -> Vec<usize> {
    let mut p = p0;
    loop {
        let gain = |s: i32| f64::from(s) * (1.0 - p).powi(s);
        let is_better = |s, best| p < 1.0 && gain(s) >= gain(best) * ALMOST_ONE;
        let s = (2..=200).fold(1, |best, s| if is_better(s, best) { s } else { best });
        for subset in l.clone().chunks(usize::try_from(s).unwrap_or(1)) {
            let rest = without(&l, subset);
            if ask(&rest) {
                l = rest;
            }
        }
        if s == 1 {
            return l;
        }
        p *= 1.582;
    }
}
