//! Rows that take turns: slices are exact, cut ones too, and costs are charged to the right jobs.

use batchlab::outcome::{Fate, IntervalKind};
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Checkpoint, Cycle, Event, Needs, Placement, Reason, Resume, Share, Turn};
use batchlab::traces::JobId;
use batchlab::{
    Outcome,
    policies::{MigrationCharge, SwitchCharge},
};

use super::script::{Decided, pool, run, secs, times, with_memory};
use crate::lab::{Play, play};

const A: JobId = JobId(0);
const B: JobId = JobId(1);
const C: JobId = JobId(2);

fn on(columns: std::ops::Range<u32>) -> Placement {
    Placement(columns.map(|node| Share::new(node, 1)).collect())
}

fn rows(rows: &[&[JobId]], slice: i64, resume: Resume) -> Cycle {
    let rows = rows.iter().map(|row| row.to_vec()).collect();
    Cycle { rows, slice: secs(slice), resume, ..Cycle::default() }
}

fn gang(scene: &Play, costs: &str, decide: impl FnMut(&mut Turn<'_>) -> Decided + Send) -> Outcome {
    let mut scene = scene.clone();
    if !costs.is_empty() {
        scene.scenario.costs = costs.parse().unwrap();
    }
    run(&scene, Needs::GANG, decide).unwrap().0
}

/// The life of a job as (from, to, r|s|m|w|.): ran, switched, migrated, was swapped, paused.
fn life(outcome: &Outcome, job: JobId) -> Vec<(f64, f64, char)> {
    let own = outcome.all_intervals().into_iter().filter(|interval| interval.job == job);
    own.map(|interval| {
        let kind = match interval.kind {
            IntervalKind::Run => 'r',
            IntervalKind::Switch => 's',
            IntervalKind::Migrate => 'm',
            IntervalKind::Swap => 'w',
            IntervalKind::Paused => '.',
        };
        (interval.from.secs(), interval.to.secs(), kind)
    })
    .collect()
}

#[test]
fn two_rows_take_turns_without_being_asked() {
    // A and B each need the whole machine: slices of 2 s, A first.
    let mut asked = 0;
    let outcome = gang(&pool(2, &[(0, 3, 2), (0, 4, 2)]), "", |turn| {
        asked += 1;
        if turn.now() == secs(0) {
            turn.cycle(&rows(&[&[A], &[B]], 2, Resume::Continue), &[(A, on(0..2)), (B, on(0..2))])?;
        }
        Ok(())
    });
    // A: 0-2, 4-5. Then only B is left: 2-4, 5-7.
    assert_eq!(times(&outcome), [(0.0, 5.0), (2.0, 7.0)]);
    assert_eq!(life(&outcome, A), [(0.0, 2.0, 'r'), (2.0, 4.0, '.'), (4.0, 5.0, 'r')]);
    assert_eq!(life(&outcome, B), [(0.0, 2.0, '.'), (2.0, 4.0, 'r'), (4.0, 5.0, '.'), (5.0, 7.0, 'r')]);
    assert_eq!(asked, 3, "at the submission and at each end");
    let suspensions: Vec<u32> = outcome.services.iter().map(|service| service.suspensions).collect();
    assert_eq!(suspensions, [1, 1]);
}

#[test]
fn a_job_in_two_rows_runs_twice_as_often() {
    let outcome = gang(&pool(2, &[(0, 8, 1), (0, 4, 1), (0, 4, 1)]), "", |turn| {
        if turn.now() == secs(0) {
            let places = [(A, on(0..1)), (B, on(1..2)), (C, on(1..2))];
            turn.cycle(&rows(&[&[A, B], &[A, C]], 2, Resume::Continue), &places)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 8.0), (0.0, 6.0), (2.0, 8.0)]);
}

/// B arrives 3 s into A's slice of 10 s; the continuation depends on the reading.
fn cut(resume: Resume, costs: &str) -> Outcome {
    gang(&pool(1, &[(0, 9, 1), (0, 9, 1), (3, 1, 1)]), costs, move |turn| {
        if turn.now() == secs(0) {
            turn.cycle(&rows(&[&[A], &[B]], 10, resume), &[(A, on(0..1)), (B, on(0..1))])?;
        } else if turn.now() == secs(3) {
            turn.cycle(&rows(&[&[A], &[B], &[C]], 10, resume), &[(C, on(0..1))])?;
        }
        Ok(())
    })
}

#[test]
fn a_slice_that_an_event_cuts_short_goes_on_or_not() {
    // A gets the rest of its slice, until 9; then B, and C at 18.
    assert_eq!(times(&cut(Resume::Continue, "")), [(0.0, 9.0), (9.0, 18.0), (18.0, 19.0)]);
    // B follows at once with a full slice; then C, then A.
    assert_eq!(times(&cut(Resume::Next, "")), [(0.0, 19.0), (3.0, 12.0), (12.0, 13.0)]);
    // The first row gets another full slice.
    assert_eq!(times(&cut(Resume::First, "")), [(0.0, 9.0), (9.0, 18.0), (18.0, 19.0)]);
}

#[test]
fn every_slice_pays_the_switch_the_cut_ones_too() {
    // A switch costs 10 % of 10 s. A: 1 s switch, 2 s run, cut at 3: 1 s switch, 6 s until its slice ends at
    // 10; B 10-20 (9 s run, ends at 20), C 20-22, A: switch 22-23, its last second 23-24.
    let outcome = cut(Resume::Continue, "switch=0.1");
    assert_eq!(times(&outcome), [(0.0, 24.0), (10.0, 20.0), (20.0, 22.0)]);
    let expected = [
        (0.0, 1.0, 's'),
        (1.0, 3.0, 'r'),
        (3.0, 4.0, 's'),
        (4.0, 10.0, 'r'),
        (10.0, 22.0, '.'),
        (22.0, 23.0, 's'),
        (23.0, 24.0, 'r'),
    ];
    assert_eq!(life(&outcome, A), expected);
    assert_eq!(outcome.services[0].switching, secs(3));
}

#[test]
fn changed_charges_only_jobs_that_did_not_run_just_before() {
    let mut scene = pool(1, &[(0, 9, 1), (0, 9, 1), (3, 1, 1)]);
    scene.scenario.costs = "switch=0.1".parse().unwrap();
    scene.scenario.costs.charge = SwitchCharge::Changed;
    let outcome = gang(&scene, "", |turn| {
        if turn.now() == secs(0) {
            turn.cycle(&rows(&[&[A], &[B]], 10, Resume::Continue), &[(A, on(0..1)), (B, on(0..1))])?;
        } else if turn.now() == secs(3) {
            turn.cycle(&rows(&[&[A], &[B], &[C]], 10, Resume::Continue), &[(C, on(0..1))])?;
        }
        Ok(())
    });
    // A pays nothing for the cut at 3.
    assert_eq!(life(&outcome, A), [(0.0, 1.0, 's'), (1.0, 10.0, 'r')]);
    assert_eq!(times(&outcome), [(0.0, 10.0), (10.0, 20.0), (20.0, 22.0)]);
}

/// Figure 13 of Zhang et al. 2000 on a small scale: A (3 processors, 0-2) in row 0, J (2 processors, 1-2) in row 1, of 5
/// processors. At 8, A is also placed in row 1: either J moves to 3-4 (option 1), or A takes 0, 3 and 4 (option 2).
fn figure_13(option: u8) -> Outcome {
    let scene = pool(5, &[(0, 20, 3), (0, 20, 2), (8, 1, 5)]);
    gang(&scene, "migrate=2s", move |turn| match turn.now().secs() as i64 {
        0 => {
            let places = [(A, on(0..3)), (B, on(1..3))];
            turn.cycle(&rows(&[&[A], &[B]], 4, Resume::Continue), &places).map_err(PolicyError::from)
        }
        8 if turn.events().contains(&Event::Submitted(C)) => {
            turn.kill(C)?;
            let (moved, leaving, waiting) = if option == 1 {
                ((B, on(3..5)), vec![B], vec![A])
            } else {
                let columns = [0, 3, 4].map(|node| Share::new(node, 1));
                ((A, Placement(columns.to_vec())), vec![A], vec![B])
            };
            let mut cycle = rows(&[&[A, B]], 4, Resume::Continue);
            cycle.checkpoints.push(Checkpoint { leaving, waiting });
            turn.cycle(&cycle, &[moved]).map_err(PolicyError::from)
        }
        _ => Ok(()),
    })
}

#[test]
fn migration_costs_the_moved_job_and_the_jobs_that_wait_for_the_checkpoint() {
    let (paused, moves, waits) = ((4.0, 8.0, '.'), (8.0, 10.0, 'm'), (8.0, 9.0, 'm'));
    // Option 1: J pays C = 2 s, A waits C/2 = 1 s for J's checkpoint. Each has 16 s left.
    let one = figure_13(1);
    assert_eq!(life(&one, A), [(0.0, 4.0, 'r'), paused, waits, (9.0, 25.0, 'r')]);
    assert_eq!(life(&one, B), [(0.0, 4.0, '.'), (4.0, 8.0, 'r'), moves, (10.0, 26.0, 'r')]);
    // Option 2: A pays C, and J waits for A's checkpoint on the processors that A gives up.
    let two = figure_13(2);
    assert_eq!(life(&two, A), [(0.0, 4.0, 'r'), paused, moves, (10.0, 26.0, 'r')]);
    assert_eq!(life(&two, B), [(0.0, 4.0, '.'), (4.0, 8.0, 'r'), waits, (9.0, 25.0, 'r')]);
    let migrations = [one, two].map(|outcome| [0, 1].map(|job| outcome.services[job].migrations));
    assert_eq!(migrations, [[0, 1], [1, 0]]);
}

/// As option 1 of figure 13, but J moves twice at one event, A waiting each time. C is counted where J stands at the end (J 2 s, A 1 s),
/// or for each migration by itself (J 4 s, A 2 s).
#[test]
fn two_migrations_of_a_job_at_one_event_cost_it_once_or_twice() {
    for (charge, [waits, moves], migrations) in
        [(MigrationCharge::Event, [10.0, 10.0], 1), (MigrationCharge::Step, [10.0, 12.0], 2)]
    {
        let mut scene = pool(5, &[(0, 20, 3), (0, 20, 2), (8, 1, 5)]);
        scene.scenario.costs.migrate = secs(2);
        scene.scenario.costs.migrate_charge = charge;
        let outcome = gang(&scene, "", move |turn| match turn.now().secs() as i64 {
            0 => {
                let places = [(A, on(0..3)), (B, on(1..3))];
                Ok(turn.cycle(&rows(&[&[A], &[B]], 4, Resume::Continue), &places)?)
            }
            8 if turn.events().contains(&Event::Submitted(C)) => {
                turn.kill(C)?;
                let mut cycle = rows(&[&[A, B]], 4, Resume::Continue);
                cycle.checkpoints = vec![Checkpoint { leaving: vec![B], waiting: vec![A] }; 2];
                Ok(turn.cycle(&cycle, &[(B, on(3..5))])?)
            }
            _ => Ok(()),
        });
        // Each has 16 s left.
        assert_eq!(life(&outcome, A)[2..], [(8.0, waits, 'm'), (waits, waits + 16.0, 'r')], "{charge:?}");
        assert_eq!(life(&outcome, B)[2..], [(8.0, moves, 'm'), (moves, moves + 16.0, 'r')], "{charge:?}");
        assert_eq!(outcome.services[1].migrations, migrations);
    }
}

/// A (4 processors, 0-3) in row 1; B (0) and C (2) in row 0, of 6 processors. At 4 A is also placed in row 0: B and C move
/// to 4 and 5. D arrives at 4 and gets processor 0, which B has left, in row 1, where B has a replica.
#[test]
fn a_checkpoint_costs_only_the_jobs_of_its_migration() {
    let d = JobId(3);
    let scene = pool(6, &[(0, 20, 4), (0, 20, 1), (0, 20, 1), (4, 5, 1)]);
    let outcome = gang(&scene, "migrate=2s", move |turn| match turn.now().secs() as i64 {
        0 => {
            let places = [(A, on(0..4)), (B, on(0..1)), (C, on(2..3))];
            Ok(turn.cycle(&rows(&[&[B, C], &[A]], 2, Resume::Continue), &places)?)
        }
        4 => {
            let mut cycle = rows(&[&[A, B, C], &[B, d]], 4, Resume::First);
            cycle.checkpoints.push(Checkpoint { leaving: vec![B, C], waiting: vec![A] });
            Ok(turn.cycle(&cycle, &[(B, on(4..5)), (C, on(5..6)), (d, on(0..1))])?)
        }
        _ => Ok(()),
    });
    // Both jobs of S(A) move at once: A waits C/2 = 1 s only once. B and C pay C = 2 s each.
    assert_eq!(life(&outcome, A)[2..4], [(4.0, 5.0, 'm'), (5.0, 8.0, 'r')]);
    assert_eq!(life(&outcome, B)[2..4], [(4.0, 6.0, 'm'), (6.0, 24.0, 'r')]);
    assert_eq!(life(&outcome, C)[2..4], [(4.0, 6.0, 'm'), (6.0, 8.0, 'r')]);
    // D is not part of the migration.
    assert_eq!(life(&outcome, d), [(4.0, 8.0, '.'), (8.0, 12.0, 'r'), (12.0, 16.0, '.'), (16.0, 17.0, 'r')]);
}

#[test]
fn a_refused_cycle_changes_nothing() {
    let scene = with_memory(&[(2, 10)], &[(0, 5, 1, 3), (0, 5, 2, 8), (0, 5, 2, 6)]);
    let outcome = gang(&scene, "", |turn| {
        if turn.now() > secs(0) {
            let next = turn.head().into_iter().collect::<Vec<_>>();
            let places: Vec<_> = next.iter().map(|&job| (job, on(0..2))).collect();
            return Ok(turn.cycle(&rows(&[&next], 2, Resume::Continue), &places)?);
        }
        // 5 KB on each of the two processors.
        assert_eq!(turn.machine().capacity(1), [1, 5]);
        let places = [(A, on(0..1)), (B, on(0..2))];
        let shared = turn.cycle(&rows(&[&[A, B]], 2, Resume::Continue), &places).unwrap_err();
        assert!(matches!(shared.reason, Reason::Oversubscribed { need: 1, free: 0, .. }), "{shared}");
        let full = turn.cycle(&rows(&[&[A], &[B]], 2, Resume::Continue), &places).unwrap_err();
        assert_eq!(
            full.to_string(),
            "cannot take turns with job 2 at 0 s: it needs 4 memory on node 0, where 2 are free"
        );
        let absent = turn.cycle(&rows(&[&[C]], 2, Resume::Continue), &[]).unwrap_err();
        assert_eq!(absent.to_string(), "cannot take turns with job 3 at 0 s: it waits");
        assert_eq!((turn.resident().count(), turn.free(0)), (0, &[1, 5][..]));
        turn.cycle(&rows(&[&[A], &[C]], 2, Resume::Continue), &[(A, on(1..2)), (C, on(0..2))]).unwrap_err();
        turn.cycle(&rows(&[&[A]], 2, Resume::Continue), &[(A, on(1..2))])?;
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 5.0), (5.0, 10.0), (10.0, 15.0)]);
}

#[test]
fn a_swap_takes_its_time_and_memory_is_free_only_then() {
    // 1024 KB on one processor at 512 KB/s: 2 s out, 2 s in.
    let scene = with_memory(&[(1, 1024)], &[(0, 10, 1, 1024), (3, 2, 1, 1024)]);
    let mut told = Vec::new();
    let outcome = gang(&scene, "swap=512KB/s", |turn| {
        for &event in turn.events() {
            if let Event::Displaced(job) | Event::Loaded(job) = event {
                told.push((turn.now().secs(), job));
            }
        }
        let alone = |job: JobId| rows(&[&[job]], 5, Resume::Continue);
        match turn.now().secs() as i64 {
            0 => turn.cycle(&alone(A), &[(A, on(0..1))])?,
            3 => {
                turn.displace(A, true)?;
                assert!(turn.is_swapping(A) && turn.free(0) == [1, 0]);
                assert_eq!(turn.executed(A), secs(3));
                turn.displace(A, true).unwrap_err();
                turn.cycle(&alone(A), &[]).unwrap_err();
            }
            5 => turn.cycle(&alone(B), &[(B, on(0..1))])?,
            7 => turn.cycle(&rows(&[], 5, Resume::Continue), &[(A, on(0..1))])?,
            9 => turn.cycle(&alone(A), &[])?,
            _ => {}
        }
        Ok(())
    });
    assert_eq!(told, [(5.0, A), (9.0, A)]);
    assert_eq!(times(&outcome), [(0.0, 16.0), (5.0, 7.0)]);
    assert_eq!(life(&outcome, A), [(0.0, 3.0, 'r'), (3.0, 5.0, 'w'), (7.0, 9.0, 'w'), (9.0, 16.0, 'r')]);
    let service = outcome.services[0];
    assert_eq!((service.swaps, service.swapping, service.suspensions), (1, secs(4), 1));
}

#[test]
fn gang_scheduling_looks_at_the_memory_of_each_processor() {
    // 5 KB on each of two processors. A (3 each) and B (2 each) fit together. C (1) has to wait until A has
    // ended, at 30: A was in row 2 too, so row 0, where C is now, is next. D (6 each) never fits.
    let jobs = [(0, 20, 2, 6), (0, 20, 2, 4), (0, 5, 1, 1), (0, 5, 2, 12)];
    let (outcome, _) = play(&with_memory(&[(2, 10)], &jobs), "gs:mpl=3,slice=10");
    assert_eq!(times(&outcome)[..3], [(0.0, 30.0), (10.0, 45.0), (30.0, 35.0)]);
    assert_eq!(outcome.fate(JobId(3)), Fate::Rejected);
}

#[test]
fn a_job_done_at_the_end_of_its_slice_ends_there() {
    // B has no run time and gets its slice at 2, where A's slice ends; B was placed first, so its end is reported first.
    let outcome = gang(&pool(1, &[(0, 2, 1), (0, 0, 1), (0, 10, 1)]), "", |turn| {
        if turn.now() == secs(0) {
            let places = [(B, on(0..1)), (A, on(0..1)), (C, on(0..1))];
            turn.cycle(&rows(&[&[A], &[B], &[C]], 2, Resume::Continue), &places)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 2.0), (2.0, 2.0), (2.0, 12.0)]);
}

#[test]
fn a_policy_can_ask_when_a_job_will_have_run_for_a_time_and_whether_it_must_be_loaded() {
    let scene = with_memory(&[(1, 2048)], &[(0, 10, 1, 1024), (0, 10, 1, 1024)]);
    let outcome = gang(&scene, "swap=1024KB/s", |turn| {
        let now = turn.now().secs() as i64;
        if now == 0 {
            assert!(!turn.must_load(A));
            turn.cycle(&rows(&[&[A], &[B]], 2, Resume::Continue), &[(A, on(0..1)), (B, on(0..1))])?;
            // A: 0-2, 4-6; B: 2-4, 6-8.
            assert_eq!((turn.reaches(A, secs(3)), turn.reaches(B, secs(3))), (Some(secs(5)), Some(secs(7))));
            turn.wake_at(secs(5))?;
        }
        if now == 5 {
            assert_eq!(turn.executed(A), secs(3));
            turn.displace(A, true)?;
            assert_eq!((turn.reaches(A, secs(4)), turn.must_load(A)), (None, false));
        }
        if turn.events().contains(&Event::Displaced(A)) {
            assert!(turn.must_load(A));
            turn.cycle(&rows(&[&[], &[B]], 2, Resume::Continue), &[(A, on(0..1))])?;
        }
        if turn.events().contains(&Event::Loaded(A)) {
            turn.cycle(&rows(&[&[A], &[B]], 2, Resume::Continue), &[])?;
        }
        Ok(())
    });
    assert!(times(&outcome).iter().all(|&(_, end)| end <= 22.0), "{:?}", times(&outcome));
}
