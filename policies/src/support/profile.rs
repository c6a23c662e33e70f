//! The availability profile of conservative backfilling: the amounts expected to be free over time.

use batchlab_traces::Time;

use super::amounts::{minus, plus, within};

/// Free amounts as a step function of time, stored as a sorted list of steps; the last step has no end.
///
/// Finding the earliest start is O(steps); taking and giving back are O(steps) moves in one short array.
/// Amounts may fall below zero if promises turn out wrong (overdue jobs, short predictions).
#[derive(Clone, Debug)]
pub struct Profile<const K: usize> {
    steps: Vec<Step<K>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step<const K: usize> {
    from: Time,
    free: [i64; K],
}

/// An interval of a profile with an amount in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<const K: usize> {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant.
    pub to: Time,
    /// Amount of each resource.
    pub amount: [i64; K],
}

impl<const K: usize> Profile<K> {
    /// Returns a profile with constant free amounts.
    pub fn new(now: Time, free: [i64; K]) -> Profile<K> {
        Profile { steps: vec![Step { from: now, free }] }
    }

    /// Resets the profile to constant free amounts; its memory is reused.
    pub fn reset(&mut self, now: Time, free: [i64; K]) {
        self.steps.clear();
        self.steps.push(Step { from: now, free });
    }

    /// Adds amounts from an instant on, which must not lie before the last step.
    pub fn release(&mut self, at: Time, amount: [i64; K]) {
        if let Some(&last) = self.steps.last() {
            let free = plus(last.free, amount);
            if last.from == at {
                if let Some(last) = self.steps.last_mut() {
                    last.free = free;
                }
            } else {
                self.steps.push(Step { from: at, free });
            }
        }
    }

    /// Drops what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        let past = self.steps.partition_point(|step| step.from <= now).saturating_sub(1);
        if past > 0 {
            self.steps.drain(..past);
        }
        self.steps[0].from = now;
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Subtracts an amount over an interval.
    pub fn take(&mut self, slot: Slot<K>) {
        self.change(slot, minus);
    }

    /// Adds an amount over an interval.
    pub fn give(&mut self, slot: Slot<K>) {
        self.change(slot, plus);
    }

    /// Returns the earliest instant, not before `from` or the profile's beginning, from which a need is free
    /// for a duration; `None` if the need is never free for so long.
    pub fn earliest(&self, from: Time, need: [i64; K], duration: Time) -> Option<Time> {
        self.search(from, Time::MAX, need, duration).ok()
    }

    /// Searches for the earliest instant from `from` to `last` from which a need is free for a duration.
    ///
    /// # Errors
    /// If no such instant exists: an instant before which the need is not free, whatever `last` is.
    pub fn search(&self, from: Time, last: Time, need: [i64; K], duration: Time) -> Result<Time, Time> {
        let first = self.holding(from);
        let mut start = None;
        for (index, step) in self.steps.iter().enumerate().skip(first) {
            if start.is_none() && step.from > last {
                return Err(step.from);
            }
            if !within(&need, &step.free) {
                start = None;
                continue;
            }
            let begin = *start.get_or_insert(step.from.max(from));
            if begin > last {
                return Err(begin);
            }
            let until = self.steps.get(index + 1).map_or(Time::MAX, |next| next.from);
            if until == Time::MAX || until >= begin.saturating_add(duration) {
                return Ok(begin);
            }
        }
        Err(Time::MAX)
    }

    /// Returns the instant since which a need has been free without a break up to `at`, not before `floor`;
    /// `at` itself if the need is not free just before it.
    pub fn free_since(&self, at: Time, floor: Time, need: [i64; K]) -> Time {
        let upto = self.steps.partition_point(|step| step.from < at);
        let run = self.steps[..upto].iter().rev().take_while(|step| within(&need, &step.free));
        let mut since = at;
        for step in run {
            since = step.from.max(floor);
            if step.from <= floor {
                break;
            }
        }
        since
    }

    /// Returns, per resource, the most that is free at any instant before `upto`.
    pub fn most_free(&self, upto: Time) -> [i64; K] {
        let mut most = [i64::MIN; K];
        for step in self.steps.iter().take_while(|step| step.from < upto) {
            for (most, free) in most.iter_mut().zip(step.free) {
                *most = (*most).max(free);
            }
        }
        most
    }

    /// Returns the profile's beginning: the present instant.
    pub fn begin(&self) -> Time {
        self.steps[0].from
    }

    /// Returns the free amounts at an instant.
    pub fn free_at(&self, at: Time) -> [i64; K] {
        self.steps[self.holding(at)].free
    }

    /// Returns, per resource, the least that is free at any instant of an interval.
    pub fn least(&self, from: Time, to: Time) -> [i64; K] {
        let first = self.holding(from);
        let mut least = self.steps[first].free;
        for step in self.steps[first + 1..].iter().take_while(|step| step.from < to) {
            for (least, free) in least.iter_mut().zip(step.free) {
                *least = (*least).min(free);
            }
        }
        least
    }

    /// Returns the steps from the one that contains an instant: the beginning of each, and the free amounts.
    pub fn since(&self, from: Time) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        self.steps[self.holding(from)..].iter().map(|step| (step.from, step.free))
    }

    fn holding(&self, at: Time) -> usize {
        self.steps.partition_point(|step| step.from <= at).saturating_sub(1)
    }

    /// Whether an amount is free throughout a slot.
    pub fn has_room(&self, slot: Slot<K>) -> bool {
        self.steps[self.holding(slot.from)..]
            .iter()
            .take_while(|step| step.from < slot.to)
            .all(|step| within(&slot.amount, &step.free))
    }

    fn change(&mut self, slot: Slot<K>, by: impl Fn([i64; K], [i64; K]) -> [i64; K]) {
        let begin = self.steps[0].from;
        let (from, to) = (slot.from.max(begin), slot.to);
        if to <= from {
            return;
        }
        let first = self.split(from);
        let last = if to == Time::MAX { self.steps.len() } else { self.split(to) };
        for step in &mut self.steps[first..last] {
            step.free = by(step.free, slot.amount);
        }
        // Only the steps at the borders can have become equal to their neighbours.
        if last < self.steps.len() && self.steps[last].free == self.steps[last - 1].free {
            self.steps.remove(last);
        }
        if first > 0 && self.steps[first].free == self.steps[first - 1].free {
            self.steps.remove(first);
        }
    }

    /// Splits the profile so that a step begins at an instant, and returns the index of that step.
    fn split(&mut self, at: Time) -> usize {
        let index = self.steps.partition_point(|step| step.from < at);
        if self.steps.get(index).is_none_or(|step| step.from != at) {
            let free = self.steps[index - 1].free;
            self.steps.insert(index, Step { from: at, free });
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slot(from: i64, to: i64, amount: i64) -> Slot<1> {
        Slot { from: Time::from_secs(from), to: Time::from_secs(to), amount: [amount] }
    }

    fn secs(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    #[test]
    fn a_job_finds_the_first_hole_that_is_long_enough() {
        let mut profile = Profile::new(secs(0), [4]);
        profile.take(slot(0, 10, 4));
        profile.take(slot(15, 30, 2));
        assert_eq!(profile.earliest(secs(0), [2], secs(100)), Some(secs(10)));
        assert_eq!(profile.earliest(secs(0), [3], secs(5)), Some(secs(10)));
        assert_eq!(profile.earliest(secs(0), [3], secs(6)), Some(secs(30)));
        assert_eq!(profile.earliest(secs(0), [5], secs(1)), None);
    }

    proptest! {
        /// Taking and giving back cancel out, and every answer equals that of a table with one entry per
        /// second.
        #[test]
        fn the_profile_answers_as_a_table_of_seconds(
            slots in prop::collection::vec((0i64..40, 1i64..20, 1i64..5), 0..12),
            need in 1i64..10,
            duration in 1i64..20,
        ) {
            let mut profile = Profile::new(secs(0), [9]);
            let mut table = vec![9i64; 200];
            for &(from, length, amount) in &slots {
                profile.take(slot(from, from + length, amount));
                for free in &mut table[from as usize..(from + length) as usize] {
                    *free -= amount;
                }
            }
            let room = |table: &[i64], at: i64| table[at as usize..(at + duration) as usize].iter().all(|&free| free >= need);
            let from = need * 3;
            let expected = (from..150).find(|&at| room(&table, at)).map(secs);
            prop_assert_eq!(profile.earliest(secs(from), [need], secs(duration)), expected);
            prop_assert_eq!(profile.has_room(slot(0, duration, need)), room(&table, 0));
            let last = from + duration;
            match profile.search(secs(from), secs(last), [need], secs(duration)) {
                Ok(at) => prop_assert!(Some(at) == expected && at <= secs(last)),
                Err(none_before) => {
                    prop_assert!(expected.is_none_or(|at| at > secs(last) && at >= none_before));
                }
            }
            let run = (0..from).rev().take_while(|&at| table[at as usize] >= need).last().unwrap_or(from);
            prop_assert_eq!(profile.free_since(secs(from), secs(0), [need]), secs(run));
            prop_assert_eq!(profile.free_since(secs(from), secs(2), [need]), secs(run.max(2).min(from)));
            for &(from, length, amount) in &slots {
                profile.give(slot(from, from + length, amount));
            }
            prop_assert_eq!(profile.steps(), 1);
        }
    }
}
