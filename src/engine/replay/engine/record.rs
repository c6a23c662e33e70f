use std::collections::HashMap;
use std::sync::Arc;

use batchlab_support::cluster::record::Busy;
use batchlab_support::cluster::{Cluster, State};
use batchlab_support::stage::{Setup, Stage};
use batchlab_traces::{JobId, Time, Workload};

use super::stream::{Done, Stream};
use crate::outcome::{Fate, Interval, IntervalKind, LostRun, Outcome, Predictions};

/// The outcome in the making. The jobs of a stream are handed on as they end; of all others everything is kept.
pub(super) struct Record<'a> {
    outcome: Outcome,
    predictions: Predictions,
    /// Whether the policy may share time; otherwise jobs run from start to end, and intervals would be redundant.
    shares: bool,
    by_processor: bool,
    /// The stream that the jobs are a section of.
    flow: Option<Flow<'a>>,
}

/// The jobs of a stream on their way through a replay.
struct Flow<'a> {
    stream: &'a mut dyn Stream,
    /// Whether the section is the last.
    is_over: bool,
    /// The first job that has not been handed on.
    next: JobId,
    fates: HashMap<JobId, Fate>,
}

impl<'a> Record<'a> {
    pub(super) fn new(setup: &Setup) -> Record<'a> {
        Record {
            outcome: Outcome::default(),
            predictions: Predictions::default(),
            shares: setup.needs.time_sharing || setup.suspends.is_some(),
            by_processor: setup.needs.processors,
            flow: None,
        }
    }

    /// Makes the jobs the first section of a stream.
    pub(super) fn with_stream(self, stream: &'a mut dyn Stream) -> Record<'a> {
        Record { flow: Some(Flow { stream, is_over: false, next: JobId(0), fates: HashMap::new() }), ..self }
    }

    /// Whether sections of the stream may be left.
    pub(super) fn has_more(&self) -> bool {
        self.flow.as_ref().is_some_and(|flow| !flow.is_over)
    }

    /// Takes the next section of the stream.
    pub(super) fn more(&mut self) -> Option<Workload> {
        let flow = self.flow.as_mut()?;
        let more = flow.stream.more();
        flow.is_over = more.is_none();
        more
    }

    /// Hands on the jobs of the stream before the first that has not ended, or of whose end the policy is not `told`;
    /// returns that job.
    pub(super) fn hand_on(
        &mut self,
        workload: &Workload,
        cluster: &Cluster,
        told: impl Fn(JobId) -> bool,
    ) -> JobId {
        let Some(flow) = &mut self.flow else { return workload.end() };
        let mut jobs = (flow.next.0..workload.end().0).map(JobId);
        let stays = |&job: &JobId| cluster.state(job) != State::Done || !told(job);
        let first = jobs.find(stays).unwrap_or(workload.end());
        for job in (flow.next.0..first.0).map(JobId) {
            let end = cluster.ended(job).unwrap_or(Time::MAX);
            let start = cluster.started(job).unwrap_or(Time::MAX).min(end);
            let fate = flow.fates.remove(&job).unwrap_or(Fate::Finished);
            let predicted = self.predictions.take(workload, job);
            flow.stream.done(workload, &Done { job, start, end, fate, predicted });
        }
        flow.next = first;
        first
    }

    pub(super) fn started(&mut self, job: JobId, expected: &HashMap<JobId, Time>) {
        self.predictions.keep(job, expected);
    }

    pub(super) fn lost(&mut self, job: JobId, from: Time, to: Time) {
        self.outcome.lost.push(LostRun { job, from, to });
    }

    pub(super) fn set_fate(&mut self, job: JobId, fate: Fate, jobs: usize) {
        match &mut self.flow {
            Some(flow) => _ = flow.fates.insert(job, fate),
            None => self.outcome.set_fate(job, fate, jobs),
        }
    }

    /// Takes the cluster's new records: where jobs were placed and, if time can be shared, how fast they ran.
    pub(super) fn take_moves(&mut self, cluster: &mut Cluster) {
        if !cluster.shares_time() {
            return;
        }
        for (job, at, placement) in cluster.drain_moves() {
            self.outcome.places.push(job, at, &placement.0);
        }
        for stretch in cluster.drain_stretches() {
            if !self.shares {
                continue;
            }
            let rate = stretch.rate.to_f64();
            let kind = match stretch.busy {
                Some(Busy::Migrating) => IntervalKind::Migrate,
                Some(Busy::Swapping) => IntervalKind::Swap,
                None if rate > 0.0 => IntervalKind::Run,
                None => IntervalKind::Paused,
            };
            let interval = Interval { job: stretch.job, from: stretch.from, to: stretch.to, rate, kind };
            self.outcome.intervals.push(interval);
        }
    }

    /// Returns the size of intervals and places in bytes. O(1).
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.outcome.intervals.as_slice()) as u64 + self.outcome.places.bytes()
    }

    /// Returns the outcome when nothing is left to happen. The jobs of a stream have been handed on.
    pub(super) fn close(self, stage: &mut Stage, entered: Option<Arc<Workload>>) -> Outcome {
        let cluster = &mut stage.cluster;
        if self.flow.is_some() {
            cluster.take_times();
        }
        let mut outcome = self.outcome;
        (outcome.start, outcome.end) = cluster.take_times();
        // A job that left the queue without a start, as its user cancelled it, has the instant at which it left as its start.
        for (start, end) in outcome.start.iter_mut().zip(&outcome.end) {
            *start = (*start).min(*end);
        }
        outcome.decisions = stage.decision;
        outcome.processors = std::mem::take(&mut stage.processors);
        outcome.descriptions = std::mem::take(&mut stage.descriptions);
        outcome.rejected = std::mem::take(&mut stage.rejected);
        outcome.tallies = std::mem::take(&mut stage.tallies);
        outcome.ties = std::mem::take(&mut stage.ties);
        outcome.epochs = cluster.take_epochs();
        if self.shares {
            outcome.services = cluster.take_services();
            outcome.by_processor = self.by_processor;
        }
        outcome.places = outcome.places.settle();
        outcome.predicted = Some(self.predictions);
        outcome.entered = entered;
        outcome
    }

    /// Marks the jobs that users cancel: they are not measured, however they left.
    pub(super) fn mark_cancelled(&mut self, workload: &Workload) {
        for job in workload.jobs().filter(|&job| workload.patience(job).is_some()) {
            if self.outcome.fate(job).has_ended() {
                self.outcome.set_fate(job, Fate::Cancelled, workload.len());
            }
        }
    }
}
