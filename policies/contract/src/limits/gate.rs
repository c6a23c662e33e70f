use batchlab_traces::Field;
use batchlab_traces::limits::Limit;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use crate::journal::HeldBy;
use crate::spec::{ParamKind, ParamQuantity, ParamSpec, Params};
use crate::view::JobView;

/// A limit on the admitted jobs of each user, group or partition, or of each class of a table. All jobs without a
/// known name count as one name.
#[derive(Debug)]
pub struct Gate {
    rule: Rule,
    /// The name of the limit in the journal.
    pub held_by: HeldBy,
    most: i128,
    /// The holdings of the admitted jobs of each name.
    held: SortedMap<i64, i128>,
    /// The names for which a job waits outside because of this limit.
    exhausted: SortedSet<i64>,
}

#[derive(Debug)]
enum Rule {
    /// A parameter of the policy: each value of a field by itself.
    Field(Field, ParamQuantity),
    /// A limit of a table, which may apply to some jobs only.
    Table(Limit),
}

/// The name of the jobs to which a limit does not apply.
const FREE: i64 = -2;

impl Gate {
    /// Returns the limit that a parameter sets, if any.
    pub fn from_param(param: &ParamSpec, params: &Params) -> Option<Gate> {
        let ParamKind::Limit(fact, bound) = param.kind else { return None };
        let most = params.count(param.name)?;
        let rule = Rule::Field(fact.field()?, bound);
        Some(Gate::new(rule, HeldBy::Param(param.name), i128::from(most as i64)))
    }

    pub fn of_table((at, limit): (usize, &Limit)) -> Gate {
        Gate::new(Rule::Table(limit.clone()), HeldBy::Table(at), limit.most)
    }

    fn new(rule: Rule, held_by: HeldBy, most: i128) -> Gate {
        Gate { rule, held_by, most, held: SortedMap::new(), exhausted: SortedSet::new() }
    }

    /// Whether a job of the same name waits outside because of this limit, so that this job would pass it.
    pub fn is_exhausted(&self, job: JobView<'_>) -> bool {
        self.exhausted.contains(&self.name(job))
    }

    /// Whether a job is within the limit; if not, the limit of its name is exhausted from now on.
    pub fn admits(&mut self, job: JobView<'_>) -> bool {
        let name = self.name(job);
        let held = self.held.get(&name).copied().unwrap_or(0);
        let within = name == FREE || held + self.amount(job) <= self.most;
        if !within {
            self.exhausted.insert(name);
        }
        within
    }

    pub fn enter(&mut self, job: JobView<'_>) {
        *self.held.entry(self.name(job)).or_default() += self.amount(job);
    }

    /// Removes an admitted job that has ended; returns whether another job waits for its share.
    pub fn leave(&mut self, job: JobView<'_>) -> bool {
        let (name, amount) = (self.name(job), self.amount(job));
        if let Some(held) = self.held.get_mut(&name) {
            *held -= amount;
        }
        self.exhausted.contains(&name)
    }

    /// Clears the exhausted shares, so that the jobs outside are checked again in order.
    pub fn reopen(&mut self) {
        self.exhausted.clear();
    }

    /// Returns the name of a job's user, group, partition or class.
    pub fn name(&self, job: JobView<'_>) -> i64 {
        match &self.rule {
            // All unknown numbers count as the same one.
            Rule::Field(field, _) => job.attribute(*field).max(-1),
            Rule::Table(limit) => job.class(limit).map_or(FREE, |class| class as i64),
        }
    }

    fn amount(&self, job: JobView<'_>) -> i128 {
        match &self.rule {
            Rule::Field(_, ParamQuantity::Jobs) => 1,
            Rule::Field(_, ParamQuantity::Procs) => i128::from(job.procs()),
            Rule::Table(limit) => job.counts(limit),
        }
    }
}
