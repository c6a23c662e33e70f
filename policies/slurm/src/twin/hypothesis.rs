//! What the loops would start in a state, and why they do not start the other jobs.

use batchlab_contract::placement::Placement;
use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedMap;

use super::queue::{Queue, Waiting};

/// Why the loops do not start a waiting job in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Limits or licences keep it out.
    Limit,
    /// Its nodes are under maintenance, or reserved for jobs that name the reservation.
    Closed,
    /// A job before it does not fit, and closes its partition or its nodes; no cycle has come to it.
    Behind(JobId),
    /// Its nodes have too little room.
    Resources,
    /// There is room, and a cycle reserves it for jobs before it.
    Reserved,
    /// A cycle tests no more jobs of its kind.
    Untested,
}

/// Jobs that hypothetical loops start, and their nodes.
#[derive(Debug, Default)]
pub(super) struct Starts {
    pub(super) jobs: Vec<JobId>,
    pub(super) placements: Vec<Placement>,
    pub(super) before_cycle: usize,
    /// Why the others do not start.
    pub(super) held: SortedMap<JobId, Held>,
}

/// Whether the loops only tell what they would start, and what they have told.
#[derive(Debug, Default)]
pub(super) struct Hypothesis(Option<Starts>);

impl Hypothesis {
    pub(super) fn begin(&mut self) {
        self.0 = Some(Starts::default());
    }

    pub(super) fn end(&mut self) -> Starts {
        self.0.take().unwrap_or_default()
    }

    pub(super) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Counts a start; returns whether it is hypothetical.
    pub(super) fn counts(&mut self, job: &Waiting, placement: &Placement) -> bool {
        if let Some(starts) = &mut self.0 {
            starts.jobs.push(job.job);
            starts.placements.push(placement.clone());
        }
        self.is_on()
    }

    pub(super) fn would_run(&self) -> Vec<(JobId, i64)> {
        let Some(Starts { jobs, placements, .. }) = &self.0 else { return Vec::new() };
        jobs.iter().zip(placements).map(|(&job, placement)| (job, placement.0.len() as i64)).collect()
    }

    pub(super) fn hold_back(&mut self, job: &Waiting, why: Held) {
        if let Some(starts) = &mut self.0 {
            starts.held.insert(job.job, why);
        }
    }

    /// Notes that a job that does not fit closes all nodes: the jobs without another reason wait behind it.
    pub(super) fn hold_back_rest(&mut self, first: &Waiting, queue: &Queue) {
        if let Some(starts) = &mut self.0 {
            for job in queue.iter() {
                starts.held.entry(job.job).or_insert(Held::Behind(first.job));
            }
        }
    }
}
