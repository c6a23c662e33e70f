//! How well a task matches the imbalance of a node: the score of multi-capacity bin-packing.

use std::cell::OnceCell;
use std::cmp::Ordering;

use batchlab_traces::Machine;

use crate::spec::{ParamError, ParamKind, ParamSpec, Params};

pub const PAIRS: ParamSpec = ParamSpec {
    name: "pairs",
    kind: ParamKind::Choice(&["all", "printed"]),
    default: "all",
    help: "the multi-capacity score compares all pairs of resources, or only the pairs that Algorithm 1 as printed reaches",
    ..ParamSpec::PLAIN
};

pub const REQ: ParamSpec = ParamSpec {
    name: "req",
    kind: ParamKind::Choice(&["normalised", "raw"]),
    default: "normalised",
    help: "the multi-capacity score takes requests as fractions of the node's capacity, or as plain numbers of their units",
    ..ParamSpec::PLAIN
};

/// The score of Sheikhalishahi et al. 2015, Algorithm 1: over all pairs of resources of a node of which one is freer than the
/// other, as fractions of the capacity, the sum of the request of the freer one minus that of the other.
///
/// The sum is linear in the requests: Σ `w_r` · `req_r`, where `w_r` is the number of resources that are
/// strictly less free than r minus the number that are strictly freer. The weights thus depend on the node
/// alone. Fractions are compared, and scores summed, in whole numbers, so that ties are exact. A resource of
/// which a node has nothing has no fraction there, and is left out.
///
/// **`pairs=printed`.** As printed, the outer loop walks a list from which it deletes the first element before it starts the
/// inner loop. If lists are walked by index, as in Python, pass i (from 0) finds the list without its first i resources and takes
/// the element at index i of the rest: resource 2i of the order. Then one more is deleted, and the inner loop sees the resources
/// from i + 1 on; those before 2i are at least as free, so only the later ones give pairs. The loop ends when 2i reaches d. With
/// d = 5 and the resources numbered from the freest, the pairs are 0 with 1, 2, 3, 4, then 2 with 3, 4, then 4 with none: 6 of
/// the 10 pairs; 1-2, 1-3, 1-4 and 3-4 are missing. In general the first of a pair is at an even position. The sort, whose
/// direction is not stated, is read as descending and stable: equally free resources stay in the order of the machine's
/// resources.
///
/// **`req=normalised`.** Whole numbers stay exact by counting in parts of the least common multiple of all capacities, up to
/// 2^70; beyond that (no machine of a log comes near) a fraction is counted in 2^70 parts, rounded down.
#[derive(Clone, Debug, Default)]
pub struct Capacities {
    printed: bool,
    raw: bool,
    /// The value of a unit of each resource, node by node; set at the first score, when the machine is known.
    units: OnceCell<Vec<i128>>,
}

/// Parts of a capacity beyond which fractions are rounded: 2^70 · 2^31 nodes · 64² pairs is less than 2^127.
const MOST_PARTS: i128 = 1 << 70;

impl Capacities {
    /// Returns the score with the options that the parameters name.
    pub fn from_params(params: &Params) -> Result<Capacities, ParamError> {
        let printed = params.is(&PAIRS, "printed")?;
        Ok(Capacities { printed, raw: params.is(&REQ, "raw")?, units: OnceCell::new() })
    }

    /// Returns the score of a task on a node with these free amounts. O(K²).
    pub fn score<const K: usize>(&self, machine: &Machine, node: usize, free: &[i64], task: &[i64]) -> i128 {
        let weights: [i64; K] = self.weights(free, machine.capacity(node));
        let units = self.units(machine, node);
        let parts = weights.iter().zip(task).zip(units);
        parts.map(|((&weight, &task), unit)| i128::from(weight) * i128::from(task) * unit).sum()
    }

    /// Returns the weight of a unit of request of each resource in the sum of scores over all nodes, whose
    /// free amounts are given node by node. O(nodes · K²).
    pub fn over_nodes<'a, const K: usize>(
        &self,
        machine: &Machine,
        free: impl Fn(usize) -> &'a [i64],
    ) -> [i128; K] {
        let mut sums = [0; K];
        for node in 0..machine.nodes() {
            let weights: [i64; K] = self.weights(free(node), machine.capacity(node));
            for ((sum, &weight), unit) in sums.iter_mut().zip(&weights).zip(self.units(machine, node)) {
                *sum += i128::from(weight) * unit;
            }
        }
        sums
    }

    fn weights<const K: usize>(&self, free: &[i64], capacity: &[i64]) -> [i64; K] {
        let mut weights = [0; K];
        if self.printed {
            weigh_printed(&mut weights, free, capacity);
            return weights;
        }
        for first in 0..capacity.len() {
            for second in first + 1..capacity.len() {
                if capacity[first] == 0 || capacity[second] == 0 {
                    continue;
                }
                let freer = compare(free, capacity, first, second) as i64;
                weights[first] += freer;
                weights[second] -= freer;
            }
        }
        weights
    }

    fn units(&self, machine: &Machine, node: usize) -> &[i128] {
        let units = self.units.get_or_init(|| if self.raw { raw(machine) } else { fractions(machine) });
        &units[node * machine.kinds()..(node + 1) * machine.kinds()]
    }
}

/// Counts the weights of the pairs whose first resource is at an even position of the descending order.
fn weigh_printed(weights: &mut [i64], free: &[i64], capacity: &[i64]) {
    let mut order: Vec<usize> = (0..capacity.len()).filter(|&kind| capacity[kind] > 0).collect();
    order.sort_by(|&a, &b| compare(free, capacity, b, a));
    for place in (0..order.len()).step_by(2) {
        let first = order[place];
        for &second in &order[place + 1..] {
            if compare(free, capacity, first, second) == Ordering::Greater {
                weights[first] += 1;
                weights[second] -= 1;
            }
        }
    }
}

/// Compares the free fractions of two resources, exactly.
#[inline]
fn compare(free: &[i64], capacity: &[i64], a: usize, b: usize) -> Ordering {
    let cross = |a: usize, b: usize| i128::from(free[a]) * i128::from(capacity[b]);
    cross(a, b).cmp(&cross(b, a))
}

fn raw(machine: &Machine) -> Vec<i128> {
    capacities(machine).map(|capacity| i128::from(capacity > 0)).collect()
}

fn fractions(machine: &Machine) -> Vec<i128> {
    let known = capacities(machine).filter(|&capacity| capacity > 0).map(i128::from);
    let multiple = known.fold(1, |multiple, capacity| match common_multiple(multiple, capacity) {
        Some(multiple) if multiple <= MOST_PARTS => multiple,
        _ => i128::MAX,
    });
    let whole = multiple.min(MOST_PARTS);
    capacities(machine).map(|capacity| whole.checked_div(capacity.into()).unwrap_or(0)).collect()
}

fn capacities(machine: &Machine) -> impl Iterator<Item = i64> + '_ {
    (0..machine.nodes()).flat_map(|node| machine.capacity(node).iter().copied())
}

fn common_multiple(a: i128, b: i128) -> Option<i128> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::machine::{Resource, Sharing, processors};
    use proptest::prelude::*;

    fn rule(printed: bool, raw: bool) -> Capacities {
        Capacities { printed, raw, units: OnceCell::new() }
    }

    fn machine(nodes: &[Vec<i64>]) -> Machine {
        let more = (1..nodes[0].len()).map(|kind| Resource {
            name: format!("r{kind}"),
            unit: String::new(),
            sharing: Sharing::Space,
        });
        Machine::new([processors()].into_iter().chain(more).collect(), nodes).unwrap()
    }

    #[test]
    fn three_resources_worked_by_hand() {
        // Free: 3/4, 1/2, 1/8. All pairs: 0-1, 0-2, 1-2, so the weights are 2, 0, -2; as printed 1-2 is missing.
        let machine = machine(&[vec![4, 8, 16]]);
        let free = [3, 4, 2];
        assert_eq!(rule(false, true).weights(&free, machine.capacity(0)), [2, 0, -2]);
        assert_eq!(rule(true, true).weights(&free, machine.capacity(0)), [2, -1, -1]);
        let task = [1, 4, 4];
        assert_eq!(rule(false, true).score::<3>(&machine, 0, &free, &task), 2 - 8);
        assert_eq!(rule(true, true).score::<3>(&machine, 0, &free, &task), 2 - 4 - 4);
        // In parts of 16: requests of 4, 8 and 4.
        assert_eq!(rule(false, false).score::<3>(&machine, 0, &free, &task), 2 * 4 - 2 * 4);
        assert_eq!(rule(true, false).score::<3>(&machine, 0, &free, &task), 2 * 4 - 8 - 4);
    }

    #[test]
    fn as_printed_six_of_ten_pairs_are_left_of_five_resources() {
        let capacity = [10; 5];
        let free = [9, 8, 7, 6, 5];
        assert_eq!(rule(false, true).weights(&free, &capacity), [4, 2, 0, -2, -4]);
        // 0 with 1, 2, 3, 4; 2 with 3, 4.
        assert_eq!(rule(true, true).weights(&free, &capacity), [4, -1, 1, -2, -2]);
    }

    #[test]
    fn equally_free_resources_and_those_that_a_node_lacks_count_nothing() {
        for printed in [false, true] {
            let rule = rule(printed, false);
            assert_eq!(rule.weights(&[1, 2, 3], &[2, 4, 6]), [0, 0, 0]);
            assert_eq!(rule.weights(&[1, 0, 6], &[2, 0, 6]), [-1, 0, 1]);
        }
    }

    #[test]
    fn capacities_without_a_common_multiple_in_range_still_give_fractions() {
        let most = Machine::MOST;
        let machine = machine(&[vec![8, most, most - 1]]);
        let score = rule(false, false).score::<3>(&machine, 0, &[8, most / 2, 1], &[4, most / 4, 0]);
        let (half, quarter) = (2 * (MOST_PARTS / 2), 0);
        assert!((score - half - quarter).abs() < MOST_PARTS >> 9, "{score}");
    }

    proptest! {
        /// The loops of Algorithm 1, executed literally over fractions, give the same sum as the weights.
        #[test]
        fn the_weights_are_the_loops_of_the_algorithm(
            amounts in prop::collection::vec((0i64..=6, 1i64..=6, 0i64..=6), 1..=8),
            skips in any::<bool>(),
        ) {
            let free: Vec<i64> = amounts.iter().map(|&(free, capacity, _)| free.min(capacity)).collect();
            let capacity: Vec<i64> = amounts.iter().map(|amount| amount.1).collect();
            let task: Vec<i64> = amounts.iter().map(|amount| amount.2).collect();
            let fraction = |kind: usize| free[kind] * 60 / capacity[kind]; // 60 = lcm(1..6)
            let mut order: Vec<usize> = (0..free.len()).collect();
            order.sort_by_key(|&kind| -fraction(kind));
            let mut expected = 0;
            let mut at = 0;
            while let Some(&first) = order.get(at) {
                if skips {
                    order.remove(0);
                }
                let second = if skips { &order[..] } else { &order[at + 1..] };
                for &second in second {
                    if fraction(first) > fraction(second) {
                        expected += task[first] - task[second];
                    }
                }
                at += 1;
            }
            let machine = machine(&[capacity]);
            let score = rule(skips, true).score::<8>(&machine, 0, &free, &task);
            prop_assert_eq!(score, i128::from(expected));
        }

        #[test]
        fn the_sum_over_nodes_is_the_sum_of_the_scores(
            nodes in prop::collection::vec(prop::collection::vec((1i64..=9, 0i64..=9), 3), 1..6),
            task in prop::collection::vec(0i64..=9, 3),
            printed in any::<bool>(),
            raw in any::<bool>(),
        ) {
            let capacity: Vec<Vec<i64>> = nodes.iter().map(|node| node.iter().map(|one| one.0).collect()).collect();
            let free: Vec<Vec<i64>> =
                nodes.iter().map(|node| node.iter().map(|one| one.1.min(one.0)).collect()).collect();
            let (machine, rule) = (machine(&capacity), rule(printed, raw));
            let each: i128 = (0..free.len()).map(|node| rule.score::<4>(&machine, node, &free[node], &task)).sum();
            let sums: [i128; 4] = rule.over_nodes(&machine, |node| &free[node]);
            prop_assert_eq!(each, sums.iter().zip(&task).map(|(sum, &task)| sum * i128::from(task)).sum::<i128>());
        }
    }
}
