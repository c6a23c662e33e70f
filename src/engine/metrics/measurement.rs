//! The input of metrics: one outcome with the options of its measurement.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use batchlab_support::Journal;
use batchlab_traces::capacity::CapacityCalendar;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::backlog::Backlog;
use super::class::Class;
use super::fair::FairStarts;
use super::options::MeasureOptions;
use super::sample::Sample;
use super::served::Served;
use super::shares::TopShares;
use super::spec::Quantity;
use super::timeline::Timeline;
use super::window::Window;
use crate::Outcome;
use crate::outcome::{Fate, Interval, IntervalKind, TimeSpent, add_turns};

/// An outcome that does not match the workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schedule has {starts} starts and {ends} ends for {jobs} jobs")]
pub struct OutcomeMismatch {
    /// Number of jobs of the workload.
    pub jobs: usize,
    /// Number of starts in the outcome, or in the fair schedule.
    pub starts: usize,
    /// Number of ends in the outcome.
    pub ends: usize,
}

/// One outcome with the options of its measurement.
///
/// Every quantity is computed once and shared by all its statistics, until [`Measurement::forget_samples`]. Not `Sync`: use one per thread.
#[derive(Debug)]
pub struct Measurement<'a> {
    workload: &'a Workload,
    machine: &'a Machine,
    outcome: &'a Outcome,
    options: MeasureOptions,
    fair: &'a [FairStarts],
    journal: Option<&'a Journal>,
    classes: &'a [Class],
    capacity: Option<&'a CapacityCalendar>,
    window: Window,
    jobs: Vec<JobId>,
    received: Rc<SortedMap<JobId, Time>>,
    of_class: bool,
    samples: RefCell<Vec<(&'static Quantity, Rc<Sample>)>>,
    timeline: OnceCell<Timeline>,
    backlog: OnceCell<Backlog>,
    top_shares: OnceCell<TopShares>,
}

impl<'a> Measurement<'a> {
    /// Returns the measurement of an outcome.
    ///
    /// # Errors
    /// If the outcome does not contain every job of the workload.
    pub fn new(
        workload: &'a Workload,
        machine: &'a Machine,
        outcome: &'a Outcome,
        options: MeasureOptions,
    ) -> Result<Measurement<'a>, OutcomeMismatch> {
        let workload = outcome.workload(workload);
        let (jobs, starts, ends) = (workload.len(), outcome.start.len(), outcome.end.len());
        if starts != jobs || ends != jobs {
            return Err(OutcomeMismatch { jobs, starts, ends });
        }
        let (window, jobs) = Window::measure(workload, outcome, &options);
        Ok(Measurement {
            workload,
            machine,
            outcome,
            options,
            fair: &[],
            journal: None,
            classes: &[],
            capacity: None,
            window,
            jobs,
            received: Rc::new(received_by_cut(workload, outcome)),
            of_class: false,
            samples: RefCell::default(),
            timeline: OnceCell::new(),
            backlog: OnceCell::new(),
            top_shares: OnceCell::new(),
        })
    }

    /// Adds fair start times, for the unfairness metrics.
    ///
    /// # Errors
    /// If a vector does not contain every job.
    pub fn with_fair_starts(self, fair: &'a [FairStarts]) -> Result<Measurement<'a>, OutcomeMismatch> {
        let jobs = self.workload.len();
        match fair.iter().map(|fair| fair.start.len()).find(|&starts| starts != jobs) {
            Some(starts) => Err(OutcomeMismatch { jobs, starts, ends: jobs }),
            None => Ok(Measurement { fair, ..self }),
        }
    }

    /// Adds the journal of decisions, for details that show promises.
    #[must_use]
    pub fn with_journal(self, journal: &'a Journal) -> Measurement<'a> {
        Measurement { journal: Some(journal), ..self }
    }

    /// Adds the calendar of the capacity, for charts that show what was out of service.
    #[must_use]
    pub fn with_capacity(self, capacity: Option<&'a CapacityCalendar>) -> Measurement<'a> {
        Measurement { capacity, ..self }
    }

    /// Returns the calendar of the capacity, if there is one.
    pub fn capacity(&self) -> Option<&'a CapacityCalendar> {
        self.capacity
    }

    /// Adds the classes of jobs, for details that distinguish them.
    #[must_use]
    pub fn with_classes(self, classes: &'a [Class]) -> Measurement<'a> {
        Measurement { classes, ..self }
    }

    /// Returns the classes of jobs.
    pub fn classes(&self) -> &'a [Class] {
        self.classes
    }

    /// Returns the measurement restricted to the measured jobs of a class.
    #[must_use]
    pub fn of_class(&self, class: &Class) -> Measurement<'a> {
        let members = class.members(self.workload);
        self.among(|job| members[job.index()])
    }

    /// Returns the measurement restricted to some of the measured jobs, as if they were a class.
    #[must_use]
    pub fn among(&self, belongs: impl Fn(JobId) -> bool) -> Measurement<'a> {
        self.part(self.jobs.iter().copied().filter(|&job| belongs(job)).collect())
    }

    /// Returns the measurement of a part of the measured jobs, in their order.
    #[must_use]
    pub fn part(&self, jobs: Vec<JobId>) -> Measurement<'a> {
        Measurement {
            jobs,
            received: Rc::clone(&self.received),
            of_class: true,
            samples: RefCell::default(),
            timeline: OnceCell::new(),
            backlog: OnceCell::new(),
            top_shares: OnceCell::new(),
            ..*self
        }
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

    /// Whether this is the measurement of a class, for which metrics of the whole replay are undefined.
    pub fn is_of_class(&self) -> bool {
        self.of_class
    }

    /// Returns the measured jobs in the order of submission.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
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

    /// Returns the values of a quantity over the measured jobs; computed once.
    pub fn sample(&self, quantity: &'static Quantity) -> Rc<Sample> {
        // Compared by address, as a metric of a user's crate may give its quantity any name.
        let same = |(known, _): &&(&'static Quantity, Rc<Sample>)| std::ptr::eq(*known, quantity);
        let known = self.samples.borrow().iter().find(same).map(|(_, sample)| Rc::clone(sample));
        known.unwrap_or_else(|| {
            let sample = Rc::new(quantity.sample(self));
            self.samples.borrow_mut().push((quantity, Rc::clone(&sample)));
            sample
        })
    }

    /// Forgets the values of all quantities, which are computed again if they are asked for.
    pub fn forget_samples(&self) {
        self.samples.borrow_mut().clear();
    }

    /// Returns what is derived from the schedule's events in order; computed once, O(n log n).
    pub fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| Timeline::of(self))
    }

    /// Returns the journal of the replay, if it was recorded.
    pub fn journal(&self) -> Option<&'a Journal> {
        self.journal
    }

    /// Returns the arrived, completed and remaining work; computed once, O(n).
    pub fn backlog(&self) -> &Backlog {
        self.backlog.get_or_init(|| Backlog::of(self))
    }

    /// Returns the shares of a few jobs, one user and one week in the sums of wait and bounded slowdown;
    /// computed once, O(n).
    pub fn top_shares(&self) -> &TopShares {
        self.top_shares.get_or_init(|| TopShares::of(self))
    }

    /// Returns the fair start times of a variant.
    pub fn fair_starts(&self, variant: &str) -> Option<&'a FairStarts> {
        self.fair.iter().find(|fair| fair.variant == variant)
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
