//! The news of a simulator for a scheduler, and the scheduler's wishes: the same in both versions of the protocol.

use std::hash::Hasher;

use batchlab_traces::{Field, Time};
use rustc_hash::FxHasher;
use serde_json::{Map, Value, json};

use super::hosts::HostSet;
use super::values::seconds;

/// Something that happened, or is wanted, at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamped<T> {
    pub at: Time,
    pub what: T,
}

/// The news of a simulator.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    Begins {
        hosts: u32,
        /// Whether the scheduler may register jobs, and has to say when it has done so.
        registers: bool,
        profiles: bool,
    },
    Ends,
    Submitted(BatsimJob),
    Completed {
        id: String,
        how: Completion,
        /// Its hosts; version 5 does not repeat them.
        hosts: HostSet,
    },
    /// Jobs that the scheduler wanted to kill have ended. Killed jobs have a progress: the part of their run time that had
    /// passed.
    Killed {
        ids: Vec<String>,
        progress: Vec<(String, f64)>,
    },
    Called {
        /// The name of the call; empty in version 4.
        id: String,
        is_last: bool,
    },
    /// All jobs of the log have arrived.
    AllSubmitted,
    Hosts {
        hosts: HostSet,
        available: bool,
    },
    /// Anything else, by its name.
    Other(String),
}

/// Fields of a job beyond those that Batsim reads itself, which it hands on to the scheduler, by their names in a workload.
pub const ATTRIBUTES: [(Field, &str); 4] = [
    (Field::User, "user"),
    (Field::Group, "group"),
    (Field::Queue, "queue"),
    (Field::Partition, "partition"),
];

/// The fields of a job that Batsim reads itself.
const READ: [&str; 5] = ["id", "subtime", "res", "walltime", PROFILE];

const PROFILE: &str = "profile";

#[derive(Clone, Debug, PartialEq)]
pub struct BatsimJob {
    /// Its identity, `WORKLOAD!NAME`.
    pub id: String,
    pub hosts: i64,
    /// `None` if there is no limit.
    pub walltime: Option<Time>,
    /// Its run time, if its profile is forwarded.
    pub delay: Option<Time>,
    /// Whose it is and where it belongs, by the names of [`ATTRIBUTES`]; -1 if unknown.
    pub attributes: [i64; 4],
    /// Its further fields in a workload of Batsim, and under `profile` those of its profile.
    pub own: Map<String, Value>,
}

impl BatsimJob {
    /// Adds the attributes that are known, and the further fields, to a description of the job.
    pub fn add_attributes(&self, described: &mut Value) {
        for ((_, name), value) in ATTRIBUTES.iter().zip(self.attributes).filter(|(_, value)| *value >= 0) {
            described[*name] = value.into();
        }
        for (name, value) in self.own.iter().filter(|(name, _)| !READ.contains(&name.as_str())) {
            described[name] = value.clone();
        }
    }

    /// Returns the profile of a job whose run time is forwarded, with the workload's further fields.
    pub fn profile(&self, delay: Time) -> Value {
        let mut profile = json!({ "type": "delay", "delay": seconds(delay) });
        for (name, value) in self.own.get(PROFILE).and_then(Value::as_object).into_iter().flatten() {
            profile[name] = value.clone();
        }
        profile
    }

    /// Returns the `extra_data` of the workload, or else the attributes and fields that are known, as a text; empty without any.
    pub fn extra_data(&self) -> String {
        let mut described = self.own.get("extra_data").cloned().unwrap_or_default();
        if described.is_null() {
            self.add_attributes(&mut described);
        }
        text_of(&described)
    }
}

/// Returns a value of `extra_data` as the text that version 5 sends: that of an object, or a text itself.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Returns the attributes in the description of a job by their names; -1 for what is unknown. A name that is a text becomes a
/// number that is the same for equal texts.
pub fn attributes(job: &Value) -> [i64; 4] {
    let number = |value: &Value| match value {
        Value::String(text) => text.parse().unwrap_or_else(|_| {
            let mut hash = FxHasher::default();
            hash.write(text.as_bytes());
            (hash.finish() >> 11) as i64
        }),
        value => value.as_i64().unwrap_or(-1),
    };
    ATTRIBUTES.map(|(_, name)| number(&job[name]).max(-1))
}

/// Returns the attributes in the text of an object; of any other text none.
pub fn attributes_of_text(text: &str) -> [i64; 4] {
    attributes(&serde_json::from_str(text).unwrap_or_default())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    Success,
    /// It lost its hosts.
    Failure,
    AtLimit,
    Killed,
}

/// The names of [`Completion`], the same in both versions.
pub const COMPLETIONS: [(Completion, &str); 4] = [
    (Completion::Success, "COMPLETED_SUCCESSFULLY"),
    (Completion::Failure, "COMPLETED_FAILED"),
    (Completion::AtLimit, "COMPLETED_WALLTIME_REACHED"),
    (Completion::Killed, "COMPLETED_KILLED"),
];

impl Completion {
    pub fn of(state: &str) -> Completion {
        COMPLETIONS.iter().find(|(_, name)| *name == state).map_or(Completion::Success, |(how, _)| *how)
    }

    pub fn name(self) -> &'static str {
        COMPLETIONS.iter().find(|(how, _)| *how == self).map_or("", |(_, name)| name)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    Execute {
        id: String,
        hosts: HostSet,
    },
    /// A job that waits is not to run.
    Reject(String),
    Kill(Vec<String>),
    Call {
        /// The name of the call; empty in version 4.
        id: String,
        at: Time,
    },
    CallEvery {
        id: String,
        /// Calls come at this instant and whole periods from it.
        offset: Time,
        period: Time,
        count: Option<u64>,
    },
    /// No more calls of a name.
    StopCalls(String),
    /// No jobs will be registered any more.
    Registered,
    /// Words about a job, which change nothing.
    Describe {
        id: String,
        words: String,
    },
    /// A remark that changes nothing, by its name.
    Remark(String),
    /// Something that a replay does not have.
    Beyond {
        name: String,
        /// The model that it would need.
        needs: &'static str,
    },
}

/// What needs a model that a replay does not have.
pub mod needs {
    pub const JOBS: &str = "a replay has the jobs of its log, and a scheduler cannot add any";
    pub const POWER: &str = "it needs a model of power, which a replay does not have";
    pub const STORAGE: &str = "it needs a model of storage, which a replay does not have";
    pub const EXECUTORS: &str = "it needs a model of the tasks within a job, which a replay does not have";
    pub const UNKNOWN: &str = "no such message is known";
    pub const STOP: &str = "a replay ends with its last job";
}

/// The content of a message: its instant and its events.
pub type Heard<T> = Result<(Time, Vec<Stamped<T>>), String>;
