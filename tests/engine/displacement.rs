use batchlab::outcome::Fate;
use batchlab::policies::spec::Params;
use batchlab::policies::support::books::Books;
use batchlab::policies::support::releases::ExtraRule;
use batchlab::policies::{Event, Needs, Setting};
use batchlab::traces::{JobId, Machine};

use super::script::{intervals, pool, run, secs, share, start_all, times};

const A: JobId = JobId(0);
const B: JobId = JobId(1);

/// A runs for 10 s; at 4 it is displaced by B, which runs for 3 s, and A returns at 9.
fn displaced(keep: bool) -> batchlab::Outcome {
    let mut heard = false;
    let outcome = share(&pool(2, &[(0, 10, 2), (4, 3, 2)]), |turn| {
        heard |= turn.events().contains(&Event::Displaced(A));
        match turn.now().ticks() / 1_000_000 {
            0 | 9 => _ = turn.start(A)?,
            4 if turn.events().contains(&Event::Submitted(B)) => {
                turn.displace(A, keep)?;
                assert_eq!(turn.head(), Some(A), "it waits again, before those submitted later");
                assert_eq!(turn.executed(A), if keep { secs(4) } else { secs(0) });
                turn.start(B)?;
            }
            7 => turn.wake_at(secs(9))?,
            _ => {}
        }
        Ok(())
    });
    assert!(heard);
    outcome
}

#[test]
fn a_job_swapped_out_keeps_its_progress() {
    let outcome = displaced(true);
    assert_eq!(times(&outcome), [(0.0, 15.0), (4.0, 7.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 4.0, 1.0), (9.0, 15.0, 1.0)]);
}

#[test]
fn a_job_put_back_in_the_queue_starts_from_the_beginning() {
    let outcome = displaced(false);
    assert_eq!(times(&outcome), [(0.0, 19.0), (4.0, 7.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 4.0, 1.0), (9.0, 19.0, 1.0)]);
}

#[test]
fn a_killed_job_frees_what_it_holds_at_once() {
    for general in [false, true] {
        let mut scene = pool(2, &[(0, 10, 2), (1, 5, 2), (4, 3, 2)]);
        scene.general = general;
        let mut heard: Vec<Event> = Vec::new();
        let (outcome, _) = run(&scene, Needs::POOL, |turn| {
            heard.extend(turn.events().iter().filter(|event| matches!(event, Event::Killed(_))));
            if turn.events().contains(&Event::Submitted(JobId(2))) {
                turn.kill(B)?;
                turn.kill(A)?;
            }
            start_all(turn)
        })
        .unwrap();
        assert_eq!(heard, [Event::Killed(B), Event::Killed(A)]);
        // B was killed while it waited: it never started, and has no times.
        assert_eq!([A, B, JobId(2)].map(|job| outcome.started(job)), [Some(secs(0)), None, Some(secs(4))]);
        assert_eq!([outcome.end(A), outcome.end(JobId(2))], [secs(4), secs(7)]);
        assert_eq!(outcome.fate, [Fate::Killed, Fate::Rejected, Fate::Finished]);
    }
}

#[test]
fn a_job_killed_at_the_instant_of_its_end_is_killed() {
    let scene = pool(1, &[(0, 10, 1), (10, 1, 1)]).events("submit-first");
    let (outcome, _) = run(&scene, Needs::POOL, |turn| {
        if turn.events().contains(&Event::Submitted(B)) {
            turn.kill(A)?;
        }
        start_all(turn)
    })
    .unwrap();
    assert_eq!(times(&outcome), [(0.0, 10.0), (10.0, 11.0)]);
    assert_eq!(outcome.fate(A), Fate::Killed);
}

#[test]
fn a_kept_job_may_be_displaced_and_lose_everything_later() {
    // 3 s are kept, 2 s more follow, then all work is lost: the 10 s run from 6 on.
    let outcome = share(&pool(1, &[(0, 10, 1)]), |turn| {
        match (turn.now().ticks() / 1_000_000, turn.events()[0]) {
            (0, _) => {
                turn.start(A)?;
                turn.wake_at(secs(3))?;
            }
            (3, Event::Woke(_)) => turn.displace(A, true)?,
            (3, _) => turn.wake_at(secs(4))?,
            (4, _) => {
                turn.start(A)?;
                turn.wake_at(secs(6))?;
            }
            (6, Event::Woke(_)) => {
                assert_eq!(turn.executed(A), secs(5));
                turn.displace(A, false)?;
            }
            (6, _) => _ = turn.start(A)?,
            _ => {}
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 16.0)]);
}

#[test]
fn the_books_know_when_a_job_that_was_suspended_ends() {
    // A has run for 4 of 10 s when it is suspended; it resumes at 7 and is expected to end at 13.
    let params = Params::check("test", &[], &[]).unwrap();
    let machine = Machine::pool(2).unwrap();
    for paused in [false, true] {
        let mut books = Books::<1>::new(&params, &Setting::new(&machine)).unwrap();
        let mut seen = Vec::new();
        let outcome = share(&pool(2, &[(0, 10, 2), (8, 3, 2)]), |turn| {
            books.settle(turn)?;
            match (turn.now().ticks() / 1_000_000, turn.events()[0]) {
                (4, Event::Woke(_)) if paused => books.pause(turn, A)?,
                (4, Event::Woke(_)) => turn.displace(A, true)?,
                (4, _) => {}
                (7, _) if paused => _ = books.resume(turn, A)?,
                _ => books.start_heads(turn)?,
            }
            for wake in [4, 7] {
                if turn.now() < secs(wake) {
                    turn.wake_at(secs(wake))?;
                }
            }
            let end = books.running.shadow(turn.now(), [0], [2], ExtraRule::All);
            seen.push((turn.now().secs(), books.queue.len(), end.map(|shadow| shadow.at.secs())));
            Ok(())
        });
        assert_eq!(times(&outcome), [(0.0, 13.0), (13.0, 16.0)]);
        let at = |at| *seen.iter().rev().find(|(when, ..)| *when == at).unwrap();
        assert_eq!([at(0.0), at(4.0)], [(0.0, 0, Some(10.0)), (4.0, 1, None)]);
        assert_eq!([at(7.0), at(8.0)], [(7.0, 0, Some(13.0)), (8.0, 1, Some(13.0))]);
        assert_eq!([at(13.0), at(16.0)], [(13.0, 0, Some(16.0)), (16.0, 0, None)]);
    }
}
