use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::Fate;
use batchlab::policies::spec::PolicySpec;
use batchlab::policies::{Event, Needs, Policy, PolicyError, Turn};
use batchlab::replay::{ResultRow, RowKind};
use batchlab::traces::{Citation, JobId, Time};
use batchlab::{Registry, schedule};

use super::script::{pool, run, share, times};
use crate::lab::Play;

/// Starts every job that fits, and rejects jobs of more than two processors.
struct Picky;

impl Policy for Picky {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let arrivals: Vec<JobId> = turn.waiting().collect();
        for job in arrivals {
            if turn.job(job).procs() > 2 {
                turn.reject_as(job, "larger than two processors")?;
                assert!(turn.waiting().all(|other| other != job));
            } else if turn.fits(job) {
                turn.start(job)?;
            }
        }
        Ok(())
    }
}

const PICKY: PolicySpec = PolicySpec {
    name: "picky",
    family: "this test",
    summary: "turns away jobs of more than two processors",
    cite: Citation::foreign("this test"),
    rule: "",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| Ok(Box::new(Picky)),
};

/// Jobs 1, 3 and 5 are served; jobs 2 and 4 are rejected. Job 4 would have been the last to end.
fn scene() -> Play {
    pool(4, &[(0, 10, 2), (0, 100, 4), (2, 20, 2), (90, 60, 3), (3, 5, 1)])
}

fn chosen(spec: &str) -> batchlab::policies::spec::Chosen {
    let mut registry = Registry::builtin();
    registry.register_policy(PICKY).unwrap();
    registry.choose(spec).unwrap()
}

#[test]
fn a_rejected_job_holds_nothing_and_is_not_measured() {
    for order in ["batch", "submit-first", "finish-first", "periodic:1"] {
        let scene = scene().events(order);
        let (outcome, _) = scene.with(Needs::POOL, &mut Picky).unwrap();
        // In the order of submission, job 5 of the table is the fourth.
        let never = Time::MAX.secs();
        let expected = [(0.0, 10.0), (never, never), (2.0, 22.0), (10.0, 15.0), (never, never)];
        assert_eq!(times(&outcome), expected, "{order}");
        assert_eq!(outcome.fate(JobId(1)), Fate::Rejected);
        assert_eq!(outcome.rejected["larger than two processors"], 2);
        let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
        let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
        let of = |key| Catalogue::new(machine, &[]).find(key).unwrap().value(&measurement);
        assert_eq!(of("jobs"), Some(3.0));
        assert_eq!(of("mean_wait"), Some(7.0 / 3.0));
        assert_eq!((of("makespan"), of("utilization")), (Some(22.0), Some((20.0 + 40.0 + 5.0) / 88.0)));
        assert_eq!(of("mean_queue_length_makespan"), Some(7.0 / 22.0));
        let row = ResultRow::measure("picky", RowKind::Policy, &measurement, &[], &[]);
        let note = "picky: 2 of 5 jobs were turned away (larger than two processors): not measured";
        assert_eq!(row.notes, [note]);
    }
}

#[test]
fn a_schedule_leaves_their_times_empty_and_is_read_back() {
    let scene = scene();
    let (outcome, _) = scene.with(Needs::POOL, &mut Picky).unwrap();
    let mut text = Vec::new();
    schedule::write(&scene.scenario.workload, &outcome, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().nth(2), Some("2,0,,,4,rejected"));
    let without_fates: String =
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    let workload = &scene.scenario.workload;
    let again = schedule::outcome(workload, &schedule::read(&text).unwrap()).unwrap();
    assert_eq!((&again.start, &again.end, &again.fate), (&outcome.start, &outcome.end, &outcome.fate));
    assert!(schedule::verify::verify(&scene.scenario, &again).is_empty());
    // Without a fate nothing says that they were turned away.
    let left_out = schedule::outcome(workload, &schedule::read(&without_fates).unwrap()).unwrap_err();
    let words = "2 of 5 jobs have no start and end in the schedule; the first is job 2";
    assert_eq!(left_out.to_string(), words);
}

#[test]
fn only_a_job_that_waits_and_never_ran_can_be_turned_away() {
    let mut refusals = Vec::new();
    share(&pool(2, &[(0, 10, 2), (50, 1, 1)]), |turn| {
        let first = JobId(0);
        if turn.events().contains(&Event::Submitted(first)) {
            refusals.push(turn.reject(JobId(1)).unwrap_err().to_string());
            turn.start(first)?;
            refusals.push(turn.reject(first).unwrap_err().to_string());
            turn.displace(first, true)?;
            refusals.push(turn.reject(first).unwrap_err().to_string());
            turn.start(first)?;
        } else if turn.events().contains(&Event::Finished(first)) {
            refusals.push(turn.reject(first).unwrap_err().to_string());
        } else if turn.events().contains(&Event::Submitted(JobId(1))) {
            turn.reject(JobId(1))?;
            refusals.push(turn.reject(JobId(1)).unwrap_err().to_string());
        }
        Ok(())
    });
    let expected = [
        "cannot reject job 2 at 0 s: it has not been submitted",
        "cannot reject job 1 at 0 s: it is on the machine already",
        "cannot reject job 1 at 0 s: it has been on the machine",
        "cannot reject job 1 at 10 s: it has ended",
        "cannot reject job 2 at 50 s: it has ended",
    ];
    assert_eq!(refusals, expected);
}

#[test]
fn a_replay_does_not_wait_for_jobs_that_were_turned_away() {
    let mut scene = scene();
    let rule: batchlab::outcome::StopRule = "last:procs >= 3 or run = 20".parse().unwrap();
    scene.scenario.stop = rule.of(&scene.scenario.workload, &scene.scenario.machine).unwrap();
    let (outcome, _) = scene.with(Needs::POOL, &mut Picky).unwrap();
    assert_eq!(
        times(&outcome)[2],
        (2.0, 22.0),
        "and the replay goes on until the last of them is turned away at 90"
    );
    let (outcome, _) = run(&scene, Needs::POOL, |turn| {
        let waiting: Vec<JobId> = turn.waiting().collect();
        waiting.into_iter().try_for_each(|job| turn.reject(job).map_err(Into::into))
    })
    .unwrap();
    assert!(outcome.start.iter().all(|&start| start == Time::MAX));
}

#[test]
fn limits_let_others_in_for_jobs_that_are_turned_away() {
    // One user, one admitted job at a time: job 2 is rejected as it arrives at 10, and job 3 is admitted at once.
    let scene = scene();
    let chosen = chosen("limits:policy=picky,user-jobs=1");
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    let (outcome, _) = scene.named(&chosen.canonical(), chosen.needs(), policy.as_mut()).unwrap();
    let starts: Vec<f64> =
        times(&outcome).into_iter().map(|(start, _)| start).filter(|&at| at < 1e9).collect();
    assert_eq!(starts, [0.0, 10.0, 30.0]);
}
