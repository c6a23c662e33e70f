//! Candidates on trial: the plan that includes a candidate, as far as its judgement needs it.

use batchlab_traces::{JobId, Time};

use crate::policy::PolicyError;
use crate::support::amounts::{least, minus, within};
use crate::support::bounds::Bounds;
use crate::support::draft::ProfileDraft;
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::profile::{Profile, Slot};
use crate::turn::Turn;

/// A waiting job, the latest start at which it may be planned, and its slot in the plan without candidates.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedStart<const K: usize> {
    pub(super) job: JobId,
    pub(super) latest: Time,
    pub(super) slot: Slot<K>,
}

/// The least number of jobs between two plans of the first jobs of the queue.
const PART: usize = 16;

/// A draft of more steps is continued as a profile.
const MOST_STEPS: usize = 1024;

/// The trials of one decision on a pool.
///
/// The plan with a candidate is judged by its difference to the plan without:
///
/// * Jobs keep their slots up to the first job whose slot the candidate takes: with less room, no earliest start is earlier.
///   Plans of the first jobs of the queue are kept; the longer they are, the further apart.
/// * A refused candidate refuses others: one that needs at least as much for at least as long is refused, too, if all slots
///   that were planned up to the refusal leave it room. Then each of these jobs has the same slot again, and the job that
///   was late has even less room.
#[derive(Clone, Debug)]
pub(super) struct Trials<const K: usize> {
    /// What running jobs and the first jobs of the queue leave free, each with the number of these jobs.
    parts: Vec<(usize, Profile<K>)>,
    refusals: Vec<Refusal<K>>,
    draft: ProfileDraft<K>,
    /// The plan of a trial with many steps, and the bounds of starts in it.
    long: ReservationPlan<K>,
    bounds: Bounds<K>,
    /// The slots of jobs in the plan of a trial, from the first job on that may have another one.
    slots: Vec<Slot<K>>,
}

#[derive(Clone, Debug)]
struct Refusal<const K: usize> {
    amount: [i64; K],
    /// Until when.
    to: Time,
    /// The place of the job that was late; the candidate comes behind it.
    late: usize,
    /// The least amounts that all slots up to that job, and its own slot, leave free until its end.
    beside: [i64; K],
    /// The least amounts that stay free after its end, while they are no less than its own: each with its first instant.
    beyond: Vec<(Time, [i64; K])>,
}

impl<const K: usize> Refusal<K> {
    /// Whether it refuses another candidate, which comes behind the late job.
    fn covers(&self, slot: Slot<K>) -> bool {
        if slot.to < self.to || !within(&self.amount, &slot.amount) {
            return false;
        }
        let room = self.beyond.iter().take_while(|step| step.0 < slot.to).last();
        within(&minus(slot.amount, self.amount), &self.beside)
            && room.is_none_or(|step| within(&slot.amount, &step.1))
    }
}

impl<const K: usize> Trials<K> {
    pub(super) fn new() -> Trials<K> {
        Trials {
            parts: Vec::new(),
            refusals: Vec::new(),
            draft: ProfileDraft::default(),
            long: ReservationPlan::Pool(Profile::new(Time::ZERO, [0; K])),
            bounds: Bounds::default(),
            slots: Vec::new(),
        }
    }

    pub(super) fn begin(&mut self, running: &Profile<K>) {
        self.refusals.clear();
        self.parts.truncate(1);
        match self.parts.first_mut() {
            Some(part) => part.1.clone_from(running),
            None => self.parts.push((0, running.clone())),
        }
    }

    /// Plans a waiting job into a slot that begins now, and all other jobs in queue order beside it; returns whether none
    /// starts too late. Then `with` becomes this plan.
    ///
    /// # Errors
    /// When a job can never fit; the reading of jobs rules this out.
    pub(super) fn accepts(
        &mut self,
        turn: &Turn<'_>,
        jobs: &[PlannedStart<K>],
        (candidate, slot): (JobId, Slot<K>),
        stay: impl Fn(JobId) -> Time,
        with: &mut Vec<PlannedStart<K>>,
    ) -> Result<bool, PolicyError> {
        if !self.parts[0].1.has_room(slot) || self.is_refused(jobs, candidate, slot) {
            return Ok(false);
        }
        let part = self.part_before(jobs, candidate, slot);
        let first = self.parts[part].0;
        self.slots.clear();
        self.draft.copy(&self.parts[part].1);
        self.draft.take(slot);
        let mut is_other = false;
        let mut meets = false;
        for (at, planned) in jobs.iter().enumerate().skip(first) {
            if self.draft.count() > MOST_STEPS {
                if !self.accepts_rest(turn, &jobs[at..], (candidate, slot, is_other), &stay)? {
                    return Ok(false);
                }
                break;
            }
            if planned.job == candidate {
                (is_other, meets) = (true, true);
                self.slots.push(slot);
                continue;
            }
            if !is_other && self.draft.take_free(planned.slot) {
                self.slots.push(planned.slot);
                continue;
            }
            is_other = true;
            let (stay, need) = (stay(planned.job), planned.slot.amount);
            match self.draft.take_earliest(turn.now(), need, stay, planned.latest) {
                Some(slot) => self.slots.push(slot),
                None => {
                    if !meets {
                        self.refuse(slot, at);
                    }
                    return Ok(false);
                }
            }
        }
        with.extend_from_slice(jobs);
        for (planned, &slot) in with[first..].iter_mut().zip(&self.slots) {
            planned.slot = slot;
        }
        Ok(true)
    }

    /// Plans the remaining jobs of a trial, as [`Trials::accepts`].
    fn accepts_rest(
        &mut self,
        turn: &Turn<'_>,
        jobs: &[PlannedStart<K>],
        (candidate, slot, mut is_other): (JobId, Slot<K>, bool),
        stay: impl Fn(JobId) -> Time,
    ) -> Result<bool, PolicyError> {
        if let ReservationPlan::Pool(plan) = &mut self.long {
            self.draft.paste(plan);
        }
        self.bounds.clear();
        for planned in jobs {
            if planned.job == candidate {
                is_other = true;
                self.slots.push(slot);
                continue;
            }
            let job = turn.job(planned.job);
            let same = Reservation { slot: planned.slot, hosts: None };
            if !is_other && self.long.has_room(job, &same) {
                self.long.take(job, &same);
                self.slots.push(same.slot);
                continue;
            }
            is_other = true;
            let found = self.bounds.earliest(&self.long, turn, job, stay(planned.job))?;
            if found.slot.from > planned.latest {
                return Ok(false);
            }
            self.long.take(job, &found);
            self.slots.push(found.slot);
        }
        Ok(true)
    }

    /// Returns the last part whose jobs all come before the candidate and keep their slots beside it.
    fn part_before(&mut self, jobs: &[PlannedStart<K>], candidate: JobId, slot: Slot<K>) -> usize {
        let mut part = 0;
        loop {
            let first = self.parts[part].0;
            let next = first + PART.max(first / 4);
            if next > jobs.len() || jobs[first..next].iter().any(|planned| planned.job == candidate) {
                return part;
            }
            if part + 1 == self.parts.len() {
                let mut plan = self.parts[part].1.clone();
                for planned in &jobs[first..next] {
                    plan.take(planned.slot);
                }
                self.parts.push((next, plan));
            }
            if !self.parts[part + 1].1.has_room(slot) {
                return part;
            }
            part += 1;
        }
    }

    /// Whether an earlier trial refuses a candidate.
    fn is_refused(&self, jobs: &[PlannedStart<K>], candidate: JobId, slot: Slot<K>) -> bool {
        self.refusals.iter().rev().any(|refusal| {
            refusal.covers(slot) && !jobs[..=refusal.late].iter().any(|planned| planned.job == candidate)
        })
    }

    /// Records why a candidate is refused: the job at a place is late in the draft, which holds all jobs before it.
    fn refuse(&mut self, slot: Slot<K>, late: usize) {
        let mut beyond = Vec::new();
        let mut lowest = [i64::MAX; K];
        for &(from, free) in self.draft.since(slot.to) {
            if within(&lowest, &free) {
                continue;
            }
            lowest = least(lowest, free);
            beyond.push((from.max(slot.to), lowest));
            if !within(&slot.amount, &lowest) {
                break;
            }
        }
        let beside = self.draft.least_before(slot.to);
        self.refusals.push(Refusal { amount: slot.amount, to: slot.to, late, beside, beyond });
    }
}
