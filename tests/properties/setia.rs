//! Distributed hierarchical control under memory limits, on small random workloads.

use batchlab::Outcome;
use batchlab::outcome::Fate;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::{InteractiveRule, PlainJob};
use batchlab::traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, overruns, prompt_orders, samples};
use crate::lab::{Play, overrun, play, watched};

const MEMORY: i64 = 10;

/// A sample whose jobs need this much memory on each processor; those of user 0 are interactive.
#[derive(Clone, Debug)]
struct Filled {
    sample: Sample,
    memory: Vec<i64>,
}

fn filled() -> impl Strategy<Value = Filled> {
    (samples(), prop::collection::vec(prop_oneof![0..=MEMORY, 0..=MEMORY / 3, Just(MEMORY + 1)], 40))
        .prop_map(|(sample, memory)| Filled { sample, memory })
}

impl Filled {
    /// The sample on processors with `memory` each, or without memory.
    fn play(&self, rule: Overrun, memory: Option<i64>) -> Play {
        let job = |(job, &each): (&PlainJob, &i64)| {
            let procs = job.demand[0];
            let demand = memory.map_or(vec![procs], |_| vec![procs, procs * each]);
            overrun(rule, &PlainJob { demand, ..job.clone() })
        };
        let jobs: Vec<PlainJob> = self.sample.jobs.iter().zip(&self.memory).map(job).collect();
        let resource = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
        let procs = self.sample.procs;
        let machine = match memory {
            Some(each) => Machine::new(vec![processors(), resource], &[vec![procs, procs * each]]),
            None => Machine::pool(procs),
        };
        let machine = machine.unwrap();
        let interactive = InteractiveRule::Condition("user = 0".into());
        let workload = Workload::from_jobs(&jobs).with_interactive(&interactive, &machine).unwrap();
        Play { overrun: rule, ..Play::new(machine, workload) }
    }

    fn limited(&self, rule: Overrun) -> Play {
        self.play(rule, Some(MEMORY))
    }
}

/// All options except the length of a quantum.
fn options() -> impl Strategy<Value = String> {
    (
        select(vec!["order=fcfs", "order=smf", "order=smf,smf=total"]),
        select(vec!["d=inf", "d=1", "d=3"]),
        select(vec!["b=inf", "b=1", "b=2"]),
        select(vec!["map=least-loaded-feasible", "map=least-loaded-only"]),
        select(vec!["within=lowest", "within=most-free"]),
        select(vec!["alternate=on", "alternate=off"]),
        select(vec!["slice=1", "slice=4", "slice=7,cs=0.2", "slice=5,cs=0.1,cs-charge=changed"]),
    )
        .prop_map(|(order, d, b, map, within, alternate, slice)| {
            [order, d, b, map, within, alternate, slice].join(",")
        })
}

fn quanta() -> impl Strategy<Value = &'static str> {
    select(vec![
        "tl=inf",
        "tl=1,swap=none",
        "tl=3,swap=1KB/s,decay=inf",
        "tl=5,swap=3KB/s,decay=4,swap-in-first=true",
        "tl=5,swap=3KB/s,swap-out=wanted",
        "tl=8,swap=2KB/s,decay=1,swap-out=wanted",
    ])
}

fn times(outcome: &Outcome) -> (&[Time], &[Time]) {
    (&outcome.start, &outcome.end)
}

fn is_hopeless(play: &Play, job: JobId) -> bool {
    let workload = &play.scenario.workload;
    let procs = workload.procs(job);
    let largest = 1 << play.scenario.machine.procs().ilog2();
    procs > largest || workload.kinds() > 1 && workload.held(job, 1, 1) > MEMORY
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every job that fits is served, for any parameters: no processor holds more than its memory after any
    /// decision (watched) or at any instant (verified), and only jobs that can never fit are rejected.
    #[test]
    fn every_job_that_fits_the_machine_is_served_and_no_memory_is_exceeded(
        filled in filled(),
        options in options(),
        quantum in quanta(),
        rule in overruns(),
        events in event_orders(),
    ) {
        let play = filled.limited(rule).events(events);
        let outcome = watched(&play, &format!("dhc:{options},{quantum}")).unwrap();
        for job in play.scenario.workload.jobs() {
            let rejected = outcome.fate(job) == Fate::Rejected;
            prop_assert_eq!(rejected, is_hopeless(&play, job), "job {}", job.0);
            prop_assert!(rejected || outcome.end(job) < Time::FARTHEST);
        }
    }

    #[test]
    fn with_enough_memory_there_might_be_none(
        filled in filled(),
        options in options(),
        quantum in select(vec!["tl=inf", "tl=3,swap=none"]),
        rule in overruns(),
        events in event_orders(),
    ) {
        // Without memory, no processor has the most free memory.
        let options = options.replace("order=smf", "order=fcfs").replace("within=most-free", "within=lowest");
        let spec = format!("dhc:{options},{quantum}");
        let enough = filled.play(rule, Some(1_000)).events(events);
        let none = filled.play(rule, None).events(events);
        let (with, _) = play(&enough, &spec);
        let (without, _) = play(&none, &format!("{spec},memory=off"));
        prop_assert_eq!(times(&with), times(&without), "{}", spec);
    }

    #[test]
    fn without_a_quantum_no_job_is_ever_swapped(filled in filled(), options in options(), events in event_orders()) {
        let scene = filled.limited(Overrun::Raise).events(events);
        let (never, _) = play(&scene, &format!("dhc:{options},tl=inf"));
        prop_assert!(never.services.iter().all(|service| service.swaps == 0 && service.swapping == Time::ZERO));
        // A quantum longer than every job has no effect.
        let (long, _) = play(&scene, &format!("dhc:{options},tl=1h,decay=1h"));
        prop_assert_eq!(times(&never), times(&long));
    }

    /// One slot and jobs that take the whole machine: gangs, blocks and alternates have no effect.
    #[test]
    fn in_one_slot_jobs_of_the_whole_machine_are_served_first_come_first_served(
        filled in filled(),
        events in prompt_orders(),
        slice in select(vec!["1", "7"]),
    ) {
        let mut whole = filled.clone();
        whole.sample.procs = 1 << whole.sample.procs.ilog2();
        let procs = whole.sample.procs;
        // Jobs without run time end before they take turns; interactive jobs go first.
        for job in &mut whole.sample.jobs {
            let run = job.run.max(Time::SECOND);
            *job = PlainJob { demand: vec![procs], run, estimate: run, user: 1, ..job.clone() };
        }
        let scene = whole.play(Overrun::Raise, None).events(events);
        let (dhc, _) = play(&scene, &format!("dhc:d=1,memory=off,slice={slice}"));
        let (fcfs, _) = play(&scene, "fcfs");
        prop_assert_eq!(times(&dhc), times(&fcfs), "{}", events);
    }
}
