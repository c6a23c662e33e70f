//! For any jobs that depend on others, any policy and any event order: jobs enter the queue when their dependencies are
//! met, every job ends, and a policy sees nothing but jobs that enter.

use std::sync::Arc;

use batchlab::Outcome;
use batchlab::outcome::Fate;
use batchlab::replay::engine::Scenario;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::{Condition, Dependency, Milestone, Throttle};
use batchlab::traces::{JobId, Time, Workload};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::samples::{all_specs, event_orders, migrates_at_length, overruns, samples};
use crate::lab::{Play, try_play};

/// How a job depends on others: the jobs, what must happen to them and how long before; whether all of it must; whether
/// its own submission counts.
pub type Draw = (Vec<(Index, bool, i64)>, bool, bool);

/// About every second job depends on one to three earlier ones.
pub fn draws() -> impl Strategy<Value = Vec<Option<Draw>>> {
    let one = (any::<Index>(), any::<bool>(), select(vec![0_i64, 0, 1, 5, 20]));
    let draw = (prop::collection::vec(one, 1..4), any::<bool>(), any::<bool>());
    prop::collection::vec(prop::option::of(draw), 40)
}

/// Adds the dependencies to the jobs of a scene; no delay is below `least`.
pub fn dependent(scene: &Play, draws: &[Option<Draw>], least: i64) -> Play {
    let workload: &Workload = &scene.scenario.workload;
    let condition = |(job, draw): (JobId, &Option<Draw>)| {
        let (on, all, submitted) = draw.as_ref().filter(|_| job.0 > 0)?;
        let on = on.iter().map(|(before, starts, delay)| Dependency {
            on: JobId(before.index(job.index()) as u32),
            milestone: if *starts { Milestone::Start } else { Milestone::End },
            delay: Time::from_secs((*delay).max(least)),
        });
        let earliest = if *submitted { workload.submit(job) } else { Time::ZERO };
        let condition = Condition::all(earliest, on.collect());
        Some((job, if *all { condition } else { Condition { needed: 1, ..condition } }))
    };
    let conditions = workload.jobs().zip(draws).filter_map(condition).collect();
    on(scene, workload.clone().with_conditions(conditions))
}

/// Makes every `step`th job from `first` on a task of an array with a throttle.
pub fn throttled(scene: &Play, first: usize, step: usize, at_most: usize) -> Play {
    let workload: &Workload = &scene.scenario.workload;
    let tasks: Arc<[JobId]> = workload.jobs().skip(first).step_by(step).collect();
    let mut conditions = workload.conditions().to_vec();
    for (place, &task) in tasks.iter().enumerate().skip(at_most) {
        let throttle = Some(Throttle { tasks: tasks.clone(), place, at_most });
        match conditions.iter_mut().find(|(job, _)| *job == task) {
            Some((_, condition)) => condition.throttle = throttle,
            None => {
                let alone = Condition::all(workload.submit(task), Vec::new());
                conditions.push((task, Condition { throttle, ..alone }));
            }
        }
    }
    on(scene, workload.clone().with_conditions(conditions))
}

/// Whether at most `at_most` of the jobs are in the system at any instant: at each entry, this job and those that entered
/// before it and have not left.
fn keeps_throttle(scene: &Play, outcome: &Outcome, tasks: &[JobId], at_most: usize) -> bool {
    let entered = outcome.workload(&scene.scenario.workload);
    let rows: Vec<usize> = tasks.iter().map(|&task| scene.scenario.workload.row(task)).collect();
    let tasks: Vec<JobId> = entered.jobs().filter(|&job| rows.contains(&entered.row(job))).collect();
    tasks.iter().enumerate().all(|(at, &task)| {
        let is_there =
            |&&before: &&JobId| outcome.ended(before).is_some_and(|end| end > entered.submit(task));
        tasks[..at].iter().filter(is_there).count() < at_most
    })
}

fn on(scene: &Play, workload: Workload) -> Play {
    let scenario = Scenario { workload: Arc::new(workload), ..scene.scenario.clone() };
    Play { scenario, ..scene.clone() }
}

fn may_decline(spec: &str) -> bool {
    ["variant=fixed", "share=false", "memory=on"].iter().any(|word| spec.contains(word))
        || migrates_at_length(spec)
}

fn times(outcome: &Outcome) -> (Vec<Time>, Vec<Time>) {
    (outcome.start.clone(), outcome.end.clone())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Every replay is checked by `verify`, which computes the instants of entry from starts and ends.
    #[test]
    fn every_policy_lets_jobs_wait_for_others(
        sample in samples(),
        draws in draws(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = dependent(&sample.play(overrun).events(events), &draws, 0);
        for spec in specs {
            let Ok((outcome, _)) = try_play(&scene, &spec) else {
                prop_assert!(may_decline(&spec), "{}", spec);
                continue;
            };
            // DHC turns away jobs larger than its largest block.
            let left = |job| outcome.ended(job).is_some() || outcome.fate(job) == Fate::Rejected;
            prop_assert!(scene.scenario.workload.jobs().all(left), "{}", spec);
            let entered = outcome.workload(&scene.scenario.workload);
            prop_assert!(entered.jobs().map(|job| entered.submit(job)).is_sorted(), "{}", spec);
        }
    }

    /// Tasks of an array with a throttle, some of which depend on other jobs; `verify` checks the entries.
    #[test]
    fn every_policy_keeps_the_throttle_of_an_array(
        sample in samples(),
        draws in draws(),
        specs in all_specs(),
        events in event_orders(),
        (first, step, at_most) in (0_usize..4, 1_usize..4, 1_usize..4),
    ) {
        let scene = dependent(&sample.play(Overrun::Raise).events(events), &draws, 0);
        let scene = throttled(&scene, first, step, at_most);
        let tasks: Vec<JobId> = scene.scenario.workload.jobs().skip(first).step_by(step).collect();
        for spec in specs {
            let Ok((outcome, _)) = try_play(&scene, &spec) else {
                prop_assert!(may_decline(&spec), "{}", spec);
                continue;
            };
            let left = |job| outcome.ended(job).is_some() || outcome.fate(job) == Fate::Rejected;
            prop_assert!(scene.scenario.workload.jobs().all(left), "{}", spec);
            prop_assert!(keeps_throttle(&scene, &outcome, &tasks, at_most), "{}", spec);
        }
    }

    /// If an entry is known before its instant, the jobs might as well have been submitted then.
    #[test]
    fn a_log_of_the_entries_gives_the_same_schedule(
        sample in samples(),
        draws in draws(),
        specs in all_specs(),
        events in event_orders(),
    ) {
        let scene = dependent(&sample.play(Overrun::Raise).events(events), &draws, 1);
        for spec in specs {
            let Ok((outcome, _)) = try_play(&scene, &spec) else { continue };
            let open = on(&scene, outcome.workload(&scene.scenario.workload).clone());
            let (again, _) = try_play(&open, &spec).unwrap();
            prop_assert_eq!(times(&outcome), times(&again), "{}", spec);
        }
    }
}
