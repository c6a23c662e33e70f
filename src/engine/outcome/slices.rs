//! The individual slices of periods in which rows shared time.

use batchlab_support::cluster::record::Epoch;
use batchlab_traces::Time;
use batchlab_traces::sorted::SortedSet;

use super::{Interval, IntervalKind, Outcome};

impl Outcome {
    /// Returns all intervals of jobs, including slices, by job, then by time. O(slices × jobs).
    pub fn all_intervals(&self) -> Vec<Interval> {
        self.intervals_of(&self.epochs)
    }

    /// Returns the intervals of jobs outside of slices, and those of the slices of some epochs, by job, then
    /// by time. O(slices × jobs).
    pub fn intervals_of(&self, epochs: impl IntoIterator<Item = Epoch>) -> Vec<Interval> {
        let mut slices = Vec::new();
        for epoch in epochs {
            expand(&epoch, &mut |interval| slices.push(interval));
        }
        slices.sort_by_key(|interval| (interval.job, interval.from, interval.to));
        let mut all = self.joined(slices);
        all.extend(&self.intervals);
        all.sort_by_key(|interval| (interval.job, interval.from, interval.to));
        all
    }

    /// Joins consecutive intervals of one job and kind, unless the job was moved in between, or a job of zero
    /// length may have had its slice there.
    fn joined(&self, slices: Vec<Interval>) -> Vec<Interval> {
        let brief = self.start.iter().zip(&self.end).filter(|(start, end)| start == end);
        let brief: SortedSet<Time> = brief.map(|(start, _)| *start).collect();
        let mut joined: Vec<Interval> = Vec::with_capacity(slices.len());
        for interval in slices {
            match joined.last_mut() {
                Some(last)
                    if (last.job, last.kind, last.to) == (interval.job, interval.kind, interval.from)
                        && !self.places.changes(interval.job, interval.from)
                        && !brief.contains(&interval.from) =>
                {
                    last.to = interval.to;
                }
                _ => joined.push(interval),
            }
        }
        joined
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
