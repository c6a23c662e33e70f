//! Rows that take turns: the verbs of gang scheduling.

use batchlab_traces::{JobId, Time};

use super::Turn;
use crate::cluster::{Cluster, State};
use crate::cycle::{Cycle, CycleChanges};
use crate::journal::{Act, Why};
use crate::placement::Placement;
use crate::refused::{Reason, Refused};
use crate::stage::Effect;

impl Turn<'_> {
    /// Runs resident jobs in turns from now on, row after row, a slice each; a resident job in no row is
    /// paused. Before that, `places` puts waiting jobs on the machine and moves resident ones, all in one
    /// step.
    ///
    /// The current slice is cut short. Each slice begins with a context switch. A job that moves owes the
    /// cost C of a migration before it makes progress; a job that [`Cycle::checkpoints`] names as waiting
    /// owes C/2 (Zhang et al. 2000, equations 4 and 5). Nothing changes if the cycle is refused. O(Σ
    /// processors).
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
        let now = self.now;
        let moved: Vec<bool> = places.iter().map(|&(job, _)| self.state(job) == State::Resident).collect();
        let done = cycle(&mut self.stage.cluster, now);
        done.map_err(|(job, reason)| self.refused("take turns with", job, reason))?;
        for (&(job, _), moved) in places.iter().zip(moved) {
            self.stage.effects.push(if moved { Effect::Rated(job) } else { Effect::Placed(job) });
            self.watch_swap(job);
            self.stage.note(now, job, if moved { Act::Rated } else { Act::Started(Why::Unstated) });
        }
        Ok(())
    }
}
