//! The jobs of a replay as input of a scheduler: submit time, demand, estimate, and the hidden run time.

mod build;
mod demand;
mod dependency;
mod depends;
mod derived;
mod drops;
mod error;
mod interactive;
mod job_id;
mod layouts;
mod meanings;
mod occupancy;
mod parts;
mod plain;
mod room;
mod sites;
mod standing;
mod times;

pub use build::HET_JOB;
pub(crate) use demand::stated_procs;
pub use demand::{OverAllocation, machine_size, size};
pub use dependency::{Condition, Dependency, Milestone, Preceding, Throttle};
pub use drops::{HELD, LAYOUT_UNTOLD, UNFINISHED};
pub use error::ReadingError;
pub use interactive::{InteractiveRule, InteractiveRuleError};
pub use job_id::JobId;
pub use layouts::columns as layout_columns;
pub use meanings::{BATSIM, GIVEN, Meanings, given, named};
pub use occupancy::{Stay, UsageStep, levels, peak, stays};
pub use parts::Parts;
pub use plain::PlainJob;
pub use sites::{CONSTRAINT, constraint};
pub use standing::Standing;

use std::sync::Arc;

use crate::layout::{Layout, LayoutColumn};
use crate::machine::{DeviceSet, Devices, Fit, Machine};
use crate::{Column, Field, Time};
use sites::Sites;

/// The fields of a trace that a policy may know about a job, besides time and demand.
pub const ATTRIBUTES: [Field; 5] =
    [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];

/// The jobs of a replay in the order of submission.
///
/// Built by [`Workload::read`] from a trace, or by [`Workload::from_jobs`] for tests and models. A column that few jobs need
/// is empty if no job has a value. Workloads with jobs of other workloads are all made in `derived`.
#[must_use]
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// The first job: 0, except in a section of a stream.
    first: u32,
    submit: Vec<Time>,
    /// When jobs were submitted; empty if no job was held back.
    submitted: Vec<Time>,
    /// When a replay first sees them; empty if this is when they enter the queue.
    seen: Vec<Time>,
    run: Vec<Time>,
    /// Empty if estimates are the run times.
    estimate: Vec<Time>,
    /// Whether jobs have no limit; empty if all have one.
    unlimited: Vec<bool>,
    kinds: usize,
    demand: Vec<i64>,
    rows: Column,
    numbers: Column,
    attributes: [Column; ATTRIBUTES.len()],
    /// The number of each job in the column [`BATSIM`]; empty if no job has one.
    own: Vec<i64>,
    killed_at_limit: u64,
    /// KB of each job, -1 if unknown; empty if memory is a demand, or unknown for all jobs.
    memory: Vec<i64>,
    /// Processors of a task of the jobs without a layout of their own; 0 counts as 1.
    task_procs: i64,
    /// The layouts of the jobs; empty if all are tasks of `task_procs`.
    layouts: LayoutColumn,
    /// How long jobs wait until their users cancel them; [`Time::MAX`] for jobs that are not cancelled, empty if none is.
    patience: Vec<Time>,
    sites: Sites,
    /// The tiers of the jobs; empty if all jobs are of one tier.
    tiers: Vec<i32>,
    /// Jobs that may run in several partitions: the number by which a machine admits each. It is -1 for a job that its own
    /// partition admits; the list is empty if all are such jobs.
    admissions: Vec<i64>,
    meanings: Arc<Meanings>,
    /// The rule for interactive jobs, if it is not the default rule.
    interactive: Option<Arc<interactive::Interactive>>,
    /// The conditions on which jobs that depend on others enter the queue, if there are such jobs.
    dependencies: Option<Arc<dependency::Dependencies>>,
    /// The jobs on which each job depended, in a workload filled by [`Workload::enter`]; otherwise empty.
    preceding: Vec<Box<[Preceding]>>,
}

/// The name of the resource in fields 7 and 10.
pub const MEMORY: &str = "memory";

impl Workload {
    /// Returns the log's information about the values of its jobs' fields; empty for explicitly given jobs.
    pub fn meanings(&self) -> &Meanings {
        &self.meanings
    }

    /// Returns the number of jobs.
    pub fn len(&self) -> usize {
        self.submit.len()
    }

    /// Whether there are no jobs.
    pub fn is_empty(&self) -> bool {
        self.submit.is_empty()
    }

    /// Returns all jobs in the order of submission.
    pub fn jobs(&self) -> impl ExactSizeIterator<Item = JobId> + use<> {
        (self.first..self.end().0).map(JobId)
    }

    /// Returns the job after the last.
    #[inline]
    pub fn end(&self) -> JobId {
        JobId(self.first + self.submit.len() as u32)
    }

    /// Returns the position of a job among those of this workload.
    ///
    /// # Panics
    /// In a build with checks, if the job is before the first.
    #[inline]
    pub fn position(&self, job: JobId) -> usize {
        (job.0 - self.first) as usize
    }

    /// Whether a job is one of this workload.
    pub fn has(&self, job: JobId) -> bool {
        (self.first..self.end().0).contains(&job.0)
    }

    pub(crate) fn job_at(&self, position: usize) -> JobId {
        JobId(self.first + position as u32)
    }

    /// Returns when a job enters the queue, from the trace's zero: its submit time or, with
    /// [`QueueFrom::Eligible`](crate::reading::QueueFrom) and if the log states it, when it became eligible.
    /// For schedulers and metrics this is its submission. A job with a condition ([`Workload::conditions`]) enters
    /// when a replay meets it; this is then the instant of the log.
    #[inline]
    pub fn submit(&self, job: JobId) -> Time {
        self.submit[self.position(job)]
    }

    /// Returns the submission of a job by the log: before [`Workload::submit`] for a job that was held back.
    pub fn submitted(&self, job: JobId) -> Time {
        self.submitted.get(self.position(job)).copied().unwrap_or_else(|| self.submit(job))
    }

    /// Returns when a replay sees a job first: when it enters the queue, or later for a job that has waited before the
    /// replay begins ([`Standing`]).
    #[inline]
    pub fn seen(&self, job: JobId) -> Time {
        if self.seen.is_empty() { self.submit(job) } else { self.seen[self.position(job)] }
    }

    /// Returns the number of jobs that enter the queue after their submission.
    pub fn held_back(&self) -> u64 {
        self.submitted.iter().zip(&self.submit).filter(|(submitted, queued)| submitted < queued).count()
            as u64
    }

    /// Returns a job's actual run time, which no policy sees unless it declares clairvoyance.
    #[inline]
    pub fn run(&self, job: JobId) -> Time {
        self.run[self.position(job)]
    }

    /// Returns the estimate of a job's run time that the scheduler gets.
    #[inline]
    pub fn estimate(&self, job: JobId) -> Time {
        if self.estimate.is_empty() { self.run(job) } else { self.estimate[self.position(job)] }
    }

    /// Whether a job has no time limit, so that its estimate is what counts instead ([`NoLimit`](crate::reading::NoLimit)).
    pub fn is_unlimited(&self, job: JobId) -> bool {
        self.unlimited.get(self.position(job)).copied().unwrap_or(false)
    }

    /// Returns the number of jobs without a time limit.
    pub fn unlimited(&self) -> u64 {
        self.unlimited.iter().filter(|&&is_unlimited| is_unlimited).count() as u64
    }

    /// Returns a job's processors.
    #[inline]
    pub fn procs(&self, job: JobId) -> i64 {
        self.demand[self.position(job) * self.kinds]
    }

    /// Returns a job's demand of each resource, the processors first.
    #[inline]
    pub fn demand(&self, job: JobId) -> &[i64] {
        let at = self.position(job) * self.kinds;
        &self.demand[at..at + self.kinds]
    }

    /// Whether the nodes of a job's processors matter: tasks have several processors, or processors may not lie anywhere.
    pub fn has_tasks(&self) -> bool {
        self.task_procs > 1 || self.jobs().any(|job| !self.layout(job).is_loose())
    }

    /// Whether a node takes a job: it is of the job's partition and meets its constraint.
    #[inline]
    pub fn admits(&self, machine: &Machine, job: JobId, node: usize) -> bool {
        (!machine.is_partitioned() || machine.admits(node, self.admission(job)))
            && (self.sites.is_empty() || self.sites.admit(self.position(job), node))
    }

    /// Returns the number by which a machine admits a job: that of its partition, or one that stands for several partitions.
    #[inline]
    pub fn admission(&self, job: JobId) -> i64 {
        let of_several = self.admissions.get(self.position(job)).copied().filter(|&number| number >= 0);
        of_several.unwrap_or_else(|| self.attribute(job, Field::Partition))
    }

    /// Whether jobs have constraints that keep them from some nodes.
    pub fn has_constraints(&self) -> bool {
        !self.sites.is_empty()
    }

    /// Whether jobs have layouts of their own, rather than tasks of the same size.
    pub fn has_own_layouts(&self) -> bool {
        !self.layouts.is_empty()
    }

    /// Returns how the processors of a job lie on nodes.
    #[inline]
    pub fn layout(&self, job: JobId) -> Layout {
        self.layouts
            .get(self.position(job))
            .unwrap_or_else(|| Layout::of_tasks(self.procs(job), self.task_procs.max(1)))
    }

    /// Returns the amount of a resource that a job holds on a node with `procs` of its processors: its demand
    /// in proportion, or the same part on each of its nodes ([`Layout::even`]), rounded up to whole units.
    #[inline]
    pub fn held(&self, job: JobId, resource: usize, procs: i64) -> i64 {
        let (demand, all) = (self.demand(job)[resource], self.procs(job));
        let is_whole = procs == all || all == 0;
        if !self.layouts.is_empty() {
            let layout = self.layout(job);
            if layout.is_even(resource) && (layout.over > 0 || !is_whole) {
                return if procs > 0 || all == 0 { layout.part(demand) } else { 0 };
            }
        }
        if is_whole {
            return demand;
        }
        match demand.checked_mul(procs) {
            Some(exact) => exact / all + i64::from(exact % all > 0),
            None => ((i128::from(demand) * i128::from(procs) + i128::from(all) - 1) / i128::from(all)) as i64,
        }
    }

    /// Returns the amount of a resource that a job holds on a node with `capacity` of it: as [`Workload::held`], but all
    /// of it if the job has its nodes to itself.
    #[inline]
    pub fn held_on(&self, job: JobId, resource: usize, procs: i64, capacity: i64) -> i64 {
        let held = self.held(job, resource, procs);
        if !self.layouts.is_empty() && self.layout(job).exclusive { held.max(capacity) } else { held }
    }

    /// Sets `amounts` to what a job with these processors and devices holds on a node with these capacities: the amount of
    /// each resource, then of each device.
    #[inline]
    pub fn hold(
        &self,
        job: JobId,
        (procs, set): (i64, DeviceSet),
        capacity: &[i64],
        devices: Option<Devices>,
        amounts: &mut [i64],
    ) {
        for (kind, amount) in amounts.iter_mut().enumerate().take(self.kinds) {
            *amount = self.held_on(job, kind, procs, capacity[kind]);
        }
        if let Some(devices) = devices {
            devices.spread(set, amounts);
        }
    }

    /// Returns the number of the set of nodes that a job's constraint allows; 0 for all nodes.
    pub fn site(&self, job: JobId) -> u32 {
        self.sites.set(self.position(job))
    }

    /// Returns a job's memory over all its processors, in KB if the log uses KB; `None` if unknown.
    ///
    /// It is the demand of the machine's resource `memory`. On a machine without one it is the memory stated
    /// in the log, which is then known and never limits the job.
    pub fn memory(&self, machine: &Machine, job: JobId) -> Option<i64> {
        match machine.resource(MEMORY) {
            Some(kind) => Some(self.demand(job)[kind]),
            None => self.told_memory(job),
        }
    }

    /// Returns a job's memory as stated in the log, if memory is not a demand; `None` if unknown.
    #[inline]
    pub fn told_memory(&self, job: JobId) -> Option<i64> {
        self.memory.get(self.position(job)).copied().filter(|&amount| amount >= 0)
    }

    /// Returns K, the number of resources that jobs demand.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// Returns the job's number in the log.
    pub fn number(&self, job: JobId) -> i64 {
        self.numbers.whole(self.position(job))
    }

    /// Returns the job's row in its trace.
    #[inline]
    pub fn row(&self, job: JobId) -> usize {
        self.rows.whole(self.position(job)) as usize
    }

    /// Returns one of [`ATTRIBUTES`]; -1 if unknown, and for every other field.
    pub fn attribute(&self, job: JobId, field: Field) -> i64 {
        match ATTRIBUTES.iter().position(|&known| known == field) {
            Some(at) => self.attributes[at].whole(self.position(job)),
            None => -1,
        }
    }

    /// Returns the text of a job in the column [`BATSIM`]. O(log texts).
    pub fn own(&self, job: JobId) -> Option<&str> {
        named(&self.meanings.own, *self.own.get(self.position(job))?)
    }

    /// Returns the names of a job's [`GIVEN`] in a workload of Batsim. O(log names).
    pub fn given(&self, job: JobId) -> impl Iterator<Item = (Field, &str)> {
        let names = GIVEN.into_iter().zip(&self.meanings.given);
        names.filter_map(move |(field, names)| Some((field, named(names, self.attribute(job, field))?)))
    }

    /// Returns how long after its entry into the queue a job's user cancels it, if the reading follows cancellations and the
    /// job never started in the log. Such a job is load for the other jobs, and is not measured, whether or not it starts.
    #[inline]
    pub fn patience(&self, job: JobId) -> Option<Time> {
        self.patience.get(self.position(job)).copied().filter(|&patience| patience < Time::MAX)
    }

    /// Whether users cancel waiting jobs.
    pub fn has_cancellations(&self) -> bool {
        !self.patience.is_empty()
    }

    /// Returns the jobs that enter the queue on a condition, in the order of submission.
    pub fn conditions(&self) -> &[(JobId, Condition)] {
        self.dependencies.as_ref().map_or(&[], |known| known.all())
    }

    /// Returns the condition on which a job enters the queue, if it has one. O(log d) for d conditions.
    pub fn condition(&self, job: JobId) -> Option<&Condition> {
        let conditions = self.conditions();
        let at = conditions.binary_search_by_key(&job, |&(job, _)| job).ok()?;
        Some(&conditions[at].1)
    }

    /// Returns the jobs on which a job depended before it entered the queue of a replay.
    pub fn preceding(&self, job: JobId) -> &[Preceding] {
        self.preceding.get(self.position(job)).map_or(&[], |preceding| preceding)
    }

    /// Whether the instants at which jobs enter the queue depend on the schedule.
    pub fn is_closed(&self) -> bool {
        self.dependencies.is_some()
    }

    /// Whether a job is interactive.
    #[inline]
    pub fn is_interactive(&self, job: JobId) -> bool {
        match &self.interactive {
            Some(known) => known.has(self.position(job)),
            None => self.attribute(job, Field::Queue) == 0,
        }
    }

    /// Returns the number of interactive jobs. O(n).
    pub fn interactive_jobs(&self) -> usize {
        self.jobs().filter(|&job| self.is_interactive(job)).count()
    }

    /// Returns the rule by which jobs are interactive.
    pub fn interactive_rule(&self) -> InteractiveRule {
        self.interactive.as_ref().map(|known| known.rule().clone()).unwrap_or_default()
    }

    /// Returns the tier of a job: jobs of a higher tier are served first.
    #[inline]
    pub fn tier(&self, job: JobId) -> i32 {
        self.tiers.get(self.position(job)).copied().unwrap_or(0)
    }

    /// Whether jobs are of several tiers.
    #[inline]
    pub fn has_tiers(&self) -> bool {
        !self.tiers.is_empty()
    }

    /// Returns the number of jobs that end at their limit because their run time was cut to the estimate.
    pub fn killed_at_limit(&self) -> u64 {
        self.killed_at_limit
    }

    /// Returns the jobs in the order of the trace's rows, the order of schedule files.
    pub fn by_row(&self) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = self.jobs().collect();
        if !jobs.is_sorted_by_key(|&job| self.row(job)) {
            jobs.sort_by_key(|&job| self.row(job));
        }
        jobs
    }

    /// Returns Σ demand · run of one resource, in amount × ticks.
    pub fn work(&self, resource: usize) -> i128 {
        self.jobs()
            .map(|job| i128::from(self.demand(job)[resource]) * i128::from(self.run(job).ticks()))
            .sum()
    }

    /// Returns the offered load of one resource: Σ demand · run / (capacity · (last submit − first submit));
    /// `None` if all jobs are submitted at the same instant, or if jobs or machine do not have the resource.
    pub fn offered_load(&self, machine: &Machine, resource: usize) -> Option<f64> {
        if resource >= self.kinds.min(machine.kinds()) {
            return None;
        }
        let span = *self.submit.last()? - *self.submit.first()?;
        let capacity = machine.total(resource) as f64 * span.ticks() as f64;
        (capacity > 0.0).then(|| self.work(resource) as f64 / capacity)
    }

    /// Whether every job fits the empty machine: its tasks on nodes of its partition.
    pub fn fits(&self, machine: &Machine) -> bool {
        let fit = Fit::new(machine);
        self.jobs().all(|job| {
            let takes = |node| self.admits(machine, job, node);
            fit.misfit(self.demand(job), &self.layout(job), takes).is_none()
        })
    }
}
