use batchlab_traces::{Kind, Level};

use super::seen::{Log, Seen};

#[derive(Debug)]
pub struct Anomaly {
    pub kind: &'static Kind,
    /// Runs it. O(n log n) or better.
    pub look: fn(&Log<'_>) -> Seen,
}

/// Defines each anomaly: the check, the level, the name, the observation, and the advice.
macro_rules! anomalies {
    ($($look:path: $level:ident $code:literal, $what:literal, $done:literal, $advice:literal;)+) => {
        /// All checks, in the order of reports.
        pub static ANOMALIES: &[Anomaly] = &[$(Anomaly {
            kind: &Kind { code: $code, level: Level::$level, what: $what, done: $done, advice: $advice },
            look: $look,
        }),+];
    };
}

anomalies! {
    super::header::max_jobs: Note "header-max-jobs",
        "{header|headers} whose MaxJobs is not the number of jobs", "the jobs count",
        "in a cleaned log it may be the number before cleaning; else the log may be incomplete";
    super::header::max_records: Note "header-max-records",
        "{header|headers} whose MaxRecords is not the number of records", "the records count",
        "compare the log with the original: it may be incomplete";
    super::header::max_runtime: Note "header-max-runtime",
        "{job|jobs} that ran longer than MaxRuntime", "kept",
        "the limit may have changed, or may have been enforced late";
    super::header::queues: Note "header-queue",
        "{job in a queue|jobs in queues} that the header does not name", "kept",
        "nothing, unless queues matter to what is studied";
    super::header::partitions: Note "header-partition",
        "{job in a partition|jobs in partitions} that the header does not name", "kept",
        "nothing, unless partitions matter to what is studied";
    super::header::start_time: Note "header-start-time",
        "{header|headers} whose StartTime is not UnixStartTime in the log's time zone", "UnixStartTime counts",
        "correct the header if the time of day matters";
    super::requests::overrun: Note "log-overrun",
        "{job|jobs} that ran longer than requested", "kept",
        "say what a replay makes of them: --overrun";
    super::requests::zero_run: Note "log-zero-run",
        "{job|jobs} with a run time of 0", "kept",
        "their slowdown is undefined and their bounded slowdown depends on the bound";
    super::requests::no_size: Note "log-no-size",
        "{job|jobs} without a number of processors (fields 5 and 8)", "kept",
        "a replay drops them";
    super::requests::oversized: Warning "log-oversized",
        "{job|jobs} larger than the machine (MaxProcs)", "kept",
        "MaxProcs may be wrong, or the machine may have grown";
    super::requests::given: Warning "log-given-more",
        "{job|jobs} that got more processors than requested: the site probably allocates whole nodes", "kept",
        "a replay by requested processors, the default, leaves much of the machine empty that was in use: \
            --size allocated replays the allocated sizes";
    super::order::unsorted: Note "log-unsorted",
        "{job|jobs} submitted before the one above", "the order of submission counts",
        "nothing: replays sort by submit time";
    super::order::all_at_once: Warning "log-all-at-once",
        "{log|logs} whose jobs are all submitted at one instant", "kept",
        "the log has no offered load, and waits measure the length of the list";
    super::order::repeated: Note "log-repeated",
        "{job that repeats|jobs that repeat} another: same submit time, user, processors, request and run time",
        "kept", "they may be records written twice, or a user's script";
    super::flurries::any: Warning "log-flurry",
        "{flurry: a user who|flurries: a user who} for a while submitted more than half of all jobs of a week",
        "kept", "a mean over the log is then a mean over that user: a rule drops it, drop = \"flurries()\"";
    super::flurries::one_user: Note "log-one-user",
        "{log|logs} of one user", "kept",
        "flurries, Jain's index and shares of users are undefined, because they compare users";
    super::capacity::above: Warning "log-above-machine",
        "{spell|spells} with more processors in use than the machine has (MaxProcs)", "kept",
        "MaxProcs may be wrong, processors may be shared, or times may be";
    super::capacity::below: Warning "log-below-machine",
        "{log|logs} that never {uses|use} nine tenths of the machine (MaxProcs)", "kept",
        "part of the machine may have served other jobs: replay with --procs as large as what was used";
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::sorted::SortedSet;

    #[test]
    fn names_are_unique() {
        let codes: SortedSet<&str> = ANOMALIES.iter().map(|anomaly| anomaly.kind.code).collect();
        assert_eq!(codes.len(), ANOMALIES.len());
    }
}
