//! Workloads of the simulator Batsim, in JSON: jobs with their requests, and profiles with what they do.
//!
//! Source: Batsim's documentation, `input-workload`; the same in its versions 1 to 5.
//!
//! ```text
//! {"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2, "walltime": 60, "profile": "half"}],
//!  "profiles": {"half": {"type": "delay", "delay": 30}}}
//! ```
//!
//! The run time of a job is the delay of its profile, or the sum of the delays of a composed profile. Profiles that compute,
//! communicate or read files have no run time without a model of the platform: their jobs are kept without one, with a
//! finding that names the type. Jobs with further fields `user`, `group`, `queue` and `partition`, which Batsim hands to the
//! scheduler, keep them. The text of all other fields of a job, and of its profile, is a column of its own: Batsim hands these to
//! the scheduler, too, and a replay to its schedulers.
//!
//! Profiles may come behind the jobs, so the document is read as a whole, up to 256 MiB.

mod kinds;
mod writer;

use batchlab_traces::foreign::{line, quoted};
use batchlab_traces::notation::Bound;
use batchlab_traces::workload::BATSIM;
use batchlab_traces::{Header, Time};
use serde_json::{Map, Value};

use crate::entry::{AccountingEntry, Name};
use crate::error::Result;
use crate::formats::FormatSpec;
use crate::lines::{BYTE_ORDER_MARK, MARK};
use crate::normal::{LogPlan, Normaliser, counted};
use crate::pass::Pass;
use crate::reporter::Reporter;
pub use writer::write;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "batsim",
    summary: "workload of the simulator Batsim: jobs and profiles in JSON",
    cite: "Batsim, documentation of its workloads (batsim.readthedocs.io, input-workload)",
    looks_like: "a JSON object with `jobs`, each with `subtime` and `res`, and `profiles`",
    likeness,
    read,
};

/// The most bytes of a document.
const MOST: usize = 256 << 20;

/// The most repetitions and parts of a composed profile that are added up.
const PARTS: usize = 1000;

fn likeness(beginning: &[u8]) -> u8 {
    let has = |word: &[u8]| memchr::memmem::find(beginning, word).is_some();
    let is_object = beginning.trim_ascii_start().starts_with(b"{");
    let jobs = has(b"\"subtime\"") && has(b"\"res\"") && has(b"\"profile\"");
    let frame = has(b"\"jobs\"") || has(b"\"profiles\"") || has(b"\"nb_res\"");
    if is_object && jobs && frame { 96 } else { 0 }
}

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    let mut bytes = Vec::new();
    if pass.stream.peek()?.starts_with(MARK) {
        pass.reporter.report_at(&BYTE_ORDER_MARK, 1, || "UTF-8".into())?;
    }
    // The digest covers the whole file, including what is not read.
    while let Some(buffer) = pass.stream.next_buffer()? {
        let room = (MOST + 1).saturating_sub(bytes.len());
        bytes.extend_from_slice(&buffer[..buffer.len().min(room)]);
    }
    let (document, why) = if bytes.len() > MOST {
        (Value::Null, format!("it has more than {} MiB", MOST >> 20))
    } else {
        let text = bytes.strip_prefix(MARK).unwrap_or(&bytes);
        let mut documents = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
        let first = documents.next();
        if text[documents.byte_offset()..].iter().any(|byte| !byte.is_ascii_whitespace())
            && matches!(first, Some(Ok(_)))
        {
            pass.reporter.report_at(&kinds::TRAILING, 1, || "the end of the file".into())?;
        }
        match first {
            Some(Ok(document)) => (document, "it has no list of `jobs`, or an empty one".into()),
            Some(Err(error)) => (Value::Null, line(&error.to_string(), 100)),
            None => (Value::Null, "it is empty".into()),
        }
    };
    drop(bytes);
    let hosts = document["nb_res"].as_i64().filter(|&hosts| hosts > 0);
    let header = Header {
        max_nodes: hosts.and_then(counted),
        max_procs: hosts.and_then(counted),
        ..Header::default()
    };
    let plan = LogPlan { header, relative: true, ..LogPlan::default() };
    let mut normaliser = Normaliser::new(plan);
    let no_profiles = Map::new();
    let profiles = document["profiles"].as_object().unwrap_or(&no_profiles);
    for (index, job) in document["jobs"].as_array().into_iter().flatten().enumerate() {
        let place = index as u32 + 1;
        let run = run_time(job, profiles, place, &mut pass.reporter)?;
        // A profile without a run time is not replayed.
        let own = own_fields(job, run.map_or(&no_profiles, |_| profiles));
        entry(job, run, &own, place, &mut normaliser, &mut pass.reporter)?;
        if let Some(explained) = pass.explanation.line(place) {
            for (key, field) in PARTS_OF_JOBS {
                let value = job[key].as_str().map_or_else(|| job[key].to_string(), str::to_owned);
                explained.cell(key, value.as_bytes(), field);
            }
        }
    }
    pass.finish(normaliser, None, &SPEC, &why)
}

/// Returns the text of the fields of a job that its record does not have, and of those of its profile; empty without any.
fn own_fields(job: &Value, profiles: &Map<String, Value>) -> String {
    let is_name = |key: &str, value: &Value| NAMES.contains(&key) && (value.is_string() || value.is_number());
    let fields = job.as_object().into_iter().flatten();
    let fields = fields.filter(|(key, value)| !is_part(key) && !is_name(key, value));
    let mut own: Map<String, Value> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
    let profile = job["profile"].as_str().and_then(|name| profiles.get(name)?.as_object());
    let of_profile =
        profile.into_iter().flatten().filter(|(key, _)| !PARTS_OF_PROFILES.contains(&key.as_str()));
    let of_profile: Map<String, Value> =
        of_profile.map(|(key, value)| (key.clone(), value.clone())).collect();
    if !of_profile.is_empty() {
        own.insert("profile".into(), of_profile.into());
    }
    if let Some(name) = job["id"].as_str().map(bare).filter(|name| number(name).is_none()) {
        own.insert("id".into(), name.into());
    }
    if own.is_empty() { String::new() } else { Value::Object(own).to_string() }
}

/// Returns the name of a job without that of its workload: `12` of `w0!12`.
fn bare(id: &str) -> &str {
    id.rsplit('!').next().unwrap_or_default()
}

fn number(name: &str) -> Option<i64> {
    name.parse().ok().filter(|number| *number >= 0)
}

/// Whether Batsim reads a field of a job itself.
fn is_part(key: &str) -> bool {
    PARTS_OF_JOBS.iter().any(|(part, _)| *part == key)
}

const NAMES: [&str; 4] = ["user", "group", "queue", "partition"];

const PARTS_OF_PROFILES: [&str; 4] = ["type", "delay", "repeat", "seq"];

const PARTS_OF_JOBS: [(&str, &str); 5] = [
    ("id", "job number"),
    ("subtime", "submit time"),
    ("res", "requested processors"),
    ("walltime", "requested time"),
    ("profile", "run time"),
];

fn entry(
    job: &Value,
    run: Option<Time>,
    own: &str,
    place: u32,
    normaliser: &mut Normaliser,
    reporter: &mut Reporter<'_>,
) -> Result {
    let seconds = |key: &str| {
        let seconds = job[key].as_f64().filter(|seconds| seconds.abs() < Time::FARTHEST.secs());
        seconds.map(Time::from_secs_f64)
    };
    let Some(submit) = seconds("subtime").filter(|&submit| submit >= Time::ZERO) else {
        reporter.report_at(&kinds::NO_SUBMIT, place, || quoted(&job["id"].to_string(), 40))?;
        return Ok(());
    };
    let id = job["id"].as_str().map_or_else(|| job["id"].to_string(), str::to_owned);
    let words = NAMES.map(|key| match &job[key] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    });
    let [user, group, queue, partition] = words.each_ref().map(|word| Name::of(word.as_bytes()));
    let mut extra = Vec::new();
    if !own.is_empty() {
        let column = normaliser.text_column(BATSIM);
        extra.push((column, normaliser.number(column, Name::of(own.as_bytes()))));
    }
    let entry = AccountingEntry {
        line: place,
        number: number(bare(&id)),
        submit: Some(submit),
        measured_run: run,
        requested: job["res"].as_i64().filter(|&hosts| hosts > 0),
        // Batsim writes -1 for a job without a limit.
        requested_time: seconds("walltime")
            .filter(|&limit| limit != Time::ZERO)
            .map(|limit| if limit < Time::ZERO { Bound::Unlimited } else { Bound::Most(limit) }),
        user,
        group,
        queue,
        partition,
        extra,
        ..AccountingEntry::default()
    };
    normaliser.entry(&entry, reporter)
}

/// Returns the run time of a job, if its profile has one by itself.
fn run_time(
    job: &Value,
    profiles: &Map<String, Value>,
    place: u32,
    reporter: &mut Reporter<'_>,
) -> Result<Option<Time>> {
    let name = job["profile"].as_str().unwrap_or("");
    let mut left = PARTS;
    match profiles.get(name).map(|profile| delay(profile, profiles, &mut left)) {
        Some(Ok(seconds)) if seconds.abs() < Time::FARTHEST.secs() => Ok(Some(Time::from_secs_f64(seconds))),
        Some(Ok(_)) | None => {
            reporter.report_at(&kinds::NO_PROFILE, place, || quoted(name, 40))?;
            Ok(None)
        }
        Some(Err(kind)) => {
            reporter.report_at(&kinds::MODEL, place, || quoted(&kind, 60))?;
            Ok(None)
        }
    }
}

/// Returns the seconds that a profile takes, or the type of the profile that needs a model.
fn delay(profile: &Value, profiles: &Map<String, Value>, left: &mut usize) -> Result<f64, String> {
    let kind = profile["type"].as_str().unwrap_or("none");
    match kind {
        "delay" | "DelayProfile" => profile["delay"].as_f64().ok_or_else(|| "delay without a number".into()),
        "composed" | "sequence" | "SequentialCompositionProfile" => {
            let repeat = profile["repeat"].as_f64().unwrap_or(1.0);
            let mut sum = 0.0;
            for part in profile["seq"].as_array().into_iter().flatten() {
                *left = left.checked_sub(1).ok_or("composed without end")?;
                let name = part.as_str().unwrap_or("");
                let part = profiles.get(name).ok_or_else(|| format!("composed of `{name}`"))?;
                sum += delay(part, profiles, left)?;
            }
            Ok(sum * repeat)
        }
        other => Err(other.into()),
    }
}
