//! The record of rows that took turns: what changed from one epoch to the next.
//!
//! The rows have thousands of jobs, and an arrival or an end moves only the jobs in some columns. So the record keeps which
//! jobs entered and left each row, a few bytes each, and makes the lists of an epoch on request.

use std::sync::Arc;

use batchlab_traces::{JobId, Time};

use super::record::Epoch;
use super::rotation::Rotation;
use crate::costs::SwitchCharge;

/// Consecutive epochs, each with the changes of the rows before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Epochs {
    heads: Vec<Head>,
    /// The changes of rows, in order.
    changes: Vec<RowChange>,
    rhythms: Vec<Rhythm>,
    /// The jobs that an epoch exempts from the switch of its first slice.
    exempt: Vec<(u32, JobId)>,
    /// The time that jobs owe at the beginning of an epoch.
    owed: Vec<(u32, JobId, Time)>,
}

/// A job comes into a row or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowChange {
    job: JobId,
    /// The row, and in the lowest bit whether the job comes.
    row: u32,
}

/// The properties of an epoch besides its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    from: Time,
    to: Time,
    first: Time,
    spent: Time,
    /// The row of the first slice.
    position: u32,
    rhythm: u32,
    /// The total number of changes before this epoch.
    changes: u64,
}

/// What hardly ever changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rhythm {
    slice: Time,
    switch: Time,
    charge: SwitchCharge,
}

/// The jobs of each row by its position, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rows(Vec<Vec<JobId>>);

impl Rows {
    /// Makes a change; returns the row. O(jobs of the row), which are moved at once.
    fn change(&mut self, RowChange { job, row }: RowChange) -> usize {
        let (at, comes) = ((row >> 1) as usize, row & 1 == 1);
        if self.0.len() <= at {
            self.0.resize(at + 1, Vec::new());
        }
        let jobs = &mut self.0[at];
        match (jobs.binary_search(&job), comes) {
            (Err(place), true) => jobs.insert(place, job),
            (Ok(place), false) => drop(jobs.remove(place)),
            _ => {}
        }
        at
    }
}

impl Epochs {
    /// Whether no rows took turns.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the number of epochs.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns the size in bytes. O(1).
    pub fn bytes(&self) -> u64 {
        let changes = size_of_val(self.changes.as_slice());
        let lists = size_of_val(self.exempt.as_slice()) + size_of_val(self.owed.as_slice());
        (size_of_val(self.heads.as_slice()) + changes + lists) as u64
    }

    pub(super) fn change(&mut self, job: JobId, row: usize, comes: bool) {
        self.changes.push(RowChange { job, row: (row as u32) << 1 | u32::from(comes) });
    }

    /// Records that the rows took turns from one instant to another, from the row at a position on.
    pub(super) fn add(
        &mut self,
        (from, to): (Time, Time),
        position: usize,
        rotation: &Rotation,
        exempt: Vec<JobId>,
        owed: Vec<(JobId, Time)>,
    ) {
        let rhythm = Rhythm { slice: rotation.slice, switch: rotation.switch, charge: rotation.charge };
        if self.rhythms.last() != Some(&rhythm) {
            self.rhythms.push(rhythm);
        }
        let (epoch, changes) = (self.heads.len(), self.changes.len() as u64);
        self.exempt.extend(exempt.into_iter().map(|job| (epoch as u32, job)));
        self.owed.extend(owed.into_iter().map(|(job, time)| (epoch as u32, job, time)));
        let (first, spent) = (rotation.first, rotation.spent);
        let (position, rhythm) = (position as u32, self.rhythms.len() as u32 - 1);
        self.heads.push(Head { from, to, first, spent, position, rhythm, changes });
    }

    /// Returns the epochs in order.
    pub fn iter(&self) -> EpochCursor<'_> {
        EpochCursor { epochs: self, next: 0, done: 0, rows: Rows::default(), lists: Vec::new() }
    }

    /// Forgets the epochs from an instant on.
    pub fn cut(&mut self, at: Time) {
        let keeps = self.heads.partition_point(|head| head.from < at);
        self.heads.truncate(keeps);
        self.exempt.retain(|&(epoch, _)| (epoch as usize) < keeps);
        self.owed.retain(|&(epoch, ..)| (epoch as usize) < keeps);
        for head in self.heads.iter_mut().rev().take_while(|head| head.to > at) {
            head.to = at;
        }
    }
}

impl<'a> IntoIterator for &'a Epochs {
    type Item = Epoch;
    type IntoIter = EpochCursor<'a>;

    fn into_iter(self) -> EpochCursor<'a> {
        self.iter()
    }
}

/// The epochs one after another; the lists of rows that have not changed are shared.
#[derive(Clone, Debug)]
pub struct EpochCursor<'a> {
    epochs: &'a Epochs,
    next: usize,
    /// The number of changes that are in the rows.
    done: usize,
    rows: Rows,
    /// The list of each row, if it is still that of the row.
    lists: Vec<Option<Arc<[JobId]>>>,
}

impl EpochCursor<'_> {
    /// Goes to the first epoch that ends after an instant. Going back costs as much as beginning again.
    pub fn seek(&mut self, at: Time) {
        self.next = self.epochs.heads.partition_point(|head| head.to <= at);
    }

    fn reach(&mut self, epoch: usize) {
        let changes = self.epochs.heads[epoch].changes as usize;
        if self.done > changes {
            (self.rows, self.done) = (Rows::default(), 0);
            self.lists.clear();
        }
        for &change in &self.epochs.changes[self.done..changes] {
            let row = self.rows.change(change);
            if let Some(list) = self.lists.get_mut(row) {
                *list = None;
            }
        }
        self.done = changes;
    }
}

impl Iterator for EpochCursor<'_> {
    type Item = Epoch;

    fn next(&mut self) -> Option<Epoch> {
        let epoch = self.next;
        let head = *self.epochs.heads.get(epoch)?;
        self.next += 1;
        self.reach(epoch);
        let count = self.rows.0.len();
        self.lists.resize(count, None);
        let position = head.position as usize;
        let positions = (0..count).map(|step| (position + step) % count);
        let mut rows: Vec<Arc<[JobId]>> = Vec::new();
        for row in positions.filter(|&row| !self.rows.0[row].is_empty()) {
            rows.push(self.lists[row].get_or_insert_with(|| self.rows.0[row].as_slice().into()).clone());
        }
        let Rhythm { slice, switch, charge } = self.epochs.rhythms[head.rhythm as usize];
        let own = |first: usize, at: &dyn Fn(usize) -> Option<u32>| {
            let mut index = first;
            while at(index) == Some(epoch as u32) {
                index += 1;
            }
            index
        };
        let exempt = &self.epochs.exempt;
        let first = exempt.partition_point(|&(at, _)| (at as usize) < epoch);
        let exempt = &exempt[first..own(first, &|index| exempt.get(index).map(|one| one.0))];
        let owed = &self.epochs.owed;
        let first = owed.partition_point(|&(at, ..)| (at as usize) < epoch);
        let owed = &owed[first..own(first, &|index| owed.get(index).map(|one| one.0))];
        Some(Epoch {
            from: head.from,
            to: head.to,
            rotation: Rotation {
                count: rows.len(),
                first: head.first,
                slice,
                switch,
                charge,
                spent: head.spent,
            },
            rows,
            exempt: exempt.iter().map(|&(_, job)| job).collect(),
            owed: owed.iter().map(|&(_, job, time)| (job, time)).collect(),
        })
    }
}
