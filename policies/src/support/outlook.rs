//! What is expected to be free on a pool whose capacity comes and goes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::Time;
use batchlab_traces::capacity::Closure;

use super::amounts::{least, minus, most, plus, within};
use super::front::Room;
use super::profile::Slot;
use super::releases::{ExtraRule, Releases};
use crate::turn::Turn;
use crate::view::padded;

/// What running jobs and known closures are expected to leave of a pool.
///
/// Between two changes of the capacity, running jobs only give back: what is free at the beginning of such a step is
/// free throughout it. So a question costs O(c log n) for n running jobs and the c changes up to the instant that
/// answers it; no profile is made.
pub struct Outlook<'a, const K: usize> {
    now: Time,
    /// What is free now, less what jobs still hold of what is out of service.
    balance: [i64; K],
    /// By beginning.
    foreseen: &'a [Closure],
    running: &'a Releases<K>,
}

impl<'a, const K: usize> Outlook<'a, K> {
    /// Returns the outlook at a decision.
    pub fn new(turn: &'a Turn<'_>, running: &'a Releases<K>) -> Outlook<'a, K> {
        Outlook { now: turn.now(), balance: padded(&turn.balance(0)), foreseen: turn.foreseen(), running }
    }

    /// Returns the earliest instant from which a need is free for a stay; `None` if it never is.
    pub fn earliest(&self, need: [i64; K], stay: Time) -> Option<Time> {
        let all = plus(self.balance, self.running.freed(self.now, Time::MAX));
        // Steps in a row that all have the room when nothing runs, before they are known to be long enough.
        let mut row: Vec<Step<K>> = Vec::new();
        let mut start: Option<Time> = None;
        let mut steps = self.steps().peekable();
        while let Some((begin, out)) = steps.next() {
            let end = steps.peek().map_or(Time::MAX, |next| next.0);
            if !within(&need, &most(minus(all, out), [0; K])) {
                (start, row) = (None, Vec::new());
                continue;
            }
            row.push((begin, out));
            let since = start.unwrap_or(row[0].0);
            if end != Time::MAX && end < since.saturating_add(stay) {
                continue;
            }
            for at in 0..row.len() {
                let (begin, out) = row[at];
                let end = row.get(at + 1).map_or(end, |next| next.0);
                if start.is_none() || !within(&need, &self.free(begin, out)) {
                    start = self.first_in(begin, out, need).filter(|&at| at < end);
                }
                if let Some(at) = start
                    && (end == Time::MAX || end >= at.saturating_add(stay))
                {
                    return Some(at);
                }
            }
            row.clear();
        }
        None
    }

    /// Returns the rooms for jobs that start now beside a reservation and stay for at most `longest`: what is free
    /// from now on for so long, the shortest first. The last room has a part without an end, as beside a shadow time.
    pub fn rooms(&self, held: &Slot<K>, longest: Time) -> Vec<Room<K>> {
        let until = self.now.saturating_add(longest);
        let mut rooms: Vec<Room<K>> = Vec::new();
        let mut free = None;
        let mut falls = |at: Time, to: [i64; K]| {
            let before = *free.get_or_insert(to);
            if !within(&before, &to) {
                rooms.push(Room { free: before, window: at - self.now, extra: [-1; K] });
                free = Some(least(before, to));
            }
        };
        let mut steps = self.steps().peekable();
        while let Some((begin, out)) = steps.next()
            && begin < until
        {
            let end = steps.peek().map_or(Time::MAX, |next| next.0).min(until);
            let is_held = held.from <= begin && begin < held.to;
            falls(begin, minus(self.free(begin, out), if is_held { held.amount } else { [0; K] }));
            if begin < held.from && held.from < end {
                falls(held.from, minus(self.free(held.from, out), held.amount));
            }
        }
        let free = free.unwrap_or([0; K]);
        match rooms.last_mut() {
            _ if free[0] <= 0 => {}
            Some(last) => last.extra = free,
            None => rooms.push(Room::unreserved(free)),
        }
        rooms
    }

    fn steps(&self) -> Steps<'a, K> {
        Steps::new(self.now, self.foreseen)
    }

    /// Returns the earliest instant, from the beginning of a step on, at which a need is free if the step lasts.
    fn first_in(&self, begin: Time, out: [i64; K], need: [i64; K]) -> Option<Time> {
        if within(&need, &self.free(begin, out)) {
            return Some(begin);
        }
        // Of a resource that is not needed, less than nothing may be free.
        let mut left = minus(self.balance, out);
        for (left, need) in left.iter_mut().zip(need) {
            if need <= 0 {
                *left = 0;
            }
        }
        Some(self.running.shadow(self.now, left, need, ExtraRule::All)?.at.max(begin))
    }

    /// Returns what is free at an instant. What is out of service and still held is not needed by jobs that want none
    /// of it: it counts as nothing, not as less.
    fn free(&self, at: Time, out: [i64; K]) -> [i64; K] {
        most(minus(plus(self.balance, self.running.freed(self.now, at)), out), [0; K])
    }
}

/// An instant, and what is out of service from then on and was not before now.
pub type Step<const K: usize> = (Time, [i64; K]);

/// The present, and the later instants at which the capacity of a pool changes, in order. O(log c) each for c closures at
/// a time.
pub struct Steps<'a, const K: usize> {
    /// The present, until it has been told.
    first: Option<Time>,
    /// The closures that have not begun.
    coming: &'a [Closure],
    /// The ends of those that have, with their amounts.
    ends: BinaryHeap<Reverse<(Time, [i64; K])>>,
    out: [i64; K],
}

impl<'a, const K: usize> Steps<'a, K> {
    /// Returns the changes that closures, given by beginning, make from now on.
    pub fn new(now: Time, foreseen: &'a [Closure]) -> Steps<'a, K> {
        let begun = foreseen.partition_point(|closure| closure.from <= now);
        let (begun, coming) = foreseen.split_at(begun);
        let ends = begun.iter().map(|closure| Reverse((closure.to, padded(&closure.amounts)))).collect();
        Steps { first: Some(now), coming, ends, out: [0; K] }
    }
}

impl<const K: usize> Iterator for Steps<'_, K> {
    type Item = Step<K>;

    fn next(&mut self) -> Option<Step<K>> {
        if let Some(now) = self.first.take() {
            return Some((now, self.out));
        }
        let begins = self.coming.first().map(|closure| closure.from);
        let ends = self.ends.peek().map(|Reverse((to, _))| *to);
        let at = begins.into_iter().chain(ends).min()?;
        while let Some(&Reverse((_, amounts))) = self.ends.peek().filter(|Reverse((to, _))| *to <= at) {
            self.ends.pop();
            self.out = minus(self.out, amounts);
        }
        while let Some((closure, rest)) = self.coming.split_first().filter(|(closure, _)| closure.from <= at)
        {
            let amounts = padded(&closure.amounts);
            self.out = plus(self.out, amounts);
            self.ends.push(Reverse((closure.to, amounts)));
            self.coming = rest;
        }
        Some((at, self.out))
    }
}
