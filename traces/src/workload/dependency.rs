//! What jobs wait for before they enter the queue: the starts and the ends of other jobs.

use std::collections::HashMap;
use std::sync::Arc;

use super::JobId;
use crate::arrange::Arrange as _;
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
    /// How long after the milestone the dependency is met.
    pub delay: Time,
}

/// A job on which another depended, by its number in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preceding {
    /// The number.
    pub number: i64,
    /// What had to happen to it.
    pub milestone: Milestone,
}

/// A task's place in an array that limits how many of its tasks are in the system at a time. The task enters the queue when enough
/// tasks of the array have left: of the tasks up to and including it, at most `at_most` are then waiting or running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throttle {
    /// The tasks of the array, in their order.
    pub tasks: Arc<[JobId]>,
    /// The place of this task among them, from 0; at least `at_most`.
    pub place: usize,
    /// The most tasks in the system.
    pub at_most: usize,
}

impl Throttle {
    /// Returns how many tasks of the array must have left before this one enters.
    pub fn ended(&self) -> usize {
        self.place + 1 - self.at_most
    }

    /// Returns when that number of tasks has left; `None` if it never has. O(n) for n tasks.
    fn entry(&self, ended: impl Fn(JobId) -> Option<Time>) -> Option<Time> {
        let mut ends: Vec<Time> = self.tasks.iter().filter_map(|&task| ended(task)).collect();
        let last = self.ended().checked_sub(1).filter(|&last| last < ends.len())?;
        Some(*ends.select_nth_unstable(last).1)
    }

    /// Returns the throttle of this task among the tasks that `is_kept` accepts; `None` if it then holds nothing back.
    pub(super) fn among(&self, tasks: Arc<[JobId]>, is_kept: impl Fn(JobId) -> bool) -> Option<Throttle> {
        let place = self.tasks[..self.place].iter().filter(|&&task| is_kept(task)).count();
        (place >= self.at_most).then_some(Throttle { tasks, place, at_most: self.at_most })
    }
}

/// The condition on which a job enters the queue: at `earliest`, or once enough of its dependencies are met and the
/// throttle of its array lets it in, if that is later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The earliest instant: the job's submission, or the trace's zero for a user who submits a job some time after
    /// another one has ended.
    pub earliest: Time,
    /// How many of the dependencies must be met: all, or one of them.
    pub needed: usize,
    /// The jobs that come first.
    pub on: Vec<Dependency>,
    /// The throttle of the job's array, if it holds the job back.
    pub throttle: Option<Throttle>,
}

impl Condition {
    /// Returns the condition that all dependencies are met.
    pub fn all(earliest: Time, on: Vec<Dependency>) -> Condition {
        Condition { earliest, needed: on.len(), on, throttle: None }
    }

    /// Returns when a job enters the queue, given the instants of milestones; `None` if it never does.
    /// O(d log d) for d dependencies.
    pub fn entry(&self, reached: impl Fn(JobId, Milestone) -> Option<Time>) -> Option<Time> {
        let met = match self.needed {
            0 => self.earliest,
            _ => self.last_met(&reached)?.0.max(self.earliest),
        };
        match &self.throttle {
            None => Some(met),
            Some(throttle) => Some(throttle.entry(|task| reached(task, Milestone::End))?.max(met)),
        }
    }

    /// Returns the dependency with which enough of them are met, and when; `None` if the job has no dependencies, or too few
    /// are met. O(d log d) for d dependencies.
    pub fn last_met(&self, reached: impl Fn(JobId, Milestone) -> Option<Time>) -> Option<(Time, Dependency)> {
        let met = |dependency: &Dependency| {
            Some((
                reached(dependency.on, dependency.milestone)?.saturating_add(dependency.delay),
                *dependency,
            ))
        };
        let mut met: Vec<(Time, Dependency)> = self.on.iter().filter_map(met).collect();
        met.sort_unstable();
        met.get(self.needed.checked_sub(1)?).copied()
    }

    /// Returns the earliest possible entry after what has happened so far: if all dependencies are needed, not before those
    /// that are already met. O(d) for d dependencies.
    pub(super) fn met_so_far(&self, reached: impl Fn(JobId, Milestone) -> Option<Time>) -> Time {
        let met =
            |before: &Dependency| Some(reached(before.on, before.milestone)?.saturating_add(before.delay));
        let all = self.needed == self.on.len();
        self.on.iter().filter(|_| all).filter_map(met).fold(self.earliest, Time::max)
    }

    /// Returns the same condition under other identities of jobs.
    #[must_use]
    pub fn relabelled(&self, identity: impl Fn(JobId) -> JobId) -> Condition {
        let mut condition = self.clone();
        for before in &mut condition.on {
            before.on = identity(before.on);
        }
        if let Some(throttle) = &mut condition.throttle {
            throttle.tasks = throttle.tasks.iter().map(|&task| identity(task)).collect();
        }
        condition
    }
}

/// The conditions of the jobs of a workload that depend on others, in the order of these jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependencies(Vec<(JobId, Condition)>);

impl Dependencies {
    /// Returns the conditions of some jobs, if there are any.
    pub(super) fn new(mut conditions: Vec<(JobId, Condition)>) -> Option<Dependencies> {
        conditions.arrange_by_key(|&(job, _)| job);
        (!conditions.is_empty()).then_some(Dependencies(conditions))
    }

    /// Returns the jobs with their conditions, in the order of submission.
    pub(super) fn all(&self) -> &[(JobId, Condition)] {
        &self.0
    }
}

/// Returns the conditions of some jobs, as if there were no other jobs: those that `place` knows are renumbered, and dependencies
/// on other jobs dropped.
pub(super) fn among<'a>(
    conditions: impl Iterator<Item = (JobId, &'a Condition)>,
    place: impl Fn(JobId) -> Option<JobId>,
) -> Vec<(JobId, Condition)> {
    let mut arrays: HashMap<*const JobId, Arc<[JobId]>> = HashMap::new();
    let condition = |(job, condition): (JobId, &Condition)| {
        let job = place(job)?;
        let placed = |on: &Dependency| Some(Dependency { on: place(on.on)?, ..*on });
        let on: Vec<Dependency> = condition.on.iter().filter_map(placed).collect();
        let needed = condition.needed.min(on.len());
        let throttle = condition.throttle.as_ref().and_then(|throttle| {
            let tasks = arrays.entry(throttle.tasks.as_ptr());
            let tasks =
                tasks.or_insert_with(|| throttle.tasks.iter().filter_map(|&task| place(task)).collect());
            throttle.among(tasks.clone(), |task| place(task).is_some())
        });
        Some((job, Condition { earliest: condition.earliest, needed, on, throttle }))
    };
    conditions.filter_map(condition).collect()
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

    #[test]
    fn a_task_enters_when_enough_tasks_of_its_array_have_left() {
        let ends = [Some(40), Some(10), Some(30), None, None].map(|end| end.map(Time::from_secs));
        let entry = |place, at_most| {
            let throttle = Some(Throttle { tasks: (0..5).map(JobId).collect(), place, at_most });
            let condition = Condition { throttle, ..Condition::all(Time::from_secs(15), Vec::new()) };
            condition.entry(|job, _| ends[job.index()]).map(Time::secs)
        };
        // With two at a time, the third task enters when one has left, and the fourth when two have.
        assert_eq!([entry(2, 2), entry(3, 2), entry(4, 2)], [Some(15.0), Some(30.0), Some(40.0)]);
        assert_eq!(entry(4, 1), None, "four tasks have not left");
    }
}
