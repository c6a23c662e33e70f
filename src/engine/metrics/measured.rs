//! An outcome as it is measured: the window, the jobs that count, and their times.

use std::rc::Rc;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::options::{Cooldown, MeasureOptions};
use super::served::Served;
use super::window::Window;
use crate::Outcome;
use crate::outcome::{Fate, Interval, IntervalKind, TimeSpent, add_turns};

/// An outcome that does not match the workload.
#[allow(missing_docs, reason = "the text of the error says what they are")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schedule has {starts} starts and {ends} ends for {jobs} jobs")]
pub struct OutcomeMismatch {
    pub jobs: usize,
    pub starts: usize,
    pub ends: usize,
}

/// One outcome with the window and the jobs that are measured.
#[derive(Clone, Debug)]
pub struct MeasuredOutcome<'a> {
    workload: &'a Workload,
    machine: &'a Machine,
    outcome: &'a Outcome,
    options: MeasureOptions,
    window: Window,
    jobs: Vec<JobId>,
    rejected: Vec<JobId>,
    received: Rc<SortedMap<JobId, Time>>,
}

impl<'a> MeasuredOutcome<'a> {
    /// Returns an outcome with the window and the jobs that options select.
    pub fn new(
        workload: &'a Workload,
        machine: &'a Machine,
        outcome: &'a Outcome,
        options: MeasureOptions,
    ) -> Result<MeasuredOutcome<'a>, OutcomeMismatch> {
        let workload = outcome.workload(workload);
        let (jobs, starts, ends) = (workload.len(), outcome.start.len(), outcome.end.len());
        if starts != jobs || ends != jobs {
            return Err(OutcomeMismatch { jobs, starts, ends });
        }
        let (window, jobs) = Window::measure(workload, outcome, &options);
        let is_in = |job: &JobId| {
            let (submit, cooldown) = (workload.submit(*job), options.cooldown);
            outcome.fate(*job) == Fate::Rejected
                && submit >= window.from
                && (submit <= window.to || !matches!(cooldown, Cooldown::Time(_)))
        };
        let rejected = workload.jobs().filter(is_in).collect();
        let received = Rc::new(received_by_cut(workload, outcome));
        Ok(MeasuredOutcome { workload, machine, outcome, options, window, jobs, rejected, received })
    }

    /// Returns the same outcome with a part of the measured and rejected jobs, in their order.
    pub(super) fn part(&self, jobs: Vec<JobId>) -> MeasuredOutcome<'a> {
        let is_rejected = |job: &JobId| self.outcome.fate(*job) == Fate::Rejected;
        let (rejected, jobs) = jobs.into_iter().partition(is_rejected);
        MeasuredOutcome { jobs, rejected, received: Rc::clone(&self.received), ..*self }
    }

    /// Returns the workload, with the instants at which jobs entered the queue in this replay.
    pub fn workload(&self) -> &'a Workload {
        self.workload
    }

    /// Returns the machine.
    pub fn machine(&self) -> &'a Machine {
        self.machine
    }

    /// Returns the outcome.
    pub fn outcome(&self) -> &'a Outcome {
        self.outcome
    }

    /// Returns the options.
    pub fn options(&self) -> &MeasureOptions {
        &self.options
    }

    /// Returns the window.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Returns the measured jobs in the order of submission.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
    }

    /// Returns the jobs that the policy rejected, of those submitted in the window: they are not measured.
    pub fn rejected(&self) -> &[JobId] {
        &self.rejected
    }

    /// Returns the times of a job in the schedule.
    #[inline]
    pub fn served(&self, job: JobId) -> Served {
        Served {
            job,
            submit: self.workload.submit(job),
            start: self.outcome.start(job),
            end: self.outcome.end(job),
            run: self.received.get(&job).copied().unwrap_or_else(|| self.workload.run(job)),
            procs: self.workload.procs(job),
            predicted: self.outcome.predicted.as_ref().map(|of| of.of(self.workload, job)),
            service: self.service(job),
        }
    }

    fn service(&self, job: JobId) -> Option<TimeSpent> {
        let told = self.outcome.services.get(job.index()).copied();
        told.or_else(|| (!self.outcome.shares_time()).then(TimeSpent::default))
    }

    /// Returns the times of the measured jobs, in the order of submission.
    pub fn measured(&self) -> impl Iterator<Item = Served> + '_ {
        self.jobs.iter().map(|&job| self.served(job))
    }

    /// Returns the times of all jobs that took part in the replay, in the order of submission: a job that was
    /// unfinished at the stop counts up to the stop; rejected jobs and jobs submitted later are left out.
    pub fn replayed(&self) -> impl Iterator<Item = Served> + '_ {
        self.workload.jobs().filter(|&job| self.outcome.took_part(job)).map(|job| self.served(job))
    }
}

/// Returns the service received by each job that was killed, cancelled or unfinished at the stop: its residence or, if
/// the outcome records intervals, its intervals times their rates and its slices.
fn received_by_cut(workload: &Workload, outcome: &Outcome) -> SortedMap<JobId, Time> {
    let is_cut =
        |job: &JobId| matches!(outcome.fate(*job), Fate::Killed | Fate::Unfinished | Fate::Cancelled);
    let cut = workload.jobs().filter(is_cut).filter(|&job| outcome.took_part(job));
    if !outcome.shares_time() {
        return cut.map(|job| (job, outcome.end(job) - outcome.start(job))).collect();
    }
    let mut received: SortedMap<JobId, Time> = cut.map(|job| (job, Time::ZERO)).collect();
    // Before its start a job that lost its work ran, too.
    let counts = |interval: &&Interval| {
        interval.kind == IntervalKind::Run && interval.from >= outcome.start(interval.job)
    };
    for interval in outcome.intervals.iter().filter(counts) {
        if let Some(sum) = received.get_mut(&interval.job) {
            let ticks = (interval.to - interval.from).ticks() as f64 * interval.rate;
            *sum += Time::from_ticks(ticks.round() as i64);
        }
    }
    add_turns(&outcome.epochs, &mut received);
    received
}
