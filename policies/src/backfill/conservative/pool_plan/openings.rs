//! Openings: intervals in which room was given back, in the order in which this happened. An earlier search cannot have
//! seen them.

use std::collections::VecDeque;

use batchlab_traces::Time;

/// The openings of a plan, numbered from 0. "Since a number" means that opening and all later ones.
#[derive(Debug)]
pub struct Openings {
    count: u64,
    /// The earliest beginning, in negative time.
    first: Largest<Time>,
    /// The latest end.
    last: Largest<Time>,
    /// The most processors.
    procs: Largest<i64>,
    /// For each part of time, how many openings there were after the last that touched it without covering its span.
    touched: Vec<u64>,
    /// For each span of parts, how many openings there were after the last that covered it.
    covered: Vec<u64>,
}

/// An interval in which room was given back.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant.
    pub to: Time,
    /// A bound on the processors that are free at any instant of the interval.
    pub procs: i64,
}

/// The number of parts of time for which the last opening that touched them is known: a ring of about 25 days, in parts of
/// about 4 minutes and spans of 32 parts. Parts at the same place of the ring count as one.
const PARTS: i64 = 1 << 13;
const PART_BITS: u32 = 28;
const SPAN_BITS: u32 = 5;
const SPANS: i64 = PARTS >> SPAN_BITS;

impl Default for Openings {
    fn default() -> Openings {
        Openings {
            count: 0,
            first: Largest::default(),
            last: Largest::default(),
            procs: Largest::default(),
            touched: vec![0; PARTS as usize],
            covered: vec![0; SPANS as usize],
        }
    }
}

impl Openings {
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Time passes: openings that began before now count as beginning at some instant before now. O(1), counted over many
    /// openings.
    pub fn advance(&mut self, now: Time) {
        self.first.level(Time::ZERO - now);
    }

    pub fn add(&mut self, opening: Opening) {
        self.first.add(self.count, Time::ZERO - opening.from);
        self.last.add(self.count, opening.to);
        self.procs.add(self.count, opening.procs);
        self.count += 1;
        let first = part(opening.from);
        let last = part(opening.to).min(first + PARTS - 1);
        let (from, to) = ((first >> SPAN_BITS) + 1, last >> SPAN_BITS);
        if from >= to {
            return self.touch(first, last);
        }
        self.touch(first, (from << SPAN_BITS) - 1);
        for span in from..to {
            self.covered[(span % SPANS) as usize] = self.count;
        }
        self.touch(to << SPAN_BITS, last);
    }

    fn touch(&mut self, first: i64, last: i64) {
        for part in first..=last {
            self.touched[(part % PARTS) as usize] = self.count;
        }
    }

    /// Returns the hull of the openings since a number, if `procs` processors may have been free in one of them.
    pub fn since(&self, number: u64, procs: i64) -> Option<(Time, Time)> {
        self.procs.since(number).filter(|&most| most >= procs)?;
        let first = self.first.since(number)?;
        Some((Time::ZERO - first, self.last.since(number)?))
    }

    /// Whether an opening since a number may have touched an instant.
    pub fn touches(&self, at: Time, number: u64) -> bool {
        let part = part(at);
        let span = ((part >> SPAN_BITS) % SPANS) as usize;
        self.touched[(part % PARTS) as usize].max(self.covered[span]) > number
    }
}

fn part(at: Time) -> i64 {
    at.ticks() >> PART_BITS
}

/// The largest of some values since each number.
#[derive(Debug)]
struct Largest<T>(VecDeque<(u64, T)>);

impl<T> Default for Largest<T> {
    fn default() -> Largest<T> {
        Largest(VecDeque::new())
    }
}

impl<T: Copy + Ord> Largest<T> {
    fn add(&mut self, number: u64, value: T) {
        while self.0.back().is_some_and(|earlier| earlier.1 <= value) {
            self.0.pop_back();
        }
        self.0.push_back((number, value));
    }

    /// From now on, values of at least this need not be distinguished.
    fn level(&mut self, enough: T) {
        while self.0.get(1).is_some_and(|next| next.1 >= enough) {
            self.0.pop_front();
        }
    }

    fn since(&self, number: u64) -> Option<T> {
        // Most searches ask about the last few openings.
        self.0.iter().rev().take_while(|one| one.0 >= number).last().map(|one| one.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_that_opened_since_is_overlooked(
            all in prop::collection::vec((0i64..90_000, 1i64..40_000, 1i64..40), 0..40),
            number in 0usize..41,
            procs in 1i64..40,
            at in 0i64..90_000,
            now in 0i64..90_000,
        ) {
            let secs = Time::from_secs;
            let mut openings = Openings::default();
            for &(from, length, procs) in &all {
                openings.add(Opening { from: secs(from), to: secs(from + length), procs });
            }
            openings.advance(secs(now));
            let since = || all.iter().skip(number);
            let hull = since().map(|one| secs(one.0.max(now))).min().zip(since().map(|one| secs(one.0 + one.1)).max());
            let fits = since().any(|one| one.2 >= procs);
            let found = openings.since(number as u64, procs).map(|(from, to)| (from.max(secs(now)), to));
            prop_assert!(found == hull || found.is_none() && !fits);
            let touched = since().any(|one| one.0 <= at && at < one.0 + one.1);
            prop_assert!(openings.touches(secs(at), number as u64) || !touched);
        }
    }
}
