//! Findings about LSF accounting logs.

use crate::kinds::kinds;

kinds! {
    /// A line that is not an event.
    DROPPED_LINE: Warning "lsf-dropped-line",
        "{line that is not an event|lines that are not events}",
        "left out",
        "look at the file: an event begins like `\"JOB_FINISH\" \"10.1\" 1389683139`";
    /// An event with missing fields, or with lists shorter than their stated length.
    BROKEN_EVENT: Warning "lsf-broken-event",
        "{job|jobs} whose fields end too early or cannot be counted",
        "the fields before the break are used",
        "look at the log: its lines may be cut or joined";
    /// A string without a closing quote.
    OPEN_QUOTE: Warning "lsf-open-quote",
        "{event|events} with a quote that is not closed",
        "the next event begins a new one",
        "look at the log: its lines may be cut";
    /// A command with line breaks.
    JOINED_LINES: Note "lsf-joined-lines",
        "{event|events} over several lines",
        "joined: there are line breaks in a string",
        "nothing";
    /// A value that cannot be read.
    BAD_VALUE: Warning "lsf-bad-value",
        "{field|fields} that cannot be read",
        "{it counts|they count} as unknown",
        "look at the log: its lines may be cut or joined";
    /// An event other than the end of a job.
    OTHER_EVENT: Note "lsf-other-event",
        "{event|events} of other types than the end of a job",
        "not used",
        "nothing: only JOB_FINISH events describe a whole job";
    /// A job that ended without a start.
    NEVER_STARTED: Note "lsf-never-started",
        "{job that ended|jobs that ended} without having started",
        "kept, as cancelled",
        "nothing";
    /// A job whose run limit is in its command only.
    LIMIT_FROM_COMMAND: Note "lsf-limit-from-command",
        "{job|jobs} whose run limit is in the command only",
        "`#BSUB -W` counts as the requested time",
        "nothing, unless the queue or `bsub -W` set another limit";
    /// A memory request per host.
    MEMORY_PER_HOST: Note "lsf-memory-per-host",
        "{job|jobs} on several hosts with a memory request",
        "taken as that of each host",
        "nothing, unless RESOURCE_RESERVE_PER_TASK was set at the site: then it is that of each slot";
}
