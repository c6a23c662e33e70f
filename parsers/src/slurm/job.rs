//! One job in Slurm's terms, from any of its logs.

use batchlab_traces::Time;
use batchlab_traces::notation::instant::Stamp;

use super::gres::GresAsked;
use super::state::State;
use super::tres::Tres;
use super::values::{MemoryRequest, SlurmTimeLimit};
use crate::entry::Member;

/// One job in Slurm's terms, before any correction; values that the log does not give are empty or `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Job<'a> {
    /// Line in the file, from 1.
    pub(super) line: u32,
    /// The unique job number, if the log gives it.
    pub(super) number: Option<i64>,
    pub(super) member: Member,
    /// Number of array tasks that this row stands for; 0 or 1 for a single job.
    pub(super) tasks: u64,
    /// The list of these tasks, with or without brackets.
    pub(super) task_list: &'a [u8],
    /// The number of tasks of the job's array that may run at a time, if a column has it.
    pub(super) at_most: Option<i64>,
    pub(super) user: &'a [u8],
    pub(super) account: &'a [u8],
    pub(super) name: &'a [u8],
    /// Its partition, or the partitions in which it may run.
    pub(super) partition: &'a [u8],
    pub(super) qos: &'a [u8],
    /// Its priority, if the log has the one at its submission.
    pub(super) priority: Option<i64>,
    pub(super) constraint: &'a [u8],
    /// Whether a column says that no other job shares its nodes.
    pub(super) alone: bool,
    /// Among them the loop that started the job.
    pub(super) flags: &'a [u8],
    pub(super) reservation: &'a [u8],
    /// The list of the nodes on which it ran.
    pub(super) hosts: &'a [u8],
    pub(super) reason: &'a [u8],
    pub(super) cluster: &'a [u8],
    pub(super) submit: Option<Stamp>,
    pub(super) eligible: Option<Stamp>,
    /// Whether the log shows that the job never became eligible: it was held until it was cancelled.
    pub(super) never_eligible: bool,
    pub(super) start: Option<Stamp>,
    pub(super) considered: Option<Stamp>,
    pub(super) end: Option<Stamp>,
    pub(super) elapsed: Option<Time>,
    pub(super) suspended: Option<Time>,
    pub(super) planned: Option<Time>,
    pub(super) limit: SlurmTimeLimit,
    pub(super) state: (&'a [u8], State),
    pub(super) placed: Option<bool>,
    pub(super) requested: Option<i64>,
    pub(super) allocated: Option<i64>,
    pub(super) nodes: Option<i64>,
    /// Whether it may be requeued, 1 or 0.
    pub(super) requeue: Option<i64>,
    /// The processors of each core that it may use, if a field limits them.
    pub(super) of_core: Option<i64>,
    pub(super) cpu: Option<Time>,
    /// Memory used on all processors, bytes.
    pub(super) used: Option<i64>,
    pub(super) memory: MemoryRequest,
    /// Generic resources from columns beside those of trackable resources.
    pub(super) gres: GresAsked<'a>,
    pub(super) asked: Tres<'a>,
    pub(super) got: Tres<'a>,
    pub(super) waits: QueuedJob,
    pub(super) command: &'a [u8],
}

/// What a queue states about a waiting job, beside its request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QueuedJob {
    pub(super) accrued: Accrued,
    /// Its priority now; 0 if it is held.
    pub(super) priority: Option<i64>,
    /// The amount by which its priority is lower (`--nice`).
    pub(super) nice: Option<i64>,
}

/// The instant from which the age of a job counts in its priority.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Accrued {
    /// The queue does not state it.
    #[default]
    Untold,
    NotYet,
    Since(Stamp),
}

impl Accrued {
    /// `is_unset`: whether the queue states that the age does not count yet.
    pub(super) fn of(instant: Option<Stamp>, is_unset: bool) -> Accrued {
        match instant {
            Some(since) => Accrued::Since(since),
            None if is_unset => Accrued::NotYet,
            None => Accrued::Untold,
        }
    }
}

/// Whether a job may be requeued, 1 or 0: by `Requeue` if it is a batch job; other jobs are killed.
pub(super) fn requeue(requeue: Option<i64>, batch: Option<i64>) -> Option<i64> {
    if batch == Some(0) { Some(0) } else { requeue.map(|requeue| i64::from(requeue > 0)) }
}

/// Returns how long a job had been suspended at the instant of its last suspension or resumption (`SuspendTime`), by the seconds that
/// it had run until its last suspension (`SecsPreSuspend`). The present suspension of a job is not counted.
///
/// Source: `suspend_time`, `pre_sus_time` and `tot_sus_time` in `src/slurmctld/slurmctld.h` and `_job_suspend_op` in
/// `src/slurmctld/job_mgr.c` of Slurm.
pub(super) fn suspended_before(
    state: State,
    start: Option<Stamp>,
    suspended: Option<Stamp>,
    ran: Option<i64>,
) -> Option<Time> {
    let is_known = matches!(state, State::Unfinished | State::Suspended);
    let (start, suspended) = start.zip(suspended).filter(|_| is_known)?;
    let between = Time::from_ticks(suspended.micros.checked_sub(start.micros)?);
    Some(between - Time::from_secs(ran.filter(|&ran| ran >= 0)?)).filter(|&time| time >= Time::SECOND)
}

impl<'a> Job<'a> {
    /// Returns its partition, the first of several.
    pub(super) fn first_partition(&self) -> &'a [u8] {
        self.partition.split(|&byte| byte == b',').next().unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    /// Memory of the largest step, bytes.
    pub(super) memory: Option<i64>,
    /// CPU time of all steps together.
    pub(super) cpu: Option<Time>,
}

impl Usage {
    /// Adds a step: `total` is the memory of its tasks together; if it is missing, `most` is the memory of
    /// the largest of its `tasks`.
    pub(super) fn step(
        &mut self,
        total: Option<i64>,
        most: Option<i64>,
        tasks: Option<i64>,
        cpu: Option<Time>,
    ) {
        let memory = total.or_else(|| most.map(|most| most.saturating_mul(tasks.unwrap_or(1).max(1))));
        self.memory = self.memory.max(memory);
        if let Some(cpu) = cpu {
            self.cpu = Some(self.cpu.unwrap_or(Time::ZERO).saturating_add(cpu));
        }
    }
}
