//! Every queue order on four jobs that each need more than half of the machine, so that they run one by one.

use crate::lab::page;

#[test]
fn orders_of_size_and_length() {
    page(
        8,
        "job submit run estimate procs -> fcfs sjf ljf saf laf sqf lqf srf
         1   0      100 100      8     -> 0    0   0   0   0   0   0   0
         2   10     100 100      5     -> 100  240 100 160 180 100 240 240
         3   20     40  40       8     -> 200  120 280 120 280 300 100 120
         4   30     80  80       7     -> 240  160 200 260 100 220 140 160
         5   40     20  20       6     -> 320  100 320 100 320 200 220 100",
    )
    .gives("fcfs", "fcfs")
    .gives("sjf", "fcfs:order=sjf")
    .gives("ljf", "fcfs:order=ljf")
    .gives("saf", "fcfs:order=saf")
    .gives("laf", "fcfs:order=laf")
    .gives("sqf", "fcfs:order=sqf")
    .gives("lqf", "fcfs:order=lqf")
    .gives("srf", "fcfs:order=srf")
    .gives("saf", "depth:k=inf,order=saf")
    .gives("laf", "easy:order=laf");
}

#[test]
fn orders_that_change_while_jobs_wait() {
    // At 100 job 2 has the larger expansion factor (1.9 against 1.875), at 120 job 4 has (2.125 against 2.1).
    page(
        8,
        "job submit run estimate procs -> expansion wfp3 unicef
         1   0      100 100      8     -> 0         0    0
         2   10     100 100      5     -> 240       240  160
         3   20     40  40       8     -> 120       120  120
         4   30     80  80       7     -> 160       160  260
         5   40     20  20       6     -> 100       100  100",
    )
    .gives("expansion", "fcfs:order=expansion")
    .gives("wfp3", "fcfs:order=wfp3")
    .gives("unicef", "fcfs:order=unicef")
    .gives("wfp3", "first-fit:order=wfp3")
    .gives("unicef", "easy:order=unicef");
}

#[test]
fn orders_by_expression() {
    // Jobs that have waited 85 s go first, the widest of them first, then the shortest. At 100 jobs 2 and 3
    // have waited for 85 s (job 3 exactly), from 140 on all of them.
    page(
        8,
        "job submit run estimate procs -> waited length
         1   0      100 100      8     -> 0      0
         2   10     100 100      5     -> 240    240
         3   15     40  40       8     -> 100    120
         4   30     80  80       7     -> 140    160
         5   40     20  20       6     -> 220    100",
    )
    .gives("waited", "fcfs:order=expr(if(wait >= 85, -procs, estimate))")
    .gives("waited", "expr(if(wait >= 85, -procs, estimate))")
    .gives("waited", "easy:order=expr(if(wait >= 85s, -procs*1s, estimate))")
    .gives("length", "first-fit:order=expr(if(procs > 8, -procs, estimate))");
}

#[test]
fn jobs_go_first_after_a_time_of_their_own() {
    // Shortest first, but a job that has waited for twice its estimate goes before all others: job 4 from 70
    // on, 5 from 80, 3 from 95, and 2 from 130; these jobs are in the order of submission.
    page(
        8,
        "job submit run estimate procs -> none own
         1   0      100 100      8     -> 0    0
         2   10     60  60       5     -> 180  140
         3   15     40  40       8     -> 140  100
         4   30     20  20       7     -> 100  200
         5   40     20  20       6     -> 120  220",
    )
    .gives("none", "fcfs:order=sjf")
    .gives("own", "fcfs:order=sjf,threshold=expr(2*estimate)")
    .gives("own", "fcfs:order=expr(estimate),threshold=expr(min(2*estimate, 100h))")
    .gives("none", "fcfs:order=expr(estimate),threshold=expr(if(procs > 8, 1, 0/0))");
}

#[test]
fn learned_orders_weigh_the_submission_by_its_origin() {
    page(
        8,
        "job submit run  estimate procs -> f1    f1-first f2    f3    f4
         1   9000   1100 1100     8     -> 9000  9000     9000  9000  9000
         2   10000  100  100      8     -> 11110 10110    10110 10100 10100
         3   10010  1000 1000     5     -> 10110 10210    10610 10210 10610
         4   10020  10   10       7     -> 10100 10100    10100 10200 10200
         5   10030  400  400      6     -> 11210 11210    10210 11210 10210",
    )
    .gives("f1", "fcfs:order=f1")
    .gives("f1-first", "fcfs:order=f1,origin=first")
    .gives("f2", "fcfs:order=f2")
    .gives("f3", "fcfs:order=f3")
    .gives("f4", "fcfs:order=f4");
}
