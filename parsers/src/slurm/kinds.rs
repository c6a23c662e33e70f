//! Findings about Slurm's accounting.

use batchlab_traces::kinds;

kinds! {
    NOT_A_JOB: Warning "slurm-not-a-job",
        "{line that is|lines that are} not {a row|rows} of a job",
        "left out",
        "look at them: messages of sacct belong on standard error";
    SHORT_ROW: Warning "slurm-short-row",
        "{row that breaks|rows that break} off",
        "what is missing counts as unknown",
        "write the log again: it seems to be incomplete";
    CONTINUED: Note "slurm-continued-row",
        "{row|rows} over several lines",
        "joined: a free text, such as SubmitLine, holds line ends",
        "leave SubmitLine, Comment and WorkDir (of squeue NAME, COMMAND and WORK_DIR) out of the columns if they are not needed";
    BARS: Note "slurm-bars-in-text",
        "{row|rows} with `|` in a free text",
        "resolved by the values of the columns around it",
        "write JobName as the last column";
    BARS_UNCLEAR: Warning "slurm-bars-unclear",
        "{row|rows} with `|` in a free text, which could be divided in several ways",
        "the first way is taken",
        "write JobName as the last column, and leave other free texts out";
    LONG_ROW: Warning "slurm-long-row",
        "{row|rows} with more columns than the heading",
        "the columns past the heading's are left out",
        "write the log again: rows and heading do not belong together";
    HEADER_AGAIN: Note "slurm-header-again",
        "further {heading|headings} among the rows",
        "the rows below follow it",
        "nothing, if several outputs were joined";
    UNKNOWN_COLUMN: Note "slurm-unknown-column",
        "{column|columns} of unknown name",
        "not used",
        "nothing, unless it is a misspelt name: sacct --helpformat lists them all";
    COLUMNS_ABSENT: Note "slurm-columns-absent",
        "{log|logs} of sacct without columns that the policy `slurm` uses",
        "{it is|they are} replayed without; what each column is for is beside it",
        "write the log with all of them: `batchlab slurm-collect` prints a script that does";
    ODD_VALUE: Warning "slurm-odd-value",
        "{value that cannot|values that cannot} be understood",
        "{it counts|they count} as unknown",
        "correct the log, or the tool that wrote it";
    UNKNOWN_STATE: Warning "slurm-unknown-state",
        "{job|jobs} in a state that Slurm does not have",
        "the status is unknown",
        "correct the log, or the tool that wrote it";
    REQUEUED: Note "slurm-requeued",
        "{run|runs} that ended with the job being put back into the queue",
        "each run is a record, status failed",
        "--requeues last replays such a job once, with its last run";
    RESIZED: Note "slurm-resized",
        "{part|parts} of jobs that changed their size",
        "each part is a record, status unknown",
        "nothing";
    ARRAY_REST: Note "slurm-array-rest",
        "{task|tasks} of arrays in rows that stand for several",
        "one record for each row",
        "write the log with sacct --array (23.02 or newer), or when the tasks have started";
    ARRAY_CUT: Warning "slurm-array-cut",
        "{array whose list|arrays whose lists} of waiting tasks Slurm cut off",
        "the tasks and the throttle (%N) behind `...` are missing, unless they are named",
        "write the queue again with SLURM_BITSTR_LEN=0 in the environment, or with squeue --array";
    LONE_STEP: Warning "slurm-lone-step",
        "job {step|steps} without the row of the job above",
        "left out: used memory and CPU time of the job may be too low",
        "write the log without -n filters on steps, and do not sort it";
    UNLIMITED: Note "slurm-unlimited",
        "{job|jobs} without a time limit",
        "the column `no_limit` has a 1; as an estimate counts what Slurm plans with",
        "nothing, or choose what counts instead: --estimate";
    PARTITION_LIMIT: Note "slurm-partition-limit",
        "{job|jobs} without a requested time or a limit before {it|they} ended",
        "the requested time is unknown",
        "nothing: such jobs never started";
    MEMORY_FLAG: Note "slurm-memory-flag",
        "memory {request|requests} with the flag for \"per CPU\" (2^31) counted in",
        "the flag is taken off",
        "nothing: old versions of sacct print them so";
    PARTIAL_NODE_LIST: Note "slurm-partial-node-list",
        "{job|jobs} that asked for some of {its|their} nodes by name (`--nodelist`)",
        "the names are not read: the other nodes may be any",
        "nothing; only a list with all nodes of a job is a constraint";
    MEMORY_ALLOCATED: Note "slurm-memory-allocated",
        "{job|jobs} whose memory request is not in the log",
        "the allocated memory counts as requested",
        "add ReqTRES and ReqMem to the columns";
    RESOURCE_ALLOCATED: Note "slurm-resource-allocated",
        "{job|jobs} that got GPUs or other resources which the request does not name",
        "the allocated amount counts as requested",
        "nothing: options such as --gpus-per-task, and whole nodes, are not in ReqTRES everywhere";
    RESOURCE_UNTRACKED: Note "slurm-resource-untracked",
        "{job|jobs} that {asks|ask} for GPUs or other resources which accounting does not track",
        "the amounts of the request count: --gres, --gpus and the like of SubmitLine, or those of each node, task or job",
        "nothing; AccountingStorageTRES=gres/gpu makes accounting track them";
    MEMORY_UNCLEAR: Warning "slurm-memory-unclear",
        "{column|columns} of memory that may be of each node or of each processor",
        "left out: jobs ask for no memory",
        "add tres-alloc (squeue -O), or write the queue with squeue --json or scontrol show job";
    HISTORY_OPEN: Note "slurm-history-open",
        "{job|jobs} of the history that had not ended when it was written",
        "left out: the queue tells which jobs run and wait",
        "nothing";
    ODD_DEPENDENCY: Warning "slurm-odd-dependency",
        "{dependency|dependencies} of a submit line that cannot be understood",
        "{it counts|they count} as met",
        "look at the submit line: types are after, afterok, afternotok, afterany, aftercorr and singleton";
    MANY_DEPENDENCIES: Warning "slurm-many-dependencies",
        "{dependency|dependencies} beyond the first eight of a job",
        "{it counts|they count} as met",
        "nothing: jobs that wait for more than eight others are rare";
    CLUSTERS: Warning "slurm-clusters",
        "{job|jobs} of another cluster than the first one's",
        "all count as one machine's",
        "write one log for each cluster: sacct --clusters NAME";
    JSON_TORN: Loud "slurm-json-torn",
        "JSON {file that breaks|files that break} off or {is|are} damaged",
        "the jobs before the damage are used",
        "write the log again";
    JSON_LONG_JOB: Warning "slurm-json-long-job",
        "{job|jobs} in JSON of more than 64 MiB",
        "the content after that counts as unknown",
        "look at the file: it may be damaged";
    RELATIVE_TIME: Loud "slurm-relative-time",
        "{time|times} relative to the day on which the log was written (SLURM_TIME_FORMAT=relative)",
        "the log is refused",
        "write it again with SLURM_TIME_FORMAT=standard";
    JSON_ERRORS: Loud "slurm-json-errors",
        "JSON {file in which|files in which} Slurm states errors",
        "the jobs in {it|them} are used; others may be missing",
        "look at the error, and write the log again";
    JSON_TRAILING: Warning "slurm-json-trailing",
        "JSON {file|files} with other content after {its|their} end",
        "left out",
        "look at the end of the file";
}
