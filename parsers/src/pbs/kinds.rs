//! Findings about PBS accounting logs.

use batchlab_traces::kinds;

kinds! {
    DROPPED_LINE: Warning "pbs-dropped-line",
        "{line that is not an accounting record|lines that are not accounting records}",
        "left out",
        "look at the file: a record is `MM/DD/YYYY HH:MM:SS;TYPE;ID;...`";
    BAD_VALUE: Warning "pbs-bad-value",
        "{value|values} of a known key that cannot be read",
        "{it counts|they count} as unknown",
        "look at the log: its lines may be cut or joined";
    OTHER_RECORD: Note "pbs-other-record",
        "{record|records} of other types than the start or end of a job",
        "not used",
        "nothing";
    ARRAY_RECORD: Note "pbs-array-record",
        "{record|records} about a job array as a whole",
        "not used: each of its jobs has separate records",
        "nothing";
    NEVER_STARTED: Note "pbs-never-started",
        "{job that was|jobs that were} deleted or aborted before the start",
        "kept, as cancelled",
        "nothing";
    REQUEUED: Note "pbs-requeued",
        "{run|runs} that ended with the job being put back into the queue",
        "each run is a record, status failed",
        "--requeues last replays such a job once, with its last run";
    RUN_LOST: Warning "pbs-run-lost",
        "{run|runs} of jobs that were started again without an R record in between",
        "left out: the end is unknown",
        "nothing, or drop these jobs by a rule: the processors of these runs are missing from the load";
    TERMINATED: Note "pbs-terminated",
        "{job|jobs} ended by SIGTERM or SIGKILL before the limit, without a D record",
        "status: cancelled",
        "convert whole files, with their D records";
    WALLTIME_DIFFERS: Note "pbs-walltime-differs",
        "{job|jobs} whose resources_used.walltime is more than a minute off end - start",
        "end - start counts",
        "nothing; the difference may be a suspension, or a last sample that was missed";
    TABLE_FULL: Warning "pbs-table-full",
        "unfinished {job|jobs} beyond 256 MiB of records",
        "the oldest are kept as jobs; a later record of such a job makes a second job",
        "convert the log in parts";
}
