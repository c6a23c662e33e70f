//! The slots of the scheduling matrix, and which blocks are in use in each.

use super::buddies::{Buddies, Controller};

/// The slots: in each, every processor belongs to at most one block in use.
///
/// The trees of the forest share the slots. A new slot is opened when a block is in use in all existing
/// slots, up to `D` (the limit on the degree of multiprogramming of Setia et al. 1999, section 4.2). A slot
/// is never repacked, and is removed when it and all slots behind it are empty.
///
/// The slots are stored as counts: per slot and controller, the blocks in use that touch the controller's
/// block; per controller, the slots with such a block, which is its load. Using and freeing a block of n
/// processors is O(n + log P), the load O(1), a free slot O(slots).
#[derive(Clone, Debug)]
pub struct Slots {
    buddies: Buddies,
    most: usize,
    /// The index of each level's first controller in lists of all controllers.
    offsets: Vec<usize>,
    /// The number of slots in which a controller's block is touched.
    loads: Vec<u32>,
    made: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    /// Blocks in use that touch a controller's block.
    touching: Vec<u32>,
    blocks: u32,
}

impl Slots {
    /// Returns an empty set of at most `most` slots over a forest; `None` for unlimited.
    pub fn new(buddies: Buddies, most: Option<u64>) -> Slots {
        let mut offsets = vec![0];
        let mut all = 0;
        for level in 0..buddies.levels() {
            all += buddies.width(level);
            offsets.push(all);
        }
        let most = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        Slots { buddies, most, offsets, loads: vec![0; all], made: Vec::new() }
    }

    pub fn buddies(&self) -> Buddies {
        self.buddies
    }

    pub fn len(&self) -> usize {
        self.made.len()
    }

    /// Returns a controller's load: the number of slots in which some of its block is in use.
    pub fn load(&self, of: Controller) -> usize {
        self.loads[self.at(of)] as usize
    }

    /// Whether some slot has none of a controller's block in use, or a new slot can be opened.
    pub fn has_room(&self, of: Controller) -> bool {
        self.load(of) < self.most
    }

    /// Returns the first slot in which none of a controller's block is in use, possibly a new one.
    pub fn first_free(&self, of: Controller) -> Option<usize> {
        let at = self.at(of);
        let free = self.made.iter().position(|slot| slot.touching[at] == 0).unwrap_or(self.made.len());
        (free < self.most).then_some(free)
    }

    /// Uses a controller's block in a slot in which it is free.
    pub fn put(&mut self, slot: usize, of: Controller) {
        while self.made.len() <= slot {
            self.made.push(Slot { touching: vec![0; self.loads.len()], blocks: 0 });
        }
        self.made[slot].blocks += 1;
        for at in self.touched(of) {
            let touching = &mut self.made[slot].touching[at];
            *touching += 1;
            self.loads[at] += u32::from(*touching == 1);
        }
    }

    /// Frees a controller's block in a slot in which it is in use.
    pub fn take_out(&mut self, slot: usize, of: Controller) {
        self.made[slot].blocks -= 1;
        for at in self.touched(of) {
            let touching = &mut self.made[slot].touching[at];
            *touching -= 1;
            self.loads[at] -= u32::from(*touching == 0);
        }
        while self.made.last().is_some_and(|slot| slot.blocks == 0) {
            self.made.pop();
        }
    }

    /// Returns the indices of all controllers whose blocks a controller's block touches.
    fn touched(&self, of: Controller) -> Vec<usize> {
        of.within().chain(self.buddies.above(of)).map(|controller| self.at(controller)).collect()
    }

    fn at(&self, of: Controller) -> usize {
        self.offsets[of.level() as usize] + of.index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controller(slots: &Slots, level: u32, index: usize) -> Controller {
        slots.buddies().controllers(level).nth(index).unwrap()
    }

    /// The loads of all controllers, one line per level from the top.
    fn loads(slots: &Slots) -> Vec<String> {
        let line = |level| {
            let loads = slots.buddies().controllers(level).map(|of| slots.load(of).to_string());
            loads.collect::<Vec<_>>().join(" ")
        };
        (0..slots.buddies().levels()).rev().map(line).collect()
    }

    #[test]
    fn a_block_in_use_loads_what_lies_within_and_above_it() {
        let mut slots = Slots::new(Buddies::new(7), None);
        let right = controller(&slots, 1, 1);
        slots.put(0, right);
        assert_eq!(loads(&slots), ["1", "0 1 0", "0 0 1 1 0 0 0"]);
        // A buddy in the same slot raises its own load, and not that of the block above.
        let left = controller(&slots, 0, 1);
        assert_eq!(slots.first_free(left), Some(0));
        slots.put(0, left);
        assert_eq!(loads(&slots), ["1", "1 1 0", "0 1 1 1 0 0 0"]);
        let top = controller(&slots, 2, 0);
        assert_eq!(slots.first_free(top), Some(1));
        slots.put(1, top);
        assert_eq!(loads(&slots), ["2", "2 2 0", "1 2 2 2 0 0 0"]);
        slots.take_out(0, right);
        assert_eq!(loads(&slots), ["2", "2 1 0", "1 2 1 1 0 0 0"]);
        slots.take_out(1, top);
        assert_eq!(slots.len(), 1);
        slots.take_out(0, left);
        assert_eq!(slots.len(), 0);
    }

    #[test]
    fn a_limit_on_slots_leaves_no_room() {
        let mut slots = Slots::new(Buddies::new(2), Some(2));
        let (both, left) = (controller(&slots, 1, 0), controller(&slots, 0, 0));
        slots.put(0, both);
        slots.put(1, left);
        assert!(!slots.has_room(both) && slots.first_free(both).is_none());
        let right = controller(&slots, 0, 1);
        assert!(slots.has_room(right));
        assert_eq!(slots.first_free(right), Some(1));
    }

    #[test]
    fn a_slot_that_is_emptied_before_others_keeps_its_place() {
        let mut slots = Slots::new(Buddies::new(2), None);
        let both = controller(&slots, 1, 0);
        slots.put(0, both);
        slots.put(1, both);
        slots.take_out(0, both);
        assert_eq!((slots.len(), slots.first_free(both)), (2, Some(0)));
    }
}
