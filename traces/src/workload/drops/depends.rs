//! The findings about jobs that depend on others.

use crate::finding::{Kind, Level};

pub static IGNORED: Kind = Kind {
    code: "job-dependent-ignored",
    level: Level::Note,
    what: "{job that depends|jobs that depend} on others by the log",
    done: "{it enters|they enter} the queue as in the log, whenever the others end",
    advice: "--dependencies log: they enter when the replay has met their dependencies",
};

pub static QUEUED: Kind = Kind {
    code: "job-dependent",
    level: Level::Note,
    what: "{job that depends|jobs that depend} on others",
    done: "{it enters|they enter} the queue when the replay meets the dependencies, and waits, responses and slowdowns \
           count from then",
    advice: "--dependencies ignore queues them as in the log",
};

pub static THROTTLE_IGNORED: Kind = Kind {
    code: "array-throttle-ignored",
    level: Level::Note,
    what: "{task|tasks} beyond the number of tasks of {its array|their arrays} that may run at a time",
    done: "{it enters|they enter} the queue as in the log, whenever the others end",
    advice: "--dependencies log: tasks enter as earlier tasks of their array end",
};

pub static THROTTLED: Kind = Kind {
    code: "array-throttle",
    level: Level::Note,
    what: "{task|tasks} beyond the number of tasks of {its array|their arrays} that may run at a time",
    done: "{it enters|they enter} the queue as earlier tasks of {its array|their arrays} end, and waits, responses and \
           slowdowns count from then",
    advice: "--dependencies ignore queues them as in the log",
};

pub static MISSING: Kind = Kind {
    code: "job-dependency-missing",
    level: Level::Warning,
    what: "{dependency on a job|dependencies on jobs} that the log does not have",
    done: "counted as met",
    advice: "correct the number (field 17, or after1) with a cleaning rule, or add the log of the days before",
};

pub static LEFT_OUT: Kind = Kind {
    code: "job-dependency-left-out",
    level: Level::Warning,
    what: "{dependency on a job that is|dependencies on jobs that are} not replayed",
    done: "counted as met",
    advice: "see the findings about dropped jobs: the job before never started, or was cleaned or filtered out",
};

pub static LATER: Kind = Kind {
    code: "job-dependency-later",
    level: Level::Warning,
    what: "{dependency on a job|dependencies on jobs} submitted later",
    done: "counted as met",
    advice: "correct the number (field 17, or after1) with a cleaning rule: it names a job that was submitted before",
};

pub static CIRCLE: Kind = Kind {
    code: "job-dependency-circle",
    level: Level::Warning,
    what: "{dependency that closes|dependencies that close} a circle of jobs that wait for each other",
    done: "counted as met, so that the circle is open",
    advice: "correct the numbers (field 17, or after1) with a cleaning rule",
};

pub static LONG_THINK: Kind = Kind {
    code: "job-think-long",
    level: Level::Warning,
    what: "{job|jobs} with a think time (field 18) of more than 32 years",
    done: "{it counts|they count} as 32 years",
    advice: "correct the log: numbers of this size are mistakes",
};

pub static NEVER: Kind = Kind {
    code: "job-dependency-never",
    level: Level::Warning,
    what: "{job whose dependency|jobs whose dependencies} can never be met: the job before did not end as asked",
    done: "left out",
    advice: "if they ran nevertheless, their users changed the dependencies: --dependencies ignore replays them",
};
