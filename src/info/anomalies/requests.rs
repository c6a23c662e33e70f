//! Jobs whose run time or size is not what one expects of a job.

use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Time};

use super::{Log, Seen};

pub(super) fn overrun(log: &Log<'_>) -> Seen {
    let [run, request] =
        [Field::Run, Field::RequestedTime].map(|field| move |row| log.trace.time(row, field));
    let longer = |row: &usize| request(*row) > Time::ZERO && run(*row) > request(*row);
    in_rows(log, longer, |row| format!("ran {} s of {} s", run(row), request(row)))
}

pub(super) fn zero_run(log: &Log<'_>) -> Seen {
    let is_zero = |row: &usize| log.trace.time(*row, Field::Run) == Time::ZERO;
    in_rows(log, is_zero, |row| format!("status {}", log.trace.get(row, Field::Status)))
}

pub(super) fn no_size(log: &Log<'_>) -> Seen {
    let has_none = |row: &usize| size(log.trace, Size::Requested, *row).is_none();
    in_rows(log, has_none, |row| format!("status {}", log.trace.get(row, Field::Status)))
}

pub(super) fn oversized(log: &Log<'_>) -> Seen {
    let Some(procs) = log.trace.header.max_procs.as_ref().map(|procs| procs.count) else {
        return Seen::default();
    };
    let of = |row| size(log.trace, Size::Requested, row).unwrap_or(0);
    let is_larger = |row: &usize| procs > 0 && of(*row) > procs;
    in_rows(log, is_larger, |row| format!("{} processors of {procs}", of(row)))
}

/// Returns the jobs of which something holds.
fn in_rows(log: &Log<'_>, holds: impl Fn(&usize) -> bool, detail: impl Fn(usize) -> String) -> Seen {
    let number = |row| log.trace.get(row, Field::Job);
    Seen::in_rows(log.rows.iter().copied().filter(holds), |row| {
        format!("job {}: {}", number(row), detail(row))
    })
}
