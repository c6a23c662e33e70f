//! The layouts that the records of a log state.

use crate::layout::{Layout, LayoutRule};
use crate::sorted::SortedMap;
use crate::{Column, Machine, Trace};

/// The columns of a trace that state how a job lies on nodes; the header declares them with the scope `job`.
pub mod columns {
    /// Number of nodes.
    pub const NODES: &str = "nodes";
    /// Processors on each node.
    pub const PPN: &str = "ppn";
    /// Processors of each task.
    pub const TASK_PROCS: &str = "task_procs";
    /// The most tasks on a node.
    pub const TASKS_PER_NODE: &str = "tasks_per_node";
    /// 1 if the job has its nodes to itself.
    pub const EXCLUSIVE: &str = "exclusive";
    /// 1 if each of the job's nodes has the same part of its memory, whatever its processors there.
    pub const EVEN_MEMORY: &str = "even_memory";
    /// The same for GPUs of any type.
    pub const EVEN_GPU: &str = "even_gpu";
    /// The beginning of such a column's name; the name of a resource follows, without its type.
    pub(super) const EVEN: &str = "even_";
}

pub(super) struct Layouts<'a> {
    rule: LayoutRule,
    /// The largest nodes, for jobs whose records do not state how many they need.
    largest: Largest,
    nodes: Option<&'a Column>,
    ppn: Option<&'a Column>,
    task_procs: Option<&'a Column>,
    tasks_per_node: Option<&'a Column>,
    exclusive: Option<&'a Column>,
    /// For resources of the machine, by position: the column that states whether each node has the same part.
    even: Vec<(usize, &'a Column)>,
    any: bool,
}

/// What a record states, and the layout that follows.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) layout: Layout,
    /// Whether the record states anything.
    pub(super) any: bool,
    /// Whether it names more nodes than the job has processors.
    pub(super) cut: bool,
}

impl<'a> Layouts<'a> {
    pub(super) fn new(trace: &'a Trace, machine: &'a Machine, rule: LayoutRule) -> Layouts<'a> {
        let reads = matches!(rule, LayoutRule::Log | LayoutRule::WholeNode) && !machine.is_pool();
        let states = |column: &&Column| reads && column.iter().any(|told| told.value > 0);
        let column = |name: &str| trace.job_column(name).filter(states);
        let layouts = Layouts {
            rule,
            largest: if rule == LayoutRule::WholeNode { Largest::of(machine) } else { Largest::default() },
            nodes: column(columns::NODES),
            ppn: column(columns::PPN),
            task_procs: column(columns::TASK_PROCS),
            tasks_per_node: column(columns::TASKS_PER_NODE),
            exclusive: column(columns::EXCLUSIVE),
            even: machine
                .resources()
                .iter()
                .enumerate()
                .skip(1)
                .filter_map(|(kind, resource)| {
                    // A sum is as even as its first resource.
                    let sum = machine.sums().iter().find(|sum| sum.name == resource.name);
                    let name = sum.and_then(|sum| sum.of.first()).map_or(&resource.name, |(name, _)| name);
                    let name = name.split(':').next().unwrap_or_default();
                    Some((kind, column(&format!("{}{name}", columns::EVEN))?))
                })
                .collect(),
            any: false,
        };
        let told =
            [layouts.nodes, layouts.ppn, layouts.task_procs, layouts.tasks_per_node, layouts.exclusive];
        let whole = rule == LayoutRule::WholeNode && !machine.is_pool();
        Layouts { any: whole || told.iter().any(Option::is_some), ..layouts }
    }

    /// Whether jobs have layouts of their own; otherwise all are tasks of [`LayoutRule::task_procs`].
    pub(super) fn any(&self) -> bool {
        self.any
    }

    /// Returns the layout of a row's job of `procs` processors in a partition.
    pub(super) fn of(&self, row: usize, procs: i64, partition: i64) -> Told {
        if !self.any {
            let layout = Layout::of_tasks(procs, self.rule.task_procs());
            return Told { layout, any: false, cut: false };
        }
        let told = |column: Option<&Column>| column.map(|column| column.whole(row)).filter(|&told| told > 0);
        let (nodes, ppn) = (told(self.nodes), told(self.ppn));
        let (unit, per_node) = (told(self.task_procs), told(self.tasks_per_node));
        let layout = match (nodes, ppn) {
            (Some(nodes), _) => Layout::on_nodes(procs, nodes, unit.unwrap_or(1)),
            (None, Some(ppn)) => Layout::of_tasks(procs, ppn).at_most(1),
            (None, None) if self.rule == LayoutRule::WholeNode => {
                Layout::on_nodes(procs, self.largest.fewest(procs, partition), unit.unwrap_or(1))
            }
            (None, None) => Layout::of_tasks(procs, unit.unwrap_or(1)).at_most(per_node.unwrap_or(i64::MAX)),
        };
        let any = nodes.or(ppn).or(unit).or(per_node).is_some();
        let alone = self.rule == LayoutRule::WholeNode || told(self.exclusive).is_some();
        let layout = if alone { layout.exclusively() } else { layout };
        let even = self.even.iter().filter(|(_, column)| told(Some(column)).is_some());
        let layout = layout.evenly(even.fold(0, |bits, &(kind, _)| bits | 1 << kind));
        Told { layout, any, cut: nodes.is_some_and(|nodes| nodes > procs) }
    }
}

/// The processors of the largest node, among different nodes.
#[derive(Default)]
struct Largest {
    /// Among all nodes.
    any: i64,
    /// Among the nodes that take every job.
    open: i64,
    /// For each partition, among the nodes that name it.
    named: SortedMap<i64, i64>,
}

impl Largest {
    fn of(machine: &Machine) -> Largest {
        let mut largest = Largest::default();
        for node in 0..machine.nodes() {
            let procs = machine.capacity(node)[0];
            largest.any = largest.any.max(procs);
            let partitions = machine.partitions(node);
            if partitions.is_empty() {
                largest.open = largest.open.max(procs);
            }
            for &partition in partitions {
                let known = largest.named.entry(partition).or_default();
                *known = procs.max(*known);
            }
        }
        largest
    }

    /// Returns the fewest nodes that hold `procs` processors if all nodes are as large as the largest of the partition. O(log
    /// partitions).
    fn fewest(&self, procs: i64, partition: i64) -> i64 {
        let most = match partition {
            ..0 => self.any,
            _ => self.named.get(&partition).copied().unwrap_or(0).max(self.open),
        };
        let most = most.max(1);
        procs / most + i64::from(procs % most > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::processors;

    #[test]
    fn a_job_is_on_as_few_nodes_of_its_partition_as_hold_it() {
        let nodes = [vec![4], vec![8], vec![16]];
        let machine = Machine::new(vec![processors()], &nodes).unwrap();
        let machine = machine.with_partitions(vec![vec![], vec![1], vec![2]]).unwrap();
        let largest = Largest::of(&machine);
        let fewest = |partition| largest.fewest(17, partition);
        assert_eq!([fewest(-1), fewest(1), fewest(2), fewest(3)], [2, 3, 2, 5]);
    }
}
