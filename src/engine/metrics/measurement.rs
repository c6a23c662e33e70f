//! The input of metrics: one outcome with the options of its measurement.

use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use batchlab_support::Journal;
use batchlab_traces::capacity::CapacityCalendar;
use batchlab_traces::{JobId, Machine, Workload};

use super::backlog::Backlog;
use super::class::Class;
use super::fair::FairStarts;
use super::measured::{MeasuredOutcome, OutcomeMismatch};
use super::options::MeasureOptions;
use super::sample::Sample;
use super::shares::TopShares;
use super::spec::Quantity;
use super::timeline::Timeline;
use crate::Outcome;

/// One outcome with the options of its measurement.
///
/// It is a [`MeasuredOutcome`] with what else metrics read. Every quantity is computed once and shared by all its statistics, until
/// [`Measurement::forget_samples`]. Not `Sync`: use one per thread.
#[derive(Debug)]
#[must_use]
pub struct Measurement<'a> {
    of: MeasuredOutcome<'a>,
    fair: &'a [FairStarts],
    journal: Option<&'a Journal>,
    classes: &'a [Class],
    capacity: Option<&'a CapacityCalendar>,
    of_class: bool,
    samples: RefCell<Vec<(&'static Quantity, Rc<Sample>)>>,
    timeline: OnceCell<Timeline>,
    backlog: OnceCell<Backlog>,
    top_shares: OnceCell<TopShares>,
}

impl<'a> Deref for Measurement<'a> {
    type Target = MeasuredOutcome<'a>;

    #[inline]
    fn deref(&self) -> &MeasuredOutcome<'a> {
        &self.of
    }
}

impl<'a> Measurement<'a> {
    /// Returns the measurement of an outcome.
    pub fn new(
        workload: &'a Workload,
        machine: &'a Machine,
        outcome: &'a Outcome,
        options: MeasureOptions,
    ) -> Result<Measurement<'a>, OutcomeMismatch> {
        Ok(Measurement {
            of: MeasuredOutcome::new(workload, machine, outcome, options)?,
            fair: &[],
            journal: None,
            classes: &[],
            capacity: None,
            of_class: false,
            samples: RefCell::default(),
            timeline: OnceCell::new(),
            backlog: OnceCell::new(),
            top_shares: OnceCell::new(),
        })
    }

    /// Adds fair start times, for the unfairness metrics.
    pub fn with_fair_starts(self, fair: &'a [FairStarts]) -> Result<Measurement<'a>, OutcomeMismatch> {
        let jobs = self.workload().len();
        match fair.iter().map(|fair| fair.start.len()).find(|&starts| starts != jobs) {
            Some(starts) => Err(OutcomeMismatch { jobs, starts, ends: jobs }),
            None => Ok(Measurement { fair, ..self }),
        }
    }

    /// Adds the journal of decisions, for details that show promises.
    pub fn with_journal(self, journal: &'a Journal) -> Measurement<'a> {
        Measurement { journal: Some(journal), ..self }
    }

    /// Adds the calendar of the capacity, for charts that show what was out of service.
    pub fn with_capacity(self, capacity: Option<&'a CapacityCalendar>) -> Measurement<'a> {
        Measurement { capacity, ..self }
    }

    /// Returns the calendar of the capacity, if there is one.
    pub fn capacity(&self) -> Option<&'a CapacityCalendar> {
        self.capacity
    }

    /// Adds the classes of jobs, for details that distinguish them.
    pub fn with_classes(self, classes: &'a [Class]) -> Measurement<'a> {
        Measurement { classes, ..self }
    }

    /// Returns the classes of jobs.
    pub fn classes(&self) -> &'a [Class] {
        self.classes
    }

    /// Returns the measurement restricted to the jobs of a class.
    pub fn of_class(&self, class: &Class) -> Measurement<'a> {
        let members = class.members(self.workload());
        self.among(|job| members[job.index()])
    }

    /// Returns the measurement restricted to some of the measured and rejected jobs, as if they were a class.
    pub fn among(&self, belongs: impl Fn(JobId) -> bool) -> Measurement<'a> {
        let jobs = self.jobs().iter().chain(self.rejected()).copied();
        self.part(jobs.filter(|&job| belongs(job)).collect())
    }

    /// Returns the measurement of a part of the measured and rejected jobs, in their order.
    pub fn part(&self, jobs: Vec<JobId>) -> Measurement<'a> {
        Measurement {
            of: self.of.part(jobs),
            of_class: true,
            samples: RefCell::default(),
            timeline: OnceCell::new(),
            backlog: OnceCell::new(),
            top_shares: OnceCell::new(),
            ..*self
        }
    }

    /// Whether this is the measurement of a class, for which metrics of the whole replay are undefined.
    pub fn is_of_class(&self) -> bool {
        self.of_class
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

    /// Returns the shares of a few jobs, one user and one week in the sums of wait and bounded slowdown; computed once, O(n).
    pub fn top_shares(&self) -> &TopShares {
        self.top_shares.get_or_init(|| TopShares::of(self))
    }

    /// Returns the fair start times of a variant.
    pub fn fair_starts(&self, variant: &str) -> Option<&'a FairStarts> {
        self.fair.iter().find(|fair| fair.variant == variant)
    }
}
