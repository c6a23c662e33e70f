//! What plug-ins say in words, made fit for an error of one line.

/// Letters that are shown.
const MOST: usize = 500;

/// Returns the beginning of what was said, in one line: whatever is no letter, and would move the cursor or colour
/// the terminal, is a blank.
pub fn one_line(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut line: String = said.trim().chars().take(MOST).map(plain).collect();
    if said.trim().chars().nth(MOST).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_one_line_of_bounded_length() {
        assert_eq!(one_line(b" no\nluck\x1b[31m \xff\n"), "no luck [31m \u{fffd}");
        let long = one_line("ü".repeat(10_000).as_bytes());
        assert_eq!((long.chars().count(), long.ends_with('…')), (MOST + 1, true));
    }
}
