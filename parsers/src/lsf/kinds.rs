//! Findings about LSF accounting logs.

use batchlab_traces::kinds;

kinds! {
    DROPPED_LINE: Warning "lsf-dropped-line",
        "{line that is not an event|lines that are not events}",
        "left out",
        "look at the file: an event begins like `\"JOB_FINISH\" \"10.1\" 1389683139`";
    BROKEN_EVENT: Warning "lsf-broken-event",
        "{job|jobs} whose fields end too early or cannot be counted",
        "the fields before the break are used",
        "look at the log: its lines may be cut or joined";
    OPEN_QUOTE: Warning "lsf-open-quote",
        "{event|events} with a quote that is not closed",
        "the next event begins a new one",
        "look at the log: its lines may be cut";
    JOINED_LINES: Note "lsf-joined-lines",
        "{event|events} over several lines",
        "joined: there are line breaks in a string",
        "nothing";
    BAD_VALUE: Warning "lsf-bad-value",
        "{field|fields} that cannot be read",
        "{it counts|they count} as unknown",
        "look at the log: its lines may be cut or joined";
    OTHER_EVENT: Note "lsf-other-event",
        "{event|events} of other types than the end of a job",
        "not used",
        "nothing: only JOB_FINISH events describe a whole job";
    NEVER_STARTED: Note "lsf-never-started",
        "{job that ended|jobs that ended} without having started",
        "kept, as cancelled",
        "nothing";
    LIMIT_FROM_COMMAND: Note "lsf-limit-from-command",
        "{job|jobs} whose run limit is in the command only",
        "`#BSUB -W` counts as the requested time",
        "nothing, unless the queue or `bsub -W` set another limit";
    MEMORY_PER_HOST: Note "lsf-memory-per-host",
        "{job|jobs} on several hosts with a memory request",
        "taken as that of each host",
        "nothing, unless RESOURCE_RESERVE_PER_TASK was set at the site: then it is that of each slot";
}
