use std::cmp::Ordering;

use crate::spec::Setting;

/// The most parts of a capacity. Fractions are counted in the least common multiple of all capacities if it is at most this,
/// otherwise in this many parts, rounded down: products of three of them, summed over 64 resources, fit in 127 bits.
const MOST_PARTS: i128 = 1 << 36;

/// The capacities of a machine, summed over all nodes.
#[derive(Clone, Debug)]
pub struct Fractions<const K: usize> {
    capacity: [i64; K],
    /// The resources of non-zero capacity, ascending.
    kinds: Vec<usize>,
    parts: i128,
    /// Parts of a unit of each resource, if they are whole numbers.
    unit: Option<[i64; K]>,
}

impl<const K: usize> Fractions<K> {
    pub fn new(setting: &Setting<'_>) -> Fractions<K> {
        let mut capacity = [0; K];
        for (kind, capacity) in capacity.iter_mut().enumerate().take(setting.machine.kinds()) {
            *capacity = setting.machine.total(kind);
        }
        let kinds: Vec<usize> = (0..K).filter(|&kind| capacity[kind] > 0).collect();
        let common = kinds.iter().try_fold(1, |common, &kind| {
            let common = lcm(common, capacity[kind].into());
            (common <= MOST_PARTS).then_some(common)
        });
        let unit =
            common.map(|common| capacity.map(|capacity| (common / i128::from(capacity.max(1))) as i64));
        Fractions { capacity, kinds, parts: common.unwrap_or(MOST_PARTS), unit }
    }

    pub fn kinds(&self) -> &[usize] {
        &self.kinds
    }

    pub fn parts(&self) -> i128 {
        self.parts
    }

    /// Returns the amounts in use, given the free amounts.
    pub fn used(&self, free: &[i64; K]) -> [i64; K] {
        let mut used = self.capacity;
        for (used, free) in used.iter_mut().zip(free) {
            *used -= free;
        }
        used
    }

    #[inline]
    pub fn part(&self, kind: usize, amount: i64) -> i128 {
        match &self.unit {
            Some(unit) => i128::from(amount) * i128::from(unit[kind]),
            None => i128::from(amount) * self.parts / i128::from(self.capacity[kind]),
        }
    }

    /// Compares two resources by the fractions that the amounts are of their capacities. Exact.
    #[inline]
    pub fn cmp(&self, amounts: &[i64; K], left: usize, right: usize) -> Ordering {
        let product =
            |amount: usize, other: usize| i128::from(amounts[amount]) * i128::from(self.capacity[other]);
        product(left, right).cmp(&product(right, left))
    }
}

fn lcm(a: i128, b: i128) -> i128 {
    let (mut gcd, mut rest) = (a, b);
    while rest > 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    a / gcd * b
}

#[cfg(test)]
pub(super) fn pool(capacity: &[i64]) -> batchlab_traces::Machine {
    use batchlab_traces::machine::{Resource, Sharing, processors};

    let further =
        |kind: usize| Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space };
    let resources = (0..capacity.len()).map(|kind| if kind == 0 { processors() } else { further(kind) });
    batchlab_traces::Machine::new(resources.collect(), &[capacity.to_vec()]).expect("a machine")
}

/// Capacities whose common multiple has more than 36 bits.
#[cfg(test)]
pub(super) const LARGE: [i64; 2] = [i32::MAX as i64, (1 << 59) - 55];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_different_capacities_compare_exactly() {
        let small = Fractions::<4>::new(&Setting::new(&pool(&[3, 7, 0])));
        assert_eq!((small.kinds(), small.parts()), ([0, 1].as_slice(), 21));
        assert_eq!((small.part(0, 2), small.part(1, 3)), (14, 9));
        assert_eq!(small.used(&[1, 7, 0, 0]), [2, 0, 0, 0]);
        assert_eq!(small.cmp(&[1, 3, 0, 0], 0, 1), Ordering::Less);
        let large = Fractions::<2>::new(&Setting::new(&pool(&LARGE)));
        assert_eq!(large.parts(), MOST_PARTS);
        assert_eq!((large.part(0, LARGE[0]), large.part(1, LARGE[1])), (MOST_PARTS, MOST_PARTS));
        assert_eq!(large.cmp(&[LARGE[0], LARGE[1] - 1], 0, 1), Ordering::Greater);
    }
}
