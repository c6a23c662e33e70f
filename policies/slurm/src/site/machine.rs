use std::sync::Arc;

use batchlab_traces::asked::{ASKED_PARTITIONS, RAN_ON};
use batchlab_traces::constraint::Constraint;
use batchlab_traces::header::Named;
use batchlab_traces::machine::{MachineError, Resource, Sharing, processors};
use batchlab_traces::notation::{Bound, hosts};
use batchlab_traces::reading::{NoLimit, PartitionLimits, YEAR};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::workload::{CONSTRAINT, MEMORY};
use batchlab_traces::{Header, Machine, Time};

use super::sharing::{PARTS, SharedGpus};
use super::{SlurmNode, SlurmSystem};

/// Returns the number by which the nodes of the partitions of a list admit its jobs.
pub(super) fn admitted_by(list: i64) -> i64 {
    Machine::LISTS.saturating_add(list)
}

impl SlurmSystem {
    /// Returns the machine: its nodes with processors, memory if it is allocated, and the further resources that the log
    /// names; nodes have the partitions of the log by their names.
    ///
    /// # Errors
    /// When there are no nodes, or more than can be replayed.
    pub fn machine(&self, header: &Header) -> Result<Machine, MachineError> {
        let shared = SharedGpus::of(&self.nodes, header);
        let resources = self.resources(header, shared.is_some());
        let amounts = |node: &SlurmNode| {
            let amount = |resource: &Resource| match resource.name.as_str() {
                MEMORY => node.memory.saturating_mul(1024),
                PARTS => shared.as_ref().map_or(0, |shared| shared.on(node)),
                name => node.gres.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count),
            };
            std::iter::once(node.cpus).chain(resources[1..].iter().map(amount)).collect()
        };
        let nodes: Vec<Vec<i64>> = self.nodes.iter().map(amounts).collect();
        let sums = shared.iter().map(SharedGpus::sum).collect();
        let machine = Machine::new(resources, &nodes)?.with_sums(sums);
        let features =
            self.nodes.iter().map(|node| node.features.iter().chain([&node.name]).cloned().collect());
        machine.with_partitions(self.partitions_of_nodes(header))?.with_features(features.collect())
    }

    /// Returns the resources of the nodes: processors, memory if it is allocated, the resources that the log names, and the parts of
    /// shared GPUs.
    fn resources(&self, header: &Header, has_parts: bool) -> Vec<Resource> {
        let space = |name: &str, unit: &str| Resource {
            name: name.into(),
            unit: unit.into(),
            sharing: Sharing::Space,
        };
        let mut resources = vec![processors()];
        if self.select.memory {
            resources.push(space(MEMORY, "KB"));
        }
        for declared in &header.resources {
            let is_here =
                self.nodes.iter().any(|node| node.gres.iter().any(|(name, _)| *name == declared.name));
            if is_here && !resources.iter().any(|known| known.name == declared.name) {
                resources.push(space(&declared.name, &declared.unit));
            }
        }
        if has_parts {
            resources.push(space(PARTS, ""));
        }
        resources
    }

    fn partitions_of_nodes(&self, header: &Header) -> Vec<Vec<i64>> {
        let mut of_nodes: Vec<Vec<i64>> = vec![Vec::new(); self.nodes.len()];
        for (number, partition) in self.numbers(&header.partition) {
            for &node in self.partitions.get(partition).map_or(&[][..], |partition| &partition.nodes) {
                of_nodes[node].push(number);
            }
        }
        for (number, partitions) in self.lists(header) {
            let nodes: SortedSet<usize> =
                partitions.iter().flat_map(|&at| self.partitions[at].nodes.iter().copied()).collect();
            for node in nodes {
                of_nodes[node].push(admitted_by(number));
            }
        }
        // Without an entry a node would take every job; nodes in no partition of the log take none.
        if !self.partitions.is_empty() && of_nodes.iter().any(|of_node| !of_node.is_empty()) {
            for of_node in of_nodes.iter_mut().filter(|of_node| of_node.is_empty()) {
                of_node.push(Machine::NOWHERE);
            }
        }
        of_nodes
    }

    /// Returns the index of the partition of each number of the log; unknown names are the default partition.
    pub(super) fn numbers(&self, named: &[Named]) -> SortedMap<i64, usize> {
        let index = |named: &Named| self.partition(&named.name).or(self.default_partition());
        named.iter().filter_map(|named| Some((named.number, index(named)?))).collect()
    }

    /// Returns what counts as the limit of jobs without one: of jobs that ask for none `MaxTime` of their partition, of jobs that do
    /// not ask `DefaultTime`, else `MaxTime`.
    ///
    /// Source: `_set_backfill_timelimits` in `src/plugins/sched/backfill/backfill.c`; `select_nodes` in
    /// `src/slurmctld/node_scheduler.c`.
    pub fn no_limit(&self, header: &Header) -> NoLimit {
        let of = |at: usize| {
            let partition = &self.partitions[at];
            let time = |limit: Bound<Time>| limit.most().unwrap_or(YEAR);
            let unasked = partition.default_time.unwrap_or(partition.max_time);
            PartitionLimits { unlimited: time(partition.max_time), unasked: time(unasked) }
        };
        let partitions =
            self.numbers(&header.partition).iter().map(|(&number, &at)| (number, of(at))).collect();
        NoLimit { partitions, others: self.default_partition().map(of).unwrap_or_default() }
    }

    /// Returns the lists of partitions that jobs of the log name, by their numbers, without the partitions that are unknown here.
    pub(super) fn lists(&self, header: &Header) -> SortedMap<i64, Vec<usize>> {
        let list = |named: Named| {
            let known = named.name.split(',').filter_map(|name| self.partition(name.trim()));
            let known: Vec<usize> = known.collect();
            (known.len() > 1).then_some((named.number, known))
        };
        header.noted(ASKED_PARTITIONS).filter_map(list).collect()
    }
}

/// Returns for each constraint, by its number, the groups of nodes between which a job must choose.
pub(super) fn groups(system: &SlurmSystem, header: &Header) -> SortedMap<i64, Arc<[Vec<usize>]>> {
    let all: SortedSet<&str> = system
        .nodes
        .iter()
        .flat_map(|node| node.features.iter().chain([&node.name]))
        .map(String::as_str)
        .collect();
    let known = |feature: &str| all.contains(feature);
    let groups = |named: Named| {
        let parts = Constraint::parse(&named.name)?.groups();
        let nodes = |part: &Constraint| {
            let holds = |node: &SlurmNode| {
                let features: Vec<String> = node.features.iter().chain([&node.name]).cloned().collect();
                part.holds(&features, &known)
            };
            let all = system.nodes.iter().enumerate();
            all.filter(|(_, node)| holds(node)).map(|(at, _)| at).collect::<Vec<usize>>()
        };
        (!parts.is_empty()).then(|| (named.number, parts.iter().map(nodes).collect()))
    };
    header.noted(CONSTRAINT).filter_map(groups).collect()
}

/// Returns the nodes of each list on which jobs ran; lists with nodes that the installation lacks are left out.
pub(super) fn places(system: &SlurmSystem, header: &Header) -> SortedMap<i64, Vec<usize>> {
    let index: SortedMap<&str, usize> =
        system.nodes.iter().enumerate().map(|(at, node)| (node.name.as_str(), at)).collect();
    let nodes = |list: &str| -> Option<Vec<usize>> {
        hosts::names(list, hosts::MOST)?.iter().map(|name| index.get(name.as_str()).copied()).collect()
    };
    header.noted(RAN_ON).filter_map(|named| Some((named.number, nodes(&named.name)?))).collect()
}
