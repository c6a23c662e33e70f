//! Findings about foretold starts.

use batchlab_traces::kinds;

kinds! {
    NO_WAIT: Warning "when-no-wait",
        "{job|jobs} that ended and whose start the log does not tell",
        "left out: {it runs|they run} and {waits|wait} at no instant",
        "--state replay takes the starts of a replay under the policy";
    HELD: Note "when-held",
        "{job that is|jobs that are} held",
        "not foretold: {it starts|they start} only after {its|their} release",
        "scontrol release JOB ends a user's hold";
    REFUSED: Warning "when-refused",
        "{job|jobs} that {waits|wait} for what neither time nor the end of other jobs brings: {it asks|they ask} for more than a \
         partition, a QOS, an account or a reservation grants, or a budget is used up",
        "not foretold, and {it takes|they take} no room from the others",
        "ask for less, or let the limit be raised: scontrol show partition, sacctmgr show qos, sacctmgr show assoc tell it";
    LIMIT_UNKNOWN: Warning "when-limit-unknown",
        "{job|jobs} that {waits|wait} for a limit of a QOS, an account or a user, which no file states",
        "not foretold, and {it takes|they take} no room from the others",
        "give the limits among the files of --slurm: sacctmgr -P show qos and sacctmgr -P show assoc; or with --limits";
    SUSPENDED: Note "when-suspended",
        "{job that is|jobs that are} suspended",
        "{its|their} processors count as free; when {it goes|they go} on is unknown",
        "scontrol resume JOB, or qsig -s resume JOB, lets a job go on";
    NOT_ELIGIBLE: Note "when-not-eligible",
        "{job that waits|jobs that wait} for what cannot be foretold: a dependency that is never satisfied, a job that is not of \
         the queue or is not foretold itself, a partition that is down, a begin time or a throttle that the queue does not tell",
        "not foretold, and {it takes|they take} no room from the others",
        "squeue -a --json and scontrol show job tell begin times, dependencies and throttles";
    NEVER_STARTS: Warning "when-never-starts",
        "{job that starts|jobs that start} in none of the replays",
        "not foretold: {its start is|their starts are} left empty",
        "look at the nodes that are out of service (--sinfo, --calendar) and at the limits of the installation (--slurm)";
    UNKNOWN_NODE: Warning "when-unknown-node",
        "{node|nodes} in the file of --sinfo that the machine does not have",
        "left out",
        "give the machine of this queue: --slurm slurm.conf, or --machine with names";
    NO_HISTORY: Warning "when-no-history",
        "{job|jobs} to foretell without any job that has ended before",
        "all jobs run as long as requested, so that intervals are points",
        "give a log with the jobs of the weeks before: sacct -a -S 2026-11-01";
    NOT_CALIBRATED: Warning "when-not-calibrated",
        "{job|jobs} to foretell without past instants at which others waited",
        "intervals tell of run times alone: they hold fewer starts than they should",
        "give a log with the jobs of the weeks before, or --calibrate 0 to accept it";
    FEW_INSTANTS: Note "when-few-instants",
        "{job|jobs} to foretell with few past instants at which others waited",
        "each end of an interval is as far out as at the worst of these instants, which may hold fewer starts than it should",
        "give a log with the jobs of the weeks before, or a lower --level";
    PAST_DISAGREES: Warning "when-past-disagrees",
        "{job|jobs} of the past that waited far longer than the policy foretells: ten times the forecast and more",
        "the past disagrees with the policy: intervals reach no farther beyond the replays than these starts did or the forecast \
         is long, and hold fewer starts than they should unless the machine has changed since",
        "look at what held these jobs back: batchlab slurm-check LOG, or explain; another --policy or the files of --slurm may be \
         the machine's; --calibrate 0 gives intervals of run times alone";
    USAGE_LATER: Warning "when-usage-later",
        "{output|outputs} of sshare among the files of --slurm, from after the instant that is asked about",
        "left out: usage is computed from the jobs of the log that had ended by then; what was used before the log begins is \
         missing, so that users may be ranked otherwise by their fair share",
        "give the output of sshare -a -l -P of that instant, or a log that reaches back several times PriorityDecayHalfLife";
    USAGE_UNDATED: Note "when-usage-undated",
        "{output|outputs} of sshare among the files of --slurm, beside a log that does not tell when it was written",
        "taken for the usage at the instant that is asked about",
        "leave it out if it is of another instant: usage is then computed from the jobs of the log";
}
