//! The set of jobs that uses most processors now: dynamic programming over processors and extra processors.

/// What a job takes, or what there is: processors now, and processors at the shadow time beyond the head's need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Now.
    pub procs: i64,
    /// At the shadow time.
    pub extra: i64,
}

/// Returns which items are in the set that takes most processors now of all that fit, and the first such set: it has
/// the first item if any of them has, then the second, and so on.
///
/// The table of Shmueli and Feitelson has a row per item, a column per number of free processors and one per number of
/// extra ones, and the processors used in its cells. Since those are what is maximised, it is enough to know for each
/// item and each number of used processors the least extra ones. Numbers that no set uses are left out.
/// O(items · used numbers), of which there are at most as many as free processors.
pub fn best(items: &[Item], room: Item) -> Vec<usize> {
    let all = items.iter().fold((0i128, 0i128), |(procs, extra), item| {
        (procs + i128::from(item.procs), extra + i128::from(item.extra))
    });
    if all.0 <= i128::from(room.procs) && all.1 <= i128::from(room.extra) {
        return (0..items.len()).collect();
    }
    // By the first item that may be in the set: rows[i] is about sets of items[i..].
    let mut rows = vec![vec![Item { procs: 0, extra: 0 }]];
    for item in items.iter().rev() {
        let row = with(&rows[rows.len() - 1], *item, room);
        rows.push(row);
    }
    rows.reverse();
    let mut to_use = rows[0].last().map_or(0, |most| most.procs);
    let mut extra = room.extra;
    let mut chosen = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let rest = to_use - item.procs;
        if least_extra(&rows[at + 1], rest).is_some_and(|least| least + item.extra <= extra) {
            chosen.push(at);
            to_use = rest;
            extra -= item.extra;
        }
    }
    chosen
}

/// Returns the row with one more item to choose from: the old sets, and each with the item as far as it fits.
fn with(row: &[Item], item: Item, room: Item) -> Vec<Item> {
    let grown = row.iter().filter_map(|set| {
        let (procs, extra) = (set.procs.checked_add(item.procs)?, set.extra.checked_add(item.extra)?);
        (procs <= room.procs && extra <= room.extra).then_some(Item { procs, extra })
    });
    let mut old = row.iter().copied().peekable();
    let mut merged: Vec<Item> = Vec::with_capacity(2 * row.len());
    for set in grown {
        while let Some(before) = old.next_if(|before| before.procs < set.procs) {
            merged.push(before);
        }
        let same = old.next_if(|same| same.procs == set.procs);
        merged.push(Item { extra: same.map_or(set.extra, |same| same.extra.min(set.extra)), ..set });
    }
    merged.extend(old);
    merged
}

/// Returns the least extra processors of a set in a row that uses exactly so many processors now.
fn least_extra(row: &[Item], procs: i64) -> Option<i64> {
    row.binary_search_by_key(&procs, |set| set.procs).ok().map(|at| row[at].extra)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(procs: i64, outlasts: bool) -> Item {
        Item { procs, extra: if outlasts { procs } else { 0 } }
    }

    #[test]
    fn a_set_that_fills_the_machine_beats_the_first_that_fit() {
        let items = [item(3, false), item(4, false), item(3, false)];
        assert_eq!(best(&items, Item { procs: 7, extra: 0 }), [0, 1]);
        assert_eq!(best(&items, Item { procs: 8, extra: 0 }), [0, 1]);
        assert_eq!(best(&items, Item { procs: 6, extra: 0 }), [0, 2]);
        assert_eq!(best(&items, Item { procs: 4, extra: 0 }), [1]);
        assert_eq!(best(&items, Item { procs: 2, extra: 0 }), []);
        assert_eq!(best(&[], Item { procs: 2, extra: 0 }), []);
    }

    #[test]
    fn those_that_outlast_the_shadow_time_share_the_extra_processors() {
        let items = [item(2, true), item(2, true), item(1, false)];
        assert_eq!(best(&items, Item { procs: 5, extra: 2 }), [0, 2]);
        assert_eq!(best(&items, Item { procs: 5, extra: 4 }), [0, 1, 2]);
        // Both use two now; only the second leaves room for the third.
        let items = [item(2, true), item(2, false), item(2, true)];
        assert_eq!(best(&items, Item { procs: 4, extra: 2 }), [0, 1]);
    }

    #[test]
    fn amounts_as_large_as_can_be_do_not_overflow() {
        let items = [item(i64::MAX, true), item(i64::MAX - 1, false), item(1, true)];
        assert_eq!(best(&items, Item { procs: i64::MAX, extra: 5 }), [1, 2]);
        assert_eq!(best(&items, Item { procs: i64::MAX, extra: i64::MAX }), [0]);
    }

    /// What a set takes.
    fn sum(items: &[Item], set: &[usize]) -> Item {
        let sum = |amount: fn(&Item) -> i64| set.iter().map(|&at| amount(&items[at])).sum();
        Item { procs: sum(|item| item.procs), extra: sum(|item| item.extra) }
    }

    fn fits(items: &[Item], set: &[usize], room: Item) -> bool {
        let all = sum(items, set);
        all.procs <= room.procs && all.extra <= room.extra
    }

    /// The sets of up to ten items, the first in order first.
    fn sets(items: usize) -> Vec<Vec<usize>> {
        let set = |bits: u32| (0..items).filter(|at| bits >> (items - 1 - at) & 1 == 1).collect();
        (0..1u32 << items).rev().map(set).collect()
    }

    fn problem() -> impl Strategy<Value = (Vec<Item>, Item)> {
        let items = prop::collection::vec((1i64..9, any::<bool>()), 1..10);
        let room = (0i64..24, 0i64..24).prop_map(|(procs, extra)| Item { procs, extra });
        (
            items
                .prop_map(|items| items.into_iter().map(|(procs, outlasts)| item(procs, outlasts)).collect()),
            room,
        )
    }

    proptest! {
        #[test]
        fn it_is_the_first_of_the_best_of_all_sets((items, room) in problem()) {
            let all = sets(items.len());
            let fitting = || all.iter().filter(|set| fits(&items, set, room));
            let most = fitting().map(|set| sum(&items, set).procs).max().unwrap();
            let first = fitting().find(|set| sum(&items, set).procs == most).unwrap();
            prop_assert_eq!(&best(&items, room), first);
        }

        /// EASY takes whoever fits, one by one.
        #[test]
        fn it_uses_at_least_as_many_processors_as_one_by_one((items, room) in problem()) {
            let mut one_by_one = Vec::new();
            for at in 0..items.len() {
                one_by_one.push(at);
                if !fits(&items, &one_by_one, room) {
                    one_by_one.pop();
                }
            }
            let used = |set: &[usize]| sum(&items, set).procs;
            prop_assert!(used(&best(&items, room)) >= used(&one_by_one));
        }
    }
}
