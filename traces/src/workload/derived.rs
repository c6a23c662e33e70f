//! Workloads of some jobs of others: windows, sections of a stream, the jobs of a standing, jobs in the order of their entry.
//!
//! All are made by [`Workload::append`], the one place that names every column.

use std::ops::Range;
use std::sync::Arc;

use super::interactive::Interactive;
use super::{Dependency, JobId, Preceding, Workload};
use crate::time::Time;

impl Workload {
    /// Returns the jobs for which `drops` is false at their position, with their order and values, and without dependencies
    /// on other jobs.
    #[must_use]
    pub fn without(&self, drops: &[bool]) -> Workload {
        let kept: Vec<usize> =
            (0..self.len()).filter(|&at| !drops.get(at).copied().unwrap_or(false)).collect();
        self.gather(&kept).with_conditions(self.conditions_of(&kept))
    }

    /// Returns the jobs of a range of positions in the order of submission, as [`Workload::without`] does. O(jobs returned).
    ///
    /// # Panics
    /// When the range goes beyond the last job.
    #[must_use]
    pub fn section(&self, positions: Range<usize>) -> Workload {
        assert!(positions.end <= self.len(), "the range is within the workload");
        let kept: Vec<usize> = positions.collect();
        self.gather(&kept).with_conditions(self.conditions_of(&kept))
    }

    /// Returns the same jobs, submitted later by the given times, in the order of submission.
    ///
    /// # Panics
    /// When there is not one time for each job, or the order changes.
    #[must_use]
    pub fn submitted_later(&self, by: &[Time]) -> Workload {
        assert_eq!(by.len(), self.len(), "a time for each job");
        let later = |times: &[Time]| times.iter().zip(by).map(|(&at, &by)| at + by).collect::<Vec<Time>>();
        let submit = later(&self.submit);
        assert!(submit.is_sorted(), "the order of submission stays");
        Workload { submit, submitted: later(&self.submitted), ..self.clone() }
    }

    /// Returns the next section of a stream: the jobs from `from` on, followed by those of another workload, which
    /// are numbered on. Jobs have no conditions. O(jobs of the section).
    ///
    /// # Panics
    /// When the jobs demand different numbers of resources.
    #[must_use]
    pub fn onward(&self, from: JobId, more: &Workload) -> Workload {
        assert_eq!(self.kinds, more.kinds, "all jobs of a stream demand the same resources");
        let kept: Vec<usize> = (self.position(from)..self.len()).collect();
        let all: Vec<usize> = (0..more.len()).collect();
        let killed_at_limit = self.killed_at_limit + more.killed_at_limit;
        let mut section = Workload { first: from.0, killed_at_limit, ..self.empty() };
        section.append(self, &kept);
        section.append(more, &all);
        section
    }

    /// Returns a workload without jobs, to be filled by [`Workload::enter`] with jobs of this one.
    #[must_use]
    pub fn before_entries(&self) -> Workload {
        let rule = |known: &Interactive| Interactive { rule: known.rule.clone(), members: Vec::new() };
        let interactive = self.interactive.as_deref().map(rule).map(Arc::new);
        Workload { interactive, sites: self.sites.without_jobs(), ..self.empty() }
    }

    /// Adds a job of another workload, which enters the queue at an instant that is not before that of the last job
    /// added. Returns its identity here: its position in the order of entry. O(resources).
    pub fn enter(&mut self, of: &Workload, job: JobId, at: Time) -> JobId {
        let entered = self.end();
        self.append(of, &[of.position(job)]);
        // A job that waited before the replay has waited since its submission.
        let has_waited = !of.seen.is_empty() && of.condition(job).is_none();
        if let Some(submit) = self.submit.last_mut() {
            *submit = if has_waited { of.submit(job).min(at) } else { at };
        }
        self.seen.clear();
        if self.submitted.len() < self.len() {
            self.submitted.push(of.submitted(job));
        }
        let condition = of.condition(job).map_or(&[][..], |condition| &condition.on);
        let preceding = |on: &Dependency| Preceding { number: of.number(on.on), milestone: on.milestone };
        self.preceding.push(condition.iter().map(preceding).collect());
        entered
    }

    /// Returns the jobs at these positions, in this order; no job depends on another.
    pub(super) fn gather(&self, kept: &[usize]) -> Workload {
        let mut gathered = self.empty();
        gathered.append(self, kept);
        gathered
    }

    /// Returns what the jobs have in common, without jobs.
    fn empty(&self) -> Workload {
        Workload {
            kinds: self.kinds,
            killed_at_limit: self.killed_at_limit,
            task_procs: self.task_procs,
            meanings: self.meanings.clone(),
            ..Workload::default()
        }
    }

    /// Adds the jobs at some positions of another workload with all their values, except the conditions of their entry,
    /// which name other jobs. O(jobs).
    fn append(&mut self, of: &Workload, positions: &[usize]) {
        let before = self.len();
        self.append_layouts(of, positions);
        self.append_classes(of, positions);
        // Every column is named here, so that a new column does not compile until it is copied.
        let Workload {
            submit,
            submitted,
            seen,
            run,
            estimate,
            unlimited,
            demand,
            rows,
            numbers,
            attributes,
            memory,
            patience,
            sites,
            tiers,
            admissions,
            kinds,
            layouts: _,
            interactive: _,
            first: _,
            killed_at_limit: _,
            task_procs: _,
            meanings: _,
            dependencies: _,
            preceding: _,
        } = self;
        let jobs = (before, positions);
        extend((submitted, &of.submitted), jobs, |at| submit[at], |at| of.submit[at]);
        extend((seen, &of.seen), jobs, |at| submit[at], |at| of.submit[at]);
        extend((estimate, &of.estimate), jobs, |at| run[at], |at| of.run[at]);
        extend((unlimited, &of.unlimited), jobs, |_| false, |_| false);
        extend((memory, &of.memory), jobs, |_| -1, |_| -1);
        extend((patience, &of.patience), jobs, |_| Time::MAX, |_| Time::MAX);
        extend((tiers, &of.tiers), jobs, |_| 0, |_| 0);
        extend((admissions, &of.admissions), jobs, |_| -1, |_| -1);
        sites.append(before, &of.sites, positions);
        for &at in positions {
            submit.push(of.submit[at]);
            run.push(of.run[at]);
            demand.extend_from_slice(&of.demand[at * *kinds..(at + 1) * *kinds]);
            rows.push(of.rows.get(at));
            numbers.push(of.numbers.get(at));
            for (own, other) in attributes.iter_mut().zip(&of.attributes) {
                own.push(other.get(at));
            }
        }
    }

    /// Adds the layouts of the jobs at some positions of another workload, if a job has one of its own.
    fn append_layouts(&mut self, of: &Workload, positions: &[usize]) {
        if self.layouts.is_empty() && of.layouts.is_empty() {
            return;
        }
        if self.layouts.is_empty() {
            for job in self.jobs() {
                let layout = self.layout(job);
                self.layouts.push(layout);
            }
        }
        for &at in positions {
            self.layouts.push(of.layout(of.job_at(at)));
        }
    }

    /// Adds which jobs at some positions of another workload are interactive, unless both workloads have the default rule.
    fn append_classes(&mut self, of: &Workload, positions: &[usize]) {
        if self.interactive.is_none() {
            let Some(known) = &of.interactive else { return };
            let members = self.jobs().map(|job| self.is_interactive(job)).collect();
            self.interactive = Some(Arc::new(Interactive { rule: known.rule.clone(), members }));
        }
        if let Some(known) = &mut self.interactive {
            let more = positions.iter().map(|&at| of.is_interactive(of.job_at(at)));
            Arc::make_mut(known).members.extend(more);
        }
    }
}

/// Appends to a column the values at some positions of another column, behind the values of `before` jobs. A column is empty
/// if no job has a value; `here` and `there` return the values of such jobs.
fn extend<T: Copy>(
    (own, of): (&mut Vec<T>, &[T]),
    (before, positions): (usize, &[usize]),
    here: impl Fn(usize) -> T,
    there: impl Fn(usize) -> T,
) {
    if own.is_empty() && of.is_empty() {
        return;
    }
    own.extend((own.len()..before).map(here));
    own.extend(positions.iter().map(|&at| of.get(at).copied().unwrap_or_else(|| there(at))));
}

#[cfg(test)]
mod tests;
