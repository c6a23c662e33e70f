//! The archive's conversion rules, one kind of finding each.

use batchlab_traces::Kind;
use batchlab_traces::kinds;

/// Defines kinds of findings, and their list.
macro_rules! rules {
    ($($name:ident: $level:ident $code:literal, $what:literal, $done:literal, $advice:literal;)+) => {
        kinds! { $($name: $level $code, $what, $done, $advice;)+ }

        /// All rules, in the order in which they are applied.
        pub static RULES: &[&Kind] = &[$(&$name),+];
    };
}

rules! {
    SUBMIT_FROM_START: Warning "archive-submit-from-start",
        "{job|jobs} without a submit time",
        "the start counts as submission, and the wait is unknown",
        "nothing, if the log records no arrivals";
    SUBMIT_FROM_END: Warning "archive-submit-from-end",
        "{job|jobs} with an end and neither submit time nor start",
        "the end counts as submission",
        "drop them by a rule if they matter";
    SUBMIT_FROM_PREDECESSOR: Warning "archive-submit-from-predecessor",
        "{job|jobs} without any time",
        "{it stays|they stay} after the previous job, with its submit time",
        "drop them by a rule if they matter";
    OWN_ZERO: Note "archive-own-zero",
        "{log|logs} whose times count from {its|their} own zero instead of 1970",
        "the times are kept, every one from 0 on counts, and the header has no dates",
        "nothing, or say so: zero = \"own\" in a mapping file of a table";
    WAIT_BELOW_ZERO: Warning "archive-wait-below-zero",
        "{job that starts|jobs that start} up to 65 minutes before submission",
        "the wait is zero and the submission moved to the start",
        "check the clocks of the site, and daylight saving";
    WAIT_FAR_BELOW_ZERO: Warning "archive-wait-far-below-zero",
        "{job that starts|jobs that start} more than 65 minutes before submission",
        "the wait is unknown",
        "drop them by a rule if they matter";
    RUN_BELOW_ZERO: Warning "archive-run-below-zero",
        "{job that ends|jobs that end} up to 65 minutes before the start",
        "the run time is zero",
        "check the clocks of the site, and daylight saving";
    RUN_FAR_BELOW_ZERO: Warning "archive-run-far-below-zero",
        "{job that ends|jobs that end} more than 65 minutes before the start",
        "the run time is unknown",
        "drop them by a rule if they matter";
    RUN_FROM_SUBMIT: Warning "archive-run-from-submit",
        "{job|jobs} with an end and no start",
        "the run time is counted from the submission",
        "drop them by a rule if they matter";
    SUSPENDED: Note "archive-suspended",
        "{job that was|jobs that were} suspended after {its|their} start",
        "the run time is without the suspension, as the load is; the end in the log, and with it the row `log` and the processors in \
         use, is with it (column `suspended`)",
        "nothing; replays run such jobs without a break";
    ZERO_UNKNOWN: Note "archive-zero-unknown",
        "{zero|zeros} as processors, CPU time, memory or requested time",
        "{it counts|they count} as unknown",
        "nothing";
    OUT_OF_RANGE: Warning "archive-out-of-range",
        "{number|numbers} beyond 9.2e12",
        "{it counts|they count} as unknown",
        "correct the log, or the tool that wrote it";
    OVERSIZED: Warning "archive-oversized",
        "{job|jobs} with more processors than the machine has",
        "the machine's size counts",
        "check the size of the machine";
    CPU_ABOVE_RUN: Note "archive-cpu-above-run",
        "{job|jobs} with more CPU time per processor than run time",
        "kept",
        "nothing, if jobs run several threads per processor";
    SIZE_DIFFERS: Note "archive-size-differs",
        "{job|jobs} with other processors allocated than requested",
        "kept",
        "choose which counts: --size requested or --size allocated";
    RUN_ABOVE_REQUEST: Note "archive-run-above-request",
        "{job that ran|jobs that ran} longer than requested",
        "kept",
        "choose what happens to them: --overrun raise, kill or overdue";
    RUN_FAR_ABOVE_REQUEST: Note "archive-run-far-above-request",
        "{job that ran|jobs that ran} longer than requested by more than a minute",
        "kept",
        "choose what happens to them: --overrun raise, kill or overdue";
    MEMORY_ABOVE_REQUEST: Note "archive-memory-above-request",
        "{job|jobs} with more memory used than requested",
        "kept",
        "choose which counts: --memory requested or --memory used";
    ONE_NAME: Note "archive-one-name",
        "{column|columns} of users, groups, applications, queues or partitions with one name only",
        "the name is number 1; the archive's conversions make it unknown",
        "nothing; `-1` in the column of another conversion of the log means this name";
    MANY_COLUMNS: Warning "archive-many-columns",
        "{amount|amounts} of resources beyond the first 256",
        "left out",
        "look at the log: names of resources may have counters or job numbers in them";
    UNSORTED: Note "archive-unsorted",
        "{job|jobs} submitted before the previous job in the file",
        "sorted by submit time, ties as in the file",
        "nothing: accounting logs are written as jobs end";
    REPEATED: Note "archive-repeated",
        "{record that repeats|records that repeat} another one of the same job and submit time",
        "one of them counts",
        "nothing: overlapping extracts contain such records";
    SHOWN_FURTHER: Note "archive-shown-further",
        "{record|records} of unfinished jobs that another record shows in a later state",
        "the record of the later state counts",
        "nothing: overlapping extracts contain such records";
    HISTORY_LATER: Warning "history-later",
        "{record|records} of the history that {tells|tell} of what happened after the queue was written",
        "left out: {its|their} jobs run or wait as the queue says, or were not submitted",
        "write the history first and the queue at once after it; sacct -E leaves what started later out";
    CONTRADICTED: Warning "archive-contradicted",
        "{record that contradicts|records that contradict} another one of the same job and submit time",
        "both are kept: the job counts twice",
        "find out which one is right and delete the other, or drop it by a rule: drop = \"job = NUMBER\"";
    NUMBERED: Note "archive-numbered",
        "job {number that is|numbers that are} missing or given twice",
        "numbered above the highest number; the job that was submitted first keeps a number that was given twice, \
         and the column `id` holds the log's own numbers",
        "nothing; `explain LOG id:ID` finds a job by the log's own number";
}
