//! The window compared with a table of the free amounts on every node in every second.

use batchlab_traces::machine::{Resource, Sharing, processors};
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::super::hosts::options::SHARE;
use super::*;
use crate::placement::Share;
use crate::spec::Params;

/// From this second on, all of the machine is free.
const QUIET: usize = 60;
const LENGTH: usize = 100;

/// Free amounts: seconds by nodes.
type Table = Vec<Vec<[i64; 2]>>;

fn secs(seconds: usize) -> Time {
    Time::from_secs(seconds as i64)
}

fn jobs(demands: &[[i64; 2]], task: i64) -> Workload {
    let job = |demand: &[i64; 2]| PlainJob { user: 1, ..PlainJob::secs(0, 1, demand.to_vec()) };
    Workload::from_jobs(&demands.iter().map(job).collect::<Vec<_>>()).in_tasks_of(task)
}

fn machine(nodes: usize) -> Machine {
    let memory = Resource { name: "memory".into(), unit: String::new(), sharing: Sharing::Space };
    Machine::new(vec![processors(), memory], &vec![vec![4, 6]; nodes]).unwrap()
}

fn hosts(share: bool) -> Hosts {
    let pairs = [("share".to_owned(), share.to_string())];
    Hosts::from_params(&Params::check("test", &[SHARE], &pairs).unwrap()).unwrap()
}

/// An amount that is taken: node, processors, memory, beginning, length.
type Taken = (usize, i64, i64, usize, usize);

fn taken(nodes: usize) -> impl Strategy<Value = Vec<Taken>> {
    prop::collection::vec((0..nodes, 1i64..=3, 0i64..=3, 0usize..40, 1usize..20), 0..12)
}

/// Returns the most processors of a job that a node has room for throughout its stay.
fn procs_on(table: &Table, node: usize, job: JobView<'_>, at: usize, stay: usize) -> i64 {
    let fits = |procs: i64| {
        (at..at + stay).all(|second| (0..2).all(|kind| job.held(kind, procs) <= table[second][node][kind]))
    };
    (1..=job.procs()).take_while(|&procs| fits(procs)).count() as i64
}

/// First fit by the table: whole tasks to the lowest nodes, then the smaller task to the lowest node with room.
fn place(table: &Table, job: JobView<'_>, at: usize, stay: usize, share: bool) -> Option<Vec<Share>> {
    let (task, procs) = (job.layout().task, job.procs());
    let room: Vec<i64> = (0..table[0].len()).map(|node| procs_on(table, node, job, at, stay)).collect();
    let mut placed = vec![0; room.len()];
    let mut left = procs / task;
    for (placed, room) in placed.iter_mut().zip(&room) {
        let tasks = (room / task).min(left).min(if share { left } else { 1 });
        *placed = tasks * task;
        left -= tasks;
    }
    if left > 0 {
        return None;
    }
    let rest = procs % task;
    if rest > 0 {
        let fits = |&node: &usize| placed[node] + rest <= room[node] && (share || placed[node] == 0);
        let node = (0..room.len()).find(fits)?;
        placed[node] += rest;
    }
    let shares = placed.iter().enumerate().filter(|(_, procs)| **procs > 0);
    Some(shares.map(|(node, &procs)| Share::new(node as u32, procs)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_window_answers_as_a_table_of_seconds(
        nodes in 1usize..=4,
        takes in (1usize..=4).prop_flat_map(taken),
        (procs, memory, task) in (1i64..=8, 0i64..=8, select(vec![1i64, 2, 3, 4])),
        (from, stay) in (0usize..30, 1usize..20),
        share in any::<bool>(),
    ) {
        let takes: Vec<Taken> = takes.into_iter().map(|(node, a, b, c, d)| (node % nodes, a, b, c, d)).collect();
        let mut demands = vec![[procs, memory]];
        demands.extend(takes.iter().map(|&(_, procs, memory, ..)| [procs, memory]));
        let (workload, machine, hosts) = (jobs(&demands, task), machine(nodes), hosts(share));
        let view = |job: usize| JobView::new(&workload, JobId(job as u32));
        let mut window = Window::<2>::default();
        window.reset(&machine, Time::ZERO, &vec![[4, 6]; nodes]);
        let mut table: Table = vec![vec![[4, 6]; nodes]; LENGTH];
        for (index, &(node, procs, memory, from, length)) in takes.iter().enumerate() {
            let placement = Placement::on(node as u32, procs);
            window.take(secs(from), secs(from + length), view(index + 1), &placement);
            for second in &mut table[from..from + length] {
                second[node][0] -= procs;
                second[node][1] -= memory;
            }
        }
        let job = view(0);
        let expected = (from..=QUIET).find_map(|at| Some((at, place(&table, job, at, stay, share)?)));
        let found = window.earliest(&machine, &hosts, job, secs(from), secs(stay));
        let found = found.map(|(at, choice)| (at, choice.placement));
        prop_assert_eq!(&found, &expected.clone().map(|(at, shares)| (secs(at), Placement(shares))));
        let now = window.at(&machine, &hosts, job, secs(from), secs(stay)).map(|choice| choice.placement);
        prop_assert_eq!(now, place(&table, job, from, stay, share).map(Placement));
        if let Some((at, placement)) = &found {
            let until = *at + secs(stay);
            prop_assert!(window.has_room(*at, until, job, placement));
            window.take(*at, until, job, placement);
            window.give(*at, until, job, placement);
        }
        for (index, &(node, procs, _, from, length)) in takes.iter().enumerate() {
            window.give(secs(from), secs(from + length), view(index + 1), &Placement::on(node as u32, procs));
        }
        prop_assert!(window.nodes.iter().all(|profile| profile.since(Time::ZERO).count() == 1), "what was given back leaves no trace");
    }

    #[test]
    fn running_jobs_are_released_as_if_they_had_been_taken(
        mut ends in prop::collection::vec((0usize..3, 1i64..=2, 0i64..=2, 1usize..30), 0..6),
        at in 0usize..40,
        stay in 1usize..20,
    ) {
        ends.sort_by_key(|end| end.3);
        let mut demands = vec![[1, 1]];
        demands.extend(ends.iter().map(|&(_, procs, memory, _)| [procs, memory]));
        let (workload, machine, hosts) = (jobs(&demands, 1), machine(3), hosts(true));
        let view = |job: usize| JobView::new(&workload, JobId(job as u32));
        let (mut released, mut taken) = (Window::<2>::default(), Window::<2>::default());
        let mut free = vec![[4, 6]; 3];
        taken.reset(&machine, Time::ZERO, &free);
        for (index, &(node, procs, memory, end)) in ends.iter().enumerate() {
            free[node][0] -= procs;
            free[node][1] -= memory;
            taken.take(Time::ZERO, secs(end), view(index + 1), &Placement::on(node as u32, procs));
        }
        released.reset(&machine, Time::ZERO, &free);
        for (index, &(node, procs, _, end)) in ends.iter().enumerate() {
            released.release(secs(end), view(index + 1), &Placement::on(node as u32, procs).0);
        }
        let ask = |window: &Window<2>| window.earliest(&machine, &hosts, view(0), secs(at), secs(stay));
        prop_assert_eq!(ask(&released), ask(&taken));
        released.advance(secs(at));
        prop_assert_eq!(ask(&released), ask(&taken));
    }
}
