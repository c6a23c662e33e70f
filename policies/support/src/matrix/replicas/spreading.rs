//! Fill-2, as in [`spread`], on replicas that are kept from event to event.
//!
//! The replicas for which jobs made way last for one event: the next Fill does not know of them.
//!
//! [`spread`]: crate::matrix::spread::spread

use batchlab_traces::JobId;

use super::{NONE, Replicas, SPREAD};
use crate::cluster::columns::Columns;
use crate::matrix::Matrix;
use crate::matrix::migration::{Quota, Way, displaced_in};

impl Replicas {
    /// Replicates jobs until nothing changes, as Fill does, into rows with enough free columns: jobs of such a row make way
    /// within the quota, if they are in no other row. O(jobs · rows with free columns), O(rows) if there are none.
    pub fn spread(&mut self, matrix: &mut Matrix, quota: &mut Quota) {
        let most = self.left.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        let places = self.order.iter().map(|&(_, place)| place);
        let places: Vec<u32> = places.filter(|&place| self.places[place as usize].size <= most).collect();
        loop {
            let mut replicas = 0;
            for &place in &places {
                let comes = (0..self.height).any(|row| self.comes(place, row, matrix, quota));
                replicas += usize::from(comes);
            }
            if replicas == 0 {
                return;
            }
        }
    }

    pub(super) fn withdraw_spread(&mut self) {
        for place in std::mem::take(&mut self.spread) {
            self.touch(place);
            for row in std::mem::take(&mut self.places[place as usize].spread) {
                self.vacate(place, usize::from(row), SPREAD);
            }
        }
    }

    /// Brings a job into a row; jobs in its way move within the row. Returns whether it came.
    fn comes(&mut self, place: u32, row: usize, matrix: &mut Matrix, quota: &mut Quota) -> bool {
        let entry = &self.places[place as usize];
        if self.left[row] < entry.size || entry.is_in(row) {
            return false;
        }
        let Some(others) = self.movable(&entry.columns, row) else { return false };
        let (job, columns) = (entry.job, entry.columns.clone());
        if !others.is_empty() && !self.make_way((job, &columns), &others, row, matrix, quota) {
            return false;
        }
        self.occupy(place, row, SPREAD);
        self.places[place as usize].spread.push(row as u16);
        self.spread.push(place);
        self.touch(place);
        true
    }

    /// Returns the places of the jobs that use some columns in a row, in the order in which they came into the matrix;
    /// `None` if one of these jobs is also in another row.
    fn movable(&self, columns: &Columns, row: usize) -> Option<Vec<u32>> {
        let mut others: Vec<(u64, u32)> = Vec::new();
        for cell in columns.runs().flat_map(|run| self.cells_of(row, &run)) {
            let other = self.cells[cell];
            if other == NONE || others.last().is_some_and(|&(_, last)| last == other) {
                continue;
            }
            let entry = &self.places[other as usize];
            if entry.is_fixed() {
                return None;
            }
            others.push((entry.rank, other));
        }
        others.sort_unstable();
        others.dedup();
        Some(others.into_iter().map(|(_, other)| other).collect())
    }

    /// Moves jobs of a row out of some columns, within the quota; returns whether they moved.
    fn make_way(
        &mut self,
        (job, columns): (JobId, &Columns),
        others: &[u32],
        row: usize,
        matrix: &mut Matrix,
        quota: &mut Quota,
    ) -> bool {
        let jobs: Vec<JobId> = others.iter().map(|&other| self.places[other as usize].job).collect();
        let tasks = others.iter().map(|&other| self.places[other as usize].size).sum();
        let tasks = quota.count(&self.free[row], columns, tasks);
        if !quota.admits(row, tasks) {
            return false;
        }
        let Some(moves) = displaced_in(&self.free[row], matrix, row, &jobs, columns) else { return false };
        if !matrix.reseat(&moves) {
            return false;
        }
        for &other in others {
            self.vacate(other, row, 0);
        }
        for (&other, (_, columns, _)) in others.iter().zip(moves) {
            self.places[other as usize].columns = columns;
            self.occupy(other, row, 0);
            self.touch(other);
        }
        quota.spend(row, tasks, Way::Displace.checkpoint(job, jobs));
        true
    }
}
