//! Schedules small enough to check with pencil and paper.

use batchlab::metrics::{
    CLASS_PRESETS, Catalogue, FairStarts, MeasureOptions, Measurement, Metric, Served, lower_bounds,
};
use batchlab::outcome::{Fate, Interval, IntervalKind, Outcome};
use batchlab::table::Unit;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;

use super::schedule::Schedule;

/// Four processors. Job 2 needs all of them and waits while job 1 runs on two; job 3 overtakes it; job 4
/// arrives when all others have ended.
fn blocked_head() -> Schedule {
    // (submit, start, end, processors)
    Schedule::new(4, &[(0, 0, 100, 2), (10, 100, 150, 4), (20, 20, 60, 2), (160, 160, 200, 1)])
}

#[test]
fn a_schedule_that_no_policy_made_has_no_counts() {
    for key in ["slipped_reservations", "stopped_searches", "held_back_jobs", "host_ties"] {
        assert_eq!(blocked_head().metric(key), None, "{key}");
    }
}

#[test]
fn per_job_quantities_of_a_blocked_head() {
    let schedule = blocked_head();
    assert_eq!(schedule.metric("mean_wait"), Some(22.5));
    assert_eq!(schedule.metric("max_wait"), Some(90.0));
    assert_eq!(schedule.metric("median_wait"), Some(0.0));
    assert_eq!(schedule.metric("sd_wait"), Some(45.0));
    assert_eq!(schedule.metric("cv_wait"), Some(2.0));
    // Waits of 0, 90, 0 and 0 s: (3 · 22.5² + 67.5²) / 3 s².
    assert_eq!(schedule.metric("var_wait"), Some(2025.0));
    // Responses of 100, 140, 40 and 40 s are 20, 60, -40 and -40 s off their mean: 7200 / 3 s².
    assert_eq!(schedule.metric("var_response"), Some(2400.0));
    // Slowdowns of 1, 2.8, 1 and 1: (3 · 0.45² + 1.35²) / 3.
    assert!((schedule.metric("var_bsld").unwrap() - 0.81).abs() < 1e-12);
    assert_eq!(schedule.metric("var_stalled"), Some(0.0));
    assert_eq!(schedule.metric("mean_response"), Some((100.0 + 140.0 + 40.0 + 40.0) / 4.0));
    assert_eq!(schedule.metric("mean_stalled"), Some(0.0));
    assert_eq!(schedule.metric("cv_stalled"), None);
    assert_eq!(schedule.metric("mean_bsld"), Some((1.0 + 2.8 + 1.0 + 1.0) / 4.0));
    // Weights 200, 200, 80, 40.
    let weighted = (200.0 * 100.0 + 200.0 * 140.0 + 80.0 * 40.0 + 40.0 * 40.0) / 520.0;
    assert!((schedule.metric("weighted_response").unwrap() - weighted).abs() < 1e-9);
    assert_eq!(schedule.metric("weighted_response_mean"), Some(weighted * 520.0 / 4.0 / 4.0));
}

#[test]
fn variances_are_in_squares_of_the_unit_and_not_in_summaries() {
    let catalogue = Catalogue::new(&Machine::pool(4).unwrap(), &[]);
    let unit = |key| catalogue.find(key).unwrap().unit();
    assert_eq!([unit("var_wait"), unit("var_response")], [Unit::SecondsSquared; 2]);
    assert_eq!([unit("var_bsld"), unit("var_suspensions"), unit("cv_wait")], [Unit::Ratio; 3]);
    let summary: Vec<String> = catalogue.for_summary().iter().map(Metric::key).collect();
    assert!(summary.contains(&"sd_wait".into()) && !summary.iter().any(|key| key.starts_with("var_")));
}

#[test]
fn machine_quantities_of_a_blocked_head() {
    let schedule = blocked_head();
    assert_eq!(schedule.metric("makespan"), Some(200.0));
    assert_eq!(schedule.metric("utilization"), Some(520.0 / 800.0));
    assert_eq!(schedule.metric("offered_load"), Some(520.0 / 640.0));
    assert_eq!(schedule.metric("utilization_window"), Some(480.0 / 640.0));
    // Job 2 waits from 10 to 100: 2 processors are idle in [10, 20) and [60, 100).
    assert_eq!(schedule.metric("loss_of_capacity"), Some(100.0 / 800.0));
    assert_eq!(schedule.metric("mean_queue_length"), Some(90.0 / 160.0));
    assert_eq!(schedule.metric("mean_queue_length_makespan"), Some(90.0 / 200.0));
    assert_eq!(schedule.metric("max_queue_length"), Some(1.0));
    assert_eq!(schedule.metric("mean_jobs_in_system"), Some((100.0 + 140.0 + 40.0) / 160.0));
    assert_eq!(schedule.metric("throughput"), Some(3.0 * 3600.0 / 160.0));
    assert_eq!(schedule.metric("throughput_makespan"), Some(4.0 * 3600.0 / 200.0));
    assert_eq!(schedule.metric("overtakes"), Some(0.25));
}

#[test]
fn a_start_between_events_counts_from_when_it_happens() {
    // Job 2 starts at 30, which is not an event: it counts as waiting until the next event (60), but only
    // idle processors count: 4 - 2 until 30, none from then on.
    let schedule = Schedule::new(4, &[(0, 0, 100, 2), (10, 30, 60, 2)]);
    assert_eq!(schedule.metric("loss_of_capacity"), Some(2.0 * 20.0 / 400.0));
    // With one processor idle, the time until 60 counts as lost although no job waits any more.
    let schedule = Schedule::new(4, &[(0, 0, 100, 2), (10, 30, 60, 1)]);
    assert_eq!(schedule.metric("loss_of_capacity"), Some((2.0 * 20.0 + 30.0) / 400.0));
}

#[test]
fn jobs_that_start_at_once_lose_nothing() {
    let schedule = Schedule::new(4, &[(0, 0, 10, 1), (0, 0, 10, 1), (20, 20, 30, 4)]);
    assert_eq!(schedule.metric("loss_of_capacity"), Some(0.0));
    assert_eq!(schedule.metric("max_queue_length"), Some(0.0));
}

#[test]
fn nothing_has_no_means() {
    let schedule = Schedule::new(4, &[]);
    let measurement = schedule.measure(MeasureOptions::default());
    for metric in Catalogue::new(&schedule.machine, &[]).all() {
        let expected = ["jobs", "users", "killed", "rejected", "lost_work"]
            .contains(&metric.key().as_str())
            .then_some(0.0);
        assert_eq!(metric.value(&measurement), expected, "{}", metric.key());
    }
}

#[test]
fn a_single_job_of_no_length_never_divides_by_zero() {
    let schedule = Schedule::new(4, &[(5, 5, 5, 1)]);
    let measurement = schedule.measure(MeasureOptions::default());
    for metric in Catalogue::new(&schedule.machine, &[]).all() {
        assert!(metric.value(&measurement).is_none_or(f64::is_finite), "{}", metric.key());
    }
    assert_eq!(schedule.metric("mean_slowdown"), None);
    assert_eq!(schedule.metric("mean_bsld"), Some(1.0));
}

#[test]
fn jain_is_over_the_means_of_users() {
    // Users 0, 1, 2 have mean bounded slowdowns 2, 1, 3.
    let schedule = Schedule::new(9, &[(0, 10, 20, 1), (0, 0, 10, 1), (0, 20, 30, 1)]);
    let jain = 36.0 / (3.0 * 14.0);
    assert!((schedule.metric("jain").unwrap() - jain).abs() < 1e-12);
}

#[test]
fn unfairness_is_the_delay_beyond_fair_starts() {
    let schedule = blocked_head();
    let fair =
        [FairStarts { variant: "fcfs".into(), start: [0, 40, 150, 150].map(Time::from_secs).to_vec() }];
    let measurement = schedule.measure(MeasureOptions::default()).with_fair_starts(&fair).unwrap();
    let catalogue = Catalogue::new(&schedule.machine, &["fcfs", "consp"]);
    let value = |key| catalogue.find(key).unwrap().value(&measurement);
    // Delays are 0, 60, none (earlier than under the fair rule), 10.
    assert_eq!(value("unfairness_all_fcfs"), Some(70.0 / 4.0));
    assert_eq!(value("unfairness_hit_fcfs"), Some(35.0));
    assert_eq!(value("share_hit_fcfs"), Some(0.5));
    assert_eq!(value("share_hit_consp"), None);
}

#[test]
fn a_killed_job_ran_for_what_it_received() {
    let mut schedule = blocked_head();
    schedule.outcome.fate = vec![Fate::Finished, Fate::Killed, Fate::Finished, Fate::Finished];
    schedule.outcome.end[1] = Time::from_secs(110);
    assert_eq!(schedule.metric("killed"), Some(1.0));
    assert_eq!(schedule.metric("max_slowdown"), Some(10.0));
    assert_eq!(schedule.metric("max_stalled"), Some(0.0));
    assert_eq!(schedule.metric("utilization"), Some((520.0 - 160.0) / 800.0));
}

#[test]
fn slices_are_busy_only_while_they_run() {
    // Two jobs of the whole machine take turns of 10 s; the second is paused in between.
    let mut schedule = Schedule::new(2, &[(0, 0, 40, 2), (0, 10, 40, 2), (40, 40, 50, 1)]);
    let plain = |run, procs| PlainJob { user: 0, ..PlainJob::secs(0, run, vec![procs]) };
    let last = PlainJob { submit: Time::from_secs(40), ..plain(10, 1) };
    schedule.workload = Workload::from_jobs(&[plain(20, 2), plain(20, 2), last]);
    let slice = |job, from, to, kind| Interval {
        job: JobId(job),
        from: Time::from_secs(from),
        to: Time::from_secs(to),
        rate: f64::from(kind == IntervalKind::Run),
        kind,
    };
    schedule.outcome.intervals = vec![
        slice(0, 0, 10, IntervalKind::Run),
        slice(1, 10, 20, IntervalKind::Run),
        slice(0, 10, 20, IntervalKind::Paused),
        slice(0, 20, 30, IntervalKind::Run),
        slice(1, 30, 40, IntervalKind::Run),
        slice(2, 40, 50, IntervalKind::Run),
    ];
    assert_eq!(schedule.metric("max_stalled"), Some(20.0));
    assert_eq!(schedule.metric("utilization"), Some(90.0 / 100.0));
    assert_eq!(schedule.metric("utilization_window"), Some(1.0));
    // Job 2 waits during [0, 10), when both processors are busy.
    assert_eq!(schedule.metric("loss_of_capacity"), Some(0.0));
}

#[test]
fn every_resource_has_its_utilization() {
    let machine = Machine::new(
        ["procs", "memory"]
            .map(|name| batchlab::traces::machine::Resource {
                name: name.into(),
                unit: String::new(),
                sharing: batchlab::traces::machine::Sharing::Space,
            })
            .to_vec(),
        &[vec![4, 100]],
    )
    .unwrap();
    let job = |submit, demand: [i64; 2]| PlainJob { user: 1, ..PlainJob::secs(submit, 10, demand.to_vec()) };
    let workload = Workload::from_jobs(&[job(0, [2, 100]), job(0, [1, 50])]);
    let at = |seconds: [i64; 2]| seconds.map(Time::from_secs).to_vec();
    let outcome = Outcome { start: at([0, 10]), end: at([10, 20]), ..Outcome::default() };
    let measurement = Measurement::new(&workload, &machine, &outcome, MeasureOptions::default()).unwrap();
    let value = |key| Catalogue::new(&machine, &[]).find(key).unwrap().value(&measurement);
    assert_eq!(value("utilization"), Some(30.0 / 80.0));
    assert_eq!(value("utilization_memory"), Some(1500.0 / 2000.0));
    // Weights (2/4 + 1) * 10 and (1/4 + 1/2) * 10.
    assert_eq!(value("weighted_response"), Some((15.0 * 10.0 + 7.5 * 20.0) / 22.5));
    assert_eq!(value("weighted_response_mean"), Some(150.0));
}

#[test]
fn classes_split_the_jobs_and_know_nothing_of_the_machine() {
    let schedule = Schedule::new(64, &[(0, 0, 100, 2), (0, 100, 150, 64), (20, 20, 60, 2)]);
    let measurement = schedule.measure(MeasureOptions::default());
    let catalogue = Catalogue::new(&schedule.machine, &[]);
    let zhang = CLASS_PRESETS.iter().find(|preset| preset.name == "zhang").unwrap();
    let values: Vec<_> = (zhang.classes)()
        .iter()
        .map(|class| {
            let of_class = measurement.of_class(class);
            ["jobs", "mean_wait", "makespan"].map(|key| catalogue.find(key).unwrap().value(&of_class))
        })
        .collect();
    assert_eq!(values, [[Some(2.0), Some(0.0), None], [Some(1.0), Some(100.0), None]]);
}

#[test]
fn the_outcome_of_another_workload_is_refused() {
    let schedule = blocked_head();
    let outcome = Outcome::default();
    let error = Measurement::new(&schedule.workload, &schedule.machine, &outcome, MeasureOptions::default())
        .unwrap_err();
    assert_eq!(error.to_string(), "the schedule has 0 starts and 0 ends for 4 jobs");
}

/// Legal schedules of up to a dozen jobs on four processors: first come, first served, one job at a time.
fn schedules() -> impl Strategy<Value = Schedule> {
    prop::collection::vec((0i64..50, 0i64..40, 1i64..5, 0i64..9), 1..12).prop_map(|mut jobs| {
        jobs.sort_by_key(|job| job.0);
        let mut free = 0;
        let jobs: Vec<_> = jobs
            .into_iter()
            .map(|(submit, run, procs, gap)| {
                let start = (free + gap).max(submit);
                free = start + run;
                (submit, start, free, procs)
            })
            .collect();
        Schedule::new(4, &jobs)
    })
}

proptest! {
    #[test]
    fn zhangs_slowdown_is_the_bounded_slowdown(
        wait in 0i64..1_000_000_000, run in 0i64..1_000_000_000, tau in 1i64..100_000_000,
    ) {
        let ticks = Time::from_ticks;
        let served = Served {
            job: JobId(0),
            submit: Time::ZERO,
            start: ticks(wait),
            end: ticks(wait + run),
            run: ticks(run),
            procs: 1,
            predicted: None,
            service: None,
        };
        let zhang = (wait + run).max(tau) as f64 / run.max(tau) as f64;
        prop_assert_eq!(served.bounded_slowdown(ticks(tau)), Some(zhang));
    }

    #[test]
    fn no_schedule_falls_below_the_bounds(schedule in schedules()) {
        let metrics = Catalogue::new(&schedule.machine, &[]).all().to_vec();
        let options = MeasureOptions::default();
        let bounds = lower_bounds(&schedule.workload, &schedule.machine, options, &metrics).unwrap();
        let measurement = schedule.measure(options);
        for (metric, bound) in metrics.iter().zip(bounds) {
            prop_assert_eq!(bound.is_some() && !metric.has_bound(), false);
            if let Some((bound, value)) = bound.zip(metric.value(&measurement)) {
                prop_assert!(bound <= value + 1e-9, "{}: {} < {}", metric.key(), value, bound);
            }
        }
    }

    #[test]
    fn the_integral_of_waiting_is_the_sum_of_waits(schedule in schedules()) {
        let makespan = schedule.metric("makespan").unwrap();
        let jobs = schedule.metric("jobs").unwrap();
        if let Some(mean) = schedule.metric("mean_queue_length_makespan") {
            let waits = schedule.metric("mean_wait").unwrap() * jobs;
            prop_assert!((mean * makespan - waits).abs() < 1e-6);
        }
        let shares = schedule.metric("loss_of_capacity").zip(schedule.metric("utilization"));
        if let Some((loss, used)) = shares {
            prop_assert!(loss >= 0.0 && loss + used <= 1.0 + 1e-12);
        }
    }
}
