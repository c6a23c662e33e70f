//! Plans of crowded machines: conservative backfilling against a second implementation in a table of seconds,
//! and planning as far as it matters against planning everything.

use batchlab::policies::{Event, JobView, Needs, Policy, PolicyError, Turn};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use crate::lab::{Play, overrun, play};

/// Seconds that a plan covers: longer than all jobs in sequence.
const AHEAD: usize = 3000;

/// Up to 60 jobs that come within a minute, on a machine with up to three resources.
fn crowds() -> impl Strategy<Value = (Machine, Vec<PlainJob>)> {
    let machine = (2i64..=24, prop::collection::vec(4i64..=12, 0..=2));
    (machine, 3usize..=60).prop_flat_map(|((procs, more), jobs)| {
        let capacity: Vec<i64> = std::iter::once(procs).chain(more.iter().copied()).collect();
        let resource =
            |kind| Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space };
        let kinds = std::iter::once(processors()).chain((1..capacity.len()).map(resource)).collect();
        let machine = Machine::new(kinds, std::slice::from_ref(&capacity)).unwrap();
        let job = (
            0i64..60,
            1i64..=40,
            select(vec![1i64, 1, 2, 4]),
            1..=procs,
            prop::collection::vec(0i64..=4, more.len()),
        );
        let job = job.prop_map(|(submit, run, factor, procs, more)| PlainJob {
            estimate: Time::from_secs(run * factor / 2 + run % 2),
            user: procs % 3,
            ..PlainJob::secs(submit, run, std::iter::once(procs).chain(more).collect())
        });
        prop::collection::vec(job, jobs).prop_map(move |jobs| (machine.clone(), jobs))
    })
}

fn scene(machine: &Machine, jobs: &[PlainJob], rule: Overrun) -> Play {
    let jobs: Vec<PlainJob> = jobs.iter().map(|job| overrun(rule, job)).collect();
    Play { overrun: rule, ..Play::new(machine.clone(), Workload::from_jobs(&jobs)) }
}

/// Conservative backfilling by its definition: at an end every waiting job is lifted out, first come first
/// served, and put back at its earliest start.
#[derive(Default)]
struct Naive {
    running: Vec<(JobId, Time)>,
    reserved: Vec<(JobId, Time)>,
}

impl Policy for Naive {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (now, mut ended, mut newcomers) = (turn.now(), false, Vec::new());
        for event in turn.events() {
            match *event {
                Event::Finished(job) | Event::Killed(job) => {
                    ended = true;
                    self.running.retain(|one| one.0 != job);
                }
                Event::Submitted(job) => newcomers.push(job),
                _ => {}
            }
        }
        let mut plan = self.plan(turn);
        if ended {
            for (job, start) in &mut self.reserved {
                let view = turn.job(*job);
                add(&mut plan, view, seconds(*start - now), 1);
                let at = earliest(&plan, view);
                *start = (now + Time::from_secs(at as i64)).min(*start);
                add(&mut plan, view, seconds(*start - now), -1);
            }
        }
        for job in newcomers {
            let at = earliest(&plan, turn.job(job));
            add(&mut plan, turn.job(job), at, -1);
            self.reserved.push((job, now + Time::from_secs(at as i64)));
        }
        for (job, start) in std::mem::take(&mut self.reserved) {
            if start > now {
                self.reserved.push((job, start));
            } else {
                turn.start(job)?;
                self.running.push((job, now + stay(turn.job(job))));
            }
        }
        match self.reserved.iter().map(|one| one.1).min() {
            Some(at) => Ok(turn.wake_at(at)?),
            None => Ok(()),
        }
    }
}

impl Naive {
    /// What is free in each second from now on.
    fn plan(&self, turn: &Turn<'_>) -> Vec<Vec<i64>> {
        let (now, mut plan) = (turn.now(), vec![turn.machine().capacity(0).to_vec(); AHEAD]);
        for &(job, end) in &self.running {
            for free in &mut plan[..seconds(end - now)] {
                for (kind, free) in free.iter_mut().enumerate() {
                    *free -= turn.job(job).demand()[kind];
                }
            }
        }
        for &(job, start) in &self.reserved {
            add(&mut plan, turn.job(job), seconds(start - now), -1);
        }
        plan
    }
}

fn earliest(plan: &[Vec<i64>], job: JobView<'_>) -> usize {
    let stay = seconds(stay(job));
    let mut since = 0;
    for (at, free) in plan.iter().enumerate() {
        if free.iter().zip(job.demand()).any(|(free, need)| need > free) {
            since = at + 1;
        } else if at + 1 - since == stay {
            return since;
        }
    }
    panic!("the plan is long enough for all jobs");
}

fn add(plan: &mut [Vec<i64>], job: JobView<'_>, from: usize, sign: i64) {
    for free in &mut plan[from..from + seconds(stay(job))] {
        for (free, need) in free.iter_mut().zip(job.demand()) {
            *free += sign * need;
        }
    }
}

fn stay(job: JobView<'_>) -> Time {
    job.estimate().max(Time::SECOND)
}

fn seconds(time: Time) -> usize {
    time.secs() as usize
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn reservations_move_up_as_in_a_table_of_seconds(
        (machine, jobs) in crowds(),
        rule in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let scene = scene(&machine, &jobs, rule);
        let (expected, _) = scene.with(Needs::NONE, &mut Naive::default()).unwrap();
        let (found, _) = play(&scene, "conservative");
        prop_assert_eq!(&found.start, &expected.start);
    }

    /// With a journal every job is planned at every decision, since explanations show its planned start.
    /// Without one, plans stand if jobs end as expected, and a walk ends when no job behind it fits.
    #[test]
    fn a_plan_made_in_part_starts_what_a_whole_plan_starts(
        (machine, mut jobs) in crowds(),
        exact in any::<bool>(),
        rule in select(vec![Overrun::Raise, Overrun::Kill, Overrun::Overdue]),
        options in select(vec!["", "order=sjf", "order=wfp3", "order=expansion", "order=tetris", "predictor=last2"]),
    ) {
        for job in jobs.iter_mut().filter(|_| exact) {
            job.estimate = job.run;
        }
        let scene = scene(&machine, &jobs, rule);
        let spec = |policy: &str| format!("{policy}:{options}").replace(":k=inf:", ":k=inf,").replace(":k=3:", ":k=3,").trim_end_matches([',', ':']).to_owned();
        for policy in ["depth:k=inf", "depth:k=3", "selective", "slack"] {
            let (found, _) = play(&scene, &spec(policy));
            let (expected, _) = play(&Play { journal: true, ..scene.clone() }, &spec(policy));
            prop_assert_eq!(&found.start, &expected.start, "{} {}", policy, options);
        }
    }
}
