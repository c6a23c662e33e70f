//! Unusual submissions.

use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Time};

use super::seen::{Log, Seen};

pub(super) fn unsorted(log: &Log<'_>) -> Seen {
    let submit = |row| log.trace.time(row, Field::Submit);
    let known: Vec<usize> = log.rows.iter().copied().filter(|&row| submit(row) >= Time::ZERO).collect();
    let early = known.windows(2).filter(|pair| submit(pair[1]) < submit(pair[0])).map(|pair| pair[1]);
    Seen::in_rows(early, |row| format!("job {} at {} s", log.trace.get(row, Field::Job), submit(row)))
}

pub(super) fn all_at_once(log: &Log<'_>) -> Seen {
    let mut submits = log.rows.iter().map(|&row| log.trace.time(row, Field::Submit));
    match submits.next() {
        Some(first) if log.rows.len() > 1 && submits.all(|submit| submit == first) => {
            Seen::of_log(1, format!("{} jobs at {first} s", log.rows.len()))
        }
        _ => Seen::default(),
    }
}

pub(super) fn repeated(log: &Log<'_>) -> Seen {
    let time = |row, field| log.trace.time(row, field);
    let told = |row| {
        let procs = size(log.trace, Size::Requested, row).unwrap_or(-1);
        let [submit, request, run] =
            [Field::Submit, Field::RequestedTime, Field::Run].map(|field| time(row, field));
        (submit, log.trace.get(row, Field::User).truncated(), procs, request, run)
    };
    // Zero and unknown run times are too weak as evidence that two jobs are the same.
    let mut rows: Vec<usize> =
        log.rows.iter().copied().filter(|&row| time(row, Field::Run) > Time::ZERO).collect();
    rows.sort_by_cached_key(|&row| (told(row), row));
    let mut again: Vec<(usize, usize)> = rows
        .windows(2)
        .filter(|pair| told(pair[0]) == told(pair[1]))
        .map(|pair| (pair[1], pair[0]))
        .collect();
    again.sort_unstable();
    let number = |row| log.trace.get(row, Field::Job);
    Seen::in_rows(again.iter().map(|&(row, _)| row), |row| {
        let before = again.binary_search_by_key(&row, |&(row, _)| row).map_or(row, |at| again[at].1);
        format!("job {} is job {} again", number(row), number(before))
    })
}
