//! Orders that depend on memory, on users and on free resources; starts computed by hand.

use crate::lab::page;

#[test]
fn the_smallest_memory_goes_first_and_equal_ones_in_the_order_of_submission() {
    page(
        8,
        "job submit run estimate procs memory -> start
         1   0      100 100      8     50     -> 0
         2   10     50  50       5     40     -> 250
         3   20     50  50       5     10     -> 100
         4   30     50  50       5     20     -> 150
         5   40     50  50       5     20     -> 200",
    )
    .with("memory", 50)
    .gives("start", "fcfs:order=smf")
    .gives("start", "fcfs:order=expr(`memory`)")
    .gives("start", "easy:order=smf")
    .gives("start", "conservative:variant=replan,order=smf");
}

#[test]
fn dominant_shares_are_evened_out_as_in_the_example_of_ghodsi_and_others() {
    // 9 processors and 18 GB; a job of user 1 takes 1 and 4, one of user 2 takes 3 and 1. The users are
    // served in the order 1, 2, 1, 2, 1; then both have 2/3: user 1 of the memory, user 2 of the processors.
    // At 60 user 2 holds nothing and goes first.
    page(
        9,
        "job submit run estimate procs memory user -> fcfs drf
         1   0      100 100      1     4      1    -> 0    0
         2   0      100 100      1     4      1    -> 0    0
         3   0      100 100      1     4      1    -> 0    0
         4   0      100 100      1     4      1    -> 0    60
         5   0      60  60       3     1      2    -> 0    0
         6   0      60  60       3     1      2    -> 60   0
         7   0      60  60       3     1      2    -> 100  60",
    )
    .with("memory", 18)
    .gives("fcfs", "fcfs")
    .gives("drf", "fcfs:order=drf")
    .gives("drf", "first-fit:order=drf")
    .gives("drf", "easy:order=drf")
    .gives("drf", "depth:k=2,order=drf");
}

#[test]
fn every_start_changes_the_next_candidate() {
    // Head 2 gets all processors at 100. In the order of submission user 1 gets both places beside it; by
    // dominant shares, user 2 is next once job 3 runs.
    page(
        8,
        "job submit run estimate procs user -> easy drf
         1   0      100 100      4     9    -> 0    0
         2   1      10  10       8     9    -> 100  100
         3   2      40  40       2     1    -> 2    2
         4   2      40  40       2     1    -> 2    42
         5   2      40  40       2     2    -> 42   2
         6   2      40  40       2     2    -> 42   42",
    )
    .gives("easy", "easy")
    .gives("drf", "easy:candidates=drf")
    .gives("drf", "depth:k=1,candidates=drf")
    .gives("drf", "first-fit:order=drf")
    .gives("drf", "fcfs:order=drf")
    .events("submit-first")
    .gives("easy", "easy:candidates=drf");
}

#[test]
fn tetris_takes_the_job_that_uses_most_of_the_freest_resource() {
    // At 1, 2 of 10 processors and 8 of 10 units of memory are free: the alignments of jobs 2 to 4 are 0.12,
    // 0.58, 0.20.
    page(
        10,
        "job submit run estimate procs memory -> fcfs tetris
         1   0      100 100      8     2      -> 0    0
         2   1      10  10       2     1      -> 1    21
         3   1      10  10       1     7      -> 11   1
         4   1      10  10       2     2      -> 21   11",
    )
    .with("memory", 10)
    .gives("fcfs", "first-fit")
    .gives("tetris", "first-fit:order=tetris")
    .gives("tetris", "fcfs:order=tetris")
    .gives("tetris", "easy:order=tetris");
}

#[test]
fn alignments_are_recomputed_after_each_start() {
    // On the empty machine the alignments are 0.8, 0.7 and 0.6. Once job 1 runs, job 3 is ahead of job 2 with
    // 0.44 to 0.40.
    page(
        10,
        "job submit run estimate procs memory -> fcfs tetris
         1   0      20  20       6     2      -> 0    0
         2   0      10  10       4     3      -> 0    10
         3   0      10  10       1     5      -> 10   0",
    )
    .with("memory", 10)
    .gives("fcfs", "fcfs")
    .gives("tetris", "fcfs:order=tetris")
    .gives("tetris", "first-fit:order=tetris")
    .gives("tetris", "depth:k=2,candidates=tetris,order=tetris");
}

#[test]
fn remaining_work_weighs_as_much_as_alignment_at_a_weight_of_one() {
    // At 1 the mean alignment is 0.3 and the works are 3, 80 and 4, so that a unit of work weighs 0.3/29.
    // Jobs 2 to 4 score -0.09, 0.25 and -0.16. At 11 jobs 2 and 3 score -0.09 and 0.09.
    page(
        10,
        "job submit run estimate procs memory -> tetris srtf
         1   0      100 100      8     2      -> 0      0
         2   1      10  10       2     1      -> 100    11
         3   1      100 100      1     7      -> 1      21
         4   1      10  10       2     2      -> 100    1",
    )
    .with("memory", 10)
    .gives("tetris", "fcfs:order=tetris")
    .gives("tetris", "fcfs:order=tetris,srtf=0.001")
    .gives("srtf", "fcfs:order=tetris,srtf=1");
}

#[test]
fn fairshare_serves_the_user_with_the_least_recent_use() {
    // At 1500 user 1 has used 8,000 processor-seconds, user 2 has 4,000. Halved every 500 s, these are 2,164
    // and 2,885.
    page(
        8,
        "job submit run  estimate procs user -> total decayed
         1   0      1000 1000     8     1    -> 0     0
         2   0      500  500      8     2    -> 1000  1000
         3   10     100  100      8     2    -> 1500  1600
         4   10     100  100      8     1    -> 1600  1500",
    )
    .gives("total", "fcfs:order=fairshare,half-life=none")
    .gives("total", "fcfs:order=fairshare")
    .gives("decayed", "fcfs:order=fairshare,half-life=500")
    .gives("decayed", "easy:order=fairshare,half-life=500s")
    .gives("decayed", "conservative:variant=replan,order=fairshare,half-life=500");
}

#[test]
fn running_jobs_count_with_their_use_so_far() {
    // At 50 the running job 1 has used 200 processor-seconds for user 1, and job 2 has used 150 for user 2.
    page(
        8,
        "job submit run estimate procs user -> start
         1   0      100 100      4     1    -> 0
         2   0      50  50       3     2    -> 0
         3   5      10  10       4     1    -> 100
         4   6      100 100      4     2    -> 50",
    )
    .gives("start", "fcfs:order=fairshare");
}

#[test]
fn shares_are_of_the_whole_machine_where_it_has_nodes() {
    // User 1 holds half of the four nodes once job 1 runs: job 3 is next.
    page(
        2,
        "job submit run estimate procs user -> fcfs drf
         1   0      100 100      4     1    -> 0    0
         2   0      100 100      4     1    -> 0    50
         3   0      50  50       4     2    -> 100  0",
    )
    .nodes(4)
    .tasks_of(2)
    .gives("fcfs", "fcfs")
    .gives("drf", "fcfs:order=drf")
    .gives("drf", "easy:order=drf,place=best-fit")
    .gives("drf", "depth:k=inf,order=drf");
}
