//! Real logs on machines with nodes.

use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Workload};

use crate::lab::{Log, Play, play};

/// The log on a machine of `nodes` equal nodes, with tasks of `task_procs` processors.
fn on_nodes(log: Log, nodes: usize, task_procs: i64) -> Option<Play> {
    let trace = log.trace()?;
    let layout = batchlab::traces::layout::LayoutRule::Tasks(task_procs);
    let reading = Reading { layout, ..Reading::default() };
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let procs = batchlab_traces::workload::machine_size(&trace, &reading, &mut findings).unwrap();
    let machine = Machine::uniform(procs, nodes).unwrap();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Some(Play::new(machine, workload))
}

fn starts(play_this: &Play, spec: &str) -> Vec<Time> {
    play(play_this, spec).0.start
}

/// Unless a policy reserves nodes, single processors fit on nodes whenever they fit on a pool. (EASY's
/// reservation is a placement, which a pool does not have: its schedule differs.)
#[test]
fn single_processors_on_the_nodes_of_kth_are_served_as_on_a_pool() {
    let Some(pool) = on_nodes(Log::KTH, 1, 1) else { return };
    for policy in ["fcfs", "first-fit"] {
        let expected = starts(&pool, policy);
        for nodes in [100, 25] {
            let Some(apart) = on_nodes(Log::KTH, nodes, 1) else { return };
            assert!(starts(&apart, policy) == expected, "{policy} on {nodes} nodes");
        }
        assert!(starts(&on_nodes(Log::KTH, 25, 4).unwrap(), policy) != expected, "whole nodes of four");
    }
}
