//! Slurm: its main loop beside its backfill loop, on the nodes and by the rules that its configuration states.
//!
//! | module | what it is |
//! |---|---|
//! | `options` | the parameters of a spec |
//! | `loops` | the policy: a pass of the main loop, a cycle of the backfill loop, and the test of a job in it |
//! | `shadow`, `hypothesis`, `recorded`, `judged` | what the loops would do beside what really happened, and why not |
//! | `controller` | the state that both loops share: it hears of events, and starts the jobs that the loops choose |
//! | `clock`, `alarms`, `grid`, `heard` | which loop runs when, and why |
//! | `admission` | how a job enters the queue |
//! | `queue` | the waiting jobs by tier, priority and submission |
//! | `priorities`, `priority` | when priorities are computed, and `priority/multifactor` |
//! | `allocations`, `reservations`, `completing` | what jobs hold, and what is left for others |
//! | `preempt` | running jobs that lose their nodes to a waiting one |
//! | `nodes` | what is free on the nodes, and when and where a job fits |
//! | `table`, `node_set` | the reservations of a cycle, and sets of nodes |
//! | `ranking`, `period`, `shares` | what a log tells: priorities at an instant, when they are computed, the processors of jobs on each node |

mod admission;
mod alarms;
mod allocations;
mod changed;
mod clock;
mod completing;
mod controller;
mod grid;
mod heard;
mod hypothesis;
mod judged;
mod loops;
mod node_set;
mod nodes;
mod options;
mod period;
mod phase;
mod preempt;
mod priorities;
mod priority;
mod queue;
mod ranking;
mod recorded;
mod reservations;
mod shadow;
mod shares;
mod table;

use batchlab_traces::Citation;

use batchlab_contract::needs::Needs;
use batchlab_contract::policy::Policy;
use batchlab_contract::spec::{BuildError, Params, PolicySpec, Setting};
pub use clock::Delays;
pub use hypothesis::Held;
pub(crate) use judged::share;
pub use judged::{Judged, Judgement, LATE, Verdict};
use loops::Twin;
use options::{CLOCK, COMPLETE, NAME, PARAMETERS, PHASE, REACT, SUBMIT, TYPE, WEIGHTS};
pub use period::{computed, used};
pub use priority::Factors;
pub use ranking::{Computed, Ranking, SeenAge};
pub use recorded::Recorded;
pub use shadow::Shadow;
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
    name: NAME,
    family: "backfilling",
    summary: "runs Slurm's two loops: strict order in each partition, and beside it backfilling by cycles",
    cite: Citation::of(
        "Yoo, Jette, Grondona, JSSPP 2003; the source of Slurm 22.05 (sched/backfill)",
        &["yoo03"],
    ),
    rule: "The main loop starts jobs in queue order at submissions and ends; the first job that does not fit closes its \
         partition. Every bf_interval the backfill loop gives each job a reservation on nodes, at its earliest start on a \
         grid of bf_resolution, and starts the jobs that can start now without touching one.",
    params: &[TYPE, PARAMETERS, WEIGHTS, REACT, CLOCK, COMPLETE, SUBMIT, PHASE],
    needs: Needs { installation: true, suspends: false, ..Needs::FORESIGHT },
    build,
};

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let site = &options::weighted(params, options::site(setting)?)?;
    let scheduler = options::scheduler(params, &site.system.scheduler)?;
    // Beside changes of the capacity jobs that others would suspend keep their nodes.
    let suspends = !setting.changes;
    Ok(Box::new(Twin::new(scheduler, options::delays(params)?, site, setting, suspends, false)))
}
