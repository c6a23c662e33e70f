//! Small random machines with nodes, and jobs that each fit the empty machine.

use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Layout, Machine, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, samples};
use crate::lab::{Play, overrun};

/// Jobs on a machine with nodes, before the rule for overruns is applied.
#[derive(Clone, Debug)]
pub struct Site {
    /// Capacities, node by node; the first resource is the processors.
    nodes: Vec<Vec<i64>>,
    /// Partitions of each node; empty if there are none.
    partitions: Vec<Vec<i64>>,
    task_procs: i64,
    jobs: Vec<PlainJob>,
    /// Whether the second resource comes in devices of [`DEVICE`].
    devices: bool,
    /// How each job lies on nodes; empty if all are tasks of `task_procs`.
    lays: Vec<Lay>,
}

/// How a job lies on nodes, before its processors are known.
#[derive(Clone, Copy, Debug)]
struct Lay {
    /// Its nodes, with one task on each; without them, tasks of the site's size.
    nodes: Option<i64>,
    /// The most tasks on a node.
    per_node: i64,
    alone: bool,
    /// Whether each of its nodes has the same part of the second and the third resource.
    even: bool,
}

impl Lay {
    fn of(self, procs: i64, task: i64) -> Layout {
        let layout = match self.nodes {
            Some(nodes) => Layout::on_nodes(procs, nodes, task),
            None => Layout::of_tasks(procs, task).at_most(self.per_node),
        };
        let layout = if self.even { layout.evenly(0b110) } else { layout };
        if self.alone { layout.exclusively() } else { layout }
    }
}

fn lays() -> impl Strategy<Value = Lay> {
    (prop::option::of(1i64..=4), select(vec![1, 2, i64::MAX]), prop::bool::weighted(0.3), any::<bool>())
        .prop_map(|(nodes, per_node, alone, even)| Lay { nodes, per_node, alone, even })
}

const DEVICE: i64 = 4;

/// One to five nodes, equal or not, of one to six processors and one to four resources; every second machine
/// has partitions; tasks of one to four processors, on every second machine with a layout for each job; jobs as in
/// [`samples`], up to the size of the machine. On some machines of several nodes the second resource comes in devices.
pub fn sites() -> impl Strategy<Value = Site> {
    let draws = prop::collection::vec((0i64..=12, 0i64..=12, 0i64..=12, -1i64..=2), 40);
    let lays = prop_oneof![Just(Vec::new()), prop::collection::vec(lays(), 40)];
    (machines(), 1i64..=4, samples(), draws, lays, any::<bool>()).prop_map(
        |((mut nodes, partitions), task_procs, sample, draws, lays, devices)| {
            let devices = devices && nodes.len() > 1 && nodes[0].len() > 1;
            if devices {
                for node in &mut nodes {
                    node[1] = node[1] / 2 * DEVICE;
                }
            }
            let mut site = Site { nodes, partitions, task_procs, devices, jobs: Vec::new(), lays };
            for (job, &(a, b, c, partition)) in sample.jobs.iter().zip(&draws) {
                site.add(job, &sample, [a, b, c], partition);
            }
            site
        },
    )
}

fn machines() -> impl Strategy<Value = (Vec<Vec<i64>>, Vec<Vec<i64>>)> {
    let node = (1i64..=6, prop::collection::vec(0i64..=8, 3));
    let nodes = prop::collection::vec(node, 1..=5);
    let named = prop::collection::vec(select(vec![vec![], vec![1], vec![2], vec![1, 2]]), 5);
    (1usize..=4, nodes, any::<bool>(), any::<bool>(), named).prop_map(
        |(kinds, nodes, equal, partitioned, named)| {
            let amounts = |(procs, more): &(i64, Vec<i64>)| {
                std::iter::once(*procs).chain(more.iter().copied()).take(kinds).collect()
            };
            let drawn = nodes.iter().map(|node| amounts(if equal { &nodes[0] } else { node }));
            let partitions = if partitioned { named[..nodes.len()].to_vec() } else { Vec::new() };
            (drawn.collect(), partitions)
        },
    )
}

impl Site {
    pub fn play(&self, rule: Overrun) -> Play {
        let jobs: Vec<PlainJob> = self.jobs.iter().map(|job| overrun(rule, job)).collect();
        let resource = |kind| match kind {
            0 => processors(),
            2 => Resource { name: "bandwidth".into(), unit: String::new(), sharing: Sharing::Time },
            _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
        };
        let resources = (0..self.nodes[0].len()).map(resource).collect();
        let mut machine = Machine::new(resources, &self.nodes).unwrap();
        if !self.partitions.is_empty() {
            machine = machine.with_partitions(self.partitions.clone()).unwrap();
        }
        if self.devices {
            machine = machine.with_devices(1, DEVICE).unwrap();
        }
        let workload = Workload::from_jobs(&jobs).in_tasks_of(self.task_procs);
        let layout = |job| self.lays[workload.row(job)].of(workload.procs(job), self.task_procs);
        let workload = if self.lays.is_empty() || self.nodes.len() == 1 {
            workload
        } else {
            let layouts: Vec<Layout> = workload.jobs().map(layout).collect();
            workload.laid_out(&layouts)
        };
        Play { overrun: rule, ..Play::new(machine, workload) }
    }

    /// The site with `kinds` copies of its processors, and of the demand for them, as its resources.
    pub fn with_copies(&self, kinds: usize) -> Site {
        let nodes = self.nodes.iter().map(|node| vec![node[0]; kinds]).collect();
        let copy = |job: &PlainJob| PlainJob { demand: vec![job.demand[0]; kinds], ..job.clone() };
        let lays = self.lays.iter().map(|lay| Lay { even: false, ..*lay }).collect();
        Site { nodes, devices: false, jobs: self.jobs.iter().map(copy).collect(), lays, ..self.clone() }
    }

    /// The site with exact estimates of at least one second.
    pub fn exact(&self) -> Site {
        let jobs = Sample { procs: 1, jobs: self.jobs.clone() }.exact().jobs;
        Site { jobs, ..self.clone() }
    }

    /// Adds a job of a sample, with processors in proportion to the machine's, reduced until it fits.
    fn add(&mut self, job: &PlainJob, sample: &Sample, further: [i64; 3], partition: i64) {
        let total: i64 = self.nodes.iter().map(|node| node[0]).sum();
        let procs = (job.demand[0] * total / sample.procs).max(1);
        let demand = std::iter::once(procs).chain(further).take(self.nodes[0].len()).collect();
        let mut job = PlainJob { demand, partition, ..job.clone() };
        let lay = self.lays.get(self.jobs.len()).copied();
        while !self.fits_empty(&job, lay) {
            if job.demand[1..].iter().any(|&amount| amount > 0) {
                job.demand[1..].iter_mut().for_each(|amount| *amount /= 2);
            } else if job.demand[0] > 1 {
                job.demand[0] -= 1;
            } else {
                job.partition = -1;
            }
        }
        self.jobs.push(job);
    }

    /// Whether the empty machine takes a job, counted task by task, the smaller ones last.
    fn fits_empty(&self, job: &PlainJob, lay: Option<Lay>) -> bool {
        let procs = job.demand[0];
        let layout =
            lay.map_or(Layout::of_tasks(procs, self.task_procs), |lay| lay.of(procs, self.task_procs));
        let (mut taken, mut tasks) = (vec![0; self.nodes.len()], vec![0; self.nodes.len()]);
        let all = std::iter::repeat_n(layout.task, layout.tasks as usize);
        all.chain(std::iter::repeat_n(layout.rest, layout.rests as usize)).all(|task| {
            let room = (0..taken.len()).find(|&node| {
                tasks[node] < layout.per_node && self.takes(node, job, &layout, taken[node] + task)
            });
            let Some(node) = room else { return false };
            taken[node] += task;
            tasks[node] += 1;
            true
        })
    }

    /// Whether an empty node takes `there` of a job's processors, with the resources that belong to them.
    fn takes(&self, node: usize, job: &PlainJob, layout: &Layout, there: i64) -> bool {
        let named = self.partitions.get(node).filter(|named| !named.is_empty() && job.partition >= 0);
        let share = |(kind, demand): (usize, i64)| {
            if layout.is_even(kind) {
                layout.part(demand)
            } else {
                (demand * there + job.demand[0] - 1) / job.demand[0]
            }
        };
        named.is_none_or(|named| named.contains(&job.partition))
            && job
                .demand
                .iter()
                .copied()
                .enumerate()
                .zip(&self.nodes[node])
                .all(|(need, &most)| share(need) <= most)
    }
}
