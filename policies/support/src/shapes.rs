//! Jobs with the same needs on nodes: if one of them finds no room, no other does.

use batchlab_traces::{Layout, Machine, Time};
use rustc_hash::FxHashMap;

use crate::view::JobView;

/// The properties of a job, beside its stay, on which the nodes that it may take depend: its need, how it lies on nodes, and
/// which nodes take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape<const K: usize> {
    demand: [i64; K],
    layout: Layout,
    partition: Option<i64>,
    site: u32,
}

impl<const K: usize> Shape<K> {
    pub fn of(machine: &Machine, job: JobView<'_>) -> Shape<K> {
        Shape {
            demand: job.demands(),
            layout: job.layout(),
            partition: machine.is_partitioned().then(|| job.admission()),
            site: job.site(),
        }
    }
}

/// The shapes for which there is no room, on a machine or in a plan that has only been added to since.
#[derive(Clone, Debug, Default)]
pub struct Roomless<const K: usize> {
    /// The shortest stay known to find none.
    stays: FxHashMap<Shape<K>, Time>,
}

impl<const K: usize> Roomless<K> {
    /// Forgets all: room may have been given back.
    pub fn clear(&mut self) {
        self.stays.clear();
    }

    /// Finds room for a stay of a shape, unless there is known to be none.
    pub fn find<R>(&mut self, shape: Shape<K>, stay: Time, search: impl FnOnce() -> Option<R>) -> Option<R> {
        if self.stays.get(&shape).is_some_and(|&shortest| shortest <= stay) {
            return None;
        }
        let found = search();
        if found.is_none() {
            let shortest = self.stays.entry(shape).or_insert(stay);
            *shortest = stay.min(*shortest);
        }
        found
    }
}
