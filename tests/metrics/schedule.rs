//! Schedules for tests: written by hand, or read from reference files.

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::Outcome;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};

use crate::lab::reference_text;

#[derive(Debug)]
pub struct Schedule {
    pub workload: Workload,
    pub machine: Machine,
    pub outcome: Outcome,
}

impl Schedule {
    /// Jobs as (submit, start, end, processors), whole seconds, in the order of submission.
    pub fn new(procs: i64, jobs: &[(i64, i64, i64, i64)]) -> Schedule {
        let plain: Vec<PlainJob> = jobs
            .iter()
            .enumerate()
            .map(|(row, &(submit, start, end, procs))| PlainJob {
                user: row as i64 % 3,
                ..PlainJob::secs(submit, end - start, vec![procs])
            })
            .collect();
        let workload = Workload::from_jobs(&plain);
        let of = |pick: fn(&(i64, i64, i64, i64)) -> i64| {
            workload.jobs().map(|job| Time::from_secs(pick(&jobs[workload.row(job)]))).collect()
        };
        let outcome = Outcome { start: of(|job| job.1), end: of(|job| job.2), ..Outcome::default() };
        Schedule { workload, machine: Machine::pool(procs).unwrap(), outcome }
    }

    /// One of the reference schedules, or `None`, with the reason printed, if they are not installed.
    pub fn reference(name: &str, procs: i64) -> Option<Schedule> {
        let text = reference_text(name)?;
        let jobs: Vec<(i64, i64, i64, i64)> = text.lines().skip(1).map(row).collect();
        Some(Schedule::new(procs, &jobs))
    }

    pub fn measure(&self, options: MeasureOptions) -> Measurement<'_> {
        Measurement::new(&self.workload, &self.machine, &self.outcome, options).unwrap()
    }

    pub fn metric_with(&self, key: &str, options: MeasureOptions) -> Option<f64> {
        Catalogue::new(&self.machine, &[]).find(key).unwrap().value(&self.measure(options))
    }

    pub fn metric(&self, key: &str) -> Option<f64> {
        self.metric_with(key, MeasureOptions::default())
    }
}

fn row(line: &str) -> (i64, i64, i64, i64) {
    let fields: Vec<i64> = line.split(',').map(|field| field.parse().unwrap()).collect();
    (fields[1], fields[2], fields[3], fields[4])
}
