//! The search for the running jobs to suspend for an idle job.

use batchlab_traces::{JobId, Time};

use super::Suspension;
use super::space::{Amounts, Space, StartPlace, everything, times};
use super::standing::{ExpansionFactor, sort_lowest_first};
use crate::turn::Turn;

/// A running job that may be suspended.
pub struct Candidate<const K: usize> {
    pub job: JobId,
    pub standing: ExpansionFactor,
    procs: i64,
    gives: Amounts<K>,
}

pub struct VictimSet<const K: usize> {
    pub place: StartPlace<K>,
    /// The candidates to suspend, by position.
    pub victims: Vec<usize>,
    /// The victim with the highest factor.
    pub last: Option<usize>,
}

impl<const K: usize> Suspension<K> {
    /// Returns the running jobs that may be suspended and were placed at an instant that `meant` accepts,
    /// the lowest factor first, among equal factors the latest submission first.
    pub fn candidates(&mut self, turn: &Turn<'_>, meant: impl Fn(Time) -> bool) -> Vec<Candidate<K>> {
        let meant = |job| meant(self.lives.since(job)) && !turn.is_swapping(job);
        let running = self.lives.running(turn).filter(|(job, _)| meant(*job));
        let mut allowed: Vec<_> =
            running.filter(|(job, standing)| self.limits.allow(turn.job(*job), *standing)).collect();
        sort_lowest_first(&mut allowed);
        let gives = |job| if self.in_memory { times(turn, job) } else { everything(turn, job) };
        let candidate =
            |(job, standing)| Candidate { job, standing, procs: turn.job(job).procs(), gives: gives(job) };
        allowed.into_iter().map(candidate).collect()
    }

    /// Finds a place for an idle job by suspending candidates in order, as long as they are admitted.
    pub fn search(
        &self,
        turn: &Turn<'_>,
        job: JobId,
        candidates: &[Candidate<K>],
        admits: impl Fn(&Candidate<K>) -> bool,
    ) -> Option<VictimSet<K>> {
        let mut space = Space::now(turn, &self.claims);
        if let Some(place) = self.place(turn, job, &space) {
            return Some(VictimSet { place, victims: Vec::new(), last: None });
        }
        let widest = if self.half { turn.job(job).procs().saturating_mul(2) } else { i64::MAX };
        let mut victims: Vec<usize> = Vec::new();
        for (last, candidate) in candidates.iter().enumerate().take_while(|(_, candidate)| admits(candidate))
        {
            if candidate.procs > widest {
                continue;
            }
            space.give(&candidate.gives);
            victims.push(last);
            if let Some(place) = self.place(turn, job, &space) {
                let place = self.spare(turn, job, candidates, (&mut victims, &mut space)).unwrap_or(place);
                return Some(VictimSet { place, victims, last: Some(last) });
            }
        }
        None
    }

    /// Spares victims that the job does not need, the highest factor first; the last victim is always needed. Returns where
    /// the job then fits, if this changes.
    fn spare(
        &self,
        turn: &Turn<'_>,
        job: JobId,
        candidates: &[Candidate<K>],
        (victims, space): (&mut Vec<usize>, &mut Space<K>),
    ) -> Option<StartPlace<K>> {
        let mut place = None;
        for at in (0..victims.len() - 1).rev() {
            let gives = &candidates[victims[at]].gives;
            space.take(gives);
            match self.place(turn, job, space) {
                Some(without) => {
                    place = Some(without);
                    victims.remove(at);
                }
                None => space.give(gives),
            }
        }
        place
    }
}
