//! Which second of a period explains the priorities that a log recorded.
//!
//! The priorities of a log bound the second in which slurmctld computes them, and often leave several. Usage tells more: what users have
//! used when priorities are computed depends on what ran by then, so that another second may rank two users otherwise.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::grid::next_on;
use super::priority::{Holding, JobRun, Multifactor, Waits};
use crate::site::SlurmSite;

/// The recorded priority of a job at its submission, with what its own factors follow from.
pub(super) struct Submitted {
    pub job: JobId,
    pub waits: Waits,
    pub recorded: f64,
}

/// What happened to the jobs of a log, and the priorities that it recorded.
pub(super) struct PriorityLog<'a> {
    pub site: &'a Arc<SlurmSite>,
    pub of: (&'a Workload, &'a Machine),
    steps: Vec<(Time, Step, JobId)>,
    submitted: SortedMap<JobId, Submitted>,
}

/// What happens to a job; of several steps of an instant, the first one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Ends,
    Enters,
    Starts,
}

/// How many computations are followed at most: the first ones of a log.
const FOLLOWED: u32 = 2_000;

/// How many jobs are followed at most.
const JOBS: usize = 10_000;

/// How many seconds before and after a second are tried.
const AROUND: i64 = 5;

/// By how much recorded priorities of the same factors differ at most: they are truncated.
const TRUNCATED: f64 = 1.0;

impl<'a> PriorityLog<'a> {
    /// Returns what a log tells. O(jobs log jobs).
    pub(super) fn new(
        site: &'a Arc<SlurmSite>,
        of: (&'a Workload, &'a Machine),
        runs: impl Iterator<Item = JobRun>,
        submitted: impl Iterator<Item = Submitted>,
    ) -> PriorityLog<'a> {
        let mut steps: Vec<(Time, Step, JobId)> = Vec::new();
        for (start, end, job) in runs {
            let enters = JobView::new(of.0, job).submit().min(start);
            steps.extend([(enters, Step::Enters, job), (start, Step::Starts, job), (end, Step::Ends, job)]);
        }
        steps.sort_unstable();
        steps.truncate(3 * JOBS);
        let submitted = submitted.map(|submitted| (submitted.job, submitted)).collect();
        PriorityLog { site, of, steps, submitted }
    }

    /// Returns the second, around another one, that explains most of the recorded priorities; the other one itself if none explains more
    /// than half of them. Accounting has the priority of a job's first record, which slurmctld writes up to `late` after the submission.
    /// So several seconds often explain the same priorities: of more than two, the one at a third of them is taken, since records are
    /// mostly written soon; of two, the nearest. O(seconds tried · computations · (jobs that run or wait · log + associations · log)).
    pub(super) fn best_around(&self, second: Time, late: Time) -> Time {
        let period = self.site.system.priority.period.ticks().div_euclid(Time::SECOND.ticks());
        let around = (-AROUND..=AROUND).filter(|by| 2 * by.abs() < period);
        let tried: Vec<(i64, (usize, usize))> =
            around.map(|by| (by, self.explained(second + Time::from_secs(by), late))).collect();
        let most = tried.iter().map(|&(_, (explained, _))| explained).max().unwrap_or(0);
        let of = tried.iter().map(|&(_, (_, of))| of).max().unwrap_or(0);
        if 2 * most <= of {
            return second;
        }
        let best = tried.iter().filter(|&&(_, (explained, _))| explained == most).map(|&(by, _)| by);
        let best: Vec<i64> = best.collect();
        let by = match best.len() {
            0..=2 => best.iter().copied().min_by_key(|by| by.abs()),
            count => best.get((count - 1) / 3).copied(),
        };
        second + Time::from_secs(by.unwrap_or(0))
    }

    /// Returns how many recorded priorities are those that slurmctld would have computed, if it did so in a second of each period; and of
    /// how many.
    fn explained(&self, second: Time, late: Time) -> (usize, usize) {
        let (site, period) = (self.site, self.site.system.priority.period);
        let mut factors = Multifactor::new(site.clone(), self.of.1);
        let mut waiting: SortedMap<JobId, (i64, Option<usize>)> = SortedMap::new();
        // Those that are not explained yet, with their submissions.
        let mut open: Vec<(Time, &Submitted)> = Vec::new();
        let (mut explained, mut of, mut computed) = (0, 0, 0);
        let Some(&(first, ..)) = self.steps.first() else { return (0, 0) };
        let mut next = next_on(second, period, first - period);
        for &(at, step, job) in &self.steps {
            // What happens in the second of a computation comes before it.
            while next < at && computed < FOLLOWED {
                factors.recompute(next, waiting.values().copied());
                open.retain(|&(since, _)| next - since <= late);
                explained += open.iter().filter(|(_, told)| self.explains(&factors, told)).count();
                open.clear();
                (next, computed) = (next + period, computed + 1);
            }
            if computed == FOLLOWED {
                break;
            }
            let view = JobView::new(self.of.0, job);
            match step {
                Step::Ends => factors.ended(job, at),
                Step::Starts => {
                    waiting.remove(&job);
                    let nodes = site.ran_on(view).unwrap_or_default();
                    let held = Holding { machine: self.of.1, nodes, given: site.given_procs(view) };
                    factors.started(view, held, at);
                }
                Step::Enters => {
                    let association = site.association(view);
                    waiting.insert(job, (site.order(view), association));
                    factors.look_at(association);
                    if let Some(told) = self.submitted.get(&job) {
                        of += 1;
                        if self.explains(&factors, told) { explained += 1 } else { open.push((at, told)) }
                    }
                }
            }
        }
        (explained, of)
    }

    /// Whether the factors of now give the recorded priority of a job at its submission.
    fn explains(&self, factors: &Multifactor, told: &Submitted) -> bool {
        let view = JobView::new(self.of.0, told.job);
        let computed = factors.priority(view, told.waits, view.submitted());
        (computed as f64 - told.recorded).abs() <= TRUNCATED
    }
}
