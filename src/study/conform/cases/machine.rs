//! Machines of cases: pools, and nodes described by a machine file.

use std::fmt::Write as _;

use batchlab_traces::header::{ColumnScope, ResourceDeclaration};
use batchlab_traces::machine::{Fit, MachineFile};
use batchlab_traces::{Field, Header, Layout, Machine, Record};

use super::draw::Draw;

/// Resources besides the processors: name and unit. The third is shared in time on machines with nodes.
const RESOURCES: [(&str, &str); 3] = [("memory", "KB"), ("gpu", "cards"), ("bandwidth", "MB")];

pub struct DrawnMachine {
    /// Amounts of each node, processors first; a single node is a pool.
    nodes: Vec<Vec<i64>>,
    /// Partitions of each node; empty if there are none.
    partitions: Vec<Vec<i64>>,
    task_procs: i64,
    /// The machine that the file describes, to check which jobs fit; `None` for a pool.
    machine: Option<Machine>,
}

impl DrawnMachine {
    /// Draws a machine with a few processors and at most `most` resources.
    pub fn small(draw: &mut Draw, most: usize) -> DrawnMachine {
        let kinds = if draw.one_in(2) { 1 } else { draw.between(2, 4) as usize };
        let kinds = kinds.clamp(1, most.max(1));
        if !draw.one_in(3) {
            let procs = draw.between(1, 16);
            return DrawnMachine::new(vec![amounts(draw, procs, kinds)], Vec::new(), 1);
        }
        let procs = draw.between(1, 6);
        let first = amounts(draw, procs, kinds);
        let equal = draw.one_in(2);
        let mut nodes = vec![first.clone()];
        for _ in 0..draw.between(1, 4) {
            let procs = draw.between(1, 6);
            let other = amounts(draw, procs, kinds);
            nodes.push(if equal { first.clone() } else { other });
        }
        let mut partitions: Vec<Vec<i64>> = Vec::new();
        if draw.one_in(3) {
            partitions = nodes.iter().map(|_| draw.pick(&[&[][..], &[1], &[2], &[1, 2]]).to_vec()).collect();
        }
        DrawnMachine::new(nodes, partitions, draw.between(1, 4))
    }

    /// Draws a machine with `procs` processors: a pool, or nodes of eight.
    pub fn large(draw: &mut Draw, procs: i64) -> DrawnMachine {
        if !draw.one_in(3) {
            return DrawnMachine::new(vec![vec![procs]], Vec::new(), 1);
        }
        DrawnMachine::new(vec![vec![8]; (procs / 8) as usize], Vec::new(), draw.pick(&[1, 2, 4]))
    }

    fn new(nodes: Vec<Vec<i64>>, partitions: Vec<Vec<i64>>, task_procs: i64) -> DrawnMachine {
        let mut drawn = DrawnMachine { nodes, partitions, task_procs, machine: None };
        let file = drawn.file().and_then(|text| MachineFile::parse(&text, "case").ok());
        drawn.machine = file.and_then(|file| file.machine(&Header::default()).ok());
        drawn
    }

    pub fn procs(&self) -> i64 {
        self.nodes.iter().map(|node| node[0]).sum()
    }

    /// Returns the resources that the log's header declares.
    pub fn declared(&self) -> Vec<ResourceDeclaration> {
        let pool = self.nodes.len() == 1;
        let scope = if pool { ColumnScope::Pool } else { ColumnScope::Node };
        let declare = |((name, unit), &amount): (&(&str, &str), &i64)| ResourceDeclaration {
            name: (*name).into(),
            unit: (*unit).into(),
            capacity: pool.then_some(amount),
            scope,
        };
        RESOURCES.iter().zip(&self.nodes[0][1..]).map(declare).collect()
    }

    /// Returns the machine file; `None` for a pool, which the header describes completely.
    pub fn file(&self) -> Option<String> {
        if self.nodes.len() == 1 {
            return None;
        }
        // Writing to a string does not fail.
        let mut text = format!("task_procs = {}\n", self.task_procs);
        for (name, unit) in &RESOURCES[..self.nodes[0].len() - 1] {
            let sharing = if *name == "bandwidth" { "time" } else { "space" };
            let _ =
                write!(text, "[[resource]]\nname = \"{name}\"\nunit = \"{unit}\"\nsharing = \"{sharing}\"\n");
        }
        for (node, amounts) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "[[nodes]]\nprocs = {}", amounts[0]);
            for ((name, _), amount) in RESOURCES.iter().zip(&amounts[1..]) {
                let _ = writeln!(text, "{name} = {amount}");
            }
            if let Some(named) = self.partitions.get(node).filter(|named| !named.is_empty()) {
                let _ = writeln!(text, "partitions = {named:?}");
            }
        }
        Some(text)
    }

    /// Draws the further resources and the partition of a job, and reduces its demands until it fits.
    pub fn fill(&self, draw: &mut Draw, record: &mut Record) {
        let partition = if self.partitions.is_empty() { draw.between(1, 2) } else { draw.between(-1, 2) };
        record.set_whole(Field::Partition, if partition == 0 { -1 } else { partition });
        let most = |kind: usize| self.nodes.iter().map(|node| node[kind]).sum::<i64>();
        for kind in 1..self.nodes[0].len() {
            let amount = if draw.below(5) < 2 { 0 } else { draw.between(0, most(kind)) };
            record.extra.push(amount);
        }
        if record.extra.is_empty() {
            record.set_whole(Field::RequestedMemory, draw.between(1, 8));
        }
        while !self.fits(record) {
            let procs = record.get(Field::Requested).truncated();
            if record.extra.iter().any(|&amount| amount > 0) {
                record.extra.iter_mut().for_each(|amount| *amount /= 2);
            } else if procs > 1 {
                record.set_whole(Field::Requested, procs - 1);
            } else {
                record.set_whole(Field::Partition, -1);
            }
        }
    }

    fn fits(&self, record: &Record) -> bool {
        let Some(machine) = &self.machine else { return true };
        let whole = |field| record.get(field).truncated();
        let (procs, partition) = (whole(Field::Requested), whole(Field::Partition));
        let demand: Vec<i64> = std::iter::once(procs).chain(record.extra.iter().copied()).collect();
        let layout = Layout::of_tasks(procs, self.task_procs);
        Fit::new(machine).misfit(&demand, &layout, |node| machine.admits(node, partition)).is_none()
    }
}

fn amounts(draw: &mut Draw, procs: i64, kinds: usize) -> Vec<i64> {
    std::iter::once(procs).chain((1..kinds).map(|_| draw.between(0, 12))).collect()
}
