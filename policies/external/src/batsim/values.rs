//! Values in Batsim's messages, and the envelope of events: a message is `{"now", "events"}`.

use batchlab_traces::Time;
use batchlab_traces::foreign::line;
use serde_json::Value;

use super::hosts::HostSet;
use super::news::{Heard, News, Stamped, Wish};

/// The most characters of a message, or of a name in it, that an error quotes.
const WORDS: usize = 80;

/// The names of an event's type and contents, and what ends each message of the simulator.
pub struct Envelope {
    pub kind: &'static str,
    pub data: &'static str,
    pub end: &'static [u8],
}

/// An event to be sent: its instant, type and contents.
pub type Event = (Time, &'static str, Value);

/// The messages of one version: news from the simulator to the scheduler, and wishes back.
pub struct Dialect {
    pub envelope: Envelope,
    pub told: fn(Time, &News) -> Event,
    pub heard: fn(Data<'_>) -> Result<News, String>,
    pub said: fn(Time, &Wish) -> Event,
    pub wish: fn(Data<'_>) -> Result<Wish, String>,
}

/// The contents of an event.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    pub kind: &'a str,
    value: &'a Value,
}

impl Envelope {
    pub fn message(&self, now: Time, events: impl IntoIterator<Item = Event>) -> Vec<u8> {
        let event = |(at, kind, data): Event| {
            let mut event = serde_json::Map::new();
            event.insert("timestamp".into(), seconds(at));
            event.insert(self.kind.into(), kind.into());
            event.insert(self.data.into(), data);
            Value::Object(event)
        };
        let events: Vec<Value> = events.into_iter().map(event).collect();
        serde_json::json!({ "now": seconds(now), "events": events }).to_string().into_bytes()
    }

    /// Reads a message, event by event: their instants are in order, and none is after the message's own.
    pub fn read<T>(&self, message: &[u8], read: impl Fn(Data<'_>) -> Result<T, String>) -> Heard<T> {
        // A C program may send a text with its zero byte.
        let message = message.split(|&byte| byte == 0).next().unwrap_or_default();
        let whole: Value = serde_json::from_slice(message).map_err(|error| {
            let begins = line(&String::from_utf8_lossy(&message[..message.len().min(400)]), WORDS);
            format!("`{begins}` is not JSON: {}", line(&error.to_string(), WORDS))
        })?;
        let now = time(&whole["now"], "now")?;
        let events = whole["events"].as_array().ok_or("it has no list of `events`")?;
        let mut read_so_far: Vec<Stamped<T>> = Vec::with_capacity(events.len());
        for event in events {
            let at = time(&event["timestamp"], "timestamp")?;
            let last = read_so_far.last().map_or(at, |last| last.at);
            if at < last {
                return Err(format!("an event of {at} s is behind one of {last} s"));
            }
            if at > now {
                return Err(format!("an event of {at} s is in a message of {now} s"));
            }
            let kind = event[self.kind].as_str().ok_or_else(|| format!("an event has no `{}`", self.kind))?;
            let what = read(Data { kind, value: &event[self.data] })?;
            read_so_far.push(Stamped { at, what });
        }
        Ok((now, read_so_far))
    }
}

impl<'a> Data<'a> {
    pub fn part(self, key: &str) -> Data<'a> {
        Data { kind: self.kind, value: &self.value[key] }
    }

    /// Whether a part is there and says something: not null, empty or false.
    pub fn has(self, key: &str) -> bool {
        match &self.value[key] {
            Value::Null | Value::Bool(false) => false,
            Value::Array(list) => !list.is_empty(),
            Value::Object(map) => !map.is_empty(),
            _ => true,
        }
    }

    /// Whether a mapping puts one of `hosts` tasks on each of as many hosts, in any order: this changes no run time. Version
    /// 4 has an object of numbers as texts, version 5 a list of numbers.
    pub fn is_one_each(self, key: &str, hosts: u64) -> bool {
        let number = |value: &Value| match value {
            Value::String(text) => text.parse().ok(),
            value => value.as_u64(),
        };
        let mut mapped: Vec<Option<u64>> = match &self.value[key] {
            Value::Array(list) => list.iter().map(number).collect(),
            Value::Object(map) => map.values().map(number).collect(),
            _ => return false,
        };
        mapped.sort_unstable();
        mapped.into_iter().eq((0..hosts).map(Some))
    }

    pub fn text(self, key: &str) -> Result<&'a str, String> {
        self.value[key].as_str().ok_or_else(|| self.lacks(key, "a text"))
    }

    pub fn text_or_none(self, key: &str) -> &'a str {
        self.value[key].as_str().unwrap_or("")
    }

    pub fn texts(self, key: &str) -> Result<Vec<String>, String> {
        let list = self.value[key].as_array();
        let texts = list.and_then(|list| list.iter().map(|text| Some(text.as_str()?.to_owned())).collect());
        texts.ok_or_else(|| self.lacks(key, "a list of texts"))
    }

    pub fn number(self, key: &str) -> Result<f64, String> {
        self.value[key].as_f64().ok_or_else(|| self.lacks(key, "a number"))
    }

    /// A number of hosts that a job asks for; it may be one that no machine has.
    pub fn hosts_wanted(self, key: &str) -> Result<i64, String> {
        let count = self.number(key)?;
        if count.fract() == 0.0 {
            Ok(count as i64)
        } else {
            Err(format!("{}: `{key}` is {count}, which is no number of hosts", line(self.kind, WORDS)))
        }
    }

    pub fn value(self) -> &'a Value {
        self.value
    }

    pub fn time(self, key: &str) -> Result<Time, String> {
        time(&self.value[key], key).map_err(|why| format!("{}: {why}", line(self.kind, WORDS)))
    }

    /// The limit on a run time; `None` if it is absent, zero or negative.
    pub fn limit(self, key: &str) -> Result<Option<Time>, String> {
        if self.value[key].is_null() {
            return Ok(None);
        }
        self.time(key).map(|limit| Some(limit).filter(|&limit| limit > Time::ZERO))
    }

    pub fn hosts(self, key: &str) -> Result<HostSet, String> {
        HostSet::parse(self.text(key)?).map_err(|why| format!("{}: {why}", line(self.kind, WORDS)))
    }

    fn lacks(self, key: &str, what: &str) -> String {
        format!("{} has no `{key}`, {what}", line(self.kind, WORDS))
    }
}

/// A number of seconds with a decimal point, as Batsim writes it.
pub fn seconds(time: Time) -> Value {
    Value::from(time.secs())
}

fn time(value: &Value, key: &str) -> Result<Time, String> {
    let seconds = value.as_f64().ok_or_else(|| format!("there is no number `{key}`"))?;
    if seconds.abs() > Time::FARTHEST.secs() {
        return Err(format!("`{key}` is a time beyond {} s", Time::FARTHEST));
    }
    Ok(Time::from_secs_f64(seconds))
}

/// A whole number from 1 to 2^26.
pub fn host_count(count: f64) -> Result<u32, String> {
    if (1.0..=f64::from(1 << 26)).contains(&count) && count.fract() == 0.0 {
        Ok(count as u32)
    } else {
        Err(format!("{count} is not a number of hosts"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_counted_in_whole_numbers() {
        assert_eq!((host_count(1.0), host_count(64.0)), (Ok(1), Ok(64)));
        for wrong in [0.0, 2.5, -1.0, f64::NAN, 1e9] {
            assert!(host_count(wrong).is_err(), "{wrong}");
        }
    }
}
