//! The JSON of `sacct --json`: of version 22.05 (`dbv0.0.38`) and before, and of 23.11 and later
//! (`data_parser`), in which numbers are objects of `set`, `infinite` and `number`, and states are lists.
//!
//! Also the JSON of `squeue --json` and `scontrol show job --json`, whose jobs have other keys; and the jobs alone, as
//! `jq '.jobs'` and `jq '.jobs[]'` write them.
//!
//! Jobs are read one at a time, and so are a job's steps: memory does not grow with the file. A file that was
//! cut or damaged gives the jobs before the damage. Several documents may follow each other.

mod bounded;
mod document;
mod queue;
mod source;
mod walk;

use batchlab_traces::{Refusal, Time};
use serde_json::Value;

use super::job::{Job, Usage};
use super::kinds;
use super::ledger::EntryConverter;
use crate::error::Result;
use crate::explain::Explanation;
use crate::lines::{BYTE_ORDER_MARK, MARK};
use crate::pass::Pass;
use crate::reporter::Reporter;
use document::{Arrangement, Documents, read_documents};

pub(super) fn fill(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    fill_from(pass, ledger, walk::job, walk::PARTS)
}

/// As [`fill`], for the words of `squeue`.
pub(super) fn fill_queue(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    fill_from(pass, ledger.of_a_queue(), queue::job, queue::PARTS)
}

/// Makes a job of a JSON object, given the usage of its steps, its line, and a buffer for a command line.
type MakeJob =
    for<'a> fn(&'a Value, &Usage, u32, &'a mut Vec<u8>, &mut Reporter<'_>) -> Result<Job<'a>, Refusal>;

fn fill_from(
    pass: &mut Pass<'_>,
    mut ledger: EntryConverter,
    make: MakeJob,
    parts: &[(&str, &str)],
) -> Result<(EntryConverter, String)> {
    let mut jobs = 0_u64;
    if pass.stream.peek()?.starts_with(MARK) {
        pass.reporter.report_at(&BYTE_ORDER_MARK, 1, || "UTF-8".into())?;
    }
    let arrangement = Arrangement::of(pass.stream.peek()?);
    let Documents { written, errors, stop: stopped } = {
        let (reporter, explanation): (&mut Reporter<'_>, &mut Explanation) =
            (&mut pass.reporter, pass.explanation);
        read_documents(pass.stream, arrangement, |job, line| {
            jobs += 1;
            walk::explain(parts, &job.value, line, explanation);
            if job.cut {
                reporter.report_at(&kinds::JSON_LONG_JOB, line, || "a job".into())?;
            }
            let mut command = Vec::new();
            let read = make(&job.value, &job.usage, line, &mut command, reporter)?;
            ledger.jobs(&read, reporter)
        })?
    };
    if let Some(seconds) = written.filter(|seconds| (1..1 << 40).contains(seconds)) {
        ledger.written_at(Time::from_secs(seconds));
    }
    // The digest covers the whole file, including the part after the damage.
    while stopped.is_some() && pass.stream.next_buffer()?.is_some() {}
    let why = match &stopped {
        Some(stop) => stop.why.clone(),
        None if !errors.is_empty() => {
            format!("it is an answer in which Slurm states an error: {}", errors.join(", "))
        }
        None => "it has no list of jobs, or an empty one".into(),
    };
    if let (Some(stop), 1..) = (&stopped, jobs) {
        let kind = if stop.between { &kinds::JSON_TRAILING } else { &kinds::JSON_TORN };
        pass.reporter.report_at(kind, stop.line, || format!("{}; {jobs} jobs before", stop.why))?;
    }
    if let (Some(error), 1..) = (errors.first(), jobs) {
        pass.reporter.report_at(&kinds::JSON_ERRORS, 0, || format!("{error}; {jobs} jobs"))?;
    }
    Ok((ledger, why))
}

fn has_all(beginning: &[u8], words: &[&str]) -> bool {
    let has = |word: &&str| memchr::memmem::find(beginning, word.as_bytes()).is_some();
    beginning.trim_ascii_start().starts_with(b"{") && words.iter().all(has)
        || beginning.trim_ascii_start().starts_with(b"[") && words.iter().chain(&["\"job_id\""]).all(has)
}

/// The plug-ins that answer for `sacct`, as an answer without jobs names them.
const PLUGINS: [&str; 4] = ["openapi/dbv", "openapi\\/dbv", "openapi/slurmdbd", "data_parser"];

/// Returns the likeness: JSON with jobs in the words of `squeue`.
pub(super) fn queue_likeness(beginning: &[u8]) -> u8 {
    let jobs = has_all(beginning, &["\"job_id\"", "\"job_state\"", "\"submit_time\"", "\"partition\""]);
    if jobs { 94 } else { 0 }
}

/// Returns the likeness: JSON with jobs in the words of `sacct`, not of `squeue`, which has no associations.
pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let jobs = has_all(beginning, &["\"job_id\"", "\"association\"", "\"elapsed\""]);
    // A document without jobs is recognised by its other keys.
    let frame = |&plugin: &&str| {
        has_all(beginning, &["\"errors\"", plugin]) || has_all(beginning, &["\"jobs\"", plugin])
    };
    let is_answer = PLUGINS.iter().any(frame) && queue_likeness(beginning) == 0;
    if jobs || is_answer { 95 } else { 0 }
}
