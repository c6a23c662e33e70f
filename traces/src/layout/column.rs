use crate::sorted::SortedMap;

use super::Layout;

/// A layout for each job; jobs of the same layout share it, four bytes per job.
#[derive(Clone, Debug, Default)]
pub struct LayoutColumn {
    known: Vec<Layout>,
    indices: Vec<u32>,
    index_of: SortedMap<([i64; 6], u64), u32>,
}

impl LayoutColumn {
    /// Appends the layout of the next job. O(log d) for d different layouts.
    pub fn push(&mut self, layout: Layout) {
        let Layout { task, tasks, rest, rests, per_node, exclusive, even, over } = layout;
        let next = self.known.len() as u32;
        let per_node = if exclusive { -per_node } else { per_node };
        let at = *self.index_of.entry(([task, tasks, rest, rests, per_node, over], even)).or_insert(next);
        if at == next {
            self.known.push(layout);
        }
        self.indices.push(at);
    }

    /// Returns the layout of the job at a position; `None` beyond the last one.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Layout> {
        self.indices.get(at).map(|&known| self.known[known as usize])
    }

    /// Returns the layouts of the jobs at some positions; none if no job has one.
    #[must_use]
    pub fn gather(&self, kept: &[usize]) -> LayoutColumn {
        let indices = kept.iter().filter_map(|&at| self.indices.get(at).copied()).collect();
        LayoutColumn { indices, ..self.clone() }
    }

    /// Whether there are no jobs.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_layouts_are_kept_once_and_stay_with_their_jobs() {
        let mut column = LayoutColumn::default();
        let layouts = [2, 4, 2].map(|task| Layout::of_tasks(8, task));
        for layout in layouts {
            column.push(layout);
        }
        assert_eq!((column.known.len(), column.get(2), column.get(3)), (2, Some(layouts[0]), None));
        let kept = column.gather(&[1, 2]);
        assert_eq!((kept.get(0), kept.get(1), kept.get(2)), (Some(layouts[1]), Some(layouts[0]), None));
        assert!(LayoutColumn::default().gather(&[0]).is_empty());
    }
}
