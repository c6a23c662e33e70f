//! Machines with nodes: tasks are whole on one node, reservations are placements.

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
fn the_rule_of_host_selection_decides_who_finds_a_node_whole() {
    // Jobs 1 and 2 leave 1 and 3 processors. First fit puts job 3 on node 0, best fit too; worst fit takes
    // a processor of node 1, and job 4 has to wait for node 0.
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
    // Each node has two processors free. Head 3, one task of four, is to have node 0 at 100. Job 4 outlasts that and
    // goes to node 1; for job 5 two processors are left, on node 0, until 100 only: a pool would start it at 3.
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
fn a_reservation_knows_when_the_last_smaller_task_finds_room() {
    // Head 4 is a task of three, for which node 1 has room at once, and one of one, for which node 0 has room when
    // job 2 ends at 50, though still not for a whole task. Job 5 would be on node 1 until 62.
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
