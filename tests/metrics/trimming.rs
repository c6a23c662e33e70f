//! Warm-up, cool-down and prefix: the jobs and the time that are measured.

use batchlab::metrics::{Catalogue, Cooldown, MeasureOptions, Warmup, lower_bounds, makespan_bound};
use batchlab::traces::Time;

use super::schedule::Schedule;

/// Ten jobs of 10 s on one processor, submitted every 5 s.
fn ten() -> Schedule {
    let jobs: Vec<_> = (0..10).map(|i| (i * 5, i * 10, i * 10 + 10, 1)).collect();
    Schedule::new(1, &jobs)
}

fn with(warmup: &str, cooldown: &str, prefix: i64) -> MeasureOptions {
    MeasureOptions {
        warmup: warmup.parse().unwrap(),
        cooldown: cooldown.parse().unwrap(),
        prefix: Time::from_secs(prefix),
        ..MeasureOptions::default()
    }
}

#[test]
fn nothing_is_trimmed_by_default() {
    let schedule = ten();
    let measurement = schedule.measure(MeasureOptions::default());
    assert_eq!(measurement.jobs().len(), 10);
    let window = measurement.window();
    assert_eq!((window.from, window.to), (Time::ZERO, Time::from_secs(45)));
}

#[test]
fn a_share_of_terminations_leaves_out_the_first_to_end() {
    let schedule = ten();
    let options = with("20%", "none", 0);
    assert_eq!(schedule.metric_with("jobs", options), Some(8.0));
    // The third job waits 10 s, the last 45 s.
    assert_eq!(schedule.metric_with("mean_wait", options), Some(27.5));
    assert_eq!(schedule.measure(options).window().from, Time::from_secs(20));
    assert_eq!(schedule.metric_with("jobs", with("9%", "none", 0)), Some(10.0));
}

#[test]
fn equal_ends_leave_in_the_order_of_submission() {
    let schedule = Schedule::new(4, &[(0, 0, 10, 1), (1, 1, 10, 1), (2, 2, 10, 1), (3, 3, 10, 1)]);
    let measurement = schedule.measure(with("50%", "none", 0));
    let left: Vec<u32> = measurement.jobs().iter().map(|job| job.0).collect();
    assert_eq!(left, [2, 3]);
}

#[test]
fn times_are_counted_from_submissions() {
    let schedule = ten();
    let options = with("10s", "10s", 0);
    // Submitted from 10 s to 35 s.
    assert_eq!(schedule.metric_with("jobs", options), Some(6.0));
    let window = *schedule.measure(options).window();
    assert_eq!((window.from, window.to), (Time::from_secs(10), Time::from_secs(35)));
    // Prefix and warm-up add up.
    assert_eq!(schedule.metric_with("jobs", with("10s", "10s", 5)), Some(5.0));
    // The makespan is that of the whole replay nevertheless.
    assert_eq!(schedule.metric_with("makespan", options), Some(100.0));
}

/// Sixty jobs, one every 10 s; each group of five has its own wait.
fn in_groups(waits: [i64; 12]) -> Schedule {
    let jobs: Vec<_> = (0..60)
        .map(|i| (i * 10, i * 10 + waits[i as usize / 5], i * 10 + waits[i as usize / 5] + 5, 1))
        .collect();
    Schedule::new(100, &jobs)
}

#[test]
fn mser_5_leaves_out_the_jobs_whose_waits_spoil_the_mean() {
    // Σ(x − x̄)²/k² of the remaining groups after 1, 2, 3 and 4 groups: 7210.9/121 = 59.6, 10/100 = 0.1,
    // 8.89/81 = 0.11, 8/64 = 0.125.
    let settles = in_groups([100, 100, 10, 12, 10, 12, 10, 12, 10, 12, 10, 12]);
    let options = with("mser5", "none", 0);
    assert_eq!(settles.metric_with("jobs", options), Some(50.0));
    assert_eq!(settles.metric_with("mean_wait", options), Some(11.0));
    assert_eq!(settles.measure(options).window().from, Time::from_secs(100));
    // Five jobs are simulated and not measured: MSER-5 cuts the other five of the first ten.
    assert_eq!(settles.metric_with("jobs", with("mser5", "none", 50)), Some(50.0));
}

#[test]
fn mser_5_leaves_out_nothing_where_it_cannot_be_believed() {
    let options = with("mser5", "none", 0);
    // Every cut of equal waits is equally good: the first is used, which leaves out nothing.
    assert_eq!(in_groups([10; 12]).metric_with("jobs", options), Some(60.0));
    // The best cut, 35 jobs, is past the middle: the run has not settled.
    let late = in_groups([100, 100, 100, 100, 100, 100, 100, 10, 12, 10, 12, 10]);
    assert_eq!(late.metric_with("jobs", options), Some(60.0));
    // Ten jobs are fewer than ten groups of five.
    assert_eq!(ten().metric_with("jobs", options), Some(10.0));
    assert!(!options.same_jobs_under_all_policies());
    assert!(options.trimming().starts_with("first jobs left out by MSER-5"));
}

#[test]
fn cool_down_at_the_last_submission_leaves_out_late_ends() {
    let schedule = ten();
    // The last submission is at 45 s: four jobs end by then.
    assert_eq!(schedule.metric_with("jobs", with("none", "submit", 0)), Some(4.0));
    assert_eq!(schedule.metric_with("max_wait", with("none", "submit", 0)), Some(15.0));
    // A job that ends with the last submission counts, one that ends a second later does not.
    let close = Schedule::new(2, &[(0, 0, 10, 1), (5, 5, 11, 1), (10, 10, 20, 1)]);
    assert_eq!(close.metric_with("jobs", with("none", "submit", 0)), Some(1.0));
}

#[test]
fn trimming_everything_leaves_nothing_to_average() {
    let schedule = ten();
    let options = with("1d", "1d", 0);
    assert_eq!(schedule.metric_with("jobs", options), Some(0.0));
    for key in ["mean_wait", "max_bsld", "mean_queue_length", "max_queue_length", "throughput", "jain"] {
        assert_eq!(schedule.metric_with(key, options), None, "{key}");
    }
}

#[test]
fn bounds_hold_over_equal_jobs_only() {
    let schedule = ten();
    let catalogue = Catalogue::new(&schedule.machine, &[]);
    let metrics = catalogue.select("mean_response,makespan,sd_wait,utilization").unwrap();
    let bounds = |options| lower_bounds(&schedule.workload, &schedule.machine, options, &metrics).unwrap();
    // One processor: the work of 100 s submitted from 0 s on cannot end before 100 s.
    assert_eq!(bounds(MeasureOptions::default()), [Some(10.0), Some(100.0), None, None]);
    assert_eq!(bounds(with("10s", "none", 0)), [Some(10.0), Some(100.0), None, None]);
    let trimmed = [None, Some(100.0), None, None];
    assert_eq!(bounds(with("10%", "none", 0)), trimmed);
    let cooled = MeasureOptions { cooldown: Cooldown::LastSubmission, ..MeasureOptions::default() };
    assert_eq!(bounds(cooled), trimmed);
    assert_eq!(MeasureOptions::default().warmup, Warmup::None);
}

#[test]
fn the_makespan_bound_knows_late_work_and_long_jobs() {
    // 40 s of work on both processors from 100 s on cannot end before 140 s.
    let late = Schedule::new(2, &[(0, 0, 10, 1), (100, 100, 140, 2), (100, 140, 150, 1)]);
    assert_eq!(makespan_bound(&late.workload, &late.machine), Some(Time::from_secs(145)));
    let long = Schedule::new(2, &[(0, 0, 500, 1), (100, 100, 140, 1)]);
    assert_eq!(makespan_bound(&long.workload, &long.machine), Some(Time::from_secs(500)));
}
