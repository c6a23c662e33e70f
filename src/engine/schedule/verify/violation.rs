//! Violations of rules: which job, when, by how much.

use std::fmt;

use batchlab_traces::{JobId, Time, Workload};

/// A rule that a schedule must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScheduleRule {
    Starts,
    Ends,
    /// No job starts before its submission.
    SubmitFirst,
    /// A job has the processors that it needs.
    Procs,
    /// A job that depends on others enters the queue when its dependencies are met.
    Entry,
    /// Starts are multiples of the cycle of `periodic:S`.
    Cycle,
    /// A job runs for its run time, a killed job for at most that, an unfinished one for less.
    Duration,
    /// A job whose user cancels it has left by then, and earlier only if it had run for its whole run time.
    Cancelled,
    /// A rejected job was never on the machine.
    Rejected,
    /// No job ends after the replay's stop; a job that has not ended by then ends there, unless it was not yet submitted.
    Stopped,
    /// No more of a resource is held than the machine has; the text is the resource's name.
    Capacity(String),
    /// What a suspended job gave back is taken by jobs that may preempt it only; the text is the resource's name.
    KeptForSuspended(String),
    /// No more is in use than a limit allows; the text is the limit.
    Limit(String),
    /// A job that can be preempted loses its processors after its exemption and its grace time; no other job does.
    Preempted,
    /// A job loses its processors only while a job waits that may preempt it.
    PreemptedFor,
    ResumedInPlace,
    /// Where a job is, on machines with nodes.
    Place(PlaceRule),
    /// Intervals of one job do not overlap.
    OneAtATime,
    /// The first interval begins with the job's start and the last one ends with its end.
    Borders,
    /// The work done in a job's intervals is its run time.
    Work,
    /// The promised start of a job is never moved to a later time.
    PromiseKept,
    /// A job starts no later than it was first promised.
    StartByPromise,
}

/// A rule about the nodes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceRule {
    Placed,
    /// A job's nodes hold all its processors.
    Covered,
    NodeExists,
    NodeOnce,
    /// A job has at least one processor on each of its nodes.
    SomeProcs,
    WholeTasks,
    /// No more tasks of a job are on a node than its layout allows.
    TasksPerNode,
    Partition,
    Constraint,
    /// A job has the devices on a node that its share there needs.
    Devices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedQuantity {
    /// An amount of a resource, in its unit.
    Amount(i64),
    Time(Time),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub rule: ScheduleRule,
    pub job: JobId,
    pub number: i64,
    pub at: Time,
    /// The node, if nodes are checked separately.
    pub node: Option<u32>,
    pub need: CheckedQuantity,
    /// The actual quantity: for capacity, what the other jobs leave, which is negative if they alone exceed it.
    pub have: CheckedQuantity,
}

impl Violation {
    pub(super) fn of_amounts(
        workload: &Workload,
        rule: ScheduleRule,
        job: JobId,
        at: Time,
        amounts: [i64; 2],
    ) -> Violation {
        let [need, have] = amounts.map(CheckedQuantity::Amount);
        Violation { rule, job, number: workload.number(job), at, node: None, need, have }
    }

    pub(super) fn of_time(
        workload: &Workload,
        rule: ScheduleRule,
        job: JobId,
        at: Time,
        need: Time,
        have: Time,
    ) -> Violation {
        let [need, have] = [need, have].map(CheckedQuantity::Time);
        Violation { rule, job, number: workload.number(job), at, node: None, need, have }
    }

    fn write_place(&self, f: &mut fmt::Formatter<'_>, rule: PlaceRule) -> fmt::Result {
        let Violation { need, have, .. } = self;
        let node = self.node.unwrap_or_default();
        match rule {
            PlaceRule::Placed => f.write_str("it is on no node"),
            PlaceRule::Covered => write!(f, "its nodes have {have} of its {need} processors"),
            PlaceRule::NodeExists => {
                write!(f, "it is on node {node}, and the machine has {need}, counted from 0")
            }
            PlaceRule::NodeOnce => write!(f, "it is on node {node} twice"),
            PlaceRule::SomeProcs => write!(f, "it has {have} processors on node {node}"),
            PlaceRule::WholeTasks => {
                write!(f, "{have} of its processors are on node {node}: no whole tasks of {need}")
            }
            PlaceRule::TasksPerNode => {
                write!(f, "{have} of its tasks are on node {node}, and at most {need} may be")
            }
            PlaceRule::Partition => {
                write!(f, "it is of partition {need}, and node {node} takes no jobs of that")
            }
            PlaceRule::Constraint => write!(f, "node {node} does not meet its constraint"),
            PlaceRule::Devices => {
                write!(f, "it needs {need} devices on node {node}, and has {have} that exist")
            }
        }
    }
}

impl fmt::Display for CheckedQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckedQuantity::Amount(amount) => write!(f, "{amount}"),
            CheckedQuantity::Time(time) if *time == Time::MAX => f.write_str("never"),
            CheckedQuantity::Time(time) => write!(f, "{time} s"),
        }
    }
}

/// Prints "job 7 at 120 s: it needs 4 procs on node 3, and 2 are free".
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { rule, number, at, need, have, .. } = self;
        write!(f, "job {number} at {at} s: ")?;
        match rule {
            ScheduleRule::Starts => f.write_str("it is submitted and never starts"),
            ScheduleRule::Ends => f.write_str("it starts and never ends"),
            ScheduleRule::SubmitFirst => write!(f, "it starts at {have} and enters the queue at {need}"),
            ScheduleRule::Procs => write!(f, "it needs {need} processors, and its row says {have}"),
            ScheduleRule::Entry => {
                write!(f, "it enters the queue at {have}, and its dependencies are met at {need}")
            }
            ScheduleRule::Cycle => {
                write!(f, "it starts {have} after a decision; decisions come every {need}")
            }
            ScheduleRule::Duration => write!(f, "it runs for {have} instead of {need}"),
            ScheduleRule::Cancelled => write!(f, "it leaves at {have}, and its user cancels it at {need}"),
            ScheduleRule::Rejected => write!(f, "it was turned away, and is on the machine at {have}"),
            ScheduleRule::Stopped => write!(f, "its end is {have}, and the replay ends at {need}"),
            ScheduleRule::Capacity(resource) => match self.node {
                None => write!(f, "it needs {need} {resource}, and {have} are free"),
                Some(node) => write!(f, "it needs {need} {resource} on node {node}, and {have} are free"),
            },
            ScheduleRule::KeptForSuspended(resource) => write!(
                f,
                "it needs {need} {resource}, and {have} are free beside what is kept for suspended jobs that it may not \
                 preempt"
            ),
            ScheduleRule::PreemptedFor => {
                f.write_str("it loses its processors, and no job waits that may preempt it")
            }
            ScheduleRule::ResumedInPlace => f.write_str("it was suspended, and resumes on other nodes"),
            ScheduleRule::Preempted if *need == CheckedQuantity::Time(Time::MAX) => {
                write!(
                    f,
                    "it loses its processors after {have}, and is of no class that is preempted in this way"
                )
            }
            ScheduleRule::Preempted => {
                write!(f, "it loses its processors after {have}, and exemption and grace time are {need}")
            }
            ScheduleRule::Limit(limit) => {
                write!(f, "with it, {have} are in use, and the limit is {need}: {limit}")
            }
            ScheduleRule::Place(rule) => self.write_place(f, *rule),
            ScheduleRule::OneAtATime => {
                write!(f, "an interval begins at {have}, before the last one ends at {need}")
            }
            ScheduleRule::Borders => write!(f, "its intervals say {have}, its start or end is {need}"),
            ScheduleRule::Work => write!(f, "its intervals do the work of {have} instead of {need}"),
            ScheduleRule::PromiseKept => write!(f, "it is promised a start by {have}, after one by {need}"),
            ScheduleRule::StartByPromise => {
                write!(f, "it starts at {have} and was promised a start by {need}")
            }
        }
    }
}
