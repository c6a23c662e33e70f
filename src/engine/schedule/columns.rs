//! Further columns of schedules, for plots and computations of one's own.

use std::fmt::Display;
use std::io::{self, Write};

use batchlab_traces::nearest::nearest;
use batchlab_traces::{Field, JobId, Time, Workload};

use super::NodeList;
use super::processors::{Processors, numbered};
use crate::metrics::{Measurement, Served};
use crate::outcome::Outcome;

/// A column that a schedule may have beside its first five: a line in [`SCHEDULE_COLUMNS`].
#[derive(Debug)]
pub struct ScheduleColumn {
    pub name: &'static str,
    /// Its content and unit, in one line.
    pub summary: &'static str,
    /// The value of a job; `None`, an empty cell, if it is unknown or the job does not have it.
    value: Value,
}

#[derive(Debug)]
enum Value {
    Whole(fn(&ColumnSources<'_>, JobId) -> Option<i64>),
    Time(fn(&ColumnSources<'_>, JobId) -> Option<Time>),
    Ratio(fn(&ColumnSources<'_>, JobId) -> Option<f64>),
    Text(fn(&ColumnSources<'_>, JobId) -> Option<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    Whole(Vec<Option<i64>>),
    /// Instants and durations.
    Time(Vec<Option<Time>>),
    /// Numbers without a unit.
    Ratio(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

const fn column(name: &'static str, summary: &'static str, value: Value) -> ScheduleColumn {
    ScheduleColumn { name, summary, value }
}

/// The columns that every schedule has, in their order.
static FIRST: [ScheduleColumn; 5] = [
    column("job_id", "number of the job in the log", Value::Whole(|of, job| Some(of.workload().number(job)))),
    column(
        "submit",
        "submit time, in s",
        Value::Time(|of, job| Some(of.workload().submitted(job)).filter(|&time| time < Time::MAX)),
    ),
    column(
        "start",
        "first start, in s",
        Value::Time(|of, job| Some(of.outcome().start(job)).filter(|&time| time < Time::MAX)),
    ),
    column(
        "end",
        "end, in s",
        Value::Time(|of, job| Some(of.outcome().end(job)).filter(|&time| time < Time::MAX)),
    ),
    column("procs", "processors", Value::Whole(|of, job| Some(of.workload().procs(job)))),
];

/// All columns. `nodes` and `fate` stand only once in a file that has them anyway.
pub static SCHEDULE_COLUMNS: &[ScheduleColumn] = &[
    column("user", "user, by number", Value::Whole(|of, job| of.attribute(job, Field::User))),
    column("group", "group, by number", Value::Whole(|of, job| of.attribute(job, Field::Group))),
    column(
        "executable",
        "executable, by number",
        Value::Whole(|of, job| of.attribute(job, Field::Executable)),
    ),
    column("queue", "queue, by number", Value::Whole(|of, job| of.attribute(job, Field::Queue))),
    column("partition", "partition, by number", Value::Whole(|of, job| of.attribute(job, Field::Partition))),
    column(
        "estimate",
        "estimate of the run time that policies see, in s",
        Value::Time(|of, job| Some(of.workload().estimate(job))),
    ),
    column(
        "run",
        "run time at full speed, in s; what a killed or unfinished job received",
        Value::Time(|of, job| of.started(job, |served| served.run)),
    ),
    column(
        "eligible",
        "when the job entered the queue, in s",
        Value::Time(|of, job| Some(of.workload().submit(job))),
    ),
    column(
        "wait",
        "first start - eligible, in s; until the stop for a job that had not started",
        Value::Time(|of, job| of.started(job, Served::wait)),
    ),
    column(
        "response",
        "end - eligible, in s",
        Value::Time(|of, job| of.ended(job, |served| Some(served.response()))),
    ),
    column("slowdown", "response / run", Value::Ratio(|of, job| of.ended(job, Served::slowdown))),
    column(
        "bsld",
        "max(1, response / max(run, tau)), the bounded slowdown",
        Value::Ratio(|of, job| of.ended(job, |served| served.bounded_slowdown(of.measurement.options().tau))),
    ),
    column("class", "the classes of the job among those that are measured, joined by +", Value::Text(class)),
    column("nodes", "nodes and the processors on each, such as 0:8+3:4", Value::Text(nodes)),
    column(
        "processors",
        "processors by number, such as 0-3 8: those that the policy named, or else the lowest that are free, of the pool or of its nodes",
        Value::Text(|of, job| of.processors.get(job.index())?.as_ref().map(ToString::to_string)),
    ),
    column(
        "fate",
        "finished, killed, rejected or unfinished",
        Value::Text(|of, job| Some(of.outcome().fate(job).name().into())),
    ),
];

/// Columns that an experiment writes beside the first five; `class` too, if classes are measured.
const OF_EXPERIMENTS: [&str; 6] = ["user", "queue", "estimate", "run", "wait", "bsld"];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown column `{given}` of schedules; {}known are {}", near.map(|near| format!("did you mean {near}? ")).unwrap_or_default(), names())]
pub struct UnknownScheduleColumn {
    pub given: String,
    /// The most similar name, if one is similar.
    pub near: Option<&'static str>,
}

fn names() -> String {
    SCHEDULE_COLUMNS.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

impl ScheduleColumn {
    /// Returns the columns of a comma-separated list of names, in its order, each once.
    pub fn select(list: &str) -> Result<Vec<&'static ScheduleColumn>, UnknownScheduleColumn> {
        let mut columns: Vec<&ScheduleColumn> = Vec::new();
        for name in list.split(',').map(str::trim) {
            let known = SCHEDULE_COLUMNS.iter().find(|column| column.name == name);
            let column = known.ok_or_else(|| UnknownScheduleColumn {
                given: name.into(),
                near: nearest(name, SCHEDULE_COLUMNS.iter().map(|column| column.name)),
            })?;
            if columns.iter().all(|known| known.name != column.name) {
                columns.push(column);
            }
        }
        Ok(columns)
    }

    pub fn of_experiments(has_classes: bool) -> Vec<&'static ScheduleColumn> {
        let is_one = |column: &&ScheduleColumn| {
            OF_EXPERIMENTS.contains(&column.name) || has_classes && column.name == "class"
        };
        SCHEDULE_COLUMNS.iter().filter(is_one).collect()
    }
}

pub(super) struct ColumnSources<'a> {
    measurement: &'a Measurement<'a>,
    columns: Vec<&'static ScheduleColumn>,
    /// The name of each class, as a cell takes it, with its members.
    classes: Vec<(String, Vec<bool>)>,
    /// The processors of each job, by [`JobId`]; empty unless they are a column.
    processors: Vec<Option<Processors>>,
}

impl<'a> ColumnSources<'a> {
    /// Returns the cells of columns, without those of the names that are written anyway. Classes and processors are
    /// determined only if their column is asked for.
    pub(super) fn new(
        measurement: &'a Measurement<'a>,
        columns: &[&'static ScheduleColumn],
        written: &[&str],
    ) -> ColumnSources<'a> {
        let columns: Vec<&ScheduleColumn> =
            columns.iter().filter(|column| !written.contains(&column.name)).copied().collect();
        let has = |name: &str| columns.iter().any(|column| column.name == name);
        let classes = measurement.classes().iter().filter(|_| has("class"));
        let classes = classes.map(|class| (class.name.clone(), class.members(measurement.workload())));
        let classes = classes.collect();
        let processors = if has("processors") { numbered(measurement) } else { Vec::new() };
        ColumnSources { measurement, columns, classes, processors }
    }

    /// Writes the names of the columns, each after a comma.
    pub(super) fn head(&self, out: &mut Vec<u8>) {
        for column in &self.columns {
            out.push(b',');
            out.extend(column.name.as_bytes());
        }
    }

    /// Writes the cells of a job, each after a comma.
    pub(super) fn row(&self, job: JobId, out: &mut Vec<u8>) -> io::Result<()> {
        for column in &self.columns {
            out.push(b',');
            match column.value {
                Value::Whole(value) => put(value(self, job), out)?,
                Value::Time(value) => put(value(self, job), out)?,
                Value::Ratio(value) => put(value(self, job), out)?,
                Value::Text(value) => put(value(self, job), out)?,
            }
        }
        Ok(())
    }

    fn values(&self, column: &ScheduleColumn) -> ColumnValues {
        let jobs = || self.workload().by_row().into_iter();
        match column.value {
            Value::Whole(value) => ColumnValues::Whole(jobs().map(|job| value(self, job)).collect()),
            Value::Time(value) => ColumnValues::Time(jobs().map(|job| value(self, job)).collect()),
            Value::Ratio(value) => ColumnValues::Ratio(jobs().map(|job| value(self, job)).collect()),
            Value::Text(value) => ColumnValues::Text(jobs().map(|job| value(self, job)).collect()),
        }
    }

    fn workload(&self) -> &Workload {
        self.measurement.workload()
    }

    fn outcome(&self) -> &Outcome {
        self.measurement.outcome()
    }

    fn attribute(&self, job: JobId, field: Field) -> Option<i64> {
        Some(self.workload().attribute(job, field)).filter(|&known| known >= 0)
    }

    fn started(&self, job: JobId, time: impl Fn(&Served) -> Time) -> Option<Time> {
        Some(self.measurement.served(job))
            .filter(|served| served.start < Time::MAX)
            .map(|served| time(&served))
    }

    fn ended<T>(&self, job: JobId, value: impl Fn(&Served) -> Option<T>) -> Option<T> {
        let has_ended = self.outcome().fate(job).has_ended();
        has_ended.then(|| value(&self.measurement.served(job))).flatten()
    }
}

fn class(of: &ColumnSources<'_>, job: JobId) -> Option<String> {
    let names = of.classes.iter().filter(|(_, members)| members[job.index()]);
    Some(names.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("+")).filter(|names| !names.is_empty())
}

fn nodes(of: &ColumnSources<'_>, job: JobId) -> Option<String> {
    let outcome = of.outcome();
    let has_nodes = !outcome.places.is_empty() && !outcome.by_processor;
    has_nodes.then(|| NodeList(&outcome.places.only(job, outcome.start(job))).to_string())
}

fn put(value: Option<impl Display>, out: &mut Vec<u8>) -> io::Result<()> {
    value.map_or(Ok(()), |value| write!(out, "{value}"))
}

/// Returns the columns of a schedule by name: the first five, then others; jobs in the order of the trace.
pub fn columns(
    columns: &[&'static ScheduleColumn],
    measurement: &Measurement<'_>,
) -> Vec<(&'static str, ColumnValues)> {
    let cells = ColumnSources::new(measurement, columns, &[]);
    FIRST.iter().chain(columns.iter().copied()).map(|column| (column.name, cells.values(column))).collect()
}
