//! The findings about rows that are dropped or mended when they become jobs.

#![allow(missing_docs)] // `what` says what each is.

pub mod depends;

use crate::finding::{Kind, Level};

pub static OVERSIZED: Kind = Kind {
    code: "job-oversized",
    level: Level::Loud,
    what: "{job|jobs} larger than the machine",
    done: "dropped; every result shifts with {it|them}",
    advice: "check the machine size: --procs N, or MaxProcs in the header; of other resources --capacity NAME=AMOUNT",
};

pub static TASK_OVERSIZED: Kind = Kind {
    code: "job-task-oversized",
    level: Level::Loud,
    what: "{job|jobs} with tasks larger than every node that takes {it|them}",
    done: "dropped; every result shifts with {it|them}",
    advice: "make tasks smaller with --layout tasks:T, nodes larger with --nodes N (fewer of them) or --capacity \
             NAME=AMOUNT, or leave the resource out with --capacity NAME=none",
};

pub static TOO_MANY_TASKS: Kind = Kind {
    code: "job-too-many-tasks",
    level: Level::Loud,
    what: "{job|jobs} with more tasks than the empty nodes that take {it|them} can hold",
    done: "dropped; every result shifts with {it|them}",
    advice: "choose --layout tasks:T so that tasks fill the nodes, or more --capacity NAME=AMOUNT, or check the \
             partitions of the machine file",
};

pub static LAYOUT_UNTOLD: Kind = Kind {
    code: "job-layout-untold",
    level: Level::Note,
    what: "{job|jobs} whose {record does|records do} not tell how {it lies|they lie} on nodes",
    done: "{its|their} processors may be on any nodes",
    advice: "--layout tasks:T for tasks of T processors, or --layout whole-node",
};

pub static LAYOUT_CUT: Kind = Kind {
    code: "job-more-nodes-than-procs",
    level: Level::Warning,
    what: "{job|jobs} on more nodes than {it has|they have} processors",
    done: "{it has|they have} a node for each processor",
    advice: "--size allocated if the log counts whole nodes as allocated, or mend the column `nodes` with a rule",
};

pub static NO_NODE_MEETS: Kind = Kind {
    code: "job-no-node",
    level: Level::Loud,
    what: "{job|jobs} whose constraint no node of {its|their} partition meets",
    done: "dropped; every result shifts with {it|them}",
    advice: "check the features and names of the machine file's nodes",
};

pub static NO_FEATURES: Kind = Kind {
    code: "job-constraint-ignored",
    level: Level::Note,
    what: "{job|jobs} with a constraint on {its|their} nodes, and the machine has no features",
    done: "{it|they} may be on any node",
    advice: "give the nodes of a machine file `features` and `names` (batchlab replay --help)",
};

pub static CONSTRAINT_UNREAD: Kind = Kind {
    code: "job-constraint-unread",
    level: Level::Warning,
    what: "{job|jobs} whose constraint cannot be read",
    done: "{it|they} may be on any node",
    advice: "constraints are features joined by & and |, with ! for not",
};

pub static UNKNOWN_FEATURES: Kind = Kind {
    code: "feature-unknown",
    level: Level::Note,
    what: "{feature|features} that constraints name and no node has",
    done: "{it says|they say} nothing about nodes",
    advice: "if they matter, give nodes these `features` in the machine file; a node's name is one of its features",
};

pub static NO_PARTITION: Kind = Kind {
    code: "job-no-partition",
    level: Level::Loud,
    what: "{job|jobs} of a partition (field 16) that no node of the machine takes",
    done: "dropped; every result shifts with {it|them}",
    advice: "name it among the partitions of the machine file's nodes; nodes without partitions take every job",
};

pub static BEYOND_TIME: Kind = Kind {
    code: "job-beyond-time",
    level: Level::Warning,
    what: "{job|jobs} beyond the range of times (submitted after 36,000 years, run for 32 years, or all \
        together for 36,000)",
    done: "dropped",
    advice: "correct the log: numbers of this size are mistakes",
};

pub static LONG_ESTIMATE: Kind = Kind {
    code: "job-long-estimate",
    level: Level::Note,
    what: "{job|jobs} with an estimate of more than 32 years",
    done: "{it counts|they count} as 32 years (1e9 s), which is unlimited for a scheduler",
    advice: "nothing, if the log means that these jobs have no limit",
};

pub static NO_SIZE: Kind = Kind {
    code: "job-no-size",
    level: Level::Warning,
    what: "{job|jobs} without a number of processors (fields 5 and 8)",
    done: "dropped",
    advice: "mend them with a cleaning rule if they matter",
};

pub static NO_SUBMIT: Kind = Kind {
    code: "job-no-submit",
    level: Level::Warning,
    what: "{job|jobs} without a submit time (field 2)",
    done: "dropped",
    advice: "mend them with a cleaning rule if they matter",
};

pub static NO_RUN: Kind = Kind {
    code: "job-no-run",
    level: Level::Warning,
    what: "{job|jobs} without a run time (field 4)",
    done: "dropped",
    advice: "cancelled before their start, most likely: --cancel log lets those wait of which the log tells when; or mend them with \
             a cleaning rule if they matter",
};

pub static CANCELLED: Kind = Kind {
    code: "job-cancelled",
    level: Level::Note,
    what: "{job that was|jobs that were} cancelled before {it|they} started",
    done: "{it waits|they wait}, and {leaves|leave} as long after {its|their} entry into the queue as in the log, even from the \
           machine if a policy has started {it|them} by then; not measured",
    advice: "--cancel ignore, the default, drops such jobs",
};

pub static COMPONENTS: Kind = Kind {
    code: "job-components-apart",
    level: Level::Warning,
    what: "{component|components} of heterogeneous jobs",
    done: "the policy slurm starts the components of a job together, in cycles of the backfill loop, and refuses them without this \
           loop (sched/builtin), as slurmctld does; under other policies each is a job by itself, and may start apart from the others",
    advice: "compare with what really happened (batchlab slurm-check), or leave them out with a `filter` step: het_job < 0",
};

pub static UNLIMITED: Kind = Kind {
    code: "job-no-limit",
    level: Level::Note,
    what: "{job|jobs} without a time limit",
    done: "{its|their} estimate is what Slurm plans with: MaxTime of the partition if --slurm states one, else 365 days",
    advice: "choose what counts instead: --estimate, or a cleaning rule that sets requested_time",
};

pub static UNFINISHED: Kind = Kind {
    code: "job-unfinished",
    level: Level::Note,
    what: "{job|jobs} that had not ended when the log was written",
    done: "{its|their} run time is unknown",
    advice: "write the log when they have ended, or add the log of the days after",
};

pub static UNFINISHED_DROPPED: Kind = Kind {
    code: "job-unfinished-dropped",
    level: Level::Warning,
    what: "{job|jobs} that waited or ran when the log was written",
    done: "dropped: {its|their} run time is unknown",
    advice: "--running limit keeps those that ran, until their limit, --running all those that waited, too; or add the log of \
             the days after",
};

pub static UNFINISHED_KEPT: Kind = Kind {
    code: "job-unfinished-kept",
    level: Level::Warning,
    what: "{job|jobs} that had not ended when the log was written",
    done: "{its|their} run time is taken to be the limit, or how long {it|they} had run where that is more",
    advice: "--running drop leaves such jobs out; or add the log of the days after",
};

pub static ZERO_RUN: Kind = Kind {
    code: "job-zero-run",
    level: Level::Note,
    what: "{job|jobs} with a run time of 0",
    done: "dropped as asked",
    advice: "leave --drop-zero-run out to keep them",
};

pub static OTHER_STATUS: Kind = Kind {
    code: "job-other-status",
    level: Level::Note,
    what: "{job|jobs} with a status other than the requested ones",
    done: "dropped as asked",
    advice: "leave --status out to keep all jobs",
};

pub static PARTS: Kind = Kind {
    code: "job-parts",
    level: Level::Note,
    what: "{line|lines} with a part of a checkpointed job (status 2, 3 or 4)",
    done: "not replayed: {its|their} summary line is",
    advice: "nothing; this is how SWF records checkpointed jobs",
};

pub static ORPHAN_PARTS: Kind = Kind {
    code: "job-parts-joined",
    level: Level::Warning,
    what: "checkpointed {job|jobs} whose parts have no summary line",
    done: "replayed once, with the sum of {its|their} parts' run times",
    advice: "check the log's Preemption header",
};

pub static OVERRUN_RAISED: Kind = Kind {
    code: "job-overrun-raised",
    level: Level::Note,
    what: "{job outlives its|jobs outlive their} request",
    done: "{its|their} estimate was raised to the run time",
    advice: "--overrun kill ends them at their request, --overrun overdue keeps both",
};

pub static OVERRUN_KILLED: Kind = Kind {
    code: "job-overrun-killed",
    level: Level::Note,
    what: "{job outlives its|jobs outlive their} request",
    done: "{it ends at its|they end at their} request",
    advice: "--overrun raise keeps the recorded work",
};

pub static OVERRUN_OVERDUE: Kind = Kind {
    code: "job-overrun-overdue",
    level: Level::Note,
    what: "{job outlives its|jobs outlive their} request",
    done: "kept: once overdue, {it is|they are} expected to end at any moment",
    advice: "--overrun raise gives schedulers the actual run times of these jobs",
};

pub static GIVEN_MORE: Kind = Kind {
    code: "job-given-more",
    level: Level::Warning,
    what: "{job|jobs} that got more processors than requested: the site probably allocates whole nodes",
    done: "replayed at the requested size, on a machine that is emptier than the site's was",
    advice: "--size allocated replays the allocated sizes",
};

pub static HELD: Kind = Kind {
    code: "job-held",
    level: Level::Note,
    what: "{job|jobs} held back after {its|their} submission: held, dependent on others, or postponed",
    done: "how long is in the column `eligible`",
    advice: "nothing: replays queue such jobs from when they were eligible (--queue-from)",
};

pub static HELD_QUEUED: Kind = Kind {
    code: "job-held-queued",
    level: Level::Note,
    what: HELD.what,
    done: "{it enters|they enter} the queue when eligible, and waits, responses and slowdowns count from then",
    advice: "--queue-from submit queues them from their submission",
};

pub static UNSORTED: Kind = Kind {
    code: "trace-unsorted",
    level: Level::Note,
    what: "{row|rows} submitted before the row above them",
    done: "replayed in the order of submission",
    advice: "nothing; schedules keep the order of the file",
};

pub static SIZE_OF_NODES: Kind = Kind {
    code: "machine-size-of-nodes",
    level: Level::Loud,
    what: "{trace|traces} with MaxNodes and without a usable MaxProcs",
    done: "each node counts as one processor, or as so many that all nodes together hold the largest job, and the most processors \
           that were in use at once",
    advice: "give the size with --procs N: it moves results more than the policy does",
};

pub static NO_MACHINE_SIZE: Kind = Kind {
    code: "machine-size-guessed",
    level: Level::Loud,
    what: "{trace|traces} without a usable MaxProcs",
    done: "the largest job was taken as the machine's size, or the most processors that were in use at once",
    advice: "give the size with --procs N: it moves results more than the policy does",
};

pub static MODELLED_ESTIMATES: Kind = Kind {
    code: "job-estimate-modelled",
    level: Level::Note,
    what: "{job|jobs} with an estimate of the model of Tsafrir et al. 2005",
    done: "drawn for all of them together, whatever the log says",
    advice: "--estimate tsafrir:MAX names the longest estimate; another selection of jobs, or another seed, \
        draws again",
};

pub static BEYOND_ESTIMATES: Kind = Kind {
    code: "job-beyond-estimates",
    level: Level::Warning,
    what: "{job that runs|jobs that run} longer than any estimate the model has for {it|them}",
    done: "{its|their} run time is the estimate",
    advice: "give a longer one, --estimate tsafrir:MAX, or leave such jobs out",
};

pub static NO_ESTIMATES: Kind = Kind {
    code: "trace-no-estimates",
    level: Level::Warning,
    what: "{job|jobs} without a requested time (field 9)",
    done: "{its|their} run time is the estimate: a scheduler sees {it|them} clairvoyantly",
    advice: "say so in the paper, or model estimates with --estimate tsafrir, phi:X or factor:X",
};
