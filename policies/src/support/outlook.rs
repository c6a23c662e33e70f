//! What is expected to be free on a pool whose capacity comes and goes.

use batchlab_traces::Time;

use super::amounts::{least, minus, most, plus, within};
use super::books::Books;
use super::foreseen::{Foreseen, Step};
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
    foreseen: &'a Foreseen<K>,
    running: &'a Releases<K>,
}

impl<'a, const K: usize> Outlook<'a, K> {
    /// Returns the outlook at a decision.
    pub fn new(turn: &Turn<'_>, books: &'a Books<K>) -> Outlook<'a, K> {
        let (foreseen, running) = (&books.foreseen, &books.running);
        Outlook { now: turn.now(), balance: padded(&turn.balance(0)), foreseen, running }
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
    /// from now on throughout such a stay, the shortest first. The last room has a part without an end, as beside a shadow time.
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

    /// Returns the present, and the later instants at which the capacity changes, in order, with what is out of service from
    /// then on and is not now.
    fn steps(&self) -> impl Iterator<Item = Step<K>> + use<'a, K> {
        let (now, out) = (self.now, self.foreseen.out(self.now));
        let later = self.foreseen.after(now).iter().map(move |&(at, later)| (at, minus(later, out)));
        std::iter::once((now, [0; K])).chain(later)
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
