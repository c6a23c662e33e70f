//! Compares what policies need with what the jobs provide, before any replay.

mod report;

use std::sync::Arc;

use batchlab_support::Fact;
use batchlab_support::spec::Chosen;
use batchlab_traces::limits::{Counted, LimitTable};
use batchlab_traces::number::grouped;
use batchlab_traces::{JobId, Layout};

use crate::replay::engine::Scenario;
pub use report::report;

/// A need of a policy that the jobs do not meet; its text has the policy and the need, what the jobs have instead, and what would
/// supply it.
#[allow(missing_docs, reason = "the texts say what the fields are")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmet {
    /// A policy needs a fact that is unknown for all jobs, or for some.
    #[error("policy `{policy}` needs {}", untold(*fact, *without, *jobs))]
    Untold { policy: String, fact: Fact, without: u64, jobs: u64 },
    /// Jobs that exceed a limit of the policy, in processors, by themselves, so that they could never start.
    #[error(
        "policy `{policy}` could never start {} of {} jobs: {limit}={most}, and the largest has {largest} processors; raise \
         the limit, or leave such jobs out with a `filter` step (see `batchlab list steps`)",
        grouped(*beyond), grouped(*jobs)
    )]
    Exceeded { policy: String, limit: &'static str, most: i64, beyond: u64, jobs: u64, largest: i64 },
    /// Jobs with tasks of several processors under a policy that places each processor separately.
    #[error(
        "policy `{policy}` places every processor of a job by itself, and {} jobs have tasks of several, nodes of their own, \
         or constraints; give --layout tasks:1, and no features of nodes",
        grouped(*jobs)
    )]
    Apart { policy: String, jobs: u64 },
    /// Limits on running jobs, around a policy whose jobs run in turns.
    #[error(
        "policy `{policy}` runs its jobs in turns, and a limit with count = \"running\" would have to hold back single jobs \
         of a row; write count = \"eligible\" in the file of --limits"
    )]
    InTurns { policy: String },
    /// Changes of the capacity, under a policy that suspends, moves or shares.
    #[error(
        "policy `{policy}` suspends or moves jobs and keeps its own plan of the machine; with --calendar take a policy that \
         runs each job from start to end, or leave --calendar out"
    )]
    Unsteady { policy: String },
    /// No Slurm installation, for a policy that schedules by the files of one.
    #[error(
        "policy `{policy}` schedules by the files of a Slurm installation, and none are given; give slurm.conf with --slurm"
    )]
    Uninstalled { policy: String },
    /// Jobs of several tiers, under a policy that does not serve a queue in tiers.
    #[error(
        "policy `{policy}` does not serve the jobs of higher tiers first: it runs jobs in turns, sorts arrivals by size, or \
         keeps its own queue; with --priorities take a policy with a queue order (`batchlab list policies`), or leave \
         --priorities out"
    )]
    Untiered { policy: String },
    /// Jobs that may be suspended in place, under a policy that does not resume them.
    #[error(
        "policy `{policy}` plans the starts of jobs by itself and does not know of jobs that others suspend; write preempted \
         = \"requeue\" or \"cancel\" in the file of --priorities"
    )]
    Unresumed { policy: String },
    /// Jobs with more tasks than nodes, under a policy that puts one task on each node.
    #[error(
        "policy `{policy}` needs a node for each task of a job; {} of {} jobs have more tasks than nodes that take one; leave \
         share=false out, or make tasks larger with --layout tasks:T",
        grouped(*beyond), grouped(*jobs)
    )]
    Crowded { policy: String, beyond: u64, jobs: u64 },
}

fn untold(fact: Fact, without: u64, jobs: u64) -> String {
    let Words { needed, missing, supply } = Words::of(fact);
    let (some, all) = (grouped(without), grouped(jobs));
    if without == jobs {
        format!("{needed}; the trace has none ({missing} in all {all} jobs); {supply}")
    } else {
        format!("{needed}; {some} of {all} jobs have none ({missing}); {supply}")
    }
}

struct Words {
    needed: &'static str,
    missing: &'static str,
    supply: &'static str,
}

impl Words {
    fn of(fact: Fact) -> Words {
        match fact {
            Fact::Memory => Words {
                needed: "memory per job",
                missing: "neither field 7 nor field 10 is above 0",
                supply: "add it with a `resource` step (see `batchlab list steps`)",
            },
            Fact::User => Words {
                needed: "users",
                missing: "field 12 is -1",
                supply: "set `user` with a rule (see `batchlab clean --help`), or take a log with users",
            },
            Fact::Group => Words {
                needed: "groups",
                missing: "field 13 is -1",
                supply: "set `group` with a rule (see `batchlab clean --help`), or take a log with groups",
            },
            Fact::Partition => Words {
                needed: "partitions",
                missing: "field 16 is -1",
                supply: "set `partition` with a rule (see `batchlab clean --help`), or take a log with partitions",
            },
        }
    }
}

/// Checks that the jobs provide what a policy needs, and that it could start each of them. O(n) for each fact and limit.
pub fn check(policy: &Chosen, scenario: &Scenario) -> Result<(), Unmet> {
    check_facts(policy, scenario)?;
    check_startable(policy, scenario)
}

/// Checks that a policy could start each job on the empty machine. O(n) for each limit; O(n · nodes) if tasks share no node.
pub fn check_startable(policy: &Chosen, scenario: &Scenario) -> Result<(), Unmet> {
    if policy.needs().installation && scenario.slurm.is_none() {
        return Err(Unmet::Uninstalled { policy: policy.canonical() });
    }
    check_limits(policy, scenario)?;
    let holds_back = |table: &Arc<LimitTable>| table.counts(Counted::Running);
    if policy.needs().time_sharing && scenario.capacity.is_some() {
        return Err(Unmet::Unsteady { policy: policy.canonical() });
    }
    if scenario.priorities.is_some() && !policy.needs().tiers {
        return Err(Unmet::Untiered { policy: policy.canonical() });
    }
    let suspends = scenario.priorities.as_ref().is_some_and(|table| table.suspends().is_some());
    if suspends && !policy.needs().suspends {
        return Err(Unmet::Unresumed { policy: policy.canonical() });
    }
    if policy.needs().processors && scenario.limits.as_ref().is_some_and(holds_back) {
        return Err(Unmet::InTurns { policy: policy.canonical() });
    }
    if policy.needs().processors {
        let apart = |job| scenario.workload.has_constraints() || !scenario.workload.layout(job).is_loose();
        let jobs = count(scenario, apart);
        if jobs > 0 {
            return Err(Unmet::Apart { policy: policy.canonical(), jobs });
        }
    }
    let beyond = if policy.needs().spread { count(scenario, |job| is_crowded(scenario, job)) } else { 0 };
    let jobs = scenario.workload.len() as u64;
    if beyond > 0 { Err(Unmet::Crowded { policy: policy.canonical(), beyond, jobs }) } else { Ok(()) }
}

/// Whether a job has more tasks than there are nodes that can hold one.
fn is_crowded(scenario: &Scenario, job: JobId) -> bool {
    let (workload, machine) = (&scenario.workload, &scenario.machine);
    let Layout { task, tasks, rest, rests, .. } = workload.layout(job);
    let nodes = |procs: i64| {
        let holds = |node: &usize| {
            let has = machine.capacity(*node);
            workload.admits(machine, job, *node)
                && (0..workload.kinds())
                    .all(|kind| workload.held_on(job, kind, procs, has[kind]) <= has[kind])
        };
        (0..machine.nodes()).filter(holds).count() as i64
    };
    nodes(task) < tasks || rests > 0 && nodes(rest) < tasks + rests
}

fn check_facts(policy: &Chosen, scenario: &Scenario) -> Result<(), Unmet> {
    let jobs = scenario.workload.len() as u64;
    for fact in policy.needs().facts.list() {
        let without = without(scenario, fact);
        // Jobs with an unknown name form one group if other names are known; an unknown amount of memory cannot be replaced.
        if without > 0 && (without == jobs || fact == Fact::Memory) {
            return Err(Unmet::Untold { policy: policy.canonical(), fact, without, jobs });
        }
    }
    Ok(())
}

/// Checks that no job exceeds a limit of a policy by itself. O(n) per limit.
fn check_limits(policy: &Chosen, scenario: &Scenario) -> Result<(), Unmet> {
    let jobs = scenario.workload.len() as u64;
    for (limit, most) in policy.job_limits() {
        let procs = |job: JobId| scenario.workload.procs(job);
        let beyond = count(scenario, |job| procs(job) > most);
        if beyond > 0 {
            let largest = scenario.workload.jobs().map(procs).max().unwrap_or(0);
            let policy = policy.canonical();
            return Err(Unmet::Exceeded { policy, limit, most, beyond, jobs, largest });
        }
    }
    Ok(())
}

fn without(scenario: &Scenario, fact: Fact) -> u64 {
    let (workload, machine) = (&scenario.workload, &scenario.machine);
    count(scenario, |job| match fact.field() {
        None => workload.memory(machine, job).is_none(),
        Some(field) => workload.attribute(job, field) < 0,
    })
}

fn count(scenario: &Scenario, of: impl Fn(JobId) -> bool) -> u64 {
    scenario.workload.jobs().filter(|&job| of(job)).count() as u64
}
