//! Writes a workload of Batsim that reads back to the same jobs.

use std::io::{self, BufWriter, Write};

use batchlab_traces::header::Named;
use batchlab_traces::notation::Bound;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::trace::TimeLimits;
use batchlab_traces::workload::{BATSIM, GIVEN, Parts, given, named};
use batchlab_traces::{Column, Field, Number, Time, Trace};
use serde_json::{Map, Value, json};

use super::{NAMES, is_part};

/// Writes a trace as a workload: a job for each record with a submit time, a run time and processors, and a profile for each run
/// time; a run time of zero becomes a microsecond. The parts of a checkpointed job are one job, as in a replay. A number that an
/// earlier job has is replaced by one above all numbers. Returns the number of records that lack one of these values.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<u64> {
    let mut out = BufWriter::new(out);
    let mut profiles: SortedMap<(Time, String), String> = SortedMap::new();
    let (mut left_out, mut written) = (0, 0u64);
    let hosts = hosts(trace);
    write!(out, "{{\"nb_res\": {hosts},\n \"jobs\": [")?;
    let limits = TimeLimits::of(trace);
    let parts = Parts::find(trace);
    let mut ids = Ids::new(trace);
    let texts: SortedMap<i64, String> =
        trace.header.noted(BATSIM).map(|named| (named.number, named.name)).collect();
    let own = trace.job_column(BATSIM);
    // A workload of Batsim may have numbers for names, which are written.
    let is_own = trace.provenance.source.format == BATSIM;
    let is_number = |named: &Named| named.name.parse::<u32>().is_ok();
    let numbers =
        given(&trace.header).map(|names| if is_own && names.iter().all(is_number) { names } else { &[] });
    for row in (0..trace.len()).filter(|row| !parts.skipped.contains(row)) {
        let known = |field: Field| trace.time(row, field) >= Time::ZERO;
        let procs = [Field::Requested, Field::Allocated].map(|field| trace.get(row, field).truncated());
        let procs = procs.into_iter().find(|&procs| procs > 0);
        let Some(procs) = procs.filter(|_| known(Field::Submit) && known(Field::Run)) else {
            left_out += 1;
            continue;
        };
        // Batsim refuses a delay of zero.
        let run =
            parts.joined.get(&row).copied().unwrap_or_else(|| trace.time(row, Field::Run)).max(Time::TICK);
        let text = own.and_then(|own| texts.get(&own.whole(row)));
        let mut own: Map<String, Value> =
            text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let of_profile = own.remove("profile").map(|fields| fields.to_string()).unwrap_or_default();
        let count = if of_profile.is_empty() { String::new() } else { format!("-{}", profiles.len()) };
        let profile = profiles.entry((run, of_profile)).or_insert_with(|| format!("delay{run}{count}"));
        let mut job = json!({
            "id": ids.of(row).to_string(),
            "subtime": seconds(trace.time(row, Field::Submit)),
            "res": procs,
            "profile": profile,
        });
        match limits.get(row) {
            Some(Bound::Most(limit)) => job["walltime"] = seconds(limit),
            Some(Bound::Unlimited) => job["walltime"] = (-1).into(),
            None => {}
        }
        for ((field, name), numbers) in GIVEN.into_iter().zip(NAMES).zip(numbers) {
            let number = trace.get(row, field).truncated();
            let number = named(numbers, number).and_then(|number| number.parse().ok()).unwrap_or(number);
            if number >= 0 {
                job[name] = number.into();
            }
        }
        own.retain(|name, _| !is_part(name));
        own.into_iter().for_each(|(name, value)| job[name] = value);
        write!(out, "{}\n  {job}", if written > 0 { "," } else { "" })?;
        written += 1;
    }
    write!(out, "],\n \"profiles\": {{")?;
    for (index, ((run, fields), name)) in profiles.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let mut profile: Map<String, Value> = serde_json::from_str(fields).unwrap_or_default();
        profile.extend([("type".into(), "delay".into()), ("delay".into(), seconds(*run))]);
        write!(out, "{comma}\n  {}: {}", json!(name), Value::Object(profile))?;
    }
    writeln!(out, "}}}}")?;
    out.flush()?;
    Ok(left_out)
}

/// Numbers of jobs, each used once.
struct Ids<'a> {
    numbers: &'a Column,
    used: SortedSet<i64>,
    most: i64,
}

impl<'a> Ids<'a> {
    fn new(trace: &'a Trace) -> Ids<'a> {
        let numbers = trace.column(Field::Job);
        let most = numbers.iter().map(Number::truncated).fold(0, i64::max);
        Ids { numbers, used: SortedSet::new(), most }
    }

    fn of(&mut self, row: usize) -> i64 {
        let number = self.numbers.whole(row);
        if number >= 0 && self.used.insert(number) {
            return number;
        }
        self.most += 1;
        self.most
    }
}

/// Returns the number of hosts: that of the header, or of the largest job.
fn hosts(trace: &Trace) -> u64 {
    let largest = || {
        let procs = |row| [Field::Requested, Field::Allocated].map(|field| trace.get(row, field).truncated());
        let most = (0..trace.len()).flat_map(procs).max().unwrap_or(1);
        most.max(1) as u64
    };
    let header = trace.header.max_procs.as_ref().or(trace.header.max_nodes.as_ref());
    header
        .and_then(|count| u64::try_from(count.count).ok())
        .filter(|&count| count > 0)
        .unwrap_or_else(largest)
}

/// Returns a time as a number of seconds, whole if it is.
fn seconds(time: Time) -> Value {
    if time == Time::from_secs(time.secs() as i64) { (time.secs() as i64).into() } else { time.secs().into() }
}
