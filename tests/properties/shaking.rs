//! A policy that takes random allowed actions: every resulting schedule is feasible.

use batchlab::outcome::{Fate, StopRule};
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Event, Needs, Placement, Policy, Rate, Share, Turn};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};
use chacha20::rand_core::Rng;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, overruns, samples};
use crate::lab::{Play, play};

/// Tries random verbs and ignores refusals; after a number of decisions it only serves jobs, so that all jobs end.
struct Shaker {
    restless: u32,
    /// Counts of accepted verbs: place, rate, row, displace, kill, reject.
    done: [u32; 6],
}

impl Shaker {
    fn draw(turn: &mut Turn<'_>, below: usize) -> usize {
        turn.rng().next_u64() as usize % below.max(1)
    }

    fn pick(turn: &mut Turn<'_>, jobs: &[JobId]) -> Option<JobId> {
        let at = Shaker::draw(turn, jobs.len());
        jobs.get(at).copied()
    }

    /// Spreads a job over the nodes, placing each processor at random.
    fn somewhere(turn: &mut Turn<'_>, job: JobId) -> Placement {
        let mut procs = vec![0; turn.machine().nodes()];
        let clustered = Shaker::draw(turn, 2) == 0;
        let home = Shaker::draw(turn, procs.len());
        for _ in 0..turn.job(job).procs() {
            let node = if clustered { home } else { Shaker::draw(turn, procs.len()) };
            procs[node] += 1;
        }
        let shares = procs.into_iter().enumerate().filter(|(_, procs)| *procs > 0);
        Placement(shares.map(|(node, procs)| Share::new(node as u32, procs)).collect())
    }

    fn shake(&mut self, turn: &mut Turn<'_>) {
        let waiting: Vec<JobId> = turn.waiting().collect();
        let resident: Vec<JobId> = turn.resident().collect();
        let rate = [Rate::FULL, Rate::PAUSED, Rate::share_of(2), Rate::share_of(7)][Shaker::draw(turn, 4)];
        let some = Shaker::pick(turn, &resident);
        let verb = Shaker::draw(turn, 21);
        let accepted = match (verb, some, Shaker::pick(turn, &waiting)) {
            (0..8, _, Some(job)) | (8, Some(job), _) => {
                let at = Shaker::somewhere(turn, job);
                turn.place(job, &at, rate).is_ok().then_some(0)
            }
            (9..14, Some(job), _) => turn.set_rate(job, rate).is_ok().then_some(1),
            (14..17, Some(job), _) => turn.run_only(&[job]).is_ok().then_some(2),
            (17 | 18, Some(job), _) => turn.displace(job, verb == 17).is_ok().then_some(3),
            (19, Some(job), _) if Shaker::draw(turn, 4) == 0 => turn.kill(job).is_ok().then_some(4),
            (20, _, Some(job)) if Shaker::draw(turn, 4) == 0 => turn.reject(job).is_ok().then_some(5),
            _ => None,
        };
        if let Some(verb) = accepted {
            self.done[verb] += 1;
        }
    }

    /// Runs all jobs at full speed as far as there is room, each on the first nodes with room.
    fn settle(turn: &mut Turn<'_>) {
        let resident: Vec<JobId> = turn.resident().collect();
        for job in resident {
            if turn.rate(job) != Rate::FULL && turn.set_rate(job, Rate::FULL).is_err() {
                // Frees the processors for the jobs that keep them on these nodes.
                let _ = turn.displace(job, true);
            }
        }
        let waiting: Vec<JobId> = turn.waiting().collect();
        for job in waiting {
            let mut left = turn.job(job).procs();
            let mut shares = Vec::new();
            for node in 0..turn.machine().nodes() {
                let procs = left.min(turn.free(node)[0]);
                if procs > 0 {
                    shares.push(Share::new(node as u32, procs));
                    left -= procs;
                }
            }
            let _ = turn.place(job, &Placement(shares), Rate::FULL);
        }
    }
}

impl Policy for Shaker {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        // A displacement at this instant requires a decision, but not another displacement.
        let calm = turn.events().iter().any(|event| matches!(event, Event::Displaced(_)));
        if self.restless == 0 {
            Shaker::settle(turn);
        } else if !calm {
            self.restless -= 1;
            for _ in 0..4 {
                self.shake(turn);
            }
        }
        let later = turn.now() + Time::from_ticks(1 + Shaker::draw(turn, 3_000_000) as i64);
        if turn.waiting().next().is_some() || turn.resident().next().is_some() {
            turn.wake_at(later)?;
        }
        Ok(())
    }
}

/// A sample on nodes, with memory like its processors on a machine half as large again.
fn on_nodes(jobs: &[PlainJob], procs: i64, nodes: i64, seed: u64) -> Play {
    let memory = Resource { name: "memory".into(), unit: String::new(), sharing: Sharing::Space };
    let jobs: Vec<PlainJob> = jobs
        .iter()
        .map(|job| PlainJob { demand: vec![job.demand[0], job.demand[0] * 2], ..job.clone() })
        .collect();
    let machine = Machine::new(vec![processors(), memory], &vec![vec![procs, procs * 3]; nodes as usize]);
    let mut scene = Play::new(machine.unwrap(), Workload::from_jobs(&jobs));
    scene.scenario.seed = seed;
    scene
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_allowed_actions_give_feasible_schedules(
        sample in samples(),
        nodes in 1i64..4,
        seed in any::<u64>(),
        events in event_orders(),
    ) {
        let scene = on_nodes(&sample.jobs, sample.procs, nodes, seed).events(events);
        let mut shaker = Shaker { restless: 60, done: [0; 6] };
        let (outcome, _) = scene.with(Needs::TIME_SHARING, &mut shaker).unwrap();
        let killed = outcome.fate.iter().filter(|&&fate| fate == Fate::Killed).count();
        prop_assert_eq!(killed, shaker.done[4] as usize);
        let rejected = outcome.fate.iter().filter(|&&fate| fate == Fate::Rejected).count();
        prop_assert_eq!(rejected, shaker.done[5] as usize);
    }

    #[test]
    fn random_allowed_actions_give_feasible_schedules_until_a_stop(
        sample in samples(),
        nodes in 1i64..4,
        seed in any::<u64>(),
        events in event_orders(),
        user in 0i64..3,
    ) {
        let mut scene = on_nodes(&sample.jobs, sample.procs, nodes, seed).events(events);
        let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
        let stop = StopRule::Last(format!("user = {user}")).of(workload, machine);
        prop_assume!(stop.is_ok());
        scene.scenario.stop = stop.unwrap();
        let mut shaker = Shaker { restless: 60, done: [0; 6] };
        let (outcome, _) = scene.with(Needs::TIME_SHARING, &mut shaker).unwrap();
        let unfinished = |job: &JobId| outcome.fate(*job) == Fate::Unfinished;
        prop_assert!(workload_of(&scene).filter(unfinished).all(|job| !scene.scenario.stop.awaits(job)));
    }

    #[test]
    fn a_stopped_replay_is_the_beginning_of_the_whole_one(
        sample in samples(),
        events in event_orders(),
        rule in overruns(),
        spec in select(vec!["fcfs", "easy", "conservative", "first-fit", "depth:k=3"]),
        user in 0i64..3,
    ) {
        // A job without run time may start and end at the stop, after it.
        let lasting = |job: &PlainJob| {
            let [run, estimate] = [job.run, job.estimate].map(|time| time.max(Time::SECOND));
            PlainJob { run, estimate, ..job.clone() }
        };
        let sample = Sample { jobs: sample.jobs.iter().map(lasting).collect(), ..sample };
        let mut scene = sample.play(rule).events(events);
        let (whole, _) = play(&scene, spec);
        let (workload, machine) = (scene.scenario.workload.clone(), scene.scenario.machine.clone());
        let Ok(stop) = StopRule::Last(format!("user = {user}")).of(&workload, &machine) else { return Ok(()) };
        scene.scenario.stop = stop.clone();
        let (stopped, _) = play(&scene, spec);
        let cut = batchlab::outcome::stopped(whole, &workload, &stop);
        prop_assert_eq!((&stopped.start, &stopped.end), (&cut.start, &cut.end));
        prop_assert!(workload_of(&scene).all(|job| stopped.fate(job) == cut.fate(job)));
    }
}

fn workload_of(scene: &Play) -> impl Iterator<Item = JobId> + use<> {
    scene.scenario.workload.jobs()
}

#[test]
fn the_shaker_uses_every_verb() {
    let jobs: Vec<PlainJob> =
        (0..40).map(|at| PlainJob { user: 1, ..PlainJob::secs(at / 4, at % 13, vec![1 + at % 5]) }).collect();
    let mut shaker = Shaker { restless: 400, done: [0; 6] };
    on_nodes(&jobs, 6, 2, 1).with(Needs::TIME_SHARING, &mut shaker).unwrap();
    assert!(shaker.done.iter().all(|&times| times > 0), "{:?}", shaker.done);
}
