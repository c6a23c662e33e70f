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

#[test]
fn slots_take_turns_and_processors_idle_in_one_run_alternates() {
    // 0: 1 2
    // 1: 3 3
    // 2: 4 2'
    let page = page(
        2,
        "job submit run estimate procs memory ->
         1   0      30  30       1     1
         2   0      30  30       1     1
         3   0      30  30       2     2
         4   0      30  30       1     1",
    )
    .with("memory", 20);
    // Job 2 runs in two slots of three: 0-10, 20-40. Each other job has every third slot.
    assert_eq!(times(&page, "dhc:alternate=on"), [(0.0, 70.0), (0.0, 40.0), (10.0, 80.0), (20.0, 90.0)]);
    assert_eq!(times(&page, "dhc:alternate=off"), [(0.0, 70.0), (0.0, 70.0), (10.0, 80.0), (20.0, 90.0)]);
}

#[test]
fn a_newcomer_is_tried_at_once_and_a_departure_has_interactive_jobs_examined_first() {
    // From 2: 0: 1 2     From 10: 0: 6 2     From 20: 0: 6 5     From 25: 0: 4' 5     From 27: 0: 3 3
    //         1: 4 2'             1: 4 2'             1: 4 5'             1: 4  5'             1: 4 .
    // Each processor has 10. Job 3 needs 6 on both; job 4, behind it, needs 2 on one and is placed on
    // arrival. At 10 there is room for job 5 or 6; job 5 arrived first.
    let page = page(
        2,
        "job submit run estimate procs memory user ->
         1   0      10  10       1     8      1
         2   0      20  20       1     8      1
         3   1      5   5        2     12     1
         4   2      30  30       1     2      1
         5   3      7   7        1     8      1
         6   4      5   5        1     8      7",
    )
    .with("memory", 20);
    let expected = [(0.0, 10.0), (0.0, 20.0), (27.0, 42.0), (10.0, 50.0), (20.0, 27.0), (20.0, 25.0)];
    assert_eq!(times(&page, "dhc:order=fcfs"), expected);
}

#[test]
fn smallest_memory_goes_first() {
    let page = page(
        1,
        "job submit run estimate procs memory ->
         1   0      10  10       1     10
         2   1      10  10       1     9
         3   2      10  10       1     5
         4   3      10  10       1     5",
    )
    .with("memory", 10);
    let fcfs = [(0.0, 10.0), (10.0, 20.0), (20.0, 30.0), (30.0, 40.0)];
    let smf = [(0.0, 10.0), (30.0, 40.0), (10.0, 20.0), (20.0, 30.0)];
    assert_eq!(times(&page, "dhc:order=fcfs"), fcfs);
    assert_eq!(times(&page, "dhc:order=smf"), smf);
}

#[test]
fn smallest_memory_is_that_of_a_processor_or_of_all() {
    // Job 2 has 6 on each of two processors, job 3 8 on one.
    let page = page(
        2,
        "job submit run estimate procs memory ->
         1   0      10  10       2     20
         2   1      10  10       2     12
         3   2      10  10       1     8",
    )
    .with("memory", 20);
    assert_eq!(times(&page, "dhc:order=smf"), [(0.0, 10.0), (10.0, 20.0), (20.0, 30.0)]);
    assert_eq!(times(&page, "dhc:order=smf,smf=total"), [(0.0, 10.0), (20.0, 30.0), (10.0, 20.0)]);
}

#[test]
fn slots_and_batch_jobs_in_memory_may_be_limited() {
    let page = page(
        1,
        "job submit run estimate procs memory user ->
         1   0      20  20       1     1      1
         2   0      10  10       1     1      1
         3   0      5   5        1     1      7",
    )
    .with("memory", 100);
    assert_eq!(times(&page, "dhc:d=inf"), [(0.0, 35.0), (10.0, 20.0), (20.0, 25.0)]);
    assert_eq!(times(&page, "dhc:b=1"), [(0.0, 25.0), (25.0, 35.0), (10.0, 15.0)]);
    assert_eq!(times(&page, "dhc:d=1"), [(0.0, 20.0), (25.0, 35.0), (20.0, 25.0)]);
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
fn without_a_quantum_no_job_is_swapped_out_and_without_a_rate_swaps_take_no_time() {
    // Job 1 stays until 30; then job 4 fits beside job 3, and job 2 fits at 34, when both have ended.
    let stays = [(0.0, 30.0), (34.0, 64.0), (30.0, 32.0), (32.0, 34.0)];
    assert_eq!(times(&swapping(), "dhc:tl=inf,swap=1KB/s"), stays);
    // Job 2 is in memory at 20, runs in 20-30 and, after job 3, in 32-42. Job 4 gets its 5 then, and job 1
    // its 6 at 44.
    let at_once = [(0.0, 54.0), (20.0, 64.0), (30.0, 32.0), (42.0, 44.0)];
    assert_eq!(times(&swapping(), "dhc:tl=20,decay=inf,swap=none"), at_once);
}

#[test]
fn a_first_load_may_take_time_too() {
    let page = page(
        1,
        "job submit run estimate procs memory ->
         1   0      4   4        1     6",
    )
    .with("memory", 10);
    assert_eq!(times(&page, "dhc:swap=1KB/s"), [(0.0, 4.0)]);
    assert_eq!(times(&page, "dhc:swap=1KB/s,swap-in-first=true"), [(6.0, 10.0)]);
}

#[test]
fn a_quantum_may_end_without_a_waiting_job() {
    let page = page(
        1,
        "job submit run estimate procs memory ->
         1   0      50  50       1     6",
    )
    .with("memory", 10);
    // Swapping out and in takes 12 s, twice.
    assert_eq!(times(&page, "dhc:tl=20,swap=1KB/s"), [(0.0, 74.0)]);
    assert_eq!(times(&page, "dhc:tl=20,swap=1KB/s,swap-out=wanted"), [(0.0, 50.0)]);
    assert_eq!(times(&page, "dhc:tl=20,swap=none"), [(0.0, 50.0)]);
}

#[test]
fn a_quantum_continues_until_a_job_waits() {
    // Job 1 has had its 20 s at 20; at 33 job 2 arrives, which does not fit beside it.
    let page = page(
        1,
        "job submit run estimate procs memory ->
         1   0      50  50       1     6
         2   33     5   5        1     6",
    )
    .with("memory", 10);
    // Job 1 is swapped out at 39; job 2 runs until 44; job 1 is swapped in at 50 and runs its last 17 s until
    // 67.
    assert_eq!(times(&page, "dhc:tl=20,swap=1KB/s,swap-out=wanted"), [(0.0, 67.0), (39.0, 44.0)]);
}

#[test]
fn accumulated_service_is_forgotten() {
    // Alone, job 1 replaces itself at 20. At 60 it has had 40 s, and job 2, from 40 on, 20 s; halved at 20,
    // 40 and 60 that is ((20 / 2 + 20) / 2) / 2 = 7.5 s against 10 s.
    let page = page(
        1,
        "job submit run estimate procs memory ->
         1   0      60  60       1     6
         2   35     40  40       1     6",
    )
    .with("memory", 10);
    assert_eq!(times(&page, "dhc:tl=20,swap=none,decay=inf"), [(0.0, 100.0), (40.0, 80.0)]);
    assert_eq!(times(&page, "dhc:tl=20,swap=none"), [(0.0, 80.0), (40.0, 100.0)]);
    assert_eq!(times(&page, "dhc:tl=20,swap=none,decay=20s"), [(0.0, 80.0), (40.0, 100.0)]);
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

#[test]
fn a_job_that_was_swapped_out_may_have_to_return_to_its_processors() {
    // Jobs 1 and 2 have processors 0 and 1 until 20. Then job 3, which has no service yet, gets processor 0. Job 1 goes to
    // processor 1 before job 2, or waits for its own until 30.
    let page = page(
        2,
        "job submit run estimate procs memory ->
         1   0      40  40       1     6
         2   0      30  30       1     6
         3   0      10  10       1     6",
    )
    .with("memory", 20);
    let spec = "dhc:tl=20,decay=inf,swap=none";
    assert_eq!(times(&page, spec), [(0.0, 40.0), (0.0, 40.0), (20.0, 30.0)]);
    assert_eq!(times(&page, &format!("{spec},return=same")), [(0.0, 50.0), (0.0, 30.0), (20.0, 30.0)]);
}

#[test]
fn service_is_executed_time_or_that_of_all_processors() {
    // Both have executed for 20 s at 40, job 1 on two processors: 40 processor-seconds.
    let page = page(
        2,
        "job submit run estimate procs memory ->
         1   0      40  40       2     12
         2   0      60  60       1     6",
    )
    .with("memory", 20);
    let spec = "dhc:tl=20,decay=inf,swap=none";
    assert_eq!(times(&page, spec), [(0.0, 60.0), (20.0, 100.0)]);
    assert_eq!(times(&page, &format!("{spec},service=cpu")), [(0.0, 80.0), (20.0, 100.0)]);
}
