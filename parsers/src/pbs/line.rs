//! The grammar of a record: `MM/DD/YYYY HH:MM:SS;TYPE;ID;key=value key=value`.

use batchlab_traces::notation::instant::{Stamp, us};
use nom::bytes::complete::{tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::satisfy;
use nom::combinator::{map_opt, opt, recognize, rest};
use nom::sequence::terminated;
use nom::{IResult, Parser};

/// One record, with its message not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PbsRecord<'a> {
    /// Time of writing, on the server's clock.
    pub(super) stamp: Stamp,
    /// Type of the record; [`SEVERAL`] if it has more letters than one, as in Cobalt's logs.
    pub(super) letter: char,
    /// The job, reservation or licence.
    pub(super) id: &'a [u8],
    pub(super) message: &'a [u8],
}

/// The letter of a record whose type has several.
pub(super) const SEVERAL: char = '*';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PbsJobId {
    /// The job number; for a job of an array, the array's number.
    pub(super) number: i64,
    /// The job's index in the array.
    pub(super) index: Option<i64>,
    pub(super) whole_array: bool,
}

/// Parses a record; `None` if the line is not one. The message may be missing, with its semicolon.
pub(super) fn record(line: &[u8]) -> Option<PbsRecord<'_>> {
    let part = |input| take_till1(|byte| byte == b';').parse(input);
    let stamp = map_opt(terminated(part, tag(";")), us);
    let letters = take_while_m_n(1, 2, |byte: u8| byte.is_ascii_alphabetic());
    let letter = terminated(letters, tag(";"))
        .map(|letters: &[u8]| if let [letter] = letters { char::from(*letter) } else { SEVERAL });
    let id = terminated(part, opt(tag(";")));
    let parsed: IResult<&[u8], _> = (stamp, letter, id, rest).parse(line);
    let (_, (stamp, letter, id, message)) = parsed.ok()?;
    Some(PbsRecord { stamp, letter, id, message })
}

/// Parses `123.server`, `123[4].server`, `123[].server`, Torque's older `123-4.server`, and each without a server.
pub(super) fn job_id(id: &[u8]) -> Option<PbsJobId> {
    let digits = id.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = batchlab_traces::notation::whole(&id[..digits])?;
    match &id[digits..] {
        [b'[', b']', ..] => Some(PbsJobId { number, index: None, whole_array: true }),
        [] | [b'.', ..] => Some(PbsJobId { number, index: None, whole_array: false }),
        [b'[' | b'-', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            Some(PbsJobId {
                number,
                index: Some(batchlab_traces::notation::whole(&rest[..digits])?),
                whole_array: false,
            })
        }
        _ => None,
    }
}

/// Keys whose values are typed by users: such a value ends only where a known key follows.
const FREE: [&[u8]; 7] =
    [b"jobname", b"account", b"group", b"project", b"submit_args", b"resvname", b"comment"];

/// The most bytes in which a closing quote is searched: the rest of the line for each quote would take quadratic time.
const LONGEST_QUOTED: usize = 4096;

/// Iterates over the keys and values of a message; values may be quoted and may contain blanks.
pub(super) struct Pairs<'a> {
    rest: &'a [u8],
    is_known: fn(&[u8]) -> bool,
}

impl<'a> Pairs<'a> {
    /// Returns the pairs of a message; `is_known` says which keys end a value typed by a user.
    pub(super) fn of(message: &'a [u8], is_known: fn(&[u8]) -> bool) -> Pairs<'a> {
        Pairs { rest: message.trim_ascii_end(), is_known }
    }

    /// Returns the end of the value at the beginning of `text`.
    fn value_end(&self, key: &[u8], text: &[u8]) -> usize {
        if let Some(&quote @ (b'"' | b'\'')) = text.first() {
            let closed = |&at: &usize| text[at - 1] != b'\\' && matches!(text.get(at + 1), None | Some(b' '));
            let near = &text[1..text.len().min(LONGEST_QUOTED)];
            if let Some(at) = memchr::memchr_iter(quote, near).map(|at| at + 1).find(closed) {
                return at + 1;
            }
        }
        let free = FREE.contains(&key);
        let ends =
            |&at: &usize| key_of(&text[at + 1..]).is_some_and(|(next, _)| !free || (self.is_known)(next));
        memchr::memchr_iter(b' ', text).find(ends).unwrap_or(text.len())
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.rest = self.rest.trim_ascii_start();
            if let Some((key, text)) = key_of(self.rest) {
                let end = self.value_end(key, text);
                self.rest = &text[end..];
                return Some((key, unquoted(&text[..end])));
            }
            // A word before the first key is skipped.
            let blank = memchr::memchr(b' ', self.rest)?;
            self.rest = &self.rest[blank..];
        }
    }
}

/// Parses `key=`; returns the key and what follows.
fn key_of(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let first = satisfy(|letter: char| letter.is_ascii_alphabetic());
    let word = recognize((first, opt(take_while1(inner))));
    let parsed: IResult<&[u8], &[u8]> = terminated(word, tag("=")).parse(text);
    parsed.ok().map(|(rest, key)| (key, rest))
}

fn unquoted(value: &[u8]) -> &[u8] {
    match value {
        [open @ (b'"' | b'\''), inner @ .., close] if open == close => inner,
        _ => value,
    }
}

/// Whether a line is a record of Cobalt: its type has two letters, or its id has no server and it has the key `resource` or an
/// instant with decimals.
///
/// Source: `entry_` and `serialize_message` in Cobalt's `src/lib/accounting.py`; `log` in `qsim.py`, `bqsim.py`.
pub(super) fn is_of_cobalt(line: &[u8]) -> bool {
    let Some(record) = record(line) else { return false };
    let is_plain = record.id.iter().all(u8::is_ascii_digit);
    let tells = |(key, value): (&[u8], &[u8])| match key {
        b"resource" => true,
        b"ctime" | b"qtime" | b"etime" | b"start" | b"end" => value.contains(&b'.'),
        _ => false,
    };
    record.letter == SEVERAL || is_plain && Pairs::of(record.message, |_| true).any(tells)
}

/// Whether a line contains words that occur only in these logs.
pub(super) fn has_words(line: &[u8]) -> bool {
    let words: [&[u8]; 3] = [b"Resource_List.", b"resources_used.", b"exec_host="];
    words.iter().any(|word| memchr::memmem::find(line, word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(message: &str) -> Vec<(String, String)> {
        let known = |key: &[u8]| [&b"queue"[..], b"ctime"].contains(&key);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Pairs::of(message.as_bytes(), known).map(|(key, value)| (text(key), text(value))).collect()
    }

    fn joined(message: &str) -> String {
        let each = pairs(message).into_iter().map(|(key, value)| format!("{key}:{value}"));
        each.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_record_is_a_date_a_letter_an_id_and_a_message() {
        let seen = record(b"12/21/2009 15:27:00;E;6.edge;user=ann").unwrap();
        assert_eq!((seen.letter, seen.id, seen.message), ('E', &b"6.edge"[..], &b"user=ann"[..]));
        assert_eq!(seen.stamp.micros / 1_000_000, 1_261_409_220);
        assert_eq!(record(b"12/21/2009 15:27:00;Q;6.edge").map(|record| record.message), Some(&b""[..]));
        assert_eq!(record(b"03/01/2019 10:05:02;TS;41;task_id=7").map(|record| record.letter), Some(SEVERAL));
        for no in ["", "12/21/2009;E", "21.12.2009;E;6;", "12/21/2009 15:27:00;;6;", ";E;6;user=ann"] {
            assert_eq!(record(no.as_bytes()), None, "{no}");
        }
    }

    #[test]
    fn ids_are_numbers_with_an_index_and_a_server() {
        let id = |text: &str| job_id(text.as_bytes()).map(|id| (id.number, id.index, id.whole_array));
        for one in ["12", "12.pbs"] {
            assert_eq!(id(one), Some((12, None, false)), "{one}");
        }
        for one in ["12[3].pbs", "12-3.pbs", "12[3]"] {
            assert_eq!(id(one), Some((12, Some(3), false)), "{one}");
        }
        assert_eq!(id("12[].pbs"), Some((12, None, true)));
        for none in ["license", "R12.pbs", "", "12x", "99999999999999999999.pbs"] {
            assert_eq!(id(none), None, "{none}");
        }
    }

    #[test]
    fn blanks_belong_to_what_was_typed() {
        assert_eq!(joined("jobname=a x=1 b queue=q ctime=5 "), "jobname:a x=1 b|queue:q|ctime:5");
        assert_eq!(joined("queue=q new=1 ctime=5"), "queue:q|new:1|ctime:5");
        assert_eq!(joined("group=\"R C\" account='a \"b' queue=q"), "group:R C|account:a \"b|queue:q");
        assert_eq!(
            joined("GPU.end=n1:(gpu0:Tue Sep 03 2019) queue=q"),
            "GPU.end:n1:(gpu0:Tue Sep 03 2019)|queue:q"
        );
        assert_eq!(joined("jobname= queue=q"), "jobname:|queue:q");
        assert_eq!(joined(r#"args="a \"b\" ctime=1 c" queue=q"#), r#"args:a \"b\" ctime=1 c|queue:q"#);
        assert_eq!(joined("floating license hour:0"), "");
        assert_eq!(joined("=x queue=\"q"), "queue:\"q");
    }
}
