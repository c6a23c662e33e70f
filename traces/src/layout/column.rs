//! The layouts of the jobs of a workload.

use std::collections::BTreeMap;

use super::Layout;

/// A layout for each job; jobs of the same layout share it, four bytes per job.
#[derive(Clone, Debug, Default)]
pub struct LayoutColumn {
    known: Vec<Layout>,
    of: Vec<u32>,
    at: BTreeMap<[i64; 5], u32>,
}

impl LayoutColumn {
    /// Appends the layout of the next job. O(log d) for d different layouts.
    pub fn push(&mut self, layout: Layout) {
        let Layout { task, tasks, rest, rests, per_node, exclusive } = layout;
        let next = self.known.len() as u32;
        let per_node = if exclusive { -per_node } else { per_node };
        let at = *self.at.entry([task, tasks, rest, rests, per_node]).or_insert(next);
        if at == next {
            self.known.push(layout);
        }
        self.of.push(at);
    }

    /// Returns the layout of the job at a position; `None` beyond the last one.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Layout> {
        self.of.get(at).map(|&known| self.known[known as usize])
    }

    /// Whether there are no jobs.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}
