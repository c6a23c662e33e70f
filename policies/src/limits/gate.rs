//! One limit: what each user, group or partition has, and whose share is exhausted.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::Field;

use crate::spec::{Bound, ParamKind, ParamSpec, Params};
use crate::view::JobView;

/// A limit on the admitted jobs of each user, group or partition. Jobs of no known one count as those of one.
#[derive(Debug)]
pub struct Gate {
    by: Field,
    bound: Bound,
    most: i64,
    /// What the admitted jobs of each have.
    has: BTreeMap<i64, i64>,
    /// Those for which somebody waits outside because of this limit.
    exhausted: BTreeSet<i64>,
}

impl Gate {
    /// Returns the limit that a parameter sets, if it does.
    pub fn from_param(param: &ParamSpec, params: &Params) -> Option<Gate> {
        let ParamKind::Limit(fact, bound) = param.kind else { return None };
        let most = params.count(param.name)? as i64;
        Some(Gate { by: fact.field()?, bound, most, has: BTreeMap::new(), exhausted: BTreeSet::new() })
    }

    /// Whether somebody waits outside because of this limit, whom a job of the same name would pass.
    pub fn is_exhausted(&self, job: JobView<'_>) -> bool {
        self.exhausted.contains(&self.name(job))
    }

    /// Whether a job is within the limit; if not, it is exhausted from now on.
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

    /// An admitted job has ended; returns whether somebody waits for that.
    pub fn leave(&mut self, job: JobView<'_>) -> bool {
        let (name, amount) = (self.name(job), self.amount(job));
        if let Some(has) = self.has.get_mut(&name) {
            *has -= amount;
        }
        self.exhausted.contains(&name)
    }

    /// Forgets whose share is exhausted: those outside are asked anew, in order.
    pub fn reopen(&mut self) {
        self.exhausted.clear();
    }

    fn name(&self, job: JobView<'_>) -> i64 {
        // Every unknown number is the same unknown one.
        job.attribute(self.by).max(-1)
    }

    fn amount(&self, job: JobView<'_>) -> i64 {
        match self.bound {
            Bound::Jobs => 1,
            Bound::Procs => job.procs(),
        }
    }
}
