//! The input of programs: the rows of a trace, or the jobs of a workload.

use std::ops::Range;

use super::{FieldId, TableCall};
use crate::trace::{Suspensions, Trace};
use crate::{Column, Field, JobId, Number, Workload};

/// Rows that programs can be evaluated on.
pub trait Rows {
    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes a field of some rows, in seconds, KB or as a plain number, for a further column in its
    /// declared unit; unknown values are -1. Never called for fields that the vocabulary of these rows
    /// refuses, nor for [`FieldId::Hour`] and [`FieldId::Weekday`].
    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]);

    /// Returns the key of a row's draws: the same for the same job, whatever other rows there are.
    fn key(&self, row: usize) -> u64 {
        row as u64
    }

    /// Returns the rows that a function of the whole table marks: none, if there is no table.
    fn marks(&self, call: &TableCall) -> Vec<bool> {
        let _ = call;
        vec![false; self.len()]
    }
}

impl Rows for Trace {
    fn len(&self) -> usize {
        self.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        match field {
            FieldId::Procs => {
                // Whole processors, as in a workload.
                let fields = [self.column(Field::Requested), self.column(Field::Allocated)];
                let whole = fields.iter().all(|column| column.is_whole());
                fields[0].copy_to(rows.start, out);
                truncate(out, whole);
                fill_gaps(fields[1], rows.start, out);
                truncate(out, whole);
                no_size_below_one(out);
            }
            FieldId::Memory => {
                self.column(Field::RequestedMemory).copy_to(rows.start, out);
                fill_gaps(self.column(Field::UsedMemory), rows.start, out);
            }
            FieldId::Estimate => {
                self.column(Field::RequestedTime).copy_to(rows.start, out);
                fill_gaps(self.column(Field::Run), rows.start, out);
            }
            FieldId::MaxProcs => {
                out.fill(self.header.max_procs.as_ref().map_or(-1.0, |procs| procs.count as f64));
            }
            FieldId::Start => sum(self, &[Field::Submit, Field::Wait], rows.start, out),
            FieldId::End => {
                sum(self, &[Field::Submit, Field::Wait, Field::Run], rows.start, out);
                add_suspensions(self, rows.start, out);
            }
            FieldId::Response => {
                sum(self, &[Field::Wait, Field::Run], rows.start, out);
                add_suspensions(self, rows.start, out);
            }
            FieldId::Resource(at) => match self.resource_at(at as usize) {
                Some(column) => column.copy_to(rows.start, out),
                None => out.fill(-1.0),
            },
            _ => match recorded(field) {
                Some(field) => self.column(field).copy_to(rows.start, out),
                None => out.fill(-1.0),
            },
        }
    }

    /// The job number; for a job without one the line, which, like the number, does not change when other
    /// rows are dropped; for a job with neither, the row.
    fn key(&self, row: usize) -> u64 {
        const LINE: u64 = 1 << 63;
        const ROW: u64 = 3 << 62;
        let job = self.get(row, Field::Job);
        match self.line(row) {
            _ if !job.is_unknown() => job.truncated() as u64,
            0 => row as u64 | ROW,
            line => u64::from(line) | LINE,
        }
    }

    fn marks(&self, call: &TableCall) -> Vec<bool> {
        (call.function.compute)(self, &call.arguments)
    }
}

impl Rows for Workload {
    fn len(&self) -> usize {
        self.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        let value = |job: JobId| match field {
            FieldId::Job => self.number(job) as f64,
            FieldId::Submit => self.submitted(job).secs(),
            FieldId::Run => self.run(job).secs(),
            FieldId::Estimate => self.estimate(job).secs(),
            FieldId::Procs => self.procs(job) as f64,
            FieldId::Resource(at) => resource(self, job, at).unwrap_or(-1.0),
            FieldId::PerProcessor(at) => {
                resource(self, job, at).map_or(-1.0, |amount| amount / self.procs(job).max(1) as f64)
            }
            _ => recorded(field).map_or(-1.0, |field| self.attribute(job, field) as f64),
        };
        for (to, job) in out.iter_mut().zip(rows) {
            *to = value(self.job_at(job));
        }
    }

    fn key(&self, row: usize) -> u64 {
        self.number(self.job_at(row)) as u64
    }
}

/// Returns the demand of a further resource; `at` is 0 for the one after the processors.
fn resource(jobs: &Workload, job: JobId, at: u32) -> Option<f64> {
    jobs.demand(job).get(at as usize + 1).map(|amount| *amount as f64)
}

/// Adds how long jobs were suspended to times of the log; unknown ones stay unknown.
fn add_suspensions(trace: &Trace, from: usize, out: &mut [f64]) {
    let suspensions = Suspensions::of(trace);
    if suspensions.any() {
        for (row, time) in (from..).zip(out).filter(|(_, time)| **time >= 0.0) {
            *time += suspensions.get(row).total.secs();
        }
    }
}

pub(crate) fn recorded(field: FieldId) -> Option<Field> {
    Some(match field {
        FieldId::Job => Field::Job,
        FieldId::Submit => Field::Submit,
        FieldId::Wait => Field::Wait,
        FieldId::Run => Field::Run,
        FieldId::RequestedProcs => Field::Requested,
        FieldId::AllocatedProcs => Field::Allocated,
        FieldId::RequestedTime => Field::RequestedTime,
        FieldId::UsedMemory => Field::UsedMemory,
        FieldId::RequestedMemory => Field::RequestedMemory,
        FieldId::Cpu => Field::Cpu,
        FieldId::User => Field::User,
        FieldId::Group => Field::Group,
        FieldId::Executable => Field::Executable,
        FieldId::Queue => Field::Queue,
        FieldId::Partition => Field::Partition,
        FieldId::Status => Field::Status,
        FieldId::Preceding => Field::Preceding,
        FieldId::Think => Field::Think,
        _ => return None,
    })
}

/// Replaces values that are not above zero by another column's.
fn fill_gaps(column: &Column, from: usize, out: &mut [f64]) {
    for (row, value) in out.iter_mut().enumerate() {
        if *value <= 0.0 {
            *value = column.get(from + row).to_f64();
        }
    }
}

fn truncate(out: &mut [f64], whole: bool) {
    if whole {
        return;
    }
    for value in out {
        *value = value.trunc();
    }
}

/// Treats sizes below one processor as unknown.
fn no_size_below_one(out: &mut [f64]) {
    for value in out {
        *value = if *value < 1.0 { -1.0 } else { *value };
    }
}

/// Adds fields, exactly; -1 if one of them is unknown.
fn sum(trace: &Trace, fields: &[Field], from: usize, out: &mut [f64]) {
    for (row, value) in out.iter_mut().enumerate() {
        let known = |field: &Field| Some(trace.get(from + row, *field)).filter(|number| !number.is_unknown());
        let total =
            fields.iter().map(known).try_fold(0i64, |sum, part| Some(sum.saturating_add(part?.to_micro())));
        *value = total.map_or(-1.0, |micro| Number::from_micro(micro).to_f64());
    }
}
