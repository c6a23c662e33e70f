//! Relaxed backfilling: the head may be delayed up to a share of its expected wait.

use crate::lab::page;

#[test]
fn the_head_is_delayed_up_to_its_limit_and_no_further() {
    // Head 2 can expect to start at 100, after 100 s. With omega 0.5 its limit is 150: job 3 ends at 121, job
    // 4 at 131, job 5 not before 162. With 0.21 the limit is 121, when job 3 ends; with 0.2 it is 120. The
    // limit does not change when the head has been delayed to 121.
    page(
        4,
        "job submit run estimate procs -> easy half tight inf
         1   0      100 100      3     -> 0    0    0     0
         2   0      10  10       4     -> 100  131  121   162
         3   1      120 120      1     -> 110  1    1     1
         4   101    30  30       2     -> 110  101  131   101
         5   102    60  60       1     -> 110  141  131   102",
    )
    .gives("easy", "easy")
    .gives("easy", "relaxed:omega=0")
    .gives("easy", "relaxed:omega=0.2")
    .gives("tight", "relaxed:omega=0.21")
    .gives("half", "relaxed")
    .gives("half", "relaxed:omega=0.5")
    .gives("inf", "relaxed:omega=inf")
    .gives("inf", "first-fit");
}

#[test]
fn the_limit_moves_up_with_the_earliest_start_that_the_head_could_expect() {
    // Job 1 ends at 20 instead of 100. From then on head 2 can expect 61, when job 3 ends, and its limit is
    // 91.5 instead of 150: job 4 would end at 96, job 5 ends at 91.
    page(
        4,
        "job submit run estimate procs -> relaxed
         1   0      20  100      3     -> 0
         2   0      10  10       4     -> 91
         3   1      60  60       1     -> 1
         4   21     75  75       1     -> 101
         5   22     69  69       1     -> 22",
    )
    .gives("relaxed", "relaxed");
}

#[test]
fn candidates_beyond_the_limit_use_the_processors_that_the_head_leaves() {
    // Head 2 needs 3 of 4: at its limit, 150, one processor is left over for job 3; job 4 finds none.
    page(
        4,
        "job submit run estimate procs -> relaxed
         1   0      100 100      2     -> 0
         2   0      10  10       3     -> 100
         3   1      500 500      1     -> 1
         4   2      500 500      1     -> 110",
    )
    .gives("relaxed", "relaxed")
    .gives("relaxed", "easy");
}

#[test]
fn on_nodes_the_reservation_is_a_placement_at_the_limit() {
    // Each node has two processors free. Head 3, one task of four submitted at 1, can expect 100 and has the
    // limit 199, on node 0. Job 4 outlasts the limit and goes to node 1; job 5 ends at 193, on node 0.
    page(
        4,
        "job submit run estimate procs -> easy relaxed
         1   0      100 100      2     -> 0    0
         2   0      100 100      2     -> 0    0
         3   1      50  50       4     -> 100  193
         4   2      500 500      2     -> 2    2
         5   3      190 190      2     -> 100  3",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("easy", "easy:place=worst-fit")
    .gives("easy", "relaxed:omega=0,place=worst-fit")
    .gives("relaxed", "relaxed:omega=1,place=worst-fit");
}
