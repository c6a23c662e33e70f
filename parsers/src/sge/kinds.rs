//! Findings about Grid Engine accounting files.

use batchlab_traces::kinds;

kinds! {
    DROPPED_LINE: Warning "sge-dropped-line",
        "{line that is not a record|lines that are not records}",
        "left out",
        "look at the file: a record is some 45 fields separated by colons";
    SHORT_LINE: Warning "sge-short-line",
        "{record|records} with too few fields",
        "the missing fields count as unknown",
        "look at the file: its lines may be cut";
    COLONS: Warning "sge-colons",
        "{record|records} with colons within a field",
        "the fields are found by the numbers between them",
        "nothing, unless names look odd: Grid Engine does not escape colons";
    BAD_VALUE: Warning "sge-bad-value",
        "{field|fields} that cannot be read",
        "{it counts|they count} as unknown",
        "look at the file: its lines may be cut or joined";
    MILLISECONDS: Note "sge-milliseconds",
        "{record|records} with times in milliseconds or microseconds",
        "read as such, as their size tells",
        "nothing: Univa Grid Engine writes them";
    PARALLEL_TASK: Note "sge-parallel-task",
        "{record|records} of tasks of parallel jobs",
        "not used: the job has its own record",
        "set accounting_summary in the parallel environment to have their CPU time in the job's record";
    START_LOST: Warning "sge-start-lost",
        "{job|jobs} that ran, by ru_wallclock or cpu, without a start",
        "started ru_wallclock before {its|their} end; without a ru_wallclock that fits, start and run time are unknown",
        "nothing, or leave such records out by a rule (--rules) if there are many";
    RESCHEDULED: Note "sge-rescheduled",
        "{run that was|runs that were} migrated or rescheduled",
        "kept: each run is a record",
        "--requeues last replays such a job once, with its last run";
    NEVER_STARTED: Note "sge-never-started",
        "{job|jobs} without a start",
        "kept, as never started",
        "nothing";
    KILLED: Note "sge-killed",
        "{job|jobs} killed before the limit; the log does not name who killed {it|them}",
        "status: cancelled",
        "nothing: qdel and limits on memory kill jobs in this way";
    MEMORY_PER_SLOT: Note "sge-memory-per-slot",
        "{job|jobs} with a memory request",
        "taken as that of each slot",
        "nothing, unless the site defined it as a request of the whole job";
}
