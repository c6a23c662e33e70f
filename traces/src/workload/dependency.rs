//! What jobs wait for before they enter the queue: the starts and the ends of other jobs.

use std::sync::Arc;

use super::{JobId, Workload};
use crate::time::Time;

/// What must have happened to a job before another job enters the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Milestone {
    /// It has started.
    Start,
    /// It has ended, or was rejected: it has left the system.
    End,
}

/// A job that must come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// The job that comes first.
    pub on: JobId,
    /// What must have happened to it.
    pub milestone: Milestone,
    /// How long after that the dependency is met.
    pub delay: Time,
}

/// The condition on which a job enters the queue: at `earliest`, or once enough of its dependencies are met if that is
/// later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The earliest instant: the job's submission, or the trace's zero for a user who submits a job some time after
    /// another one has ended.
    pub earliest: Time,
    /// How many of the dependencies must be met: all, or one of them.
    pub needed: usize,
    /// The jobs that come first.
    pub on: Vec<Dependency>,
}

impl Condition {
    /// Returns the condition that all dependencies are met.
    pub fn all(earliest: Time, on: Vec<Dependency>) -> Condition {
        Condition { earliest, needed: on.len(), on }
    }

    /// Returns when a job enters the queue, given the instants of milestones; `None` if it never does.
    /// O(d log d) for d dependencies.
    pub fn entry(&self, reached: impl Fn(JobId, Milestone) -> Option<Time>) -> Option<Time> {
        let met = |dependency: &Dependency| {
            Some(reached(dependency.on, dependency.milestone)?.saturating_add(dependency.delay))
        };
        let mut met: Vec<Time> = self.on.iter().filter_map(met).collect();
        met.sort_unstable();
        match self.needed.checked_sub(1) {
            None => Some(self.earliest),
            Some(last) => met.get(last).map(|&at| at.max(self.earliest)),
        }
    }
}

/// The conditions of the jobs of a workload that depend on others, in the order of these jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependencies(pub(super) Vec<(JobId, Condition)>);

impl Workload {
    /// Returns the same jobs, some of which enter the queue on conditions. A condition that closes a circle is never met.
    #[must_use]
    pub fn with_conditions(self, mut conditions: Vec<(JobId, Condition)>) -> Workload {
        conditions.sort_by_key(|&(job, _)| job);
        let dependencies = (!conditions.is_empty()).then(|| Arc::new(Dependencies(conditions)));
        Workload { dependencies, ..self }
    }

    /// Returns the jobs that enter the queue on a condition, in the order of submission.
    pub fn conditions(&self) -> &[(JobId, Condition)] {
        self.dependencies.as_ref().map_or(&[], |known| &known.0)
    }

    /// Returns the conditions of the jobs at some positions, by their positions among these. A job outside of them is no
    /// dependency.
    pub(super) fn conditions_of(&self, kept: &[usize]) -> Vec<(JobId, Condition)> {
        let place = |job: JobId| {
            kept.binary_search(&self.position(job))
                .ok()
                .map(|at| JobId(u32::try_from(at).unwrap_or(u32::MAX)))
        };
        let condition = |(job, condition): &(JobId, Condition)| {
            let job = place(*job)?;
            let on: Vec<Dependency> = condition
                .on
                .iter()
                .filter_map(|dependency| Some(Dependency { on: place(dependency.on)?, ..*dependency }))
                .collect();
            let needed = condition.needed.min(on.len());
            Some((job, Condition { earliest: condition.earliest, needed, on }))
        };
        self.conditions().iter().filter_map(condition).collect()
    }

    /// Whether the instants at which jobs enter the queue depend on the schedule.
    pub fn is_closed(&self) -> bool {
        self.dependencies.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_enters_when_enough_dependencies_are_met() {
        let on = |job, delay| Dependency {
            on: JobId(job),
            milestone: Milestone::End,
            delay: Time::from_secs(delay),
        };
        let ends = [Some(10), Some(30), None].map(|end| end.map(Time::from_secs));
        let entry = |condition: &Condition| condition.entry(|job, _| ends[job.index()]).map(Time::secs);
        let all = Condition::all(Time::from_secs(5), vec![on(0, 25), on(1, 0)]);
        assert_eq!(entry(&all), Some(35.0));
        assert_eq!(entry(&Condition { needed: 1, ..all.clone() }), Some(30.0));
        assert_eq!(entry(&Condition { earliest: Time::from_secs(50), ..all.clone() }), Some(50.0));
        assert_eq!(entry(&Condition::all(Time::ZERO, vec![on(0, 0), on(2, 0)])), None);
    }
}
