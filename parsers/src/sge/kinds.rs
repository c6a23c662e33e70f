//! Findings about Grid Engine accounting files.

use crate::kinds::kinds;

kinds! {
    /// A line that is not a record.
    DROPPED_LINE: Warning "sge-dropped-line",
        "{line that is not a record|lines that are not records}",
        "left out",
        "look at the file: a record is some 45 fields separated by colons";
    /// A record with missing fields at the end.
    SHORT_LINE: Warning "sge-short-line",
        "{record|records} with too few fields",
        "the missing fields count as unknown",
        "look at the file: its lines may be cut";
    /// A record with more colons than fields.
    COLONS: Warning "sge-colons",
        "{record|records} with colons within a field",
        "the fields are found by the numbers between them",
        "nothing, unless names look odd: Grid Engine does not escape colons";
    /// A value that cannot be read.
    BAD_VALUE: Warning "sge-bad-value",
        "{field|fields} that cannot be read",
        "{it counts|they count} as unknown",
        "look at the file: its lines may be cut or joined";
    /// A file with times in milliseconds.
    MILLISECONDS: Note "sge-milliseconds",
        "{record|records} with times in milliseconds or microseconds",
        "read as such, as their size tells",
        "nothing: Univa Grid Engine writes them";
    /// A record of a part of a parallel job.
    PARALLEL_TASK: Note "sge-parallel-task",
        "{record|records} of tasks of parallel jobs",
        "not used: the job has its own record",
        "set accounting_summary in the parallel environment to have their CPU time in the job's record";
    /// A job that ran, by its use of time, and has no start.
    START_LOST: Warning "sge-start-lost",
        "{job|jobs} that ran, by ru_wallclock or cpu, without a start",
        "started ru_wallclock before {its|their} end; without a ru_wallclock that fits, start and run time are unknown",
        "nothing, or leave such records out by a rule (--rules) if there are many";
    /// A run that was started over.
    RESCHEDULED: Note "sge-rescheduled",
        "{run that was|runs that were} migrated or rescheduled",
        "kept: each run is a record",
        "--requeues last replays such a job once, with its last run";
    /// A job that ended without a start.
    NEVER_STARTED: Note "sge-never-started",
        "{job|jobs} without a start",
        "kept, as never started",
        "nothing";
    /// A job that was killed before its limit.
    KILLED: Note "sge-killed",
        "{job|jobs} killed before the limit; the log does not name who killed {it|them}",
        "status: cancelled",
        "nothing: qdel and limits on memory kill jobs in this way";
    /// A memory request per slot.
    MEMORY_PER_SLOT: Note "sge-memory-per-slot",
        "{job|jobs} with a memory request",
        "taken as that of each slot",
        "nothing, unless the site defined it as a request of the whole job";
}
