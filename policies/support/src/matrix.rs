//! The Ousterhout matrix of gang scheduling: rows are time slices, columns are processors.
//!
//! J. Ousterhout, Scheduling Techniques for Concurrent Systems, ICDCS 1982; home rows and replicas as in Zhang, Franke, Moreira,
//! Sivasubramaniam 2000, section 4. Each phase in which that paper derives a new matrix from the last one is a function:
//! [`clean`], [`compact`], [`schedule`], [`fill`], [`collapse`], [`spread`].

mod blocks;
mod check;
pub mod clean;
pub mod collapse;
pub mod compact;
pub mod fill;
pub mod migration;
mod picture;
pub mod replicas;
pub mod schedule;
pub mod spread;
#[cfg(test)]
mod tests;

use batchlab_traces::JobId;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use rustc_hash::FxHashMap;

use crate::cluster::columns::Columns;
use blocks::Blocks;
pub use check::Broken;
pub use picture::Picture;

/// The assignment of jobs to processors (columns) in each slice of the cycle (rows).
///
/// A job has one set of columns, the same in every row it is in, one home row, and any number of replicas in other rows. In a row
/// no column is used twice. Every operation is O(rows + columns / 64 + jobs of the row).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    width: usize,
    rows: Vec<Row>,
    seats: FxHashMap<JobId, Seat>,
    /// The jobs in the order in which they came, with their ranks.
    order: SortedSet<(u64, JobId)>,
    next: u64,
    /// Which jobs could move, in a matrix that never has replicas.
    blocks: Option<Box<Blocks>>,
    /// The jobs that have come, gone or moved, in such a matrix.
    changed: Vec<JobId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// In the order in which they came into the matrix.
    jobs: Vec<JobId>,
    ranks: Vec<u64>,
    /// The numbers of their columns.
    sizes: Vec<usize>,
    free: Columns,
    /// The number of free columns.
    left: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    columns: Columns,
    size: usize,
    home: usize,
    /// All rows it is in, ascending.
    rows: Vec<usize>,
    /// Its position in the order of coming into the matrix.
    rank: u64,
}

impl Matrix {
    pub fn new(rows: usize, columns: usize) -> Matrix {
        let (ranks, sizes) = (Vec::new(), Vec::new());
        let row = Row { jobs: Vec::new(), ranks, sizes, free: Columns::all(columns), left: columns };
        Matrix {
            width: columns,
            rows: vec![row; rows],
            seats: FxHashMap::default(),
            order: SortedSet::new(),
            next: 0,
            blocks: None,
            changed: Vec::new(),
        }
    }

    /// Returns an empty matrix for jobs without replicas, which [`replicas`] keeps separately: it records which jobs could move.
    pub fn of_homes(rows: usize, columns: usize) -> Matrix {
        Matrix { blocks: Some(Box::new(Blocks::new(columns, rows))), ..Matrix::new(rows, columns) }
    }

    /// Returns the jobs that have come, gone, or changed columns or rows since the last call, in a matrix of homes.
    pub fn take_changed(&mut self) -> Vec<JobId> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Returns the jobs of a row in the order in which they came into the matrix.
    pub fn row(&self, row: usize) -> &[JobId] {
        &self.rows[row].jobs
    }

    pub fn free(&self, row: usize) -> &Columns {
        &self.rows[row].free
    }

    pub fn used(&self, row: usize) -> usize {
        self.width - self.left(row)
    }

    pub fn left(&self, row: usize) -> usize {
        self.rows[row].left
    }

    pub fn seat(&self, job: JobId) -> Option<&Seat> {
        self.seats.get(&job)
    }

    /// Returns every job with its seat, in no particular order.
    pub fn seats(&self) -> impl Iterator<Item = (JobId, &Seat)> {
        self.seats.iter().map(|(&job, seat)| (job, seat))
    }

    /// Returns the jobs in the order in which they came into the matrix.
    pub fn in_order(&self) -> Vec<JobId> {
        self.order.iter().map(|&(_, job)| job).collect()
    }

    pub fn cycle(&self) -> Vec<Vec<JobId>> {
        self.rows.iter().map(|row| row.jobs.clone()).collect()
    }

    /// Returns the jobs of a row that could move to another home row, or more jobs of the row, in the order in which they came
    /// into the matrix.
    pub fn movable(&self, from: usize, to: usize) -> Vec<JobId> {
        self.blocks.as_ref().map_or_else(|| self.row(from).to_vec(), |blocks| blocks.open(from, to))
    }

    /// Returns the jobs of a row that need no more columns than another row has free.
    pub fn small_enough(&self, from: usize, to: usize) -> Vec<JobId> {
        let (left, Row { jobs, sizes, .. }) = (self.left(to), &self.rows[from]);
        if left == 0 {
            return Vec::new();
        }
        jobs.iter().zip(sizes).filter(|&(_, &size)| size <= left).map(|(&job, _)| job).collect()
    }

    pub fn is_in(&self, job: JobId, row: usize) -> bool {
        self.seat(job).is_some_and(|seat| seat.is_in(row))
    }

    pub fn has_room(&self, job: JobId, row: usize) -> bool {
        self.seat(job).is_some_and(|seat| self.has_room_for(seat, row))
    }

    /// Returns the first row, from a given one on, that a job is not in and in which its columns are free.
    pub fn first_room(&self, job: JobId, from: usize) -> Option<usize> {
        let seat = self.seat(job)?;
        (from..self.height()).find(|&row| self.has_room_for(seat, row))
    }

    fn has_room_for(&self, seat: &Seat, row: usize) -> bool {
        seat.size <= self.left(row) && !seat.is_in(row) && seat.columns.is_within(self.free(row))
    }

    pub fn overlapping(&self, row: usize, columns: &Columns) -> Vec<JobId> {
        let meets = |job: &&JobId| !self.seats[*job].columns.is_disjoint(columns);
        self.row(row).iter().filter(meets).copied().collect()
    }
}

/// Changes. Each returns whether it was made; a change that is not made has no effect.
impl Matrix {
    /// Inserts a new job at its home row.
    pub fn put(&mut self, job: JobId, columns: Columns, home: usize) -> bool {
        let size = columns.len();
        if size == 0 || self.seats.contains_key(&job) || !columns.is_within(self.free(home)) {
            return false;
        }
        let seat = Seat { columns, size, home, rows: Vec::new(), rank: self.next };
        self.order.insert((self.next, job));
        self.next += 1;
        self.seats.insert(job, seat);
        self.enter(job, home);
        true
    }

    pub fn remove(&mut self, job: JobId) -> Option<Seat> {
        let seat = self.seat(job)?.clone();
        for &row in &seat.rows {
            self.leave(job, row);
        }
        self.order.remove(&(seat.rank, job));
        self.seats.remove(&job);
        Some(seat)
    }

    /// Adds a job to a further row, in its columns.
    pub fn replicate(&mut self, job: JobId, row: usize) -> bool {
        let room = self.has_room(job, row);
        if room {
            self.enter(job, row);
        }
        room
    }

    /// Removes a replica; the home row stays.
    pub fn withdraw(&mut self, job: JobId, row: usize) -> bool {
        let replica = self.seat(job).is_some_and(|seat| seat.home != row && seat.is_in(row));
        if replica {
            self.leave(job, row);
        }
        replica
    }

    /// Moves a job without replicas to another home row, in its columns.
    pub fn rehome(&mut self, job: JobId, row: usize) -> bool {
        let Some(home) = self.seat(job).filter(|seat| seat.rows.len() == 1).map(|seat| seat.home) else {
            return false;
        };
        let room = self.has_room(job, row);
        if room {
            self.leave(job, home);
            self.set(job, |seat| seat.home = row);
            self.enter(job, row);
        }
        room
    }

    /// Gives jobs without replicas other columns, and possibly another home row, in one step: jobs may exchange columns.
    pub fn reseat(&mut self, moves: &[(JobId, Columns, usize)]) -> bool {
        if !self.can_reseat(moves) {
            return false;
        }
        for &(job, ..) in moves {
            self.leave(job, self.seats[&job].home);
        }
        for (job, columns, row) in moves {
            self.set(*job, |seat| (seat.columns, seat.home) = (columns.clone(), *row));
            self.enter(*job, *row);
        }
        true
    }

    fn can_reseat(&self, moves: &[(JobId, Columns, usize)]) -> bool {
        let mut free: SortedMap<usize, Columns> = SortedMap::new();
        for (index, (job, columns, _)) in moves.iter().enumerate() {
            let Some(seat) = self.seat(*job).filter(|seat| seat.rows.len() == 1) else { return false };
            if seat.size != columns.len() || moves[..index].iter().any(|(other, ..)| other == job) {
                return false;
            }
            free.entry(seat.home).or_insert_with(|| self.free(seat.home).clone()).add(&seat.columns);
        }
        moves.iter().all(|(_, columns, row)| {
            let free = free.entry(*row).or_insert_with(|| self.free(*row).clone());
            let room = columns.is_within(free);
            free.take(columns);
            room
        })
    }

    fn set(&mut self, job: JobId, change: impl FnOnce(&mut Seat)) {
        if let Some(seat) = self.seats.get_mut(&job) {
            change(seat);
        }
    }

    fn enter(&mut self, job: JobId, row: usize) {
        let Some(seat) = self.seats.get_mut(&job) else { return };
        if let Some(blocks) = &mut self.blocks {
            blocks.enter((job, seat.rank), &seat.columns, row);
            self.changed.push(job);
        }
        let at = seat.rows.partition_point(|&other| other < row);
        seat.rows.insert(at, row);
        let Row { jobs, ranks, sizes, free, left } = &mut self.rows[row];
        free.take(&seat.columns);
        *left -= seat.size;
        let at = ranks.partition_point(|&rank| rank < seat.rank);
        jobs.insert(at, job);
        ranks.insert(at, seat.rank);
        sizes.insert(at, seat.size);
    }

    fn leave(&mut self, job: JobId, row: usize) {
        let Some(seat) = self.seats.get_mut(&job) else { return };
        if let Some(blocks) = &mut self.blocks {
            blocks.leave(job, &seat.columns, row);
            self.changed.push(job);
        }
        seat.rows.retain(|&other| other != row);
        let Row { jobs, ranks, sizes, free, left } = &mut self.rows[row];
        free.add(&seat.columns);
        *left += seat.size;
        if let Ok(at) = ranks.binary_search(&seat.rank) {
            jobs.remove(at);
            ranks.remove(at);
            sizes.remove(at);
        }
    }
}

impl Seat {
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn home(&self) -> usize {
        self.home
    }

    /// Returns all rows that the job is in, ascending, including the home row.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    pub fn is_in(&self, row: usize) -> bool {
        self.rows.contains(&row)
    }
}
