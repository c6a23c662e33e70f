//! One limit: what the admitted jobs of each user, group or partition hold, and which shares are exhausted.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::Field;

use crate::spec::{Bound, ParamKind, ParamSpec, Params};
use crate::view::JobView;

/// A limit on the admitted jobs of each user, group or partition. All jobs without a known name count as one
/// name.
#[derive(Debug)]
pub struct Gate {
    by: Field,
    bound: Bound,
    most: i64,
    /// What the admitted jobs of each name hold.
    has: BTreeMap<i64, i64>,
    /// The names for which a job waits outside because of this limit.
    exhausted: BTreeSet<i64>,
}

impl Gate {
    /// Returns the limit that a parameter sets, if any.
    pub fn from_param(param: &ParamSpec, params: &Params) -> Option<Gate> {
        let ParamKind::Limit(fact, bound) = param.kind else { return None };
        let most = params.count(param.name)? as i64;
        Some(Gate { by: fact.field()?, bound, most, has: BTreeMap::new(), exhausted: BTreeSet::new() })
    }

    /// Whether a job of the same name waits outside because of this limit, so that this job would pass it.
    pub fn is_exhausted(&self, job: JobView<'_>) -> bool {
        self.exhausted.contains(&self.name(job))
    }

    /// Whether a job is within the limit; if not, the limit of its name is exhausted from now on.
    pub fn admits(&mut self, job: JobView<'_>) -> bool {
        let name = self.name(job);
        let within = self.has.get(&name).copied().unwrap_or(0) + self.amount(job) <= self.most;
        if !within {
            self.exhausted.insert(name);
        }
        within
    }

    /// A job is admitted.
    pub fn enter(&mut self, job: JobView<'_>) {
        *self.has.entry(self.name(job)).or_default() += self.amount(job);
    }

    /// Removes an admitted job that has ended; returns whether another job waits for its share.
    pub fn leave(&mut self, job: JobView<'_>) -> bool {
        let (name, amount) = (self.name(job), self.amount(job));
        if let Some(has) = self.has.get_mut(&name) {
            *has -= amount;
        }
        self.exhausted.contains(&name)
    }

    /// Clears the exhausted shares, so that the jobs outside are checked again in order.
    pub fn reopen(&mut self) {
        self.exhausted.clear();
    }

    /// Returns the name of a job's user, group or partition.
    pub fn name(&self, job: JobView<'_>) -> i64 {
        // All unknown numbers count as the same one.
        job.attribute(self.by).max(-1)
    }

    fn amount(&self, job: JobView<'_>) -> i64 {
        match self.bound {
            Bound::Jobs => 1,
            Bound::Procs => job.procs(),
        }
    }
}
