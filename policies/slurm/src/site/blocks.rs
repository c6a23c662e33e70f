//! Whole cores and whole sockets: what jobs hold of a node where cores have several threads.
//!
//! `select/cons_tres` gives no core to two jobs at once, whether `CPUs` counts its threads or not. A job that asks for one
//! processor of a node with `ThreadsPerCore=2` holds two.
//!
//! Source: `_allocate_sc`, `common_cpus_per_core` and `_cpus_to_use` in `select/cons_common` of Slurm 22.05; `AllocCPUS` of real
//! runs agrees.

use super::{SelectUnit, SlurmNode, SlurmSystem};
use batchlab_traces::finding::{Example, Findings, Refusal};
use batchlab_traces::kinds;
use batchlab_traces::layout::Layout;
use batchlab_traces::sorted::SortedMap;

kinds! {
    CORES_DIFFER: Warning "slurm-cores-differ",
        "{partition|partitions} whose nodes have cores, or sockets, of different sizes",
        "{its|their} jobs hold whole cores of the smallest size: on the other nodes they hold less than in Slurm",
        "nothing, if jobs seldom run on the nodes with more threads";
}

/// What of a node is allocated as a whole: a core or a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) procs: i64,
    /// The processors of a core in it.
    threads: i64,
}

/// The most processors of a job; no machine has that many.
const MOST: i64 = 1 << 52;

impl Block {
    /// A processor by itself.
    const SINGLE: Block = Block { procs: 1, threads: 1 };

    fn of(unit: SelectUnit, node: &SlurmNode) -> Block {
        let procs = if unit == SelectUnit::Socket { node.socket } else { node.threads };
        Block { procs: procs.max(1), threads: node.threads.max(1) }
    }

    /// Returns how many of its processors a job can use that may use `of_core` processors of each core; 0 for all of them.
    pub(super) fn usable(self, of_core: i64) -> i64 {
        let threads = if of_core > 0 { self.threads.min(of_core) } else { self.threads };
        (self.procs / self.threads * threads).max(1)
    }

    /// Returns the processors that a job holds if it uses `used` of them, and `usable` of each block.
    fn held(self, used: i64, usable: i64) -> i64 {
        (used / usable + i64::from(used % usable > 0)).saturating_mul(self.procs).min(MOST)
    }
}

/// How a job asks for processors.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreRequest {
    pub(super) procs: i64,
    pub(super) task: i64,
    /// How many it may use of each core; 0 for all of them.
    pub(super) of_core: i64,
    /// The number of nodes; 0 for any number.
    pub(super) nodes: i64,
    /// Whether each of these nodes has the same number of tasks.
    pub(super) is_even: bool,
    /// Whether the processors are what it got, in whole blocks.
    pub(super) is_given: bool,
}

impl CoreRequest {
    /// Returns how the job lies on nodes, in whole blocks; `largest` is the number of processors of the largest node.
    ///
    /// Tasks share blocks. Where a task does not fill whole blocks, the tasks that together fill some go to one node, unless no node
    /// holds them, or there are too few of them for the nodes that the job asks for.
    pub(super) fn layout(self, block: Block, largest: i64) -> Layout {
        let CoreRequest { procs, task, nodes, .. } = self;
        let usable = block.usable(self.of_core);
        let held = |procs| block.held(procs, usable);
        if self.is_given {
            let (all, each) = (block.held(procs, block.procs), held(task));
            return Layout::of_tasks(all, if all % each == 0 { each } else { block.procs });
        }
        if self.is_even && nodes > 0 {
            return Layout::on_nodes(held(procs / nodes).saturating_mul(nodes).min(MOST), nodes, 1);
        }
        if usable % task == 0 {
            let least = nodes.min(procs).saturating_mul(block.procs);
            return Layout::of_tasks(held(procs).max(least), block.procs);
        }
        let together = usable / common(task, usable);
        let full = procs / task / together;
        let each = held(task.saturating_mul(together));
        if full >= nodes.max(1) && each <= largest {
            let rest = held(procs - full * together * task);
            return Layout::of_tasks(full.saturating_mul(each).saturating_add(rest).min(MOST), each);
        }
        let all = (procs / task).saturating_mul(held(task)).saturating_add(held(procs % task));
        Layout::of_tasks(all.min(MOST), held(task))
    }
}

/// Returns the greatest common divisor of two positive numbers.
pub(super) fn common(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}

#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The smallest block of each partition, with the processors of its largest node.
    by_partition: Vec<(Block, i64)>,
    /// The same of all nodes.
    all: (Block, i64),
}

impl Blocks {
    /// Returns the blocks of an installation; single processors if it allocates whole nodes.
    pub(super) fn of(system: &SlurmSystem) -> Blocks {
        let all = smallest(system, &mut system.nodes.iter());
        let of_partition =
            |nodes: &Vec<usize>| smallest(system, &mut nodes.iter().map(|&at| &system.nodes[at]));
        Blocks {
            by_partition: system.partitions.iter().map(|known| of_partition(&known.nodes)).collect(),
            all,
        }
    }

    pub(super) fn are_single(&self) -> bool {
        self.by_partition.iter().chain([&self.all]).all(|(block, _)| *block == Block::SINGLE)
    }

    /// Returns the block of a partition, or of all nodes, with the processors of the largest node there.
    pub(super) fn get(&self, partition: Option<usize>) -> (Block, i64) {
        partition.and_then(|at| self.by_partition.get(at).copied()).unwrap_or(self.all)
    }
}

/// Returns the smallest block of some nodes, and the processors of the largest node.
fn smallest(system: &SlurmSystem, nodes: &mut dyn Iterator<Item = &SlurmNode>) -> (Block, i64) {
    let least = nodes.map(|node| (Block::of(system.select.unit, node), node.cpus));
    let both = least.reduce(|(block, cpus), (other, more)| (block.min(other), cpus.max(more)));
    both.filter(|_| !system.select.whole_nodes).unwrap_or((Block::SINGLE, 1))
}

/// Reports the partitions whose nodes have blocks of different sizes.
pub(super) fn report_blocks(system: &SlurmSystem, findings: &mut Findings) -> Result<(), Refusal> {
    if system.select.whole_nodes {
        return Ok(());
    }
    for partition in &system.partitions {
        let mut sizes: SortedMap<i64, &str> = SortedMap::new();
        for node in partition.nodes.iter().map(|&at| &system.nodes[at]) {
            sizes.entry(Block::of(system.select.unit, node).procs).or_insert(&node.name);
        }
        if sizes.len() > 1 {
            let nodes: Vec<String> =
                sizes.iter().map(|(procs, name)| format!("{procs} processors on {name}")).collect();
            let detail = format!("{}: {}", partition.name, nodes.join(", "));
            findings.report(&CORES_DIFFER, || Example { place: Some(partition.place.clone()), detail })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: Block = Block { procs: 2, threads: 2 };

    /// Whole tasks and a smaller one, as `tasks × processors`.
    fn shown(request: CoreRequest, block: Block, largest: i64) -> [(i64, i64); 2] {
        let layout = request.layout(block, largest);
        [(layout.tasks, layout.task), (layout.rests, layout.rest)]
    }

    fn asks(procs: i64, task: i64) -> CoreRequest {
        CoreRequest { procs, task, of_core: 0, nodes: 0, is_even: false, is_given: false }
    }

    #[test]
    fn tasks_of_a_processor_share_cores() {
        assert_eq!(shown(asks(1, 1), CORE, 16), [(1, 2), (0, 0)]);
        assert_eq!(shown(asks(3, 1), CORE, 16), [(2, 2), (0, 0)]);
        let alone = CoreRequest { of_core: 1, ..asks(3, 1) };
        assert_eq!(shown(alone, CORE, 16), [(3, 2), (0, 0)], "one processor of each core");
        let nodes = CoreRequest { nodes: 3, ..asks(4, 1) };
        assert_eq!(shown(nodes, CORE, 16), [(3, 2), (0, 0)], "a core on each of three nodes");
    }

    #[test]
    fn a_task_is_on_one_node() {
        assert_eq!(shown(asks(3, 3), CORE, 16), [(1, 4), (0, 0)]);
        assert_eq!(shown(asks(8, 4), CORE, 16), [(2, 4), (0, 0)]);
        assert_eq!(shown(asks(9, 3), CORE, 16), [(1, 6), (1, 4)], "two tasks fill three cores");
        assert_eq!(shown(asks(6, 3), CORE, 4), [(2, 4), (0, 0)], "no node holds three cores");
        let nodes = CoreRequest { nodes: 2, ..asks(6, 3) };
        assert_eq!(shown(nodes, CORE, 16), [(2, 4), (0, 0)], "one task on each of two nodes");
        let even = CoreRequest { nodes: 2, is_even: true, ..asks(6, 1) };
        assert_eq!(shown(even, CORE, 16), [(2, 4), (0, 0)], "three tasks on each of two nodes");
    }

    #[test]
    fn what_a_job_got_is_not_rounded_again() {
        let given = |procs, task, of_core| CoreRequest { of_core, is_given: true, ..asks(procs, task) };
        assert_eq!(shown(given(6, 1, 1), CORE, 16), [(3, 2), (0, 0)]);
        assert_eq!(shown(given(4, 3, 0), CORE, 16), [(1, 4), (0, 0)]);
        assert_eq!(shown(given(6, 3, 0), CORE, 16), [(3, 2), (0, 0)], "two tasks on three cores");
        assert_eq!(shown(given(3, 1, 0), CORE, 16), [(2, 2), (0, 0)], "of CR_CPU");
    }

    #[test]
    fn sockets_are_whole() {
        let socket = Block { procs: 8, threads: 2 };
        assert_eq!(shown(asks(1, 1), socket, 16), [(1, 8), (0, 0)]);
        assert_eq!(shown(asks(9, 1), socket, 16), [(2, 8), (0, 0)]);
        assert_eq!(shown(CoreRequest { of_core: 1, ..asks(5, 1) }, socket, 16), [(2, 8), (0, 0)]);
        assert_eq!(shown(asks(10, 10), socket, 16), [(1, 16), (0, 0)]);
    }
}
