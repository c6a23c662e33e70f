//! The findings about jobs that depend on others.

use crate::kinds;

kinds! {
    IGNORED: Note "job-dependent-ignored",
        "{job that depends|jobs that depend} on others by the log",
        "{it enters|they enter} the queue as in the log, whenever the others end",
        "--dependencies log: they enter when the replay has met their dependencies";
    QUEUED: Note "job-dependent",
        "{job that depends|jobs that depend} on others",
        "{it enters|they enter} the queue when the replay meets the dependencies, and waits, responses and slowdowns \
         count from then",
        "--dependencies ignore queues them as in the log";
    THROTTLE_IGNORED: Note "array-throttle-ignored",
        "{task|tasks} beyond the number of tasks of {its array|their arrays} that may run at a time",
        "{it enters|they enter} the queue as in the log, whenever the others end",
        "--dependencies log: tasks enter as earlier tasks of their array end";
    THROTTLED: Note "array-throttle",
        "{task|tasks} beyond the number of tasks of {its array|their arrays} that may run at a time",
        "{it enters|they enter} the queue as earlier tasks of {its array|their arrays} end, and waits, responses and \
         slowdowns count from then",
        "--dependencies ignore queues them as in the log";
    MISSING: Warning "job-dependency-missing",
        "{dependency on a job|dependencies on jobs} that the log does not have",
        "counted as met",
        "correct the number (field 17, or after1) with a cleaning rule, or add the log of the days before";
    LEFT_OUT: Warning "job-dependency-left-out",
        "{dependency on a job that is|dependencies on jobs that are} not replayed",
        "counted as met",
        "see the findings about dropped jobs: the job before never started, or was cleaned or filtered out";
    LATER: Warning "job-dependency-later",
        "{dependency on a job|dependencies on jobs} submitted later",
        "counted as met",
        "correct the number (field 17, or after1) with a cleaning rule: it names a job that was submitted before";
    CIRCLE: Warning "job-dependency-circle",
        "{dependency that closes|dependencies that close} a circle of jobs that wait for each other",
        "counted as met, so that the circle is open",
        "correct the numbers (field 17, or after1) with a cleaning rule";
    LONG_THINK: Warning "job-think-long",
        "{job|jobs} with a think time (field 18) of more than 32 years",
        "{it counts|they count} as 32 years",
        "correct the log: numbers of this size are mistakes";
    NEVER: Warning "job-dependency-never",
        "{job whose dependency|jobs whose dependencies} can never be met: the job before did not end as asked",
        "left out",
        "if they ran nevertheless, their users changed the dependencies: --dependencies ignore replays them";
}
