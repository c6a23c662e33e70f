//! Machines with nodes: for any machine, jobs and rule of host selection, the limits of every node are kept
//! (the checker checks each separately) and no job that fits waits for ever.

use batchlab::policies::support::hosts::HOSTS;
use batchlab::schedule::verify::checks_nodes;
use batchlab::traces::machine::{Fit, Resource, Sharing, processors};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Layout, Machine, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, options, overruns, samples};
use crate::lab::{Play, overrun, play};

#[derive(Clone, Debug)]
struct Nodes {
    machine: Machine,
    task_procs: i64,
    /// Amounts of further resources, and the partition, of each job.
    further: Vec<([i64; 3], i64)>,
}

/// Up to five nodes with one to four resources, equal or not, with or without partitions; tasks of one to four processors.
fn nodes() -> impl Strategy<Value = Nodes> {
    let node = || (1i64..=6, prop::array::uniform3(0i64..=8));
    let alike = (node(), 1usize..=5).prop_map(|(node, count)| vec![node; count]);
    let machine = prop_oneof![alike, prop::collection::vec(node(), 1..=5)];
    let partitions = prop_oneof![
        Just(vec![vec![]; 5]),
        prop::collection::vec(select(vec![vec![], vec![1], vec![2], vec![1, 2]]), 5),
    ];
    let job = (prop::array::uniform3(prop_oneof![2 => Just(0), 3 => 0i64..=9]), select(vec![-1i64, 1, 2]));
    let further = prop::collection::vec(job, 40);
    (machine, partitions, 1usize..=4, 1i64..=4, further).prop_map(
        |(nodes, partitions, kinds, task_procs, further)| {
            let resource = |kind| match kind {
                0 => processors(),
                _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
            };
            let amounts: Vec<Vec<i64>> = nodes
                .iter()
                .map(|(procs, further)| [&[*procs], &further[..]].concat()[..kinds].to_vec())
                .collect();
            let machine = Machine::new((0..kinds).map(resource).collect(), &amounts).unwrap();
            let machine = machine.with_partitions(partitions[..nodes.len()].to_vec()).unwrap();
            Nodes { machine, task_procs, further }
        },
    )
}

impl Nodes {
    fn play(&self, sample: &Sample, rule: batchlab::traces::reading::Overrun) -> Play {
        let kinds = self.machine.kinds();
        let fit = Fit::new(&self.machine);
        let job = |(job, (further, partition)): (&PlainJob, &([i64; 3], i64))| PlainJob {
            demand: [&job.demand[..1], &further[..]].concat()[..kinds].to_vec(),
            partition: *partition,
            ..overrun(rule, job)
        };
        let jobs = sample.jobs.iter().zip(&self.further).map(job);
        let fits = |job: &PlainJob| {
            fit.misfit(&job.demand, &Layout::of_tasks(job.demand[0], self.task_procs), |node| {
                self.machine.admits(node, job.partition)
            })
            .is_none()
        };
        let jobs: Vec<PlainJob> = jobs.filter(fits).collect();
        let jobs = Workload::from_jobs(&jobs).in_tasks_of(self.task_procs);
        Play { overrun: rule, ..Play::new(self.machine.clone(), jobs) }
    }
}

fn specs() -> impl Strategy<Value = String> {
    let place = select(HOSTS.iter().map(|host| host.name).collect::<Vec<_>>());
    let policy = select(vec!["fcfs", "first-fit", "easy", "depth:k=1", "depth:k=2", "depth:k=inf"]);
    (policy, options(), place).prop_map(|(policy, options, place)| match policy {
        "fcfs" | "first-fit" => format!("{policy}:place={place}"),
        "easy" => format!("easy:{options},place={place}"),
        _ => format!("{policy},{options},place={place}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Starts are refused, and the replay fails, if a node has no room. The checker reports oversubscribed nodes,
    /// incomplete placements, split tasks and wrong partitions; a job that waits for ever fails the replay.
    #[test]
    fn the_limits_of_every_node_are_kept_and_every_job_is_served(
        sample in samples(),
        nodes in nodes(),
        spec in specs(),
        events in event_orders(),
        rule in overruns(),
    ) {
        let scene = nodes.play(&sample, rule).events(events);
        let (outcome, _) = play(&scene, &spec);
        let (jobs, pool) = (scene.scenario.workload.len(), nodes.machine.is_pool());
        prop_assert_eq!(checks_nodes(&scene.scenario, &outcome), jobs > 0 && !pool);
        prop_assert!(outcome.intervals.is_empty(), "no job shares time");
    }

    /// If tasks are single processors and no other resource is held, the choice of nodes does not matter as
    /// long as no policy reserves nodes.
    #[test]
    fn single_processors_fit_on_nodes_as_on_a_pool(
        sample in samples(),
        split in prop::collection::vec(any::<bool>(), 15),
        policy in select(vec!["fcfs", "first-fit"]),
        events in event_orders(),
    ) {
        let mut nodes = vec![vec![1]];
        for apart in split.iter().take(sample.procs as usize - 1) {
            if *apart { nodes.push(vec![1]) } else if let Some(last) = nodes.last_mut() { last[0] += 1 }
        }
        let pool = sample.play(batchlab::traces::reading::Overrun::Raise).events(events);
        let mut apart = pool.clone();
        apart.scenario.machine = Machine::new(vec![processors()], &nodes).unwrap().into();
        prop_assert_eq!(play(&pool, policy).0.start, play(&apart, policy).0.start);
    }
}
