//! The running jobs that can be preempted, and the choice among them.

use std::cmp::Reverse;
use std::collections::HashMap;

use batchlab_traces::machine::take_room;
use batchlab_traces::priorities::{Preempted, Preemptible};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::claims::{Claim, add_shares, change_shares, with_lent};
use crate::cluster::{Cluster, State};
use crate::placement::Share;
use crate::stage::Stage;

/// A running job in the order in which victims are taken: the lowest tier first, then the latest start.
type Place = (i32, Reverse<Time>, Reverse<JobId>);

#[derive(Default)]
pub(super) struct Victims {
    places: SortedSet<Place>,
    jobs: HashMap<JobId, (Place, Preemptible)>,
}

impl Victims {
    pub fn add(&mut self, job: JobId, tier: i32, start: Time, how: Preemptible) {
        self.remove(job);
        let place = (tier, Reverse(start), Reverse(job));
        self.places.insert(place);
        self.jobs.insert(job, (place, how));
    }

    pub fn remove(&mut self, job: JobId) {
        if let Some((place, _)) = self.jobs.remove(&job) {
            self.places.remove(&place);
        }
    }

    /// Returns the running jobs of lower tiers that are not under notice, in order, each with the instant from which it
    /// can be preempted.
    fn candidates<'a>(
        &'a self,
        below: i32,
        leaving: &'a SortedMap<JobId, Preempted>,
    ) -> impl Iterator<Item = (JobId, Preemptible, Time)> + 'a {
        let end = (below, Reverse(Time::MAX), Reverse(JobId(u32::MAX)));
        let places = self.places.range(..end).filter(|(_, _, Reverse(job))| !leaving.contains_key(job));
        places.filter_map(|&(_, Reverse(start), Reverse(job))| {
            let (_, how) = self.jobs.get(&job)?;
            Some((job, *how, start.saturating_add(how.exempt)))
        })
    }

    /// Returns the next instant from which a running job of a lower tier, still exempt now, can be preempted.
    pub fn next_eligible(
        &self,
        below: i32,
        leaving: &SortedMap<JobId, Preempted>,
        now: Time,
    ) -> Option<Time> {
        self.candidates(below, leaving).map(|(.., from)| from).filter(|&from| from > now).min()
    }

    /// Returns when a job is expected to have room, if preempting all running jobs of lower tiers is not enough now: when
    /// enough other jobs are expected to have ended. `None` if this is unknown. O(r log r · nodes) for r running jobs.
    pub fn helped_at(
        &self,
        stage: &Stage,
        (job, below): Claim,
        coming: &[Vec<i64>],
        now: Time,
    ) -> Option<Time> {
        let (cluster, soon) = (&stage.cluster, now + Time::SECOND);
        let mut room = with_lent(cluster, (job, below), coming);
        let leaving = stage.claims.as_ref().map(|claims| claims.leaving());
        let is_leaving = |job: &JobId| leaving.is_some_and(|leaving| leaving.contains_key(job));
        let of_lower = |job: &JobId| self.jobs.get(job).filter(|((tier, ..), _)| *tier < below);
        let mut ends = Vec::new();
        for other in cluster.resident().filter(|job| !is_leaving(job) && !cluster.is_suspended(*job)) {
            match of_lower(&other) {
                Some((_, how)) => add_shares(cluster, other, how.preempted, &mut room),
                None => {
                    let end = stage.expected_end(other);
                    ends.push((if end > now && end < Time::MAX { end } else { soon }, other));
                }
            }
        }
        ends.sort_unstable();
        let fits = |count: usize| {
            let mut room = room.clone();
            for &(_, other) in &ends[..count] {
                add_shares(cluster, other, Preempted::Requeued, &mut room);
            }
            take_room(cluster.machine(), cluster.workload(), job, &mut room)
        };
        let (mut few, mut enough) = (0, ends.len());
        if !fits(enough) {
            return None;
        }
        while few < enough {
            let middle = few + (enough - few) / 2;
            if fits(middle) { enough = middle } else { few = middle + 1 }
        }
        Some(enough.checked_sub(1).map_or(soon, |last| ends[last].0))
    }

    /// Returns the victims that make room for a job beside the `coming` room: the first in order that suffice, without those
    /// that are not needed; `None` if all of them together do not suffice.
    ///
    /// O(v · nodes) for v victims.
    pub fn find(
        &self,
        cluster: &Cluster,
        job: JobId,
        below: i32,
        leaving: &SortedMap<JobId, Preempted>,
        coming: &[Vec<i64>],
        now: Time,
    ) -> Option<Vec<(JobId, Preemptible)>> {
        let (machine, workload) = (cluster.machine(), cluster.workload());
        let fits = |room: &[Vec<i64>]| take_room(machine, workload, job, &mut room.to_vec());
        let useful = |&(victim, ..): &(JobId, Preemptible, Time)| {
            let takes = |share: &Share| workload.admits(machine, job, share.node as usize);
            cluster.state(victim) == State::Resident && cluster.shares(victim).iter().any(takes)
        };
        let all: Vec<(JobId, Preemptible)> = self
            .candidates(below, leaving)
            .filter(|&(.., from)| from <= now)
            .filter(useful)
            .map(|(job, how, _)| (job, how))
            .collect();
        let room_with = |victims: &[(JobId, Preemptible)]| {
            let mut room = coming.to_vec();
            for &(victim, how) in victims {
                add_shares(cluster, victim, how.preempted, &mut room);
            }
            room
        };
        if !fits(&room_with(&all)) {
            return None;
        }
        let (mut few, mut enough) = (0, all.len());
        while enough - few > 1 {
            let middle = few + (enough - few) / 2;
            if fits(&room_with(&all[..middle])) { enough = middle } else { few = middle }
        }
        let mut chosen = all[..enough].to_vec();
        let mut room = room_with(&chosen);
        // The last victim is needed; of the others, the last in order is spared first.
        for at in (0..chosen.len().saturating_sub(1)).rev() {
            let (victim, how) = chosen[at];
            change_shares(cluster, victim, how.preempted, -1, &mut room);
            if fits(&room) {
                chosen.remove(at);
            } else {
                add_shares(cluster, victim, how.preempted, &mut room);
            }
        }
        Some(chosen)
    }
}
