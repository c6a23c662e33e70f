//! Writes a workload of Batsim that reads back to the same jobs.

use std::io::{self, BufWriter, Write};

use batchlab_traces::notation::Bound;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::trace::TimeLimits;
use batchlab_traces::{Field, Time, Trace};
use serde_json::{Value, json};

const FURTHER: [(Field, &str); 4] = [
    (Field::User, "user"),
    (Field::Group, "group"),
    (Field::Queue, "queue"),
    (Field::Partition, "partition"),
];

/// Writes a trace as a workload: a job for each record with a submit time, a run time and processors, and a profile for each run
/// time; a run time of zero becomes a microsecond. Returns the number of records that lack one of these values.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<u64> {
    let mut out = BufWriter::new(out);
    let mut delays: SortedMap<Time, String> = SortedMap::new();
    let (mut left_out, mut written) = (0, 0u64);
    let hosts = hosts(trace);
    write!(out, "{{\"nb_res\": {hosts},\n \"jobs\": [")?;
    let limits = TimeLimits::of(trace);
    for row in 0..trace.len() {
        let known = |field: Field| trace.time(row, field) >= Time::ZERO;
        let procs = [Field::Requested, Field::Allocated].map(|field| trace.get(row, field).truncated());
        let Some(procs) = procs.into_iter().find(|&procs| procs > 0) else {
            left_out += 1;
            continue;
        };
        if !known(Field::Submit) || !known(Field::Run) {
            left_out += 1;
            continue;
        }
        // Batsim refuses a delay of zero.
        let run = trace.time(row, Field::Run).max(Time::TICK);
        let profile = delays.entry(run).or_insert_with(|| format!("delay{run}"));
        let mut job = json!({
            "id": trace.get(row, Field::Job).truncated().to_string(),
            "subtime": seconds(trace.time(row, Field::Submit)),
            "res": procs,
            "profile": profile,
        });
        match limits.get(row) {
            Some(Bound::Most(limit)) => job["walltime"] = seconds(limit),
            Some(Bound::Unlimited) => job["walltime"] = (-1).into(),
            None => {}
        }
        for (field, name) in FURTHER {
            let number = trace.get(row, field).truncated();
            if number >= 0 {
                job[name] = number.into();
            }
        }
        write!(out, "{}\n  {job}", if written > 0 { "," } else { "" })?;
        written += 1;
    }
    write!(out, "],\n \"profiles\": {{")?;
    for (index, (run, name)) in delays.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}\n  {}: {}", json!(name), json!({ "type": "delay", "delay": seconds(*run) }))?;
    }
    writeln!(out, "}}}}")?;
    out.flush()?;
    Ok(left_out)
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
