//! Claims: the room that is kept for waiting jobs until the jobs that they preempt have left.

use batchlab_traces::JobId;
use batchlab_traces::machine::take_room;
use batchlab_traces::priorities::Preempted;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use crate::cluster::{Cluster, State};
use crate::placement::{Placement, Share};

/// A waiting job for which room is kept, and the tier below which it may preempt.
pub(super) type Claim = (JobId, i32);

/// The jobs for which room is kept, the jobs that will leave it, and the jobs that have to wait because of it.
#[derive(Default)]
pub(crate) struct Claims {
    /// The waiting jobs for which room is kept, in the order of the queue.
    jobs: Vec<Claim>,
    /// The running jobs under notice, and what will happen to them.
    leaving: SortedMap<JobId, Preempted>,
    /// The waiting jobs that the policy does not see: their starts were void.
    hidden: SortedSet<JobId>,
    /// The hidden jobs whose removal from the queue has not been reported to the policies within.
    voided: Vec<JobId>,
}

impl Claims {
    /// Whether the policy does not see a waiting job.
    pub fn hides(&self, job: JobId) -> bool {
        self.hidden.contains(&job)
    }

    pub(super) fn leaving(&self) -> &SortedMap<JobId, Preempted> {
        &self.leaving
    }

    pub(super) fn jobs(&self) -> &[Claim] {
        &self.jobs
    }

    pub fn served(&mut self, job: JobId) {
        self.hidden.remove(&job);
    }

    pub fn leaves(&mut self, job: JobId, how: Preempted) {
        self.leaving.insert(job, how);
    }

    /// A job is submitted, is suspended, waits again or has ended.
    pub fn forget(&mut self, job: JobId) {
        self.leaving.remove(&job);
        self.hidden.remove(&job);
        self.jobs.retain(|&(claim, _)| claim != job);
    }

    /// Keeps room for these waiting jobs, in their order, and for no others.
    pub(super) fn claim(&mut self, claims: Vec<Claim>) {
        self.jobs = claims;
    }

    /// Returns the jobs whose starts were void since the last call.
    pub fn take_voided(&mut self) -> Vec<JobId> {
        std::mem::take(&mut self.voided)
    }

    /// Keeps a waiting job from starting if it would take room that is kept for a job of its tier or a higher one; the
    /// policy no longer sees it then. Without a placement the job is to run on the pool. A job in a reservation of a
    /// calendar takes none of this room. O(claims · nodes).
    pub fn keep_out(&mut self, cluster: &Cluster, job: JobId, placement: Option<&Placement>) -> bool {
        if !self.concerns(cluster, job) || cluster.is_reserved_for(job) {
            return false;
        }
        let mut room = self.coming(cluster);
        let pool = Placement::on(0, cluster.workload().procs(job));
        for share in &placement.unwrap_or(&pool).0 {
            change(cluster, job, share, -1, &mut room);
        }
        let keeps = !self.has_room_for_claims(cluster, job, &mut room);
        if keeps {
            self.hidden.insert(job);
            self.voided.push(job);
        }
        keeps
    }

    /// Returns the hidden jobs that the policy sees again, because there may be room for them beside the kept room; each
    /// only once for the same `done`. O(jobs · claims · nodes).
    pub fn readmitted(&mut self, cluster: &Cluster, done: &mut SortedSet<JobId>) -> Vec<JobId> {
        let has_room = |&job: &JobId| {
            if !self.concerns(cluster, job) {
                return true;
            }
            let mut room = self.coming(cluster);
            self.has_room_for_claims(cluster, job, &mut room)
                && take_room(cluster.machine(), cluster.workload(), job, &mut room)
        };
        let new = self.hidden.iter().copied().filter(|job| !done.contains(job));
        let jobs: Vec<JobId> = new.filter(has_room).collect();
        for job in &jobs {
            self.hidden.remove(job);
            done.insert(*job);
        }
        jobs
    }

    /// Whether room is kept for another job of a job's tier or a higher one.
    fn concerns(&self, cluster: &Cluster, job: JobId) -> bool {
        self.ahead(cluster, job).next().is_some()
    }

    /// Returns the other jobs of a job's tier or a higher one for which room is kept and that still wait.
    fn ahead(&self, cluster: &Cluster, job: JobId) -> impl Iterator<Item = Claim> {
        let tier = |job| cluster.workload().tier(job);
        let ahead = move |&(claim, _): &Claim| {
            claim != job && tier(claim) >= tier(job) && cluster.state(claim) == State::Waiting
        };
        self.jobs.iter().copied().filter(ahead)
    }

    /// Takes room for the claims that come before a job; returns whether there is enough.
    fn has_room_for_claims(&self, cluster: &Cluster, job: JobId, room: &mut [Vec<i64>]) -> bool {
        self.ahead(cluster, job).all(|claim| take_beside(cluster, claim, room))
    }

    /// Returns the amounts that are free on each node, with those that jobs under notice will leave; below zero on nodes
    /// where jobs hold more than is in service.
    pub fn coming(&self, cluster: &Cluster) -> Vec<Vec<i64>> {
        let mut room = cluster.room_with(|_| false);
        for (&job, &how) in self.leaving.iter().filter(|(job, _)| cluster.state(**job) == State::Resident) {
            add_shares(cluster, job, how, &mut room);
        }
        room
    }
}

/// Returns the free amounts of each node, in devices where nodes have some.
pub(super) fn free_rooms(cluster: &Cluster) -> Vec<Vec<i64>> {
    (0..cluster.machine().nodes()).map(|node| cluster.room(node).to_vec()).collect()
}

/// Returns the given room with what a waiting job may take from suspended jobs.
pub(super) fn with_lent(cluster: &Cluster, (_, below): Claim, room: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut room = room.to_vec();
    change_lent(cluster, below, 1, &mut room);
    room
}

/// Takes room for a waiting job from the given room and from what it may take from suspended jobs; returns whether there is
/// enough. The given room may be below zero afterwards.
pub(super) fn take_beside(cluster: &Cluster, claim: Claim, room: &mut [Vec<i64>]) -> bool {
    let (job, below) = claim;
    change_lent(cluster, below, 1, room);
    let fits = take_room(cluster.machine(), cluster.workload(), job, room);
    change_lent(cluster, below, -1, room);
    fits
}

/// Adds or removes what suspended jobs below a tier gave back.
fn change_lent(cluster: &Cluster, below: i32, sign: i64, room: &mut [Vec<i64>]) {
    for job in cluster.suspended().filter(|&job| cluster.workload().tier(job) < below) {
        change_released(cluster, job, sign, room);
    }
}

/// Adds the amounts that a running job would leave if it were preempted.
pub(super) fn add_shares(cluster: &Cluster, job: JobId, how: Preempted, room: &mut [Vec<i64>]) {
    change_shares(cluster, job, how, 1, room);
}

/// Adds or removes the amounts that a running job would leave if it were preempted.
pub(super) fn change_shares(cluster: &Cluster, job: JobId, how: Preempted, sign: i64, room: &mut [Vec<i64>]) {
    if how == Preempted::Suspended {
        return change_released(cluster, job, sign, room);
    }
    for share in cluster.shares(job).iter() {
        change(cluster, job, share, sign, room);
    }
}

/// Adds or removes the amounts that a job gives back if it is suspended.
fn change_released(cluster: &Cluster, job: JobId, sign: i64, room: &mut [Vec<i64>]) {
    let width = cluster.machine().width();
    for (at, amount) in cluster.released(job) {
        room[at / width][at % width] += sign * amount;
    }
}

/// Adds or removes the amounts that a job holds on a node, its devices included.
fn change(cluster: &Cluster, job: JobId, share: &Share, sign: i64, room: &mut [Vec<i64>]) {
    let (machine, node) = (cluster.machine(), share.node as usize);
    let mut amounts = vec![0; room[node].len()];
    let of = (share.procs, share.devices);
    cluster.workload().hold(job, of, machine.capacity(node), machine.devices(), &mut amounts);
    for (room, amount) in room[node].iter_mut().zip(amounts) {
        *room += sign * amount;
    }
}
