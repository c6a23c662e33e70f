//! Which second of a period explains the priorities that a log recorded.
//!
//! The priorities of a log bound the second in which slurmctld computes them, and often leave several. Usage tells more: what users have
//! used when priorities are computed depends on what ran by then, so that another second may rank two users otherwise.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::grid::{counted, next_on};
use super::priority::{Holding, JobRun, Multifactor, Waits};
use crate::site::{FairshareRule, SlurmSite};

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

const JOBS: usize = 10_000;

/// Up to how many steps each second is tried with its ends.
const FEW: usize = 3_000;

/// How many ends in the seconds of computations are tried at most.
const ENDS: usize = 50;

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
    /// mostly written soon; of two, the nearest. The computation comes after what else happens in its second, unless more is explained
    /// by the tick before: it is always at the same part of a second (`_decay_thread`). O(instants tried · computations · (jobs that run
    /// or wait · log + associations · log)).
    fn best_around(&self, second: Time, late: Time) -> Time {
        let period = self.site.system.priority.period.ticks().div_euclid(Time::SECOND.ticks());
        let around: Vec<i64> = (-AROUND..=AROUND).filter(|by| 2 * by.abs() < period).collect();
        let tried = |before: Time| -> Vec<(usize, usize)> {
            around.iter().map(|&by| self.explained(second + Time::from_secs(by) - before, late)).collect()
        };
        let most =
            |tried: &[(usize, usize)]| tried.iter().map(|&(explained, _)| explained).max().unwrap_or(0);
        let after = tried(Time::ZERO);
        let of = after.iter().map(|&(_, of)| of).max().unwrap_or(0);
        let first = if most(&after) < of { tried(Time::TICK) } else { Vec::new() };
        let (best, before) =
            if most(&first) > most(&after) { (first, Time::TICK) } else { (after, Time::ZERO) };
        let most = most(&best);
        if 2 * most <= of {
            return second;
        }
        let equal = around.iter().zip(&best).filter(|&(_, &(explained, _))| explained == most);
        let equal: Vec<i64> = equal.map(|(&by, _)| by).collect();
        let by = match equal.len() {
            0..=2 => equal.iter().copied().min_by_key(|by| by.abs()),
            count => equal.get((count - 1) / 3).copied(),
        };
        second + Time::from_secs(by.unwrap_or(0)) - before
    }

    /// Returns the instant of [`PriorityLog::best_around`], and the ends that count at another instant than the log has. By the classic
    /// rule each factor follows from all usage, so that one end on the wrong side hides the second: in a log of few jobs each one is
    /// tried with its ends. O(ends tried · cost of an instant).
    pub(super) fn fit(mut self, second: Time, late: Time) -> (Time, SortedMap<JobId, Time>) {
        let mut at = self.best_around(second, late);
        let mut found = self.with_ends(at, late);
        let is_exact = matches!(self.site.system.priority.fairshare, FairshareRule::Classic { .. });
        if is_exact && self.steps.len() <= FEW {
            // A few more are chance.
            let enough = found.0 + self.submitted.len() / 20;
            for ticks in
                (-AROUND..=AROUND).flat_map(|by| [by * Time::SECOND.ticks(), by * Time::SECOND.ticks() - 1])
            {
                let other = second + Time::from_ticks(ticks);
                let fitted = self.with_ends(other, late);
                if fitted.0 > found.0.max(enough) {
                    (at, found) = (other, fitted);
                }
            }
        }
        (at, found.1)
    }

    /// Returns how many priorities are explained if computations come at an instant, and the ends that count on its other side for that. A
    /// log does not tell whether a job that ended in the second of a computation did so before it or after it: those whose other order
    /// explains more are moved, one by one.
    fn with_ends(&mut self, at: Time, late: Time) -> (usize, SortedMap<JobId, Time>) {
        let comes_first = counted(at) != at;
        let beyond = Time::from_ticks(if comes_first { -2 } else { 1 });
        let period = self.site.system.priority.period.ticks().max(1);
        let is_open = |&&(end, step, _): &&(Time, Step, JobId)| {
            step == Step::Ends && (end - counted(at)).ticks().rem_euclid(period) == 0
        };
        let open: Vec<(Time, JobId)> =
            self.steps.iter().filter(is_open).map(|&(end, _, job)| (end, job)).take(ENDS).collect();
        let (mut most, of) = self.explained(at, late);
        let mut moved = SortedMap::new();
        for &(end, job) in &open {
            if most == of {
                break;
            }
            self.move_end(job, end, end + beyond);
            let explained = self.explained(at, late).0;
            if explained > most {
                most = explained;
                moved.insert(job, end + beyond);
            } else {
                self.move_end(job, end + beyond, end);
            }
        }
        for &(end, job) in open.iter().filter(|(_, job)| moved.contains_key(job)) {
            self.move_end(job, end + beyond, end);
        }
        (most, moved)
    }

    fn move_end(&mut self, job: JobId, from: Time, to: Time) {
        if let Some(at) = self.steps.iter().position(|&step| step == (from, Step::Ends, job)) {
            self.steps[at].0 = to;
            self.steps.sort_unstable();
        }
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
