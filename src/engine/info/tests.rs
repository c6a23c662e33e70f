use batchlab_parsers::{Input, Options, read_trace};

use super::Info;

const LOG: &str = include_str!("tests.swf");

fn info(log: &'static str) -> Info {
    Info::of(&read_trace(Input::from_bytes("a.swf", log), &Options::default()).unwrap())
}

#[test]
fn jobs_are_the_records_that_are_no_parts() {
    let jobs = info(LOG).jobs;
    assert_eq!((jobs.records, jobs.jobs, jobs.users, jobs.groups, jobs.executables), (5, 4, 3, 1, 0));
    let statuses: Vec<_> = jobs.by_status.iter().map(|status| (status.code, status.count)).collect();
    assert_eq!(statuses, [(0, 1), (1, 2), (2, 1), (5, 1)]);
    let queues: Vec<_> =
        jobs.queues.iter().map(|queue| (queue.number, queue.name.as_str(), queue.jobs)).collect();
    assert_eq!(queues, [(1, "batch", 3), (7, "", 1)]);
    assert_eq!((jobs.partitions.len(), jobs.dependent), (0, 1));
}

#[test]
fn the_busiest_users_are_those_with_the_most_work_ties_by_number() {
    // Work: user 1 has 4 * 50, user 2 has 1 * 200, user 3 has 9 * 10.
    let busiest = info(LOG).jobs.busiest;
    let users: Vec<_> = busiest.iter().map(|user| (user.user, user.jobs, user.job_share)).collect();
    assert_eq!(users, [(1, 2, 0.5), (2, 1, 0.25), (3, 1, 0.25)]);
    assert!((busiest[0].work_share - 200.0 / 490.0).abs() < 1e-12);
}

#[test]
fn times_and_sizes_leave_unknown_values_out() {
    let info = info(LOG);
    let (run, wait) = (info.times.run.unwrap(), info.times.wait.unwrap());
    assert_eq!((run.known, run.max, info.times.zero_run, wait.known, wait.max), (4, 200.0, 1, 2, 5.0));
    let (request, accuracy) = (info.times.request.unwrap(), info.times.accuracy.unwrap());
    assert_eq!((request.known, accuracy.known, accuracy.median), (3, 3, 0.5));
    assert_eq!((info.times.unrequested, info.times.overruns), (0.25, 1));
    assert_eq!((info.sizes.serial, info.sizes.powers_of_two, info.sizes.distinct), (0.25, 0.5, 4));
    assert_eq!((info.memory.requested, info.memory.used), (0.0, 0.25));
}

#[test]
fn the_period_is_told_in_the_time_of_the_site() {
    let period = info(LOG).period;
    assert_eq!(period.first_submit.unwrap().local.unwrap(), "1996-09-23T14:00:31+02:00");
    assert_eq!((period.last_submit.unwrap().seconds, period.last_end.unwrap().seconds), (30.0, 55.0));
    assert_eq!((period.span, period.zone.unwrap().as_str()), (30.0, "Europe/Stockholm"));
}

#[test]
fn the_load_is_that_of_the_jobs_that_fit() {
    // Job 4 is larger than the machine: 4 * 50 + 1 * 200 processor-seconds, the last submission at 20 s.
    let replay = info(LOG).replay;
    let load = replay.load.unwrap();
    assert_eq!(
        (load.jobs, load.procs, load.work, load.offered_load),
        (3, 8, 400.0, Some(400.0 / (8.0 * 20.0)))
    );
    let codes: Vec<_> = replay.findings.iter().map(|finding| finding.kind.code).collect();
    assert!(codes.contains(&"job-oversized"), "{codes:?}");
}

#[test]
fn contradictions_of_header_and_jobs_are_found() {
    let info = info(LOG);
    let found: Vec<_> = info.findings.iter().map(|finding| (finding.kind.code, finding.count)).collect();
    let header =
        [("header-max-jobs", 1), ("header-max-runtime", 1), ("header-queue", 1), ("header-start-time", 1)];
    let jobs = [("log-overrun", 1), ("log-zero-run", 1), ("log-oversized", 1)];
    assert_eq!(found, [&header[..], &jobs].concat());
    let details: Vec<_> = info.findings.iter().map(|finding| finding.examples[0].detail.as_str()).collect();
    assert_eq!(details[0], "MaxJobs is 9, there are 4 jobs");
    assert_eq!(details[1], "MaxRuntime is 100, the longest job ran 200 s");
    assert_eq!(details[2], "queue 7");
    assert_eq!(
        details[3],
        "StartTime is `Mon Sep 23 14:00:32 CEST 1996`, UnixStartTime is Mon Sep 23 14:00:31 1996 there"
    );
    assert_eq!(details[4..], ["job 2: ran 200 s of 100 s", "job 3: status 5", "job 4: 9 processors of 8"]);
}

#[test]
fn a_log_that_cannot_be_replayed_says_why_and_the_rest_is_told() {
    let info = info("1 0 -1 10 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n");
    assert!(info.replay.refusal.unwrap().contains("no job with a size"));
    assert_eq!((info.replay.load, info.sizes.procs, info.machine.largest_job), (None, None, None));
    assert_eq!(info.times.run.unwrap().mean, 10.0);
}

/// Returns a log of rows of (submit, wait, run, processors, request, user), on eight processors.
fn rows(rows: &[(i64, i64, i64, i64, i64, i64)]) -> Info {
    let row = |&(submit, wait, run, procs, request, user): &(_, _, _, _, _, _)| {
        format!("1 {submit} {wait} {run} {procs} -1 -1 {procs} {request} -1 1 {user} -1 -1 -1 -1 -1 -1\n")
    };
    let log: String = rows.iter().map(row).collect();
    let input = Input::from_bytes("a.swf", "; MaxProcs: 8\n".to_owned() + &log);
    Info::of(&read_trace(input, &Options::default()).unwrap())
}

fn found(info: &Info) -> Vec<(&'static str, u64)> {
    info.findings.iter().map(|finding| (finding.kind.code, finding.count)).collect()
}

#[test]
fn requests_are_counted_by_use_and_accuracy_is_at_most_one() {
    let requests = [60, 60, 60, 60, 60, 60, 60, 60, 300, 600];
    let runs = [60, 30, 0, 59, 61, 120, 60, 60, 3, -1];
    let jobs: Vec<_> = requests.iter().zip(runs).map(|(&request, run)| (0, 0, run, 1, request, 1)).collect();
    let estimates = rows(&jobs).estimates.unwrap();
    assert_eq!((estimates.known, estimates.distinct, estimates.cover_90), (9, 3, 2));
    let used: Vec<_> =
        estimates.most_used.iter().map(|modal| (modal.seconds, modal.jobs, modal.share)).collect();
    assert_eq!(used, [(60.0, 8, 0.8), (300.0, 1, 0.1), (600.0, 1, 0.1)]);
    let accuracy = estimates.accuracy.unwrap();
    let sum = 3.0 + 0.5 + 0.0 + 59.0 / 60.0 + 60.0 / 61.0 + 0.5 + 0.01;
    assert!((accuracy.mean - sum / 9.0).abs() < 1e-12 && accuracy.max == 1.0);
    let classes: Vec<_> = (0..102).filter(|&class| estimates.histogram[class] > 0.0).collect();
    assert_eq!(classes, [0, 1, 50, 98, 100, 101]);
    assert!((estimates.exact - 3.0 / 9.0).abs() < 1e-12);
    assert_eq!(rows(&[(0, 0, 1, 1, -1, 1)]).estimates, None);
}

#[test]
fn nine_tenths_are_covered_by_the_fewest_values_that_reach_them() {
    let cover = |requests: &[i64]| {
        let jobs: Vec<_> = requests.iter().map(|&request| (0, 0, 1, 1, request, 1)).collect();
        rows(&jobs).estimates.unwrap().cover_90
    };
    assert_eq!(cover(&[9; 10]), 1);
    assert_eq!(cover(&[9, 9, 9, 9, 9, 9, 9, 9, 9, 8]), 1);
    assert_eq!(cover(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 9);
}

#[test]
fn the_use_of_the_machine_is_that_of_the_recorded_schedule() {
    // Four processors from 0 to 10, eight from 10 to 20, nine from 20 to 25, five until 30.
    let info =
        rows(&[(0, 0, 20, 4, 20, 1), (5, 5, 15, 4, 20, 1), (6, 14, 10, 5, 20, 1), (7, -1, 9, 8, 9, 1)]);
    let usage = info.usage.as_ref().unwrap();
    assert_eq!((usage.jobs, usage.known, usage.peak), (3, 0.75, 9));
    assert_eq!((usage.work, usage.utilization), (190.0, Some(190.0 / 240.0)));
    assert_eq!((usage.spells_above, usage.above), (1, 5.0));
    assert_eq!(found(&info), [("log-above-machine", 1)]);
    let unused = rows(&[(0, 0, 20, 4, 20, 1), (5, 15, 15, 7, 20, 1)]);
    assert_eq!((unused.usage.as_ref().unwrap().peak, found(&unused)), (7, vec![("log-below-machine", 1)]));
    assert_eq!(rows(&[(0, -1, 1, 1, 1, 1)]).usage, None);
}

#[test]
fn sizes_and_run_times_fall_into_classes() {
    let info = rows(&[(0, 0, 0, 1, 9, 1), (1, 0, 10, 3, 9, 1), (2, 0, 11, 4, 9, 1), (3, 0, 90_000, 8, 9, 1)]);
    let sizes: Vec<_> = info
        .size_classes
        .iter()
        .map(|class| (class.from, class.to, class.jobs, class.powers_of_two))
        .collect();
    assert_eq!(sizes, [(1, 1, 1, 1), (2, 2, 0, 0), (3, 4, 2, 1), (5, 8, 1, 1)]);
    let runs: Vec<_> = info.run_classes.iter().map(|class| class.jobs).collect();
    assert_eq!(runs, [1, 1, 1, 0, 0, 0, 0, 1]);
    assert_eq!(info.run_classes.last().map(|class| class.to), Some(None));
    let work = 30.0 + 44.0 + 720_000.0;
    assert!((info.size_classes[2].work_share - 74.0 / work).abs() < 1e-15);
    assert!((info.run_classes[7].work_share - 720_000.0 / work).abs() < 1e-15);
}

#[test]
fn cycles_are_those_of_the_clock_of_the_site() {
    // Monday 23 September 1996, 14:00:31 in Stockholm; all four jobs within the minute.
    let cycle = info(LOG).arrivals.cycle.unwrap();
    assert_eq!((cycle.hours[14], cycle.days[0], cycle.week[0][14]), (4, 4, 4));
    assert_eq!((cycle.busiest_hour(), cycle.quietest_hour()), ((14, 24.0), (0, 0.0)));
    assert_eq!(cycle.working_days(), 1.0);
    let arrivals = rows(&[(0, 0, 1, 1, 1, 1), (0, 0, 2, 1, 1, 1), (60, 0, 1, 1, 1, 1)]).arrivals;
    assert_eq!((arrivals.cycle, arrivals.together), (None, 0.5));
    assert_eq!(arrivals.gaps.map(|gaps| (gaps.known, gaps.mean)), Some((2, 30.0)));
}

#[test]
fn jobs_out_of_order_repeated_or_all_at_once_are_told() {
    let job = |submit, user| (submit, 0, 5, 8, 9, user);
    assert_eq!(
        found(&rows(&[job(5, 1), job(3, 1), job(4, 1), job(1, 1)])),
        [("log-unsorted", 2), ("log-above-machine", 1)]
    );
    let again = rows(&[job(0, 1), job(0, 2), job(0, 1), job(9, 1)]);
    assert_eq!(found(&again), [("log-repeated", 1), ("log-above-machine", 1)]);
    assert_eq!(found(&rows(&[job(7, 1), job(7, 2)])), [("log-all-at-once", 1), ("log-above-machine", 1)]);
    assert_eq!(found(&rows(&[(0, 0, 5, -1, 9, 1)])), [("log-no-size", 1)]);
}

#[test]
fn examples_of_an_anomaly_are_the_first_three_jobs() {
    let jobs: Vec<_> = (0..5).map(|at| (at * 10, 0, 10, 8, at, 1)).collect();
    let info = rows(&jobs);
    assert_eq!(found(&info), [("log-overrun", 4)]);
    let lines: Vec<_> =
        info.findings[0].examples.iter().map(|example| example.place.as_ref().unwrap().line).collect();
    assert_eq!(lines, [3, 4, 5]);
}

#[test]
fn unknown_fields_are_counted() {
    let missing = rows(&[(0, -1, 1, 1, 1, 1), (1, 0, 1, 1, 1, 1)]).missing;
    let told: Vec<_> = missing.iter().map(|missing| (missing.number, missing.jobs)).collect();
    assert_eq!(told, [(3, 1), (6, 2), (7, 2), (10, 2), (13, 2), (14, 2), (15, 2), (16, 2)]);
    assert_eq!((missing[0].field, missing[0].share), ("wait time", 0.5));
}
