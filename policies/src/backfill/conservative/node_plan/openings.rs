//! Openings: intervals in which room was given back on nodes, in the order in which this happened. An earlier search cannot
//! have seen them.

use std::collections::VecDeque;

use batchlab_traces::Time;

use crate::support::plan::Reservation;

/// The openings of a plan, numbered from 0.
#[derive(Debug, Default)]
pub struct Openings {
    count: u64,
    /// The last ones.
    known: VecDeque<Opening>,
}

#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant.
    pub to: Time,
    pub node: usize,
}

impl Openings {
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Drops openings that lie before an instant.
    pub fn advance(&mut self, now: Time) {
        while self.known.front().is_some_and(|opening| opening.to <= now) {
            self.known.pop_front();
        }
    }

    pub fn add<const K: usize>(&mut self, reservation: &Reservation<K>) {
        let (from, to) = (reservation.slot.from, reservation.slot.to);
        if from >= to {
            return;
        }
        for share in reservation.hosts.iter().flat_map(|hosts| &hosts.placement.0) {
            self.known.push_back(Opening { from, to, node: share.node as usize });
            self.count += 1;
        }
    }

    /// Drops all openings: every waiting job was examined against them.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Returns the openings from a number on that may matter still.
    pub fn since(&self, number: u64) -> impl Iterator<Item = Opening> + '_ {
        let first = self.count - self.known.len() as u64;
        self.known.iter().skip(number.saturating_sub(first) as usize).copied()
    }
}
