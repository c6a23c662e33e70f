//! Jobs with an unusual run time or size.

use batchlab_traces::reading::Size;
use batchlab_traces::workload::{OverAllocation, size};
use batchlab_traces::{Field, Time};

use super::seen::{Log, Seen};

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

pub(super) fn given(log: &Log<'_>) -> Seen {
    let given = OverAllocation::of(
        log.trace,
        log.rows.iter().map(|&row| (row, log.trace.get(row, Field::Requested).truncated())),
    );
    let Some(given) = given.filter(OverAllocation::is_much_more) else { return Seen::default() };
    let used = log.usage.and_then(|usage| usage.utilization).map_or_else(String::new, |used| {
        let requested = 100.0 * used / given.factor;
        format!(": it used {:.1} % of the machine, the requests {requested:.1} %", 100.0 * used)
    });
    let (more, of, factor) = (given.more, given.of, given.factor);
    let detail =
        format!("{more} of {of} jobs; by allocated processors the work is {factor:.2} times as much{used}");
    Seen::of_log(given.more, detail)
}

fn in_rows(log: &Log<'_>, holds: impl Fn(&usize) -> bool, detail: impl Fn(usize) -> String) -> Seen {
    let number = |row| log.trace.get(row, Field::Job);
    Seen::in_rows(log.rows.iter().copied().filter(holds), |row| {
        format!("job {}: {}", number(row), detail(row))
    })
}
