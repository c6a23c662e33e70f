//! The parameters of distributed hierarchical control with long-term scheduling.

use batchlab_traces::Time;
use batchlab_traces::machine::Machine;

use super::board::{Map, ReturnRule, Rules, SubBlockRule};
use super::service::ServiceUnit;
use crate::facts::Fact;
use crate::needs::Needs;
use crate::spec::{ParamError, ParamKind, ParamSpec, Params, Words};
use crate::view::JobView;
use crate::words;

/// Which jobs go first in the long-term queues (Setia et al. 1999, Figure 5).
pub const ORDER: ParamSpec = ParamSpec {
    name: "order",
    kind: ParamKind::Choice(&["fcfs", "smf"]),
    default: "fcfs",
    help: "order of the long-term queues: first come first served, or smallest memory first",
    needs: |value| if value == "smf" { Needs::fact(Fact::Memory) } else { Needs::NONE },
};

/// What "smallest memory" compares; the paper does not say.
///
/// Memory per processor is the default: the paper states it for its jobs, and it decides whether a job fits.
pub const SMF: ParamSpec = ParamSpec {
    name: "smf",
    kind: ParamKind::Choice(&["per-processor", "total"]),
    default: "per-processor",
    help: "what smallest memory first compares: memory on each processor, or over all processors of the job",
    ..ParamSpec::PLAIN
};

/// D, the degree of multiprogramming (Setia et al. 1999, Figure 6).
pub const D: ParamSpec = ParamSpec {
    name: "d",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "inf",
    help: "the most slots: jobs that a processor may have",
    ..ParamSpec::PLAIN
};

/// B, the batch job limit (Setia et al. 1999, Figure 7).
pub const B: ParamSpec = ParamSpec {
    name: "b",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "inf",
    help: "the most batch jobs that hold memory on a processor",
    ..ParamSpec::PLAIN
};

/// `T_L`, the long-term quantum (Setia et al. 1999, Figure 8: 3 h).
pub const TL: ParamSpec = ParamSpec {
    name: "tl",
    kind: ParamKind::Span { words: &["inf"] },
    default: "inf",
    help: "a batch job that has executed for this long since it was placed is swapped out and waits again",
    ..ParamSpec::PLAIN
};

/// The interval at which accumulated service is halved; the paper says periodically.
pub const DECAY: ParamSpec = ParamSpec {
    name: "decay",
    kind: ParamKind::Span { words: Decay::WORDS },
    default: "tl",
    help: "interval at which the accumulated service of batch jobs is halved; tl is the long-term quantum",
    ..ParamSpec::PLAIN
};

/// What happens to a batch job at the end of its quantum if no job waits.
///
/// In the paper batch jobs return to the queue after each quantum, without exception: `always`. A job that returns to empty
/// queues is swapped out and in for nothing: under `wanted` it continues until another job waits.
pub const SWAP_OUT: ParamSpec = ParamSpec {
    name: "swap-out",
    kind: ParamKind::Choice(&["always", "wanted"]),
    default: "always",
    help: "whether a batch job is swapped out after tl in any case, or only when another job waits",
    ..ParamSpec::PLAIN
};

/// Where a job that was swapped out is loaded again; the paper does not say.
///
/// An image on disk can be loaded anywhere, so that by default a job is mapped again. If nodes swap to disks of their own,
/// the job waits for the processors that it had.
pub const RETURN: ParamSpec = ParamSpec {
    name: "return",
    kind: ParamKind::Choice(ReturnRule::WORDS),
    default: "any",
    help: "where a job that was swapped out is loaded again: on any processors, or on those that it had",
    ..ParamSpec::PLAIN
};

/// What accumulated service counts: the paper ranks by "accumulated CPU time".
///
/// Priorities that decay are per process in the systems that the paper refers to, and the processes of a gang run together:
/// executed time is the default. With `cpu` large jobs go behind small ones.
pub const SERVICE: ParamSpec = ParamSpec {
    name: "service",
    kind: ParamKind::Choice(ServiceUnit::WORDS),
    default: "wall",
    help: "accumulated service of a batch job: the time that it has executed, or that on all its processors",
    ..ParamSpec::PLAIN
};

/// `T_S`, the length of a slice; the paper does not state it.
///
/// A switch among jobs in memory costs little, so the slice matters little if it is short compared with the
/// service of batch jobs, half a day in the paper. 200 s is the slice of Zhang et al. 2000, so that both
/// policies can be compared in one table.
pub const SLICE: ParamSpec = ParamSpec {
    name: "slice",
    kind: ParamKind::Span { words: &[] },
    default: "200",
    help: "length of a slice",
    ..ParamSpec::PLAIN
};

/// Which controllers of a job's level are tried (Setia et al. 1999, section 2: memory and processors in concert).
pub const MAP: ParamSpec = ParamSpec {
    name: "map",
    kind: ParamKind::Choice(Map::WORDS),
    default: "least-loaded-feasible",
    help: "a job goes to the least loaded controller that has memory and a slot for it, or only to the least loaded one",
    ..ParamSpec::PLAIN
};

/// Which processors of its block a job gets if its size is not a power of two; the paper does not say.
///
/// A buddy system allocates a block from its beginning, which is the default. Memory at the ends of blocks stays unused.
pub const WITHIN: ParamSpec = ParamSpec {
    name: "within",
    kind: ParamKind::Choice(SubBlockRule::WORDS),
    default: "lowest",
    help: "which processors of its block a smaller job gets: the lowest, or those with the most free memory",
    ..ParamSpec::PLAIN
};

words!(Map { LeastLoadedFeasible = "least-loaded-feasible", LeastLoadedOnly = "least-loaded-only" });
words!(Decay { Quantum = "tl", Never = "inf" });
words!(ReturnRule { Any = "any", Same = "same" });
words!(ServiceUnit { Wall = "wall", Cpu = "cpu" });
words!(SubBlockRule { Lowest = "lowest", MostFree = "most-free" });

pub const ALTERNATE: ParamSpec = ParamSpec {
    name: "alternate",
    kind: ParamKind::Choice(&["on", "off"]),
    default: "on",
    help: "whether processors that are idle in a slot run jobs of other slots, all of whose processors are idle there",
    ..ParamSpec::PLAIN
};

pub const MEMORY: ParamSpec = ParamSpec {
    name: "memory",
    kind: ParamKind::Choice(&["on", "off"]),
    default: "on",
    help: "whether processors have memory (--capacity) and the log must give the memory of jobs; off is a \
        machine with enough memory",
    needs: |value| if value == "on" { Needs::fact(Fact::Memory) } else { Needs::NONE },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestMemory {
    total: bool,
    /// The machine's memory resource; without one, the memory stated in the log is compared.
    kind: Option<usize>,
}

impl SmallestMemory {
    /// Returns it if the order is by memory.
    pub fn from_params(params: &Params, machine: &Machine) -> Result<Option<SmallestMemory>, ParamError> {
        let total = params.is(&SMF, "total")?;
        let by_memory = params.is(&ORDER, "smf")?;
        Ok(by_memory.then(|| SmallestMemory { total, kind: machine.resource("memory") }))
    }

    /// Returns a job's memory, in the units of the machine or of the log.
    pub fn of(self, job: JobView<'_>) -> i64 {
        match self.kind {
            Some(kind) if self.total => job.demand()[kind],
            Some(kind) => job.held(kind, 1),
            None => {
                let (all, procs) = (job.told_memory().unwrap_or(0), job.procs().max(1));
                if self.total { all } else { all / procs + i64::from(all % procs > 0) }
            }
        }
    }
}

/// An interval of [`DECAY`] that is no length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decay {
    Quantum,
    Never,
}

/// Returns the long-term quantum, and the interval at which service is halved; `None` for never.
pub fn quantum(params: &Params) -> (Option<Time>, Option<Time>) {
    let tl = params.duration(TL.name);
    let decay = match params.named(&DECAY) {
        Some(Decay::Quantum) => tl,
        Some(Decay::Never) => None,
        None => params.duration(DECAY.name),
    };
    (tl, decay)
}

pub fn rules(params: &Params) -> Result<Rules, ParamError> {
    Ok(Rules {
        slots: params.count(D.name),
        batch: params.count(B.name),
        map: params.word(&MAP)?,
        within: params.word(&WITHIN)?,
        returns: params.word(&RETURN)?,
        alternate: params.is_on(&ALTERNATE)?,
    })
}
