//! The successes of a run, each with what it changed: for the report and for who looks at the screen.

use std::sync::Arc;

use super::change::Change;

/// One success.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// Seconds since the start of the run.
    pub(super) seconds: f64,
    /// Queries so far.
    pub(super) queries: u64,
    /// The pass that found it.
    pub(super) pass: &'static str,
    /// The file that became smaller.
    pub(super) name: Arc<str>,
    /// Its size before and after.
    pub(super) bytes: [usize; 2],
    /// The line in which the change begins, from 1.
    pub(super) line: usize,
    /// The lines that changed, before and after; their beginnings if they are long.
    pub(super) lines: [Vec<u8>; 2],
    /// How many bytes of these lines are not there.
    pub(super) cut: [usize; 2],
}

/// So many bytes of the lines are kept for each success.
const KEPT: usize = 4 << 10;
/// So many successes are kept; of more, those that brought least go.
const MOST: usize = 500;

/// The successes so far, and the text that the next one is compared with.
#[derive(Debug, Default)]
pub(super) struct Marks {
    kept: Vec<Mark>,
    /// The last one, also if it brought little.
    last: Option<Mark>,
    count: usize,
    name: Arc<str>,
    best: Arc<[u8]>,
    size: usize,
}

impl Marks {
    /// From now on it is this text that gets smaller.
    pub(super) fn begin(&mut self, name: &str, text: &Arc<[u8]>, size: usize) {
        self.name = name.into();
        self.best = Arc::clone(text);
        self.size = size;
    }

    /// What the next candidate differs from.
    pub(super) fn best(&self) -> &Arc<[u8]> {
        &self.best
    }

    /// A success.
    pub(super) fn add(
        &mut self,
        pass: &'static str,
        text: &Arc<[u8]>,
        size: usize,
        seconds: f64,
        queries: u64,
    ) {
        let change = Change::between(&self.best, text);
        let lines = change.in_lines(&self.best, text);
        let (old, new) = (&self.best[lines.old], &text[lines.new]);
        let short = |lines: &[u8]| lines[..lines.len().min(KEPT)].to_vec();
        let mark = Mark {
            seconds,
            queries,
            pass,
            name: Arc::clone(&self.name),
            bytes: [self.size, size],
            line: change.line(&self.best),
            lines: [short(old), short(new)],
            cut: [
                old.len().saturating_sub(KEPT),
                new.len().saturating_sub(KEPT),
            ],
        };
        self.count += 1;
        self.last = Some(mark.clone());
        self.kept.push(mark);
        if self.kept.len() > 2 * MOST {
            self.thin();
        }
        self.best = Arc::clone(text);
        self.size = size;
    }

    /// The last success.
    pub(super) fn last(&self) -> Option<&Mark> {
        self.last.as_ref()
    }

    /// How many there were.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Those that brought most, in their order.
    pub(super) fn largest(&self) -> Vec<&Mark> {
        let mut by_size: Vec<usize> = (0..self.kept.len()).collect();
        by_size.sort_by_key(|&index| std::cmp::Reverse(self.kept[index].gone()));
        by_size.truncate(MOST);
        by_size.sort_unstable();
        by_size.into_iter().map(|index| &self.kept[index]).collect()
    }

    fn thin(&mut self) {
        self.kept = self.largest().into_iter().cloned().collect();
    }
}

impl Mark {
    /// By how much the file became smaller.
    pub(super) fn gone(&self) -> usize {
        self.bytes[0].saturating_sub(self.bytes[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_has_the_lines_that_it_changed() {
        let mut marks = Marks::default();
        marks.begin("a.c", &b"int a;\nint b, c;\nint d;\n"[..].into(), 24);
        marks.add(
            "units",
            &Arc::from(&b"int a;\nint b;\nint d;\n"[..]),
            21,
            1.0,
            7,
        );
        let mark = marks.last().unwrap();
        assert_eq!(mark.lines, [b"int b, c;".to_vec(), b"int b;".to_vec()]);
        assert_eq!((mark.line, mark.gone(), mark.queries), (2, 3, 7));
    }

    #[test]
    fn the_largest_of_many_stay() {
        let mut marks = Marks::default();
        marks.begin("a", &Arc::default(), 100_000);
        for index in 0..5000_usize {
            let size = 100_000 - 10 * index - usize::from(index == 7) * 5;
            marks.add("units", &Arc::from(&b""[..]), size, 0.0, 0);
        }
        assert_eq!(marks.count(), 5000);
        let largest = marks.largest();
        assert_eq!(largest.len(), MOST);
        assert!(largest.iter().any(|mark| mark.gone() == 15));
        assert_eq!(marks.last().unwrap().bytes[1], 100_000 - 49_990);
    }
}
