//! More than one resource.

use crate::lab::page;

#[test]
fn memory_blocks_a_job_though_processors_are_free_and_extra_counts_per_resource() {
    // Head 2 lacks memory until 100; extra at that time are 2 processors and 5 of memory. Job 3 fits both.
    // This leaves 1 and 2: job 4 needs two processors, job 5 fits. Without a reservation, job 4 starts and
    // delays job 2.
    page(
        4,
        "job submit run estimate procs memory -> fcfs first-fit easy
         1   0      100 100      1     6      -> 0    0         0
         2   1      10  10       2     5      -> 100  203       100
         3   2      200 200      1     3      -> 100  2         2
         4   3      200 200      2     1      -> 110  3         110
         5   4      200 200      1     1      -> 110  100       4",
    )
    .with("memory", 10)
    .gives("first-fit", "first-fit")
    .gives("fcfs", "fcfs")
    .gives("easy", "easy")
    .gives("easy", "depth:k=1");
}

#[test]
fn a_reservation_holds_every_resource() {
    // Job 3 has processors at any time, but memory only before or after job 2's reservation.
    page(
        8,
        "job submit run estimate procs memory gpu -> start
         1   0      100 100      2     6      1   -> 0
         2   1      50  50       2     7      0   -> 100
         3   2      60  60       1     4      0   -> 2
         4   3      99  99       1     4      0   -> 150
         5   4      300 300      1     0      1   -> 4",
    )
    .with("memory", 10)
    .with("gpu", 2)
    .gives("start", "conservative")
    .gives("start", "conservative:variant=replan")
    .gives("start", "conservative:variant=fixed")
    .gives("start", "depth:k=2");
}
