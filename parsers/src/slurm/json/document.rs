//! Reads the jobs of JSON documents, one at a time.

use std::fmt;
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::bounded::JsonJob;
use super::source::{Bytes, Position};
use super::walk::number;
use crate::error::ReadError;
use crate::source::Stream;

/// The place and reason for which reading stopped.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) line: u32,
    pub(super) why: String,
    /// Whether it stopped after a complete document.
    pub(super) between: bool,
}

/// What documents contain besides their jobs.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// When the last of them was written, in seconds since 1970, if any states it.
    pub(super) written: Option<i64>,
    /// Why reading stopped before the end of the file.
    pub(super) stop: Option<Stop>,
}

/// Passes on the jobs of all documents, each with the line on which it begins.
///
/// # Errors
/// A read error of the system, and the first error of `take`.
pub(super) fn read_documents(
    stream: &mut Stream,
    mut take: impl FnMut(JsonJob, u32) -> Result<(), ReadError>,
) -> Result<Documents, ReadError> {
    let position = Rc::new(Position::default());
    let mut written = None;
    let mut parser = serde_json::Deserializer::from_reader(Bytes::new(stream, Rc::clone(&position)));
    let mut documents = 0;
    loop {
        let mut jobs = Jobs { take: &mut take, position: &position, written: &mut written };
        let read = Document(&mut jobs).deserialize(&mut parser);
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
            return Ok(Documents { written, stop: Some(Stop { line, why: error.to_string(), between }) });
        }
        documents += 1;
        match parser.end() {
            Ok(()) => return Ok(Documents { written, stop: None }),
            Err(error) if error.is_io() || error.is_eof() => {
                return position.error.take().map_or(Ok(Documents { written, stop: None }), Err);
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

/// Receives the jobs of a document.
struct Jobs<'a, F> {
    take: &'a mut F,
    position: &'a Position,
    written: &'a mut Option<i64>,
}

/// The key of the instant at which the controller answered: squeue --json of version 23.02 and later.
const WRITTEN: &str = "last_update";

/// A document: an object. Its list of jobs is read, and when it was written.
struct Document<'a, 'j, F>(&'a mut Jobs<'j, F>);

struct List<'a, 'j, F>(&'a mut Jobs<'j, F>);

impl<'de, F: FnMut(JsonJob, u32) -> Result<(), ReadError>> DeserializeSeed<'de> for Document<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result<(), ReadError>> Visitor<'de> for Document<'_, '_, F> {
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
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result<(), ReadError>> DeserializeSeed<'de> for List<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(JsonJob, u32) -> Result<(), ReadError>> Visitor<'de> for List<'_, '_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of jobs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Jobs { take, position, .. } = self.0;
        loop {
            position.waiting.set(true);
            let Some(job) = list.next_element_seed(JsonJob::default())? else { return Ok(()) };
            if let Err(error) = take(job, position.begun.get()) {
                *position.error.borrow_mut() = Some(error);
                return Err(A::Error::custom("stopped"));
            }
        }
    }
}
