//! The lines and columns that the parser wants with each place.

use tree_sitter::Point;

/// Where the lines of a text begin.
pub(super) struct Points {
    lines: Vec<usize>,
}

impl Points {
    /// Cost: linear.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|end| end + 1));
        Self {
            lines: lines.collect(),
        }
    }

    /// That of a byte. Cost: logarithmic.
    pub(super) fn point(&self, byte: usize) -> Point {
        let row = self.lines.partition_point(|&line| line <= byte) - 1;
        Point::new(row, byte - self.lines[row])
    }

    /// The end of the text, if it begins here.
    pub(super) fn end_from(&self, start: Point, length: usize) -> Point {
        let end = self.point(length);
        let column = if end.row == 0 { start.column } else { 0 };
        Point::new(start.row + end.row, column + end.column)
    }
}
