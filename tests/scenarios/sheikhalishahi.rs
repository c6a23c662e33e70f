//! Multi-capacity bin-packing, with scores computed by hand.
//!
//! On most pages, jobs 1 and 2 are pinned to nodes by their partitions, so that the nodes differ. Nodes have
//! 4 processors, 8 of memory and 16 of disk: requests are written in sixteenths, (p, m, d).

use crate::lab::{Page, page};

fn packed(table: &str) -> Page {
    page(4, table).with("memory", 8).with("disk", 16).nodes(2).partitions(&[&[1], &[2]]).tasks_of(4)
}

#[test]
fn a_task_goes_to_the_node_whose_free_resources_it_requests() {
    // Free on node 0: 1/4, 1/2, 3/4, weights -2, 0, 2; on node 1: 3/4, 1/2, 1/8, weights 2, 0, -2. Job 3 asks
    // for (4, 4, 2): -8 + 4 = -4 on node 0, 8 - 4 = 4 on node 1. On node 1 it leaves a processor and 12 of
    // disk on node 0 to job 4, which has to wait for the end of job 3 under first fit.
    packed(
        "job submit run estimate procs memory disk partition -> mcbp first
         1   0      100 100      3     4      4    1         -> 0    0
         2   0      100 100      1     4      14   2         -> 0    0
         3   1      50  50       1     2      2    -1        -> 1    1
         4   2      10  10       1     1      12   -1        -> 2    51",
    )
    .gives("mcbp", "bkfl")
    .gives("mcbp", "bkfl:pairs=printed")
    .gives("mcbp", "mcbp")
    .gives("mcbp", "easy:place=mcbp")
    .gives("mcbp", "fcfs:host=mcbp")
    .gives("first", "bkfl:host=first-fit")
    .gives("first", "mcbp:place=first-fit");
}

#[test]
fn as_printed_the_algorithm_misses_a_pair() {
    // Free on node 0: 3/4, 1/2, 1/4, weights 2, 0, -2, as printed 2, -1, -1; on node 1: 3/4, 1/4, 1/2,
    // weights 2, -2, 0, as printed 2, -1, -1. Job 3 asks for (4, 2, 4): 8 - 8 = 0 on node 0 and 8 - 4 = 4 on
    // node 1; as printed 8 - 2 - 4 = 2 on both, so that it takes the memory of node 0 that job 4 needs.
    packed(
        "job submit run estimate procs memory disk partition -> all printed
         1   0      100 100      1     4      12   1         -> 0   0
         2   0      100 100      1     6      8    2         -> 0   0
         3   1      50  50       1     1      4    -1        -> 1   1
         4   2      10  10       1     4      0    -1        -> 2   51",
    )
    .gives("all", "bkfl")
    .gives("printed", "bkfl:pairs=printed")
    .gives("all", "mcbp")
    .gives("printed", "mcbp:pairs=printed");
}

#[test]
fn raw_requests_weigh_by_their_units() {
    // Free on node 0: 3/4, 1/2, 1/4, weights 2, 0, -2; on node 1: 3/4, 1/2, 5/8, weights 2, -2, 0. Job 3 asks
    // for (4, 6, 4), raw 1, 3, 4: 8 - 8 = 0 on node 0 against 8 - 12 = -4; raw 2 - 8 = -6 against 2 - 6 = -4.
    packed(
        "job submit run estimate procs memory disk partition -> normalised raw
         1   0      100 100      1     4      12   1         -> 0          0
         2   0      100 100      1     4      6    2         -> 0          0
         3   1      50  50       1     3      4    -1        -> 1          1
         4   2      10  10       1     4      5    -1        -> 2          51",
    )
    .gives("normalised", "bkfl")
    .gives("raw", "bkfl:req=raw");
}

#[test]
fn fractions_are_those_of_the_node_where_nodes_differ() {
    // Free on node 0: 2 of 4 and 12 of 16, weights -1, 1; on node 1: 4 of 8 and 2 of 8, weights 1, -1. Job 3
    // asks for 2 and 2: 1/8 - 1/2 on node 0, 1/4 - 1/4 on node 1; raw 0 on both, which is node 0.
    page(
        4,
        "job submit run estimate procs memory partition -> normalised raw
         1   0      100 100      2     4      1         -> 0          0
         2   0      100 100      4     6      2         -> 0          0
         3   1      50  50       2     2      -1        -> 1          1
         4   2      10  10       2     3      -1        -> 2          51",
    )
    .unequal(&[&[4, 16], &[8, 8]])
    .partitions(&[&[1], &[2]])
    .tasks_of(8)
    .gives("normalised", "bkfl")
    .gives("raw", "bkfl:req=raw");
}

#[test]
fn the_queue_is_ranked_by_the_match_with_all_nodes() {
    // At 2 memory is freer on node 0, processors on node 1: all scores are 0. At 10 node 0 is empty, and node
    // 1 has 3/4 and 2/8: scores are p/4 - m/8, for job 3 1 - 3/4, for job 4 1 - 1/4.
    let page = page(
        4,
        "job submit run estimate procs memory partition -> mcbp bkfl
         1   0      10  10       4     2      1         -> 0    0
         2   0      100 100      1     6      2         -> 0    0
         3   1      20  20       4     6      -1        -> 30   10
         4   2      20  20       4     2      -1        -> 10   30",
    )
    .with("memory", 8)
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .tasks_of(4);
    // Jobs 1 and 2 have equal scores on the empty machine at 0, jobs 3 and 4 at 2.
    let outcome = page.gives("bkfl", "bkfl").outcome("mcbp", "mcbp");
    assert_eq!(outcome.ties["queue scores"], (6, 4));
}

#[test]
fn all_tasks_may_count_for_the_queue_score() {
    // Node 0 is full, then empty; on node 1 processors are freer, 3/4 against 2/8: scores are p/4 - m/8. Job
    // 3 is four tasks of (1, 1), 1/8 each and 1/2 together; job 4 is one of (1, 0), 1/4. Both need node 0.
    page(
        4,
        "job submit run estimate procs memory partition -> task job
         1   0      10  10       4     8      1         -> 0    0
         2   0      100 100      1     6      2         -> 0    0
         3   1      20  20       4     4      1         -> 30   10
         4   2      20  20       1     0      1         -> 10   30",
    )
    .with("memory", 8)
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .gives("task", "mcbp")
    .gives("job", "mcbp:per=job");
}

#[test]
fn a_pool_is_one_node_and_a_job_one_task() {
    // At 50, when job 2 ends, 2 of 4 processors are free and 7 of 8 of memory: scores are m/8 - p/4, for job
    // 3 5/8 - 2/4, for job 4 7/8 - 1/4.
    page(
        4,
        "job submit run estimate procs memory -> mcbp bkfl
         1   0      100 100      2     1      -> 0    0
         2   0      50  50       1     1      -> 0    0
         3   1      30  30       2     5      -> 80   50
         4   2      30  30       1     7      -> 50   80",
    )
    .with("memory", 8)
    .gives("bkfl", "bkfl")
    .gives("bkfl", "easy")
    .gives("mcbp", "mcbp")
    .gives("mcbp", "mcbp:req=raw")
    .by_node()
    .tasks_of(4)
    .gives("mcbp", "mcbp");
}

#[test]
fn two_reservations_protect_the_second_in_the_queue() {
    // Job 4, on the processor that head 2 leaves free, delays job 3 from 150 to 163.
    page(
        4,
        "job submit run estimate procs -> none one two
         1   0      100 100      3     -> 0    0   0
         2   1      50  50       3     -> 100  100 100
         3   2      20  20       4     -> 163  163 150
         4   3      160 160      1     -> 3    3   170",
    )
    .gives("none", "mcbp:reservations=0")
    .gives("one", "mcbp")
    .gives("two", "mcbp:reservations=2")
    .gives("two", "bkfl:reservations=inf");
}

#[test]
fn a_reservation_is_lost_to_a_better_match_unless_it_is_kept() {
    // Memory is freer throughout: scores are m/8 - p/5, for job 3 1/8 - 4/5, for job 4 7/8 - 2/5. Job 3 got
    // the reservation at 1, for 100.
    page(
        5,
        "job submit run  estimate procs memory -> again kept
         1   0      1000 1000     1     1      -> 0    0
         2   0      100  100      3     1      -> 0    0
         3   1      50   50       4     1      -> 150  100
         4   2      50   50       2     7      -> 100  150",
    )
    .with("memory", 8)
    .gives("again", "mcbp")
    .gives("kept", "mcbp:keep=true")
    .gives("kept", "bkfl:keep=true")
    .gives("kept", "bkfl");
}

#[test]
fn a_kept_reservation_moves_up_when_a_job_ends_early() {
    // Job 2 is expected to end at 100 and ends at 40; job 3 starts then.
    page(
        4,
        "job submit run estimate procs -> start
         1   0      20  200      1     -> 0
         2   0      40  100      3     -> 0
         3   1      50  50       3     -> 40
         4   2      10  10       4     -> 90",
    )
    .gives("start", "bkfl:keep=true")
    .gives("start", "bkfl:keep=true,reservations=inf")
    .gives("start", "bkfl");
}

#[test]
fn decisions_may_come_in_cycles() {
    page(
        4,
        "job submit run estimate procs -> cycle event
         1   0      10  10       4     -> 0     0
         2   5      20  20       4     -> 30    10
         3   31     5   5        4     -> 60    31
         4   60     5   5        4     -> 90    60",
    )
    .gives("event", "mcbp")
    .gives("event", "mcbp:cycle=0")
    .gives("cycle", "mcbp:cycle=30")
    .events("periodic:30")
    .gives("cycle", "mcbp")
    .gives("cycle", "mcbp:cycle=30");
}

#[test]
fn nodes_may_be_scored_by_what_is_free_for_the_whole_stay() {
    // Node 0 has 3 processors free, and 1 from 100 on, when job 3 has its reservation; node 1 has 2. Worst
    // fit takes node 0 for job 4 by the processors free at its start, node 1 by those free for its whole run
    // time.
    page(
        5,
        "job submit run  estimate procs partition -> start stay
         1   0      100  100      2     1         -> 0     0
         2   0      1000 1000     3     2         -> 0     0
         3   1      50   50       4     1         -> 100   100
         4   2      200  200      1     -1        -> 2     2
         5   3      10   10       2     2         -> 3     202",
    )
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .tasks_of(5)
    .gives("start", "bkfl:place=worst-fit")
    .gives("stay", "bkfl:place=worst-fit,availability=stay");
}

#[test]
fn tasks_may_share_a_node_or_not_and_nodes_be_ranked_once_per_job() {
    // Job 1 is two tasks with 4 of memory each: both on node 0, or one on each node, where job 2 has to wait.
    page(
        4,
        "job submit run estimate procs memory -> shared spread
         1   0      50  50       2     8      -> 0      0
         2   1      10  10       1     8      -> 1      50",
    )
    .with("memory", 8)
    .nodes(2)
    .gives("shared", "bkfl:place=first-fit")
    .gives("spread", "bkfl:place=first-fit,share=false")
    .gives("spread", "bkfl:place=worst-fit")
    .gives("shared", "bkfl:place=worst-fit,rescore=job")
    .gives("spread", "bkfl:place=worst-fit,rescore=job,share=false");
}

#[test]
fn the_last_task_of_a_job_finds_its_node_too() {
    // Job 3 has a task of four, for which only node 0 has room, at 50, and one of one: nodes of three never
    // have room for a whole task, but at 100 node 1 has room for the rest.
    page(
        4,
        "job submit run estimate procs partition -> start
         1   0      100 100      3     2         -> 0
         2   0      50  50       4     1         -> 0
         3   1      10  10       5     -1        -> 100
         4   2      40  40       4     1         -> 50",
    )
    .unequal(&[&[4], &[3]])
    .partitions(&[&[1], &[2]])
    .tasks_of(4)
    .gives("start", "mcbp")
    .gives("start", "easy")
    .gives("start", "depth:k=inf");
}
