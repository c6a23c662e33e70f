use std::ops::{AddAssign, Sub};

use batchlab_traces::Layout;

use crate::twin::queue::Waiting;

/// What decides how many tasks of a job fit on a node: jobs of any size may have it in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskShape {
    /// The tasks; their number matters only if the nodes have even parts of a resource.
    layout: Layout,
    /// The demand, in lowest terms.
    demand: Vec<i64>,
    /// The least processors that a node must have free.
    least: i64,
}

/// The most tasks that are counted on a node: the sum over a word of nodes fits into 32 bits.
pub const MANY: i64 = 1 << 24;

impl TaskShape {
    pub fn of(layout: Layout, demand: &[i64]) -> TaskShape {
        if layout.over > 0 {
            return TaskShape::on_each(layout, demand);
        }
        if layout.even != 0 {
            return TaskShape { layout, demand: demand.to_vec(), least: 0 };
        }
        let common = demand.iter().fold(0, |common, &need| gcd(common, need)).max(1);
        let demand = demand.iter().map(|need| need / common).collect();
        TaskShape { layout: Layout { tasks: 1, rests: layout.rests.min(1), ..layout }, demand, least: 0 }
    }

    /// Returns the same room on nodes with some processors free at least.
    pub fn at_least(self, least: i64) -> TaskShape {
        TaskShape { least, ..self }
    }

    fn on_each(layout: Layout, demand: &[i64]) -> TaskShape {
        let mut demand = demand.to_vec();
        let in_proportion = demand.iter().enumerate().filter(|(kind, _)| !layout.is_even(*kind));
        let common = in_proportion.fold(0, |common, (_, &need)| gcd(common, need)).max(1);
        for (kind, need) in demand.iter_mut().enumerate() {
            *need = if layout.is_even(kind) { layout.part(*need) } else { *need / common };
        }
        let layout = Layout { tasks: 1, rests: layout.rests.min(1), over: 1, ..layout };
        TaskShape { layout, demand, least: 0 }
    }

    pub fn has_rests(&self) -> bool {
        self.layout.rests > 0
    }

    /// Returns how many whole tasks fit into what a node has free, and whether a smaller one fits beside them.
    #[inline]
    pub fn tasks(&self, free: &[i64], capacity: &[i64]) -> (i64, bool) {
        let layout = &self.layout;
        let whole = if layout.over > 0 {
            let is_free =
                !layout.exclusive || free.iter().zip(capacity).all(|(free, capacity)| free >= capacity);
            if is_free { self.fitting(free) } else { 0 }
        } else if layout.even != 0 {
            layout.tasks_on(&self.demand, free, capacity).clamp(0, MANY)
        } else if layout.exclusive && free.iter().zip(capacity).any(|(free, capacity)| free < capacity) {
            0
        } else {
            self.fitting(free)
        };
        (whole, layout.rests > 0 && layout.rest_beside(whole, &self.demand, free, capacity))
    }

    #[inline]
    fn fitting(&self, free: &[i64]) -> i64 {
        let (task, procs) = (self.layout.task, self.demand[0]);
        if free[0] < self.least {
            return 0;
        }
        let mut most = if task == 1 { free[0] } else { free[0] / task }.min(self.layout.per_node);
        for (kind, (&need, &free)) in
            self.demand.iter().zip(free).enumerate().skip(1).filter(|(_, (need, _))| **need > 0)
        {
            if self.layout.over > 0 && self.layout.is_even(kind) {
                if need > free {
                    return 0;
                }
                continue;
            }
            let fitting = match (need.checked_mul(task), free.checked_mul(procs)) {
                (Some(need), Some(free)) => free / need,
                _ => (i128::from(free) * i128::from(procs) / (i128::from(need) * i128::from(task)))
                    .clamp(0, MANY.into()) as i64,
            };
            most = most.min(fitting);
        }
        most.clamp(0, MANY)
    }

    #[inline]
    pub fn on(&self, free: &[i64], capacity: &[i64]) -> Count {
        let (whole, beside) = self.tasks(free, capacity);
        Count { whole, beside: beside.into(), nodes: i64::from(whole > 0 || beside) }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub whole: i64,
    pub beside: i64,
    pub nodes: i64,
}

impl Count {
    /// Whether a job may fit; a job that asks for a number of nodes may still not.
    #[inline]
    pub fn suffices(&self, job: &Waiting) -> bool {
        self.nodes >= job.asked && job.layout.is_enough(self.whole, self.beside)
    }
}

impl Sub for Count {
    type Output = Count;

    #[inline]
    fn sub(self, other: Count) -> Count {
        Count {
            whole: self.whole - other.whole,
            beside: self.beside - other.beside,
            nodes: self.nodes - other.nodes,
        }
    }
}

impl AddAssign for Count {
    #[inline]
    fn add_assign(&mut self, other: Count) {
        self.whole += other.whole;
        self.beside += other.beside;
        self.nodes += other.nodes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_any_size_have_the_same_room() {
        let room = |procs, memory| TaskShape::of(Layout::of_tasks(procs, 1), &[procs, memory]);
        assert_eq!(room(3, 9), room(5, 15));
        assert_ne!(room(3, 9), room(3, 6));
        assert_eq!(room(3, 9).tasks(&[8, 16], &[8, 16]), (5, false), "three units of memory each");
        let on_each =
            |procs, gpus, over| TaskShape::of(Layout::of_tasks(procs, 1).on_each(0b10, over), &[procs, gpus]);
        assert_eq!(on_each(16, 4, 2), on_each(9, 2, 1), "two GPUs on each node");
        assert_eq!([[8, 2], [8, 1], [3, 4]].map(|free| on_each(16, 4, 2).tasks(&free, &[8, 4]).0), [8, 0, 3]);
        let pairs = TaskShape::of(Layout::of_tasks(5, 2), &[5, 0]);
        assert_eq!(pairs.tasks(&[7, 0], &[8, 16]), (3, true), "three pairs and the last processor");
        assert_eq!(
            TaskShape::of(Layout::of_tasks(4, 1).exclusively(), &[4, 0]).tasks(&[7, 16], &[8, 16]),
            (0, false)
        );
    }
}
