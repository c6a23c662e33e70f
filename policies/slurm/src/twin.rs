//! Slurm: its main loop beside its backfill loop, on the nodes and by the rules that its configuration states.
//!
//! | module | what it is |
//! |---|---|
//! | `controller` | the loops with all that they know, and a decision |
//! | `clock` | which loop runs when |
//! | `events` | jobs that enter and leave |
//! | `waiting` | a waiting job as the loops see it |
//! | `launch` | the start of a job |
//! | `passes` | a pass of the main loop, and the attempt at submission |
//! | `cycle` | a cycle of the backfill loop, and the test of a job in it |
//! | `components` | heterogeneous jobs, whose components start together |
//! | `preempt` | running jobs that lose their nodes to a waiting one |
//! | `tiers`, `gang`, `suspend` | jobs that stop for those of higher tiers, on the same processors |
//! | `queue` | the waiting jobs by tier, priority and submission |
//! | `priority`, `fairshare` | `priority/multifactor` |
//! | `period` | when priorities are computed, as a log tells |
//! | `space` | what is free on the nodes, and the running jobs |
//! | `forecast` | when a job could start as running jobs end |
//! | `choose`, `nodes_of` | which nodes a job gets |
//! | `room`, `view`, `horizon` | how many tasks of a job the nodes have room for, now and as jobs end |
//! | `table`, `bounds` | the reservations of a cycle, and what they rule out |
//! | `topology` | which nodes a job gets where switches form a tree |
//! | `shadow` | what the loops would do beside what really happened |

mod bins;
mod bounds;
mod choose;
mod clock;
mod components;
mod controller;
mod cores;
mod cycle;
mod events;
mod fairshare;
mod forecast;
mod gang;
mod horizon;
mod launch;
mod node_set;
mod nodes_of;
mod passes;
mod period;
mod preempt;
mod priority;
mod queue;
mod room;
mod shadow;
mod space;
mod suspend;
mod table;
mod tiers;
mod topology;
mod view;
mod waiting;

use std::sync::Arc;

use crate::site::{ParameterNote, Scheduler, SlurmSite};
use batchlab_traces::{Citation, Time};

use batchlab_policies::needs::Needs;
use batchlab_policies::policy::Policy;
use batchlab_policies::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
pub use controller::Delays;
use controller::Twin;
pub use period::{computed, used};
pub use shadow::{Judgement, Recorded, Shadow};

/// Schedules as Slurm's controller does.
///
/// Two loops serve the same queue. The *main loop* runs when a job ends, shortly after jobs are submitted, and over the
/// whole queue every `sched_interval`. It starts jobs in queue order; the first job of a partition that does not fit closes
/// the partition and its nodes to the jobs behind it. The *backfill loop* runs `bf_interval` after it last ended. It gives
/// each tested job a reservation on specific nodes at the earliest start that the limits of running jobs and the
/// reservations before it allow, and starts the jobs whose start is now. Nothing is kept from cycle to cycle. A job of
/// `srun` is tried as it is submitted, too, unless a waiting job of its partition has a higher priority.
///
/// It needs the files of an installation (`--slurm`), which state machine, partitions and settings.
///
/// A cycle costs O(what running jobs hold + tests · slots · nodes / 64), for tasks of few processors. It ends when no job behind
/// can start now; a cycle in which nothing has changed is not computed again.
pub const SPEC: PolicySpec = PolicySpec {
    name: "slurm",
    family: "backfilling",
    summary: "runs Slurm's two loops: strict order in each partition, and beside it backfilling by cycles",
    cite: Citation::of(
        "Yoo, Jette, Grondona, JSSPP 2003; the source of Slurm 22.05 (sched/backfill)",
        &["yoo03"],
    ),
    rule: "The main loop starts jobs in queue order at submissions and ends; the first job that does not fit closes its \
         partition. Every bf_interval the backfill loop gives each job a reservation on nodes, at its earliest start on a \
         grid of bf_resolution, and starts the jobs that can start now without touching one.",
    params: &[
        ParamSpec {
            name: "type",
            kind: ParamKind::Choice(&["conf", "backfill", "builtin"]),
            default: "conf",
            help: "SchedulerType: as slurm.conf says (backfill without one), or one of the two",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "parameters",
            kind: ParamKind::Text,
            default: "none",
            help: "SchedulerParameters in parentheses, such as (bf_interval=60,bf_window=2880); they win over \
                       those of slurm.conf",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "react",
            kind: ParamKind::Duration,
            default: "0.5",
            help: "time from an event to the pass that it causes: slurmctld looks once a second",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "clock",
            kind: ParamKind::Choice(&["mean", "drawn"]),
            default: "mean",
            help: "mean: every event waits for `react`; drawn: each one for a time drawn from 0 to 2 s, the second that \
                       a log leaves open and that of slurmctld's clock",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "complete",
            kind: ParamKind::Duration,
            default: "none",
            help: "time from the end of a job until its nodes are free (epilog)",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "submit",
            kind: ParamKind::Choice(&["sbatch", "srun"]),
            default: "sbatch",
            help: "how jobs are submitted: sbatch leaves them to the main loop, srun tries them at once",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "phase",
            kind: ParamKind::Duration,
            default: "none",
            help: "time of the first backfill cycle after the first submission; none for as the log tells (column \
                       started_by), else at once",
            ..ParamSpec::PLAIN
        },
    ],
    needs: Needs { installation: true, suspends: false, ..Needs::FORESIGHT },
    build,
};

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    // Beside changes of the capacity jobs that others would suspend keep their nodes.
    Ok(Box::new(twin(params, setting, !setting.changes)?))
}

/// Returns the loops with the parameters of a spec; whether jobs of higher tiers suspend others, if the installation has it so.
fn twin(params: &Params, setting: &Setting<'_>, suspends: bool) -> Result<Twin, BuildError> {
    let Some(site) = setting.installation.and_then(|site| site.downcast_ref::<Arc<SlurmSite>>()) else {
        return Err(BuildError::Unfit("slurm: there is no installation".into()));
    };
    if setting.machine.devices().is_some() {
        return Err(BuildError::Unfit(
            "slurm: it counts whole GPUs; leave `device` out of the machine".into(),
        ));
    }
    let mut scheduler = site.system.scheduler.clone();
    match params.text("type") {
        "builtin" => scheduler.backfill.interval = None,
        "backfill" if scheduler.backfill.interval.is_none() => {
            scheduler.backfill.interval = Scheduler::default().backfill.interval;
        }
        _ => {}
    }
    let given = params.text("parameters");
    let given = given.strip_prefix('(').and_then(|given| given.strip_suffix(')')).unwrap_or(given);
    if given != "none"
        && let Some(note) = scheduler.set(given).into_iter().next()
    {
        let (ParameterNote::Unknown(what) | ParameterNote::Unsupported(what) | ParameterNote::Value(what)) =
            note;
        return Err(BuildError::Unfit(format!("slurm: parameters: {what}")));
    }
    let duration = |name: &str| params.duration(name).unwrap_or(Time::ZERO);
    let delays = Delays {
        react: duration("react"),
        is_drawn: params.text("clock") == "drawn",
        complete: duration("complete"),
        phase: params.duration("phase"),
        tries: params.text("submit") == "srun",
    };
    Ok(Twin::new(scheduler, delays, site, setting, suspends))
}
