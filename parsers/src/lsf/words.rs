//! Splits an event into words: quoted strings and numbers.

use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::digit1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// Range of a word in its event, without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    from: u32,
    to: u32,
    pub(super) quoted: bool,
}

impl Word {
    /// Returns the text of the word; inner quotes are still doubled.
    pub(super) fn text(self, event: &[u8]) -> &[u8] {
        &event[self.from as usize..self.to as usize]
    }
}

/// Splits an event into words; an unclosed string ends with the event. Linear time.
pub(super) fn split(event: &[u8], words: &mut Vec<Word>) {
    words.clear();
    let mut at = 0;
    while at < event.len() {
        if event[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let quoted = event[at] == b'"';
        let from = at + usize::from(quoted);
        let to = if quoted { closing(event, from) } else { blank(event, from) };
        words.push(Word { from: from as u32, to: to as u32, quoted });
        at = to + usize::from(quoted);
    }
}

/// Returns the end of a string: the first quote that is not doubled.
fn closing(event: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'"', &event[at..]) {
        at += found;
        if event.get(at + 1) != Some(&b'"') {
            return at;
        }
        at += 2;
    }
    event.len()
}

fn blank(event: &[u8], from: usize) -> usize {
    let found = event[from..].iter().position(u8::is_ascii_whitespace);
    found.map_or(event.len(), |found| from + found)
}

/// Parses the beginning of an event, `"JOB_FINISH" "9.11" 1389683139`; returns its name.
pub(super) fn event_name(line: &[u8]) -> Option<&[u8]> {
    let letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let figure = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let name = delimited(tag("\""), take_while1(letter), tag("\""));
    let version = delimited(tag(" \""), take_while1(figure), tag("\""));
    let parsed: IResult<&[u8], _> = (name, version, preceded(tag(" "), digit1)).parse(line);
    parsed.ok().map(|(_, (name, ..))| name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(event: &str) -> Vec<&str> {
        let mut words = Vec::new();
        split(event.as_bytes(), &mut words);
        words.into_iter().map(|word| std::str::from_utf8(word.text(event.as_bytes())).unwrap()).collect()
    }

    #[test]
    fn strings_have_blanks_and_doubled_quotes() {
        assert_eq!(words(r#""JOB" 1  "" "a ""b"" c" -1 "x"#), ["JOB", "1", "", r#"a ""b"" c"#, "-1", "x"]);
        assert_eq!(words(r#""a""b" host-1 """" "aàb""#), [r#"a""b"#, "host-1", r#""""#, "aàb"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn events_begin_with_name_version_and_time() {
        assert_eq!(event_name(br#""JOB_FINISH" "9.11" 1389683139 404717"#), Some(&b"JOB_FINISH"[..]));
        for no in [r#""JOB_FINISH""#, r#""a b" "9.11" 1"#, "JOB_FINISH 9.11 1", r#""JOB" "x" 1"#] {
            assert_eq!(event_name(no.as_bytes()), None, "{no}");
        }
    }

    proptest! {
        #[test]
        fn quoted_strings_are_read_back(strings in prop::collection::vec("[a \"b]{0,6}", 0..8)) {
            let quoted: Vec<String> =
                strings.iter().map(|string| format!("\"{}\"", string.replace('"', "\"\""))).collect();
            let event = quoted.join(" ");
            let back: Vec<String> = words(&event).into_iter().map(|word| word.replace("\"\"", "\"")).collect();
            prop_assert_eq!(back, strings);
        }
    }
}
