//! The jobs that together use the most processors now: dynamic programming over processors and extra ones.

use std::cmp::Reverse;

/// Processors that a job takes, or that are available: now, and at the shadow time beyond the head's need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    pub procs: i64,
    pub extra: i64,
}

/// A job that may be in the set: the processors that it takes, and its worth among sets that use equally many processors now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub takes: Amounts,
    /// Its worth, at least 0.
    pub worth: i128,
}

/// A set of items: what it takes in total, and its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    takes: Amounts,
    worth: i128,
}

/// Returns the items in the best set that fits: the set that takes the most processors now. Ties go to the set with the highest
/// worth, then to the set that has the first item, then the second, and so on.
///
/// The table of Shmueli and Feitelson has a row per item, a column per number of free processors and one per
/// number of extra processors, and the used processors in its cells. Since the used processors are what is
/// maximised, they can be the key instead: for each item and each number of used processors it is enough to
/// know how the worth grows with the extra processors. Numbers that no set uses are omitted. O(items · free
/// · extra); O(items · free) if all items have the same worth.
pub fn best(items: &[Item], room: Amounts) -> Vec<usize> {
    let all = items.iter().fold((0i128, 0i128), |(procs, extra), item| {
        (procs + i128::from(item.takes.procs), extra + i128::from(item.takes.extra))
    });
    if all.0 <= i128::from(room.procs) && all.1 <= i128::from(room.extra) {
        return (0..items.len()).collect();
    }
    // `rows[i]` holds the sets of `items[i..]`.
    let mut rows = vec![vec![Cell { takes: Amounts { procs: 0, extra: 0 }, worth: 0 }]];
    for item in items.iter().rev() {
        let row = with(&rows[rows.len() - 1], *item, room);
        rows.push(row);
    }
    rows.reverse();
    // Among the cells with the most processors the last has the highest worth.
    let Some(Cell { takes: Amounts { procs: mut to_use, .. }, worth: mut to_gain }) = rows[0].last().copied()
    else {
        return Vec::new();
    };
    let mut extra = room.extra;
    let mut chosen = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let rest = Amounts { procs: to_use - item.takes.procs, extra: extra - item.takes.extra };
        if most_worth(&rows[at + 1], rest).is_some_and(|worth| worth + item.worth == to_gain) {
            chosen.push(at);
            Amounts { procs: to_use, extra } = rest;
            to_gain -= item.worth;
        }
    }
    chosen
}

/// Returns the row with one more item to choose from: the old sets, and each with the item if it fits. Cells
/// ascend in processors, then in extra processors, then in worth; a cell that takes more extra processors
/// without a higher worth is dropped.
fn with(row: &[Cell], item: Item, room: Amounts) -> Vec<Cell> {
    let grown = row.iter().filter_map(|set| {
        let procs = set.takes.procs.checked_add(item.takes.procs)?;
        let extra = set.takes.extra.checked_add(item.takes.extra)?;
        let takes = Amounts { procs, extra };
        (procs <= room.procs && extra <= room.extra).then_some(Cell { takes, worth: set.worth + item.worth })
    });
    let mut merged: Vec<Cell> = Vec::with_capacity(2 * row.len());
    let mut keep = |cell: Cell| {
        let last = merged.last().filter(|last| last.takes.procs == cell.takes.procs);
        if last.is_none_or(|last| last.worth < cell.worth) {
            merged.push(cell);
        }
    };
    // Of two cells that take the same, the one with the higher worth comes first.
    let rank = |cell: &Cell| (cell.takes.procs, cell.takes.extra, Reverse(cell.worth));
    let mut old = row.iter().copied().peekable();
    for set in grown {
        while let Some(before) = old.next_if(|before| rank(before) <= rank(&set)) {
            keep(before);
        }
        keep(set);
    }
    old.for_each(keep);
    merged
}

/// Returns the highest worth of a set in a row that uses exactly `takes.procs` processors now and at most
/// `takes.extra` extra ones.
fn most_worth(row: &[Cell], takes: Amounts) -> Option<i128> {
    let after = row.partition_point(|set| (set.takes.procs, set.takes.extra) <= (takes.procs, takes.extra));
    let set = row[..after].last()?;
    (set.takes.procs == takes.procs).then_some(set.worth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(procs: i64, outlasts: bool) -> Item {
        Item { takes: Amounts { procs, extra: if outlasts { procs } else { 0 } }, worth: 0 }
    }

    fn room(procs: i64, extra: i64) -> Amounts {
        Amounts { procs, extra }
    }

    #[test]
    fn a_set_that_fills_the_machine_beats_the_first_that_fit() {
        let items = [item(3, false), item(4, false), item(3, false)];
        assert_eq!(best(&items, room(7, 0)), [0, 1]);
        assert_eq!(best(&items, room(8, 0)), [0, 1]);
        assert_eq!(best(&items, room(6, 0)), [0, 2]);
        assert_eq!(best(&items, room(4, 0)), [1]);
        assert!(best(&items, room(2, 0)).is_empty());
        assert!(best(&[], room(2, 0)).is_empty());
    }

    #[test]
    fn those_that_outlast_the_shadow_time_share_the_extra_processors() {
        let items = [item(2, true), item(2, true), item(1, false)];
        assert_eq!(best(&items, room(5, 2)), [0, 2]);
        assert_eq!(best(&items, room(5, 4)), [0, 1, 2]);
        let items = [item(2, true), item(2, false), item(2, true)];
        assert_eq!(best(&items, room(4, 2)), [0, 1]);
    }

    #[test]
    fn of_sets_that_use_as_many_the_one_worth_most_is_best() {
        let worth = |procs, outlasts, worth| Item { worth, ..item(procs, outlasts) };
        let items = [worth(2, false, 1), worth(4, false, 5), worth(2, true, 3)];
        assert_eq!(best(&items, room(4, 4)), [1]);
        let items = [worth(2, true, 1), worth(4, false, 3), worth(2, true, 3)];
        assert_eq!(best(&items, room(4, 4)), [0, 2]);
        assert_eq!(best(&items, room(4, 3)), [1]);
    }

    #[test]
    fn amounts_as_large_as_can_be_do_not_overflow() {
        let items = [item(i64::MAX, true), item(i64::MAX - 1, false), item(1, true)];
        assert_eq!(best(&items, room(i64::MAX, 5)), [1, 2]);
        assert_eq!(best(&items, room(i64::MAX, i64::MAX)), [0]);
    }

    /// Returns the processors and the extra processors that a set takes, and its worth.
    fn sum(items: &[Item], set: &[usize]) -> (i64, i64, i128) {
        set.iter().map(|&at| items[at]).fold((0, 0, 0), |sum, Item { takes, worth }| {
            (sum.0 + takes.procs, sum.1 + takes.extra, sum.2 + worth)
        })
    }

    fn fits(items: &[Item], set: &[usize], room: Amounts) -> bool {
        let (procs, extra, _) = sum(items, set);
        procs <= room.procs && extra <= room.extra
    }

    /// All sets of up to ten items, the first in order first.
    fn sets(items: usize) -> Vec<Vec<usize>> {
        let set = |bits: u32| (0..items).filter(|at| bits >> (items - 1 - at) & 1 == 1).collect();
        (0..1u32 << items).rev().map(set).collect()
    }

    fn problem() -> impl Strategy<Value = (Vec<Item>, Amounts)> {
        let items = prop::collection::vec((1i64..9, any::<bool>(), 0i128..6), 1..10);
        (items, any::<bool>(), 0i64..24, 0i64..24).prop_map(|(items, worth, procs, extra)| {
            let of =
                |(procs, outlasts, of)| Item { worth: if worth { of } else { 0 }, ..item(procs, outlasts) };
            (items.into_iter().map(of).collect(), room(procs, extra))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn it_is_the_first_of_the_best_of_all_sets((items, room) in problem()) {
            let all = sets(items.len());
            let fitting = || all.iter().filter(|set| fits(&items, set, room));
            let value = |set: &[usize]| { let (procs, _, worth) = sum(&items, set); (procs, worth) };
            let most = fitting().map(|set| value(set)).max().unwrap();
            let first = fitting().find(|set| value(set) == most).unwrap();
            prop_assert_eq!(&best(&items, room), first);
        }

        /// EASY starts every candidate that fits, in candidate order.
        #[test]
        fn it_uses_at_least_as_many_processors_as_one_by_one((items, room) in problem()) {
            let mut one_by_one = Vec::new();
            for at in 0..items.len() {
                one_by_one.push(at);
                if !fits(&items, &one_by_one, room) {
                    one_by_one.pop();
                }
            }
            let used = |set: &[usize]| sum(&items, set).0;
            prop_assert!(used(&best(&items, room)) >= used(&one_by_one));
        }
    }
}
