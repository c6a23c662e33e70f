//! Findings about logs of SDSC.

use batchlab_traces::kinds;

kinds! {
    FIELD_COUNT: Warning "sdsc-field-count",
        "{line|lines} with another number of fields than the format has",
        "left out, as by the archive's conversion",
        "correct the line: 29 fields between commas in a JOBLOG, 23 between blanks on Blue Horizon";
    BAD_FIELD: Warning "sdsc-bad-field",
        "{field that is|fields that are} not what the format says",
        "{it counts|they count} as unknown",
        "correct the log";
    UNKNOWN_STATUS: Warning "sdsc-unknown-status",
        "{status|statuses} other than success (1), cancelled (2) and unknown (3)",
        "{it counts|they count} as unknown",
        "look at the examples";
    UNSTARTED_SUCCESS: Warning "sdsc-unstarted-success",
        "{job that succeeded|jobs that succeeded} without a start",
        "the run time is counted from the submission, if the end is known",
        "drop them by a rule if they matter";
    WAIT_SHORT: Note "sdsc-wait-short",
        "recorded {wait|waits} shorter than start minus submission",
        "start minus submission counts",
        "nothing; the archive counts them, too";
    WAIT_LONG: Note "sdsc-wait-long",
        "recorded {wait|waits} longer than start minus submission",
        "start minus submission counts",
        "nothing; the archive counts them, too";
}
