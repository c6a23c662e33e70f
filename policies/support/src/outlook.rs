use std::cell::Cell;
use std::ops::ControlFlow;

use batchlab_traces::Time;

use super::amounts::{least, minus, most, plus, within};
use super::books::Books;
use super::foreseen::Foreseen;
use super::front::Room;
use super::profile::Slot;
use super::releases::{ExtraRule, Releases};
use crate::turn::Turn;
use crate::view::padded;

/// The amounts of a pool that running jobs and known closures are expected to leave.
///
/// Between two changes of the capacity, running jobs only give back: an amount that is free at the beginning of such a step
/// is free throughout it. So a question costs O((c / 32 + 32) log n) for n running jobs and the c changes of the stays in
/// question; no profile is made.
pub struct Outlook<'a, const K: usize> {
    now: Time,
    /// The free amounts now, less the amounts out of service that jobs still hold.
    balance: [i64; K],
    foreseen: &'a Foreseen<K>,
    running: &'a Releases<K>,
}

impl<'a, const K: usize> Outlook<'a, K> {
    pub fn new(turn: &Turn<'_>, books: &'a Books<K>) -> Outlook<'a, K> {
        let (foreseen, running) = (&books.foreseen, &books.running);
        Outlook { now: turn.now(), balance: padded(&turn.balance(0)), foreseen, running }
    }

    /// Returns the earliest instant from which a need is free for a stay; `None` if it never is.
    pub fn earliest(&self, need: [i64; K], stay: Time) -> Option<Time> {
        let mut start = self.foreseen.earliest(self.now, need, stay)?;
        while let Some((begin, end)) = self.hindrance(need, (start, start.saturating_add(stay))) {
            let out = minus(self.foreseen.out(begin), self.foreseen.out(self.now));
            let next = self.first_in(begin, out, need).map_or(end, |at| at.min(end));
            if next == Time::MAX {
                return None;
            }
            start = self.foreseen.earliest(next, need, stay)?;
        }
        Some(start)
    }

    /// Returns the first step of a stay in which a need is not free because of running jobs: its beginning in the stay, and
    /// its end.
    fn hindrance(&self, need: [i64; K], stay: (Time, Time)) -> Option<(Time, Time)> {
        let idle = self.foreseen.idle()?;
        // A resource that is not needed does not have to be free.
        let needed = |at: Time| {
            let mut needed = plus(need, self.held(at));
            for (needed, _) in needed.iter_mut().zip(need).filter(|(_, need)| *need <= 0) {
                *needed = 0;
            }
            needed
        };
        let step = idle.walk(
            stay,
            |begin, _, least| within(&needed(begin), &least),
            |begin, end, free| {
                if within(&needed(begin), &free) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break((begin, end))
                }
            },
        );
        let (begin, end) = step.break_value()?;
        // The walk ends with the stay, the step may go on.
        Some((
            begin,
            if end == stay.1 {
                self.foreseen.after(begin).first().map_or(Time::MAX, |next| next.0)
            } else {
                end
            },
        ))
    }

    /// Returns the rooms for jobs that start now beside a reservation and stay for at most `longest`: the amounts that are
    /// free throughout such a stay, the shortest first. The last room has a part without an end, as beside a shadow time.
    pub fn rooms(&self, held: &Slot<K>, longest: Time) -> Vec<Room<K>> {
        let until = self.now.saturating_add(longest);
        let mut rooms: Vec<Room<K>> = Vec::new();
        let lowest: Cell<Option<[i64; K]>> = Cell::new(None);
        let mut falls = |at: Time, to: [i64; K]| {
            let before = lowest.get().unwrap_or(to);
            if !within(&before, &to) {
                rooms.push(Room { free: before, window: at - self.now, extra: [-1; K] });
            }
            lowest.set(Some(least(before, to)));
        };
        let held_in = |begin: Time, end: Time| {
            if held.from < end && begin < held.to { held.amount } else { [0; K] }
        };
        // Nothing falls below the lowest in a run of steps that all have it.
        let skips = |begin: Time, end: Time, idle: [i64; K]| {
            let no_less = minus(self.left(idle, begin), held_in(begin, end));
            lowest.get().is_some_and(|lowest| within(&lowest, &no_less))
        };
        let visit = |begin: Time, end: Time, idle: [i64; K]| {
            falls(begin, minus(self.left(idle, begin), held_in(begin, begin + Time::from_ticks(1))));
            if begin < held.from && held.from < end {
                falls(held.from, minus(self.left(idle, held.from), held.amount));
            }
            ControlFlow::<()>::Continue(())
        };
        if let Some(idle) = self.foreseen.idle() {
            let _ = idle.walk((self.now, until), skips, visit);
        }
        let free = lowest.get();
        let free = free.unwrap_or([0; K]);
        match rooms.last_mut() {
            _ if free[0] <= 0 => {}
            Some(last) => last.extra = free,
            None => rooms.push(Room::unreserved(free)),
        }
        rooms
    }

    /// Returns the earliest instant, from the beginning of a step on, at which a need is free if the step lasts.
    fn first_in(&self, begin: Time, out: [i64; K], need: [i64; K]) -> Option<Time> {
        if within(&need, &self.free(begin, out)) {
            return Some(begin);
        }
        // The free amount of a resource that is not needed may be below zero.
        let mut left = minus(self.balance, out);
        for (left, need) in left.iter_mut().zip(need) {
            if need <= 0 {
                *left = 0;
            }
        }
        Some(self.running.shadow(self.now, left, need, ExtraRule::All)?.at.max(begin))
    }

    /// Returns the free amounts at an instant. Jobs that do not need a resource ignore its closures, so an amount that is
    /// out of service and still held counts as zero, not as less.
    fn free(&self, at: Time, out: [i64; K]) -> [i64; K] {
        most(minus(plus(self.balance, self.running.freed(self.now, at)), out), [0; K])
    }

    /// Returns the free amounts at an instant, given the amounts that would be free if nothing ran.
    fn left(&self, idle: [i64; K], at: Time) -> [i64; K] {
        most(minus(idle, self.held(at)), [0; K])
    }

    /// Returns what running jobs are expected to hold at an instant.
    fn held(&self, at: Time) -> [i64; K] {
        minus(self.running.freed(self.now, Time::MAX), self.running.freed(self.now, at))
    }
}
