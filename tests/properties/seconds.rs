//! Small crowded logs of whole seconds, and a table of what is free on a machine, second by second.

use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use crate::lab::{Play, overrun};

/// Seconds that a plan covers: longer than all jobs in sequence.
const AHEAD: usize = 640;

/// A job in a table: whole seconds, and an amount of each resource, processors first.
#[derive(Clone, Debug)]
pub struct Job {
    pub submit: usize,
    pub run: usize,
    pub estimate: usize,
    pub demand: Vec<i64>,
}

impl Job {
    /// For how long plans hold its resources.
    pub fn stay(&self) -> usize {
        self.estimate.max(1)
    }

    /// The job as the program reads it.
    pub fn plain(&self) -> PlainJob {
        let secs = |seconds: usize| Time::from_secs(seconds as i64);
        let job = PlainJob::new(secs(self.submit), secs(self.run), self.demand.clone());
        PlainJob { estimate: secs(self.estimate), user: 0, ..job }
    }
}

/// How many processors of each node a job holds.
pub type Spot = Vec<i64>;

/// The free amounts of each node in each second from now on. Several resources need a single node.
#[derive(Clone)]
pub struct Table {
    kinds: usize,
    nodes: Vec<Vec<i64>>,
}

impl Table {
    pub fn of_empty(nodes: &[Vec<i64>]) -> Table {
        Table { kinds: nodes[0].len(), nodes: nodes.iter().map(|amounts| amounts.repeat(AHEAD)).collect() }
    }

    /// The least that is free of a resource of a node from `at` on for `stay` seconds.
    fn least(&self, node: usize, kind: usize, at: usize, stay: usize) -> i64 {
        let free = |second: usize| self.nodes[node][second * self.kinds + kind];
        (at..at + stay).map(free).min().unwrap()
    }

    /// The amount that a job holds of a resource with `procs` of its processors.
    fn amount(job: &Job, kind: usize, procs: i64) -> i64 {
        if kind == 0 { procs } else { job.demand[kind] }
    }

    /// The lowest nodes with room for a job that begins `at` seconds from now.
    pub fn place(&self, job: &Job, at: usize, stay: usize) -> Option<Spot> {
        let mut left = job.demand[0];
        let spot = (0..self.nodes.len()).map(|node| {
            let others = (1..self.kinds).all(|kind| self.least(node, kind, at, stay) >= job.demand[kind]);
            let procs = if others { self.least(node, 0, at, stay).clamp(0, left) } else { 0 };
            left -= procs;
            procs
        });
        let spot = spot.collect();
        (left == 0).then_some(spot)
    }

    /// The earliest start of a job, in seconds from now, and its place.
    pub fn earliest(&self, job: &Job) -> (usize, Spot) {
        let found = |at| Some((at, self.place(job, at, job.stay())?));
        (0..AHEAD - job.stay()).find_map(found).expect("the table is long enough for all jobs")
    }

    /// Whether a place has room for a job from `at` on.
    pub fn holds(&self, job: &Job, spot: &[i64], at: usize) -> bool {
        spot.iter().enumerate().filter(|one| *one.1 > 0).all(|(node, &procs)| {
            let amount = |kind| Table::amount(job, kind, procs);
            (0..self.kinds).all(|kind| self.least(node, kind, at, job.stay()) >= amount(kind))
        })
    }

    /// Takes a job's amounts (`sign` = -1) or gives them back (1) from `from` to `to`.
    pub fn add(&mut self, job: &Job, spot: &[i64], (from, to): (usize, usize), sign: i64) {
        for (node, &procs) in spot.iter().enumerate().filter(|one| *one.1 > 0) {
            for second in self.nodes[node][from * self.kinds..to * self.kinds].chunks_mut(self.kinds) {
                for (kind, free) in second.iter_mut().enumerate() {
                    *free += sign * Table::amount(job, kind, procs);
                }
            }
        }
    }
}

/// Up to 18 jobs whose times coincide often: every fourth ends at once, many outlive their estimates.
fn jobs(most: i64, kinds: usize) -> impl Strategy<Value = Vec<PlainJob>> {
    let submit = prop_oneof![select(vec![0i64, 5, 10]), 0i64..40];
    let run = prop_oneof![1 => Just(0i64), 2 => select(vec![1, 5, 10, 20]), 1 => 0i64..30];
    let estimate = prop_oneof![2 => Just(None), 1 => Just(Some(0i64)), 3 => (1i64..30).prop_map(Some)];
    let size = prop_oneof![1 => Just(1), 1 => Just(most), 3 => 1..=most];
    let more = prop::collection::vec(0i64..=6, kinds - 1);
    let job = (submit, run, estimate, size, more).prop_map(|(submit, run, estimate, procs, more)| PlainJob {
        estimate: Time::from_secs(estimate.unwrap_or(run)),
        user: 0,
        ..PlainJob::secs(submit, run, std::iter::once(procs).chain(more).collect())
    });
    prop::collection::vec(job, 1..=18).prop_map(|mut jobs| {
        jobs.sort_by_key(|job| job.submit);
        jobs
    })
}

/// A machine, node by node, and jobs for it.
pub type Scene = (Vec<Vec<i64>>, Vec<PlainJob>);

pub fn pools() -> impl Strategy<Value = Scene> {
    (1i64..=12, 1usize..=3).prop_flat_map(|(procs, kinds)| {
        let amounts: Vec<i64> = std::iter::once(procs).chain(std::iter::repeat_n(6, kinds - 1)).collect();
        (Just(vec![amounts]), jobs(procs, kinds))
    })
}

pub fn nodes() -> impl Strategy<Value = Scene> {
    (2usize..=6, 1i64..=3)
        .prop_flat_map(|(nodes, procs)| (Just(vec![vec![procs]; nodes]), jobs(procs * nodes as i64, 1)))
}

pub fn replayed((nodes, jobs): &Scene, rule: Overrun) -> Play {
    let resource = |kind| match kind {
        0 => processors(),
        _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
    };
    let machine = Machine::new((0..nodes[0].len()).map(resource).collect(), nodes).unwrap();
    let jobs: Vec<PlainJob> = jobs.iter().map(|job| overrun(rule, job)).collect();
    Play { overrun: rule, ..Play::new(machine, Workload::from_jobs(&jobs).in_tasks_of(1)) }
}

/// The jobs as the second engine reads them.
pub fn seen(jobs: &[PlainJob], rule: Overrun) -> Vec<Job> {
    let secs = |time: Time| time.secs() as usize;
    let job = |job: &PlainJob| {
        let job = overrun(rule, job);
        Job { submit: secs(job.submit), run: secs(job.run), estimate: secs(job.estimate), demand: job.demand }
    };
    jobs.iter().map(job).collect()
}
