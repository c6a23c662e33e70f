use proptest::prelude::*;

use super::*;
use crate::matrix::clean::clean;
use crate::matrix::collapse::collapse;
use crate::matrix::compact::{Unguarded, compact};
use crate::matrix::fill::fill;
use crate::matrix::migration::{MigrationLimit, MigrationScope, MigrationUnit, Quota};
use crate::matrix::schedule::{Taking, schedule};
use crate::matrix::spread::spread;

/// An event: a job arrives, or one of the jobs in the matrix leaves.
#[derive(Clone, Debug)]
enum Step {
    Comes(usize),
    Leaves(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![3 => (1usize..=9).prop_map(Step::Comes), 2 => any::<prop::sample::Index>().prop_map(Step::Leaves)];
    prop::collection::vec(step, 1..40)
}

fn columns(matrix: &Matrix) -> Vec<(JobId, Columns)> {
    matrix.seats().map(|(job, seat)| (job, seat.columns().clone())).collect()
}

fn sizes(matrix: &Matrix) -> Vec<(JobId, usize)> {
    matrix.seats().map(|(job, seat)| (job, seat.columns().len())).collect()
}

fn instances(matrix: &Matrix) -> usize {
    (0..matrix.height()).map(|row| matrix.row(row).len()).sum()
}

fn happen(matrix: &mut Matrix, step: &Step, number: u32, taking: Taking) {
    match step {
        Step::Comes(size) => {
            schedule(matrix, JobId(number), *size, taking);
        }
        Step::Leaves(index) => {
            let jobs = matrix.in_order();
            if !jobs.is_empty() {
                matrix.remove(jobs[index.index(jobs.len())]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Through all phases, event after event: the matrix is sound; no job is lost; only migration changes
    /// columns, within the quota, and never without room for it; Fill leaves no room for another replica.
    #[test]
    fn every_phase_leaves_a_sound_matrix(
        steps in steps(),
        rows in 1usize..5,
        how in gatherings(),
        most in prop_oneof![Just(None), (0u64..12).prop_map(Some)],
        by_row in any::<bool>(),
        by_task in any::<bool>(),
        sparse in any::<bool>(),
    ) {
        let unit = if by_task { MigrationUnit::Tasks } else { MigrationUnit::Jobs };
        let (scope, taking) = (if by_row { MigrationScope::Row } else { MigrationScope::Event }, if sparse { Taking::Sparse } else { Taking::Lowest });
        let mut matrix = Matrix::new(rows, 9);
        for (number, step) in (0..).zip(&steps) {
            clean(&mut matrix);
            prop_assert_eq!(matrix.check(), Ok(()));
            prop_assert_eq!(instances(&matrix), matrix.seats().count());
            happen(&mut matrix, step, number, taking);
            let before = columns(&matrix);
            compact(&mut matrix, how, &mut Unguarded);
            prop_assert_eq!(matrix.check(), Ok(()));
            prop_assert_eq!(&columns(&matrix), &before);
            let mut quota = Quota::new(MigrationLimit { most, scope, unit }, rows);
            collapse(&mut matrix, how, &mut quota, &mut Unguarded);
            prop_assert_eq!(matrix.check(), Ok(()));
            prop_assert_eq!(instances(&matrix), matrix.seats().count());
            fill(&mut matrix);
            prop_assert_eq!(matrix.check(), Ok(()));
            let full = |matrix: &Matrix| matrix.in_order().iter().all(|&job| (0..rows).all(|row| !matrix.has_room(job, row)));
            prop_assert!(full(&matrix));
            spread(&mut matrix, &mut quota);
            prop_assert_eq!(matrix.check(), Ok(()));
            prop_assert!(full(&matrix));
            let moved = columns(&matrix).iter().zip(&before).filter(|(now, then)| now != then).map(|(now, _)| now.1.len() as u64).sum::<u64>();
            prop_assert!(by_task || moved <= quota.spent());
            let bound = most.unwrap_or(u64::MAX).saturating_mul(if by_row { rows as u64 } else { 1 });
            prop_assert!(quota.spent() <= bound);
            prop_assert_eq!(sizes(&matrix), before.iter().map(|(job, columns)| (*job, columns.len())).collect::<Vec<_>>());
        }
    }
}
