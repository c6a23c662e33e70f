//! Further columns of schedules, for plots and computations of one's own.

use std::io::{self, Write};

use batchlab_traces::nearest::nearest;
use batchlab_traces::{Field, JobId, Time};

use super::NodeList;
use crate::metrics::{Measurement, Served};

/// A column that a schedule may have beside its first five: a line in [`SCHEDULE_COLUMNS`].
#[derive(Debug)]
pub struct ScheduleColumn {
    /// Its name in the first line of the file.
    pub name: &'static str,
    /// Its content and unit, in one line.
    pub summary: &'static str,
    /// Writes the cell of a job; a value that is unknown, or that the job does not have, is an empty cell.
    write: fn(&Cells<'_>, JobId, &mut Vec<u8>) -> io::Result<()>,
}

/// All columns. `nodes` and `fate` stand only once in a file that has them anyway.
pub static SCHEDULE_COLUMNS: &[ScheduleColumn] = &[
    ScheduleColumn {
        name: "user",
        summary: "user, by number",
        write: |of, job, out| of.attribute(job, Field::User, out),
    },
    ScheduleColumn {
        name: "group",
        summary: "group, by number",
        write: |of, job, out| of.attribute(job, Field::Group, out),
    },
    ScheduleColumn {
        name: "executable",
        summary: "executable, by number",
        write: |of, job, out| of.attribute(job, Field::Executable, out),
    },
    ScheduleColumn {
        name: "queue",
        summary: "queue, by number",
        write: |of, job, out| of.attribute(job, Field::Queue, out),
    },
    ScheduleColumn {
        name: "partition",
        summary: "partition, by number",
        write: |of, job, out| of.attribute(job, Field::Partition, out),
    },
    ScheduleColumn {
        name: "estimate",
        summary: "estimate of the run time that policies see, in s",
        write: |of, job, out| write!(out, "{}", of.measurement.workload().estimate(job)),
    },
    ScheduleColumn {
        name: "run",
        summary: "run time at full speed, in s; what a killed or unfinished job received",
        write: |of, job, out| of.started(job, out, |served| served.run),
    },
    ScheduleColumn {
        name: "eligible",
        summary: "when the job entered the queue, in s",
        write: |of, job, out| write!(out, "{}", of.measurement.workload().submit(job)),
    },
    ScheduleColumn {
        name: "wait",
        summary: "first start - eligible, in s; until the stop for a job that had not started",
        write: |of, job, out| of.started(job, out, Served::wait),
    },
    ScheduleColumn {
        name: "response",
        summary: "end - eligible, in s",
        write: |of, job, out| of.ended(job, out, |served| Some(served.response())),
    },
    ScheduleColumn {
        name: "slowdown",
        summary: "response / run",
        write: |of, job, out| of.ended(job, out, Served::slowdown),
    },
    ScheduleColumn {
        name: "bsld",
        summary: "max(1, response / max(run, tau)), the bounded slowdown",
        write: |of, job, out| {
            of.ended(job, out, |served| served.bounded_slowdown(of.measurement.options().tau))
        },
    },
    ScheduleColumn {
        name: "class",
        summary: "the classes of the job among those that are measured, joined by +",
        write: |of, job, out| of.class(job, out),
    },
    ScheduleColumn {
        name: "nodes",
        summary: "nodes and the processors on each, such as 0:8+3:4",
        write: |of, job, out| of.nodes(job, out),
    },
    ScheduleColumn {
        name: "fate",
        summary: "finished, killed, rejected or unfinished",
        write: |of, job, out| out.write_all(of.measurement.outcome().fate(job).name().as_bytes()),
    },
];

/// Columns that an experiment writes beside the first five; `class` too, if classes are measured.
const OF_EXPERIMENTS: [&str; 6] = ["user", "queue", "estimate", "run", "wait", "bsld"];

/// A column that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown column `{given}` of schedules; {}known are {}", near.map(|near| format!("did you mean {near}? ")).unwrap_or_default(), names())]
pub struct UnknownScheduleColumn {
    /// The given name.
    pub given: String,
    /// The most similar name, if one is similar.
    pub near: Option<&'static str>,
}

fn names() -> String {
    SCHEDULE_COLUMNS.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

impl ScheduleColumn {
    /// Returns the columns of a comma-separated list of names, in its order, each once.
    ///
    /// # Errors
    /// At the first unknown name.
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

    /// Returns the further columns of the schedules of an experiment that measures classes, or none.
    pub fn of_experiments(has_classes: bool) -> Vec<&'static ScheduleColumn> {
        let is_one = |column: &&ScheduleColumn| {
            OF_EXPERIMENTS.contains(&column.name) || has_classes && column.name == "class"
        };
        SCHEDULE_COLUMNS.iter().filter(is_one).collect()
    }
}

/// What the cells of further columns are taken from.
pub(super) struct Cells<'a> {
    measurement: &'a Measurement<'a>,
    columns: Vec<&'static ScheduleColumn>,
    /// The name of each class, as a cell takes it, with its members.
    classes: Vec<(String, Vec<bool>)>,
}

impl<'a> Cells<'a> {
    /// Returns the cells of columns, without those of the names that are written anyway. Classes are determined only
    /// if their column is asked for.
    pub(super) fn new(
        measurement: &'a Measurement<'a>,
        columns: &[&'static ScheduleColumn],
        written: &[&str],
    ) -> Cells<'a> {
        let columns: Vec<&ScheduleColumn> =
            columns.iter().filter(|column| !written.contains(&column.name)).copied().collect();
        let has_classes = columns.iter().any(|column| column.name == "class");
        let classes = measurement.classes().iter().filter(|_| has_classes);
        let classes = classes.map(|class| (class.name.clone(), class.members(measurement.workload())));
        Cells { measurement, classes: classes.collect(), columns }
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
            (column.write)(self, job, out)?;
        }
        Ok(())
    }

    fn attribute(&self, job: JobId, field: Field, out: &mut Vec<u8>) -> io::Result<()> {
        match self.measurement.workload().attribute(job, field) {
            unknown if unknown < 0 => Ok(()),
            known => write!(out, "{known}"),
        }
    }

    fn started(&self, job: JobId, out: &mut Vec<u8>, time: impl Fn(&Served) -> Time) -> io::Result<()> {
        match self.measurement.served(job) {
            served if served.start == Time::MAX => Ok(()),
            served => write!(out, "{}", time(&served)),
        }
    }

    fn ended<T: std::fmt::Display>(
        &self,
        job: JobId,
        out: &mut Vec<u8>,
        value: impl Fn(&Served) -> Option<T>,
    ) -> io::Result<()> {
        let has_ended = self.measurement.outcome().fate(job).has_ended();
        match has_ended.then(|| value(&self.measurement.served(job))).flatten() {
            Some(value) => write!(out, "{value}"),
            None => Ok(()),
        }
    }

    fn class(&self, job: JobId, out: &mut Vec<u8>) -> io::Result<()> {
        let names = self.classes.iter().filter(|(_, members)| members[job.index()]);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        out.write_all(names.join("+").as_bytes())
    }

    fn nodes(&self, job: JobId, out: &mut Vec<u8>) -> io::Result<()> {
        let outcome = self.measurement.outcome();
        if outcome.places.is_empty() || outcome.by_processor {
            return Ok(());
        }
        write!(out, "{}", NodeList(&outcome.places.only(job)))
    }
}
