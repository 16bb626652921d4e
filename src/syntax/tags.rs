//! How deeply elements with tags nest, in languages whose scanner keeps the names of all open ones.
//!
//! Such a scanner is saved and restored at each token, and each time that costs as much as elements are open: the parser goes
//! no slower by the length of a text, but by its square when nothing is closed. So a text that opens very many is not shown to it.

/// How many elements are open at most. One that is never closed, as an image in HTML, stays open. Cost: linear.
pub(super) fn most_open(bytes: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for pair in bytes.windows(2) {
        match pair {
            [b'<', first] if first.is_ascii_alphabetic() || *first == b'_' => open += 1,
            b"</" | b"/>" => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_is_not_open() {
        assert_eq!(most_open(b""), 0);
        assert_eq!(most_open(b"<a><b c='d'/><e></e></a><f>"), 2);
        assert_eq!(most_open("<a>".repeat(300).as_bytes()), 300);
        assert_eq!(most_open("<a></a><!-- b -->".repeat(300).as_bytes()), 1);
    }
}
