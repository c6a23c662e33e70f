//! The findings about rows that are dropped or mended when they become jobs.

pub mod depends;

use crate::kinds;

kinds! {
    OVERSIZED: Loud "job-oversized",
        "{job|jobs} larger than the machine",
        "dropped; every result shifts with {it|them}",
        "check the machine size: --procs N, or MaxProcs in the header; of other resources --capacity NAME=AMOUNT";
    TASK_OVERSIZED: Loud "job-task-oversized",
        "{job|jobs} with tasks larger than every node that takes {it|them}",
        "dropped; every result shifts with {it|them}",
        "make tasks smaller with --layout tasks:T, nodes larger with --nodes N (fewer of them) or --capacity \
         NAME=AMOUNT, or leave the resource out with --capacity NAME=none";
    TOO_MANY_TASKS: Loud "job-too-many-tasks",
        "{job|jobs} with more tasks than the empty nodes that take {it|them} can hold",
        "dropped; every result shifts with {it|them}",
        "choose --layout tasks:T so that tasks fill the nodes, or more --capacity NAME=AMOUNT, or check the \
         partitions of the machine file";
    LAYOUT_UNTOLD: Note "job-layout-untold",
        "{job|jobs} whose {record does|records do} not tell how {it lies|they lie} on nodes",
        "{its|their} processors may be on any nodes",
        "--layout tasks:T for tasks of T processors, or --layout whole-node";
    LAYOUT_CUT: Warning "job-more-nodes-than-procs",
        "{job|jobs} on more nodes than {it has|they have} processors",
        "{it has|they have} a node for each processor",
        "--size allocated if the log counts whole nodes as allocated, or mend the column `nodes` with a rule";
    NO_NODE_MEETS: Loud "job-no-node",
        "{job|jobs} whose constraint no node of {its|their} partition meets",
        "dropped; every result shifts with {it|them}",
        "check the features and names of the machine file's nodes";
    NO_FEATURES: Note "job-constraint-ignored",
        "{job|jobs} with a constraint on {its|their} nodes, and the machine has no features",
        "{it|they} may be on any node",
        "give the nodes of a machine file `features` and `names` (batchlab replay --help)";
    CONSTRAINT_UNREAD: Warning "job-constraint-unread",
        "{job|jobs} whose constraint cannot be read",
        "{it|they} may be on any node",
        "constraints are features joined by & and |, with ! for not";
    UNKNOWN_FEATURES: Note "feature-unknown",
        "{feature|features} that constraints name and no node has",
        "{it says|they say} nothing about nodes",
        "if they matter, give nodes these `features` in the machine file; a node's name is one of its features";
    NO_PARTITION: Loud "job-no-partition",
        "{job|jobs} of a partition (field 16) that no node of the machine takes",
        "dropped; every result shifts with {it|them}",
        "name it among the partitions of the machine file's nodes; nodes without partitions take every job";
    BEYOND_TIME: Warning "job-beyond-time",
        "{job|jobs} beyond the range of times (submitted after 36,000 years, run for 32 years, or all \
         together for 36,000)",
        "dropped",
        "correct the log: numbers of this size are mistakes";
    LONG_ESTIMATE: Note "job-long-estimate",
        "{job|jobs} with an estimate of more than 32 years",
        "{it counts|they count} as 32 years (1e9 s), which is unlimited for a scheduler",
        "nothing, if the log means that these jobs have no limit";
    NO_SIZE: Warning "job-no-size",
        "{job|jobs} without a number of processors (fields 5 and 8)",
        "dropped",
        "mend them with a cleaning rule if they matter";
    NO_SUBMIT: Warning "job-no-submit",
        "{job|jobs} without a submit time (field 2)",
        "dropped",
        "mend them with a cleaning rule if they matter";
    NO_RUN: Warning "job-no-run",
        "{job|jobs} without a run time (field 4)",
        "dropped",
        "cancelled before their start, most likely: --cancel log lets those wait of which the log tells when; or mend them with \
         a cleaning rule if they matter";
    CANCELLED: Note "job-cancelled",
        "{job that was|jobs that were} cancelled before {it|they} started",
        "{it waits|they wait}, and {leaves|leave} as long after {its|their} entry into the queue as in the log, even from the \
         machine if a policy has started {it|them} by then; not measured",
        "--cancel ignore, the default, drops such jobs";
    COMPONENTS: Warning "job-components-apart",
        "{component|components} of heterogeneous jobs",
        "the policy slurm starts the components of a job together, in cycles of the backfill loop, and refuses them without this \
         loop (sched/builtin), as slurmctld does; under other policies each is a job by itself, and may start apart from the others",
        "compare with what really happened (batchlab slurm-check), or leave them out with a `filter` step: het_job < 0";
    UNLIMITED: Note "job-no-limit",
        "{job|jobs} without a time limit",
        "{its|their} estimate is what Slurm plans with: MaxTime of the partition if --slurm states one, else 365 days",
        "choose what counts instead: --estimate, or a cleaning rule that sets requested_time";
    UNFINISHED: Note "job-unfinished",
        "{job|jobs} that had not ended when the log was written",
        "{its|their} run time is unknown",
        "write the log when they have ended, or add the log of the days after";
    UNFINISHED_DROPPED: Warning "job-unfinished-dropped",
        "{job|jobs} that waited or ran when the log was written",
        "dropped: {its|their} run time is unknown",
        "--running limit keeps those that ran, until their limit, --running all those that waited, too; or add the log of \
         the days after";
    UNFINISHED_KEPT: Warning "job-unfinished-kept",
        "{job|jobs} that had not ended when the log was written",
        "{its|their} run time is taken to be the limit, or how long {it|they} had run where that is more",
        "--running drop leaves such jobs out; or add the log of the days after";
    ZERO_RUN: Note "job-zero-run",
        "{job|jobs} with a run time of 0",
        "dropped as asked",
        "leave --drop-zero-run out to keep them";
    OTHER_STATUS: Note "job-other-status",
        "{job|jobs} with a status other than the requested ones",
        "dropped as asked",
        "leave --status out to keep all jobs";
    PARTS: Note "job-parts",
        "{line|lines} with a part of a checkpointed job (status 2, 3 or 4)",
        "not replayed: {its|their} summary line is",
        "nothing; this is how SWF records checkpointed jobs";
    ORPHAN_PARTS: Warning "job-parts-joined",
        "checkpointed {job|jobs} whose parts have no summary line",
        "replayed once, with the sum of {its|their} parts' run times",
        "check the log's Preemption header";
    OVERRUN_RAISED: Note "job-overrun-raised",
        "{job outlives its|jobs outlive their} request",
        "{its|their} estimate was raised to the run time",
        "--overrun kill ends them at their request, --overrun overdue keeps both";
    OVERRUN_KILLED: Note "job-overrun-killed",
        "{job outlives its|jobs outlive their} request",
        "{it ends at its|they end at their} request",
        "--overrun raise keeps the recorded work";
    OVERRUN_OVERDUE: Note "job-overrun-overdue",
        "{job outlives its|jobs outlive their} request",
        "kept: once overdue, {it is|they are} expected to end at any moment",
        "--overrun raise gives schedulers the actual run times of these jobs";
    GIVEN_MORE: Warning "job-given-more",
        "{job|jobs} that got more processors than requested: the site probably allocates whole nodes",
        "replayed at the requested size, on a machine that is emptier than the site's was",
        "--size allocated replays the allocated sizes";
    HELD: Note "job-held",
        "{job|jobs} held back after {its|their} submission: held, dependent on others, or postponed",
        "how long is in the column `eligible`",
        "nothing: replays queue such jobs from when they were eligible (--queue-from)";
    HELD_QUEUED: Note "job-held-queued",
        HELD.what,
        "{it enters|they enter} the queue when eligible, and waits, responses and slowdowns count from then",
        "--queue-from submit queues them from their submission";
    UNSORTED: Note "trace-unsorted",
        "{row|rows} submitted before the row above them",
        "replayed in the order of submission",
        "nothing; schedules keep the order of the file";
    SIZE_OF_NODES: Loud "machine-size-of-nodes",
        "{trace|traces} with MaxNodes and without a usable MaxProcs",
        "each node counts as one processor, or as several where the largest job or the processors in use at once need more",
        "give the size with --procs N: it moves results more than the policy does";
    NO_MACHINE_SIZE: Loud "machine-size-guessed",
        "{trace|traces} without a usable MaxProcs",
        "the largest job was taken as the machine's size, or the most processors that were in use at once",
        "give the size with --procs N: it moves results more than the policy does";
    MODELLED_ESTIMATES: Note "job-estimate-modelled",
        "{job|jobs} with an estimate of the model of Tsafrir et al. 2005",
        "drawn for all of them together, whatever the log says",
        "--estimate tsafrir:MAX names the longest estimate; another selection of jobs, or another seed, \
         draws again";
    BEYOND_ESTIMATES: Warning "job-beyond-estimates",
        "{job that runs|jobs that run} longer than any estimate the model has for {it|them}",
        "{its|their} run time is the estimate",
        "give a longer one, --estimate tsafrir:MAX, or leave such jobs out";
    NO_ESTIMATES: Warning "trace-no-estimates",
        "{job|jobs} without a requested time (field 9)",
        "{its|their} run time is the estimate: a scheduler sees {it|them} clairvoyantly",
        "say so in the paper, or model estimates with --estimate tsafrir, phi:X or factor:X";
}
