//! Starts of waiting jobs, and the limits that they count towards.

use batchlab_traces::{JobId, Time};

use super::Turn;
use crate::cluster::{Placed, State};
use crate::journal::{Act, Why};
use crate::limits::guard::Guard;
use crate::placement::{Placement, Rate};
use crate::priorities::claims::Claims;
use crate::refused::Refused;
use crate::stage::Effect;

impl Turn<'_> {
    /// Starts a waiting job on the pool, at full speed.
    ///
    /// # Errors
    /// When the job does not wait, or the pool would be oversubscribed.
    pub fn start(&mut self, job: JobId) -> Result<Placed, Refused> {
        self.start_as(job, Why::Unstated)
    }

    /// Starts a waiting job on the pool, at full speed, by a rule that the journal records.
    ///
    /// # Errors
    /// As [`Turn::start`].
    pub fn start_as(&mut self, job: JobId, why: Why) -> Result<Placed, Refused> {
        let now = self.now;
        if self.must_wait(job, None) {
            return Ok(Placed::Passing);
        }
        let started = self.stage.cluster.start(job, now);
        started.map_err(|reason| self.refused("place", job, reason))?;
        self.counts(job);
        self.stage.effects.push(Effect::Placed(job));
        self.stage.note(now, job, Act::Started(why));
        Ok(self.pass(job))
    }

    /// Puts a waiting job on nodes at a rate, or moves a resident one there.
    ///
    /// # Errors
    /// When the job has ended or is unknown, the placement does not cover it, a node would be
    /// oversubscribed, or a rate below full speed or a move was not declared.
    pub fn place(&mut self, job: JobId, placement: &Placement, rate: Rate) -> Result<Placed, Refused> {
        self.place_as(job, placement, rate, Why::Unstated)
    }

    /// Puts a job on nodes by a rule that the journal records.
    ///
    /// # Errors
    /// As [`Turn::place`].
    pub fn place_as(
        &mut self,
        job: JobId,
        placement: &Placement,
        rate: Rate,
        why: Why,
    ) -> Result<Placed, Refused> {
        let (now, moved) = (self.now, self.state(job) == State::Resident);
        if moved || rate != Rate::FULL {
            self.must_share_time("place", job)?;
        }
        if self.must_wait(job, Some(placement)) {
            return Ok(Placed::Passing);
        }
        let placed = self.stage.cluster.place(job, placement, rate, now);
        placed.map_err(|reason| self.refused("place", job, reason))?;
        if !moved {
            self.counts(job);
        }
        self.stage.effects.push(if moved { Effect::Rated(job) } else { Effect::Placed(job) });
        self.watch_swap(job);
        self.stage.note(now, job, if moved { Act::Rated } else { Act::Started(why) });
        // A job placed with rate 0 cannot end before it runs.
        Ok(if rate == Rate::PAUSED { Placed::Holds } else { self.pass(job) })
    }

    /// Returns until when a reservation is open, and what its jobs may take on each node; `None` if it is not open.
    pub fn room_kept(&self, reservation: usize) -> Option<(Time, Vec<Vec<i64>>)> {
        self.stage.cluster.room_kept(reservation)
    }

    /// Starts a waiting job in an open reservation, if limits on running jobs admit it. Returns whether it has started.
    ///
    /// # Errors
    /// When the reservation has no room there, and as [`Turn::place`].
    pub fn start_kept(
        &mut self,
        job: JobId,
        reservation: usize,
        placement: &Placement,
    ) -> Result<bool, Refused> {
        let workload = self.stage.cluster.workload();
        if self.guard.as_mut().is_some_and(|guard| !guard.has_room(workload, job, self.now)) {
            return Ok(false);
        }
        let lent = self.stage.cluster.lend(job, reservation, placement);
        lent.map_err(|reason| self.refused("place", job, reason))?;
        let placed = self.place_as(job, placement, Rate::FULL, Why::Kept);
        if placed.is_err() {
            self.stage.cluster.reclaim(job);
        }
        placed.map(|_| true)
    }

    /// Starts a waiting job on nodes, in free resources and in resources that suspended jobs gave back, if limits on running
    /// jobs admit it.
    ///
    /// # Errors
    /// As [`Turn::place`].
    pub fn take_over(&mut self, job: JobId, placement: &Placement) -> Result<Option<Placed>, Refused> {
        let workload = self.stage.cluster.workload();
        if self.guard.as_mut().is_some_and(|guard| !guard.has_room(workload, job, self.now)) {
            return Ok(None);
        }
        self.place_over(job, placement, Why::Lent).map(Some)
    }

    /// Starts a waiting job on nodes by a rule that the journal records, in free resources and in resources that suspended
    /// jobs gave back. The caller ensures that no other running job has these.
    ///
    /// # Errors
    /// As [`Turn::place`].
    pub fn place_over(&mut self, job: JobId, placement: &Placement, why: Why) -> Result<Placed, Refused> {
        let now = self.now;
        let lent = self.stage.cluster.lend_suspended(job, placement);
        let placed = self.stage.cluster.place(job, placement, Rate::FULL, now);
        self.stage.cluster.take_back_lent(&lent);
        placed.map_err(|reason| self.refused("place", job, reason))?;
        self.counts(job);
        self.stage.effects.push(Effect::Placed(job));
        self.stage.note(now, job, Act::Started(why));
        Ok(self.pass(job))
    }

    /// Whether a limit on running jobs, or room that is kept for a job that preempts others, holds back a waiting job. For
    /// the policy the job is then gone, as if it had passed: it holds nothing, and is submitted again when there is room.
    #[inline]
    fn must_wait(&mut self, job: JobId, placement: Option<&Placement>) -> bool {
        if self.guard.is_none() && self.stage.claims.is_none() || self.state(job) != State::Waiting {
            return false;
        }
        let cluster = &self.stage.cluster;
        if self.guard.as_mut().is_some_and(|guard| !guard.admits(cluster.workload(), job, self.now)) {
            return true;
        }
        let keeps_out = |claims: &mut Box<Claims>| claims.keep_out(cluster, job, placement);
        let kept_out = self.stage.claims.as_mut().is_some_and(keeps_out);
        if kept_out {
            self.stage.note(self.now, job, Act::KeptOut);
        }
        kept_out
    }

    /// Declares that the policy asks [`Turn::is_within_limits`] before each start: then starts after one that exhausts a
    /// limit count, too. Returns whether there are limits on running jobs.
    pub fn heeds_limits(&mut self) -> bool {
        self.guard.as_deref_mut().map(Guard::heed).is_some()
    }

    /// Whether a start has exhausted a limit for which other jobs wait: further starts of this decision do not count, and the
    /// policy decides again.
    #[inline]
    pub fn has_exhausted_limits(&self) -> bool {
        self.guard.as_ref().is_some_and(|guard| guard.is_exhausted())
    }

    /// Whether limits let a job start now, on the given number of nodes (by default, the number that it asked for), beside
    /// running and other jobs.
    pub fn is_within_limits(&mut self, job: (JobId, Option<i64>), others: &[(JobId, i64)]) -> bool {
        let workload = self.stage.cluster.workload();
        self.guard.as_mut().is_none_or(|guard| guard.has_room_beside(workload, job, others, self.now))
    }

    #[inline]
    fn counts(&mut self, job: JobId) {
        if let Some(guard) = &mut self.guard {
            guard.starts(&self.stage.cluster, job, self.now);
        }
    }

    /// In the event orders in which jobs leave at their expected end, a job with a run time of zero leaves at once.
    #[inline]
    fn pass(&mut self, job: JobId) -> Placed {
        if self.stage.passing
            && self.workload().run(job) == Time::ZERO
            && self.stage.expected_duration(job) == Time::ZERO
        {
            self.stage.cluster.release(job, self.now);
            return Placed::Passing;
        }
        Placed::Holds
    }
}
