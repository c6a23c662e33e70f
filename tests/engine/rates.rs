//! Tests of pausing, resuming and sharing: work is conserved to the tick, and memory stays in place.

use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Event, Needs, Placement, Rate, Reason};
use batchlab::traces::{JobId, Time};

use super::script::{intervals, pool, run, secs, share, start_all, times, with_memory};

const A: JobId = JobId(0);
const B: JobId = JobId(1);

#[test]
fn a_suspended_job_goes_on_where_it_was() {
    // B arrives at 4 and takes the machine for 3 s.
    let outcome = share(&pool(2, &[(0, 10, 2), (4, 3, 2)]), |turn| {
        match turn.now().ticks() / 1_000_000 {
            0 => _ = turn.start(A)?,
            4 => {
                turn.set_rate(A, Rate::PAUSED)?;
                turn.start(B)?;
            }
            7 => {
                assert_eq!(turn.executed(A), secs(4));
                turn.set_rate(A, Rate::FULL)?;
            }
            _ => assert_eq!(turn.now(), secs(13)),
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 13.0), (4.0, 7.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 4.0, 1.0), (4.0, 7.0, 0.0), (7.0, 13.0, 1.0)]);
    assert_eq!(intervals(&outcome, 1), [(4.0, 7.0, 1.0)]);
}

#[test]
fn jobs_at_half_rate_take_exactly_twice_as_long() {
    // Both share the processor until B has done its 4 s at 8; A then has 6 of its 10 s left.
    let half = Rate::share_of(2);
    let outcome = share(&pool(1, &[(0, 10, 1), (0, 4, 1)]), |turn| {
        if turn.now() == Time::ZERO {
            for job in [A, B] {
                turn.place(job, &Placement::on(0, 1), half)?;
            }
            assert_eq!(turn.free(0), [0]);
        } else if turn.now() == secs(8) {
            turn.set_rate(A, Rate::FULL)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 14.0), (0.0, 8.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 8.0, 0.5), (8.0, 14.0, 1.0)]);
}

#[test]
fn a_job_ends_at_the_first_tick_at_which_its_work_is_done() {
    // 10 s at 5/7 of full speed are 14 s exactly; at 3/7 they are 23.33 s, up to the next microsecond.
    for (parts, end) in [(514_800, 14_000_000), (308_880, 23_333_334)] {
        let outcome = share(&pool(1, &[(0, 10, 1)]), |turn| {
            if turn.now() == Time::ZERO {
                let at = Placement::on(0, 1);
                turn.place(A, &at, Rate::from_parts(parts))?;
            }
            Ok(())
        });
        assert_eq!(outcome.end[0].ticks(), end);
    }
}

#[test]
fn a_job_placed_at_rest_starts_when_it_first_runs() {
    let outcome = share(&pool(1, &[(0, 5, 1), (3, 1, 1)]), |turn| {
        if turn.now() == Time::ZERO {
            turn.place(A, &Placement::on(0, 1), Rate::PAUSED)?;
            assert_eq!((turn.started(A), turn.free(0)[0]), (None, 1));
        } else if turn.now() == secs(3) {
            turn.set_rate(A, Rate::FULL)?;
        } else {
            start_all(turn)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(3.0, 8.0), (8.0, 9.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 3.0, 0.0), (3.0, 8.0, 1.0)]);
}

#[test]
fn a_job_that_is_started_and_stopped_within_an_instant_has_not_started() {
    let outcome = share(&pool(2, &[(0, 5, 1), (0, 5, 1)]), |turn| {
        match (turn.now().ticks() / 1_000_000, turn.events()[0]) {
            (0, Event::Submitted(_)) => {
                turn.start(A)?;
                turn.start(B)?;
                turn.set_rate(A, Rate::PAUSED)?;
                turn.displace(B, true)?;
                assert_eq!((turn.started(A), turn.started(B)), (None, None));
                turn.wake_at(secs(3))?;
            }
            (3, _) => {
                turn.set_rate(A, Rate::FULL)?;
                turn.start(B)?;
            }
            _ => {}
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(3.0, 8.0), (3.0, 8.0)]);
}

#[test]
fn a_job_that_takes_no_time_ends_no_sooner_than_it_runs() {
    for events in ["batch", "submit-first"] {
        let outcome = share(&pool(1, &[(0, 0, 1)]).events(events), |turn| {
            if turn.now() == Time::ZERO {
                turn.place(A, &Placement::on(0, 1), Rate::PAUSED)?;
                turn.wake_at(secs(2))?;
            } else if turn.now() == secs(2) && turn.resident().next() == Some(A) {
                turn.set_rate(A, Rate::FULL)?;
            }
            Ok(())
        });
        assert_eq!(times(&outcome), [(2.0, 2.0)], "{events}");
    }
}

#[test]
fn rows_of_a_gang_take_turns_at_wake_ups() {
    // Two rows with slices of 2 s: A and C run together, B runs alone.
    let c = JobId(2);
    let mut rows = vec![vec![A, c], vec![B]];
    let outcome = share(&pool(4, &[(0, 4, 2), (0, 3, 4), (0, 4, 2)]), move |turn| {
        if turn.now() == Time::ZERO {
            for job in [A, B, c] {
                let at = turn.job(job).procs();
                turn.place(job, &Placement::on(0, at), Rate::PAUSED)?;
            }
        }
        let resident: Vec<JobId> = turn.resident().collect();
        for row in &mut rows {
            row.retain(|job| resident.contains(job));
        }
        rows.retain(|row| !row.is_empty());
        if let Some(row) = rows.first().cloned() {
            turn.run_only(&row)?;
            rows.rotate_left(1);
            let slice = turn.now() + secs(2);
            turn.wake_at(slice)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 6.0), (2.0, 7.0), (0.0, 6.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 2.0, 1.0), (2.0, 4.0, 0.0), (4.0, 6.0, 1.0)]);
    assert_eq!(intervals(&outcome, 1), [(0.0, 2.0, 0.0), (2.0, 4.0, 1.0), (4.0, 6.0, 0.0), (6.0, 7.0, 1.0)]);
}

#[test]
fn a_row_that_does_not_fit_is_refused_as_a_whole() {
    let outcome = share(&pool(4, &[(0, 4, 2), (0, 4, 3)]), |turn| {
        if turn.now() == Time::ZERO {
            turn.start(A)?;
            turn.place(B, &Placement::on(0, 3), Rate::PAUSED)?;
            let refused = turn.run_only(&[A, B]).unwrap_err();
            assert!(matches!(refused.reason, Reason::Oversubscribed { need: 3, free: 2, .. }), "{refused}");
            assert_eq!((turn.rate(A), turn.rate(B), turn.free(0)[0]), (Rate::FULL, Rate::PAUSED, 2));
        } else if turn.now() == secs(4) {
            turn.run_only(&[B])?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 4.0), (4.0, 8.0)]);
}

#[test]
fn a_paused_job_keeps_its_memory_and_not_its_processors() {
    let scene = with_memory(&[(4, 10)], &[(0, 10, 4, 6), (2, 3, 4, 4), (2, 3, 4, 5)]);
    let outcome = share(&scene, |turn| {
        match turn.now().ticks() / 1_000_000 {
            0 => _ = turn.start(A)?,
            2 => {
                turn.set_rate(A, Rate::PAUSED)?;
                assert_eq!(turn.free(0), [4, 4]);
                let refused = turn.start(JobId(2)).unwrap_err();
                assert_eq!(
                    refused.to_string(),
                    "cannot place job 3 at 2 s: it needs 5 memory on node 0, where 4 are free"
                );
                turn.start(B)?;
            }
            5 => turn.set_rate(A, Rate::FULL)?,
            _ => start_all(turn)?,
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 13.0), (2.0, 5.0), (13.0, 16.0)]);
}

#[test]
fn simultaneous_ends_are_reported_in_the_order_of_starts_whatever_happened_between() {
    // A starts first and is delayed by one second at half rate; it ends together with B, at 11.
    let scene = pool(3, &[(0, 10, 1), (1, 10, 1), (2, 1, 1)]).events("submit-first");
    let mut told = Vec::new();
    let outcome = run(&scene, Needs::TIME_SHARING, |turn| {
        for event in turn.events() {
            if let Event::Finished(job) = event {
                told.push(job.0);
            }
        }
        start_all(turn)?;
        match turn.now().ticks() / 1_000_000 {
            2 => turn.wake_at(secs(5))?,
            5 => {
                turn.set_rate(A, Rate::share_of(2))?;
                turn.wake_at(secs(7))?;
            }
            7 => turn.set_rate(A, Rate::FULL)?,
            _ => {}
        }
        Ok::<(), PolicyError>(())
    });
    assert_eq!(times(&outcome.unwrap().0), [(0.0, 11.0), (1.0, 11.0), (2.0, 3.0)]);
    assert_eq!(told, [2, 0, 1]);
}
