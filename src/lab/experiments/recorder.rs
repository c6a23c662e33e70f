//! Stores replays as they end: journal, details, progress.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::experiment::detail::Wanted;
use crate::experiment::folder::Folder;
use crate::experiment::journal::Journal;
use crate::experiment::results::Known;
use crate::experiment::{Done, ExperimentPlan, Sink};
use crate::lab::Failure;
use crate::lab::replays::schedules;
use crate::metrics::Measurement;
use crate::schedule::ScheduleColumn;

/// Stores the results of replays in a folder.
pub struct Recorder<'a> {
    plan: &'a ExperimentPlan,
    folder: &'a Folder,
    /// The results known before: a replay that is repeated for its details must give the same values.
    before: &'a Known,
    details: &'a [Vec<Wanted>],
    schedules: Option<Vec<&'static ScheduleColumn>>,
    journal: Mutex<Journal>,
    known: Mutex<Known>,
    progress: Option<Box<dyn Fn(u64) + Sync>>,
    ended: AtomicU64,
}

impl<'a> Recorder<'a> {
    pub fn new(
        plan: &'a ExperimentPlan,
        folder: &'a Folder,
        before: &'a Known,
        details: &'a [Vec<Wanted>],
        journal: Journal,
        progress: Option<Box<dyn Fn(u64) + Sync>>,
    ) -> Recorder<'a> {
        let (journal, known) = (Mutex::new(journal), Mutex::default());
        let (schedules, ended) = (None, AtomicU64::new(0));
        Recorder { plan, folder, before, details, schedules, journal, known, progress, ended }
    }

    /// Returns the recorder, set to store the schedule of every replay too, with further columns.
    pub fn keeping_schedules(self, columns: Vec<&'static ScheduleColumn>) -> Recorder<'a> {
        Recorder { schedules: Some(columns), ..self }
    }

    pub fn known(self) -> Known {
        self.known.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Recorder<'_> {
    type Error = Failure;

    fn wants_journal(&self, task: usize) -> bool {
        self.details[task].iter().any(|detail| detail.spec.reads_journal)
    }

    fn look(&self, task: usize, measurement: &Measurement<'_>) -> Result<(), Failure> {
        if let Some(columns) = &self.schedules {
            let key = &self.plan.tasks[task].key;
            self.folder.keep_schedule(key, measurement, columns)?;
        }
        for detail in &self.details[task] {
            if let Some(value) = detail.make(measurement) {
                self.folder.keep_detail(&self.plan.tasks[task].key, &detail.name(), &value)?;
            }
        }
        Ok(())
    }

    fn take(&self, task: usize, done: Done) -> Result<(), Failure> {
        let key = &self.plan.tasks[task].key;
        match self.before.get(key) {
            Some(before) if *before != done.rows => {
                return Err(Failure::Policy(format!(
                    "replay {key} of `{}` came out other than before: its policy does not do the same each time, or \
                     the results are damaged",
                    self.plan.tasks[task].policy.canonical()
                )));
            }
            Some(_) => {}
            None => {
                let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
                journal.add(key, &done).map_err(|error| Failure::writing("the journal", error))?;
            }
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), done.rows);
        if let Some(progress) = &self.progress {
            progress(self.ended.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(())
    }
}

/// Stores one replay: its rows, and its schedule in a file.
#[derive(Default)]
pub struct Again<'a> {
    pub schedule: Option<&'a str>,
    pub columns: Vec<&'static ScheduleColumn>,
    pub known: Mutex<Option<Done>>,
}

impl Sink for Again<'_> {
    type Error = Failure;

    fn wants_journal(&self, _: usize) -> bool {
        false
    }

    fn look(&self, _: usize, measurement: &Measurement<'_>) -> Result<(), Failure> {
        match self.schedule {
            Some(file) => schedules::put(file, measurement, &self.columns),
            None => Ok(()),
        }
    }

    fn take(&self, _: usize, done: Done) -> Result<(), Failure> {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        Ok(())
    }
}
