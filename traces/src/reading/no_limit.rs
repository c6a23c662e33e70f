use crate::sorted::SortedMap;
use crate::time::Time;

/// A year of 365 days: how long Slurm plans a job without a limit in a partition without one.
///
/// Source: `YEAR_MINUTES` in `src/common/slurm_protocol_defs.h`, `_set_backfill_timelimits` in
/// `src/plugins/sched/backfill/backfill.c`, `job_end_time_reset` in `src/slurmctld/job_mgr.c`.
pub const YEAR: Time = Time::from_secs(365 * 86_400);

/// What counts as the limit of jobs that have none, as schedulers need a number to plan with.
///
/// Without an installation it is a [`YEAR`] for all jobs, whatever the batch system: `OpenPBS` plans five (`JOB_INFINITY` in
/// `src/scheduler/constant.h`), and either is longer than a machine is planned ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoLimit {
    /// The limits that partitions set, by the number of the partition in the log.
    pub partitions: SortedMap<i64, PartitionLimits>,
    /// The same of the partitions with other numbers.
    pub others: PartitionLimits,
}

/// The limits that a partition sets; each a [`YEAR`] if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionLimits {
    /// Of jobs that ask for no limit: the partition's greatest one.
    pub unlimited: Time,
    /// Of jobs that do not ask: the partition's default.
    pub unasked: Time,
}

impl Default for PartitionLimits {
    fn default() -> PartitionLimits {
        PartitionLimits { unlimited: YEAR, unasked: YEAR }
    }
}

impl NoLimit {
    /// Returns the limits that a partition sets.
    pub fn of(&self, partition: i64) -> PartitionLimits {
        self.partitions.get(&partition).copied().unwrap_or(self.others)
    }

    /// Returns in words what counts.
    pub fn words(&self) -> &'static str {
        if *self == NoLimit::default() { "365 days" } else { "the MaxTime of their partition, else 365 days" }
    }
}
