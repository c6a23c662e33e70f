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
