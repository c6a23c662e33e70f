//! Foreign texts (of logs, plug-ins, file names, experiments) made safe and short before they reach a terminal or a message.
//!
//! A control character can move the cursor, recolour or rename the terminal, or erase what was printed
//! before it; a bidirectional control (U+202E) makes a text appear in another order. Both are shown as
//! escapes, `\u{1b}`. A message may quote a line of a megabyte: only its beginning and its end are shown.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Deref;

/// A text without characters that affect a terminal. What is printed, and every page and table that is made of results, is one:
/// a text of someone else cannot be printed otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeText(String);

impl SafeText {
    /// Returns a text whose unsafe characters are escapes, as [`safe`] writes them.
    pub fn of(text: &str) -> SafeText {
        SafeText(safe(text).into_owned())
    }

    /// Returns a JSON text whose unsafe characters are escapes of JSON, as [`json`] writes them.
    pub fn of_json(text: &str) -> SafeText {
        SafeText(json(text).into_owned())
    }

    /// Returns a text for a terminal in which sequences that select colours and weights stay (ECMA-48: SGR): for a writer that
    /// adds them to texts which are safe. All else is as in [`SafeText::of`].
    pub fn coloured(text: &str) -> SafeText {
        let mut shown = String::with_capacity(text.len());
        for (at, part) in text.split("\u{1b}[").enumerate() {
            let selects = part
                .split_once('m')
                .filter(|(codes, _)| codes.bytes().all(|code| code.is_ascii_digit() || code == b';'));
            let rest = match selects {
                _ if at == 0 => part,
                Some((codes, rest)) => {
                    let _ = write!(shown, "\u{1b}[{codes}m");
                    rest
                }
                None => {
                    shown.push_str(r"\u{1b}[");
                    part
                }
            };
            shown.push_str(&safe(rest));
        }
        SafeText(shown)
    }

    /// Returns texts with an empty line between them, without the white space at their ends, as whole lines.
    pub fn blocks(blocks: &[SafeText]) -> SafeText {
        SafeText(blocks.iter().map(|block| block.0.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n")
    }

    /// Returns texts with line feeds between them.
    pub fn lines(texts: impl IntoIterator<Item = SafeText>) -> SafeText {
        SafeText(texts.into_iter().map(|text| text.0).collect::<Vec<_>>().join("\n"))
    }
}

impl Deref for SafeText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<SafeText> for String {
    fn from(text: SafeText) -> String {
        text.0
    }
}

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

/// Returns a text as [`line()`] does, in the quotation marks by which `--redact` knows it; marks within it become others.
pub fn quoted(text: &str, most: usize) -> String {
    format!("`{}`", line(text, most).replace('`', "'"))
}

/// Returns a safe message without the middle of overlong lines, and without the middle lines if there are too many.
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
    fn colours_of_a_writer_stay_and_nothing_else_does() {
        let coloured = |text| String::from(SafeText::coloured(text));
        assert_eq!(coloured("a \x1b[1;32m3.5\x1b[0m\n"), "a \x1b[1;32m3.5\x1b[0m\n");
        assert_eq!(
            coloured("\x1b[2Jm\x1b]0;t\x07\x1b[1;x;m\x1b"),
            r"\u{1b}[2Jm\u{1b}]0;t\u{7}\u{1b}[1;x;m\u{1b}"
        );
        assert_eq!(SafeText::of("\x1b[31mred"), SafeText(r"\u{1b}[31mred".into()));
    }

    #[test]
    fn json_stays_json() {
        assert_eq!(json("[\"a\u{202e}b\u{9b}\u{e0001}\",\n 1]"), "[\"a\\u202eb\\u009b\\udb40\\udc01\",\n 1]");
    }

    #[test]
    fn a_line_is_one_line_of_bounded_length() {
        assert_eq!(line(" no\nluck\x1b[31m \n", 500), r"no luck\u{1b}[31m");
        assert_eq!(line(&"ü".repeat(10_000), 500), "ü".repeat(500) + "…");
        assert_eq!(quoted(" a`b`c\n", 9), "`a'b'c`");
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
