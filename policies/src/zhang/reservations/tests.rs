//! Plans that are made again compared with the same plans made afresh.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;

const ROWS: usize = 3;
const WIDTH: usize = 8;

/// What happens between two plans.
#[derive(Clone, Debug)]
enum Change {
    Ends(Index),
    /// A job of the matrix goes to another row.
    Moves(Index, usize),
    /// A waiting job leaves the queue.
    Leaves(Index),
    /// A waiting job goes to the end of the queue.
    Lags(Index),
    /// A job arrives: its columns and its stay.
    Comes(usize, i64),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = prop_oneof![
        any::<Index>().prop_map(Change::Ends),
        (any::<Index>(), 0..ROWS).prop_map(|(job, row)| Change::Moves(job, row)),
        any::<Index>().prop_map(Change::Leaves),
        any::<Index>().prop_map(Change::Lags),
        (1..=WIDTH, 1i64..40).prop_map(|(size, stay)| Change::Comes(size, stay)),
    ];
    prop::collection::vec(one, 0..3)
}

/// Jobs in the rows, and waiting jobs.
struct Scene {
    held: FxHashMap<JobId, Held>,
    waiting: Vec<Need>,
    next: u32,
}

impl Scene {
    fn change(&mut self, change: &Change) {
        let mut inside: Vec<JobId> = self.held.keys().copied().collect();
        inside.sort_unstable();
        match *change {
            Change::Ends(at) if !inside.is_empty() => drop(self.held.remove(at.get(&inside))),
            Change::Moves(at, row) if !inside.is_empty() => {
                let job = *at.get(&inside);
                let used: i64 = self.held.values().filter(|held| held.row == row).map(|held| held.size).sum();
                let held = self.held.get_mut(&job).unwrap();
                if used + held.size <= columns(WIDTH) {
                    held.row = row;
                }
            }
            Change::Leaves(at) if !self.waiting.is_empty() => {
                self.waiting.remove(at.index(self.waiting.len()));
            }
            Change::Lags(at) if !self.waiting.is_empty() => {
                let need = self.waiting.remove(at.index(self.waiting.len()));
                self.waiting.push(need);
            }
            Change::Comes(size, stay) => {
                self.waiting.push(Need { job: JobId(self.next), size, stay: Time::from_secs(stay) });
                self.next += 1;
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_plan_made_again_is_the_plan_made_afresh(
        first in prop::collection::vec((1..=WIDTH, 1i64..40), 1..12),
        plans in prop::collection::vec((0i64..9, changes(), select(vec![0usize, 1, 2]), any::<u16>()), 1..12),
    ) {
        let mut scene = Scene { held: FxHashMap::default(), waiting: Vec::new(), next: 0 };
        for (size, stay) in first {
            scene.change(&Change::Comes(size, stay));
        }
        let mut again = Reservations::new(ROWS, WIDTH);
        let mut now = Time::ZERO;
        for (after, changes, starts, planned) in plans {
            now += Time::from_secs(after);
            for change in &changes {
                scene.change(change);
            }
            // What stays beyond its predicted end is expected to end in a second.
            scene.held.values_mut().for_each(|held| held.until = held.until.max(now + Time::SECOND));
            let mut afresh = Reservations::new(ROWS, WIDTH);
            afresh.reset(now, WIDTH, HeldRows(scene.held.clone()));
            let kept = if again.goes_on(now, &HeldRows(scene.held.clone()), scene.waiting.iter().copied()) {
                again.made.len()
            } else {
                again.reset(now, WIDTH, HeldRows(scene.held.clone()));
                0
            };
            let mut left = Vec::new();
            let mut started = 0;
            for (at, &need) in scene.waiting.iter().enumerate() {
                let row = (0..ROWS).find(|&row| afresh.rows.profiles[row].has_room(slot(now, need)));
                if at >= kept && started < starts && let Some(row) = row {
                    afresh.start(now, row, need);
                    again.start(now, row, need);
                    scene.held.insert(need.job, Held { row, size: need.columns(), until: slot(now, need).to });
                    started += 1;
                    continue;
                }
                left.push(need);
                // A plan may end before the queue does.
                if at >= kept && usize::from(planned) % 16 <= at {
                    continue;
                }
                let one = afresh.reserve(now, need).unwrap();
                if at < kept {
                    let made = again.made[at];
                    prop_assert_eq!((made.at, made.row), (one.slot.from, one.row));
                } else {
                    let other = again.reserve(now, need).unwrap();
                    prop_assert_eq!((other.slot, other.row), (one.slot, one.row));
                }
            }
            for (one, other) in again.rows.profiles.iter().zip(&afresh.rows.profiles) {
                prop_assert!(one.is_like(other));
            }
            scene.waiting = left;
        }
    }
}
