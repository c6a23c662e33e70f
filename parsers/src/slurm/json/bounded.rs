//! Reads a job in JSON in bounded memory: its steps are added up as they are read, and values that are too large are truncated.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::walk;
use crate::slurm::job::Usage;

/// The most bytes of memory for a job without its steps, and for one step.
const MOST: usize = 64 << 20;

/// Bytes that a value takes besides its text.
const VALUE: usize = 32;

/// Bytes that an object takes: it allocates room for a few keys at once.
const OBJECT: usize = 640;

#[derive(Debug, Default)]
pub(super) struct JsonJob {
    /// The job's values, with the list of steps replaced by their number.
    pub(super) value: Value,
    /// The resources that its steps used.
    pub(super) usage: Usage,
    /// Whether a part of it was left out.
    pub(super) cut: bool,
}

impl<'de> DeserializeSeed<'de> for JsonJob {
    type Value = JsonJob;

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<JsonJob, D::Error> {
        let mut room = Room { left: MOST, cut: false };
        let usage = &mut self.usage;
        self.value = Bounded { room: &mut room, part: Part::Job(usage) }.deserialize(deserializer)?;
        self.cut = room.cut;
        Ok(self)
    }
}

/// Memory that is left for a value.
struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    /// Reserves memory; returns whether enough was left.
    fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => (self.left, self.cut) = (0, true),
        }
        !self.cut
    }
}

/// Reads a value into at most the memory that `room` has left.
struct Bounded<'a> {
    room: &'a mut Room,
    part: Part<'a>,
}

/// The position of a value; for steps, also the sums that they are added to.
enum Part<'a> {
    Job(&'a mut Usage),
    Steps(&'a mut Usage),
    Other,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(if self.room.take(text.len()) { Value::String(text.into()) } else { Value::Null })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        if let Part::Steps(usage) = self.part {
            return steps(list, usage, self.room);
        }
        let mut values = Vec::new();
        while self.room.take(VALUE) {
            match list.next_element_seed(Bounded { room: self.room, part: Part::Other })? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        let Bounded { room, mut part } = self;
        room.take(OBJECT);
        while let Some(key) = map.next_key::<String>()? {
            if !room.take(2 * VALUE + key.len()) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let part = match &mut part {
                Part::Job(usage) if key == "steps" => Part::Steps(usage),
                _ => Part::Other,
            };
            values.insert(key, map.next_value_seed(Bounded { room, part })?);
        }
        Ok(Value::Object(values))
    }
}

/// Adds up the steps of a job one by one and returns their number.
fn steps<'de, A: SeqAccess<'de>>(
    mut list: A,
    usage: &mut Usage,
    of_job: &mut Room,
) -> Result<Value, A::Error> {
    let mut count = 0_u64;
    loop {
        let mut room = Room { left: MOST, cut: false };
        let step = list.next_element_seed(Bounded { room: &mut room, part: Part::Other })?;
        of_job.cut |= room.cut;
        let Some(step) = step else { break };
        walk::step(&step, usage);
        count += 1;
    }
    Ok(Value::String(format!("{count} {}", if count == 1 { "step" } else { "steps" })))
}
