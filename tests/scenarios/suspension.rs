//! Selective suspension: which job is suspended for which, and when.

use batchlab::Outcome;

use crate::lab::{Page, page};

fn ends(outcome: &Outcome) -> Vec<f64> {
    outcome.end.iter().map(|end| end.secs()).collect()
}

/// Compares starts with a column, and ends with a list.
#[track_caller]
fn gives(page: &Page, column: &str, spec: &str, list: &[f64]) {
    assert_eq!(ends(&page.outcome(column, spec)), list, "ends of `{spec}`");
}

#[test]
fn a_job_suspends_another_at_the_instant_its_factor_reaches_the_multiple() {
    // Job 1 has not waited: its factor is 1. Job 2 has factor 2 after 20 s in the queue, 3 after 40 s.
    // Routines run at 60 and at 120; in cycles of 7 s, 35 is the first instant after 30, and job 1 resumes at
    // 56.
    let table = page(
        4,
        "job submit run estimate procs -> 20 40 minute cycle inf
         1   0      100 100      4     -> 0  0  0      0     0
         2   10     20  20       4     -> 30 50 60     35    100",
    );
    for events in ["batch", "submit-first", "finish-first"] {
        let table = page(
            4,
            "job submit run estimate procs -> 20 40 minute inf
             1   0      100 100      4     -> 0  0  0      0
             2   10     20  20       4     -> 30 50 60     100",
        )
        .events(events);
        gives(&table, "20", "selective-suspension:interval=none", &[120.0, 50.0]);
        gives(&table, "20", "selective-suspension:interval=0", &[120.0, 50.0]);
        gives(&table, "20", "selective-suspension:interval=15", &[120.0, 50.0]);
        gives(&table, "20", "selective-suspension:interval=none,hold=memory", &[120.0, 50.0]);
        gives(&table, "40", "selective-suspension:interval=none,sf=3", &[120.0, 70.0]);
        gives(&table, "minute", "selective-suspension", &[120.0, 80.0]);
        gives(&table, "minute", "selective-suspension:sf=2.0001,interval=60", &[120.0, 80.0]);
        gives(&table, "inf", "selective-suspension:sf=inf", &[100.0, 120.0]);
        gives(&table, "inf", "first-fit:order=expansion", &[100.0, 120.0]);
    }
    gives(&table.events("periodic:7"), "cycle", "selective-suspension:interval=none", &[121.0, 55.0]);
}

#[test]
fn equals_do_not_change_places_without_end() {
    // With factor 2, the other job has ended first. With 1.5, job 2 has waited for 50 s, and job 1, suspended
    // then, would have to wait for 125. With 1.1 they alternate at 10, 31, 54.1, 79.51, 107.461, 138.2071 and
    // 172.02781, as often as a power of 1.1 is below 2; then job 2 ends, and job 1 has 10 s left minus the
    // time it ran beyond 94.87171.
    let table = page(
        4,
        "job submit run estimate procs -> two half tenth
         1   0      100 100      4     -> 0   0    0
         2   0      100 100      4     -> 100 50   10",
    );
    gives(&table, "two", "selective-suspension:interval=none", &[100.0, 200.0]);
    gives(&table, "half", "selective-suspension:interval=none,sf=1.5", &[200.0, 150.0]);
    let spec = "selective-suspension:interval=none,sf=1.1";
    let outcome = table.outcome("tenth", spec);
    let first: Vec<(f64, f64)> = outcome
        .intervals
        .iter()
        .filter(|interval| interval.job.0 == 0)
        .map(|interval| (interval.from.secs(), interval.to.secs()))
        .collect();
    let expected = [(0.0, 10.0), (31.0, 54.1), (79.51, 107.461), (138.2071, 172.02781), (194.87171, 200.0)];
    assert_eq!(first, expected);
    assert_eq!(ends(&outcome), [200.0, 194.87171]);
}

#[test]
fn a_job_may_suspend_jobs_of_at_most_twice_its_processors() {
    // Job 2 has the factor 2 at 10, and job 1 more than twice its processors. At 15 job 3 has factor 2 too;
    // job 2 takes the remaining processors. With any width, job 2 suspends job 1 at 10, and job 3 takes the
    // remaining processors.
    let table = page(
        8,
        "job submit run estimate procs -> half any
         1   0      200 200      8     -> 0    0
         2   0      10  10       3     -> 15   10
         3   5      10  10       4     -> 15   10",
    );
    gives(&table, "half", "selective-suspension:interval=none", &[210.0, 25.0, 25.0]);
    gives(&table, "any", "selective-suspension:interval=none,width=any", &[210.0, 20.0, 20.0]);
}

const SPARED: &str = "job submit run estimate procs -> spared never
         1   0      10  10       4     -> 0      0
         2   0      100 100      3     -> 10     10
         3   10     100 100      1     -> 10     10
         4   10     10  10       3     -> 22     110";

#[test]
fn the_lowest_factors_are_suspended_first_and_unneeded_victims_are_spared() {
    // Job 2 has factor 1.1, job 3 has 1. Job 4 has 2.2 at 22; job 3 would be suspended first and is not
    // needed.
    gives(&page(4, SPARED), "spared", "selective-suspension:interval=none", &[10.0, 120.0, 110.0, 32.0]);
}

#[test]
fn a_job_above_its_limit_is_not_suspended() {
    // Job 2 has factor 1.1. Of its category, up to 10 min on up to 8 processors, job 1 has ended, with the
    // slowdown 1.
    let never = [10.0, 110.0, 110.0, 120.0];
    let spared = [10.0, 120.0, 110.0, 32.0];
    let table = page(4, SPARED);
    for (limits, column, ends) in [
        ("limit=1.05", "never", &never),
        ("limit=1.1", "spared", &spared),
        ("limit=expr(if(procs=3,1,9))", "never", &never),
        ("tss=1.05", "never", &never),
        ("tss=1.1", "spared", &spared),
    ] {
        gives(&table, column, &format!("selective-suspension:interval=none,{limits}"), ends);
    }
}

#[test]
fn a_job_held_in_memory_frees_only_its_processors() {
    // Memory 10: 6 and 5 are too much while job 1 is held, 6 and 4 are not.
    let swap = "selective-suspension:interval=none";
    let memory = "selective-suspension:interval=none,hold=memory";
    let much = page(
        4,
        "job submit run estimate procs memory -> swap memory
         1   0      100 100      4     6      -> 0    0
         2   10     20  20       4     5      -> 30   100",
    )
    .with("memory", 10);
    gives(&much, "swap", swap, &[120.0, 50.0]);
    gives(&much, "memory", memory, &[100.0, 120.0]);
    let less = page(
        4,
        "job submit run estimate procs memory -> both
         1   0      100 100      4     6      -> 0
         2   10     20  20       4     4      -> 30",
    )
    .with("memory", 10);
    gives(&less, "both", swap, &[120.0, 50.0]);
    gives(&less, "both", memory, &[120.0, 50.0]);
}

#[test]
fn on_nodes_a_job_comes_back_anywhere_or_where_its_memory_is() {
    // At 20 job 2, the later of two equal jobs, is suspended on node 1. At 30 node 0 is free, at 40 node 1.
    let table = page(
        4,
        "job submit run estimate procs -> start
         1   0      30  30       4     -> 0
         2   0      100 100      4     -> 0
         3   0      20  20       4     -> 20",
    )
    .nodes(2)
    .tasks_of(4);
    gives(&table, "start", "selective-suspension:interval=none", &[30.0, 110.0, 40.0]);
    gives(&table, "start", "selective-suspension:interval=none,hold=memory", &[30.0, 120.0, 40.0]);
}

#[test]
fn the_fitting_job_with_the_highest_factor_starts_first_counting_suspended_time() {
    // At 100 jobs 2 and 3 have waited for 100 and 99 s: the shorter goes first, unless the order is another.
    page(
        4,
        "job submit run estimate procs -> factor fcfs
         1   0      100 100      4     -> 0      0
         2   0      900 900      3     -> 140    100
         3   1      40  40       4     -> 100    1000",
    )
    .gives("factor", "selective-suspension:sf=inf")
    .gives("fcfs", "selective-suspension:sf=inf,order=fcfs");
}

#[test]
fn a_job_that_replaces_others_waits_until_their_memory_is_written_out() {
    // Job 1 has 8 of 10 KB, which its four processors write out in 2 s. Job 2 starts at 32; job 3, which
    // would fit at 31, must not take the processors for which job 2 is waiting. At 52 job 3 has the factor
    // 3.1 and goes before job 1 (1.22), which is read in from 62 to 64 and has 70 s left.
    let spec = "selective-suspension:interval=none,swap=1KB/s";
    let less = page(
        4,
        "job submit run estimate procs memory -> start
         1   0      100 100      4     8      -> 0
         2   10     20  20       4     4      -> 32
         3   31     10  10       1     1      -> 52",
    )
    .with("memory", 10);
    gives(&less, "start", spec, &[134.0, 52.0, 62.0]);
    let service = less.outcome("start", spec).services[0];
    assert_eq!((service.suspensions, service.swaps, service.swapping.secs()), (1, 1, 4.0));
    // With 20 KB, enough is free at once.
    let more = page(
        4,
        "job submit run estimate procs memory -> start
         1   0      100 100      4     8      -> 0
         2   10     20  20       4     4      -> 30",
    )
    .with("memory", 20);
    gives(&more, "start", spec, &[122.0, 50.0]);
}
