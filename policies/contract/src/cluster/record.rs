//! Records of jobs that do not simply run from start to end.

use std::sync::Arc;

use batchlab_traces::{JobId, Time};

use super::rotation::{Rotation, Turns};
use crate::costs::SwitchCharge;
use crate::placement::Rate;

/// What keeps a resident job from making progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// A checkpoint, and a restart on other processors.
    Migrating,
    /// Its memory is being written out or read in.
    Swapping,
}

/// A stretch of a resident job's life at one rate, closed when the rate changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The job.
    pub job: JobId,
    /// The beginning.
    pub from: Time,
    /// The end.
    pub to: Time,
    /// The rate of its progress.
    pub rate: Rate,
    /// What kept it from making progress.
    pub busy: Option<Busy>,
}

/// A time in which rows took turns and nothing else changed; it comprises all its slices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epoch {
    /// The beginning.
    pub from: Time,
    /// The end.
    pub to: Time,
    /// How the rows took turns.
    pub rotation: Rotation,
    /// The jobs of each row that is not empty, the row of slice 0 first; each list is in the order of submission.
    pub rows: Vec<Arc<[JobId]>>,
    /// The jobs that do not pay for the switch of slice 0.
    pub exempt: Vec<JobId>,
    /// The time that jobs owe for migrations at the beginning, by job: they pay before they make progress.
    pub owed: Vec<(JobId, Time)>,
}

/// How a job's time on the machine was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// How often it stopped running before its end.
    pub suspensions: u32,
    /// How often it moved to other processors.
    pub migrations: u32,
    /// How often it was swapped out.
    pub swaps: u32,
    /// Time of its slices that went to context switches.
    pub switching: Time,
    /// Time in which it waited for checkpoints and restarts, its own or those of other jobs.
    pub migrating: Time,
    /// Time in which it was swapped out and in.
    pub swapping: Time,
}

impl TimeSpent {
    /// Returns the time lost to switches, migrations and swaps.
    pub fn overhead(&self) -> Time {
        self.switching + self.migrating + self.swapping
    }
}

impl Epoch {
    /// Returns the time that a job owes for migrations at the beginning.
    pub fn owes(&self, job: JobId) -> Time {
        let place = self.owed.binary_search_by_key(&job, |owed| owed.0);
        place.map_or(Time::ZERO, |place| self.owed[place].1)
    }

    /// Returns all jobs of the rotation, each with its part in it, by job. O(n log n).
    pub fn members(&self) -> Vec<(JobId, Turns)> {
        let rows = self.rows.iter().enumerate();
        let mut pairs: Vec<(JobId, usize)> =
            rows.flat_map(|(row, jobs)| jobs.iter().map(move |&job| (job, row))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let member = |own: &[(JobId, usize)]| {
            let (job, rows) = (own[0].0, own.iter().map(|&(_, row)| row).collect());
            let first_switch = first_switch(&self.rotation, self.exempt.contains(&job));
            (job, Turns { rows, first_switch })
        };
        pairs.chunk_by(|a, b| a.0 == b.0).map(member).collect()
    }
}

/// Returns the part of slice 0 that the switch takes.
pub(super) fn first_switch(rotation: &Rotation, exempt: bool) -> Time {
    if exempt && rotation.charge == SwitchCharge::Changed {
        return Time::ZERO;
    }
    (rotation.switch - rotation.spent).max(Time::ZERO).min(rotation.first)
}
