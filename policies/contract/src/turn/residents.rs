//! The verbs for jobs on the machine: which of them run, one by one or in rows, and which end; and the rejection of jobs.

use batchlab_traces::{JobId, Time};

use super::Turn;
use crate::cluster::{Cluster, State};
use crate::cycle::{Cycle, CycleChanges};
use crate::journal::{Act, Why};
use crate::placement::{Placement, Rate};
use crate::refused::{Reason, Refused};
use crate::stage::Effect;
use crate::tally;

impl Turn<'_> {
    /// Suspends a running job in place: its resources are lent to jobs that the policy starts there, and are not free.
    ///
    /// # Errors
    /// When the job does not run.
    pub fn suspend(&mut self, job: JobId) -> Result<(), Refused> {
        let done = self.stage.cluster.suspend(job, self.now);
        self.carry_out("suspend", done, Effect::Rated(job), (job, Act::Suspended))?;
        self.tally(tally::PREEMPTED_SUSPENDED);
        Ok(())
    }

    /// Resumes a job suspended in place, if no running job has its processors.
    ///
    /// # Errors
    /// When the job is not suspended.
    pub fn resume(&mut self, job: JobId) -> Result<(), Refused> {
        let done = self.stage.cluster.resume(job, self.now);
        self.carry_out("resume", done, Effect::Resumed(job), (job, Act::Resumed))?;
        self.stage.resumes_at(job, self.now);
        Ok(())
    }

    /// Changes a resident job's rate: [`Rate::PAUSED`] suspends it where it is, [`Rate::FULL`] resumes it.
    ///
    /// # Errors
    /// When the job is not resident, a time resource would be oversubscribed, or time sharing was not declared.
    pub fn set_rate(&mut self, job: JobId, rate: Rate) -> Result<(), Refused> {
        self.must_share_time("set the rate of", job)?;
        let done = self.stage.cluster.set_rate(job, rate, self.now);
        self.carry_out("set the rate of", done, Effect::Rated(job), (job, Act::Rated))
    }

    /// Makes exactly these resident jobs run at full speed and pauses all others, in one step: a gang's row
    /// switch. Nothing changes if it is refused.
    ///
    /// # Errors
    /// When one of the jobs is not resident, together they oversubscribe a time resource, or time sharing was not declared.
    pub fn run_only(&mut self, row: &[JobId]) -> Result<(), Refused> {
        let first = row.first().copied().unwrap_or(JobId(0));
        self.must_share_time("run only", first)?;
        let changed = self.stage.cluster.run_only(row, self.now);
        for job in changed.map_err(|reason| self.refused("run only", first, reason))? {
            self.stage.effects.push(Effect::Rated(job));
            self.note(job, Act::Rated);
        }
        Ok(())
    }

    /// Runs resident jobs in turns from now on, row after row, a slice each; a resident job in no row is paused. Before that,
    /// `places` puts waiting jobs on the machine and moves resident ones, all in one step.
    ///
    /// The current slice is cut short. Each slice begins with a context switch. A job that moves owes the cost C of a migration
    /// before it makes progress; a job that [`Cycle::checkpoints`] names as waiting owes C/2 (Zhang et al. 2000, equations 4 and
    /// 5). Nothing changes if the cycle is refused. O(Σ processors).
    ///
    /// # Errors
    /// When a job of a row is not resident, is being swapped, or is in the row twice; when jobs of a row
    /// share a processor or exceed another time resource; when a placement does not cover its job or exceeds
    /// a space resource; when time sharing was not declared.
    pub fn cycle(&mut self, cycle: &Cycle, places: &[(JobId, Placement)]) -> Result<(), Refused> {
        let first = cycle.rows.iter().flatten().next().copied().unwrap_or(JobId(0));
        self.take_turns(first, places, |cluster, now| cluster.cycle(cycle, places, now))
    }

    /// Changes the rows that take turns as [`Turn::cycle`] does, if most jobs stay in the rows of the last cycle. O(Σ
    /// processors of the jobs in `changes` and `places`).
    ///
    /// # Errors
    /// As [`Turn::cycle`].
    pub fn change_cycle(
        &mut self,
        changes: &CycleChanges,
        places: &[(JobId, Placement)],
    ) -> Result<(), Refused> {
        let first = changes.jobs.first().map_or(JobId(0), |&(job, _)| job);
        self.take_turns(first, places, |cluster, now| cluster.change_cycle(changes, places, now))
    }

    fn take_turns(
        &mut self,
        first: JobId,
        places: &[(JobId, Placement)],
        cycle: impl FnOnce(&mut Cluster, Time) -> Result<(), (JobId, Reason)>,
    ) -> Result<(), Refused> {
        self.must_share_time("take turns with", first)?;
        let moved: Vec<bool> = places.iter().map(|&(job, _)| self.state(job) == State::Resident).collect();
        let done = cycle(&mut self.stage.cluster, self.now);
        done.map_err(|(job, reason)| self.refused("take turns with", job, reason))?;
        for (&(job, _), moved) in places.iter().zip(moved) {
            self.stage.effects.push(if moved { Effect::Rated(job) } else { Effect::Placed(job) });
            self.watch_swap(job);
            self.note(job, if moved { Act::Rated } else { Act::Started(Why::Unstated) });
        }
        Ok(())
    }

    /// Takes a resident job off the machine; it waits again, with its progress kept (swapped out) or lost.
    ///
    /// # Errors
    /// When the job is not resident or is being swapped out already, or time sharing was not declared.
    pub fn displace(&mut self, job: JobId, keep_progress: bool) -> Result<(), Refused> {
        self.must_share_time("displace", job)?;
        let done = self.stage.cluster.displace(job, keep_progress, self.now);
        match done.map_err(|reason| self.refused("displace", job, reason))? {
            Some(until) => {
                self.stage.effects.extend([Effect::Rated(job), Effect::Swapping(job, until)]);
            }
            None => self.stage.effects.push(Effect::Displaced(job)),
        }
        self.note(job, Act::Displaced);
        Ok(())
    }

    /// Ends a waiting or resident job for good. A job that has never been on the machine has no start that could be measured: it
    /// counts as rejected. In both cases the next decision gets [`Event::Killed`](crate::event::Event::Killed).
    ///
    /// # Errors
    /// When the job has not been submitted or has ended.
    pub fn kill(&mut self, job: JobId) -> Result<(), Refused> {
        if self.stage.cluster.reject(job).is_ok() {
            return self.count_rejected("kill", Effect::Killed(job), (job, ""));
        }
        let done = self.stage.cluster.end(job, self.now);
        self.carry_out("kill", done, Effect::Killed(job), (job, Act::Killed))
    }

    /// States which processors a job has, for schedules and figures: ranges of numbers from 0, both ends among them, ascending,
    /// through all nodes in their order. The machine counts processors and does not number them.
    pub fn name_processors(&mut self, job: JobId, ranges: Vec<(u32, u32)>) {
        self.stage.processors.insert(job, ranges);
    }

    /// Describes a job in the policy's own words, for schedules; the last words stand.
    pub fn describe(&mut self, job: JobId, words: String) {
        self.stage.descriptions.insert(job, words);
    }

    /// Rejects a waiting job for good: it is counted, holds nothing, and is not measured.
    ///
    /// For jobs that the policy can never serve. It causes no event.
    ///
    /// # Errors
    /// When the job does not wait, or has been on the machine.
    pub fn reject(&mut self, job: JobId) -> Result<(), Refused> {
        self.reject_as(job, "")
    }

    /// Rejects a waiting job for a reason that follows "jobs" in a table's note: "larger than the largest block".
    ///
    /// # Errors
    /// As [`Turn::reject`].
    pub fn reject_as(&mut self, job: JobId, reason: &'static str) -> Result<(), Refused> {
        self.stage.cluster.reject(job).map_err(|why| self.refused("reject", job, why))?;
        self.count_rejected("reject", Effect::Rejected(job), (job, reason))
    }

    fn count_rejected(
        &mut self,
        verb: &'static str,
        effect: Effect,
        (job, reason): (JobId, &'static str),
    ) -> Result<(), Refused> {
        self.carry_out(verb, Ok(()), effect, (job, Act::Rejected(reason)))?;
        *self.stage.rejected.entry(reason).or_default() += 1;
        Ok(())
    }

    /// Passes the effect of a verb on to the clock and records it, if the cluster has not refused the verb.
    fn carry_out(
        &mut self,
        verb: &'static str,
        done: Result<(), Reason>,
        effect: Effect,
        (job, act): (JobId, Act),
    ) -> Result<(), Refused> {
        done.map_err(|reason| self.refused(verb, job, reason))?;
        self.stage.effects.push(effect);
        self.note(job, act);
        Ok(())
    }
}
