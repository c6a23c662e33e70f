//! Descents for searches.

use std::ops::ControlFlow;

use super::{Summary, Tree};

impl<K: Copy + Ord + Default, S: Summary> Tree<K, S> {
    pub(super) fn visit_below(&self, at: u32, height: u32, visit: &mut impl FnMut(K, &S::Entry)) {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            for index in 0..leaf.len {
                visit(leaf.keys[index], &leaf.entries[index]);
            }
            return;
        }
        let node = &self.inners[at as usize];
        for &kid in &node.kids[..node.len] {
            self.visit_below(kid, height - 1, visit);
        }
    }

    pub(super) fn find_last_below(
        &self,
        at: u32,
        height: u32,
        may: &impl Fn(&S) -> bool,
        is: &impl Fn(&S::Entry) -> bool,
    ) -> Option<K> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            return (0..leaf.len).rev().find(|&index| is(&leaf.entries[index])).map(|index| leaf.keys[index]);
        }
        let node = &self.inners[at as usize];
        (0..node.len)
            .rev()
            .filter(|&index| may(&node.sums[index]))
            .find_map(|index| self.find_last_below(node.kids[index], height - 1, may, is))
    }

    pub(super) fn find_below(
        &self,
        at: u32,
        height: u32,
        from: Option<K>,
        may: &impl Fn(&S) -> bool,
        is: &impl Fn(&S::Entry) -> bool,
    ) -> Option<K> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            let start = from.map_or(0, |key| leaf.keys[..leaf.len].partition_point(|other| *other < key));
            return (start..leaf.len).find(|&index| is(&leaf.entries[index])).map(|index| leaf.keys[index]);
        }
        let node = &self.inners[at as usize];
        let holds_from = |key| node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1);
        let start = from.map_or(0, holds_from);
        (start..node.len).filter(|&index| may(&node.sums[index])).find_map(|index| {
            // Only the child that holds `from` itself has keys before it.
            let from = from.filter(|_| index == start);
            self.find_below(node.kids[index], height - 1, from, may, is)
        })
    }

    pub(super) fn visit_where_below(
        &self,
        at: u32,
        height: u32,
        may: &impl Fn(&S) -> bool,
        visit: &mut impl FnMut(K, &S::Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            return (0..leaf.len).try_for_each(|index| visit(leaf.keys[index], &leaf.entries[index]));
        }
        let node = &self.inners[at as usize];
        (0..node.len)
            .filter(|&index| may(&node.sums[index]))
            .try_for_each(|index| self.visit_where_below(node.kids[index], height - 1, may, visit))
    }
}
