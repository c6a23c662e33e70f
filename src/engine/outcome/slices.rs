//! The individual slices of periods in which rows shared time.

use std::convert::Infallible;
use std::iter;

use batchlab_support::cluster::record::Epoch;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::{Interval, IntervalKind, Outcome};

impl Outcome {
    /// Returns all intervals of jobs, including slices, by job, then by time. O(slices × log jobs).
    pub fn all_intervals(&self) -> Vec<Interval> {
        self.intervals_of(&self.epochs)
    }

    /// Returns the intervals of jobs outside of slices, and those of the slices of some epochs in order, by job, then by time.
    pub fn intervals_of(&self, epochs: impl IntoIterator<Item = Epoch>) -> Vec<Interval> {
        let mut all = Vec::new();
        let told = self.each_job(epochs, |_, mut own| {
            all.append(&mut own);
            Ok::<(), Infallible>(())
        });
        told.map_or_else(|never| match never {}, |()| all)
    }

    /// Calls `tell` with the intervals of each job by time, job after job; the slices are those of some epochs in order. In memory
    /// are those of the first job that has not ended, and of the jobs behind it. O(slices × log jobs).
    pub fn each_job<E>(
        &self,
        epochs: impl IntoIterator<Item = Epoch>,
        mut tell: impl FnMut(JobId, Vec<Interval>) -> Result<(), E>,
    ) -> Result<(), E> {
        let brief = self.start.iter().zip(&self.end).filter(|(start, end)| start == end);
        let brief: SortedSet<Time> = brief.map(|(start, _)| *start).collect();
        let mut outside = self.intervals.clone();
        outside.arrange_by_key(|interval| (interval.job, interval.from, interval.to));
        let mut outside = outside.into_iter().peekable();
        let mut slices: SortedMap<JobId, Vec<Interval>> = SortedMap::new();
        let mut jobs = (0..self.end.len() as u32).map(JobId).peekable();
        let mut tell_ended = |slices: &mut SortedMap<JobId, Vec<Interval>>, at: Time| {
            let has_ended = |job: &JobId| !self.took_part(*job) || self.end(*job) <= at;
            while let Some(job) = jobs.next_if(has_ended) {
                let mut own = slices.remove(&job).unwrap_or_default();
                own.extend(iter::from_fn(|| outside.next_if(|interval| interval.job == job)));
                own.arrange_by_key(|interval| (interval.from, interval.to));
                tell(job, own)?;
            }
            Ok(())
        };
        for epoch in epochs {
            expand(&epoch, &mut |interval| {
                self.join(slices.entry(interval.job).or_default(), interval, &brief);
            });
            tell_ended(&mut slices, epoch.to)?;
        }
        tell_ended(&mut slices, Time::MAX)
    }

    /// Adds an interval to those of its job: it goes on with the last one if they are consecutive and of one kind, unless the job was
    /// moved in between, or a job of zero length may have had its slice there.
    fn join(&self, own: &mut Vec<Interval>, interval: Interval, brief: &SortedSet<Time>) {
        match own.last_mut() {
            Some(last)
                if (last.kind, last.to) == (interval.kind, interval.from)
                    && !self.places.changes(interval.job, interval.from)
                    && !brief.contains(&interval.from) =>
            {
                last.to = interval.to;
            }
            _ => own.push(interval),
        }
    }
}

/// Calls `tell` with the intervals of every job in every slice of an epoch.
fn expand(epoch: &Epoch, tell: &mut impl FnMut(Interval)) {
    let rotation = &epoch.rotation;
    let length = (epoch.to - epoch.from).ticks();
    for (job, turns) in epoch.members() {
        let mut owes = epoch.owes(job).ticks();
        let mut done = 0;
        let mut say = |kind: IntervalKind, upto: i64| {
            let upto = upto.min(length);
            if upto > done {
                let (from, to) = (epoch.from + Time::from_ticks(done), epoch.from + Time::from_ticks(upto));
                let rate = if kind == IntervalKind::Paused { 0.0 } else { 1.0 };
                tell(Interval { job, from, to, rate, kind });
                done = upto;
            }
        };
        let mut slice = 0;
        while rotation.begin_of(slice) < length {
            let begin = rotation.begin_of(slice);
            let end = begin + rotation.length_of(slice);
            if turns.rows.contains(&rotation.row_of(slice)) {
                let switched = (begin + rotation.switch_of(&turns, slice)).min(end);
                say(IntervalKind::Paused, begin);
                say(IntervalKind::Switch, switched);
                let paid = owes.min(end - switched);
                owes -= paid;
                say(IntervalKind::Migrate, switched + paid);
                say(IntervalKind::Run, end);
            }
            slice += 1;
        }
        say(IntervalKind::Paused, length);
    }
}
