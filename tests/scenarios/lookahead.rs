//! Lookahead: the set of waiting jobs that uses the most processors now.

use crate::lab::{page, play};

/// Forty jobs have 2^40 subsets, but these can use only twenty different numbers of processors now.
#[test]
fn a_long_queue_costs_processors_and_not_sets() {
    // Nineteen processors are free at 1, until 50. Jobs have two and three processors in turn and end by 50: the first six
    // jobs and the seventh, which has two, would leave two idle; the first six with two more jobs of two use all.
    let rows: Vec<String> =
        (3..43).map(|job| format!("{job} 1 40 40 {} ->", if job % 2 == 0 { 3 } else { 2 })).collect();
    let table = format!(
        "job submit run estimate procs ->
         1   0      50  50       1     ->
         2   0      50  50       20    ->
         {}",
        rows.join("\n")
    );
    let (outcome, _) = play(&page(20, &table).play(), "lookahead:depth=inf");
    let starts_at_1: Vec<usize> = (0..42).filter(|&job| outcome.start[job].secs() == 1.0).collect();
    assert_eq!(starts_at_1, [2, 3, 4, 5, 6, 7, 8, 10]);
    assert_eq!(outcome.start[1].secs(), 50.0);
}
