use std::sync::Arc;

use batchlab::Outcome;
use batchlab::outcome::{Fate, StopRule};
use batchlab::policies::Needs;
use batchlab::replay::engine::{ReplayError, Scenario};
use batchlab::traces::workload::{Condition, Dependency, Milestone, Throttle};
use batchlab::traces::{JobId, Time, Workload};

use super::script::{pool, run, secs};
use crate::lab::{Play, play};

fn after(on: u32, milestone: Milestone, delay: i64) -> Dependency {
    Dependency { on: JobId(on), milestone, delay: secs(delay) }
}

fn end(on: u32, delay: i64) -> Dependency {
    after(on, Milestone::End, delay)
}

fn with(scene: &Play, conditions: Vec<(u32, Condition)>) -> Play {
    let conditions = conditions.into_iter().map(|(job, condition)| (JobId(job), condition)).collect();
    let workload = Workload::clone(&scene.scenario.workload).with_conditions(conditions);
    let scenario = Scenario { workload: Arc::new(workload), ..scene.scenario.clone() };
    Play { scenario, ..scene.clone() }
}

/// Number, entry, start and end of each job in seconds, in the order of entry.
fn rows(scene: &Play, outcome: &Outcome) -> Vec<(i64, f64, f64, f64)> {
    let workload = outcome.workload(&scene.scenario.workload);
    let row = |job| {
        let times = [workload.submit(job), outcome.start(job), outcome.end(job)];
        let [entry, start, end] = times.map(Time::secs);
        (workload.number(job), entry, start, end)
    };
    workload.jobs().map(row).collect()
}

#[test]
fn a_job_enters_the_queue_when_its_dependency_is_met() {
    // Job 2 is submitted at 1 and depends on the end of job 1; job 3 needs its place meanwhile.
    let scene = pool(4, &[(0, 10, 4), (1, 5, 2), (2, 30, 3), (3, 5, 1)]);
    let scene = with(&scene, vec![(1, Condition::all(secs(1), vec![end(0, 0)]))]);
    for order in ["batch", "finish-first"] {
        let (outcome, _) = play(&scene.events(order), "fcfs");
        let expected =
            [(1, 0.0, 0.0, 10.0), (3, 2.0, 10.0, 40.0), (4, 3.0, 10.0, 15.0), (2, 10.0, 40.0, 45.0)];
        assert_eq!(rows(&scene, &outcome), expected, "{order}");
    }
}

#[test]
fn a_user_thinks_and_then_submits_earlier_or_later_than_in_the_log() {
    // In the log job 2 was submitted at 100. Its user submits it 5 s after the end of job 1.
    let scene = pool(1, &[(0, 10, 1), (100, 10, 1)]);
    let scene = with(&scene, vec![(1, Condition::all(Time::ZERO, vec![end(0, 5)]))]);
    let (outcome, _) = play(&scene, "easy");
    assert_eq!(rows(&scene, &outcome), [(1, 0.0, 0.0, 10.0), (2, 15.0, 15.0, 25.0)]);
    let submitted = outcome.workload(&scene.scenario.workload).submitted(JobId(1));
    assert_eq!(submitted, secs(100), "schedules print the log's");
}

#[test]
fn a_start_one_of_several_ends_and_the_submission_may_be_what_a_job_waits_for() {
    let scene = pool(4, &[(0, 50, 1), (0, 20, 1), (0, 9, 1), (0, 9, 1), (0, 9, 1)]);
    let scene = with(
        &scene,
        vec![
            (2, Condition::all(Time::ZERO, vec![after(0, Milestone::Start, 7)])),
            (3, Condition { needed: 1, ..Condition::all(Time::ZERO, vec![end(0, 0), end(1, 40)]) }),
            (4, Condition::all(secs(30), vec![end(1, 0)])),
        ],
    );
    let (outcome, _) = play(&scene, "fcfs");
    let expected = [
        (1, 0.0, 0.0, 50.0),
        (2, 0.0, 0.0, 20.0),
        (3, 7.0, 7.0, 16.0),
        (5, 30.0, 30.0, 39.0),
        (4, 50.0, 50.0, 59.0),
    ];
    assert_eq!(rows(&scene, &outcome), expected);
}

#[test]
fn jobs_that_start_at_once_or_last_no_time_let_others_in_at_the_same_instant() {
    let scene = pool(1, &[(0, 0, 1), (0, 0, 1), (0, 5, 1)]);
    let chain = vec![
        (1, Condition::all(Time::ZERO, vec![end(0, 0)])),
        (2, Condition::all(Time::ZERO, vec![after(1, Milestone::Start, 0)])),
    ];
    let scene = with(&scene, chain);
    for order in ["batch", "submit-first", "finish-first"] {
        let (outcome, _) = play(&scene.events(order), "fcfs");
        let expected = [(1, 0.0, 0.0, 0.0), (2, 0.0, 0.0, 0.0), (3, 0.0, 0.0, 5.0)];
        assert_eq!(rows(&scene, &outcome), expected, "{order}");
    }
}

#[test]
fn a_rejected_or_killed_job_holds_nobody_back() {
    let scene = pool(4, &[(0, 10, 3), (0, 10, 2), (0, 5, 1), (0, 5, 1)]);
    let all = vec![
        (2, Condition::all(Time::ZERO, vec![after(0, Milestone::Start, 3)])),
        (3, Condition::all(Time::ZERO, vec![end(1, 4)])),
    ];
    let scene = with(&scene, all);
    let (outcome, _) = run(&scene, Needs::POOL, |turn| {
        let waiting: Vec<JobId> = turn.waiting().collect();
        for job in waiting {
            match turn.job(job).number() {
                1 => turn.reject(job)?,
                2 => turn.kill(job)?,
                _ => _ = turn.start(job)?,
            }
        }
        Ok(())
    })
    .unwrap();
    assert_eq!([0, 1].map(|job| outcome.fate(JobId(job))), [Fate::Rejected, Fate::Rejected]);
    assert_eq!(rows(&scene, &outcome)[2..], [(3, 3.0, 3.0, 8.0), (4, 4.0, 4.0, 9.0)]);
}

#[test]
fn a_replay_that_stops_leaves_dependent_jobs_out() {
    let mut scene = pool(2, &[(0, 10, 1), (1, 10, 1), (2, 10, 1), (500, 10, 1)]);
    scene = with(&scene, vec![(2, Condition::all(Time::ZERO, vec![end(1, 50)]))]);
    let scenario = &mut scene.scenario;
    let rule: StopRule = "last:submit < 2".parse().unwrap();
    scenario.stop = rule.of(&scenario.workload, &scenario.machine).unwrap();
    let (outcome, _) = play(&scene, "fcfs");
    assert_eq!(
        [0, 1, 2, 3].map(|job| outcome.fate(JobId(job))),
        [Fate::Finished, Fate::Finished, Fate::Unfinished, Fate::Unfinished]
    );
    assert!(!outcome.took_part(JobId(2)) && !outcome.took_part(JobId(3)));
}

#[test]
fn jobs_that_wait_for_each_other_are_no_fault_of_the_policy() {
    let scene = pool(2, &[(0, 10, 1), (0, 10, 1), (0, 10, 1)]);
    let circle = vec![
        (1, Condition::all(Time::ZERO, vec![end(2, 0)])),
        (2, Condition::all(Time::ZERO, vec![end(1, 0)])),
    ];
    let error = run(&with(&scene, circle), Needs::POOL, |turn| {
        let waiting: Vec<JobId> = turn.waiting().collect();
        waiting.into_iter().try_for_each(|job| turn.start(job).map(|_| ()))?;
        Ok(())
    });
    assert_eq!(error.err(), Some(ReplayError::Held { held: 2, first: 2 }));
}

#[test]
fn tasks_of_an_array_enter_as_earlier_tasks_end() {
    // Jobs 1, 2, 4 and 5 are an array, two at a time; job 5 also waits for job 3.
    let scene = pool(4, &[(0, 10, 1), (0, 4, 1), (0, 30, 1), (0, 8, 1), (0, 5, 1)]);
    let tasks: Arc<[JobId]> = [0, 1, 3, 4].map(JobId).into();
    let task = |place, on| Condition {
        throttle: Some(Throttle { tasks: tasks.clone(), place, at_most: 2 }),
        ..Condition::all(Time::ZERO, on)
    };
    let scene = with(&scene, vec![(3, task(2, vec![])), (4, task(3, vec![end(2, 0)]))]);
    for order in ["batch", "submit-first", "finish-first"] {
        let (outcome, _) = play(&scene.clone().events(order), "fcfs");
        let expected = [
            (1, 0.0, 0.0, 10.0),
            (2, 0.0, 0.0, 4.0),
            (3, 0.0, 0.0, 30.0),
            // The first task that ends lets the third one in.
            (4, 4.0, 4.0, 12.0),
            // The throttle would let it in at 10.
            (5, 30.0, 30.0, 35.0),
        ];
        assert_eq!(rows(&scene, &outcome), expected, "{order}");
    }
}
