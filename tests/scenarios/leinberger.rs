//! Backfilling with K resources: FF, BL and BB of Leinberger et al.

use crate::lab::page;

#[test]
fn the_example_of_figure_1() {
    // Four epochs of ten seconds under FCFS, three with first-fit backfilling. BB scores job 5 0.369 and job
    // 6 0.426 and starts both, too. The optimum of two epochs, jobs 1, 3, 5 and 2, 4, 6, is out of reach: job
    // 2 would have to wait, but a head that fits starts.
    page(
        16,
        "job submit run estimate procs memory -> fcfs ff optimum
         1   0      10  10       8     4      -> 0    0  0
         2   0      10  10       4     2      -> 0    0  10
         3   0      10  10       7     16     -> 10   10 0
         4   0      10  10       11    20     -> 20   20 10
         5   0      10  10       1     12     -> 20   0  0
         6   0      10  10       1     10     -> 30   0  10",
    )
    .with("memory", 32)
    .gives("fcfs", "fcfs")
    .gives("ff", "ff-easy")
    .gives("ff", "ff-cons")
    .gives("ff", "bl-easy")
    .gives("ff", "bb-easy");
}

#[test]
fn bl_takes_a_job_whose_largest_request_is_for_the_least_used_resource() {
    // Processors are used to 0.6, memory to 0.2: the larger request of job 4 is for memory. With job 4
    // running, job 3 has no processors until head 2 was served.
    page(
        10,
        "job submit run estimate procs memory -> ff  bl
         1   0      100 100      6     2      -> 0   0
         2   1      10  10       10    1      -> 100 100
         3   2      90  90       3     1      -> 2   110
         4   2      90  90       2     4      -> 110 2",
    )
    .with("memory", 10)
    .gives("ff", "easy")
    .gives("ff", "ff-easy")
    .gives("ff", "bl-easy:w=0")
    .gives("bl", "bl-easy")
    .gives("bl", "bl-easy:miss=stop")
    .gives("bl", "bl-easy:match=set,w=7");
}

#[test]
fn bl_recomputes_the_use_after_every_start() {
    // Use is 0.4 and 0.5: the larger request of job 3 is for processors. After it, 0.7 and 0.6: that of job 5
    // is for memory.
    page(
        10,
        "job submit run estimate procs memory -> ff  bl
         1   0      100 100      4     5      -> 0   0
         2   1      10  10       10    1      -> 100 100
         3   2      90  90       3     1      -> 2   2
         4   2      90  90       3     1      -> 2   110
         5   2      90  90       2     3      -> 110 2",
    )
    .with("memory", 10)
    .gives("ff", "ff-easy")
    .gives("bl", "bl-easy");
}

#[test]
fn without_an_imbalance_bl_is_first_fit() {
    page(
        10,
        "job submit run estimate procs memory -> ff
         1   0      100 100      5     5      -> 0
         2   1      10  10       10    1      -> 100
         3   2      90  90       3     4      -> 2
         4   2      90  90       3     2      -> 110",
    )
    .with("memory", 10)
    .gives("ff", "bl-easy")
    .gives("ff", "bl-easy:least-tied=any")
    .gives("ff", "bl-easy:least-tied=none,miss=stop,fullness=among-matches");
}

#[test]
fn when_no_job_matches_bl_relaxes_the_window_takes_the_first_or_stops() {
    // The memory is used least (0.2), then the licences (0.3), then the processors (0.5). The largest request
    // of job 3 is for processors, that of job 4 for licences, which are used less.
    page(
        10,
        "job submit run estimate procs memory licence -> relax ff  stop
         1   0      100 100      5     2      3       -> 0     0   0
         2   1      10  10       10    1      1       -> 100   100 100
         3   2      90  90       3     1      1       -> 110   2   110
         4   2      90  90       3     1      4       -> 2     110 110",
    )
    .with("memory", 10)
    .with("licence", 10)
    .gives("relax", "bl-easy")
    .gives("ff", "bl-easy:miss=ff")
    .gives("stop", "bl-easy:miss=stop");
}

#[test]
fn a_window_of_two_is_named_in_order_or_as_a_set() {
    // Memory, then licences: job 4 has its largest requests in this order, job 3 in the reverse one.
    page(
        10,
        "job submit run estimate procs memory licence -> ordered set
         1   0      100 100      5     2      3       -> 0       0
         2   1      10  10       10    1      1       -> 100     100
         3   2      90  90       3     4      5       -> 110     2
         4   2      90  90       3     5      4       -> 2       110",
    )
    .with("memory", 10)
    .with("licence", 10)
    .gives("ordered", "bl-easy:w=2")
    .gives("ordered", "bl-easy:w=1")
    .gives("ordered", "bl-easy:w=2,miss=ff")
    .gives("set", "bl-easy:w=2,match=set");
}

#[test]
fn relaxing_goes_through_the_rankings_in_lexicographic_order() {
    // The places by use are: memory 1, licences 2, processors 3. Job 3 has (2, 1); job 4 has (1, 3), which
    // precedes it. As a set, job 3 has the window's resources.
    page(
        10,
        "job submit run estimate procs memory licence -> relax first
         1   0      100 100      5     2      3       -> 0     0
         2   1      10  10       10    1      1       -> 100   100
         3   2      90  90       3     4      5       -> 110   2
         4   2      90  90       3     5      1       -> 2     110",
    )
    .with("memory", 10)
    .with("licence", 10)
    .gives("relax", "bl-easy:w=2")
    .gives("first", "bl-easy:w=2,miss=ff")
    .gives("first", "bl-easy:w=2,match=set");
}

#[test]
fn of_equally_used_resources_the_first_listed_is_used_least_or_any_or_none() {
    // Memory and licences are both used to 1/6. The largest request of job 3 is for licences, that of job 4
    // for memory; as a set, both have these two.
    page(
        10,
        "job submit run estimate procs memory licence -> lowest any none
         1   0      100 100      5     2      2       -> 0      0   0
         2   1      10  10       10    1      1       -> 100    100 100
         3   2      90  90       3     5      6       -> 110    2   110
         4   2      90  90       3     6      5       -> 2      110 110",
    )
    .with("memory", 12)
    .with("licence", 12)
    .gives("lowest", "bl-easy")
    .gives("lowest", "bl-easy:miss=stop")
    .gives("lowest", "bl-easy:w=2,miss=stop")
    .gives("any", "bl-easy:least-tied=any,miss=stop")
    .gives("any", "bl-easy:w=2,least-tied=any,miss=stop")
    .gives("any", "bl-easy:least-tied=none")
    .gives("any", "bl-easy:w=2,match=set,least-tied=none,miss=stop")
    .gives("none", "bl-easy:least-tied=none,miss=stop")
    .gives("none", "bl-easy:w=2,least-tied=none,miss=stop");
}

#[test]
fn one_of_two_largest_requirements_counts_as_the_largest_or_not() {
    // Memory is used least. Job 3 asks for as much memory as processors.
    page(
        10,
        "job submit run estimate procs memory licence -> yes no
         1   0      100 100      5     2      3       -> 0   0
         2   1      10  10       10    1      1       -> 100 100
         3   2      90  90       3     3      1       -> 2   110
         4   2      90  90       3     4      1       -> 110 2",
    )
    .with("memory", 10)
    .with("licence", 10)
    .gives("yes", "bl-easy")
    .gives("no", "bl-easy:largest-tied=no");
}

#[test]
fn fullness_among_matches_takes_the_one_that_leaves_least_free() {
    // The largest request of both is for memory. Over the three resources, job 3 adds 0.8, job 4 adds 1.1.
    page(
        10,
        "job submit run estimate procs memory licence -> off among
         1   0      100 100      5     2      3       -> 0   0
         2   1      10  10       10    1      1       -> 100 100
         3   2      90  90       3     4      1       -> 2   110
         4   2      90  90       3     5      3       -> 110 2",
    )
    .with("memory", 10)
    .with("licence", 10)
    .gives("off", "bl-easy")
    .gives("among", "bl-easy:fullness=among-matches")
    .gives("among", "bl-easy:fullness=among-matches,miss=stop");
}

#[test]
fn bb_takes_the_job_with_the_best_balance() {
    // Job 3 leads to a use of 0.9 and 0.3, score 1.5 * 0.4 = 0.6; job 4 to 0.8 and 0.6, score 8/7 * 0.3 =
    // 0.343.
    page(
        10,
        "job submit run estimate procs memory -> ff  bb
         1   0      100 100      6     2      -> 0   0
         2   1      10  10       10    1      -> 100 100
         3   2      90  90       3     1      -> 2   110
         4   2      90  90       2     4      -> 110 2",
    )
    .with("memory", 10)
    .gives("ff", "ff-easy")
    .gives("bb", "bb-easy");
}

#[test]
fn a_larger_job_with_a_worse_balance_wins_as_the_machine_becomes_full() {
    // Job 3 keeps the balance at 0.7 and 0.7, score 1 * 0.3; job 4 leads to 0.9 and 0.8, score 18/17 * 0.15 =
    // 0.159.
    page(
        10,
        "job submit run estimate procs memory -> bb  balance
         1   0      100 100      5     5      -> 0   0
         2   1      10  10       10    1      -> 100 100
         3   2      90  90       2     2      -> 110 2
         4   2      90  90       4     3      -> 2   110",
    )
    .with("memory", 10)
    .gives("bb", "bb-easy")
    .gives("balance", "bb-easy:fullness=off");
}

#[test]
fn equal_scores_are_served_in_queue_order_and_counted() {
    // Both lead to 0.7, 0.8 and 0.9 in some order. Added as floating-point numbers in the order of the
    // resources, these give two different sums.
    for [three, four] in [["3     4      5", "5     4      3"], ["5     4      3", "3     4      5"]] {
        let outcome = page(
            10,
            &format!(
                "job submit run estimate procs memory licence -> start
                 1   0      100 100      4     4      4       -> 0
                 2   1      10  10       10    1      1       -> 100
                 3   2      90  90       {three}              -> 2
                 4   2      90  90       {four}               -> 110"
            ),
        )
        .with("memory", 10)
        .with("licence", 10)
        .outcome("start", "bb-easy");
        assert_eq!(outcome.ties["scores"], (1, 1));
    }
}

#[test]
fn a_second_reservation_refuses_the_best_candidate() {
    // Job 4 fills the machine to 1 and 0.6, score 0.25; job 5 to 1 and 0.3, score 0.538. Job 4 would keep job
    // 3 from starting at 150, until 163; job 5 ends before 150.
    page(
        4,
        "job submit run estimate procs memory -> one two
         1   0      100 100      3     2      -> 0   0
         2   1      50  50       3     2      -> 100 100
         3   2      20  20       4     2      -> 163 150
         4   3      160 160      1     4      -> 3   170
         5   3      140 140      1     1      -> 183 3",
    )
    .with("memory", 10)
    .gives("one", "bb-easy")
    .gives("two", "bb-easy:protect=2")
    .gives("two", "bl-easy:protect=2")
    .gives("two", "ff-easy:protect=2")
    .gives("two", "bb-easy:protect=inf");
}

#[test]
fn on_nodes_use_is_counted_over_all_of_them() {
    // Jobs 1 and 2 use 6 of 8 processors and 6 of 16 of memory: all of node 0 and half of node 1. Head 3 has
    // both nodes from 100 on. Job 4 leads to a use of 7/8 and 7/16, score 0.458, job 5 to 1 and 3/4, score
    // 0.143.
    page(
        4,
        "job submit run estimate procs memory -> ff  bb
         1   0      100 100      3     3      -> 0   0
         2   0      100 100      3     3      -> 0   0
         3   1      10  10       8     2      -> 100 100
         4   2      90  90       1     1      -> 2   110
         5   2      90  90       2     6      -> 110 2",
    )
    .with("memory", 8)
    .nodes(2)
    .gives("ff", "ff-easy")
    .gives("bb", "bb-easy")
    .gives("bb", "bl-easy");
}
