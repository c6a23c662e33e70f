//! The limits of a file, resolved for the jobs of a workload.

use std::collections::HashMap;

use super::file::{Class, Members, Stated, Value};
use super::{Counted, LimitError, LimitFile, LimitedQuantity};
use crate::column::Column;
use crate::field::Field;
use crate::finding::{Example, Findings, Kind, Level, Refusal, SourcePlace};
use crate::header::{Header, Named};
use crate::machine::Machine;
use crate::nearest::{meant, nearest};
use crate::provenance::Provenance;
use crate::time::Time;
use crate::trace::Trace;
use crate::workload::{JobId, Workload};

/// A job that alone exceeds a limit.
pub static ABOVE_LIMIT: Kind = Kind {
    code: "job-above-limit",
    level: Level::Warning,
    what: "{job|jobs} that alone {exceeds|exceed} a limit of the file of --limits, and could never start",
    done: "dropped",
    advice: "raise the limit if the site would run such jobs; a batch system leaves them waiting for ever",
};

/// A job that requests more time than a limit allows.
pub static ABOVE_WALL_TIME: Kind = Kind {
    code: "job-above-wall-time",
    level: Level::Warning,
    what: "{job|jobs} with an estimate above the wall_time of a limit",
    done: "dropped; a batch system refuses such jobs at submission",
    advice: "raise wall_time, or cut the requests with a cleaning rule; --overrun raise raises the estimates of jobs \
             that ran longer than they requested",
};

/// A limit that is about no job.
pub static IDLE_LIMIT: Kind = Kind {
    code: "limit-idle",
    level: Level::Note,
    what: "{limit|limits} about jobs of which the log has none",
    done: "{it has|they have} no effect",
    advice: "compare the names and numbers with those of `batchlab info LOG`",
};

/// The limits of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitTable {
    /// Each bound of each limit.
    pub limits: Vec<Limit>,
}

/// One bound on one quantity, for classes of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The jobs that count.
    pub counted: Counted,
    /// What is bounded.
    pub quantity: LimitedQuantity,
    /// The bound: jobs, processors, or processors × ticks.
    pub most: i128,
    /// The class of each job by its row in the trace; [`Limit::NO_CLASS`] for jobs that the limit is not about.
    classes: Vec<u32>,
    /// The limit as the file states it.
    pub words: String,
}

impl Limit {
    /// The class of jobs that a limit is not about.
    pub const NO_CLASS: u32 = u32::MAX;

    /// Returns the class of a job within which amounts are added; `None` if the limit is not about the job.
    #[inline]
    pub fn class(&self, workload: &Workload, job: JobId) -> Option<usize> {
        let class = self.classes.get(workload.row(job)).copied().unwrap_or(Limit::NO_CLASS);
        (class != Limit::NO_CLASS).then_some(class as usize)
    }

    /// Returns the number of classes.
    pub fn count_classes(&self) -> usize {
        self.classes
            .iter()
            .filter(|&&class| class != Limit::NO_CLASS)
            .max()
            .map_or(0, |&most| most as usize + 1)
    }

    /// Returns what a job counts when it starts.
    #[inline]
    pub fn amount(&self, workload: &Workload, job: JobId) -> i128 {
        match self.quantity {
            LimitedQuantity::Jobs => 1,
            LimitedQuantity::Procs => i128::from(workload.procs(job)),
            LimitedQuantity::Work => {
                i128::from(workload.procs(job)) * i128::from(workload.estimate(job).ticks())
            }
        }
    }
}

impl LimitTable {
    /// Whether a limit counts the jobs on the machine only.
    pub fn counts(&self, counted: Counted) -> bool {
        self.limits.iter().any(|limit| limit.counted == counted)
    }
}

impl LimitFile {
    /// Resolves the limits for the jobs of a log, and drops the jobs that could never start. A node-hour is as many
    /// processor-hours as a node has processors, on average; on a pool, a processor is a node.
    ///
    /// O(jobs × limits).
    ///
    /// # Errors
    /// When a name is not one of the log's, the log has no service classes, or strict reading refuses a finding.
    pub fn apply(
        &self,
        workload: Workload,
        trace: &Trace,
        machine: &Machine,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<(Workload, LimitTable), LimitsError> {
        let mut limits = Vec::new();
        for stated in &self.limits {
            let classes = stated.classes_of(&workload, trace)?;
            if classes.iter().all(|&class| class == Limit::NO_CLASS) {
                findings.report(&IDLE_LIMIT, || example(&stated.place, stated.words.clone()))?;
            }
            limits.push((stated, classes));
        }
        let of_node = if machine.is_pool() { 1.0 } else { machine.total(0) as f64 / machine.nodes() as f64 };
        let node_hour = of_node * Time::from_secs(3600).ticks() as f64;
        let mut drops = vec![false; workload.len()];
        let mut table = LimitTable::default();
        for (stated, classes) in &limits {
            if let Some(most) = stated.wall_time {
                for job in workload.jobs().filter(|&job| classes[workload.row(job)] != Limit::NO_CLASS) {
                    let asks = workload.estimate(job);
                    if asks > most && !std::mem::replace(&mut drops[workload.position(job)], true) {
                        let detail =
                            || format!("job {}: {asks} s, and {most} s are allowed", workload.number(job));
                        findings.report(&ABOVE_WALL_TIME, || example(&stated.place, detail()))?;
                    }
                }
            }
            for bound in &stated.bounds {
                let unit = if bound.quantity == LimitedQuantity::Work { node_hour } else { 1.0 };
                let words = format!("{} = {} ({})", bound.key, bound.most, stated.words);
                let limit = Limit {
                    counted: stated.counted,
                    quantity: bound.quantity,
                    most: (bound.most * unit) as i128,
                    classes: classes.clone(),
                    words,
                };
                for job in workload.jobs() {
                    let above =
                        limit.class(&workload, job).is_some() && limit.amount(&workload, job) > limit.most;
                    if above && !std::mem::replace(&mut drops[workload.position(job)], true) {
                        let size = match bound.quantity {
                            LimitedQuantity::Jobs => "1 job".into(),
                            LimitedQuantity::Procs => format!("{} processors", workload.procs(job)),
                            LimitedQuantity::Work => {
                                format!("{:.1} node-hours", limit.amount(&workload, job) as f64 / node_hour)
                            }
                        };
                        let detail =
                            || format!("job {}: {size}, above {}", workload.number(job), limit.words);
                        findings.report(&ABOVE_LIMIT, || example(&bound.place, detail()))?;
                    }
                }
                table.limits.push(limit);
            }
        }
        let dropped = drops.iter().filter(|&&dropped| dropped).count();
        provenance.step("limits", format!("{dropped} jobs above a limit dropped"), dropped as u64);
        if dropped == workload.len() {
            return Err(LimitsError::NoJobs(dropped));
        }
        let workload = if dropped == 0 { workload } else { workload.without(&drops) };
        Ok((workload, table))
    }
}

/// Why limits do not suit a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// The file does not suit the log.
    #[error(transparent)]
    File(#[from] LimitError),
    /// Strict reading refused a finding.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Every job is above a limit.
    #[error("each of the {0} jobs alone exceeds a limit of --limits: raise the limits")]
    NoJobs(usize),
}

fn example(place: &SourcePlace, detail: String) -> Example {
    Example { place: Some(place.clone()), detail }
}

impl Stated {
    /// Returns the class of each job by its row in the trace.
    fn classes_of(&self, workload: &Workload, trace: &Trace) -> Result<Vec<u32>, LimitError> {
        let mut properties = Vec::new();
        for (class, members) in &self.classes {
            let values =
                Values::of(*class, trace).map_err(|what| LimitError { place: self.place.clone(), what })?;
            let these = match members {
                Members::Each => None,
                Members::These(these) => {
                    let numbers = these.iter().map(|value| values.number(value, &trace.header));
                    Some(numbers.collect::<Result<Vec<i64>, _>>()?)
                }
            };
            properties.push((values, these));
        }
        let mut known: HashMap<Vec<i64>, u32> = HashMap::new();
        let rows = workload.jobs().map(|job| workload.row(job) + 1).max().unwrap_or(0);
        let mut classes = vec![Limit::NO_CLASS; rows];
        let mut key = Vec::new();
        for job in workload.jobs() {
            key.clear();
            let mut concerned = true;
            for (values, these) in &properties {
                let value = values.get(workload, job);
                match these {
                    // All unknown numbers count as the same one.
                    None => key.push(value.max(-1)),
                    Some(these) => concerned &= these.contains(&value),
                }
            }
            if concerned {
                let next = known.len() as u32;
                classes[workload.row(job)] = match known.get(&key) {
                    Some(&class) => class,
                    None => *known.entry(key.clone()).or_insert(next),
                };
            }
        }
        Ok(classes)
    }
}

/// A property of the jobs of a log.
struct Values<'a> {
    class: Class,
    field: Field,
    /// The column beside the eighteen fields that has it.
    column: Option<&'a Column>,
}

impl Values<'_> {
    fn of(class: Class, trace: &Trace) -> Result<Values<'_>, String> {
        let field = match class {
            Class::Partition => Field::Partition,
            Class::Queue => Field::Queue,
            Class::User => Field::User,
            Class::Group | Class::Account | Class::Qos => Field::Group,
        };
        let column = match class {
            Class::Account | Class::Qos => trace.resource(class.key()),
            _ => None,
        };
        if class == Class::Qos && column.is_none() {
            return Err(
                "the log has no column `qos`: logs of Slurm do, or another format by a mapping with such a \
                        column; most logs have a `queue` or a `partition` instead"
                    .into(),
            );
        }
        Ok(Values { class, field, column })
    }

    fn get(&self, workload: &Workload, job: JobId) -> i64 {
        match self.column {
            Some(column) => column.whole(workload.row(job)),
            None => workload.attribute(job, self.field),
        }
    }

    /// Returns the number of a value; names are those of the header: queues, partitions, and notes such as
    /// `qos 2: high`.
    fn number(&self, value: &Value, header: &Header) -> Result<i64, LimitError> {
        let (name, place) = match value {
            Value::Number(number) => return Ok(*number),
            Value::Name(name, place) => (name, place),
        };
        let key = self.class.key();
        let noted: Vec<Named>;
        let known = match self.class {
            Class::Partition => &header.partition,
            Class::Queue => &header.queue,
            _ => {
                let group = (self.class == Class::Account).then_some("group");
                let keys = [Some(key), group].into_iter().flatten();
                noted = keys.flat_map(|key| header.noted(key)).collect();
                &noted
            }
        };
        let first = |known: &str| known.split_whitespace().next().unwrap_or_default().to_owned();
        let found = known.iter().find(|known| known.name == *name || first(&known.name) == *name);
        found.map(|known| known.number).ok_or_else(|| {
            let meant = meant(nearest(name, known.iter().map(|known| known.name.as_str())));
            let what =
                format!("the log's header has no {key} `{name}`{meant}; numbers of the log need no header");
            LimitError { place: place.clone(), what }
        })
    }
}
