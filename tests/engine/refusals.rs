//! An illegal verb ends the replay with an error that names policy, job, time, need and free resources.

use batchlab::policies::{Needs, Placement, PolicyError, Rate, Share, Turn};
use batchlab::traces::{JobId, Time};

use super::script::{Decided, pool, run, secs, start_all};
use crate::lab::Play;

const A: JobId = JobId(0);
const B: JobId = JobId(1);
const C: JobId = JobId(2);

/// At 5, A occupies the machine and B waits for its processors; C is submitted at 20; job 4 has ended.
fn scene() -> Play {
    pool(4, &[(0, 10, 3), (5, 10, 3), (20, 10, 1), (0, 2, 1)])
}

/// Job ids by order of submission: A is job 1 of the table, job 4 comes second.
fn ids(play: &Play) -> [JobId; 4] {
    let workload = &play.scenario.workload;
    let of = |number| workload.jobs().find(|&job| workload.number(job) == number).unwrap();
    [of(1), of(2), of(3), of(4)]
}

/// Returns the error for a verb tried at 5 s, on the plain path, on the general one and with time sharing.
fn refused(needs: Needs, verb: impl Fn(&mut Turn<'_>, [JobId; 4]) -> Decided + Send + Sync) -> String {
    let ways = [false, true].map(|general| {
        let mut scene = scene();
        scene.general = general;
        let ids = ids(&scene);
        let error =
            run(&scene, needs, |turn| if turn.now() == secs(5) { verb(turn, ids) } else { start_all(turn) });
        error.unwrap_err().to_string()
    });
    assert_eq!(ways[0], ways[1], "the plain and the general path refuse alike");
    let [error, _] = ways;
    error.strip_prefix("policy `test` at 5 s: ").expect("policy and time").to_owned()
}

#[test]
fn the_schedule_never_oversubscribes_the_machine() {
    assert_eq!(
        refused(Needs::POOL, |turn, [_, b, ..]| Ok(turn.start(b).map(drop)?)),
        "cannot place job 2 at 5 s: it needs 3 procs on node 0, where 1 are free"
    );
    assert_eq!(
        refused(Needs::TIME_SHARING, |turn, [_, b, ..]| {
            turn.place(b, &Placement::on(0, 3), Rate::share_of(2)).map(drop)?;
            Ok(())
        }),
        "cannot place job 2 at 5 s: it needs 2 procs on node 0, where 1 are free",
        "three halves of a processor are needed, rounded up"
    );
}

#[test]
fn wrong_books_are_about_the_job_by_its_number_in_the_log() {
    let wrong = |job| Err(PolicyError::Books { job, what: "it never fits" });
    let said = refused(Needs::POOL, |_, [.., second]| wrong(second));
    assert_eq!(said, "the policy's own books are wrong about job 4: it never fits");
}

#[test]
fn only_waiting_jobs_start() {
    let start = |index: usize| refused(Needs::POOL, move |turn, ids| Ok(turn.start(ids[index]).map(drop)?));
    assert_eq!(start(0), "cannot place job 1 at 5 s: it is on the machine already");
    assert_eq!(start(2), "cannot place job 3 at 5 s: it has not been submitted");
    assert_eq!(start(3), "cannot place job 4 at 5 s: it has ended");
    assert_eq!(
        refused(Needs::POOL, |turn, _| Ok(turn.start(JobId(99)).map(drop)?)),
        "cannot place job 99 at 5 s: it is not a job of this workload"
    );
}

#[test]
fn only_resident_jobs_change_their_rate_or_leave() {
    let sharing = Needs::TIME_SHARING;
    assert_eq!(
        refused(sharing, |turn, [_, b, ..]| Ok(turn.set_rate(b, Rate::PAUSED)?)),
        "cannot set the rate of job 2 at 5 s: it waits"
    );
    assert_eq!(
        refused(sharing, |turn, [.., d]| Ok(turn.displace(d, true)?)),
        "cannot displace job 4 at 5 s: it has ended"
    );
    assert_eq!(
        refused(sharing, |turn, [a, b, ..]| Ok(turn.run_only(&[b, a])?)),
        "cannot run only job 2 at 5 s: it waits"
    );
}

#[test]
fn no_job_ends_twice_or_before_its_submission() {
    assert_eq!(
        refused(Needs::POOL, |turn, [.., d]| Ok(turn.kill(d)?)),
        "cannot kill job 4 at 5 s: it has ended"
    );
    assert_eq!(
        refused(Needs::POOL, |turn, [_, _, c, _]| Ok(turn.kill(c)?)),
        "cannot kill job 3 at 5 s: it has not been submitted"
    );
}

#[test]
fn a_wake_up_lies_after_now() {
    for at in [Time::ZERO, secs(5)] {
        assert_eq!(
            refused(Needs::POOL, move |turn, _| Ok(turn.wake_at(at)?)),
            format!("cannot wake job 0 at 5 s: a wake-up must lie after now, not at {at} s")
        );
    }
}

#[test]
fn sharing_time_must_be_declared() {
    let reason = "the policy has not declared `time sharing` among its needs";
    let says = |verb: &str| format!("cannot {verb} job 1 at 5 s: {reason}");
    let pool = Needs::POOL;
    assert_eq!(refused(pool, |turn, [a, ..]| Ok(turn.set_rate(a, Rate::PAUSED)?)), says("set the rate of"));
    assert_eq!(refused(pool, |turn, [a, ..]| Ok(turn.run_only(&[a])?)), says("run only"));
    assert_eq!(refused(pool, |turn, [a, ..]| Ok(turn.displace(a, true)?)), says("displace"));
    let moves = |turn: &mut Turn<'_>, job| Ok(turn.place(job, &Placement::on(0, 3), Rate::FULL).map(drop)?);
    assert_eq!(refused(pool, move |turn, [a, ..]| moves(turn, a)), says("place"));
    let slowly = |turn: &mut Turn<'_>, job| {
        turn.place(job, &Placement::on(0, 3), Rate::share_of(2)).map(drop)?;
        Ok(())
    };
    assert_eq!(
        refused(pool, move |turn, [_, b, ..]| slowly(turn, b)),
        format!("cannot place job 2 at 5 s: {reason}")
    );
}

#[test]
fn a_placement_on_a_pool_is_the_whole_job_on_its_one_node() {
    let place = |shares: &'static [(u32, i64)]| {
        let at = Placement(shares.iter().map(|&(node, procs)| Share::new(node, procs)).collect());
        refused(Needs::POOL, move |turn, [_, b, ..]| Ok(turn.place(b, &at, Rate::FULL).map(drop)?))
    };
    let says = |placed: i64| {
        format!(
            "cannot place job 2 at 5 s: the placement has {placed} of its 3 processors on nodes of this machine"
        )
    };
    assert_eq!(place(&[(0, 1)]), says(1));
    assert_eq!(place(&[(1, 3)]), says(0));
    assert_eq!(place(&[(0, 3)]), "cannot place job 2 at 5 s: it needs 3 procs on node 0, where 1 are free");
}

#[test]
fn a_policy_may_handle_a_refusal_and_go_on() {
    let (outcome, _) = run(&scene(), Needs::POOL, |turn| {
        let waiting: Vec<JobId> = turn.waiting().collect();
        for job in waiting {
            let refused = turn.start(job).is_err();
            assert_eq!(refused, turn.state(job) == batchlab::policies::cluster::State::Waiting);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(outcome.start[scene().scenario.workload.len() - 1], secs(20));
    assert!([A, B, C].iter().all(|&job| outcome.end(job) > outcome.start(job)));
}
