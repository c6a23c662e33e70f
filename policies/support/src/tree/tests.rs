use super::*;
use proptest::prelude::*;

use batchlab_traces::sorted::SortedMap;

/// Least and sum of the entries.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Load {
    least: i64,
    sum: i64,
}

impl Summary for Load {
    type Entry = i64;
    const EMPTY: Load = Load { least: i64::MAX, sum: 0 };

    fn add(&mut self, entry: &i64) {
        self.join(&Load { least: *entry, sum: *entry });
    }

    fn join(&mut self, other: &Load) {
        *self = Load { least: self.least.min(other.least), sum: self.sum + other.sum };
    }

    fn remove(&mut self, entry: &i64) -> bool {
        self.sum -= entry;
        self.least < *entry
    }
}

proptest! {
    /// After any additions and removals, every query gives the result of a sorted list.
    #[test]
    fn the_tree_answers_as_a_sorted_list(
        steps in prop::collection::vec((any::<bool>(), 0u64..400, 0i64..100), 0..1200),
        refill in any::<bool>(),
        probe in 0u64..400,
        level in 0i64..100,
    ) {
        let mut tree: Tree<u64, Load> = Tree::default();
        let mut list: SortedMap<u64, i64> = SortedMap::new();
        for (add, key, amount) in steps {
            if add {
                tree.insert(key, amount);
                list.entry(key).or_insert(amount);
            } else {
                prop_assert_eq!(tree.remove(key), list.remove(&key).is_some());
            }
            prop_assert_eq!(tree.len(), list.len());
            prop_assert_eq!(tree.first(), list.keys().next().copied());
        }
        if refill {
            let entries: Vec<(u64, i64)> = list.iter().rev().map(|(key, amount)| (*key, *amount)).collect();
            tree.fill(entries);
            prop_assert_eq!((tree.len(), tree.first()), (list.len(), list.keys().next().copied()));
        }
        let found = tree.find_first(Some(probe), |load| load.least <= level, |amount| *amount <= level);
        let expected = list.range(probe..).find(|(_, amount)| **amount <= level).map(|(key, _)| *key);
        prop_assert_eq!(found, expected);
        let found = tree.find_last(|load| load.least <= level, |amount| *amount <= level);
        let expected = list.iter().rev().find(|(_, amount)| **amount <= level).map(|(key, _)| *key);
        prop_assert_eq!(found, expected);
        let upto: i64 = list.range(..=probe).map(|(_, amount)| amount).sum();
        prop_assert_eq!(tree.sum_through(probe).sum, upto);
        let mut total = 0;
        let prefix = list.iter().find(|(_, amount)| { total += **amount; total >= level * 5 });
        let found = tree.find_prefix(|load| load.sum >= level * 5).map(|(key, _)| key);
        prop_assert_eq!(found, prefix.map(|(key, _)| *key));
        let mut keys = Vec::new();
        tree.for_each(|key, _| keys.push(key));
        prop_assert!(keys.iter().eq(list.keys()));
        let mut seen = Vec::new();
        let _ = tree.visit_where(None, |load| load.least <= level, |key, &amount| {
            seen.extend((amount <= level).then_some(key));
            if seen.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let passing = list.iter().filter(|(_, amount)| **amount <= level).map(|(key, _)| *key);
        prop_assert!(passing.take(5).eq(seen));
    }
}

#[test]
fn arrivals_in_order_fill_nodes_and_departures_from_the_front_give_them_back() {
    let mut tree: Tree<u64, Load> = Tree::default();
    for key in 0..100_000u64 {
        tree.insert(key, 1);
        if key >= 100 {
            assert!(tree.remove(key - 100));
        }
    }
    assert!(tree.leaves.len() < 20, "{} leaves for 100 entries", tree.leaves.len());
}
