//! Distributed hierarchical control under memory limits: Setia, Squillante and Naik 1999. Slices are 10 s
//! unless given.

use batchlab::outcome::Fate;
use batchlab::traces::workload::InteractiveRule;
use batchlab::traces::{JobId, Time};
use batchlab::{Outcome, policies::Registry};

use crate::lab::{Page, Play, page, try_play};

/// Jobs of user 7 are interactive, all others batch jobs. Memory is in KB, over all processors of a job.
fn scene(page: &Page) -> Play {
    let mut play = page.play();
    let rule = InteractiveRule::Condition("user = 7".into());
    let workload = (*play.scenario.workload).clone().with_interactive(&rule, &play.scenario.machine).unwrap();
    play.scenario.workload = workload.into();
    play
}

fn outcome(page: &Page, spec: &str) -> Outcome {
    let spec = if spec.contains("slice=") { spec.to_owned() } else { format!("{spec},slice=10") };
    try_play(&scene(page), &spec).unwrap_or_else(|unfit| panic!("{spec}: {unfit}")).0
}

/// Start and end of each job, in seconds.
fn times(page: &Page, spec: &str) -> Vec<(f64, f64)> {
    let outcome = outcome(page, spec);
    outcome.start.iter().zip(&outcome.end).map(|(start, end)| (start.secs(), end.secs())).collect()
}

/// One processor with 10 KB, swapped at 1 KB/s.
fn swapping() -> Page {
    page(
        1,
        "job submit run estimate procs memory user ->
         1   0      30  30       1     6      1
         2   0      30  30       1     6      1
         3   21     2   2        1     4      7
         4   22     2   2        1     5      7",
    )
    .with("memory", 10)
}

#[test]
fn memory_of_a_job_that_is_swapped_out_is_free_when_that_is_over() {
    // At 20 job 1 has executed for its quantum; its 6 KB are swapped out at 26. Meanwhile job 3 gets the
    // other 4; job 4 waits for 5, and goes first at 26: this leaves job 2 one KB short of 6. Job 2 runs from
    // 28 to 48 and is swapped out at 54. Both have had 20 s, and job 1 returned first: swapped in at 60,
    // ended at 70. Job 2 is swapped in at 76.
    let spec = "dhc:tl=20,decay=inf,swap=1KB/s";
    assert_eq!(times(&swapping(), spec), [(0.0, 70.0), (28.0, 86.0), (21.0, 23.0), (26.0, 28.0)]);
    let services = outcome(&swapping(), spec).services;
    let swapped: Vec<(u32, Time)> =
        services.iter().map(|service| (service.swaps, service.swapping)).collect();
    let twelve = (1, Time::from_secs(12));
    assert_eq!(swapped, [twelve, twelve, (0, Time::ZERO), (0, Time::ZERO)]);
}

#[test]
fn a_job_that_can_never_fit_is_rejected() {
    let page = page(
        3,
        "job submit run estimate procs memory ->
         1   0      5   5        2     2
         2   0      5   5        3     3
         3   1      5   5        1     11
         4   1      5   5        1     10",
    )
    .with("memory", 30);
    let outcome = outcome(&page, "dhc:map=least-loaded-only");
    let fates: Vec<Fate> = (0..4).map(|job| outcome.fate(JobId(job))).collect();
    assert_eq!(fates, [Fate::Finished, Fate::Rejected, Fate::Rejected, Fate::Finished]);
}

#[test]
fn missing_memory_and_wrong_values_are_reported() {
    let refused = |play: &Play, spec: &str| try_play(play, spec).map(|_| ()).unwrap_err().to_string();
    let bare = page(2, "job submit run estimate procs ->\n 1 0 5 5 1").play();
    let memory = page(2, "job submit run estimate procs memory ->\n 1 0 5 5 1 1").with("memory", 4).play();
    assert_eq!(
        refused(&bare, "dhc"),
        "dhc: the machine has no memory to hold jobs in; give it some, as in --capacity memory=..., or say memory=off"
    );
    assert!(refused(&memory, "dhc:memory=off").contains("leave memory out of --capacity"));
    let wrong = |spec: &str| Registry::builtin().choose(spec).unwrap_err().to_string();
    assert_eq!(wrong("dhc:slice=0"), "`slice=0`: slice takes a time above 0 such as 200, 10min, 3h");
    assert_eq!(wrong("dhc:d=0"), "`d=0`: d takes a whole number from 1, or inf");
    assert_eq!(wrong("dhc:tl=never"), "`tl=never`: tl takes a time above 0 such as 200, 10min, 3h, or inf");
}
