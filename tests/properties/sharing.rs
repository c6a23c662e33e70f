//! Orders that depend on users and on free resources, compared with a policy that recomputes every score.

use batchlab::Outcome;
use batchlab::policies::cluster::State;
use batchlab::policies::{Event, Needs, Policy, PolicyError, Turn};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, overruns, samples};
use crate::lab::{Play, overrun, play};

/// Serves the waiting job with the lowest score, ties in the order of submission, until that job does not
/// fit; or serves the jobs that fit, until no job fits.
struct Naive {
    order: &'static str,
    only_fitting: bool,
    seen: Vec<JobId>,
}

impl Naive {
    fn score(&self, turn: &Turn<'_>, job: JobId) -> f64 {
        let capacity = turn.machine().capacity(0);
        let fraction = |kind: usize, amount: i64| amount as f64 / capacity[kind] as f64;
        let user = turn.job(job).user();
        match self.order {
            "drf" => {
                let held = |kind: usize| -> i64 {
                    // A job that ends at this instant holds no resources.
                    let holds = |job: JobId| turn.state(job) == State::Resident;
                    let of_user = turn.resident().filter(|&job| holds(job) && turn.job(job).user() == user);
                    of_user.map(|job| turn.job(job).demand()[kind]).sum()
                };
                (0..capacity.len()).map(|kind| fraction(kind, held(kind))).fold(0.0, f64::max)
            }
            "tetris" => {
                let demand = turn.job(job).demand();
                let product = |kind: usize| fraction(kind, turn.free(0)[kind]) * fraction(kind, demand[kind]);
                -(0..capacity.len()).map(product).sum::<f64>()
            }
            _ => {
                let spent = |&job: &JobId| {
                    let started = turn.started(job)?;
                    let ran = turn.ended(job).unwrap_or(turn.now()) - started;
                    Some(turn.job(job).procs() as f64 * ran.secs())
                };
                self.seen.iter().filter(|&&job| turn.job(job).user() == user).filter_map(spent).sum()
            }
        }
    }
}

impl Policy for Naive {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for &event in turn.events() {
            if let Event::Submitted(job) = event {
                self.seen.push(job);
            }
        }
        loop {
            let waiting = turn.waiting().filter(|&job| !self.only_fitting || turn.fits(job));
            // Adding zero makes -0 and 0 the same score.
            let scored = waiting.map(|job| (self.score(turn, job) + 0.0, job));
            let first = scored.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            match first {
                Some((_, job)) if turn.fits(job) => turn.start(job)?,
                _ => return Ok(()),
            };
        }
    }
}

/// The sample with a second resource, of which jobs need different amounts.
fn with_memory(sample: &Sample, rule: Overrun) -> Play {
    let jobs = sample.jobs.iter().enumerate().map(|(index, job)| {
        let memory = (job.demand[0] * 5 + index as i64 * 3) % 17;
        overrun(rule, &PlainJob { demand: vec![job.demand[0], memory], ..job.clone() })
    });
    let memory = Resource { name: "memory".into(), unit: String::new(), sharing: Sharing::Space };
    let machine = Machine::new(vec![processors(), memory], &[vec![sample.procs, 16]]).unwrap();
    Play { overrun: rule, ..Play::new(machine, Workload::from_jobs(&jobs.collect::<Vec<_>>())) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn orders_serve_whom_scores_from_scratch_serve(
        sample in samples(),
        events in event_orders(),
        rule in overruns(),
        order in select(vec!["drf", "tetris", "fairshare"]),
        only_fitting in any::<bool>(),
    ) {
        let scene = with_memory(&sample, rule).events(events);
        let mut naive = Naive { order, only_fitting, seen: Vec::new() };
        let (Outcome { start, .. }, _) = scene.with(Needs::POOL, &mut naive).unwrap();
        let name = if only_fitting { "first-fit" } else { "fcfs" };
        let (ours, _) = play(&scene, &format!("{name}:order={order},half-life=none"));
        prop_assert_eq!(start, ours.start, "{}:order={} in {}", name, order, events);
    }
}
