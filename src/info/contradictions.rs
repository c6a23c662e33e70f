//! Where the header says one thing and the jobs another.

use std::collections::BTreeSet;

use batchlab_traces::header::Named;
use batchlab_traces::{Example, Field, Findings, Kind, Level, Place, Time, Trace};

/// Defines one kind per line; nothing is changed, so all of them are notes.
macro_rules! kinds {
    ($($name:ident $code:literal, $what:literal, $done:literal, $advice:literal;)+) => {
        $(static $name: Kind =
            Kind { code: $code, level: Level::Note, what: $what, done: $done, advice: $advice };)+
    };
}

kinds! {
    MAX_JOBS "header-max-jobs",
        "{header|headers} whose MaxJobs is not the number of jobs", "the jobs count",
        "in a cleaned log it may be the number before cleaning; else the log may be incomplete";
    MAX_RECORDS "header-max-records",
        "{header|headers} whose MaxRecords is not the number of records", "the records count",
        "compare the log with the original: it may be incomplete";
    MAX_RUNTIME "header-max-runtime",
        "{job|jobs} that ran longer than MaxRuntime", "kept",
        "the limit may have changed, or may have been enforced late";
    QUEUE "header-queue",
        "{job in a queue|jobs in queues} that the header does not name", "kept",
        "nothing, unless queues matter to what is studied";
    PARTITION "header-partition",
        "{job in a partition|jobs in partitions} that the header does not name", "kept",
        "nothing, unless partitions matter to what is studied";
    START_TIME "header-start-time",
        "{header|headers} whose StartTime is not UnixStartTime in the log's time zone", "UnixStartTime counts",
        "correct the header if the time of day matters";
}

/// Finds them.
pub(super) fn find(trace: &Trace, rows: &[usize]) -> Findings {
    let mut findings = Findings::lenient();
    let place = || Some(Place { file: trace.file(), line: 0, column: 0 });
    let mut report = |kind, count, detail: String| {
        // Lenient findings refuse nothing.
        let _ = findings.report_many(kind, count, || Example { place: place(), detail });
    };
    let header = &trace.header;
    let (records, jobs) = (trace.len() as i64, rows.len() as i64);
    if let Some(said) = header.max_jobs.filter(|&said| said != jobs) {
        report(&MAX_JOBS, 1, format!("MaxJobs is {said}, there are {jobs} jobs"));
    }
    if let Some(said) = header.max_records.filter(|&said| said != records) {
        report(&MAX_RECORDS, 1, format!("MaxRecords is {said}, there are {records} records"));
    }
    if let Some(limit) = header.max_runtime.filter(|&limit| limit > 0) {
        let runs = || rows.iter().map(|&row| trace.time(row, Field::Run));
        let longer = runs().filter(|&run| run > Time::from_secs(limit)).count() as u64;
        let longest = runs().max().unwrap_or(Time::ZERO);
        report(&MAX_RUNTIME, longer, format!("MaxRuntime is {limit}, the longest job ran {longest} s"));
    }
    for (kind, field, named) in
        [(&QUEUE, Field::Queue, &header.queue), (&PARTITION, Field::Partition, &header.partition)]
    {
        let (count, numbers) = undeclared(trace, rows, field, named);
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        report(kind, count, format!("{} {}", field.name(), numbers.join(", ")));
    }
    if let Some((said, shown)) = start_times(trace) {
        report(&START_TIME, 1, format!("StartTime is `{said}`, UnixStartTime is {shown} there"));
    }
    findings
}

/// Returns how many jobs are in queues or partitions without a declaration, and in which.
fn undeclared(trace: &Trace, rows: &[usize], field: Field, named: &[Named]) -> (u64, BTreeSet<i64>) {
    if named.is_empty() {
        return (0, BTreeSet::new());
    }
    let declared: BTreeSet<i64> = named.iter().map(|named| named.number).collect();
    let numbers = rows.iter().map(|&row| trace.get(row, field).truncated());
    let strange: Vec<i64> = numbers.filter(|number| *number >= 0 && !declared.contains(number)).collect();
    (strange.len() as u64, strange.into_iter().collect())
}

/// Returns what the header prints as its start and what its calendar shows, if they differ. Its form is that
/// of `date`, "Mon Sep 23 14:00:31 CEST 1996"; whatever has another form is not judged.
fn start_times(trace: &Trace) -> Option<(String, String)> {
    let said = trace.header.start_time.as_ref()?;
    let words: Vec<&str> = said.split_whitespace().collect();
    let [weekday, month, day, clock, _zone, year] = words[..] else { return None };
    let day: u32 = day.parse().ok()?;
    let said_plainly = format!("{weekday} {month} {day:02} {clock} {year}");
    let shown = trace.calendar?.local(Time::ZERO)?.format("%a %b %d %H:%M:%S %Y").to_string();
    (said_plainly != shown).then(|| (said.clone(), shown))
}
