//! Foreign texts (of logs, plug-ins, file names, experiments) made safe and short before they reach a
//! terminal or a message.
//!
//! A control character can move the cursor, recolour or rename the terminal, or erase what was printed
//! before it; a bidirectional control (U+202E) makes a text appear in another order. Both are shown as
//! escapes, `\u{1b}`. A message may quote a line of a megabyte: only its beginning and its end are shown.

use std::borrow::Cow;
use std::fmt::Write;

/// The most characters of a line of a message; the middle of longer lines is omitted.
pub const LONGEST_LINE: usize = 4000;

/// The most lines of a message; the middle of longer messages is omitted.
pub const MOST_LINES: usize = 2000;

/// Whether a character can affect a terminal: a control character, or one that changes the direction of text
/// or ends a line. Line feeds and tabs are included.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Returns a text in which every unsafe character except line feeds and tabs is an escape.
pub fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| is_unsafe(letter) && !matches!(letter, '\n' | '\t'))
}

/// Returns a JSON text in which every unsafe character is a JSON escape; line feeds and tabs between its
/// values are kept. Inside strings, JSON leaves only unsafe characters from U+007F on unescaped.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_escaped = |letter: char| is_unsafe(letter) && letter >= '\u{7f}';
    if !text.chars().any(is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_escaped(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped.into()
}

/// Returns a text on one line, with at most `most` characters and an ellipsis: line feeds and tabs become
/// blanks, other unsafe characters their escapes.
pub fn line(text: &str, most: usize) -> String {
    let text = text.trim();
    let mut line: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        line.push('…');
    }
    let line = line.replace(['\n', '\t', '\r'], " ");
    escaped(&line, is_unsafe).into_owned()
}

/// Returns a safe message without the middle of overlong lines, and without the middle lines if there are
/// too many.
pub fn message(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let left_out = lines.len().saturating_sub(MOST_LINES);
    let begin = if left_out > 0 { MOST_LINES / 2 } else { lines.len() };
    let mut message = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at == begin {
            let _ = write!(message, "\n[… {left_out} lines left out …]");
        }
        if at < begin || at >= begin + left_out {
            if at > 0 {
                message.push('\n');
            }
            message.push_str(&safe(&shortened(line)));
        }
    }
    message
}

/// Returns the beginning and the end of an overlong line.
fn shortened(line: &str) -> Cow<'_, str> {
    // Every character takes at least one byte.
    if line.len() <= LONGEST_LINE || line.chars().nth(LONGEST_LINE).is_none() {
        return line.into();
    }
    let (half, count) = (LONGEST_LINE / 2, line.chars().count());
    let at = |number: usize| line.char_indices().nth(number).map_or(line.len(), |(at, _)| at);
    let (begin, end) = (&line[..at(half)], &line[at(count - half)..]);
    format!("{begin}[… {} characters left out …]{end}", count - 2 * half).into()
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_escaped(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_terminal_is_escaped() {
        assert_eq!(safe("a\tb\nc ü ﷺ 名"), "a\tb\nc ü ﷺ 名");
        assert_eq!(safe("\x1b[31mred\x07\r\u{9b}2J"), r"\u{1b}[31mred\u{7}\u{d}\u{9b}2J");
        assert_eq!(safe("user\u{202e}txt.exe\u{2066}\u{2028}"), r"user\u{202e}txt.exe\u{2066}\u{2028}");
    }

    #[test]
    fn json_stays_json() {
        assert_eq!(json("[\"a\u{202e}b\u{9b}\u{e0001}\",\n 1]"), "[\"a\\u202eb\\u009b\\udb40\\udc01\",\n 1]");
    }

    #[test]
    fn a_line_is_one_line_of_bounded_length() {
        assert_eq!(line(" no\nluck\x1b[31m \n", 500), r"no luck\u{1b}[31m");
        assert_eq!(line(&"ü".repeat(10_000), 500), "ü".repeat(500) + "…");
    }

    #[test]
    fn a_message_keeps_its_beginning_and_its_end() {
        let said = message(&format!("no policy is called `{}`; see the list", "x".repeat(2_000_000)));
        assert!(said.starts_with("no policy is called `xxx"), "{said}");
        assert!(said.ends_with("xxx`; see the list"), "{said}");
        assert!(said.contains("[… 1996036 characters left out …]"), "{said}");
        assert!(said.chars().count() < LONGEST_LINE + 50);
        let lines = message(&"a\n".repeat(1_000_000));
        assert!(lines.contains("a\n[… 998001 lines left out …]\na"), "{}", &lines[1990..2100]);
        assert_eq!(message("one\ntwo\n"), "one\ntwo\n");
    }
}
