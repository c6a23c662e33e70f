//! How the processors of a job lie on nodes.

mod column;
mod rule;

pub use column::LayoutColumn;
pub use rule::LayoutRule;

/// The tasks of a job: each is whole on a single node.
///
/// A job is `tasks` tasks of `task` processors and `rests` smaller ones of `rest`. More than one of them is smaller only
/// if each has a node of its own (`per_node` is 1).
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Processors of a whole task.
    pub task: i64,
    /// Number of whole tasks.
    pub tasks: i64,
    /// Processors of a smaller task; 0 if all tasks are whole.
    pub rest: i64,
    /// Number of smaller tasks.
    pub rests: i64,
    /// The most tasks of the job on a node.
    pub per_node: i64,
    /// Whether the job has its nodes to itself: it holds all that they have.
    pub exclusive: bool,
    /// The resources of which each node of the job has the same part, regardless of its processors there, as bits by their
    /// position in the machine (bit 0, the processors, is never set). If `over` is 0, no bit is set unless `per_node` is 1
    /// and some tasks are smaller: otherwise parts in proportion to processors are the same anyway.
    pub even: u64,
    /// The number of nodes over which the job's demand of these resources is counted, if it asked for an amount on each
    /// node; on more nodes it holds more. 0 if each task has an equal part of the demand.
    pub over: i64,
}

impl Layout {
    /// Returns tasks of `task` processors (1 to `procs`); the last task has the remaining processors. Any number of them may
    /// share a node.
    pub fn of_tasks(procs: i64, task: i64) -> Layout {
        let task = task.clamp(1, procs.max(1));
        let rest = procs % task;
        Layout {
            task,
            tasks: procs / task,
            rest,
            rests: i64::from(rest > 0),
            per_node: i64::MAX,
            exclusive: false,
            even: 0,
            over: 0,
        }
    }

    /// Returns exactly one task on each of `nodes` nodes, as equal as units of `unit` processors allow: with 7 processors
    /// on 3 nodes 3, 2 and 2. There are at most as many nodes as units.
    pub fn on_nodes(procs: i64, nodes: i64, unit: i64) -> Layout {
        let unit = if unit > 0 && procs % unit == 0 { unit } else { 1 };
        let units = (procs / unit).max(1);
        let nodes = nodes.clamp(1, units);
        let (each, larger) = (units / nodes, units % nodes);
        let even = Layout { per_node: 1, ..Layout::of_tasks(procs, (each * unit).max(1)) };
        if larger == 0 {
            return even;
        }
        Layout { task: (each + 1) * unit, tasks: larger, rest: each * unit, rests: nodes - larger, ..even }
    }

    /// Returns the same tasks with at most `per_node` (at least 1) of them on a node.
    pub fn at_most(self, per_node: i64) -> Layout {
        Layout { per_node: per_node.max(1), ..self }
    }

    /// Returns the same tasks on nodes that no other job shares.
    pub fn exclusively(self) -> Layout {
        Layout { exclusive: true, ..self }
    }

    /// Returns the same tasks, each with the same part of some resources; the resources are given as bits by position.
    pub fn evenly(self, resources: u64) -> Layout {
        let even = if self.per_node == 1 && self.rests > 0 { resources & !1 } else { 0 };
        Layout { even, over: 0, ..self }
    }

    /// Returns the same tasks for a job that asked for an amount of some resources on each node: its demand of them is
    /// counted over `over` nodes (at least 1). The resources are given as bits by position.
    pub fn on_each(self, resources: u64, over: i64) -> Layout {
        let even = resources & !1;
        if even == 0 { self } else { Layout { even, over: over.max(1), ..self } }
    }

    /// Whether each node of the job has the same part of a resource, regardless of its processors there.
    #[inline]
    pub fn is_even(&self, resource: usize) -> bool {
        self.even != 0 && self.even >> resource & 1 == 1
    }

    /// Returns the part of an amount that each node has if all have the same, rounded up to whole units.
    pub fn part(&self, amount: i64) -> i64 {
        let count = if self.over > 0 { self.over } else { self.count().max(1) };
        amount / count + i64::from(amount % count > 0)
    }

    /// Returns the number of all tasks.
    pub fn count(&self) -> i64 {
        self.tasks + self.rests
    }

    /// Whether every processor of a job may be on any node.
    pub fn is_loose(&self) -> bool {
        self.task == 1 && self.per_node == i64::MAX && !self.exclusive
    }

    /// Returns how many whole tasks of a job with this demand fit on a node that has `free` of its `capacity`.
    #[inline]
    pub fn tasks_on(&self, demand: &[i64], free: &[i64], capacity: &[i64]) -> i64 {
        if self.exclusive && !is_empty(free, capacity) {
            return 0;
        }
        self.fitting(self.task, demand, free).min(self.per_node)
    }

    /// Returns how many tasks of `task` processors, one of the job's two sizes, fit into free amounts. The result is at most
    /// one for a job whose tasks have equal parts of a resource, because it has one task on a node.
    #[inline]
    pub fn fitting(&self, task: i64, demand: &[i64], free: &[i64]) -> i64 {
        if self.even == 0 {
            return tasks_in(demand, task, free);
        }
        let procs = demand[0].max(1);
        let most = if self.over > 0 { procs / task.max(1) } else { 1 };
        let fitting = |(resource, (&need, &free)): (usize, (&i64, &i64))| {
            if self.is_even(resource) {
                return if self.part(need) <= free { most } else { 0 };
            }
            let (each, free) = (i128::from(need) * i128::from(task), i128::from(free) * i128::from(procs));
            // Less than nothing is free where capacity is out of service.
            let fitting = if free < 0 { 0 } else { free.checked_div(each).unwrap_or(i128::MAX) };
            fitting.min(most.into()) as i64
        };
        demand.iter().zip(free).enumerate().map(fitting).min().unwrap_or(0)
    }

    /// Whether a smaller task fits on a node beside `whole` whole tasks, the most that fit there.
    pub fn rest_beside(&self, whole: i64, demand: &[i64], free: &[i64], capacity: &[i64]) -> bool {
        let open = self.rests > 0 && whole < self.per_node && (!self.exclusive || is_empty(free, capacity));
        let procs = i128::from(whole) * i128::from(self.task) + i128::from(self.rest);
        open && demand.iter().zip(free).enumerate().all(|(resource, (&need, &free))| {
            if self.is_even(resource) {
                return self.part(need) <= free;
            }
            i128::from(need) * procs <= i128::from(free) * i128::from(demand[0].max(1))
        })
    }

    /// Whether there is room for all tasks on nodes that have room for `whole` whole tasks and, beside these, for a smaller
    /// one on `beside` nodes.
    ///
    /// This does not depend on the rule by which nodes are chosen: where a whole task fits, a smaller one fits too.
    #[inline]
    pub fn is_enough(&self, whole: i64, beside: i64) -> bool {
        whole >= self.tasks && whole.saturating_add(beside) >= self.count()
    }

    /// Returns the first of the job's nodes, given its processors on each, that splits a task or has too many tasks.
    pub fn first_split(&self, procs: impl IntoIterator<Item = i64>) -> Option<usize> {
        let mut left = self.rests;
        procs.into_iter().position(|here| {
            let smaller = i64::from(here % self.task != 0);
            left -= smaller;
            let splits = smaller > 0 && (here % self.task != self.rest || left < 0);
            splits || here / self.task + smaller > self.per_node
        })
    }
}

/// Whether nothing of a node is taken.
fn is_empty(free: &[i64], capacity: &[i64]) -> bool {
    capacity.iter().zip(free).all(|(capacity, free)| free >= capacity)
}

/// Returns how many tasks of `task` processors fit into free amounts.
///
/// A share of the job holds its demand in proportion to its processors, rounded up to whole units.
#[inline]
fn tasks_in(demand: &[i64], task: i64, room: &[i64]) -> i64 {
    let procs = demand[0];
    let mut most = procs / task;
    for (&demand, &free) in demand.iter().zip(room) {
        if free < 0 {
            return 0;
        }
        most = match (demand.checked_mul(task), free.checked_mul(procs)) {
            (Some(unit), Some(free)) if free < unit => return 0,
            // Usually there is room for all of them, and no division is needed.
            (Some(unit), Some(free)) if unit.checked_mul(most).is_some_and(|all| all <= free) => most,
            (Some(unit), Some(free)) => free / unit,
            _ => {
                let (unit, free) = (i128::from(demand) * i128::from(task), i128::from(free));
                let tasks = (free * i128::from(procs)).checked_div(unit).unwrap_or(i128::MAX);
                tasks.min(most.into()) as i64
            }
        };
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole tasks and smaller ones, as `tasks × processors`.
    fn shown(layout: Layout) -> [(i64, i64); 2] {
        [(layout.tasks, layout.task), (layout.rests, layout.rest)]
    }

    #[test]
    fn the_last_task_has_what_remains() {
        assert_eq!(shown(Layout::of_tasks(8, 4)), [(2, 4), (0, 0)]);
        assert_eq!(shown(Layout::of_tasks(9, 4)), [(2, 4), (1, 1)]);
        assert_eq!(shown(Layout::of_tasks(3, 8)), [(1, 3), (0, 0)]);
        assert!(Layout::of_tasks(9, 1).is_loose());
    }

    #[test]
    fn a_job_lies_evenly_on_its_nodes() {
        assert_eq!(shown(Layout::on_nodes(8, 4, 1)), [(4, 2), (0, 0)]);
        assert_eq!(shown(Layout::on_nodes(7, 3, 1)), [(1, 3), (2, 2)]);
        assert_eq!(shown(Layout::on_nodes(6, 4, 1)), [(2, 2), (2, 1)]);
        assert_eq!(shown(Layout::on_nodes(2, 4, 1)), [(2, 1), (0, 0)], "no more nodes than processors");
        assert_eq!(shown(Layout::on_nodes(12, 2, 4)), [(1, 8), (1, 4)], "in tasks of 4");
        assert_eq!(shown(Layout::on_nodes(13, 2, 4)), [(1, 7), (1, 6)], "not in tasks of 4");
    }

    #[test]
    fn room_counts_whole_tasks_and_smaller_ones_beside_them() {
        let layout = Layout::on_nodes(7, 3, 1);
        let on = |free: i64| {
            let whole = layout.tasks_on(&[7], &[free], &[8]);
            (whole, layout.rest_beside(whole, &[7], &[free], &[8]))
        };
        assert_eq!([on(8), on(2), on(1)], [(1, false), (0, true), (0, false)]);
        assert!(layout.is_enough(1, 2) && layout.is_enough(3, 0));
        assert!(!layout.is_enough(0, 3) && !layout.is_enough(1, 1));
        let alone = Layout::of_tasks(4, 2).exclusively();
        assert_eq!([7, 8].map(|free| alone.tasks_on(&[4], &[free], &[8])), [0, 2]);
        let two = Layout::of_tasks(9, 2).at_most(2);
        assert_eq!(two.tasks_on(&[9], &[8], &[8]), 2);
        assert!(!two.rest_beside(2, &[9], &[8], &[8]) && two.rest_beside(1, &[9], &[3], &[8]));
    }

    #[test]
    fn parts_are_even_where_the_job_says_so() {
        // 7 processors on 3 nodes: 3, 2 and 2; 30 of memory, 10 on each.
        let layout = Layout::on_nodes(7, 3, 1).evenly(0b10);
        let on = |free: [i64; 2]| {
            let whole = layout.tasks_on(&[7, 30], &free, &[8, 64]);
            (whole, layout.rest_beside(whole, &[7, 30], &free, &[8, 64]))
        };
        assert_eq!([on([3, 10]), on([2, 10]), on([3, 9])], [(1, false), (0, true), (0, false)]);
        let proportional = Layout::on_nodes(7, 3, 1);
        assert_eq!(
            proportional.tasks_on(&[7, 30], &[3, 12], &[8, 64]),
            0,
            "3 processors of 7 have 12.9 of 30"
        );
        assert!(proportional.rest_beside(0, &[7, 30], &[2, 9], &[8, 64]), "2 of 7 have 8.6");
        assert_eq!(Layout::on_nodes(8, 4, 1).evenly(0b10), Layout::on_nodes(8, 4, 1), "equal anyway");
    }

    #[test]
    fn an_amount_for_each_node_does_not_depend_on_the_processors_there() {
        // 16 processors that asked for 2 nodes, and for 2 of the resource on each of them.
        let layout = Layout::of_tasks(16, 1).on_each(0b10, 2);
        let on = |free: [i64; 2]| layout.tasks_on(&[16, 4], &free, &[16, 4]);
        assert_eq!([on([16, 4]), on([8, 2]), on([8, 1]), on([1, 2])], [16, 8, 0, 1]);
        assert_eq!(layout.part(4), 2);
        let pairs = Layout::of_tasks(5, 2).on_each(0b10, 1);
        assert!(pairs.rest_beside(2, &[5, 3], &[5, 3], &[8, 4]), "the smaller task is on the same node");
        assert!(!pairs.rest_beside(2, &[5, 3], &[4, 3], &[8, 4]), "a processor is missing");
        assert!(!pairs.rest_beside(2, &[5, 3], &[5, 2], &[8, 4]));
        assert_eq!(
            Layout::of_tasks(4, 1).on_each(0b1, 2),
            Layout::of_tasks(4, 1),
            "processors are as they are"
        );
    }

    #[test]
    fn a_placement_has_whole_tasks() {
        let layout = Layout::on_nodes(7, 3, 1);
        assert_eq!(layout.first_split([2, 3, 2]), None);
        assert_eq!((layout.first_split([3, 4]), layout.first_split([3, 3, 1])), (Some(1), Some(2)));
        assert_eq!(Layout::of_tasks(9, 4).first_split([5, 4]), None);
        assert_eq!(Layout::of_tasks(9, 4).first_split([6, 3]), Some(0));
        assert_eq!(Layout::of_tasks(9, 4).first_split([4, 5]), None);
        assert_eq!(Layout::of_tasks(8, 2).at_most(1).first_split([2, 4]), Some(1));
    }
}
