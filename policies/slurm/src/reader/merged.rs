//! Associations that several files have, such as a dump of the cluster and a table of associations.

use batchlab_traces::sorted::SortedMap;

use super::sacctmgr::Accounts;
use crate::site::{Association, SlurmLimits};

/// What makes an association: account, user, partition.
type Key = (String, Option<String>, Option<String>);

fn key(one: &Association) -> Key {
    (one.account.clone(), one.user.clone(), one.partition.clone())
}

impl Accounts {
    /// Joins the associations of a file, from `begin` on, with the associations of the files before it. If both have an association,
    /// what the first file says counts, and what it does not say is taken from the other file. The account above it is taken from
    /// the first file that tells it (`is_told`).
    pub(super) fn merge(&mut self, begin: usize, is_told: bool) {
        let first: SortedMap<Key, usize> =
            self.associations[..begin].iter().enumerate().map(|(at, one)| (key(one), at)).collect();
        let new = self.associations.split_off(begin);
        let mut next = begin;
        let places: Vec<usize> = new
            .iter()
            .map(|one| {
                first.get(&key(one)).copied().unwrap_or_else(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let is_first_told = is_told && !self.is_told;
        for (mut one, &at) in new.into_iter().zip(&places) {
            one.parent = one.parent.map(|parent| places[parent - begin]);
            match self.associations.get_mut(at) {
                Some(known) => known.complete_from(one, is_first_told),
                None => self.associations.push(one),
            }
        }
        if is_first_told {
            self.guessed.clear();
        }
        self.is_told |= is_told;
    }
}

impl Association {
    /// Completes this association by another file, and takes the account above it if the other file tells it.
    fn complete_from(&mut self, other: Association, tells_parent: bool) {
        if self.bounds == SlurmLimits::default() {
            self.bounds = other.bounds;
        }
        if self.usage == 0.0 {
            self.usage = other.usage;
        }
        if self.priority == 0 {
            self.priority = other.priority;
        }
        if tells_parent {
            self.parent = other.parent;
        }
    }
}
