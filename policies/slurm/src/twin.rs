//! Slurm: its main loop beside its backfill loop, on the nodes and by the rules that its configuration states.
//!
//! | module | what it is |
//! |---|---|
//! | `options` | the parameters of a spec |
//! | `controller` | the loops with all that they know, and a decision |
//! | `clock`, `grid` | which loop runs when |
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
//! | `ranking` | the priorities of waiting jobs at an instant, with their factors |
//! | `period` | when priorities are computed, as a log tells |
//! | `space` | what is free on the nodes, and the running jobs |
//! | `forecast` | when a job could start as running jobs end |
//! | `choose`, `nodes_of` | which nodes a job gets |
//! | `room`, `view`, `horizon` | how many tasks of a job the nodes have room for, now and as jobs end |
//! | `table`, `blocks`, `bounds` | the reservations of a cycle, and what they rule out |
//! | `topology` | which nodes a job gets where switches form a tree |
//! | `shadow`, `held`, `reasons`, `shares` | what the loops would do beside what really happened, why not, and on how many processors of each node |

mod bins;
mod blocks;
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
mod grid;
mod held;
mod horizon;
mod launch;
mod node_set;
mod nodes_of;
mod options;
mod passes;
mod period;
mod preempt;
mod priority;
mod queue;
mod ranking;
mod reasons;
mod reservation;
mod room;
mod shadow;
mod shares;
mod space;
mod suspend;
mod table;
mod tiers;
mod topology;
mod view;
mod waiting;

use std::sync::Arc;

use crate::site::SlurmSite;
use batchlab_traces::Citation;

use batchlab_policies::needs::Needs;
use batchlab_policies::policy::Policy;
use batchlab_policies::spec::{BuildError, Params, PolicySpec, Setting};
pub use controller::Delays;
use controller::Twin;
pub use held::Held;
use options::{CLOCK, COMPLETE, PARAMETERS, PHASE, REACT, SUBMIT, TYPE};
pub use period::{computed, used};
pub use priority::Factors;
pub use ranking::{Computed, Ranking, SeenAge};
pub use shadow::{Judged, Judgement, Recorded, Shadow, Verdict};
pub use shares::{NodeRun, divide};

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
    params: &[TYPE, PARAMETERS, REACT, CLOCK, COMPLETE, SUBMIT, PHASE],
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
    let scheduler = options::scheduler(params, &site.system.scheduler)?;
    let delays = options::delays(params)?;
    Ok(Twin::new(scheduler, delays, site, setting, suspends))
}
