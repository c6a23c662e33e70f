//! Findings about foretold starts.

use batchlab_traces::{Kind, Level};

pub static NO_WAIT: Kind = Kind {
    code: "when-no-wait",
    level: Level::Warning,
    what: "{job|jobs} that ended and whose start the log does not tell",
    done: "left out: {it runs|they run} and {waits|wait} at no instant",
    advice: "--state replay takes the starts of a replay under the policy",
};

pub static HELD: Kind = Kind {
    code: "when-held",
    level: Level::Note,
    what: "{job that is|jobs that are} held",
    done: "not foretold: {it starts|they start} only after {its|their} release",
    advice: "scontrol release JOB ends a user's hold",
};

pub static REFUSED: Kind = Kind {
    code: "when-refused",
    level: Level::Warning,
    what: "{job|jobs} that {waits|wait} for what neither time nor the end of other jobs brings: {it asks|they ask} for more than a \
           partition, a QOS, an account or a reservation grants, or a budget is used up",
    done: "not foretold, and {it takes|they take} no room from the others",
    advice: "ask for less, or let the limit be raised: scontrol show partition, sacctmgr show qos, sacctmgr show assoc tell it",
};

pub static LIMIT_UNKNOWN: Kind = Kind {
    code: "when-limit-unknown",
    level: Level::Warning,
    what: "{job|jobs} that {waits|wait} for a limit of a QOS, an account or a user, which no file states",
    done: "not foretold, and {it takes|they take} no room from the others",
    advice: "give the limits among the files of --slurm: sacctmgr -P show qos and sacctmgr -P show assoc; or with --limits",
};

pub static SUSPENDED: Kind = Kind {
    code: "when-suspended",
    level: Level::Note,
    what: "{job that is|jobs that are} suspended",
    done: "{its|their} processors count as free; when {it goes|they go} on is unknown",
    advice: "scontrol resume JOB, or qsig -s resume JOB, lets a job go on",
};

pub static NOT_ELIGIBLE: Kind = Kind {
    code: "when-not-eligible",
    level: Level::Note,
    what: "{job that waits|jobs that wait} for what cannot be foretold: a dependency that is never satisfied, a job that is not of \
           the queue or is not foretold itself, a partition that is down, a begin time or a throttle that the queue does not tell",
    done: "not foretold, and {it takes|they take} no room from the others",
    advice: "squeue -a --json and scontrol show job tell begin times, dependencies and throttles",
};

pub static NEVER_STARTS: Kind = Kind {
    code: "when-never-starts",
    level: Level::Warning,
    what: "{job that starts|jobs that start} in none of the replays",
    done: "not foretold: {its start is|their starts are} left empty",
    advice: "look at the nodes that are out of service (--sinfo, --calendar) and at the limits of the installation (--slurm)",
};

pub static UNKNOWN_NODE: Kind = Kind {
    code: "when-unknown-node",
    level: Level::Warning,
    what: "{node|nodes} in the file of --sinfo that the machine does not have",
    done: "left out",
    advice: "give the machine of this queue: --slurm slurm.conf, or --machine with names",
};

pub static NO_HISTORY: Kind = Kind {
    code: "when-no-history",
    level: Level::Warning,
    what: "{job|jobs} to foretell without any job that has ended before",
    done: "all jobs run as long as requested, so that intervals are points",
    advice: "give a log with the jobs of the weeks before: sacct -a -S 2026-11-01",
};

pub static NOT_CALIBRATED: Kind = Kind {
    code: "when-not-calibrated",
    level: Level::Warning,
    what: "{job|jobs} to foretell without past instants at which others waited",
    done: "intervals tell of run times alone: they hold fewer starts than they should",
    advice: "give a log with the jobs of the weeks before, or --calibrate 0 to accept it",
};

pub static FEW_INSTANTS: Kind = Kind {
    code: "when-few-instants",
    level: Level::Note,
    what: "{job|jobs} to foretell with few past instants at which others waited",
    done: "each end of an interval is as far out as at the worst of these instants, which may hold fewer starts than it should",
    advice: "give a log with the jobs of the weeks before, or a lower --level",
};

pub static PAST_DISAGREES: Kind = Kind {
    code: "when-past-disagrees",
    level: Level::Warning,
    what: "{job|jobs} of the past that waited far longer than the policy foretells: ten times the forecast and more",
    done: "the past disagrees with the policy: intervals reach no farther beyond the replays than these starts did or the forecast \
           is long, and hold fewer starts than they should unless the machine has changed since",
    advice: "look at what held these jobs back: batchlab slurm-check LOG, or explain; another --policy or the files of --slurm may be \
             the machine's; --calibrate 0 gives intervals of run times alone",
};

pub static USAGE_LATER: Kind = Kind {
    code: "when-usage-later",
    level: Level::Warning,
    what: "{output|outputs} of sshare among the files of --slurm, from after the instant that is asked about",
    done: "left out: usage is computed from the jobs of the log that had ended by then; what was used before the log begins is \
           missing, so that users may be ranked otherwise by their fair share",
    advice: "give the output of sshare -a -l -P of that instant, or a log that reaches back several times PriorityDecayHalfLife",
};

pub static USAGE_UNDATED: Kind = Kind {
    code: "when-usage-undated",
    level: Level::Note,
    what: "{output|outputs} of sshare among the files of --slurm, beside a log that does not tell when it was written",
    done: "taken for the usage at the instant that is asked about",
    advice: "leave it out if it is of another instant: usage is then computed from the jobs of the log",
};
