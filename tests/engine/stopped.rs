//! Replays that end with the last job they wait for, beside a replay stopped by the fair rule.

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::{Fate, Outcome, Stop, StopRule, stopped};
use batchlab::policies::{Cycle, Event, Needs, Placement, Share};
use batchlab::replay::{ResultRow, RowKind, capability};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Workload};
use batchlab::{Registry, schedule};

use super::script::{intervals, pool, run, secs, share, start_all, times};
use crate::lab::{Play, overrun, play};

const ORDERS: [&str; 3] = ["batch", "submit-first", "finish-first"];

/// Two interactive jobs of two processors (1 and 3) and three batch jobs on four processors: job 2 needs all
/// of them, job 4 runs beside the interactive ones, and job 5 arrives long after their end.
fn session() -> Play {
    let scene = pool(4, &[(0, 10, 2), (0, 100, 4), (2, 20, 2), (3, 60, 2), (200, 5, 1)]);
    classed(&scene, "procs = 2 and run < 50")
}

fn classed(scene: &Play, rule: &str) -> Play {
    let mut scene = scene.clone();
    let workload = Workload::clone(&scene.scenario.workload);
    let machine = scene.scenario.machine.clone();
    scene.scenario.workload = workload.with_interactive(&rule.parse().unwrap(), &machine).unwrap().into();
    scene
}

fn until(scene: &Play, rule: &str) -> Play {
    let mut scene = scene.clone();
    let rule: StopRule = rule.parse().unwrap();
    scene.scenario.stop = rule.of(&scene.scenario.workload, &scene.scenario.machine).unwrap();
    scene
}

fn metric(scene: &Play, outcome: &Outcome, key: &str) -> Option<f64> {
    let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
    let measurement = Measurement::new(workload, machine, outcome, MeasureOptions::default()).unwrap();
    Catalogue::new(machine, &[]).find(key).unwrap().value(&measurement)
}

fn near(scene: &Play, outcome: &Outcome, key: &str, expected: f64) {
    let value = metric(scene, outcome, key).unwrap();
    assert!((value - expected).abs() < 1e-12, "{key}: {value} is not {expected}");
}

const NEVER: f64 = batchlab::traces::Time::MAX.ticks() as f64 / 1e6;

#[test]
fn a_replay_ends_with_the_last_interactive_job_in_every_event_order() {
    use Fate::{Finished, Unfinished};
    let scene = until(&session(), "last-interactive");
    for order in ORDERS {
        let (outcome, _) = play(&scene.events(order), "first-fit");
        // Job 2 still waits at 22, job 4 has run since 10, job 5 has not been submitted.
        let expected = [(0.0, 10.0), (22.0, 22.0), (2.0, 22.0), (10.0, 22.0), (NEVER, NEVER)];
        assert_eq!(times(&outcome), expected, "{order}");
        assert_eq!(outcome.fate, [Finished, Unfinished, Finished, Unfinished, Unfinished], "{order}");
    }
    // Decisions at multiples of 5: job 3 starts at 5 and ends at 25; the stop may lie between two decisions.
    let (outcome, _) = play(&scene.events("periodic:5"), "first-fit");
    let expected = [(0.0, 10.0), (25.0, 25.0), (5.0, 25.0), (10.0, 25.0), (NEVER, NEVER)];
    assert_eq!(times(&outcome), expected);
    let (outcome, _) = play(&scene.events("periodic:4"), "first-fit");
    assert_eq!(times(&outcome)[2..4], [(4.0, 24.0), (12.0, 24.0)]);
}

#[test]
fn the_biased_rule_beside_the_fair_one() {
    let (fair, biased) = (session(), until(&session(), "last-interactive"));
    let (all, _) = play(&fair, "first-fit");
    assert_eq!(times(&all), [(0.0, 10.0), (70.0, 170.0), (2.0, 22.0), (10.0, 70.0), (200.0, 205.0)]);
    near(&fair, &all, "mean_response", (10.0 + 170.0 + 20.0 + 67.0 + 5.0) / 5.0);
    near(&fair, &all, "utilization", (20.0 + 400.0 + 40.0 + 120.0 + 5.0) / (4.0 * 205.0));
    near(&fair, &all, "mean_queue_length_makespan", (70.0 + 7.0) / 205.0);

    let (cut, _) = play(&biased, "first-fit");
    // Metrics per job cover the jobs that ended, 1 and 3. The long ones are left out: 15 s instead of 54.4 s.
    near(&biased, &cut, "jobs", 2.0);
    near(&biased, &cut, "mean_response", 15.0);
    near(&biased, &cut, "max_slowdown", 1.0);
    // Metrics of the whole replay cover all service and waiting until 22.
    near(&biased, &cut, "makespan", 22.0);
    near(&biased, &cut, "utilization", (20.0 + 40.0 + 2.0 * 12.0) / (4.0 * 22.0));
    near(&biased, &cut, "mean_queue_length_makespan", (22.0 + 7.0) / 22.0);
    near(&biased, &cut, "mean_jobs_in_system_makespan", (10.0 + 22.0 + 20.0 + 19.0) / 22.0);
    near(&biased, &cut, "throughput_makespan", 2.0 * 3600.0 / 22.0);
    // Two processors are idle until 2, and job 2 waits.
    near(&biased, &cut, "loss_of_capacity", 2.0 * 2.0 / (4.0 * 22.0));
    // The offered load covers the whole log: 585 in 200 s of 4 processors.
    near(&biased, &cut, "offered_load", 585.0 / 800.0);
}

#[test]
fn a_note_counts_the_unfinished_jobs() {
    let scene = until(&session(), "last-interactive");
    let (outcome, _) = play(&scene, "first-fit");
    let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
    let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
    let row = ResultRow::measure("first-fit", RowKind::Policy, &measurement, &[], &[]);
    let note = "first-fit: stopped at 22 s; 2 of 5 jobs had not ended, 1 of them not started: not measured; 1 job would \
                have come later";
    assert_eq!(row.notes, [note]);
}

#[test]
fn a_job_that_ends_at_the_stop_has_ended_and_one_that_arrives_then_is_unfinished() {
    // All orders agree, although only some decide on job 3 at 10, and job 2 ends after job 1 in the order of starts.
    let scene =
        until(&classed(&pool(3, &[(0, 10, 1), (0, 10, 1), (10, 5, 1)]), "job = 1"), "last-interactive");
    for order in ORDERS {
        let (outcome, _) = play(&scene.events(order), "fcfs");
        assert_eq!(times(&outcome), [(0.0, 10.0), (0.0, 10.0), (10.0, 10.0)], "{order}");
        assert_eq!(outcome.fate, [Fate::Finished, Fate::Finished, Fate::Unfinished], "{order}");
        assert_eq!(metric(&scene, &outcome, "makespan"), Some(10.0));
    }
}

#[test]
fn jobs_that_end_at_their_limit_have_ended() {
    let job = |submit, run, estimate, procs| PlainJob {
        estimate: secs(estimate),
        user: 1,
        ..PlainJob::secs(submit, run, vec![procs])
    };
    // The interactive job would run for 20 s and asks for 15.
    let jobs = [job(0, 20, 15, 2), job(0, 40, 40, 2), job(1, 10, 10, 4), job(2, 9, 5, 1)];
    let read = |rule| {
        let jobs: Vec<PlainJob> = jobs.iter().map(|job| overrun(rule, job)).collect();
        let scene = Play::new(Machine::pool(4).unwrap(), Workload::from_jobs(&jobs));
        until(&classed(&Play { overrun: rule, ..scene }, "job = 1"), "last-interactive")
    };
    for order in ORDERS {
        let (outcome, _) = play(&read(Overrun::Kill).events(order), "fcfs");
        assert_eq!(times(&outcome), [(0.0, 15.0), (0.0, 15.0), (15.0, 15.0), (15.0, 15.0)], "{order}");
        assert_eq!(outcome.fate[0], Fate::Finished);
        for rule in [Overrun::Raise, Overrun::Overdue] {
            let (outcome, _) = play(&read(rule).events(order), "fcfs");
            assert_eq!(times(&outcome)[..2], [(0.0, 20.0), (0.0, 20.0)], "{order}");
        }
    }
}

#[test]
fn a_replay_waits_for_a_class_by_any_condition_and_for_jobs_that_are_killed() {
    let scene = until(&pool(2, &[(0, 50, 1), (0, 20, 1), (5, 9, 1), (60, 1, 1)]), "last:run >= 20");
    assert_eq!(times(&play(&scene, "fcfs").0)[..3], [(0.0, 50.0), (0.0, 20.0), (20.0, 29.0)]);
    for order in ORDERS {
        let (outcome, _) = run(&scene.events(order), Needs::POOL, |turn| {
            start_all(turn)?;
            if turn.events().contains(&Event::Finished(JobId(1))) {
                turn.kill(JobId(0))?;
            }
            Ok(())
        })
        .unwrap();
        // Job 1 is killed as job 2 ends: there is no job left to wait for, and job 3 has just started.
        assert_eq!(times(&outcome), [(0.0, 20.0), (0.0, 20.0), (20.0, 20.0), (NEVER, NEVER)], "{order}");
        let fates = [Fate::Killed, Fate::Finished, Fate::Unfinished, Fate::Unfinished];
        assert_eq!(outcome.fate, fates, "{order}");
    }
}

#[test]
fn a_job_swapped_out_at_the_stop_counts_with_what_it_received() {
    let scene = until(&pool(2, &[(0, 10, 2), (4, 3, 2)]), "last:run = 3");
    let outcome = share(&scene, |turn| {
        match turn.now().ticks() / 1_000_000 {
            0 => _ = turn.start(JobId(0))?,
            4 if turn.events().contains(&Event::Submitted(JobId(1))) => {
                turn.displace(JobId(0), true)?;
                turn.start(JobId(1))?;
            }
            _ => {}
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 7.0), (4.0, 7.0)]);
    assert_eq!(outcome.fate(JobId(0)), Fate::Unfinished);
    assert_eq!(intervals(&outcome, 0), [(0.0, 4.0, 1.0)]);
    near(&scene, &outcome, "utilization", 1.0);
    near(&scene, &outcome, "mean_response", 3.0);
    // A job that still runs is cut off.
    let scene = until(&pool(2, &[(0, 10, 1), (4, 3, 1)]), "last:run = 3");
    let outcome = share(&scene, start_all);
    assert_eq!(intervals(&outcome, 0), [(0.0, 7.0, 1.0)]);
    near(&scene, &outcome, "utilization", (7.0 + 3.0) / 14.0);
}

#[test]
fn the_schedule_of_a_stopped_replay_is_read_back_as_it_was() {
    let scene = until(&session(), "last-interactive");
    let (outcome, _) = play(&scene, "first-fit");
    let workload = &scene.scenario.workload;
    let mut text = Vec::new();
    schedule::write(workload, &outcome, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "job_id,submit,start,end,procs,fate");
    assert_eq!(rows[2], "2,0,22,22,4,unfinished");
    assert_eq!(rows[5], "5,200,,,1,unfinished");
    let again = schedule::outcome(workload, &schedule::read(&text).unwrap()).unwrap();
    assert_eq!((&again.start, &again.end, &again.fate), (&outcome.start, &outcome.end, &outcome.fate));
    assert!(schedule::verify::verify(&scene.scenario, &again).is_empty());
    // The schedule without the stop, cut off at the same instant, is the same.
    let whole = stopped(play(&session(), "first-fit").0, workload, &scene.scenario.stop);
    assert_eq!((&whole.start, &whole.end, &whole.fate), (&outcome.start, &outcome.end, &outcome.fate));
    let broken = schedule::verify::verify(&session().scenario, &outcome);
    assert!(broken.iter().any(|violation| violation.to_string().contains("never ends")), "{broken:?}");
}

#[test]
fn there_must_be_a_job_to_wait_for() {
    let scene = pool(2, &[(0, 50, 1), (0, 20, 1)]);
    let said = |rule: &str| {
        let rule: StopRule = rule.parse().unwrap();
        rule.of(&scene.scenario.workload, &scene.scenario.machine).unwrap_err().to_string()
    };
    let none = said("last-interactive");
    assert!(none.contains("none of the 2 jobs is interactive by the rule `queue = 0`"), "{none}");
    assert!(none.contains("shortest:0.42"), "{none}");
    assert!(said("last:procs > 5").contains("last:procs > 5: the condition holds for none of the 2 jobs"));
    assert!(said("last:wait > 5").contains("no recorded schedule"));
    for (wrong, words) in [("first", "all, last-interactive, last:CONDITION"), ("last:procs >", "expected")] {
        let error = wrong.parse::<StopRule>().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!("last: run>5".parse::<StopRule>().unwrap().to_string(), "last:run > 5");
    assert!(!Stop::default().is_early() && Stop::default().awaits(JobId(7)));
}

#[test]
fn a_policy_that_never_serves_them_is_stuck_all_the_same() {
    let scene = until(&pool(2, &[(0, 5, 1), (1, 5, 1)]), "last:job = 2");
    let error = run(&scene, Needs::POOL, |turn| {
        if turn.events().contains(&Event::Submitted(JobId(0))) {
            turn.start(JobId(0))?;
        }
        Ok(())
    })
    .unwrap_err();
    assert!(error.to_string().contains("leaves 1 jobs waiting for ever"), "{error}");
    let chosen = Registry::builtin().choose("fcfs").unwrap();
    assert!(capability::check(&chosen, &scene.scenario).is_ok());
}

#[test]
fn a_job_in_turns_counts_with_the_service_of_its_slices() {
    // Slices of 2 s, half a second of each for the switch: job 1 runs in 0-2 and 4-6, job 2 in 2-4.
    let mut scene = until(&pool(2, &[(0, 3, 2), (0, 4, 2), (1, 9, 2)]), "last:run = 3");
    scene.scenario.costs = "switch=0.25".parse().unwrap();
    let (outcome, _) = run(&scene, Needs::GANG, |turn| {
        if turn.now() == secs(0) {
            let [first, second] = [JobId(0), JobId(1)];
            let all = || Placement((0..2).map(|node| Share::new(node, 1)).collect());
            let rows = vec![vec![first], vec![second]];
            let cycle = Cycle { rows, slice: secs(2), ..Cycle::default() };
            turn.cycle(&cycle, &[(first, all()), (second, all())])?;
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(times(&outcome), [(0.0, 6.0), (2.0, 6.0), (6.0, 6.0)]);
    assert_eq!(outcome.fate, [Fate::Finished, Fate::Unfinished, Fate::Unfinished]);
    near(&scene, &outcome, "utilization", 2.0 * (3.0 + 1.5) / 12.0);
    near(&scene, &outcome, "mean_stalled", 3.0);
}
