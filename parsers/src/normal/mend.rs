//! The archive's rules applied to the values of one entry.

use batchlab_traces::notation::Bound;
use batchlab_traces::notation::decimal::LARGEST;
use batchlab_traces::{Field, Kind, Number, Record, Time};

use super::rules;
use crate::entry::AccountingEntry;
use crate::error::Result;
use crate::reporter::Reporter;

pub(super) struct MendedTimes {
    pub(super) submit: Time,
    pub(super) wait: Option<Time>,
    pub(super) run: Option<Time>,
    pub(super) end: Option<Time>,
}

/// Instants up to a day after 1970 are markers of missing times.
const EARLIEST: Time = Time::from_secs(86_400);

/// The most by which clocks disagree or daylight saving time moves them: an hour and five minutes.
const SKEW: Time = Time::from_secs(3900);

/// Determines the submit time, wait and run time of a job; `relative` times count from the log's own zero.
pub(super) fn times(
    entry: &AccountingEntry<'_>,
    before: Option<Time>,
    relative: bool,
    reporter: &mut Reporter<'_>,
) -> Result<MendedTimes> {
    let is_time = |time: Time| if relative { time >= Time::ZERO } else { time > EARLIEST };
    let known = |time: Option<Time>| time.filter(|&time| is_time(time) && time < Time::FARTHEST);
    let (start, end) = (known(entry.start), known(entry.end));
    let mut report = |kind: &'static Kind, what: &str| {
        let number = entry.number.map(|number| format!("job {number}: ")).unwrap_or_default();
        reporter.report_at(kind, entry.line, || format!("{number}{what}"))
    };
    let mut submit = match (known(entry.submit), start, end) {
        (Some(submit), _, _) => submit,
        (None, Some(start), _) => {
            report(&rules::SUBMIT_FROM_START, &format!("started at {start}"))?;
            start
        }
        (None, None, Some(end)) => {
            report(&rules::SUBMIT_FROM_END, &format!("ended at {end}"))?;
            end
        }
        (None, None, None) => {
            report(&rules::SUBMIT_FROM_PREDECESSOR, "no time is known")?;
            before.unwrap_or(if relative { Time::ZERO } else { EARLIEST })
        }
    };
    // A wait is never invented: both its ends must be in the log.
    let mut wait = known(entry.submit).and(start).map(|start| start - submit);
    if let (Some(below), Some(start)) = (wait.filter(|&wait| wait < Time::ZERO), start) {
        let seconds = Time::ZERO - below;
        if seconds <= SKEW {
            report(&rules::WAIT_BELOW_ZERO, &format!("by {seconds} s"))?;
            (submit, wait) = (start, Some(Time::ZERO));
        } else {
            report(&rules::WAIT_FAR_BELOW_ZERO, &format!("by {seconds} s"))?;
            wait = None;
        }
    }
    let counted = match (entry.measured_run, end, entry.never_started) {
        (_, _, true) => None,
        (Some(run), _, _) => Some(run),
        (None, None, _) => entry.fallback_run,
        (None, Some(end), _) => {
            if start.is_none() && known(entry.submit).is_some() {
                report(&rules::RUN_FROM_SUBMIT, &format!("ended at {end}"))?;
            }
            Some(end - start.unwrap_or(submit))
        }
    };
    let run = match counted {
        Some(run) if run < Time::ZERO - SKEW => {
            report(&rules::RUN_FAR_BELOW_ZERO, &format!("run time {run} s"))?;
            None
        }
        Some(run) if run < Time::ZERO => {
            report(&rules::RUN_BELOW_ZERO, &format!("run time {run} s"))?;
            Some(Time::ZERO)
        }
        run => run.filter(|&run| run < Time::FARTHEST),
    };
    Ok(MendedTimes { submit, wait, run, end })
}

/// Fills in processors, CPU time, memory and requests, and counts contradictions.
pub(super) fn amounts(
    entry: &AccountingEntry<'_>,
    run: Option<Time>,
    machine: Option<i64>,
    record: &mut Record,
    reporter: &mut Reporter<'_>,
) -> Result {
    let time = |time: Option<Time>| time.map(|time| Number::from_micro(time.ticks()));
    let whole = |count: Option<i64>| count.map(Number::whole);
    let values = [
        (Field::Allocated, whole(entry.allocated)),
        (Field::Cpu, time(entry.cpu)),
        (Field::UsedMemory, entry.used_memory),
        (Field::Requested, whole(entry.requested)),
        (Field::RequestedTime, time(entry.requested_time.and_then(Bound::most))),
        (Field::RequestedMemory, entry.requested_memory),
    ];
    for (field, value) in values {
        let mut value = value.filter(|value| !value.is_unknown()).unwrap_or(Number::UNKNOWN);
        if value.truncated() > LARGEST {
            reporter.report_at(&rules::OUT_OF_RANGE, entry.line, || format!("{} {value}", field.name()))?;
            value = Number::UNKNOWN;
        }
        if value.value == 0 {
            reporter.report_at(&rules::ZERO_UNKNOWN, entry.line, || field.name().into())?;
            value = Number::UNKNOWN;
        }
        record.set(field, value);
    }
    if let Some(machine) = machine {
        for field in [Field::Allocated, Field::Requested] {
            let procs = record.get(field).truncated();
            if procs > machine {
                let detail = || format!("{} {procs}, the machine has {machine}", field.name());
                reporter.report_at(&rules::OVERSIZED, entry.line, detail)?;
                record.set_whole(field, machine);
            }
        }
    }
    contradictions(entry.line, run, record, reporter)
}

fn contradictions(line: u32, run: Option<Time>, record: &Record, reporter: &mut Reporter<'_>) -> Result {
    let above = |more: Number, less: Number| {
        !more.is_unknown() && !less.is_unknown() && more.to_micro() > less.to_micro()
    };
    let get = |field| record.get(field);
    let run = run.map_or(Number::UNKNOWN, |run| Number::from_micro(run.ticks()));
    let (got, asked) = (get(Field::Allocated), get(Field::Requested));
    let differs = !got.is_unknown() && !asked.is_unknown() && got != asked;
    let (limit, used, memory) =
        (get(Field::RequestedTime), get(Field::UsedMemory), get(Field::RequestedMemory));
    let far = Number::from_micro(limit.to_micro().saturating_add(60_000_000));
    let checks = [
        (above(get(Field::Cpu), run), &rules::CPU_ABOVE_RUN, get(Field::Cpu), run),
        (differs, &rules::SIZE_DIFFERS, got, asked),
        (above(run, limit), &rules::RUN_ABOVE_REQUEST, run, limit),
        (above(run, limit) && above(run, far), &rules::RUN_FAR_ABOVE_REQUEST, run, limit),
        (above(used, memory), &rules::MEMORY_ABOVE_REQUEST, used, memory),
    ];
    for (found, kind, this, that) in checks {
        if found {
            reporter.report_at(kind, line, || format!("{this} against {that}"))?;
        }
    }
    Ok(())
}
