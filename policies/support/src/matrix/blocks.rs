//! The other home rows to which the jobs of a matrix without replicas could move.
//!
//! For each job and row it keeps the number of the job's columns that jobs of the row use. A job that enters or leaves a row
//! changes only the numbers of the jobs in its columns: O(its columns · rows). Compact then looks only at the jobs that can move.

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;
use rustc_hash::FxHashMap;

use super::Columns;

const NONE: u32 = u32::MAX;

/// The jobs in the way of each job in other rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Blocks {
    width: usize,
    height: usize,
    /// The place of the job that uses a cell, row by row.
    cells: Vec<u32>,
    places: Vec<Entry>,
    unused: Vec<u32>,
    known: FxHashMap<JobId, u32>,
    /// For each home row, the rows to which its jobs could move: the row, the rank of the job, the job.
    open: Vec<SortedSet<(usize, u64, JobId)>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    job: JobId,
    rank: u64,
    /// For each row, the number of the job's columns that other jobs use there.
    blocked: Vec<u32>,
}

impl Blocks {
    pub(super) fn new(width: usize, height: usize) -> Blocks {
        let open = vec![SortedSet::new(); height];
        Blocks { width, height, cells: vec![NONE; width * height], open, ..Blocks::default() }
    }

    /// Returns the jobs of a home row that could move to another row, in the order in which they came into the matrix.
    pub(super) fn open(&self, from: usize, to: usize) -> Vec<JobId> {
        let range = (to, 0, JobId(0))..(to + 1, 0, JobId(0));
        self.open[from].range(range).map(|&(.., job)| job).collect()
    }

    pub(super) fn enter(&mut self, (job, rank): (JobId, u64), columns: &Columns, row: usize) {
        let entry = Entry { job, rank, blocked: vec![0; self.height] };
        let place = match self.unused.pop() {
            Some(place) => {
                self.places[place as usize] = entry;
                place
            }
            None => {
                self.places.push(entry);
                self.places.len() as u32 - 1
            }
        };
        self.known.insert(job, place);
        for home in (0..self.height).filter(|&home| home != row) {
            for (other, shared) in met(&self.cells[home * self.width..], columns) {
                self.places[place as usize].blocked[home] += shared;
                let Entry { job, rank, blocked } = &mut self.places[other as usize];
                if blocked[row] == 0 {
                    self.open[home].remove(&(row, *rank, *job));
                }
                blocked[row] += shared;
            }
        }
        self.fill(row, columns, place);
        let blocked = &self.places[place as usize].blocked;
        let others = (0..self.height).filter(|&to| to != row && blocked[to] == 0);
        self.open[row].extend(others.map(|to| (to, rank, job)));
    }

    pub(super) fn leave(&mut self, job: JobId, columns: &Columns, row: usize) {
        let Some(place) = self.known.remove(&job) else { return };
        let Entry { rank, blocked, .. } = &mut self.places[place as usize];
        let (rank, blocked) = (*rank, std::mem::take(blocked));
        for to in (0..self.height).filter(|&to| to != row && blocked[to] == 0) {
            self.open[row].remove(&(to, rank, job));
        }
        self.fill(row, columns, NONE);
        for home in (0..self.height).filter(|&home| home != row) {
            for (other, shared) in met(&self.cells[home * self.width..], columns) {
                let Entry { job, rank, blocked } = &mut self.places[other as usize];
                blocked[row] -= shared;
                if blocked[row] == 0 {
                    self.open[home].insert((row, *rank, *job));
                }
            }
        }
        self.unused.push(place);
    }

    fn fill(&mut self, row: usize, columns: &Columns, place: u32) {
        let cells = &mut self.cells[row * self.width..];
        columns.runs().for_each(|run| cells[run].fill(place));
    }
}

/// Returns the places of the jobs that use some columns of a row, each with the number of successive columns; a place may come
/// several times.
fn met<'a>(cells: &'a [u32], columns: &'a Columns) -> impl Iterator<Item = (u32, u32)> + 'a {
    let parts = columns.runs().flat_map(|run| cells[run].chunk_by(|one, next| one == next));
    parts.filter(|part| part[0] != NONE).map(|part| (part[0], part.len() as u32))
}
