//! Steps on a handful of jobs.

mod anonymity;
mod arriving;
mod estimating;
mod files;
mod merging;
mod moving;
mod properties;
mod resources;
mod sampling;
mod scaling;
mod windows;

use super::{Context, ShapeError, Shaped, Steps};
use crate::header::{Header, RemarkedCount};
use crate::trace::{Trace, trace_of};
use crate::{Field, Number};

/// A job: submit, run, processors, requested time, user.
type Job = (i64, i64, i64, i64, i64);

/// Monday 1 July 2024, 00:00 in Stockholm, in seconds since 1970.
const MONDAY: i64 = 1_719_784_800;

/// Returns a log of jobs numbered from 1, on 64 processors in 8 nodes.
fn log(jobs: &[Job]) -> Trace {
    #[rustfmt::skip]
    let fields = [
        Field::Job, Field::Submit, Field::Wait, Field::Run, Field::Allocated, Field::Requested, Field::RequestedTime,
        Field::Status, Field::User, Field::Queue,
    ];
    let rows = (1..).zip(jobs).map(|(number, &(submit, run, procs, requested, user))| {
        [number, submit, 5, run, procs, procs, requested, 1, user, number % 2]
    });
    let count = |count| Some(RemarkedCount { count, remark: String::new() });
    let header = Header {
        lines: vec!["; Computer: small".into()],
        computer: Some("small".into()),
        max_jobs: Some(jobs.len() as i64),
        max_records: Some(jobs.len() as i64),
        max_procs: count(64),
        max_nodes: count(8),
        unix_start_time: Some(MONDAY),
        time_zone_string: Some("Europe/Stockholm".into()),
        ..Header::default()
    };
    let mut log = trace_of(header, fields, rows);
    log.provenance.source.name = "small.swf".into();
    log
}

/// Returns jobs of one processor and 10 s, submitted at these instants.
fn submitted(at: &[i64]) -> Trace {
    log(&at.iter().map(|&submit| (submit, 10, 1, 20, 1)).collect::<Vec<_>>())
}

/// Returns a log of many jobs: sizes, run times and users vary without a relevant pattern.
fn many(jobs: i64) -> Trace {
    let job = |at: i64| {
        let mixed = (at * 7919 + 13) % 10_007;
        (at * 600, 30 + mixed * 3, 1 + mixed % 32, 60 + mixed * 5, mixed % 23)
    };
    log(&(0..jobs).map(job).collect::<Vec<_>>())
}

fn shape_with(text: &str, trace: Trace, seed: u64, logs: &[(&str, Trace)]) -> Result<Shaped, ShapeError> {
    let other = |name: &str| {
        let found = logs.iter().find(|(known, _)| *known == name);
        found.map(|(_, trace)| trace.clone()).ok_or_else(|| format!("cannot read {name}"))
    };
    let unmeasured = |_: &Trace, _: &super::Target| Err("nothing measures here".to_owned());
    Steps::parse(text, "steps.toml")?.apply(trace, &Context { seed, log: &other, measure: &unmeasured })
}

fn shape(text: &str, trace: Trace) -> Trace {
    let mut shaped = shape_with(text, trace, 1, &[]).unwrap();
    assert_eq!(shaped.logs.len(), 1);
    shaped.logs.remove(0).trace
}

fn step(kind: &str, parameters: &str, trace: Trace) -> Trace {
    shape(&file(kind, parameters), trace)
}

fn words(kind: &str, parameters: &str, trace: Trace) -> String {
    shape_with(&file(kind, parameters), trace, 1, &[]).unwrap().reports[0].to_string()
}

fn refusal(kind: &str, parameters: &str, trace: Trace) -> String {
    shape_with(&file(kind, parameters), trace, 1, &[]).err().expect("an error").to_string()
}

fn file(kind: &str, parameters: &str) -> String {
    format!("[[step]]\nkind = \"{kind}\"\n{parameters}\n")
}

fn numbers(trace: &Trace, field: Field) -> Vec<i64> {
    trace.column(field).iter().map(Number::truncated).collect()
}

fn shown(trace: &Trace, field: Field) -> Vec<String> {
    trace.column(field).iter().map(|number| Number::from_micro(number.to_micro()).to_string()).collect()
}

fn resource(trace: &Trace, name: &str) -> Vec<i64> {
    trace.resource(name).expect("the column").iter().map(Number::truncated).collect()
}
