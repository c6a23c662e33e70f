use std::ops::ControlFlow;

use super::node::{Inner, Leaf, WIDTH};
use super::{Summary, Tree};

/// Returns the place in a leaf where a search begins. A function of its own, since searches are compiled for each condition.
fn first_of<K: Copy + Ord, E: Copy>(leaf: &Leaf<K, E>, from: Option<K>) -> usize {
    match from {
        Some(key) => leaf.at_or_after(key),
        None => 0,
    }
}

fn child_of<K: Copy + Ord, S: Copy>(node: &Inner<K, S>, from: Option<K>) -> usize {
    match from {
        Some(key) => node.child_of(key).unwrap_or(0),
        None => 0,
    }
}

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
            let start = first_of(leaf, from);
            return (start..leaf.len).find(|&index| is(&leaf.entries[index])).map(|index| leaf.keys[index]);
        }
        let node = &self.inners[at as usize];
        let start = child_of(node, from);
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
        from: Option<K>,
        may: &impl Fn(&S) -> bool,
        visit: &mut impl FnMut(K, &S::Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            let start = first_of(leaf, from);
            for index in start..leaf.len {
                visit(leaf.keys[index], &leaf.entries[index])?;
            }
            return ControlFlow::Continue(());
        }
        let node = &self.inners[at as usize];
        let start = child_of(node, from);
        for index in start..node.len {
            if may(&node.sums[index]) {
                let from = from.filter(|_| index == start);
                self.visit_where_below(node.kids[index], height - 1, from, may, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn visit_best_below(
        &self,
        at: u32,
        height: u32,
        bound: &impl Fn(&S) -> Option<f64>,
        visit: &mut impl FnMut(K, &S::Entry, f64) -> f64,
        mut least: f64,
    ) -> f64 {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            return (0..leaf.len)
                .fold(least, |least, index| visit(leaf.keys[index], &leaf.entries[index], least));
        }
        let node = &self.inners[at as usize];
        let mut bounds = [None; WIDTH];
        for (to, sum) in bounds.iter_mut().zip(&node.sums[..node.len]) {
            *to = bound(sum);
        }
        // The ranges by descending bound.
        loop {
            let mut best: Option<(f64, usize)> = None;
            for (index, bound) in bounds.iter().enumerate() {
                if let Some(bound) = *bound
                    && bound >= least
                    && best.is_none_or(|(best, _)| bound > best)
                {
                    best = Some((bound, index));
                }
            }
            let Some((_, index)) = best else { return least };
            bounds[index] = None;
            least = self.visit_best_below(node.kids[index], height - 1, bound, visit, least);
        }
    }
}
