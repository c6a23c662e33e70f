//! The backlog: work that waits, over the measurement window.

use std::cell::OnceCell;

use batchlab_traces::{JobId, Time};

use super::measured::MeasuredOutcome;
use crate::outcome::{Fate, IntervalKind, turns_of};
use crate::stats::saturation::{self, Saturation};

/// Seed of the bootstrap; it is fixed, so equal schedules have equal intervals.
const SEED: u64 = 1;
/// The number of equidistant instants, from the beginning of the window to its end, at which the backlog is computed.
pub const INSTANTS: usize = 128;

/// The work that arrived and was done in a window, and the backlog over time.
///
/// Work is processors × run time. It counts as done while jobs run, not when they end, so one wide job makes
/// no step. Rejected jobs bring no work; a killed job brings the work that it received.
///
/// The backlog is the work that *waits*: what would have been done if each job had started at its submission, less what was
/// done. Under a policy that lets no job wait it is always 0. The work of running jobs is no backlog: on a machine that
/// begins empty it grows for as long as jobs run, however few there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backlog {
    /// Work of the jobs submitted within the window, including its ends; in processor-seconds.
    pub arrived: f64,
    /// Work done within the window, whenever it was submitted; in processor-seconds. It is exactly `arrived`, plus the
    /// unfinished work at the beginning of the window, minus that at its end.
    pub completed: f64,
    /// Instants (in seconds from the beginning of the window), each with the backlog (in processor-seconds); empty for a
    /// window of zero length.
    pub points: Vec<(f64, f64)>,
    judged: OnceCell<Option<Saturation>>,
}

impl Backlog {
    /// Computes the backlog. O(n) in space sharing; intervals of time-shared jobs cost the instants that they overlap.
    pub fn of(measurement: &MeasuredOutcome<'_>) -> Backlog {
        let window = *measurement.window();
        let mut unfinished = Tally::new(window.from, window.to);
        let mut at_once = unfinished.clone();
        let (mut arrived, mut at_begin) = (0_i128, 0_i128);
        let outcome = measurement.outcome();
        let shares_time = outcome.shares_time();
        for job in measurement.replayed() {
            let run = whole_run(measurement, job.job, job.run);
            let work = i128::from(job.procs) * i128::from(run.ticks());
            unfinished.add(job.submit, work, 0);
            at_once.add(job.submit, work, 0);
            at_once.run(job.submit, job.submit + run, job.procs);
            arrived += if window.from <= job.submit && job.submit <= window.to { work } else { 0 };
            at_begin += if job.submit == window.from { work } else { 0 };
            if !shares_time {
                unfinished.run(job.start, job.end, job.procs);
            }
        }
        if shares_time {
            for run in outcome.intervals.iter().filter(|interval| interval.kind == IntervalKind::Run) {
                let procs = measurement.workload().procs(run.job) as f64;
                unfinished.run_at_rate(run.from, run.to, procs * run.rate);
            }
            unfinished.run_in_turns(measurement);
        }
        let (instants, unfinished) = (&at_once.instants, unfinished.add_up());
        let left = unfinished.last().zip(unfinished.first()).map_or(0.0, |(last, first)| last - first);
        let seconds = instants.iter().map(|&instant| (instant - window.from).secs());
        let waits = unfinished.iter().zip(at_once.add_up()).map(|(work, at_once)| (work - at_once) / TICKS);
        Backlog {
            arrived: arrived as f64 / TICKS,
            // Arrivals at the very beginning are part of the first point already.
            completed: ((arrived - at_begin) as f64 - left) / TICKS,
            points: seconds.zip(waits).collect(),
            judged: OnceCell::new(),
        }
    }

    /// Returns work completed / work arrived; `None` if no work arrived, or the window has zero length.
    pub fn completion(&self) -> Option<f64> {
        (self.arrived > 0.0 && !self.points.is_empty()).then(|| self.completed / self.arrived)
    }

    /// Returns the least backlog of the second half as a share of the arrived work; `None` if no work arrived, or the window
    /// has zero length.
    pub fn least(&self) -> Option<f64> {
        saturation::least(&self.points).filter(|_| self.arrived > 0.0).map(|least| least / self.arrived)
    }

    /// Returns whether the machine kept up; `None` if no work arrived. Computed once, at the cost of [`saturation::slope`].
    pub fn judged(&self) -> Option<&Saturation> {
        let judge = || saturation::verdict(self.arrived, self.completed, &self.points, SEED).ok();
        self.judged.get_or_init(judge).as_ref()
    }
}

/// Returns the run time that a job brought: the whole run time for a job that is unfinished at the stop.
fn whole_run(measurement: &MeasuredOutcome<'_>, job: JobId, received: Time) -> Time {
    match measurement.outcome().fate(job) {
        Fate::Unfinished => measurement.workload().run(job),
        _ => received,
    }
}

const TICKS: f64 = batchlab_traces::time::TICKS_PER_SECOND as f64;

/// Unfinished work at the instants, as differences: what each event adds from its first instant on.
#[derive(Clone)]
struct Tally {
    from: Time,
    instants: Vec<Time>,
    per_tick: f64,
    /// Constant terms, processors × ticks.
    level: Vec<i128>,
    /// Factors of the ticks since the window's beginning, processors.
    slope: Vec<i128>,
    /// Work done between the previous instant and this one at fractional rates, in processors × ticks.
    done: Vec<f64>,
}

impl Tally {
    fn new(from: Time, to: Time) -> Tally {
        let length = i128::from((to - from).ticks());
        let last = INSTANTS as i128 - 1;
        let instant = |nth: i128| from + Time::from_ticks((length * nth / last) as i64);
        let instants: Vec<Time> = if length > 0 { (0..=last).map(instant).collect() } else { Vec::new() };
        let (zeros, done) = (vec![0; instants.len()], vec![0.0; instants.len()]);
        let per_tick = last as f64 / (length as f64).max(1.0);
        Tally { from, instants, per_tick, level: zeros.clone(), slope: zeros, done }
    }

    /// Adds a straight line from an instant on: a level, and a slope per tick since the beginning of the window.
    fn add(&mut self, at: Time, level: i128, slope: i128) {
        let first = self.first(at);
        if first < self.instants.len() {
            self.level[first] += level;
            self.slope[first] += slope;
        }
    }

    /// Returns the position of the first instant that is not before a time. O(1): instants are evenly spaced.
    fn first(&self, at: Time) -> usize {
        let count = self.instants.len();
        let mut first = (((at - self.from).ticks() as f64 * self.per_tick) as usize).min(count);
        while first > 0 && self.instants[first - 1] >= at {
            first -= 1;
        }
        while first < count && self.instants[first] < at {
            first += 1;
        }
        first
    }

    /// Subtracts the work of a job that runs on all its processors from one time to another.
    fn run(&mut self, from: Time, to: Time, procs: i64) {
        for (at, procs) in [(from, i128::from(procs)), (to, -i128::from(procs))] {
            self.add(at, procs * i128::from((at - self.from).ticks()), -procs);
        }
    }

    /// Subtracts the work done at a rate, in processors at full speed.
    fn run_at_rate(&mut self, from: Time, to: Time, rate: f64) {
        let mut begin = from;
        let first = self.instants.partition_point(|&instant| instant <= from);
        for (&end, done) in self.instants.iter().zip(&mut self.done).skip(first) {
            if begin >= to {
                break;
            }
            *done += rate * (to.min(end) - begin).ticks() as f64;
            begin = end;
        }
    }

    /// Subtracts the work done in slices by rows that share time.
    fn run_in_turns(&mut self, measurement: &MeasuredOutcome<'_>) {
        let (workload, outcome) = (measurement.workload(), measurement.outcome());
        let mut begin = measurement.window().first_submit;
        let mut epochs = outcome.epochs.iter();
        for (&end, done) in self.instants.iter().zip(&mut self.done) {
            let got = turns_of(&mut epochs, begin, end.max(begin));
            *done +=
                got.iter().map(|got| workload.procs(got.job) as f64 * got.ran.ticks() as f64).sum::<f64>();
            begin = end;
        }
    }

    /// Returns the unfinished work at each instant, processors × ticks.
    fn add_up(&self) -> Vec<f64> {
        let (mut level, mut slope, mut done) = (0, 0, 0.0);
        let at = |nth: usize| {
            level += self.level[nth];
            slope += self.slope[nth];
            done += self.done[nth];
            (level + slope * i128::from((self.instants[nth] - self.from).ticks())) as f64 - done
        };
        (0..self.instants.len()).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{Machine, Workload};

    use super::*;
    use crate::Outcome;
    use crate::metrics::MeasureOptions;
    use crate::outcome::Interval;

    /// Jobs as (submit, start, end, processors).
    fn backlog(jobs: &[(i64, i64, i64, i64)], intervals: &[(u32, i64, i64, f64)]) -> Backlog {
        let ran = |job: usize| {
            let own = intervals.iter().filter(|interval| interval.0 as usize == job);
            own.map(|interval| (interval.2 - interval.1) as f64 * interval.3).sum::<f64>() as i64
        };
        let plain = |(at, &(submit, start, end, procs)): (usize, &(i64, i64, i64, i64))| {
            let run = Time::from_secs(if intervals.is_empty() { end - start } else { ran(at) });
            let submit = Time::from_secs(submit);
            PlainJob { submit, run, estimate: run, demand: vec![procs], user: 1, partition: -1 }
        };
        let workload = Workload::from_jobs(&jobs.iter().enumerate().map(plain).collect::<Vec<_>>());
        let interval = |&(job, from, to, rate): &(u32, i64, i64, f64)| Interval {
            job: JobId(job),
            from: Time::from_secs(from),
            to: Time::from_secs(to),
            rate,
            kind: IntervalKind::Run,
        };
        let outcome = Outcome {
            start: jobs.iter().map(|job| Time::from_secs(job.1)).collect(),
            end: jobs.iter().map(|job| Time::from_secs(job.2)).collect(),
            intervals: intervals.iter().map(interval).collect(),
            ..Outcome::default()
        };
        let machine = Machine::pool(4).unwrap();
        let options = MeasureOptions { prefix: Time::from_secs(5), ..MeasureOptions::default() };
        Backlog::of(&MeasuredOutcome::new(&workload, &machine, &outcome, options).unwrap())
    }

    /// Returns the backlog at a second; points are ten seconds apart for a window of 1,270 s.
    fn at(backlog: &Backlog, second: usize) -> f64 {
        let point = backlog.points[second / 10];
        assert_eq!(point.0, second as f64);
        point.1
    }

    #[test]
    fn what_waits_is_what_would_have_been_done_at_once_less_what_was_done() {
        // The window is [5, 1275]: job 1 ran for 5 s before it; job 4 arrives at its very end.
        let jobs = [(0, 0, 25, 2), (5, 25, 45, 4), (500, 505, 1305, 1), (1275, 1275, 1375, 3)];
        let backlog = backlog(&jobs, &[]);
        assert_eq!(backlog.arrived, 80.0 + 800.0 + 300.0);
        assert_eq!(backlog.completed, 40.0 + 80.0 + 770.0);
        assert_eq!(backlog.completion(), Some(890.0 / 1180.0));
        assert_eq!(backlog.points.len(), INSTANTS);
        assert_eq!(
            [0, 10, 20, 30, 40, 490].map(|second| at(&backlog, second)),
            [0.0, 40.0, 80.0, 40.0, 0.0, 0.0]
        );
        assert_eq!([500, 510, 1270].map(|second| at(&backlog, second)), [5.0; 3]);
    }

    #[test]
    fn work_is_done_at_the_rate_at_which_jobs_run() {
        // Two jobs share two processors from 25 on, and pause in between; the second one runs alone at the end.
        let jobs = [(0, 0, 85, 2), (25, 25, 95, 2), (1275, 1275, 1276, 1)];
        let stretches = [
            (0, 0, 25, 1.0),
            (0, 25, 45, 0.5),
            (1, 25, 45, 0.5),
            (0, 65, 85, 0.5),
            (1, 65, 85, 0.5),
            (1, 85, 95, 1.0),
            (2, 1275, 1276, 1.0),
        ];
        let backlog = backlog(&jobs, &stretches);
        assert_eq!((backlog.arrived, backlog.completed), (60.0 + 1.0, 80.0 + 60.0));
        assert_eq!([0, 10, 20, 40, 60].map(|second| at(&backlog, second)), [0.0, 0.0, 0.0, 40.0, 60.0]);
        assert_eq!([70, 80, 90, 1260, 1270].map(|second| at(&backlog, second)), [40.0, 20.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn without_time_or_work_nothing_is_told() {
        let alone = backlog(&[(0, 0, 9, 1)], &[]);
        assert_eq!((alone.completion(), alone.points.len()), (None, 0));
        let idle = backlog(&[(5, 5, 5, 1), (300, 300, 300, 1)], &[]);
        assert_eq!(idle.completion(), None);
        assert!(idle.points.iter().all(|point| point.1 == 0.0));
    }
}
