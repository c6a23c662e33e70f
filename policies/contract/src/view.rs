//! What a policy may know of a job.

use std::ops::Range;

use batchlab_traces::expr::{FieldId, Rows};
use batchlab_traces::limits::Limit;
use batchlab_traces::machine::Devices;
use batchlab_traces::workload::Preceding;
use batchlab_traces::{Field, JobId, Layout, Machine, Time, Workload};

use crate::placement::Share;

/// A job as seen by a policy: everything known at its submission, never its run time.
#[derive(Clone, Copy)]
pub struct JobView<'a> {
    workload: &'a Workload,
    id: JobId,
}

impl<'a> JobView<'a> {
    /// Returns the view of a job of a workload.
    pub fn new(workload: &'a Workload, id: JobId) -> JobView<'a> {
        JobView { workload, id }
    }

    /// Returns the job's identity, which also orders jobs by submission.
    #[inline]
    pub fn id(self) -> JobId {
        self.id
    }

    /// Returns the job's number in the log.
    pub fn number(self) -> i64 {
        self.workload.number(self.id)
    }

    /// Returns the row of the job in the log, by which an installation knows what it asked for.
    #[inline]
    pub fn row(self) -> usize {
        self.workload.row(self.id)
    }

    /// Returns the instant at which the job was submitted, even if it was held back.
    #[inline]
    pub fn submitted(self) -> Time {
        self.workload.submitted(self.id)
    }

    /// Returns the submit time; for a job that was held back, the time at which it became eligible and entered the queue.
    #[inline]
    pub fn submit(self) -> Time {
        self.workload.submit(self.id)
    }

    /// Returns the estimate that came with the job.
    #[inline]
    pub fn estimate(self) -> Time {
        self.workload.estimate(self.id)
    }

    /// Whether the job has no time limit: its estimate is what counts instead.
    #[inline]
    pub fn is_unlimited(self) -> bool {
        self.workload.is_unlimited(self.id)
    }

    /// Whether the job is interactive, by the rule of the workload; otherwise it is a batch job.
    #[inline]
    pub fn is_interactive(self) -> bool {
        self.workload.is_interactive(self.id)
    }

    /// Returns the job's class under a limit; `None` if the limit is not about it.
    pub(crate) fn class(self, limit: &Limit) -> Option<usize> {
        limit.class(self.workload, self.id)
    }

    pub(crate) fn counts(self, limit: &Limit) -> i128 {
        limit.amount(self.workload, self.id)
    }

    /// Returns the tier: jobs of a higher tier are served first.
    #[inline]
    pub fn tier(self) -> i32 {
        self.workload.tier(self.id)
    }

    /// Returns the processors.
    #[inline]
    pub fn procs(self) -> i64 {
        self.workload.procs(self.id)
    }

    /// Returns the demand of each resource, the processors first.
    #[inline]
    pub fn demand(self) -> &'a [i64] {
        self.workload.demand(self.id)
    }

    /// Returns the demand as an array of K resources, padded with zeros.
    #[inline]
    pub fn demands<const K: usize>(self) -> [i64; K] {
        padded(self.demand())
    }

    /// Returns how the processors lie on the nodes of a machine that has some.
    #[inline]
    pub fn layout(self) -> Layout {
        self.workload.layout(self.id)
    }

    /// Returns the amount of a resource that the job holds on a node with `procs` of its processors, in whole units.
    #[inline]
    pub fn held(self, resource: usize, procs: i64) -> i64 {
        self.workload.held(self.id, resource, procs)
    }

    /// Returns the amount of a resource that the job holds on a node with `capacity` of it: as [`JobView::held`], but all
    /// of it if the job has its nodes to itself.
    #[inline]
    pub fn held_on(self, resource: usize, procs: i64, capacity: i64) -> i64 {
        self.workload.held_on(self.id, resource, procs, capacity)
    }

    /// Returns the amounts that a share of the job holds on a node with these capacities: of each resource, then of each device.
    #[inline]
    pub fn holds<const K: usize>(
        self,
        share: &Share,
        capacity: &[i64],
        devices: Option<Devices>,
    ) -> [i64; K] {
        let mut amounts = [0; K];
        self.workload.hold(self.id, (share.procs, share.devices), capacity, devices, &mut amounts);
        amounts
    }

    /// Returns the memory stated in the log, if memory is not a demand; `None` if the log does not state it.
    #[inline]
    pub fn told_memory(self) -> Option<i64> {
        self.workload.told_memory(self.id)
    }

    /// Returns the jobs on which the job depended.
    pub fn preceding(self) -> &'a [Preceding] {
        self.workload.preceding(self.id)
    }

    /// Whether a node of the machine takes the job: it is of the job's partition and meets its constraint.
    #[inline]
    pub fn admitted(self, machine: &Machine, node: usize) -> bool {
        self.workload.admits(machine, self.id, node)
    }

    /// Whether every node takes every job of the workload.
    #[inline]
    pub fn is_free_of_constraints(self, machine: &Machine) -> bool {
        !machine.is_partitioned() && !self.workload.has_constraints()
    }

    /// Returns a number that is the same for jobs whose constraints allow the same nodes.
    #[inline]
    pub fn site(self) -> u32 {
        self.workload.site(self.id)
    }

    /// Returns the partition's number, -1 when unknown.
    pub fn partition(self) -> i64 {
        self.workload.attribute(self.id, Field::Partition)
    }

    /// Returns the number by which a machine admits it: that of its partition, or of several in which it may run.
    pub fn admission(self) -> i64 {
        self.workload.admission(self.id)
    }

    /// Returns the user's number, -1 when unknown.
    pub fn user(self) -> i64 {
        self.workload.attribute(self.id, Field::User)
    }

    /// Returns the fields of the job that only schedulers of Batsim read, as the text of an object.
    pub fn own(self) -> Option<&'a str> {
        self.workload.own(self.id)
    }

    /// Returns the names of the job's user, group, queue and partition in a workload of Batsim.
    pub fn given(self) -> impl Iterator<Item = (Field, &'a str)> {
        self.workload.given(self.id)
    }

    /// Returns user, group, executable, queue or partition; -1 when unknown, and for every other field.
    pub fn attribute(self, field: Field) -> i64 {
        self.workload.attribute(self.id, field)
    }
}

/// The job as the single row of a table, for expressions of [`batchlab_traces::expr::Vocabulary::policy`].
/// Its run time is not available.
impl Rows for JobView<'_> {
    fn len(&self) -> usize {
        1
    }

    fn fill(&self, field: FieldId, _: Range<usize>, out: &mut [f64]) {
        let row = self.workload.position(self.id);
        match field {
            FieldId::Run => out.fill(-1.0),
            _ => self.workload.fill(field, row..row + 1, out),
        }
    }

    fn key(&self, _: usize) -> u64 {
        self.workload.key(self.workload.position(self.id))
    }
}

/// The actual run times, for policies that declared clairvoyance.
#[derive(Clone, Copy)]
pub struct Oracle<'a> {
    workload: &'a Workload,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(workload: &'a Workload) -> Oracle<'a> {
        Oracle { workload }
    }

    /// Returns how long a job will run.
    pub fn run(self, job: JobId) -> Time {
        self.workload.run(job)
    }
}

/// Copies amounts into an array of fixed size, padded with zeros.
#[inline]
pub fn padded<const K: usize>(amounts: &[i64]) -> [i64; K] {
    let mut array = [0; K];
    for (to, from) in array.iter_mut().zip(amounts) {
        *to = *from;
    }
    array
}
