//! Machines with nodes: tasks are whole on one node, reservations are placements.

use batchlab::traces::JobId;
use batchlab::traces::reading::Overrun;

use crate::lab::page;

#[test]
fn a_task_is_whole_on_one_node() {
    // Jobs 1 and 2 leave one processor free on each node: two tasks of one fit, one of two does not.
    page(
        4,
        "job submit run estimate procs -> whole single
         1   0      10  10       3     -> 0     0
         2   0      20  20       3     -> 0     0
         3   1      5   5        2     -> 10    1",
    )
    .nodes(2)
    .gives("single", "fcfs:place=best-fit")
    .tasks_of(3)
    .gives("whole", "fcfs");
}

#[test]
fn the_rule_of_host_selection_decides_which_job_finds_a_whole_node() {
    // Jobs 1 and 2 leave 1 and 3 processors. First fit and best fit put job 3 on node 0; worst fit takes a
    // processor of node 1, and job 4 has to wait for node 0.
    page(
        4,
        "job submit run estimate procs -> best worst
         1   0      50  50       3     -> 0    0
         2   0      90  90       1     -> 0    0
         3   1      90  90       1     -> 1    1
         4   2      5   5        3     -> 2    50",
    )
    .nodes(2)
    .tasks_of(3)
    .gives("best", "fcfs:place=best-fit")
    .gives("worst", "fcfs:place=worst-fit");
}

#[test]
fn easy_keeps_the_nodes_of_the_head_intact() {
    // Each node has two processors free. Head 3, one task of four, gets node 0 at 100. Job 4 outlasts that
    // and goes to node 1. Two processors on node 0 are left for job 5, but only until 100: a pool would start
    // it at 3.
    page(
        4,
        "job submit run estimate procs -> easy
         1   0      100 100      2     -> 0
         2   0      100 100      2     -> 0
         3   1      50  50       4     -> 100
         4   2      500 500      2     -> 2
         5   3      200 200      2     -> 100",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("easy", "easy:place=worst-fit")
    .gives("easy", "depth:k=1,place=worst-fit");
}

#[test]
fn a_score_may_move_a_reservation_at_a_decision_that_starts_nothing_else() {
    // Head 5 reserves at 20 before candidate 6 starts beside it, which changes the scores of nodes. At 22 the submission of 9,
    // which has no room, lets the head reserve again, now on other nodes: node 1 has room for 7.
    page(
        4,
        "job submit run estimate procs -> best
         1   1      16  25       1     -> 1
         2   2      17  26       8     -> 2
         3   6      14  23       6     -> 6
         4   6      13  13       8     -> 19
         5   9      19  22       10    -> 32
         6   10     15  15       5     -> 20
         7   19     21  21       1     -> 22
         8   19     6   9        1     -> 19
         9   22     1   10       12    -> 51",
    )
    .nodes(4)
    .gives("best", "easy:place=best-fit");
}

#[test]
fn a_reservation_knows_when_the_last_smaller_task_finds_room() {
    // Head 4 has a task of three, for which node 1 has room at once, and one of one, for which node 0 has
    // room when job 2 ends at 50, although still not for a whole task of three. Job 5 would be on node 1
    // until 62.
    page(
        4,
        "job submit run estimate procs -> easy
         1   0      100 100      3     -> 0
         2   0      50  50       1     -> 0
         3   0      200 200      1     -> 0
         4   1      10  10       4     -> 50
         5   2      60  60       3     -> 60",
    )
    .nodes(2)
    .tasks_of(3)
    .gives("easy", "easy");
}

#[test]
fn a_job_runs_on_nodes_of_its_partition() {
    page(
        2,
        "job submit run estimate procs partition -> start
         1   0      50  50       2     1         -> 0
         2   0      50  50       2     1         -> 50
         3   1      20  20       2     2         -> 1
         4   2      5   5        1     -1        -> 21",
    )
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .gives("start", "first-fit");
}

#[test]
fn the_last_task_may_be_smaller_and_goes_where_it_has_room() {
    // Job 3 has two tasks of three and one of one. Three processors are free on both nodes from the
    // beginning; it waits for the fourth processor of one of them, at 5.
    page(
        4,
        "job submit run estimate procs -> start
         1   0      10  10       1     -> 0
         2   0      5   5        1     -> 0
         3   1      5   5        7     -> 5",
    )
    .nodes(2)
    .tasks_of(3)
    .gives("start", "easy:place=worst-fit")
    .gives("start", "conservative:place=worst-fit")
    .gives("start", "conservative:place=worst-fit,variant=fixed");
}

#[test]
fn conservative_reserves_nodes() {
    // Each job is one task of a whole node, job 3 two. Job 3 is to get both nodes at 100, after job 1's
    // estimate; job 4 fits before it on node 1, job 5 does not. When job 1 ends at 10, compression moves job
    // 3 only to 90, since job 4 still holds node 1 from 50 to 90. Job 4 then takes node 0 at once, and job 5
    // the hole that it leaves at 50, before job 3. Replanning places job 3 at 50 before it considers job 5.
    page(
        4,
        "job submit run estimate procs -> compress replan fixed
         1   0      10  100      4     -> 0        0      0
         2   0      50  50       4     -> 0        0      0
         3   1      30  30       8     -> 70       50     100
         4   2      40  40       4     -> 10       10     50
         5   3      20  20       4     -> 50       80     130",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("compress", "conservative")
    .gives("replan", "conservative:variant=replan")
    .gives("fixed", "conservative:variant=fixed");
}

#[test]
fn nodes_may_be_chosen_again_at_each_end() {
    // Jobs 2 and 3 have nodes 1 and 2, one after the other; job 4 is to follow them at 21. When job 1 leaves node 0 at
    // 10, compression leaves job 3 where it is, and job 4 takes node 0. Chosen again, job 3 takes nodes 0 and 1, which are
    // free at 11, and leaves node 2 to job 4.
    page(
        1,
        "job submit run estimate procs -> compress rechoose
         1   0      10  30       1     -> 0        0
         2   1      10  10       2     -> 1        1
         3   2      10  10       2     -> 11       11
         4   3      20  20       1     -> 10       11",
    )
    .nodes(3)
    .gives("compress", "conservative")
    .gives("rechoose", "conservative:variant=rechoose")
    .gives("rechoose", "conservative:variant=replan");
}

#[test]
fn a_reservation_whose_nodes_are_not_free_slips_to_the_next_event() {
    // Job 1 is overdue at 10 and keeps node 0, which job 3 was to get then. The next event is the end of job
    // 2, at 20.
    let outcome = page(
        2,
        "job submit run estimate procs -> start
         1   0      30  10       2     -> 0
         2   0      20  20       2     -> 0
         3   1      5   5        2     -> 20",
    )
    .nodes(2)
    .tasks_of(2)
    .overrun(Overrun::Overdue)
    .outcome("start", "conservative");
    assert_eq!(outcome.tallies["slipped reservations"], 1);
}

#[test]
fn one_node_that_is_chosen_is_a_pool() {
    // The scenario of early ends on a pool, where the variants differ: compression moves job 3 to 130 and
    // then to 120.
    page(
        4,
        "job submit run estimate procs -> compress replan fixed easy
         1   0      10  100      4     -> 0        0      0     0
         2   1      50  50       2     -> 10       10     100   10
         3   2      100 100      4     -> 120      60     150   60
         4   3      30  30       2     -> 10       10     100   10
         5   4      80  80       2     -> 40       160    250   160",
    )
    .by_node()
    .gives("compress", "conservative")
    .gives("replan", "conservative:variant=replan")
    .gives("fixed", "conservative:variant=fixed")
    .gives("easy", "easy");
}

#[test]
fn a_part_of_a_device_is_on_one_device() {
    // Jobs 1 to 4 leave 400 of each device free, 1600 in all: job 5 waits for 600, job 6 fits beside job 1.
    let six = page(
        8,
        "job submit run estimate procs gpu  -> fits easy
         1   0      100 100      1     600  -> 0    0
         2   0      100 100      1     600  -> 0    0
         3   0      100 100      1     600  -> 0    0
         4   0      50  50       1     600  -> 0    0
         5   1      10  10       1     600  -> 50   50
         6   2      10  10       1     400  -> 2    2
         7   3      10  10       1     2000 -> 100  100",
    )
    .unequal(&[&[4, 2000], &[4, 2000]])
    .devices("gpu", 1000)
    .tasks_of(4);
    let outcome = six.outcome("fits", "first-fit");
    let devices = |job: u32| {
        outcome
            .places
            .at(JobId(job), outcome.start(JobId(job)))
            .iter()
            .map(|at| (at.node, at.devices))
            .collect::<Vec<_>>()
    };
    assert_eq!([0, 1, 2, 3].map(devices), [[(0, 1)], [(0, 2)], [(1, 1)], [(1, 2)]].map(Vec::from));
    assert_eq!((devices(4), devices(5), devices(6)), (vec![(1, 2)], vec![(0, 1)], vec![(0, 3)]));
    let specs = ["easy", "conservative", "depth:k=2", "selective"];
    specs.into_iter().fold(six, |six, spec| six.gives("easy", spec));
}

#[test]
fn a_part_goes_to_the_fullest_device_with_room() {
    // Job 3 joins job 2, not the empty third device, so that job 4 finds a whole one.
    page(
        16,
        "job submit run estimate procs gpu  -> start
         1   0      100 100      1     700  -> 0
         2   0      100 100      1     500  -> 0
         3   1      100 100      1     400  -> 1
         4   2      100 100      1     1000 -> 2",
    )
    .unequal(&[&[8, 3000], &[8, 0]])
    .devices("gpu", 1000)
    .tasks_of(8)
    .gives("start", "fcfs");
}

#[test]
fn more_than_a_device_is_whole_devices() {
    // 1500 are two devices: of the three, one is left for job 2, and job 3 waits.
    page(
        16,
        "job submit run estimate procs gpu  -> start
         1   0      100 100      1     1500 -> 0
         2   0      100 100      1     800  -> 0
         3   1      100 100      1     300  -> 100",
    )
    .unequal(&[&[8, 3000], &[8, 0]])
    .devices("gpu", 1000)
    .tasks_of(8)
    .gives("start", "easy");
}

#[test]
fn devices_of_a_node_out_of_service_are_not_there() {
    page(
        16,
        "job submit run estimate procs gpu -> start
         1   0      100 100      1     600 -> 0
         2   5      100 100      1     600 -> 5
         3   5      100 100      1     600 -> 50",
    )
    .unequal(&[&[8, 2000], &[8, 1000]])
    .devices("gpu", 1000)
    .tasks_of(8)
    .calendar("calendar", "[[event]]\nkind = \"drain\"\nfrom = 1\nto = 50\nnodes = \"1\"\n")
    .gives("start", "first-fit")
    .gives("start", "easy");
}
