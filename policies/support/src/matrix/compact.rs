//! Compact: moves jobs of the least populated rows to the most populated ones, in their own columns.
//!
//! Zhang et al. 2000, section 5.1. Rows are ranked by their used columns; among equal rows the lower one
//! counts as the more populated, so that jobs gather in the first rows.

use std::cmp::Reverse;

use batchlab_traces::JobId;

use super::Matrix;
use crate::words;

/// When rows are ranked; the paper does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowRanking {
    /// Once, before the first move.
    #[default]
    Once,
    /// Again after every move.
    Each,
}

words!(RowRanking { Once = "once", Each = "each" });

/// The order in which the jobs of a row are tried; the paper does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowJobOrder {
    /// In the order in which they came into the matrix.
    #[default]
    Start,
    /// The largest first, ties in the order in which they came.
    Size,
}

words!(RowJobOrder { Start = "start", Size = "size" });

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathering {
    pub ranking: RowRanking,
    pub within: RowJobOrder,
}

/// A further condition on moves to another row, such as reservations there.
pub trait Guard {
    /// Whether a job may move to another home row.
    fn admits(&mut self, matrix: &Matrix, job: JobId, row: usize) -> bool;

    fn moved(&mut self, matrix: &Matrix, job: JobId, from: usize);
}

/// No further condition.
#[derive(Clone, Copy, Debug)]
pub struct Unguarded;

impl Guard for Unguarded {
    fn admits(&mut self, _: &Matrix, _: JobId, _: usize) -> bool {
        true
    }

    fn moved(&mut self, _: &Matrix, _: JobId, _: usize) {}
}

/// Moves jobs to more populated rows in which their columns are free; returns the number of moves.
///
/// For a matrix without replicas. O(rows² · jobs of a row · columns / 64) with rows ranked once.
pub fn compact(matrix: &mut Matrix, how: Gathering, guard: &mut impl Guard) -> usize {
    gather(matrix, how, Matrix::movable, |matrix, job, row| rehome(matrix, job, row, guard))
}

/// Moves a job to another row if its columns are free there.
pub(super) fn rehome(matrix: &mut Matrix, job: JobId, row: usize, guard: &mut impl Guard) -> bool {
    let Some(from) = matrix.seat(job).map(super::Seat::home) else { return false };
    if !matrix.has_room(job, row) || !guard.admits(matrix, job, row) || !matrix.rehome(job, row) {
        return false;
    }
    guard.moved(matrix, job, from);
    true
}

/// Tries to move each job of each row, from the least to the most populated row, into each more populated
/// row, the most populated first; returns the number of moves. `reach` returns the jobs of a row that may come into another
/// one; no other attempt would succeed.
pub(super) fn gather(
    matrix: &mut Matrix,
    how: Gathering,
    reach: impl Fn(&Matrix, usize, usize) -> Vec<JobId>,
    mut attempt: impl FnMut(&mut Matrix, JobId, usize) -> bool,
) -> usize {
    let mut moves = 0;
    let mut left = ranked(matrix);
    while !left.is_empty() {
        let from = match how.ranking {
            RowRanking::Once => left.remove(0),
            RowRanking::Each => take_least(matrix, &mut left),
        };
        let mut targets = targets(matrix, how.ranking, from, &left);
        let mut at = 0;
        while let Some(&to) = targets.get(at) {
            at += 1;
            for job in sorted(matrix, reach(matrix, from, to), how.within) {
                if !attempt(matrix, job, to) {
                    continue;
                }
                moves += 1;
                if how.ranking == RowRanking::Each {
                    (targets, at) = (self::targets(matrix, how.ranking, from, &left), 0);
                    break;
                }
            }
        }
    }
    moves
}

/// Returns the rows from the least to the most populated.
fn ranked(matrix: &Matrix) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..matrix.height()).collect();
    rows.sort_by_key(|&row| rank(matrix, row));
    rows
}

fn rank(matrix: &Matrix, row: usize) -> (usize, Reverse<usize>) {
    (matrix.used(row), Reverse(row))
}

fn take_least(matrix: &Matrix, left: &mut Vec<usize>) -> usize {
    let least = (0..left.len()).min_by_key(|&at| rank(matrix, left[at])).unwrap_or(0);
    left.remove(least)
}

/// Returns the rows that are more populated than a row, the most populated first.
fn targets(matrix: &Matrix, ranking: RowRanking, from: usize, left: &[usize]) -> Vec<usize> {
    let mut rows = match ranking {
        RowRanking::Once => left.to_vec(),
        RowRanking::Each => {
            ranked(matrix).into_iter().filter(|&row| rank(matrix, row) > rank(matrix, from)).collect()
        }
    };
    rows.reverse();
    rows
}

fn sorted(matrix: &Matrix, mut jobs: Vec<JobId>, within: RowJobOrder) -> Vec<JobId> {
    if within == RowJobOrder::Size {
        jobs.sort_by_key(|&job| Reverse(matrix.seat(job).map_or(0, super::Seat::size)));
    }
    jobs
}
