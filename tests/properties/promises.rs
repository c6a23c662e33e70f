use std::collections::{BTreeMap, BTreeSet};

use batchlab::Outcome;
use batchlab::policies::{Act, Journal};
use batchlab::schedule::verify::promises;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{JobId, Time};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{overruns, queue_orders, samples};
use super::seconds::{Job, Scene, Table, pools, replayed, seen};
use crate::lab::{Play, play};

/// Replays with a journal; returns the broken promises, and the number of all promises.
fn broken(scene: &Play, spec: &str) -> (Vec<String>, usize) {
    let mut scene = scene.clone();
    scene.journal = true;
    let (outcome, journal) = play(&scene, spec);
    let made = journal.entries.iter().filter(|entry| matches!(entry.act, Act::Promised(_))).count();
    let broken = promises(&scene.scenario, &outcome, &journal);
    (broken.iter().map(ToString::to_string).collect(), made)
}

/// What was promised: the instants of each job's promises, and the promised starts, in seconds.
fn promised(journal: &Journal) -> BTreeMap<usize, Vec<(usize, usize)>> {
    let mut promised = BTreeMap::<usize, Vec<(usize, usize)>>::new();
    for entry in &journal.entries {
        if let Act::Promised(at) = entry.act {
            let made = (entry.time.secs() as usize, at.secs() as usize);
            promised.entry(entry.job.index()).or_default().push(made);
        }
    }
    promised
}

/// Checks each instant at which conservative backfilling promised a later start than before, or a first one: the start
/// must be the earliest beside the jobs that ran already and the promises to the jobs ahead. Instants at which a
/// reservation moved up are left out: jobs behind keep theirs then.
fn none_is_delayed_by_a_job_behind(
    (nodes, jobs): (&[Vec<i64>], &[Job]),
    outcome: &Outcome,
    journal: &Journal,
) -> Result<usize, TestCaseError> {
    let promised = promised(journal);
    let starts: Vec<usize> = outcome.start.iter().map(|start| start.secs() as usize).collect();
    let instants: BTreeSet<usize> = promised.values().flatten().map(|made| made.0).collect();
    let mut later = 0;
    for now in instants {
        let last = |job: usize, upto: usize| {
            promised[&job].iter().take_while(|made| made.0 < upto).last().map(|made| made.1)
        };
        let (before, after) = (|job| last(job, now), |job| last(job, now + 1));
        let waits = |job: &usize| jobs[*job].submit <= now && starts[*job] >= now;
        let waiting: Vec<usize> = (0..jobs.len()).filter(waits).collect();
        let moved_up = |&job: &usize| before(job).is_some_and(|before| after(job).unwrap() < before);
        let repeats = (0..jobs.len()).any(|job| starts[job] == now && jobs[job].run == 0);
        if repeats || waiting.iter().any(moved_up) {
            continue;
        }
        let mut plan = Table::of_empty(nodes);
        for (job, one) in jobs.iter().enumerate() {
            if starts[job] < now && starts[job] + one.run > now {
                let end = (starts[job] + one.stay()).max(now + 1) - now;
                plan.add(one, &one.demand[..1], (0, end), -1);
            }
        }
        for job in waiting {
            let (one, at) = (&jobs[job], after(job).unwrap() - now);
            if before(job).is_none_or(|before| before < now + at) {
                prop_assert_eq!(at, plan.earliest(one).0, "job {} at {}", job + 1, now);
                later += usize::from(before(job).is_some());
            }
            plan.add(one, &one.demand[..1], (at, at + one.stay()), -1);
        }
    }
    for (job, made) in promised {
        prop_assert_eq!(made.last().unwrap().1, starts[job], "job {}", job + 1);
    }
    Ok(later)
}

#[test]
fn a_promise_is_made_later_beside_the_jobs_ahead_only() {
    // At 10 job 1 is overdue and job 2 slips; jobs 3 and 4, which were to start at 60, give way at 20.
    let job = |submit, run, estimate, procs| Job { submit, run, estimate, demand: vec![procs] };
    let jobs = [job(0, 20, 10, 7), job(1, 50, 50, 7), job(2, 50, 50, 4), job(3, 50, 50, 4)];
    let scene: Scene = (vec![vec![10]], jobs.iter().map(Job::plain).collect());
    let scenario = Play { journal: true, ..replayed(&scene, Overrun::Overdue) };
    let (outcome, journal) = play(&scenario, "conservative");
    assert_eq!(outcome.start, [0, 20, 70, 70].map(Time::from_secs));
    let of_job_3 = |entry: &batchlab::policies::journal::Entry| entry.job == JobId(2);
    let acts =
        journal.entries.iter().filter(|entry| of_job_3(entry)).map(|entry| (entry.time.secs(), entry.act));
    let promises: Vec<(f64, Time)> = acts
        .filter_map(|(time, act)| if let Act::Promised(at) = act { Some((time, at)) } else { None })
        .collect();
    assert_eq!(
        promises,
        [(2.0, Time::from_secs(60)), (10.0, Time::from_secs(61)), (20.0, Time::from_secs(70))]
    );
    assert_eq!(none_is_delayed_by_a_job_behind((&scene.0, &jobs), &outcome, &journal).unwrap(), 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn easy_never_delays_the_reservation_of_its_head(
        sample in samples(),
        candidates in queue_orders(),
        extra in select(vec!["all", "first"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let spec = format!("easy:candidates={candidates},extra={extra}");
        prop_assert_eq!(broken(&sample.play(overrun), &spec).0, Vec::<String>::new());
    }

    /// With estimates in fractions of a second, promises may move by less than a second, and starts keep them.
    #[test]
    fn easy_keeps_its_promises_with_fractional_times(
        sample in samples(),
        fractions in prop::collection::vec(0i64..1_000_000, 40),
    ) {
        let mut sample = sample;
        for (job, ticks) in sample.jobs.iter_mut().zip(fractions) {
            job.submit += Time::from_ticks(ticks);
            job.run = (job.run + Time::from_ticks(ticks / 2)).max(Time::SECOND);
            job.estimate = job.estimate.max(job.run);
        }
        prop_assert_eq!(broken(&sample.play(Overrun::Raise), "easy").0, Vec::<String>::new());
    }

    #[test]
    fn conservative_backfilling_keeps_every_promise(
        sample in samples(),
        variant in select(vec!["compress", "fixed"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let spec = format!("conservative:variant={variant}");
        let (broken, made) = broken(&sample.play(overrun), &spec);
        prop_assert_eq!(broken, Vec::<String>::new());
        prop_assert!(made >= sample.jobs.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Under each rule for jobs that outlive their estimates no job is delayed by a job behind it.
    #[test]
    fn a_broken_promise_of_conservative_backfilling_is_never_due_to_a_job_behind(
        scene in pools(),
        overrun in overruns(),
        spec in select(vec!["conservative", "conservative:variant=rechoose", "ff-cons"]),
    ) {
        let scenario = Play { journal: true, ..replayed(&scene, overrun) };
        let (outcome, journal) = play(&scenario, spec);
        let jobs = seen(&scene.1, overrun);
        let later = none_is_delayed_by_a_job_behind((&scene.0, &jobs), &outcome, &journal)?;
        prop_assert!(later == 0 || overrun == Overrun::Overdue);
    }
}
