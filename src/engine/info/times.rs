//! Sizes and run times of jobs, and the accuracy of requests.

use batchlab_traces::reading::Size;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Trace};
use serde::Serialize;

use super::rows::{secs, share};
use super::spread::Spread;

/// Sizes of jobs: requested processors, or else allocated ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeFacts {
    pub procs: Option<Spread>,
    /// Share of jobs of one processor, among jobs of known size.
    pub serial: f64,
    /// Share of jobs whose size is a power of two, including one.
    pub powers_of_two: f64,
    /// Number of different sizes.
    pub distinct: u64,
    /// Jobs with a different number of allocated than requested processors.
    pub allocated_otherwise: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeFacts {
    pub run: Option<Spread>,
    pub zero_run: u64,
    /// Recorded waits; `None` if the log records none.
    pub wait: Option<Spread>,
    /// Requested times above 0.
    pub request: Option<Spread>,
    pub unrequested: f64,
    pub accuracy: Option<Spread>,
    /// Jobs that ran longer than requested.
    pub overruns: u64,
    /// Share of such jobs, among jobs with a request and a run time.
    pub overrun_share: f64,
}

impl SizeFacts {
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> SizeFacts {
        let sizes: Vec<i64> = rows.iter().filter_map(|&row| size(trace, Size::Requested, row)).collect();
        let part = |holds: fn(&i64) -> bool| {
            share(sizes.iter().filter(|&size| holds(size)).count() as u64, sizes.len() as u64)
        };
        let otherwise = |&&row: &&usize| {
            let [asked, given] = [Field::Requested, Field::Allocated].map(|field| trace.get(row, field));
            asked.value > 0 && given.value > 0 && asked != given
        };
        SizeFacts {
            procs: Spread::of(sizes.iter().map(|&size| size as f64)),
            serial: part(|&size| size == 1),
            powers_of_two: part(|&size| size.count_ones() == 1),
            distinct: sizes.iter().collect::<SortedSet<_>>().len() as u64,
            allocated_otherwise: rows.iter().filter(otherwise).count() as u64,
        }
    }
}

impl TimeFacts {
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> TimeFacts {
        let all = |field| rows.iter().filter_map(move |&row| secs(trace, row, field));
        let request = |row| secs(trace, row, Field::RequestedTime).filter(|&request| request > 0.0);
        let accuracy: Vec<f64> =
            rows.iter().filter_map(|&row| Some(secs(trace, row, Field::Run)? / request(row)?)).collect();
        let overruns = accuracy.iter().filter(|&&used| used > 1.0).count() as u64;
        let unrequested = rows.iter().filter(|&&row| request(row).is_none()).count() as u64;
        TimeFacts {
            run: Spread::of(all(Field::Run)),
            zero_run: all(Field::Run).filter(|&run| run == 0.0).count() as u64,
            wait: Spread::of(all(Field::Wait)),
            request: Spread::of(rows.iter().filter_map(|&row| request(row))),
            unrequested: share(unrequested, rows.len() as u64),
            overruns,
            overrun_share: share(overruns, accuracy.len() as u64),
            accuracy: Spread::of(accuracy.into_iter()),
        }
    }
}
