//! Fill, kept from event to event: the replicas of jobs, given their home rows.
//!
//! Fill goes through the jobs in rounds, and in each round gives a job the next row in which its columns are free. The
//! result for a job depends only on the jobs in its columns, and only on their earlier steps: in an earlier round, or in the
//! same round if they came into the matrix earlier. So the record has, for each cell, the job that took it and the step. A
//! change of home rows repeats the steps that it touches, in their order, until nothing differs: O(columns · rows) for each
//! such step, whatever the number of jobs.

mod spreading;

use std::ops::Range;

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;
use rustc_hash::FxHashMap;

use super::{Columns, Matrix, Seat};

const NONE: u32 = u32::MAX;

/// The round of a replica for which other jobs made way, after all rounds of Fill.
const SPREAD: u16 = u16::MAX;

/// The replicas of the jobs of a matrix without replicas, as Fill adds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replicas {
    width: usize,
    height: usize,
    /// The place of the job that has a cell, row by row, and the round in which it took the cell; a home row counts as round 0.
    cells: Vec<u32>,
    rounds: Vec<u16>,
    free: Vec<Columns>,
    left: Vec<usize>,
    places: Vec<Entry>,
    unused: Vec<u32>,
    known: FxHashMap<JobId, u32>,
    /// The ranks and places of the jobs, in the order in which they came into the matrix.
    order: Vec<(u64, u32)>,
    /// The steps to repeat: round, rank of the job, its place.
    due: SortedSet<(u16, u64, u32)>,
    /// The places of jobs whose rows or columns may have changed.
    touched: Vec<u32>,
    /// The places of jobs with replicas for which other jobs made way.
    spread: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    job: JobId,
    rank: u64,
    columns: Columns,
    size: usize,
    home: usize,
    /// The rows of its replicas in the order of rounds, which is ascending.
    rows: Vec<u16>,
    /// The rows of the replicas for which other jobs made way.
    spread: Vec<u16>,
    is_touched: bool,
}

impl Replicas {
    pub fn new(matrix: &Matrix) -> Replicas {
        let (width, height) = (matrix.width(), matrix.height());
        let cells = width * height;
        Replicas {
            width,
            height,
            cells: vec![NONE; cells],
            rounds: vec![0; cells],
            free: vec![Columns::all(width); height],
            left: vec![width; height],
            ..Replicas::default()
        }
    }

    /// Brings the replicas to a matrix in which only these jobs have come, gone, or changed their home row or their columns.
    pub fn update(&mut self, matrix: &Matrix, changed: &[JobId]) {
        self.withdraw_spread();
        for job in changed {
            if let Some(place) = self.known.remove(job) {
                self.remove(place);
            }
        }
        for &job in changed {
            if let Some(seat) = matrix.seat(job) {
                self.insert(job, seat);
            }
        }
        while let Some((round, rank, place)) = self.due.pop_first() {
            self.step(place, (round, rank));
        }
    }

    /// Returns the jobs whose rows or columns may have changed since the last call, in the order of submission, each with
    /// all its rows, ascending; jobs that have gone are left out.
    pub fn take_touched(&mut self) -> Vec<(JobId, Vec<u32>)> {
        let mut jobs = Vec::new();
        for place in std::mem::take(&mut self.touched) {
            let entry = &mut self.places[place as usize];
            if std::mem::take(&mut entry.is_touched) && self.known.get(&entry.job) == Some(&place) {
                jobs.push((entry.job, entry.all_rows()));
            }
        }
        jobs.sort_unstable();
        jobs
    }

    pub fn filled(&self, homes: &Matrix) -> Matrix {
        let mut matrix = Matrix { blocks: None, ..homes.clone() };
        for job in homes.in_order() {
            let place = self.known.get(&job).map(|&place| &self.places[place as usize]);
            for row in place.map(Entry::all_rows).unwrap_or_default() {
                // In the home row the job is already.
                matrix.replicate(job, row as usize);
            }
        }
        matrix
    }

    fn touch(&mut self, place: u32) {
        let entry = &mut self.places[place as usize];
        if !std::mem::replace(&mut entry.is_touched, true) {
            self.touched.push(place);
        }
    }

    fn remove(&mut self, place: u32) {
        self.cut(place, 1);
        let home = self.places[place as usize].home;
        self.vacate(place, home, 0);
        let rank = self.places[place as usize].rank;
        self.order.remove(self.order.partition_point(|&known| known < (rank, place)));
        self.unused.push(place);
    }

    fn insert(&mut self, job: JobId, seat: &Seat) {
        let Seat { columns, size, home, rank, .. } = seat.clone();
        let (rows, spread) = (Vec::new(), Vec::new());
        let entry = Entry { job, rank, columns, size, home, rows, spread, is_touched: false };
        let place = match self.unused.pop() {
            Some(place) => {
                // The place may be listed as touched already; to be listed twice does no harm.
                self.places[place as usize] = entry;
                place
            }
            None => {
                self.places.push(entry);
                self.places.len() as u32 - 1
            }
        };
        self.known.insert(job, place);
        self.order.insert(self.order.partition_point(|&known| known < (rank, place)), (rank, place));
        self.touch(place);
        self.occupy(place, home, 0);
        self.due.insert((1, rank, place));
    }

    /// Repeats a step of a job: its replica of a round goes to the first row behind the replica of the round before whose
    /// cells no earlier step has taken.
    fn step(&mut self, place: u32, (round, rank): (u16, u64)) {
        let entry = &self.places[place as usize];
        let at = usize::from(round) - 1;
        // The job has gone, or an earlier step of it is still to be repeated.
        if self.known.get(&entry.job) != Some(&place) || entry.rank != rank || entry.rows.len() < at {
            return;
        }
        let from = at.checked_sub(1).map_or(0, |before| usize::from(entry.rows[before]) + 1);
        let row = (from..self.height).find(|&row| self.is_open(entry, row, (round, rank)));
        if row == entry.rows.get(at).map(|&row| usize::from(row)) {
            return;
        }
        self.touch(place);
        self.cut(place, round);
        if let Some(row) = row {
            self.occupy(place, row, round);
            self.places[place as usize].rows.push(row as u16);
            if row + 1 < self.height {
                self.due.insert((round + 1, rank, place));
            }
        }
    }

    /// Whether no earlier step has taken a cell of a job in a row.
    fn is_open(&self, entry: &Entry, row: usize, step: (u16, u64)) -> bool {
        let is_late = |cell: usize| {
            let place = self.cells[cell];
            place == NONE || (self.rounds[cell], self.places[place as usize].rank) >= step
        };
        row != entry.home && entry.columns.runs().all(|run| self.cells_of(row, &run).all(is_late))
    }

    fn cells_of(&self, row: usize, columns: &Range<usize>) -> Range<usize> {
        row * self.width + columns.start..row * self.width + columns.end
    }

    /// Removes a job's replicas from a round on.
    fn cut(&mut self, place: u32, round: u16) {
        let at = usize::from(round) - 1;
        let rows = &mut self.places[place as usize].rows;
        let rows = if rows.len() > at { rows.split_off(at) } else { return };
        for (round, row) in (round..).zip(rows) {
            self.vacate(place, usize::from(row), round);
        }
    }

    /// Takes the cells of a job in a row; later steps that have taken one are repeated.
    fn occupy(&mut self, place: u32, row: usize, round: u16) {
        let Entry { columns, size, .. } = &self.places[place as usize];
        let (columns, size) = (columns.clone(), *size);
        for run in columns.runs() {
            let cells = self.cells_of(row, &run);
            for cell in cells.clone() {
                let other = self.cells[cell];
                if other != NONE {
                    let (late, rank) = (self.rounds[cell], self.places[other as usize].rank);
                    self.due.insert((late, rank, other));
                    self.touch(other);
                    self.cut(other, late);
                }
            }
            self.cells[cells.clone()].fill(place);
            self.rounds[cells].fill(round);
        }
        self.free[row].take(&columns);
        self.left[row] -= size;
    }

    /// Frees the cells of a job in a row; later steps that found one of these cells taken are repeated.
    fn vacate(&mut self, place: u32, row: usize, round: u16) {
        let Entry { columns, size, rank, .. } = &self.places[place as usize];
        let (columns, size, step) = (columns.clone(), *size, (round, *rank));
        for run in columns.runs() {
            let cells = self.cells_of(row, &run);
            debug_assert!(self.cells[cells.clone()].iter().all(|&cell| cell == place));
            self.cells[cells].fill(NONE);
        }
        self.free[row].add(&columns);
        self.left[row] += size;
        // Nothing comes after the last round.
        if round == SPREAD {
            return;
        }
        for home in (0..self.height).filter(|&home| home != row) {
            for run in columns.runs() {
                let mut last = NONE;
                for cell in self.cells_of(home, &run) {
                    let other = self.cells[cell];
                    if other != NONE && other != last && self.rounds[cell] == 0 {
                        last = other;
                        self.reject(other, row, step);
                    }
                }
            }
        }
    }

    /// A job may have passed over a row because of a cell that a step had taken.
    fn reject(&mut self, other: u32, row: usize, step: (u16, u64)) {
        let Entry { rank, rows, .. } = &self.places[other as usize];
        let round = 1 + rows.partition_point(|&own| usize::from(own) < row) as u16;
        let is_in = rows.get(usize::from(round) - 1) == Some(&(row as u16));
        if !is_in && (round, *rank) > step {
            self.due.insert((round, *rank, other));
        }
    }
}

impl Entry {
    /// Returns all rows, ascending.
    fn all_rows(&self) -> Vec<u32> {
        let replicas = self.rows.iter().chain(&self.spread).map(|&row| u32::from(row));
        let mut rows: Vec<u32> = replicas.chain([self.home as u32]).collect();
        rows.sort_unstable();
        rows
    }

    fn is_in(&self, row: usize) -> bool {
        row == self.home || self.rows.iter().chain(&self.spread).any(|&own| usize::from(own) == row)
    }

    /// Whether the job is in several rows, so that its columns are fixed.
    fn is_fixed(&self) -> bool {
        !self.rows.is_empty() || !self.spread.is_empty()
    }
}
