//! Maps and sets do what those of the library do, whatever is asked of them in whatever order.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Entry, RUN, SortedMap, SortedSet};

#[derive(Clone, Debug)]
enum Ask {
    Insert(u16),
    Remove(u16),
    First,
    Add(u16),
    Empty(u16),
    Keep(u16),
}

fn ask() -> impl Strategy<Value = Ask> {
    let key = 0..300_u16;
    prop_oneof![
        6 => key.clone().prop_map(Ask::Insert),
        3 => key.clone().prop_map(Ask::Remove),
        1 => Just(Ask::First),
        3 => key.clone().prop_map(Ask::Add),
        1 => key.prop_map(Ask::Empty),
        1 => (60..90_u16).prop_map(Ask::Keep),
    ]
}

proptest! {
    #[test]
    fn a_map_is_like_that_of_the_library(
        filled in 0..300_u16,
        asked in prop::collection::vec(ask(), 0..400),
        (from, to) in (0..310_u16, 0..310_u16),
    ) {
        let mut map: SortedMap<u16, usize> = (0..filled).map(|key| (key, 0)).collect();
        let mut like: BTreeMap<u16, usize> = (0..filled).map(|key| (key, 0)).collect();
        for (value, ask) in asked.into_iter().enumerate() {
            match ask {
                Ask::Insert(key) => prop_assert_eq!(map.insert(key, value), like.insert(key, value)),
                Ask::Remove(key) => prop_assert_eq!(map.remove(&key), like.remove(&key)),
                Ask::First => prop_assert_eq!(map.pop_first(), like.pop_first()),
                Ask::Add(key) => {
                    *map.entry(key).or_default() += value;
                    *like.entry(key).or_default() += value;
                }
                Ask::Empty(key) => {
                    if let Entry::Occupied(entry) = map.entry(key) {
                        prop_assert_eq!(Some(entry.remove()), like.remove(&key));
                    }
                }
                Ask::Keep(of) => {
                    map.retain(|key, _| key % 100 < of);
                    like.retain(|key, _| key % 100 < of);
                }
            }
            prop_assert!(map.runs.iter().all(|run| (1..=RUN).contains(&run.len())));
        }
        prop_assert_eq!((map.len(), map.first_key_value(), map.last_key_value()),
            (like.len(), like.first_key_value(), like.last_key_value()));
        prop_assert!(map.iter().eq(&like));
        prop_assert!(map.iter().rev().eq(like.iter().rev()));
        let (from, to) = (from.min(to), from.max(to));
        prop_assert!(map.range(from..to).eq(like.range(from..to)));
        prop_assert!(map.range(..=to).rev().eq(like.range(..=to).rev()));
        prop_assert!((0..310).all(|key| map.get(&key) == like.get(&key)));
        prop_assert!(map.into_iter().eq(like));
    }
}

#[test]
fn a_set_holds_each_value_once_and_in_order() {
    let mut set: SortedSet<i64> = [3, 1, 2].into();
    assert!(!set.insert(1));
    assert!(set.insert(0));
    assert_eq!(set.range(1..).copied().collect::<Vec<_>>(), [1, 2, 3]);
    let other: SortedSet<i64> = [1, 3, 5].into();
    assert!(set.intersection(&other).eq(&[1, 3]));
    assert_eq!((set.pop_first(), set.last()), (Some(0), Some(&3)));
}

#[test]
fn bounds_that_cross_hold_nothing() {
    let map: SortedMap<i64, ()> = (0..200).map(|key| (key, ())).collect();
    let (from, to) = (150, 20);
    assert_eq!(map.range(from..to).count(), 0);
}
