//! The last lines of a child's standard error, to be quoted when it ends.

use batchlab_traces::foreign::line as quotable;

/// The bytes that are kept.
const KEPT: usize = 4096;

/// The lines that are quoted, and the most characters of each.
const LINES: usize = 3;
const LETTERS: usize = 160;

/// The last bytes of a stream.
#[derive(Debug, Default)]
pub struct Tail(Vec<u8>);

impl Tail {
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    /// The last lines as the end of a sentence; empty if there are none.
    pub fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        // Python marks the position within a line by a separate line of `^` and `~`.
        let says = |line: &&str| line.chars().any(|letter| !"^~ ".contains(letter));
        let lines: Vec<&str> = text.lines().map(str::trim).filter(says).collect();
        let last: Vec<String> =
            lines[lines.len().saturating_sub(LINES)..].iter().map(|line| quotable(line, LETTERS)).collect();
        if last.is_empty() { String::new() } else { format!("; it said: {}", last.join(" / ")) }
    }
}

/// The beginning of a line, to be quoted.
pub fn begins(line: &[u8]) -> String {
    const BEGINNING: usize = 60;
    quotable(&String::from_utf8_lossy(&line[..line.len().min(8 * BEGINNING)]), BEGINNING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_quoted_on_one() {
        let mut tail = Tail::default();
        assert_eq!(tail.words(), "");
        tail.push(b"one\ntwo\n\n  three\r\n   ~~^~~\nfour: \x1b[31mred\n");
        assert_eq!(tail.words(), r"; it said: two / three / four: \u{1b}[31mred");
    }

    #[test]
    fn little_is_kept_of_much() {
        let mut tail = Tail::default();
        for _ in 0..1000 {
            tail.push(&[b'x'; 999]);
        }
        tail.push("y".repeat(100_000).as_bytes());
        assert_eq!(tail.0.len(), KEPT);
        assert_eq!(tail.words(), format!("; it said: {}…", "y".repeat(LETTERS)));
    }
}
