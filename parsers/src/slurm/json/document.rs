use std::fmt;
use std::rc::Rc;

use batchlab_traces::foreign;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::bounded::JsonJob;
use super::source::{Bytes, Position};
use super::walk::number;
use crate::error::Result;
use crate::lines::MARK;
use crate::source::Stream;

/// The place and reason for which reading stopped.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) line: u32,
    pub(super) why: String,
    /// Whether it stopped after a complete document.
    pub(super) between: bool,
}

/// How the jobs of a file are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// Objects with a list of jobs, as Slurm writes them.
    Documents,
    /// Lists of jobs, as `jq .jobs` writes them.
    Lists,
    /// Jobs one after the other, as `jq .jobs[]` writes them.
    Jobs,
}

impl Arrangement {
    pub(super) fn of(beginning: &[u8]) -> Arrangement {
        let beginning = beginning.strip_prefix(MARK).unwrap_or(beginning);
        match beginning.trim_ascii_start().first() {
            Some(b'[') => Arrangement::Lists,
            _ if has_key(beginning, b"\"job_id\"") && !has_key(beginning, b"\"jobs\"") => Arrangement::Jobs,
            _ => Arrangement::Documents,
        }
    }
}

/// Whether a quoted word is a key of an object.
fn has_key(text: &[u8], key: &[u8]) -> bool {
    let is_key = |at: usize| text[at + key.len()..].trim_ascii_start().first() == Some(&b':');
    memchr::memmem::find_iter(text, key).any(is_key)
}

#[derive(Debug, Default)]
pub(super) struct Documents {
    /// When the last of them was written, in seconds since 1970, if any states it.
    pub(super) written: Option<i64>,
    pub(super) errors: Vec<String>,
    /// Why reading stopped before the end of the file.
    pub(super) stop: Option<Stop>,
}

/// Passes on the jobs of all documents, each with the line on which it begins.
pub(super) fn read_documents(
    stream: &mut Stream,
    arrangement: Arrangement,
    mut take: impl FnMut(JsonJob, u32) -> Result,
) -> Result<Documents> {
    let position = Rc::new(Position::default());
    let (mut written, mut errors) = (None, Vec::new());
    let mut parser = serde_json::Deserializer::from_reader(Bytes::new(stream, Rc::clone(&position)));
    let mut documents = 0;
    loop {
        let mut jobs =
            Jobs { take: &mut take, position: &position, written: &mut written, errors: &mut errors };
        let read = match arrangement {
            Arrangement::Documents => Document(&mut jobs).deserialize(&mut parser),
            Arrangement::Lists => List(&mut jobs).deserialize(&mut parser),
            Arrangement::Jobs => {
                position.waiting.set(true);
                JsonJob::default().deserialize(&mut parser).and_then(|job| jobs.pass(job))
            }
        };
        if let Some(error) = position.error.take() {
            return Err(error);
        }
        if let Err(error) = read {
            let between = documents > 0 && jobs_untouched(&error);
            let line = match error.line() {
                // The byte source refused the bytes before the parser had them.
                0 => position.line.get(),
                line => u32::try_from(line).unwrap_or(u32::MAX),
            };
            let stop = Some(Stop { line, why: error.to_string(), between });
            return Ok(Documents { written, errors, stop });
        }
        documents += 1;
        match parser.end() {
            Ok(()) => return Ok(Documents { written, errors, stop: None }),
            Err(error) if error.is_io() || error.is_eof() => {
                return position.error.take().map_or(Ok(Documents { written, errors, stop: None }), Err);
            }
            // More text follows: another document, or other content.
            Err(_) => {}
        }
    }
}

/// Whether an error is about the beginning of a document rather than its content.
fn jobs_untouched(error: &serde_json::Error) -> bool {
    error.is_syntax() || error.is_data()
}

struct Jobs<'a, F> {
    take: &'a mut F,
    position: &'a Position,
    written: &'a mut Option<i64>,
    errors: &'a mut Vec<String>,
}

impl<F: FnMut(JsonJob, u32) -> Result> Jobs<'_, F> {
    fn pass<E: serde::de::Error>(&mut self, job: JsonJob) -> Result<(), E> {
        (self.take)(job, self.position.begun.get()).map_err(|error| {
            *self.position.error.borrow_mut() = Some(error);
            E::custom("stopped")
        })
    }
}

/// The most errors of a document that are kept, and the most characters of each.
const ERRORS: (usize, usize) = (3, 200);

/// Returns the texts of a list of errors: `description`, the occasion, and `error`, the meaning of the number.
///
/// Source: `OPENAPI_ERROR` of Slurm's `data_parser`, and `openapi/dbv0.0.38`.
fn stated(errors: &Value) -> Vec<String> {
    let text = |error: &Value| {
        let words = [&error["description"], &error["error"], error].into_iter().filter_map(Value::as_str);
        let words: Vec<String> = words.map(|word| foreign::line(word, ERRORS.1)).collect();
        (!words.is_empty()).then(|| format!("`{}`", words.join(": ")))
    };
    errors.as_array().into_iter().flatten().take(ERRORS.0).filter_map(text).collect()
}

/// The key of the instant at which the controller answered (squeue --json, version 23.02 and later).
const WRITTEN: &str = "last_update";

/// A document: an object. Its list of jobs is read, and when it was written.
struct Document<'a, 'j, F>(&'a mut Jobs<'j, F>);

struct List<'a, 'j, F>(&'a mut Jobs<'j, F>);

impl<'de, F: FnMut(JsonJob, u32) -> Result> DeserializeSeed<'de> for Document<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result> Visitor<'de> for Document<'_, '_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with a list of jobs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "jobs" {
                map.next_value_seed(List(&mut *self.0))?;
            } else if key == WRITTEN {
                let told = number(&map.next_value_seed(JsonJob::default())?.value);
                *self.0.written = (*self.0.written).max(told);
            } else if key == "errors" {
                self.0.errors.extend(stated(&map.next_value_seed(JsonJob::default())?.value));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result> DeserializeSeed<'de> for List<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result> Visitor<'de> for List<'_, '_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of jobs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        loop {
            self.0.position.waiting.set(true);
            let Some(job) = list.next_element_seed(JsonJob::default())? else { return Ok(()) };
            self.0.pass(job)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_keys_tell_how_jobs_are_arranged() {
        for (text, expected) in [
            (r#"{"meta": {}, "jobs": []}"#, Arrangement::Documents),
            (r#"{"meta": {}, "errors": []}"#, Arrangement::Documents),
            (r#" [{"job_id": 1}]"#, Arrangement::Lists),
            ("\u{feff}[]", Arrangement::Lists),
            (r#"{"job_id": 1, "name": "jobs"} {"job_id": 2}"#, Arrangement::Jobs),
        ] {
            assert_eq!(Arrangement::of(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn errors_are_stated_in_words() {
        let errors = r#"[{"description": "Failure to query jobs", "error": "Unspecified error", "error_number": -1}, "x"]"#;
        let errors = stated(&serde_json::from_str(errors).unwrap());
        assert_eq!(errors, ["`Failure to query jobs: Unspecified error`", "`x`"]);
        assert!(stated(&Value::Null).is_empty());
    }
}
