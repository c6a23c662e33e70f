//! Waiting jobs ranked by what their user holds or has used: users change places, the jobs of a user do not.

use std::cell::OnceCell;

use batchlab_traces::JobId;
use rustc_hash::FxHashMap;

use super::Rank;
use crate::front::{Front, Need, Room};
use crate::order::Order;
use crate::tree::Tree;

/// The jobs of a user have the user's score, and are served in the order of submission. A search asks the
/// users in order, and ends at the first one behind a job that it has found: O(users + log n) at best.
#[derive(Default)]
pub struct Users<const K: usize> {
    lines: FxHashMap<i64, Tree<Rank, Front<K>>>,
    /// The users of waiting jobs in order, each with the rank ahead of all of the user's jobs.
    order: Vec<(Rank, i64)>,
    len: usize,
    /// All jobs by rank, if they were sorted after the users last changed places.
    sorted: OnceCell<Tree<Rank, Front<K>>>,
}

fn place(job: JobId) -> Rank {
    Rank::new(true, 0.0, job)
}

fn ahead(user: i64, order: &Order) -> Rank {
    Rank::new(true, order.score_of_user(user).unwrap_or_default(), JobId(0))
}

impl<const K: usize> Users<K> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn insert(&mut self, job: JobId, user: i64, need: Need<K>, order: &Order) {
        let line = self.lines.entry(user).or_default();
        if line.is_empty() {
            let new = (ahead(user, order), user);
            self.order.insert(self.order.partition_point(|&other| other < new), new);
        }
        line.insert(place(job), need);
        self.len += 1;
        self.sorted.take();
    }

    pub fn remove(&mut self, job: JobId, user: i64) -> bool {
        let Some(line) = self.lines.get_mut(&user) else { return false };
        let removed = line.remove(place(job));
        if removed {
            self.len -= 1;
            self.sorted.take();
            if line.is_empty() {
                self.lines.remove(&user);
                self.order.retain(|&(_, other)| other != user);
            }
        }
        removed
    }

    /// The scores of users have changed.
    pub fn look(&mut self, order: &Order) {
        self.order.iter_mut().for_each(|(rank, user)| *rank = ahead(*user, order));
        self.order.sort_unstable();
        self.sorted.take();
    }

    pub fn find(&self, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        self.search(from, |front| front.may_fit(room), |need| need.fits(room))
    }

    pub fn at_or_after(&self, from: Option<Rank>) -> Option<Rank> {
        self.search(from, |_| true, |_| true)
    }

    /// Returns all jobs by rank. O(n log n).
    pub fn sorted(&self) -> &Tree<Rank, Front<K>> {
        self.sorted.get_or_init(|| {
            let mut ranked = Vec::with_capacity(self.len);
            for (rank, user) in &self.order {
                self.lines[user].for_each(|place, need| ranked.push((rank.of(place.job()), *need)));
            }
            let mut tree = Tree::default();
            tree.fill(ranked);
            tree
        })
    }

    fn search(
        &self,
        from: Option<Rank>,
        may: impl Fn(&Front<K>) -> bool,
        is: impl Fn(&Need<K>) -> bool,
    ) -> Option<Rank> {
        let mut best: Option<Rank> = None;
        for &(rank, user) in &self.order {
            if best.is_some_and(|best| best < rank) {
                break;
            }
            let within = match from {
                Some(from) if rank.of(JobId(u32::MAX)) < from => continue,
                Some(from) if rank < from => Some(place(from.job())),
                _ => None,
            };
            let found = self.lines[&user].find_first(within, &may, &is);
            best = best.into_iter().chain(found.map(|place| rank.of(place.job()))).min();
        }
        best
    }
}

#[cfg(test)]
mod tests;
