//! Gang scheduling after Zhang et al. 2000: jobs take turns, row by row.

use batchlab::Outcome;

use crate::lab::{page, play};

/// Ends in seconds, job by job.
#[track_caller]
fn ends_at(outcome: &Outcome, ends: &[f64]) {
    let theirs: Vec<f64> = outcome.end.iter().map(|end| end.secs()).collect();
    assert_eq!(theirs, ends);
}

#[test]
fn two_rows_take_turns() {
    // 0-10 job 1, 10-20 job 2, 20-30 job 1, 30-40 job 2, whose row is empty then: job 1 continues until 50.
    let outcome = page(
        4,
        "job submit run estimate procs -> gs fcfs
         1   0      30  30       4     -> 0  0
         2   0      20  20       4     -> 10 30",
    )
    .gives("fcfs", "gs:mpl=1,slice=10")
    .outcome("gs", "gs:mpl=2,slice=10");
    ends_at(&outcome, &[50.0, 40.0]);
}

#[test]
fn a_job_alone_in_its_columns_runs_in_every_row() {
    // 1 1 2 2
    // 3 3 2' 2'
    let outcome = page(
        4,
        "job submit run estimate procs -> gs
         1   0      18  20       2     -> 0
         2   0      29  30       2     -> 0
         3   0      20  20       2     -> 10",
    )
    .outcome("gs", "gs:mpl=2,slice=10");
    // Job 1 ends at 28: job 3, which has run for 10 s by then, is in both rows from then on.
    ends_at(&outcome, &[28.0, 29.0, 38.0]);
}

/// Job 3 arrives at 5, half-way through the slice of job 1.
#[test]
fn a_slice_that_an_event_cuts_goes_on_or_gives_way() {
    let arrival = page(
        4,
        "job submit run estimate procs -> continue next first
         1   0      20  20       4     -> 0        0    0
         2   0      20  20       4     -> 10       5    15
         3   5      9   10       4     -> 20       15   25",
    );
    // 5-10 job 1, 10-20 job 2, 20-29 job 3; row 2 is empty: 29-39 job 1, 39-49 job 2.
    ends_at(&arrival.outcome("continue", "gs:mpl=3,slice=10"), &[39.0, 49.0, 29.0]);
    // 5-15 job 2, 15-24 job 3, 24-34 job 1, 34-44 job 2, 44-49 job 1.
    ends_at(&arrival.outcome("next", "gs:mpl=3,slice=10,after-event=next"), &[49.0, 44.0, 24.0]);
    // 5-15 job 1, 15-25 job 2, 25-34 job 3, 34-39 job 1; row 0 is empty: 39-49 job 2.
    ends_at(&arrival.outcome("first", "gs:mpl=3,slice=10,after-event=first"), &[39.0, 49.0, 34.0]);
}

/// A switch takes 1 s of each slice of 10 s.
#[test]
fn every_slice_begins_with_a_switch() {
    let two = page(
        4,
        "job submit run estimate procs -> gs
         1   0      18  18       4     -> 0
         2   0      17  17       4     -> 10",
    );
    // 0-10, 20-30 job 1: 9 s each. 10-20, 30-39 job 2: 9 s and 8 s.
    ends_at(&two.outcome("gs", "gs:mpl=2,slice=10,cs=0.1"), &[30.0, 39.0]);
}

/// The arrival at 13 cuts the slice of job 1, although job 2 has to wait until job 1 has ended.
#[test]
fn a_slice_cut_short_pays_for_its_switch_too() {
    let cut = page(
        4,
        "job submit run estimate procs -> all changed
         1   0      18  18       4     -> 0   0
         2   13     18  18       4     -> 22  19",
    );
    // Job 1: 9 s by 10, 2 s by 13, 6 s by 20, the rest in 20-22. Job 2: 7 s in 22-30, 9 s in 30-40, 2 s in
    // 40-43.
    ends_at(&cut.outcome("all", "gs:mpl=1,slice=10,cs=0.1"), &[22.0, 43.0]);
    // Job 1 pays once, and ends at 19. Job 2 pays in 19-20, the rest of the slice, and runs from then on.
    ends_at(&cut.outcome("changed", "gs:mpl=1,slice=10,cs=0.1,cs-charge=changed"), &[19.0, 38.0]);
}

/// Job 3 fits nowhere before job 1 or 2 ends; row 1 always has room for job 4.
#[test]
fn backfilling_starts_every_job_that_delays_no_other() {
    let page = page(
        4,
        "job submit run estimate procs -> gs bgs
         1   0      35  40       4     -> 0  0
         2   0      36  40       2     -> 10 10
         3   1      10  10       4     -> 65 65
         4   2      38  40       2     -> 70 10",
    );
    // Job 1 ends in 60-70, its fourth slice; job 3 gets the rest of it, and its other part when row 1 is
    // empty or over.
    ends_at(&page.outcome("gs", "gs:mpl=2,slice=10"), &[65.0, 76.0, 85.0, 113.0]);
    ends_at(&page.outcome("bgs", "bgs:mpl=2,slice=10"), &[65.0, 76.0, 83.0, 78.0]);
}

/// Estimates count double, from the first start on: job 1 is to end at 100; job 2, which starts at 10, at 90.
/// Job 3 therefore holds row 1 at 90. Job 4 would be there from 12 to 92, job 5 is to be there from 13 to 90.
#[test]
fn no_job_is_backfilled_into_a_reservation() {
    let outcome = page(
        4,
        "job submit run  estimate procs -> bgs
         1   0      45   50       4     -> 0
         2   0      36   40       2     -> 10
         3   11     10   10       4     -> 79
         4   12     30   40       2     -> 85
         5   13     36   38.5     2     -> 13",
    )
    .outcome("bgs", "bgs:mpl=2,slice=10");
    // Job 5 ends at 79: job 3 gets the rest of that slice. Job 1 ends at 85: job 4 gets the rest of that
    // slice. Job 3 ends at 99, in the next slice; then only job 4 is left.
    ends_at(&outcome, &[85.0, 76.0, 99.0, 124.0, 79.0]);
}

/// Job 2 ends at 28. Job 1 has 3 processors in row 0; job 3 has 4 in row 1, some of them the same: job 1
/// moves to others. It pays 4 s, and job 3 waits for its checkpoint, 2 s. Both are in both rows then.
#[test]
fn a_migration_costs_the_moved_job_and_the_jobs_that_wait_for_it() {
    let page = page(
        8,
        "job submit run estimate procs -> starts
         1   0      30  30       3     -> 0
         2   0      18  20       5     -> 0
         3   0      25  30       4     -> 10",
    );
    // Job 1 has run for 18 s at 28. Without migration, the next slices of row 0 are 28-30 and 40-50.
    ends_at(&page.outcome("starts", "gs:mpl=2,slice=10"), &[50.0, 28.0, 55.0]);
    ends_at(&page.outcome("starts", "mgs:mpl=2,slice=10,c=4,q=3"), &[44.0, 28.0, 45.0]);
    ends_at(&page.outcome("starts", "mgs:mpl=2,slice=10,q=3"), &[40.0, 28.0, 43.0]);
    ends_at(&page.outcome("starts", "mbgs:mpl=2,slice=10,c=4,q=3"), &[44.0, 28.0, 45.0]);
    // Job 1 has one task more than may move.
    ends_at(&page.outcome("starts", "mgs:mpl=2,slice=10,c=4,q=2"), &[50.0, 28.0, 55.0]);
    // Four tasks may move: at 0 job 3 moves for a replica of job 1, before either has run.
    ends_at(&page.outcome("starts", "mgs:mpl=2,slice=10,c=4"), &[30.0, 28.0, 43.0]);
}

/// At 130 job 1 ends and row 0 is removed. Of the two ways to put job 2 into row 1, where job 3 uses its
/// processor, option 2 is cheaper (C·1 + C/2·2 against C/2·1 + C·2). Job 2 moves and pays C = 20 s; job 3,
/// the only job of S(A), waits C/2 = 10 s. Then Fill replicates job 2 into row 2: job 4, which has never run,
/// is not part of the migration.
#[test]
fn a_migration_charges_no_job_outside_its_row() {
    let outcome = page(
        3,
        "job submit run estimate procs -> mgs
         1   30     100 100      1     -> 30
         2   40     100 100      1     -> 40
         3   50     300 300      2     -> 130
         4   80     150 150      2     -> 160",
    )
    .outcome("mgs", "mgs:mpl=3,cs=0,c=20,after-event=next");
    ends_at(&outcome, &[130.0, 160.0, 590.0, 310.0]);
}

/// Jobs reach the waiting threshold in cycles without an event, and go first from then on. Reservations keep
/// the order in which they were made, whether they are computed at once, as for a journal, or when they are
/// needed.
#[test]
fn reservations_keep_the_order_in_which_they_were_made() {
    let spec = "bgs:mpl=3,slice=20,cs=0.5,after-event=next,inflate=mpl+cs,order=saf,threshold=20";
    let log = page(
        7,
        "job submit run estimate procs -> bgs
         1   0      1   1        1     -> 0
         2   0      1   1        7     -> 7
         3   0      1   1        3     -> 0
         4   0      5   5        1     -> 0
         5   1      1   1        1     -> 14
         6   5      0   0        1     -> 14
         7   5      0   20       5     -> 49
         8   5      5   5        7     -> 60
         9   5      20  20       1     -> 14
         10  5      0   0        1     -> 14
         11  5      5   5        7     -> 77
         12  5      1   1        1     -> 14
         13  5      0   5        1     -> 14
         14  8      0   0        1     -> 14
         15  15     0   0        1     -> 21",
    )
    .events("periodic:7");
    let outcome = log.outcome("bgs", spec);
    let mut journalled = log.play();
    journalled.journal = true;
    assert_eq!(play(&journalled, spec).0.start, outcome.start);
}
