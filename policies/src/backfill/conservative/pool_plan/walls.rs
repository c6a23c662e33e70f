//! Walls: instants just before which a need is not free.

use batchlab_traces::Time;

use super::openings::Openings;
use crate::support::amounts::within;
use crate::support::profile::Slot;

/// The number of walls that are remembered is two to this power.
const BITS: u32 = 12;

/// The walls that were found last: the instant of each, the need, and the number of openings by then. Each has a place that belongs
/// to its instant.
#[derive(Debug)]
pub struct Walls<const K: usize>(Vec<(Time, [i64; K], u64)>);

impl<const K: usize> Default for Walls<K> {
    fn default() -> Walls<K> {
        Walls(vec![(Time::ZERO, [i64::MAX; K], 0); 1 << BITS])
    }
}

impl<const K: usize> Walls<K> {
    /// The amount of a slot is not free just before it.
    pub fn add(&mut self, openings: &Openings, slot: &Slot<K>) {
        self.0[place(slot.from)] = (slot.from, slot.amount, openings.count());
    }

    /// Whether the amount of a slot is known not to be free just before it.
    pub fn has(&self, openings: &Openings, slot: &Slot<K>) -> bool {
        let (at, need, number) = &self.0[place(slot.from)];
        *at == slot.from && within(need, &slot.amount) && !openings.touches(*at - Time::TICK, *number)
    }
}

fn place(at: Time) -> usize {
    ((at.ticks() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
}
