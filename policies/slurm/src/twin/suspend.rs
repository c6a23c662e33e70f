//! Running jobs that stop for jobs of higher tiers, and go on when these are gone (`PreemptMode=SUSPEND,GANG`).
//!
//! Source: `gs_job_start` and `gs_job_fini` (`gang.c`) of Slurm 22.05.

use super::controller::Twin;
use super::gang::GangSwitch;
use super::queue::Waiting;
use batchlab_policies::journal::{Preemption, Why};
use batchlab_policies::placement::Placement;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;

impl Twin {
    /// Starts a job on nodes where jobs of lower tiers may run: these stop.
    pub(super) fn launch_over(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
        why: Why,
    ) -> Result<(), PolicyError> {
        self.queue.remove(job.job);
        self.preempting.forget(job.job);
        self.has_changed();
        self.holds(turn, job, placement);
        let changes = self.space.turn(turn.now());
        self.stop(turn, job, &changes)?;
        turn.place_over(job.job, placement, why)?;
        go_on(turn, &changes)
    }

    /// Lets jobs go on whose processors others have left.
    pub(super) fn take_turns(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if !self.space.suspends() {
            return Ok(());
        }
        let changes = self.space.turn(turn.now());
        for change in &changes {
            if let GangSwitch::Stops(job) = *change {
                turn.suspend(job)?;
            }
        }
        go_on(turn, &changes)
    }

    /// Stops jobs for another one. Those of partitions with another `PreemptMode` lose their nodes.
    fn stop(&mut self, turn: &mut Turn<'_>, by: &Waiting, changes: &[GangSwitch]) -> Result<(), PolicyError> {
        for change in changes {
            let GangSwitch::Stops(job) = *change else { continue };
            match self.site.preemptible(turn.job(job)) {
                Some(how) => {
                    let at = turn.now();
                    turn.preempt(job, Preemption { by: by.job, how: how.preempted, at });
                }
                None => turn.suspend(job)?,
            }
        }
        Ok(())
    }
}

fn go_on(turn: &mut Turn<'_>, changes: &[GangSwitch]) -> Result<(), PolicyError> {
    for change in changes {
        if let GangSwitch::GoesOn(job) = *change {
            turn.resume(job)?;
        }
    }
    Ok(())
}
