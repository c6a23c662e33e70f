//! Replays with their details, for tests of details and of plots made of them.

use batchlab_engine::Outcome;
use batchlab_engine::metrics::{MeasureOptions, Measurement};
use batchlab_engine::replay::engine::{Run, Scenario, replay};
use batchlab_policies::Registry;
use batchlab_support::Journal;
use batchlab_support::spec::Setting;
use batchlab_traces::reading::Overrun;
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{Machine, Time, Workload};

pub struct JournalledReplay {
    pub scenario: Scenario,
    pub outcome: Outcome,
    pub journal: Journal,
}

/// Returns `count` jobs drawn by a simple generator; the load is about .9 on 16 processors.
pub fn jobs(count: usize) -> Vec<PlainJob> {
    let mut state = 12_345_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut submit = 0;
    let mut job = |_| {
        submit += draw(60) as i64;
        let run = 1 + draw(120) as i64;
        let estimate = Time::from_secs(run + draw(60) as i64);
        let demand = vec![1 + draw(12) as i64];
        PlainJob { estimate, user: draw(7) as i64, ..PlainJob::secs(submit, run, demand) }
    };
    (0..count).map(&mut job).collect()
}

pub fn replayed(machine: Machine, jobs: &[PlainJob], spec: &str) -> JournalledReplay {
    replayed_as(Scenario::new(machine, Workload::from_jobs(jobs)), spec)
}

pub fn replayed_as(scenario: Scenario, spec: &str) -> JournalledReplay {
    let chosen = Registry::builtin().choose(spec).unwrap();
    let setting = Setting { by_node: !scenario.machine.is_pool(), ..scenario.setting(Overrun::Raise) };
    let mut policy = chosen.build(&setting).unwrap();
    let run = Run { journal: true, ..Run::default() };
    let (outcome, journal) = replay(&scenario, spec, chosen.needs(), policy.as_mut(), run).unwrap();
    JournalledReplay { scenario, outcome, journal: journal.unwrap_or_default() }
}

impl JournalledReplay {
    pub fn measurement(&self) -> Measurement<'_> {
        let Scenario { workload, machine, .. } = &self.scenario;
        Measurement::new(workload, machine, &self.outcome, MeasureOptions::default())
            .unwrap()
            .with_journal(&self.journal)
            .with_capacity(self.scenario.capacity.as_deref())
    }
}
