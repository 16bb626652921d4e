//! Blocks that follow an edit: each ends with one jump to blocks that are there, and each `phi` names the blocks that jump to it.

use super::{
    names::renamed,
    text::{Block, Function, Line, names, parts},
};
use crate::syntax::StaticSingle;
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes the blocks of a function whole. With a label its block goes; what falls off the end of a block goes on to the next one; a
/// jump to a block that has gone goes where that one did nothing but jump to, or loses the target; with its last jump a block goes;
/// a `phi` loses and gets entries. Cost: linear, and in the jumps that follow each other for each jump to what has gone.
pub(super) fn follow(before: &Function, function: &mut Function, facts: &StaticSingle) {
    let entry = before.entry();
    end_blocks(function, facts);
    let ways = jump_on(before, function);
    drop_targets(function);
    let reached_before = reached(before, &entry);
    let reached = reached(function, &entry);
    let mut is_first = true;
    function.blocks.retain(|block| {
        let name = block.name().unwrap_or(&entry);
        let stays = std::mem::take(&mut is_first) || reached.contains(name);
        stays || !reached_before.contains(name)
    });
    drop_targets(function);
    mend_phis(function, &entry, &ways, facts);
}

/// By a block and one that it jumps to: the last block on the way that has gone.
type Ways = FxHashMap<(Vec<u8>, Vec<u8>), Vec<u8>>;

/// Ends each block with the first of its jumps, or with one to the next block.
fn end_blocks(function: &mut Function, facts: &StaticSingle) {
    let names: Vec<Option<Vec<u8>>> = function
        .blocks
        .iter()
        .map(|block| block.name().map(<[u8]>::to_vec))
        .collect();
    for (place, block) in function.blocks.iter_mut().enumerate() {
        let is_end = |line: &Line| line.ends_block(facts);
        if let Some(end) = block.lines.iter().position(is_end) {
            block.lines.truncate(end + 1);
            continue;
        }
        block.lines.push(match names.get(place + 1) {
            Some(Some(next)) => jump(next),
            _ => Line::new(b"unreachable"),
        });
    }
}

fn jump(to: &[u8]) -> Line {
    Line::new(&[b"br label %", to].concat())
}

/// Puts in the place of targets that have gone those that they did nothing but jump to.
fn jump_on(before: &Function, function: &mut Function) -> Ways {
    let next_of = |block: &Block| {
        let [jump] = block.lines.as_slice() else {
            return None;
        };
        let only_target = <[&[u8]; 1]>::try_from(targets(jump)).ok();
        let [target] = only_target.filter(|_| jump.operation() == b"br")?;
        Some((block.name()?.to_vec(), target.to_vec()))
    };
    let next: FxHashMap<Vec<u8>, Vec<u8>> = before.blocks.iter().filter_map(next_of).collect();
    let mut ways = Ways::default();
    if next.is_empty() {
        return ways;
    }
    let labels = labels(function);
    let way = |gone: &[u8]| {
        let mut last = Some(gone).filter(|gone| !labels.contains(*gone))?;
        for _ in 0..next.len() {
            let target = next.get(last)?;
            if labels.contains(target) {
                return Some((last.to_vec(), target.clone()));
            }
            last = target;
        }
        None
    };
    let entry = before.entry();
    for block in &mut function.blocks {
        let from = block.name().unwrap_or(&entry).to_vec();
        let Some(end) = block.lines.last_mut() else {
            continue;
        };
        let gone = targets(end).into_iter();
        let found: FxHashMap<Vec<u8>, (Vec<u8>, Vec<u8>)> = gone
            .filter_map(|gone| Some((gone.to_vec(), way(gone)?)))
            .collect();
        if found.is_empty() {
            continue;
        }
        end.0 = renamed(&end.0, |name| {
            let (_, target) = found.get(name)?;
            Some([b"%", target.as_slice()].concat())
        });
        for (last, target) in found.into_values() {
            ways.insert((from.clone(), target), last);
        }
    }
    ways
}

/// The names of the blocks that have a label.
fn labels(function: &Function) -> FxHashSet<Vec<u8>> {
    let names = function.blocks.iter().filter_map(Block::name);
    names.map(<[u8]>::to_vec).collect()
}

/// Takes the targets that are not there out of all jumps; a branch without one leads nowhere.
fn drop_targets(function: &mut Function) {
    let labels = labels(function);
    for block in &mut function.blocks {
        let Some(end) = block.lines.last() else {
            continue;
        };
        let targets = targets(end);
        if targets.is_empty() && end.operation() == b"br" {
            block.lines.pop();
            block.lines.push(Line::new(b"unreachable"));
            continue;
        }
        let (there, gone): (Vec<&[u8]>, Vec<&[u8]>) =
            targets.iter().partition(|target| labels.contains(**target));
        if gone.is_empty() {
            continue;
        }
        let instead = match (end.operation(), there.as_slice()) {
            (_, []) => vec![Line::new(b"unreachable")],
            (b"br", [target, ..]) => vec![jump(target)],
            (b"switch", _) => vec![smaller_switch(end, &labels)],
            (b"indirectbr", there) => indirect(end, there),
            (b"invoke", [target]) if targets[0] == *target => call_and_jump(end, target),
            _ => vec![Line::new(b"unreachable")],
        };
        block.lines.pop();
        block.lines.extend(instead);
    }
}

/// The names of the blocks that an instruction jumps to, in order.
fn targets(line: &Line) -> Vec<&[u8]> {
    let code = line.code();
    let is_target = |at: usize| code[..at].trim_ascii_end().ends_with(b"label");
    names(code)
        .into_iter()
        .filter(|range| is_target(range.start))
        .map(|range| &code[range.start + 1..range.end])
        .collect()
}

/// A switch without the cases whose blocks have gone; the first that is left is the default, if that has gone, and the only one is
/// where to jump.
fn smaller_switch(line: &Line, labels: &FxHashSet<Vec<u8>>) -> Line {
    let code = line.code();
    let found = names(code)
        .into_iter()
        .filter(|range| code[..range.start].trim_ascii_end().ends_with(b"label"));
    let ends: Vec<usize> = found.map(|range| range.end).collect();
    let is_there = |part: &[u8]| {
        let name = names(part)
            .pop()
            .map(|range| part[range.start + 1..].to_vec());
        name.is_some_and(|name| labels.contains(&name))
    };
    let [default, ends @ ..] = ends.as_slice() else {
        return line.clone();
    };
    // An edit may have taken the bracket, or have left one only behind some of the cases.
    let until = ends.first().map_or(code.len(), |end| *end);
    let open = code[*default..until].iter().position(|&byte| byte == b'[');
    let mut start = open.map_or(*default, |open| default + open + 1);
    let mut cases: Vec<&[u8]> = Vec::new();
    for &end in ends {
        cases.extend(Some(code[start..end].trim_ascii()).filter(|case| is_there(case)));
        start = end;
    }
    let mut head = code[..*default].to_vec();
    if !is_there(&head) && !cases.is_empty() {
        let first = cases.remove(0);
        let name = names(first).pop().map_or(&b""[..], |range| &first[range]);
        let place = names(&head).pop().map_or(head.len(), |range| range.start);
        head.splice(place.., name.iter().copied());
    }
    if cases.is_empty() {
        let name = names(&head)
            .pop()
            .map_or(&b""[..], |range| &head[range.start + 1..]);
        return jump(name);
    }
    Line::new(&[&head, &b" [ "[..], &cases.join(&b"\n"[..]), b" ]"].concat())
}

/// A jump to an address with these targets only.
fn indirect(line: &Line, there: &[&[u8]]) -> Vec<Line> {
    let code = line.code();
    let Some(open) = code.iter().position(|&byte| byte == b'[') else {
        return vec![line.clone()];
    };
    let targets: Vec<Vec<u8>> = there
        .iter()
        .map(|target| [b"label %", *target].concat())
        .collect();
    let list = targets.join(&b", "[..]);
    vec![Line::new(&[&code[..=open], &list, b"]"].concat())]
}

/// A call in the place of an invocation that goes on at `target`.
fn call_and_jump(line: &Line, target: &[u8]) -> Vec<Line> {
    let code = line.code();
    let find = |word: &[u8]| code.windows(word.len()).position(|text| text == word);
    let (Some(start), Some(end)) = (find(b"invoke"), find(b"to label")) else {
        return vec![line.clone()];
    };
    let Some(called) = code.get(start + 6..end) else {
        return vec![line.clone()];
    };
    let call = [&code[..start], b"call", called].concat();
    vec![Line::new(call.trim_ascii_end()), jump(target)]
}

/// The names of the blocks that the first one leads to, with itself.
fn reached(function: &Function, entry: &[u8]) -> FxHashSet<Vec<u8>> {
    let name = |block: &Block| block.name().unwrap_or(entry).to_vec();
    let blocks: FxHashMap<Vec<u8>, &Block> = function
        .blocks
        .iter()
        .map(|block| (name(block), block))
        .collect();
    let mut due: Vec<Vec<u8>> = function.blocks.first().map(name).into_iter().collect();
    let mut reached: FxHashSet<Vec<u8>> = due.iter().cloned().collect();
    while let Some(block) = due.pop() {
        let Some(end) = blocks.get(&block).and_then(|block| block.lines.last()) else {
            continue;
        };
        for target in targets(end) {
            if reached.insert(target.to_vec()) {
                due.push(target.to_vec());
            }
        }
    }
    reached
}

/// Gives each `phi` an entry for each jump to its block, and no other; one that stands behind something else goes, and its only value
/// takes its place.
fn mend_phis(function: &mut Function, entry: &[u8], ways: &Ways, facts: &StaticSingle) {
    let mut from: FxHashMap<Vec<u8>, Vec<Vec<u8>>> = FxHashMap::default();
    for block in &function.blocks {
        let name = block.name().unwrap_or(entry);
        for target in block.lines.last().map(targets).unwrap_or_default() {
            from.entry(target.to_vec()).or_default().push(name.to_vec());
        }
    }
    let mut values: FxHashMap<Vec<u8>, Vec<u8>> = FxHashMap::default();
    for block in &mut function.blocks {
        let name = block.name().unwrap_or(entry).to_vec();
        let from = from.get(&name).map_or(&[][..], Vec::as_slice);
        let way = |from: &[u8]| ways.get(&(from.to_vec(), name.clone())).map(Vec::as_slice);
        let mut is_head = true;
        let lines = std::mem::take(&mut block.lines).into_iter();
        let mended = lines.filter_map(|line| {
            if line.operation() != b"phi" {
                is_head = false;
                return Some(line);
            }
            if is_head {
                return mended_phi(line, from, way, facts);
            }
            values.extend(only_value(&line));
            None
        });
        block.lines = mended.collect();
    }
    put_values(function, &values);
}

/// The name of a `phi` and its value, if it has only one.
fn only_value(line: &Line) -> Option<(Vec<u8>, Vec<u8>)> {
    let (_, entries) = entries(line)?;
    let [(value, _)] = entries.as_slice() else {
        return None;
    };
    Some((line.value()?.to_vec(), value.clone()))
}

/// Puts values in the place of the names that they had.
fn put_values(function: &mut Function, values: &FxHashMap<Vec<u8>, Vec<u8>>) {
    if values.is_empty() {
        return;
    }
    let value_of = |name: &[u8]| {
        let mut value = values.get(name)?;
        for _ in 0..values.len() {
            let next = value.strip_prefix(b"%").and_then(|name| values.get(name));
            value = next.unwrap_or(value);
        }
        Some(value.clone())
    };
    for block in &mut function.blocks {
        for line in &mut block.lines {
            line.0 = renamed(&line.0, value_of);
        }
    }
}

/// The value of a `phi` for a block, and the block's name.
type Entry = (Vec<u8>, Vec<u8>);

/// The place in the code of a `phi` where its entries begin, and these.
fn entries(line: &Line) -> Option<(usize, Vec<Entry>)> {
    let code = line.code();
    let is_entry = |part: &[u8]| part.ends_with(b"]") && parts(inside(part)).len() == 2;
    // The type stands before the first entry, without a comma.
    let start = (0..code.len()).find(|&at| {
        code[at] == b'['
            && parts(&code[at..])
                .into_iter()
                .all(|part| is_entry(code[at..][part].trim_ascii()))
    })?;
    let entries = parts(&code[start..]).into_iter().map(|part| {
        let entry = inside(code[start..][part].trim_ascii());
        let parts = parts(entry);
        let block = entry[parts[1].clone()].trim_ascii();
        (
            entry[parts[0].clone()].trim_ascii().to_vec(),
            block.strip_prefix(b"%").unwrap_or(block).to_vec(),
        )
    });
    Some((start, entries.collect()))
}

/// A `phi` with entries for the jumps that come from these blocks; `None` if there are none. The value of an entry that has gone
/// stands for a jump that is new: that of the block on the `way` of the jump, or any.
fn mended_phi<'w>(
    line: Line,
    from: &[Vec<u8>],
    way: impl Fn(&[u8]) -> Option<&'w [u8]>,
    facts: &StaticSingle,
) -> Option<Line> {
    let (start, entries) = entries(&line)?;
    let mut due = from.to_vec();
    let (mut kept, mut free) = (Vec::new(), Vec::new());
    for (value, block) in &entries {
        match due.iter().position(|from| from == block) {
            Some(place) => kept.push((value.clone(), due.remove(place))),
            None => free.push(value.clone()),
        }
    }
    if due.is_empty() && free.is_empty() {
        return Some(line);
    }
    let mut free = free.into_iter();
    for block in due {
        let of = |known: &[u8]| entries.iter().find(|(_, from)| from == known);
        let same = kept.iter().find(|(_, from)| *from == block);
        let value = same.or_else(|| way(&block).and_then(of));
        let value = value.map(|(value, _)| value.clone());
        let value = value.or_else(|| free.next());
        kept.push((
            value.unwrap_or_else(|| facts.lost.as_bytes().to_vec()),
            block,
        ));
    }
    let entries = kept
        .iter()
        .map(|(value, block)| [b"[ ", value.as_slice(), b", %", block, b" ]"].concat());
    let entries: Vec<Vec<u8>> = entries.collect();
    let head = &line.code()[..start];
    (!entries.is_empty()).then(|| Line::new(&[head, &entries.join(&b", "[..])].concat()))
}

/// What stands in the brackets around a text.
fn inside(text: &[u8]) -> &[u8] {
    text.get(1..text.len().saturating_sub(1))
        .unwrap_or_default()
}
