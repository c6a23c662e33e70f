use std::borrow::Cow;

use super::Machine;
use crate::arrange::Arrange as _;
use crate::{JobId, Layout, Workload};

/// Why a job can never run on a machine.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It needs more of a resource than all nodes have together.
    Total { resource: usize },
    /// No node takes it: none is of its partition and meets its constraint.
    Partition,
    /// No node that takes it has room for one of its tasks.
    Task {
        /// The resource that is too small on each of these nodes; `None` if nodes lack different ones.
        resource: Option<usize>,
    },
    /// The nodes that take it have room for only some of its tasks.
    Tasks { hold: i64, tasks: i64 },
}

/// The nodes of an empty machine, grouped by kind, for checks of whether jobs fit.
#[derive(Clone, Debug)]
pub struct Fit<'a> {
    machine: &'a Machine,
    /// What is in service on each node.
    room: Cow<'a, [Vec<i64>]>,
    totals: Vec<i64>,
    /// One node of each kind, and the number of such nodes.
    kinds: Vec<(usize, i64)>,
}

impl<'a> Fit<'a> {
    /// Groups the nodes of a machine by kind. O(n log n) for n nodes.
    pub fn new(machine: &'a Machine) -> Fit<'a> {
        let whole = (0..machine.nodes()).map(|node| machine.capacity(node).to_vec());
        Fit::of_rest(machine, whole.collect::<Vec<_>>().into())
    }

    /// As [`Fit::new`], for a machine whose nodes have only the given room in service. A job that has its nodes to itself fits
    /// only on nodes that are entirely in service.
    pub fn of_rest(machine: &'a Machine, room: Cow<'a, [Vec<i64>]>) -> Fit<'a> {
        let about = |node: usize| {
            (&room[node], machine.capacity(node), machine.partitions(node), machine.features(node))
        };
        let mut nodes: Vec<usize> = (0..machine.nodes()).collect();
        nodes.arrange_by_key(|&node| about(node));
        let same = |a: &usize, b: &usize| about(*a) == about(*b);
        let kinds = nodes.chunk_by(same).map(|nodes| (nodes[0], nodes.len() as i64)).collect();
        let total = |kind: usize| room.iter().fold(0_i64, |sum, room| sum.saturating_add(room[kind]));
        let totals = (0..machine.kinds()).map(total).collect();
        Fit { machine, room, totals, kinds }
    }

    /// Returns the machine.
    pub fn machine(&self) -> &'a Machine {
        self.machine
    }

    /// Returns the nodes, `most` at most, with the most room for a job with this demand and layout among those that take it.
    /// `takes` must be the same for nodes of equal capacities, partitions and features. O(k log k) for k kinds of nodes.
    pub fn roomiest(
        &self,
        demand: &[i64],
        layout: &Layout,
        most: i64,
        takes: impl Fn(usize) -> bool,
    ) -> Roomiest {
        let room = |&(node, count): &(usize, i64)| {
            let (room, capacity) = (&self.room[node][..], self.machine.capacity(node));
            let whole = layout.tasks_on(demand, room, capacity);
            (whole, layout.rest_beside(whole, demand, room, capacity), count)
        };
        let taking = self.kinds.iter().filter(|(node, _)| takes(*node)).map(room);
        let mut kinds: Vec<(i64, bool, i64)> =
            taking.filter(|&(whole, beside, _)| whole > 0 || beside).collect();
        kinds.sort_unstable_by(|one, other| other.cmp(one));
        let mut roomiest = Roomiest::default();
        for (whole, beside, count) in kinds {
            let count = count.min(most - roomiest.nodes);
            roomiest.nodes += count;
            roomiest.whole = roomiest.whole.saturating_add(count.saturating_mul(whole));
            roomiest.beside += if beside { count } else { 0 };
        }
        roomiest
    }

    /// Returns why a job with this demand and layout never fits on the nodes that take it; `None` if it does. `takes` must
    /// be the same for nodes of equal capacities, partitions and features. O(kinds of nodes).
    pub fn misfit(&self, demand: &[i64], layout: &Layout, takes: impl Fn(usize) -> bool) -> Option<Misfit> {
        if let Some(resource) = demand.iter().zip(&self.totals).position(|(need, total)| need > total) {
            return Some(Misfit::Total { resource });
        }
        if self.machine.is_pool() && !self.machine.is_partitioned() && layout.is_loose() {
            return None;
        }
        let nodes = || {
            let some = self.kinds.iter().filter(|(node, _)| takes(*node));
            some.map(|&(node, count)| (&self.room[node][..], self.machine.capacity(node), count))
        };
        // A few nodes are enough for most jobs.
        let (mut hold, mut beside) = (0, 0);
        for node in nodes() {
            let more = holds(demand, layout, std::iter::once(node));
            (hold, beside) = (hold + more.0, beside + more.1);
            if layout.is_enough(hold, beside) {
                return None;
            }
        }
        if nodes().next().is_none() {
            return Some(Misfit::Partition);
        }
        if hold == 0 {
            let none_has =
                |resource: &usize| nodes().all(|(room, ..)| !fits_in(demand, layout, room, *resource));
            return Some(Misfit::Task { resource: (0..demand.len()).find(none_has) });
        }
        let smaller = if layout.rests > 1 { beside } else { 0 };
        Some(Misfit::Tasks { hold: hold + smaller, tasks: layout.count() })
    }
}

/// The nodes with the most room for the tasks of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roomiest {
    /// The number of these nodes.
    pub nodes: i64,
    /// The number of whole tasks that they hold.
    pub whole: i64,
    /// The number of nodes that hold a smaller task beside the whole ones.
    pub beside: i64,
}

/// Whether all tasks of a job have room in the free amounts of the nodes. The amounts of a node are those of its resources,
/// optionally followed by those of its devices. O(nodes).
pub fn has_room(
    machine: &Machine,
    demand: &[i64],
    layout: &Layout,
    takes: impl Fn(usize) -> bool,
    free: &[Vec<i64>],
) -> bool {
    let limited: Vec<Vec<i64>>;
    let free = match machine.devices() {
        None => free,
        Some(devices) => {
            limited = free
                .iter()
                .map(|room| {
                    let mut room = room.clone();
                    devices.limit(&mut room);
                    room
                })
                .collect();
            &limited
        }
    };
    let nodes = free.iter().enumerate().filter(|(node, _)| takes(*node));
    let (hold, beside) =
        holds(demand, layout, nodes.map(|(node, free)| (&free[..], machine.capacity(node), 1)));
    layout.is_enough(hold, beside)
}

/// Takes room for all tasks of a job from the free amounts of the nodes; returns whether there is enough, and takes nothing
/// otherwise. The tasks lie on the first nodes that take them. Nodes with devices have their amounts in devices. O(nodes).
pub fn take_room(machine: &Machine, workload: &Workload, job: JobId, free: &mut [Vec<i64>]) -> bool {
    let (demand, layout) = (workload.demand(job), workload.layout(job));
    let mut shares: Vec<(usize, Vec<i64>)> = Vec::new();
    let (mut tasks, mut rests) = (layout.tasks, layout.rests);
    for (node, room) in free.iter().enumerate().filter(|(node, _)| workload.admits(machine, job, *node)) {
        if tasks == 0 && rests == 0 {
            break;
        }
        let capacity = machine.capacity(node);
        let mut limited = room.clone();
        if let Some(devices) = machine.devices() {
            devices.limit(&mut limited);
        }
        let most = layout.tasks_on(demand, &limited, capacity);
        // A smaller task may lie where a whole one would.
        let whole = most.min(tasks);
        let smaller = rests > 0 && (whole < most || layout.rest_beside(whole, demand, &limited, capacity));
        let procs = whole * layout.task + if smaller { layout.rest } else { 0 };
        let set = match machine.devices() {
            _ if procs == 0 => None,
            None => Some(0),
            Some(devices) => {
                let kind = devices.resource();
                devices.choose(workload.held_on(job, kind, procs, capacity[kind]), room)
            }
        };
        let Some(set) = set else { continue };
        let mut amounts = vec![0; room.len()];
        workload.hold(job, (procs, set), capacity, machine.devices(), &mut amounts);
        shares.push((node, amounts));
        tasks -= whole;
        rests -= i64::from(smaller);
    }
    let fits = tasks == 0 && rests == 0;
    for (node, amounts) in shares.into_iter().filter(|_| fits) {
        for (room, amount) in free[node].iter_mut().zip(amounts) {
            *room -= amount;
        }
    }
    fits
}

/// Returns how many whole tasks of a job fit on some nodes, and on how many of the nodes a smaller task fits beside them. An
/// item has the free amounts and the capacities of equal nodes, and their number.
fn holds<'a>(
    demand: &[i64],
    layout: &Layout,
    nodes: impl Iterator<Item = (&'a [i64], &'a [i64], i64)>,
) -> (i64, i64) {
    let (mut hold, mut beside) = (0, 0);
    for (room, capacity, count) in nodes {
        let most = layout.tasks_on(demand, room, capacity);
        hold += count * most;
        beside += if layout.rest_beside(most, demand, room, capacity) { count } else { 0 };
    }
    (hold, beside)
}

/// Whether there is enough of a resource for a whole task of a job.
fn fits_in(demand: &[i64], layout: &Layout, room: &[i64], resource: usize) -> bool {
    let (need, free) = (demand[resource], room[resource]);
    if layout.is_even(resource) {
        return layout.part(need) <= free;
    }
    i128::from(need) * i128::from(layout.task) <= i128::from(free) * i128::from(demand[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Resource, Sharing, processors};

    fn machine(nodes: &[Vec<i64>]) -> Machine {
        let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
        Machine::new(vec![processors(), memory], nodes).unwrap()
    }

    #[test]
    fn a_task_is_whole_on_one_node_and_the_last_one_may_be_smaller() {
        let machine = machine(&[vec![4, 100], vec![4, 100], vec![2, 100]]);
        let misfit = |procs, memory, task| {
            Fit::new(&machine).misfit(&[procs, memory], &Layout::of_tasks(procs, task), |_| true)
        };
        assert_eq!(misfit(10, 0, 1), None);
        assert_eq!(misfit(11, 0, 1), Some(Misfit::Total { resource: 0 }));
        assert_eq!(misfit(8, 0, 4), None);
        assert_eq!(misfit(10, 0, 4), None, "the last task, of two processors, goes to the third node");
        assert_eq!(misfit(10, 0, 3), Some(Misfit::Tasks { hold: 2, tasks: 4 }));
        assert_eq!(misfit(9, 0, 3), Some(Misfit::Tasks { hold: 2, tasks: 3 }));
        assert_eq!(misfit(6, 0, 5), Some(Misfit::Task { resource: Some(0) }));
        assert_eq!(misfit(2, 250, 2), Some(Misfit::Task { resource: Some(1) }));
        assert_eq!(misfit(2, 250, 1), Some(Misfit::Task { resource: Some(1) }));
        assert_eq!(misfit(3, 250, 1), None, "84 of memory beside each");
        assert_eq!(misfit(4, 301, 1), Some(Misfit::Total { resource: 1 }));
        assert_eq!(misfit(4, 300, 1), Some(Misfit::Tasks { hold: 3, tasks: 4 }));
    }

    #[test]
    fn room_is_taken_for_all_tasks_or_for_none() {
        use crate::time::Time;
        use crate::workload::PlainJob;
        let machine = machine(&[vec![4, 100], vec![4, 100], vec![2, 100]]);
        let job = |procs, memory| PlainJob::new(Time::ZERO, Time::SECOND, vec![procs, memory]);
        let workload = Workload::from_jobs(&[job(9, 90), job(9, 200)]).in_tasks_of(4);
        let free = vec![vec![4, 100], vec![3, 100], vec![2, 100]];
        let mut room = free.clone();
        assert!(!take_room(&machine, &workload, JobId(0), &mut room), "one node has room for a whole task");
        assert_eq!(room, free);
        let mut room = vec![vec![4, 100], vec![4, 60], vec![2, 100]];
        assert!(take_room(&machine, &workload, JobId(0), &mut room));
        assert_eq!(room, [[0, 60], [0, 20], [1, 90]], "tasks of 4, 4 and 1 processors");
        let mut room = vec![vec![4, 100], vec![4, 60], vec![2, 100]];
        assert!(!take_room(&machine, &workload, JobId(1), &mut room), "a task of 4 needs 89 of memory");
    }

    #[test]
    fn a_single_node_holds_one_task_of_a_job_that_wants_each_on_a_node_of_its_own() {
        let one = machine(&[vec![8, 100]]);
        let misfit = |layout: Layout| Fit::new(&one).misfit(&[4, 0], &layout, |_| true);
        assert_eq!(misfit(Layout::on_nodes(4, 1, 1)), None);
        assert_eq!(misfit(Layout::on_nodes(4, 2, 1)), Some(Misfit::Tasks { hold: 1, tasks: 2 }));
    }

    #[test]
    fn the_roomiest_nodes_come_first() {
        let machine = machine(&[vec![4, 100], vec![4, 20], vec![2, 100], vec![4, 100]]);
        let roomiest = |most, takes: &dyn Fn(usize) -> bool| {
            let room = Fit::new(&machine).roomiest(&[8, 80], &Layout::of_tasks(8, 1), most, takes);
            (room.nodes, room.whole)
        };
        assert_eq!(roomiest(1, &|_| true), (1, 4));
        assert_eq!(roomiest(3, &|_| true), (3, 10), "10 of memory for each: two on the second node");
        assert_eq!(roomiest(9, &|node| node != 2), (3, 10), "the first node stands for its equals");
    }

    #[test]
    fn a_job_fits_on_the_nodes_of_its_partition() {
        let machine = machine(&[vec![4, 0], vec![8, 0]]).with_partitions(vec![vec![1], vec![2]]).unwrap();
        let misfit = |procs, partition| {
            Fit::new(&machine)
                .misfit(&[procs, 0], &Layout::of_tasks(procs, 4), |node| machine.admits(node, partition))
        };
        assert_eq!(misfit(12, -1), None);
        assert_eq!(misfit(8, 2), None);
        assert_eq!(misfit(8, 1), Some(Misfit::Tasks { hold: 1, tasks: 2 }));
        assert_eq!(misfit(1, 3), Some(Misfit::Partition));
    }

    #[test]
    fn a_job_alone_on_its_nodes_needs_nodes_that_are_in_service_as_a_whole() {
        // Two nodes of 4 processors, some of them out of service; jobs of 2 and 4 processors on one and two nodes.
        let machine = machine(&[vec![4, 0], vec![4, 0]]);
        let cases = [
            // in service, processors, nodes, shares its nodes, alone on them
            ([4, 4], 4, 2, true, true),
            ([3, 4], 2, 1, true, true),
            ([3, 3], 2, 1, true, false),
            ([3, 4], 4, 2, true, false),
            ([0, 4], 4, 1, true, true),
            ([0, 4], 4, 2, false, false),
            ([1, 3], 4, 2, false, false),
        ];
        for (room, procs, nodes, shares, alone) in cases {
            let rest: Vec<Vec<i64>> = room.iter().map(|&procs| vec![procs, 0]).collect();
            let fit = Fit::of_rest(&machine, rest.clone().into());
            let layout = Layout::on_nodes(procs, nodes, 1);
            for (layout, fits) in [(layout, shares), (layout.exclusively(), alone)] {
                let case = (room, procs, nodes, layout.exclusive);
                assert_eq!(fit.misfit(&[procs, 0], &layout, |_| true).is_none(), fits, "{case:?}");
                assert_eq!(has_room(&machine, &[procs, 0], &layout, |_| true, &rest), fits, "{case:?}");
            }
        }
    }

    #[test]
    fn nothing_of_a_resource_is_enough_for_those_who_need_none() {
        let machine = machine(&[vec![4, 0], vec![1, 9]]);
        let misfit = |procs, memory| {
            Fit::new(&machine).misfit(&[procs, memory], &Layout::of_tasks(procs, 2), |_| true)
        };
        assert_eq!(misfit(4, 0), None);
        assert_eq!(misfit(4, 1), Some(Misfit::Task { resource: None }));
        assert_eq!(misfit(1, 9), None);
    }
}
