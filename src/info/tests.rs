use batchlab_parsers::{Input, Options, read_trace};

use super::Info;

const LOG: &str = "\
; Computer: Test
; MaxJobs: 9
; MaxRecords: 5
; UnixStartTime: 843480031
; TimeZoneString: Europe/Stockholm
; StartTime: Mon Sep 23 14:00:32 CEST 1996
; MaxProcs: 8
; MaxRuntime: 100
; MaxQueues: 1
; Queue: 1 batch
1   0  5  50 4 -1 100 4 100 -1 1 1 1 -1 1 -1 -1 -1
2  10 -1 200 1 -1  -1 1 100 -1 0 2 1 -1 1 -1 -1 -1
3  20  0   0 3 -1  -1 3  -1 -1 5 1 1 -1 7 -1  1 -1
4  30 -1  10 9 -1  -1 9  50 -1 1 3 1 -1 1 -1 -1 -1
4  30 -1   4 2 -1  -1 9  50 -1 2 3 1 -1 1 -1 -1 -1
";

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
    let expected =
        [("header-max-jobs", 1), ("header-max-runtime", 1), ("header-queue", 1), ("header-start-time", 1)];
    assert_eq!(found, expected);
    let details: Vec<_> = info.findings.iter().map(|finding| finding.examples[0].detail.as_str()).collect();
    assert_eq!(details[0], "MaxJobs is 9, there are 4 jobs");
    assert_eq!(details[1], "MaxRuntime is 100, the longest job ran 200 s");
    assert_eq!(details[2], "queue 7");
    assert_eq!(
        details[3],
        "StartTime is `Mon Sep 23 14:00:32 CEST 1996`, UnixStartTime is Mon Sep 23 14:00:31 1996 there"
    );
}

#[test]
fn a_log_that_cannot_be_replayed_says_why_and_the_rest_is_told() {
    let info = info("1 0 -1 10 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n");
    assert!(info.replay.refusal.unwrap().contains("no job with a size"));
    assert_eq!((info.replay.load, info.sizes.procs, info.machine.largest_job), (None, None, None));
    assert_eq!(info.times.run.unwrap().mean, 10.0);
}
