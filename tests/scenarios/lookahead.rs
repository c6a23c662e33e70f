//! Lookahead: the set of waiting jobs that uses the most processors now.

use crate::lab::{Play, page, try_play};

#[test]
fn a_set_that_fills_the_hole_beats_the_first_that_fits() {
    // Seven processors are free until 100. One by one, job 3 takes five of them; jobs 4 and 5 together take
    // all seven.
    page(
        10,
        "job submit run estimate procs -> easy set
         1   0      100 100      3     -> 0    0
         2   1      10  10       10    -> 100  100
         3   2      80  80       5     -> 2    110
         4   2      80  80       3     -> 110  2
         5   2      80  80       4     -> 110  2",
    )
    .gives("easy", "easy")
    .gives("easy", "lookahead:depth=1")
    .gives("easy", "lookahead:depth=2")
    .gives("set", "lookahead:depth=3")
    .gives("set", "lookahead")
    .gives("set", "lookahead:depth=inf");
}

#[test]
fn the_extra_processors_are_a_second_dimension() {
    // Five processors are free now, and head 2 does not need two of them at 100. Job 3 on one of these two
    // leaves one, too few for job 4; job 4 on both and job 5, which ends by 100, use all five.
    page(
        10,
        "job submit run estimate procs -> easy set
         1   0      100 100      5     -> 0    0
         2   1      10  10       8     -> 100  100
         3   2      500 500      1     -> 2    110
         4   2      500 500      2     -> 110  2
         5   2      98  98       3     -> 2    2",
    )
    .gives("easy", "easy")
    .gives("set", "lookahead");
}

#[test]
fn of_equal_sets_the_first_in_candidate_order_starts() {
    page(
        10,
        "job submit run estimate procs -> queue lqf
         1   0      100 100      6     -> 0     0
         2   1      10  10       10    -> 100   100
         3   2      80  80       2     -> 2     110
         4   2      80  80       4     -> 110   2
         5   2      80  80       2     -> 2     110",
    )
    .gives("queue", "lookahead")
    .gives("lqf", "lookahead:candidates=lqf");
}

#[test]
fn of_equal_sets_the_last_in_candidate_order_may_start() {
    // Four processors are free at 2: for jobs 3 and 4, 3 and 5, 4 and 5, or for job 6 alone.
    page(
        10,
        "job submit run estimate procs -> first last
         1   0      100 100      6     -> 0     0
         2   1      10  10       10    -> 100   100
         3   2      80  80       2     -> 2     110
         4   2      80  80       2     -> 2     110
         5   2      80  80       2     -> 110   110
         6   2      80  80       4     -> 110   2",
    )
    .gives("first", "lookahead")
    .gives("first", "lookahead:ties=first")
    .gives("last", "lookahead:ties=last");
    page(
        10,
        "job submit run estimate procs -> last
         1   0      100 100      6     -> 0
         2   1      10  10       10    -> 100
         3   2      80  80       2     -> 110
         4   2      80  80       2     -> 2
         5   2      80  80       2     -> 2",
    )
    .gives("last", "lookahead:ties=last");
}

#[test]
fn of_equal_sets_the_one_that_has_been_slowed_down_most_may_start() {
    // At 40 four processors are free again: for jobs 4 and 6, with a slowdown of 40/20 each, or for job 5,
    // with 21/1.
    page(
        10,
        "job submit run estimate procs -> first slowdown
         1   0      100 100      6     -> 0     0
         2   0      10  10       10    -> 100   100
         3   1      39  39       4     -> 1     1
         4   20     20  20       2     -> 40    41
         5   20     1   1        4     -> 60    40
         6   20     20  20       2     -> 40    41",
    )
    .gives("first", "lookahead")
    .gives("slowdown", "lookahead:ties=slowdown");
}

#[test]
fn the_depth_counts_jobs_that_do_not_fit() {
    // Two processors are free until 100. Job 3 is too wide, job 4 too long: at a depth of 2, job 5 is not
    // considered. At 110 the machine is empty.
    page(
        4,
        "job submit run estimate procs -> two three
         1   0      100 100      2     -> 0   0
         2   1      10  10       4     -> 100 100
         3   2      10  10       3     -> 110 110
         4   2      200 200      1     -> 110 110
         5   2      50  50       1     -> 120 2",
    )
    .gives("two", "lookahead:depth=2")
    .gives("three", "lookahead:depth=3");
}

#[test]
fn one_that_is_gone_at_once_leaves_its_room() {
    // If events are reported one by one, job 4 has ended as soon as it has started at 10, and job 5 gets its
    // processors.
    page(
        3,
        "job submit run estimate procs -> start
         1   0      10  10       3     -> 0
         2   0      2   2        1     -> 10
         3   1      4   4        3     -> 12
         4   1      0   0        2     -> 10
         5   1      2   2        2     -> 10",
    )
    .events("finish-first")
    .gives("start", "easy")
    .gives("start", "lookahead")
    .events("submit-first")
    .gives("start", "lookahead");
}

#[test]
fn it_is_for_the_processors_of_a_pool() {
    let table = "job submit run estimate procs memory -> start
                 1   0      10  10       3     1      -> 0";
    let refusal = |page: Play| try_play(&page, "lookahead").unwrap_err().to_string();
    assert_eq!(
        refusal(page(4, table).with("memory", 4).play()),
        "lookahead packs the processors of a pool: with several resources no single number can be \
            maximized; use easy or depth"
    );
    assert!(refusal(page(4, table).with("memory", 4).nodes(2).play()).contains("places jobs on a pool"));
    assert!(refusal(page(4, table).with("memory", 4).by_node().play()).contains("do not add up"));
}

/// Forty jobs have 2^40 subsets, but these can use only twenty different numbers of processors now.
#[test]
fn a_long_queue_costs_processors_and_not_sets() {
    // Nineteen processors are free at 1, until 50. Jobs have two and three processors in turn and end by 50:
    // the first six jobs and the seventh, which has two, would leave two idle; the first six with two more
    // jobs of two use all.
    let rows: Vec<String> =
        (3..43).map(|job| format!("{job} 1 40 40 {} ->", if job % 2 == 0 { 3 } else { 2 })).collect();
    let table = format!(
        "job submit run estimate procs ->
         1   0      50  50       1     ->
         2   0      50  50       20    ->
         {}",
        rows.join("\n")
    );
    let (outcome, _) = try_play(&page(20, &table).play(), "lookahead:depth=inf").unwrap();
    let starts_at_1: Vec<usize> = (0..42).filter(|&job| outcome.start[job].secs() == 1.0).collect();
    assert_eq!(starts_at_1, [2, 3, 4, 5, 6, 7, 8, 10]);
    assert_eq!(outcome.start[1].secs(), 50.0);
}
