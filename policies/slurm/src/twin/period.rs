//! When slurmctld computes priorities, by the priorities that a log recorded.
//!
//! Source: `_decay_thread` (`priority_multifactor.c`) of Slurm 22.05: once every `PriorityCalcPeriod`, counted from its start.

use std::sync::Arc;

use crate::site::{PriorityType, SlurmSite};
use batchlab_contract::JobView;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::admission::limit;
use super::phase::{PriorityLog, Submitted};
use super::priority::{JobRun, Multifactor, Waits};

/// Returns an instant at which priorities were computed, to a second, and the instants at which ends of jobs count that have another place
/// within their second than the log has; `None` if the log does not tell.
///
/// A log has the priority of each job at its submission. Two jobs of an association differ in priority by their own factors, which
/// are known, and by fairshare, which changes only when priorities are computed. Around this second, the one that explains most
/// priorities is sought by the usage of the jobs that have run, each with its start and end in `runs`. O(jobs · log jobs + jobs ·
/// seconds of a period).
pub fn computed(
    site: &Arc<SlurmSite>,
    (workload, machine): (&Workload, &Machine),
    runs: impl Iterator<Item = JobRun>,
) -> Option<(Time, SortedMap<JobId, Time>)> {
    if !has_fairshare(site) {
        return None;
    }
    let second = |at: Time| at.ticks().div_euclid(Time::SECOND.ticks());
    let factors = Multifactor::new(site.clone(), machine);
    let mut of: SortedMap<usize, Vec<(i64, JobId, f64)>> = SortedMap::new();
    let mut submitted = Vec::new();
    // For a job in several partitions, the log may have the priority in another partition; for a task of an array, and for a job that
    // was held back, it has the priority at a later instant.
    let is_of_submission = |job: &JobView<'_>| {
        let is_plain = site.partitions(*job).is_empty() && site.array(*job).is_none();
        is_plain && job.submit() == job.submitted()
    };
    let changed = site.changed_by(Time::from_ticks(i64::MIN));
    for job in workload.jobs().map(|job| JobView::new(workload, job)).filter(is_of_submission) {
        let recorded = site.recorded_priority(job);
        // The least priority may stand for any lower one.
        if let (Some(recorded @ 2..), Some(at)) = (recorded, site.association(job)) {
            let first = changed.get(&job.row()).copied().unwrap_or_default();
            let partition = first.partition.or_else(|| site.partition(job));
            let qos = first.qos.or_else(|| site.qos(job));
            let waits = Waits { partition, qos, limit: limit(site, job, partition), is_tested: false };
            let fairshare = recorded as f64 - factors.fixed(job, waits).sum();
            submitted.push(Submitted { job: job.id(), waits, recorded: recorded as f64 });
            of.entry(at).or_default().push((second(job.submitted()), job.id(), fairshare));
        }
    }
    let of = of.into_values().map(|mut jobs| {
        jobs.sort_unstable_by_key(|&(submit, job, _)| (submit, job));
        jobs.into_iter().map(|(submit, _, fairshare)| (submit, fairshare)).collect()
    });
    let late = site.system.scheduler.main.batch_delay;
    let found = second_of_period(of, second(site.system.priority.period), second(late))?;
    let log = PriorityLog::new(site, (workload, machine), runs, submitted.into_iter());
    Some(log.fit(Time::from_secs(found), late))
}

/// Returns the raw usage of each association at an instant by jobs that have run, each with its start and end; `None` where it decides
/// nothing.
pub fn used(
    site: &Arc<SlurmSite>,
    of: (&Workload, &Machine),
    runs: impl Iterator<Item = JobRun>,
    now: Time,
) -> Option<Vec<f64>> {
    has_fairshare(site).then(|| Multifactor::new(site.clone(), of.1).usage_by(of, runs, now))
}

fn has_fairshare(site: &SlurmSite) -> bool {
    let priority = &site.system.priority;
    priority.kind == PriorityType::Multifactor && priority.weights.fairshare > 0.0
}

/// Returns the second of a period in which fairshare changes, by the submissions of each association with their fairshare, in order.
///
/// Of two jobs that follow each other within a period, with different fairshare, it is between the submissions, or up to
/// `late` behind the second one: accounting gets the priority with the first record of a job, which slurmctld may write a pass later.
/// The second that explains most of these changes is chosen; of several such seconds, the one between the fewest submissions with the
/// same fairshare, and of these the middle one. `None` if it explains no more than half of the changes: the configuration is of
/// another time.
fn second_of_period(of: impl Iterator<Item = Vec<(i64, f64)>>, period: i64, late: i64) -> Option<i64> {
    let mut changes = 0;
    // For each second: how many changes it lies within, and minus how many pairs without a change.
    let mut between = vec![(0_i64, 0_i64); usize::try_from(period).ok().filter(|&period| period <= LONGEST)?];
    for jobs in of {
        for pair in jobs.windows(2) {
            let ((from, one), (to, other)) = (pair[0], pair[1]);
            if to - from >= period {
                continue;
            }
            if (one - other).abs() > TRUNCATED {
                changes += 1;
                for at in (from..=to + late).take(between.len()) {
                    between[at.rem_euclid(period) as usize].0 += 1;
                }
            } else {
                for at in from + 1..to {
                    between[at.rem_euclid(period) as usize].1 -= 1;
                }
            }
        }
    }
    let best = between.iter().copied().max().filter(|&(explained, _)| 2 * explained > changes)?;
    let equal: Vec<i64> =
        (0..).zip(&between).filter(|&(_, counts)| *counts == best).map(|(at, _)| at).collect();
    // The seconds of a period form a circle: the equal seconds begin behind the widest gap.
    let gap = |&at: &usize| (equal[at] - equal[(at + equal.len() - 1) % equal.len()]).rem_euclid(period);
    let first = (0..equal.len()).rev().max_by_key(gap)?;
    Some(equal[(first + equal.len() / 2) % equal.len()])
}

/// The longest period whose second is sought: a day, in seconds.
const LONGEST: usize = 86_400;

/// By how much recorded priorities of the same fairshare differ at most: they are truncated.
const TRUNCATED: f64 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(of: &[&[(i64, f64)]]) -> Option<i64> {
        second_of_period(of.iter().map(|jobs| jobs.to_vec()), 60, 3)
    }

    #[test]
    fn fairshare_changes_at_one_second_of_a_period() {
        // From 20 to 33, and from 25 to 38 a minute later.
        let (one, other) = ([(0, 500.0), (20, 500.5), (30, 250.0)], [(85, 750.0), (95, 500.0)]);
        assert_eq!(found(&[&one, &other]), Some(29));
        // At 27 to 32 it would have changed that of a third user; 25, 26 and 33 are left.
        let same = [(26, 100.0), (33, 100.0)];
        assert_eq!(found(&[&one, &other, &same]), Some(26));
        // The second of a period may be in the next one.
        assert_eq!(found(&[&[(58, 1000.0), (59, 500.0)], &[(119, 500.0), (121, 1000.0)]]), Some(1));
    }

    #[test]
    fn a_log_may_not_tell_when_fairshare_changes() {
        // Nothing changes, the change is longer than a period, and changes contradict each other.
        assert_eq!(found(&[&[(0, 500.0), (20, 500.0)]]), None);
        assert_eq!(found(&[&[(0, 500.0), (90, 250.0)]]), None);
        assert_eq!(found(&[&[(0, 5.0), (5, 9.0), (20, 5.0), (25, 9.0), (40, 5.0), (45, 9.0)]]), None);
    }
}
