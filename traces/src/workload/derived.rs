//! Workloads of jobs of others: windows, sections of a stream, the jobs of a standing, jobs in the order of their entry, and the same
//! jobs with other values.
//!
//! Those of some jobs are made by [`Workload::append`], the one place that names every column.

use std::ops::Range;
use std::sync::Arc;

use super::dependency::{Condition, Dependencies, Dependency, Preceding, among};
use super::interactive::{Interactive, InteractiveRule};
use super::{JobId, Standing, Workload};
use crate::expr::ExprError;
use crate::layout::{Layout, LayoutColumn};
use crate::{Machine, Time};

impl Workload {
    /// Returns the jobs for which `drops` is false at their position, with their order and values, and without dependencies
    /// on other jobs.
    pub fn without(&self, drops: &[bool]) -> Workload {
        let kept: Vec<usize> =
            (0..self.len()).filter(|&at| !drops.get(at).copied().unwrap_or(false)).collect();
        self.among(&kept)
    }

    /// Returns the jobs of a range of positions in the order of submission, as [`Workload::without`] does. O(jobs returned).
    ///
    /// # Panics
    /// When the range goes beyond the last job.
    pub fn section(&self, positions: Range<usize>) -> Workload {
        assert!(positions.end <= self.len(), "the range is within the workload");
        let kept: Vec<usize> = positions.collect();
        self.among(&kept)
    }

    /// Returns the same jobs, submitted later by the given times, in the order of submission.
    ///
    /// # Panics
    /// Unless there is one time for each job, and the order of submission stays.
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
    pub fn before_entries(&self) -> Workload {
        let interactive = self.interactive.as_deref().map(|known| Arc::new(known.with_members(Vec::new())));
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

    /// Returns the jobs at these positions, which are ascending, as if there were no others.
    fn among(&self, kept: &[usize]) -> Workload {
        let place = |job: JobId| {
            let at = kept.binary_search(&self.position(job)).ok()?;
            Some(JobId(u32::try_from(at).unwrap_or(u32::MAX)))
        };
        let conditions = self.conditions().iter().map(|(job, condition)| (*job, condition));
        self.gather(kept).with_conditions(among(conditions, place))
    }

    /// Returns the jobs of a standing, for a replay that goes on from it: first the running jobs in the order of their
    /// starts, then the waiting jobs in the order of submission, then the jobs to come.
    ///
    /// A replay sees each running job at its start, the waiting jobs at the instant of the standing, and the jobs to come when
    /// they are eligible ([`Workload::seen`]). So a policy finds a running job alone in the queue when it comes, and with room;
    /// when the waiting jobs come, all running jobs are on the machine. The waiting jobs have waited since their submission,
    /// and users do not cancel them. Jobs depend only on jobs of the standing; [`Standing::coming`] accounts for the others.
    pub fn standing(&self, standing: &Standing) -> Workload {
        let kept: Vec<usize> = standing.jobs().map(|job| self.position(job)).collect();
        let seen = standing.running.iter().map(|&(start, _)| start);
        let seen = seen.chain(standing.waiting.iter().map(|_| standing.now));
        let seen = seen.chain(standing.coming.iter().map(|&(earliest, _)| earliest)).collect();
        let stood = Workload { seen, patience: Vec::new(), ..self.gather(&kept) };
        if self.conditions().is_empty() || standing.coming.is_empty() {
            return stood;
        }
        stood.with_conditions(standing.conditions(self))
    }

    /// Returns the same jobs, some of them bound to given nodes of a machine regardless of their constraints. O(n) for each
    /// of these jobs and n nodes.
    pub fn bound<'a>(
        mut self,
        machine: &Machine,
        jobs: impl IntoIterator<Item = (JobId, &'a [usize])>,
    ) -> Workload {
        let count = self.len();
        for (job, on) in jobs {
            let at = self.position(job);
            self.sites.bind(at, count, on, machine);
        }
        self
    }

    /// Returns the same jobs, some with conditions on their entry into the queue. A condition that closes a circle is never met.
    pub fn with_conditions(self, conditions: Vec<(JobId, Condition)>) -> Workload {
        Workload { dependencies: Dependencies::new(conditions).map(Arc::new), ..self }
    }

    /// Returns the same jobs, with interactive jobs by a rule instead of the default rule. O(n), plus a sort for a share.
    ///
    /// # Errors
    /// When the condition uses a name that jobs of this machine do not have.
    pub fn with_interactive(self, rule: &InteractiveRule, machine: &Machine) -> Result<Workload, ExprError> {
        let interactive = Some(Arc::new(Interactive::of(&self, rule, machine)?));
        Ok(Workload { interactive, ..self })
    }

    /// Returns the same jobs in tasks of `procs` processors each (at least 1): on a machine with nodes a job
    /// is ceil(procs / T) tasks, each on a single node; the last task has the remaining processors.
    pub fn in_tasks_of(self, procs: i64) -> Workload {
        Workload { task_procs: procs.max(1), layouts: LayoutColumn::default(), ..self }
    }

    /// Returns the same jobs with a layout each, given in the order of submission, for a machine with nodes; on a pool jobs
    /// have none.
    ///
    /// # Panics
    /// Unless there is one layout for each job, which has all its processors.
    pub fn laid_out(self, layouts: &[Layout]) -> Workload {
        assert_eq!(layouts.len(), self.len(), "a layout for each job");
        let mut column = LayoutColumn::default();
        for (job, &layout) in self.jobs().zip(layouts) {
            let procs = layout.task * layout.tasks + layout.rest * layout.rests;
            assert_eq!(procs, self.procs(job), "{layout:?} of {job:?}");
            column.push(layout);
        }
        Workload { layouts: column, ..self }
    }

    /// Returns the same jobs with other demands: `change` gets the amounts of each job in turn.
    pub fn with_demands(mut self, mut change: impl FnMut(JobId, &mut [i64])) -> Workload {
        for job in self.jobs() {
            let at = self.position(job) * self.kinds;
            change(job, &mut self.demand[at..at + self.kinds]);
        }
        self
    }

    /// Returns the same jobs with the numbers by which a machine admits them, by their rows in the trace; -1 for that of the
    /// job's partition.
    pub fn with_admissions(self, by_row: &[i64]) -> Workload {
        let of = |job| by_row.get(self.row(job)).copied().unwrap_or(-1);
        let admissions: Vec<i64> = self.jobs().map(of).collect();
        let is_told = admissions.iter().any(|&number| number >= 0);
        Workload { admissions: if is_told { admissions } else { Vec::new() }, ..self }
    }

    /// Returns the same jobs, some of them cancelled by their users: `patience` states how long after its entry into the
    /// queue, for each job.
    ///
    /// # Panics
    /// Unless there is one value for each job.
    pub fn with_patience(self, patience: &[Option<Time>]) -> Workload {
        assert_eq!(patience.len(), self.len(), "a patience or none for each job");
        let any = patience.iter().any(Option::is_some);
        let times = patience.iter().map(|patience| patience.unwrap_or(Time::MAX));
        Workload { patience: if any { times.collect() } else { Vec::new() }, ..self }
    }

    /// Returns the same jobs in tiers, given by their rows in the trace.
    pub fn with_tiers(self, by_row: &[i32]) -> Workload {
        let same = by_row.windows(2).all(|pair| pair[0] == pair[1]);
        let of = |job| by_row.get(self.row(job)).copied().unwrap_or(0);
        Workload { tiers: if same { Vec::new() } else { self.jobs().map(of).collect() }, ..self }
    }

    /// Returns the same jobs with the run time as the estimate: the input of a clairvoyant twin.
    pub fn clairvoyant(&self) -> Workload {
        Workload { estimate: Vec::new(), ..self.clone() }
    }

    /// Returns the same jobs with other run times, given in the order of submission; all other values are unchanged.
    ///
    /// # Panics
    /// Unless there is one run time for each job.
    pub fn with_runs(&self, run: Vec<Time>) -> Workload {
        assert_eq!(run.len(), self.len(), "a run time for each job");
        let estimate = if self.estimate.is_empty() { self.run.clone() } else { self.estimate.clone() };
        Workload { run, estimate, ..self.clone() }
    }

    /// Returns the jobs at these positions, in this order; no job depends on another.
    fn gather(&self, kept: &[usize]) -> Workload {
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
        #[rustfmt::skip]
        let Workload {
            submit, submitted, seen, run, estimate, unlimited, demand, rows, numbers, attributes, memory, patience,
            sites, tiers, admissions, own, kinds, layouts: _, interactive: _, first: _, killed_at_limit: _, task_procs: _,
            meanings: _, dependencies: _, preceding: _,
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
        extend((own, &of.own), jobs, |_| -1, |_| -1);
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
            self.interactive = Some(Arc::new(known.with_members(members)));
        }
        if let Some(known) = &mut self.interactive {
            let more = positions.iter().map(|&at| of.is_interactive(of.job_at(at)));
            Arc::make_mut(known).extend(more);
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
