//! Slack-based backfilling: planned starts may be delayed up to a slack.

use crate::lab::page;

#[test]
fn a_job_may_be_delayed_up_to_its_slack_and_no_further() {
    // The slack is half the estimate: job 2 is planned at 100 and has the limit 125. Job 3 delays it to 122;
    // job 4 would delay it to 131; job 5 delays it to 125, and job 4 from 172 to 175, whose limit is 187. If
    // no ended job has waited, the mean wait gives no slack.
    page(
        4,
        "job submit run estimate procs -> none half
         1   0      100 100      3     -> 0    0
         2   1      50  50       4     -> 100  125
         3   2      120 120      1     -> 150  2
         4   101    30  30       2     -> 150  175
         5   102    23  23       2     -> 180  102",
    )
    .gives("none", "conservative:variant=replan")
    .gives("none", "slack:factor=0")
    .gives("none", "slack:factor=0,of=estimate")
    .gives("none", "slack")
    .gives("half", "slack:factor=0.5,of=estimate");
}

#[test]
fn the_slack_is_the_mean_wait_of_those_that_had_ended_when_the_job_was_first_planned() {
    // At 21 jobs 1 and 2 have ended, after waits of 0 and 10: job 4, planned at 40, has the limit 45, job 5,
    // planned at 50, has 55. Job 5 itself would delay job 4 to 46; job 6 delays them to 45 and 55.
    page(
        2,
        "job submit run estimate procs -> none mean
         1   0      10  10       2     -> 0    0
         2   0      10  10       2     -> 10   10
         3   12     20  20       1     -> 20   20
         4   21     10  10       2     -> 40   45
         5   22     24  24       1     -> 50   55
         6   23     22  22       1     -> 50   23",
    )
    .gives("none", "slack:factor=0")
    .gives("mean", "slack")
    .gives("mean", "slack:factor=1")
    // A tick less is too little.
    .gives("none", "slack:factor=0.9999998");
}

#[test]
fn the_candidate_order_decides_which_job_uses_the_slack() {
    // Either of jobs 3 and 4 finds a processor, and both delay job 2 to 110 at most, its limit.
    page(
        4,
        "job submit run estimate procs -> fcfs ljf
         1   0      100 100      3     -> 0    0
         2   1      20  20       4     -> 106  110
         3   2      104 104      1     -> 2    130
         4   2      108 108      1     -> 126  2",
    )
    .gives("fcfs", "slack:factor=0.5,of=estimate")
    .gives("ljf", "slack:factor=0.5,of=estimate,candidates=ljf");
}

#[test]
fn on_nodes_the_plan_has_placements() {
    // Jobs 3 and 4, tasks of four, are planned on node 0 at 100 and on node 1 at 110, with the limits 125 and
    // 175. Job 5 occupies a processor of node 0 until 123: job 3 moves to node 1, job 4 to node 0.
    page(
        4,
        "job submit run estimate procs -> none half
         1   0      100 100      3     -> 0    0
         2   0      110 110      3     -> 0    0
         3   1      50  50       4     -> 100  110
         4   2      130 130      4     -> 110  123
         5   3      120 120      1     -> 150  3",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("none", "slack:factor=0")
    .gives("half", "slack:factor=0.5,of=estimate");
}
