//! Speed of the availability window: the earliest start of a job on many nodes, compared with a scan of all instants.
//!
//! `cargo bench --bench window` prints medians and asserts that both find the same start.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::time::Instant;

use batchlab::policies::spec::Params;
use batchlab::policies::support::hosts::{Hosts, PLACE};
use batchlab::policies::support::window::Window;
use batchlab::policies::{JobView, Placement};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload, seed};
use chacha20::rand_core::Rng;

const KINDS: usize = 5;
const ASKED: usize = 200;
const ROUNDS: usize = 15;

/// A machine on which jobs run and hold reservations, and jobs that request their earliest start.
struct Scene {
    machine: Machine,
    workload: Workload,
    hosts: Hosts,
    window: Window<8>,
    instants: Vec<Time>,
    running: Vec<(Time, JobId, Placement)>,
    free: Vec<[i64; 8]>,
}

fn main() {
    println!("## Earliest start of a job, µs, median of {ROUNDS} rounds of {ASKED} jobs\n");
    println!(
        "| nodes | jobs | search | scan of all instants | ratio | reset |\n|---:|---:|---:|---:|---:|---:|"
    );
    for (nodes, jobs) in [(144, 40), (144, 400), (1000, 400), (1000, 4000)] {
        let mut scene = Scene::new(nodes, jobs);
        let asked: Vec<JobId> = (jobs..jobs + ASKED).map(|job| JobId(job as u32)).collect();
        for &job in &asked {
            assert_eq!(scene.search(job), scene.scan(job), "job {}", job.0);
        }
        let each = |seconds: f64| seconds / ASKED as f64 * 1e6;
        let search = each(median(|| asked.iter().filter(|&&job| scene.search(job).is_some()).count()));
        let scan = each(median(|| asked.iter().filter(|&&job| scene.scan(job).is_some()).count()));
        let reset = median(|| scene.reset()) * 1e6;
        println!("| {nodes} | {jobs} | {search:.1} | {scan:.1} | {:.1} | {reset:.1} |", scan / search);
    }
}

impl Scene {
    /// A machine of nodes with 8 processors and four further resources. Half of the `jobs` run; the other
    /// half hold reservations, each at its earliest start.
    fn new(nodes: usize, jobs: usize) -> Scene {
        let mut stream = seed::stream(1, "window");
        let mut uniform = move |below: u64| stream.next_u64() % below;
        let further = (1..KINDS).map(|kind| Resource {
            name: format!("r{kind}"),
            unit: String::new(),
            sharing: Sharing::Space,
        });
        let kinds = [processors()].into_iter().chain(further).collect();
        let machine = Machine::new(kinds, &vec![vec![8, 1000, 1000, 1000, 1000]; nodes]).unwrap();
        let widest = (nodes * 8 * 8 / jobs).clamp(2, nodes * 2) as u64;
        let mut job = |_| {
            let procs = 1 + uniform(widest) as i64;
            let run = Time::from_secs(60 + uniform(36_000) as i64);
            let further = (1..KINDS).map(|_| procs * uniform(250) as i64);
            let demand = [procs].into_iter().chain(further.collect::<Vec<_>>()).collect();
            PlainJob { submit: Time::ZERO, run, estimate: run, demand, user: 1, partition: -1 }
        };
        let all: Vec<PlainJob> = (0..jobs + ASKED).map(&mut job).collect();
        let pairs = [("place".to_owned(), "mcbp".to_owned())];
        let mut scene = Scene {
            workload: Workload::from_jobs(&all),
            hosts: Hosts::from_params(&Params::check("bench", &[PLACE], &pairs).unwrap()).unwrap(),
            window: Window::default(),
            instants: vec![Time::ZERO],
            running: Vec::new(),
            free: (0..nodes).map(|_| [8, 1000, 1000, 1000, 1000, 0, 0, 0]).collect(),
            machine,
        };
        scene.window.reset(&scene.machine, Time::ZERO, &scene.free);
        for job in (0..jobs as u32).map(JobId) {
            let (at, placement) = scene.search(job).unwrap();
            let view = JobView::new(&scene.workload, job);
            let end = at + view.estimate();
            scene.window.take(at, end, view, &placement);
            scene.instants.push(end);
            if at == Time::ZERO {
                for share in &placement.0 {
                    for kind in 0..KINDS {
                        scene.free[share.node as usize][kind] -= view.held(kind, share.procs);
                    }
                }
                scene.running.push((end, job, placement));
            }
        }
        scene.instants.sort_unstable();
        scene.instants.dedup();
        scene.running.sort_by_key(|(end, job, _)| (*end, *job));
        scene
    }

    fn search(&self, job: JobId) -> Option<(Time, Placement)> {
        let view = JobView::new(&self.workload, job);
        let found = self.window.earliest(&self.machine, &self.hosts, view, Time::ZERO, view.estimate());
        found.map(|(at, choice)| (at, choice.placement))
    }

    /// Finds the earliest start by trying every instant at which resources are freed, on all nodes.
    fn scan(&self, job: JobId) -> Option<(Time, Placement)> {
        let view = JobView::new(&self.workload, job);
        self.instants.iter().find_map(|&at| {
            let choice = self.window.at(&self.machine, &self.hosts, view, at, view.estimate())?;
            Some((at, choice.placement))
        })
    }

    /// The preparation of a decision: computes the free resources and the ends of the running jobs.
    fn reset(&mut self) -> usize {
        let mut window = std::mem::take(&mut self.window);
        window.reset(&self.machine, Time::ZERO, &self.free);
        for (end, job, placement) in &self.running {
            window.release(*end, JobView::new(&self.workload, *job), &placement.0);
        }
        self.window = window;
        self.running.len()
    }
}

fn median(mut what: impl FnMut() -> usize) -> f64 {
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            assert!(what() > 0);
            began.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
