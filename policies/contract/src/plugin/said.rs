//! Texts of plug-ins, shortened to an error message of one line.

use batchlab_traces::foreign::line;

/// The most characters shown.
const MOST: usize = 500;

/// Returns the beginning of a text, safe and on one line.
pub fn one_line(said: &[u8]) -> String {
    // No character takes more than four bytes.
    let begin = said.get(..4 * (MOST + 1)).unwrap_or(said);
    line(&String::from_utf8_lossy(begin), MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_one_line_of_bounded_length() {
        assert_eq!(one_line(b" no\nluck\x1b[31m \xff\n"), "no luck\\u{1b}[31m \u{fffd}");
        let long = one_line("ü".repeat(10_000).as_bytes());
        assert_eq!((long.chars().count(), long.ends_with('…')), (MOST + 1, true));
    }
}
