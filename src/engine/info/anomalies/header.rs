use batchlab_traces::header::Named;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Field, Time, Trace};

use super::seen::{Log, Seen};

pub(super) fn max_jobs(log: &Log<'_>) -> Seen {
    differs(log.trace.header.max_jobs, log.rows.len(), "MaxJobs", "jobs")
}

pub(super) fn max_records(log: &Log<'_>) -> Seen {
    differs(log.trace.header.max_records, log.trace.len(), "MaxRecords", "records")
}

fn differs(said: Option<i64>, counted: usize, name: &str, what: &str) -> Seen {
    match said.filter(|&said| said != counted as i64) {
        Some(said) => Seen::of_log(1, format!("{name} is {said}, there are {counted} {what}")),
        None => Seen::default(),
    }
}

pub(super) fn max_runtime(log: &Log<'_>) -> Seen {
    let Some(limit) = log.trace.header.max_runtime.filter(|&limit| limit > 0) else {
        return Seen::default();
    };
    let runs = || log.rows.iter().map(|&row| log.trace.time(row, Field::Run));
    let longer = runs().filter(|&run| run > Time::from_secs(limit)).count() as u64;
    let longest = runs().max().unwrap_or(Time::ZERO);
    Seen::of_log(longer, format!("MaxRuntime is {limit}, the longest job ran {longest} s"))
}

pub(super) fn queues(log: &Log<'_>) -> Seen {
    undeclared(log, Field::Queue, &log.trace.header.queue)
}

pub(super) fn partitions(log: &Log<'_>) -> Seen {
    undeclared(log, Field::Partition, &log.trace.header.partition)
}

/// Returns the jobs in queues or partitions that the header does not declare.
fn undeclared(log: &Log<'_>, field: Field, named: &[Named]) -> Seen {
    if named.is_empty() {
        return Seen::default();
    }
    let declared: SortedSet<i64> = named.iter().map(|named| named.number).collect();
    let numbers = log.rows.iter().map(|&row| log.trace.get(row, field).truncated());
    let strange: Vec<i64> = numbers.filter(|number| *number >= 0 && !declared.contains(number)).collect();
    let different: SortedSet<i64> = strange.iter().copied().collect();
    let list: Vec<String> = different.iter().map(i64::to_string).collect();
    Seen::of_log(strange.len() as u64, format!("{} {}", field.name(), list.join(", ")))
}

pub(super) fn start_time(log: &Log<'_>) -> Seen {
    match start_times(log.trace) {
        Some((said, shown)) => {
            Seen::of_log(1, format!("StartTime is `{said}`, UnixStartTime is {shown} there"))
        }
        None => Seen::default(),
    }
}

/// Returns the start that the header prints and the one that its calendar gives, if they differ. Only texts
/// in the form of `date`, "Mon Sep 23 14:00:31 CEST 1996", are compared.
fn start_times(trace: &Trace) -> Option<(String, String)> {
    let said = trace.header.start_time.as_ref()?;
    let words: Vec<&str> = said.split_whitespace().collect();
    let [weekday, month, day, clock, _zone, year] = words[..] else { return None };
    let day: u32 = day.parse().ok()?;
    let said_plainly = format!("{weekday} {month} {day:02} {clock} {year}");
    let shown = trace.calendar?.local(Time::ZERO)?.format("%a %b %d %H:%M:%S %Y").to_string();
    (said_plainly != shown).then(|| (said.clone(), shown))
}
