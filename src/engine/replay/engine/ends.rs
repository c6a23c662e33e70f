use std::collections::HashMap;

use batchlab_support::cluster::{Cluster, State};
use batchlab_traces::{JobId, Time};

use super::coming::Coming;

/// The ends of the jobs on the machine, the earliest first; ties in the order of starts. An end that no longer holds stays in
/// the queue until it comes first.
pub(super) struct Ends {
    coming: Coming<(u32, JobId)>,
    starts: u32,
    /// Whether a job ended before its time; on the plain path only then may ends be stale.
    any_early: bool,
    /// The place in the order of starts of the latest start of jobs that lost their work; 0 while they wait.
    restarts: HashMap<JobId, u32>,
    /// The valid end of each job if rates change; other ends in the queue are stale. Empty on the plain path.
    due: Vec<Option<Time>>,
    /// The place of each job in the order of starts, if rates change. Empty on the plain path.
    places: Vec<u32>,
}

impl Ends {
    /// Returns the queue before the first start. Rates of jobs may change if `jobs`, the number of all jobs, is given.
    pub(super) fn new(jobs: Option<usize>) -> Ends {
        let jobs = jobs.unwrap_or(0);
        Ends {
            coming: Coming::new(),
            starts: 0,
            any_early: false,
            restarts: HashMap::new(),
            due: vec![None; jobs],
            places: vec![0; jobs],
        }
    }

    /// A job is started: returns its place in the order of starts.
    pub(super) fn start(&mut self, job: JobId) -> u32 {
        self.starts += 1;
        if let Some(latest) = self.restarts.get_mut(&job) {
            *latest = self.starts;
        }
        if let Some(place) = self.places.get_mut(job.index()) {
            *place = self.starts;
        }
        self.starts
    }

    /// Returns the place of a job in the order of starts, if rates change; 0 on the plain path.
    pub(super) fn place(&self, job: JobId) -> u32 {
        self.places.get(job.index()).copied().unwrap_or(0)
    }

    /// Records when a job ends; `None` if its end is unknown. Returns whether that is new.
    pub(super) fn set(&mut self, job: JobId, place: u32, end: Option<Time>) -> bool {
        let before = self.due.get_mut(job.index()).map(|due| std::mem::replace(due, end));
        match end {
            None => before.flatten().is_some(),
            Some(_) if before == Some(end) => false,
            Some(at) => {
                self.coming.add(at, (place, job));
                true
            }
        }
    }

    pub(super) fn forget(&mut self, job: JobId) {
        if let Some(due) = self.due.get_mut(job.index()) {
            *due = None;
        }
    }

    pub(super) fn end_early(&mut self, job: JobId) {
        self.any_early = true;
        self.forget(job);
    }

    pub(super) fn lose(&mut self, job: JobId) {
        self.restarts.insert(job, 0);
        self.forget(job);
    }

    /// Whether a start was followed by the loss of the job's work.
    #[inline]
    pub(super) fn is_old(&self, job: JobId, place: u32) -> bool {
        is_old(&self.restarts, job, place)
    }

    pub(super) fn next(&mut self, cluster: &Cluster) -> Option<Time> {
        self.drop_stale(cluster);
        self.coming.next()
    }

    /// Takes the next job that ends now; it is still on the machine.
    pub(super) fn take(&mut self, now: Time, cluster: &Cluster) -> Option<JobId> {
        self.drop_stale(cluster);
        let (_, (_, job)) = self.coming.take(now)?;
        self.forget(job);
        Some(job)
    }

    pub(super) fn bytes(&self) -> usize {
        self.coming.bytes()
    }

    fn drop_stale(&mut self, cluster: &Cluster) {
        let (due, restarts) = (&self.due, &self.restarts);
        if !due.is_empty() {
            self.coming.drop_while(|at, (_, job)| due[job.index()] != Some(at));
        } else if self.any_early || !restarts.is_empty() {
            let is_over = |job| cluster.state(job) == State::Done;
            self.coming.drop_while(|_, (place, job)| is_over(job) || is_old(restarts, job, place));
        }
    }
}

/// Whether the latest start of a job that lost its work is another one.
#[inline]
fn is_old(restarts: &HashMap<JobId, u32>, job: JobId, place: u32) -> bool {
    restarts.get(&job).is_some_and(|&latest| latest != place)
}
