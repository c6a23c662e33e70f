//! Waiting jobs whose ranks change while they wait, without being ranked one by one.

use batchlab_traces::Time;

use super::growing::{Grower, Growing};
use super::users::Users;
use super::{Rank, need};
use crate::front::{Front, Room};
use crate::order::Order;
use crate::tree::Tree;
use crate::view::JobView;

/// The jobs by the reason for which their ranks change.
pub enum Moving<const K: usize> {
    /// By laws known at their submission.
    Growing(Growing<K>),
    Users(Users<K>),
}

impl<const K: usize> Moving<K> {
    /// Returns an empty set for an order; `None` if its jobs are to be ranked one by one.
    pub fn new(order: &Order) -> Option<Moving<K>> {
        let growing = order.links().map(|links| Moving::Growing(Growing::new(links)));
        growing.or_else(|| order.is_by_user().then(|| Moving::Users(Users::default())))
    }

    pub fn len(&self) -> usize {
        match self {
            Moving::Growing(growing) => growing.len(),
            Moving::Users(users) => users.len(),
        }
    }

    pub fn insert(&mut self, job: JobView<'_>, expected: Time, order: &Order) {
        match self {
            Moving::Growing(growing) => {
                if let Some(grower) = grower(job, expected, order) {
                    growing.insert(job.id(), grower);
                }
            }
            Moving::Users(users) => users.insert(job.id(), job.user(), need(job, expected), order),
        }
    }

    pub fn remove(&mut self, job: JobView<'_>, expected: Time, order: &Order) -> bool {
        match self {
            Moving::Growing(growing) => {
                grower(job, expected, order).is_some_and(|grower| growing.remove(job.id(), &grower))
            }
            Moving::Users(users) => users.remove(job.id(), job.user()),
        }
    }

    /// Time passes, and the order has looked.
    pub fn look(&mut self, now: Time, order: &Order) {
        match self {
            Moving::Growing(growing) => growing.look(now),
            Moving::Users(users) => users.look(order),
        }
    }

    /// Returns the first job, at or after a rank if given, for which there is room.
    pub fn find(&self, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        match self {
            Moving::Growing(growing) => growing.find(from, room),
            Moving::Users(users) => users.find(from, room),
        }
    }

    /// Returns the first job, at or after a rank if given.
    pub fn at_or_after(&self, from: Option<Rank>) -> Option<Rank> {
        match self {
            Moving::Growing(growing) => growing.at_or_after(from),
            Moving::Users(users) => users.at_or_after(from),
        }
    }

    /// Returns all jobs by rank. O(n log n).
    pub fn sorted(&self) -> &Tree<Rank, Front<K>> {
        match self {
            Moving::Growing(growing) => growing.sorted(),
            Moving::Users(users) => users.sorted(),
        }
    }
}

fn grower<const K: usize>(job: JobView<'_>, expected: Time, order: &Order) -> Option<Grower<K>> {
    let growth = order.growth(job, expected)?;
    Some(Grower { need: need(job, expected), submit: job.submit(), growth })
}
