//! A plan of a pool that is tried and thrown away.

use batchlab_traces::Time;

use super::amounts::{least, minus, within};
use super::profile::{Profile, Slot};

/// The number of needs for which answers are remembered.
const NEEDS: usize = 256;

/// Free amounts as a step function of time, in one array: faster than a [`Profile`] for a few hundred steps.
///
/// A draft is only added to. So the first instant at which a need is free, and the first from which it is free for a stay, never
/// get earlier; both are remembered for each need.
#[derive(Clone, Debug, Default)]
pub struct ProfileDraft<const K: usize> {
    /// The beginning of each step, and its free amounts; the last has no end.
    steps: Vec<(Time, [i64; K])>,
    /// The remembered answers for needs, each in the place that belongs to its need.
    known: Vec<Known<K>>,
    /// The number of the draft: answers for an earlier one are invalid.
    number: u64,
}

#[derive(Clone, Debug)]
struct Known<const K: usize> {
    number: u64,
    need: [i64; K],
    /// The need is not free before this instant.
    first: Time,
    /// For at least this stay,
    stay: Time,
    /// it is not free from any instant before this one.
    from: Time,
}

/// An interval of a draft: its first step, and the first that begins at its end or later.
type Range = (usize, usize);

impl<const K: usize> ProfileDraft<K> {
    /// Makes the draft a copy of a profile. O(s) for s steps.
    pub fn copy(&mut self, profile: &Profile<K>) {
        self.steps.clear();
        self.steps.extend(profile.since(profile.begin()));
        self.number += 1;
    }

    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// Makes a profile a copy of the draft. O(s) for s steps.
    pub fn paste(&self, profile: &mut Profile<K>) {
        profile.reset(self.steps[0].0, self.steps[0].1);
        for pair in self.steps.windows(2) {
            profile.release(pair[1].0, minus(pair[1].1, pair[0].1));
        }
    }

    /// Subtracts an amount over an interval that does not begin before the draft. O(s).
    pub fn take(&mut self, slot: Slot<K>) {
        let first = self.holding(slot.from);
        self.subtract(slot, (first, self.end(first, slot.to)));
    }

    /// Subtracts an amount over an interval if it is free throughout; returns whether it was. O(s).
    pub fn take_free(&mut self, slot: Slot<K>) -> bool {
        let (first, mut end) = (self.holding(slot.from), 0);
        for at in first.. {
            end = at;
            match self.steps.get(at) {
                Some(step) if at == first || step.0 < slot.to => {
                    if !within(&slot.amount, &step.1) {
                        return false;
                    }
                }
                _ => break,
            }
        }
        self.subtract(slot, (first, end));
        true
    }

    /// Gives a need its earliest slot from an instant on; returns `None`, and gives it none, if it would begin after `last`.
    /// O(s).
    pub fn take_earliest(&mut self, now: Time, need: [i64; K], stay: Time, last: Time) -> Option<Slot<K>> {
        let (slot, range) = self.earliest(now, need, stay)?;
        if slot.from > last {
            return None;
        }
        self.subtract(slot, range);
        Some(slot)
    }

    fn earliest(&mut self, now: Time, need: [i64; K], stay: Time) -> Option<(Slot<K>, Range)> {
        let place = known_place(&need);
        if self.known.is_empty() {
            let nothing = Known { number: 0, need, first: now, stay: Time::MAX, from: now };
            self.known = vec![nothing; NEEDS];
        }
        let known = &mut self.known[place];
        if known.number != self.number || known.need != need {
            *known = Known { number: self.number, need, first: now, stay: Time::MAX, from: now };
        }
        let by_stay = if stay >= known.stay { known.from } else { now };
        let from = now.max(known.first).max(by_stay);
        let mut is_first = from == known.first;
        let mut at = self.steps.partition_point(|step| step.0 <= from).saturating_sub(1);
        loop {
            at += self.steps[at..].iter().position(|step| within(&need, &step.1))?;
            let begin = self.steps[at].0.max(from);
            if std::mem::take(&mut is_first) {
                known.first = begin;
            }
            let to = begin.saturating_add(stay);
            let mut end = at + 1;
            while self.steps.get(end).is_some_and(|step| step.0 < to && within(&need, &step.1)) {
                end += 1;
            }
            if self.steps.get(end).is_none_or(|step| step.0 >= to) {
                if begin > known.from || stay <= known.stay {
                    (known.stay, known.from) = (stay, begin);
                }
                return Some((Slot { from: begin, to, amount: need }, (at, end)));
            }
            at = end + 1;
        }
    }

    /// Returns the step that holds an instant, the first if it lies before the draft.
    fn holding(&self, at: Time) -> usize {
        self.steps.partition_point(|step| step.0 <= at).saturating_sub(1)
    }

    /// Returns the first step behind another that begins at an instant or later.
    fn end(&self, behind: usize, at: Time) -> usize {
        let later = self.steps[behind + 1..].iter().take_while(|step| step.0 < at).count();
        behind + 1 + later
    }

    /// Subtracts a slot's amount in the steps that it covers. Only the steps at its borders are split, or joined with the
    /// step before; later steps are moved at most once.
    fn subtract(&mut self, slot: Slot<K>, (first, end): Range) {
        if slot.to <= slot.from {
            return;
        }
        let steps = &mut self.steps;
        let (before, last) = (steps[first], steps[end - 1].1);
        for step in &mut steps[first..end] {
            step.1 = minus(step.1, slot.amount);
        }
        let is_split = before.0 < slot.from;
        let is_joined = !is_split && first > 0 && steps[first - 1].1 == steps[first].1;
        let ends_within = slot.to < Time::MAX && steps.get(end).is_none_or(|step| step.0 != slot.to);
        let ends_joined = !ends_within && steps.get(end).is_some_and(|step| step.1 == steps[end - 1].1);
        if is_joined && ends_within {
            steps.copy_within(first + 1..end, first);
            steps[end - 1] = (slot.to, last);
            return;
        }
        if is_split && ends_joined {
            steps.copy_within(first..end, first + 1);
        } else {
            if ends_within {
                steps.insert(end, (slot.to, last));
            } else if ends_joined {
                steps.remove(end);
            }
            if is_joined {
                steps.remove(first);
            } else if is_split {
                steps.insert(first + 1, steps[first]);
            }
        }
        if is_split {
            steps[first] = before;
            steps[first + 1].0 = slot.from;
        }
    }

    /// Returns, per resource, the least that is free at any instant before another.
    pub fn least_before(&self, until: Time) -> [i64; K] {
        let near = self.steps.iter().take_while(|step| step.0 < until);
        near.fold([i64::MAX; K], |lowest, step| least(lowest, step.1))
    }

    /// Returns the steps from the one that holds an instant.
    pub fn since(&self, from: Time) -> &[(Time, [i64; K])] {
        &self.steps[self.holding(from)..]
    }
}

fn known_place<const K: usize>(need: &[i64; K]) -> usize {
    let sum = need.iter().fold(0i64, |sum, &amount| sum.wrapping_mul(31).wrapping_add(amount));
    sum as usize % NEEDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn levels(steps: impl IntoIterator<Item = (Time, [i64; 2])>) -> Vec<(Time, [i64; 2])> {
        let mut levels: Vec<(Time, [i64; 2])> = steps.into_iter().collect();
        levels.dedup_by_key(|step| step.1);
        levels
    }

    fn at(seconds: i64) -> Time {
        Time::from_secs(100 + seconds)
    }

    proptest! {
        #[test]
        fn a_draft_gives_and_takes_what_a_profile_does(
            free in [0i64..9, 0i64..5],
            releases in prop::collection::vec((0i64..6, [0i64..4, 0i64..3]), 0..12),
            changes in prop::collection::vec((0..3, 0i64..60, 1i64..16, [0i64..9, 0i64..4], 0i64..80), 0..40),
        ) {
            let (mut profile, mut end) = (Profile::new(at(0), free), 0);
            for (after, amount) in releases {
                end += after;
                profile.release(at(end), amount);
            }
            let mut draft = ProfileDraft::default();
            draft.copy(&profile);
            for (change, from, stay, amount, last) in changes {
                let stay = Time::from_secs(stay);
                let slot = Slot { from: at(from), to: at(from) + stay, amount };
                if change == 0 {
                    let found = profile.earliest(at(0), amount, stay).filter(|&from| from <= at(last));
                    let slot = draft.take_earliest(at(0), amount, stay, at(last));
                    prop_assert_eq!(slot.map(|slot| slot.from), found);
                    if let Some(slot) = slot {
                        profile.take(slot);
                    }
                } else if change == 1 {
                    let has_room = profile.has_room(slot);
                    prop_assert_eq!(draft.take_free(slot), has_room);
                    if has_room {
                        profile.take(slot);
                    }
                } else {
                    profile.take(slot);
                    draft.take(slot);
                }
                let expected = levels(profile.since(at(0)));
                prop_assert_eq!(&levels(draft.since(at(0)).iter().copied()), &expected);
                let mut pasted = Profile::new(Time::ZERO, [0; 2]);
                draft.paste(&mut pasted);
                prop_assert_eq!(levels(pasted.since(at(0))), expected);
                let until = slot.to;
                prop_assert_eq!(draft.least_before(until), profile.least(at(0), until));
            }
        }
    }
}
