//! Replicas and possible moves that are kept from event to event equal the phases that begin from nothing.

use proptest::prelude::*;

use super::*;
use crate::matrix::clean::clean;
use crate::matrix::collapse::collapse;
use crate::matrix::compact::{Unguarded, compact};
use crate::matrix::fill::fill;
use crate::matrix::migration::{MigrationLimit, MigrationScope, MigrationUnit, Quota};
use crate::matrix::replicas::Replicas;
use crate::matrix::schedule::{Taking, schedule};
use crate::matrix::spread::spread;

const WIDTH: usize = 70;

/// The jobs that come at an event, by their sizes, and the jobs that leave, by their positions.
type Step = (Vec<usize>, Vec<prop::sample::Index>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![4 => 1usize..=3, 2 => 4usize..=20, 1 => 21usize..=WIDTH];
    let leaving = prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    prop::collection::vec((prop::collection::vec(size, 0..6), leaving), 1..40)
}

fn happen(matrix: &mut Matrix, (coming, leaving): &Step, next: &mut u32) {
    for index in leaving {
        let jobs = matrix.in_order();
        if !jobs.is_empty() {
            matrix.remove(jobs[index.index(jobs.len())]);
        }
    }
    for &size in coming {
        schedule(matrix, JobId(*next), size, Taking::Lowest);
        *next += 1;
    }
}

fn seats(matrix: &Matrix) -> SortedMap<JobId, (Vec<usize>, Columns, usize)> {
    let seat = |(job, seat): (JobId, &super::super::Seat)| {
        (job, (seat.rows().to_vec(), seat.columns().clone(), seat.home()))
    };
    matrix.seats().map(seat).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn kept_replicas_are_those_of_the_phases(
        steps in steps(),
        rows in 1usize..7,
        how in gatherings(),
        most in prop_oneof![Just(None), (0u64..40).prop_map(Some)],
        by_row in any::<bool>(),
        by_task in any::<bool>(),
        migrates in any::<bool>(),
    ) {
        let unit = if by_task { MigrationUnit::Tasks } else { MigrationUnit::Jobs };
        let scope = if by_row { MigrationScope::Row } else { MigrationScope::Event };
        let quota = || Quota::new(MigrationLimit { most, scope, unit }, rows);
        let (mut plain, mut homes) = (Matrix::new(rows, WIDTH), Matrix::of_homes(rows, WIDTH));
        let mut replicas = Replicas::new(&homes);
        let mut engine: SortedMap<JobId, Vec<u32>> = SortedMap::new();
        let (mut next, mut same) = (0, 0);
        for step in &steps {
            let mut quotas = (quota(), quota());
            clean(&mut plain);
            happen(&mut plain, step, &mut next);
            compact(&mut plain, how, &mut Unguarded);
            happen(&mut homes, step, &mut same);
            compact(&mut homes, how, &mut Unguarded);
            for (from, to) in (0..rows).flat_map(|from| (0..rows).map(move |to| (from, to))) {
                let fits = |job: &&JobId| homes.has_room(**job, to);
                let movable = homes.movable(from, to);
                let movable: Vec<JobId> = movable.into_iter().filter(|job| !migrates || fits(&job)).collect();
                prop_assert_eq!(movable, homes.row(from).iter().filter(fits).copied().collect::<Vec<_>>());
            }
            if migrates {
                collapse(&mut plain, how, &mut quotas.0, &mut Unguarded);
                collapse(&mut homes, how, &mut quotas.1, &mut Unguarded);
            }
            fill(&mut plain);
            let changed = homes.take_changed();
            replicas.update(&homes, &changed);
            if migrates {
                spread(&mut plain, &mut quotas.0);
                replicas.spread(&mut homes, &mut quotas.1);
            }
            prop_assert_eq!(quotas.0.into_checkpoints(), quotas.1.into_checkpoints());
            let filled = replicas.filled(&homes);
            prop_assert_eq!(filled.check(), Ok(()));
            prop_assert_eq!(seats(&filled), seats(&plain));
            // The jobs passed on as touched bring the rows of all jobs to the present.
            engine.retain(|&job, _| homes.seat(job).is_some());
            engine.extend(replicas.take_touched());
            let all = seats(&plain).into_iter();
            let all = all.map(|(job, (rows, ..))| (job, rows.into_iter().map(|row| row as u32).collect()));
            prop_assert_eq!(&engine, &all.collect::<SortedMap<JobId, Vec<u32>>>());
        }
    }
}
