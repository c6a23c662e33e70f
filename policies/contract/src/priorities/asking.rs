//! A walk over the queue for the jobs that may preempt: each keeps room, or gets victims that leave it.

use std::ops::ControlFlow;

use batchlab_traces::machine::take_room;
use batchlab_traces::priorities::{Preempted, PriorityTable};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::claims::{Claim, add_shares, free_rooms, take_beside, with_lent};
use super::victims::Victims;
use crate::journal::Preemption;
use crate::policy::Overtaking;
use crate::stage::Stage;

/// The most jobs that cannot be helped and that the walk passes.
const HELPLESS: usize = 16;

/// What the jobs that may preempt get.
#[derive(Default)]
pub(super) struct Grants {
    /// The jobs for which room is kept.
    pub claims: Vec<Claim>,
    /// The victims, each with the job that takes its place.
    pub notices: Vec<(JobId, Preemption)>,
    /// The next instant at which a job can become a victim.
    pub wake: Option<Time>,
    /// The first job that has room now if it takes what suspended jobs gave back, and its room.
    pub over: Option<(JobId, Vec<Vec<i64>>)>,
}

pub(super) struct Asking<'a> {
    stage: &'a Stage,
    now: Time,
    table: &'a PriorityTable,
    victims: &'a Victims,
    overtaking: Overtaking,
    /// The jobs that have got victims at this instant.
    asked: &'a mut SortedSet<JobId>,
    /// The jobs that the policy has refused to start in what suspended jobs gave back.
    declined: &'a SortedSet<JobId>,
    leaving: SortedMap<JobId, Preempted>,
    free: Vec<Vec<i64>>,
    /// Room that will be free for the jobs behind.
    coming: Vec<Vec<i64>>,
    /// The same now, beside what suspended jobs lend.
    present: Vec<Vec<i64>>,
    lends: bool,
    /// The number of jobs that cannot be helped.
    helpless: usize,
    /// The earliest instant at which one of them is expected to have room.
    until: Time,
    grants: Grants,
}

impl<'a> Asking<'a> {
    pub fn new(
        (stage, now): (&'a Stage, Time),
        (table, victims): (&'a PriorityTable, &'a Victims),
        overtaking: Overtaking,
        asked: &'a mut SortedSet<JobId>,
        declined: &'a SortedSet<JobId>,
    ) -> Asking<'a> {
        let (cluster, claims) = (&stage.cluster, stage.claims.as_ref());
        Asking {
            leaving: claims.map(|claims| claims.leaving().clone()).unwrap_or_default(),
            free: free_rooms(cluster),
            coming: claims.map_or_else(Vec::new, |claims| claims.coming(cluster)),
            present: cluster.room_with(|_| false),
            lends: cluster.suspended().next().is_some(),
            helpless: 0,
            until: Time::MAX,
            grants: Grants::default(),
            stage,
            now,
            table,
            victims,
            overtaking,
            asked,
            declined,
        }
    }

    pub fn grants(self) -> Grants {
        self.grants
    }

    /// Serves a waiting job; says whether the walk goes on.
    pub fn visit(&mut self, job: JobId) -> ControlFlow<()> {
        let cluster = &self.stage.cluster;
        let (machine, workload) = (cluster.machine(), cluster.workload());
        let Some(below) = self.table.standing(workload, job).preempts else {
            return ControlFlow::Break(());
        };
        // A job that fits now waits for reasons of the policy.
        if self.grants.claims.is_empty() && take_room(machine, workload, job, &mut self.free.clone()) {
            return if self.helpless == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        if !self.ends_in_time(job, Time::ZERO) {
            return ControlFlow::Continue(());
        }
        let claim = (job, below);
        if !take_beside(cluster, claim, &mut self.coming)
            && let Some(flow) = self.preempt(claim)
        {
            return flow;
        }
        if self.lends {
            let room = with_lent(cluster, claim, &self.present);
            if take_room(machine, workload, job, &mut room.clone()) {
                if self.declined.contains(&job) {
                    return ControlFlow::Continue(());
                }
                self.grants.over = Some((job, room));
                return ControlFlow::Break(());
            }
            take_beside(cluster, claim, &mut self.present);
        }
        self.grants.claims.push(claim);
        ControlFlow::Continue(())
    }

    /// Whether a job that starts after a grace time is expected to end before a job ahead of it has room.
    fn ends_in_time(&self, job: JobId, grace: Time) -> bool {
        self.now.saturating_add(grace).saturating_add(self.stage.expected_duration(job)) <= self.until
    }

    /// Finds victims for a job, which then has the room that they leave; without any, says whether the walk goes on.
    fn preempt(&mut self, claim: Claim) -> Option<ControlFlow<()>> {
        let (cluster, now, (job, below)) = (&self.stage.cluster, self.now, claim);
        if self.asked.contains(&job) {
            return Some(ControlFlow::Break(()));
        }
        let beside = with_lent(cluster, claim, &self.coming);
        let Some(found) = self.victims.find(cluster, job, below, &self.leaving, &beside, now) else {
            return Some(self.pass(claim));
        };
        if !self.ends_in_time(job, found.iter().map(|(_, how)| how.grace).max().unwrap_or_default()) {
            return Some(ControlFlow::Continue(()));
        }
        self.asked.insert(job);
        for (victim, how) in found {
            add_shares(cluster, victim, how.preempted, &mut self.coming);
            self.leaving.insert(victim, how.preempted);
            let at = now.saturating_add(how.grace);
            self.grants.notices.push((victim, Preemption { by: job, how: how.preempted, at }));
        }
        take_beside(cluster, claim, &mut self.coming);
        None
    }

    /// Passes a job that all victims together do not help.
    fn pass(&mut self, claim: Claim) -> ControlFlow<()> {
        let eligible = self.victims.next_eligible(claim.1, &self.leaving, self.now);
        self.grants.wake = self.grants.wake.into_iter().chain(eligible).min();
        self.helpless += 1;
        if self.overtaking == Overtaking::Never || self.helpless > HELPLESS {
            return ControlFlow::Break(());
        }
        if self.overtaking == Overtaking::InTime {
            let helped = self.victims.helped_at(self.stage, claim, &self.coming, self.now);
            self.until = self.until.min(helped.unwrap_or(self.now));
        }
        ControlFlow::Continue(())
    }
}
