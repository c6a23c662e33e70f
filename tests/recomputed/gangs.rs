//! Zhang, Franke, Moreira and Sivasubramaniam 2000, sections 4 and 5.4: gang scheduling in a matrix of slices, without and
//! with migration (at no cost, of any number of tasks).

use super::{Job, NEVER, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

const NODES: usize = 320;
const ROWS: usize = 5;
const SLICE: i64 = 200_000_000;

struct Matrix {
    cells: Vec<[Option<usize>; NODES]>,
    columns: Vec<Vec<usize>>,
    home: Vec<usize>,
    /// Jobs in the matrix as they came.
    order: Vec<usize>,
}

impl Matrix {
    fn free(&self, row: usize) -> Vec<usize> {
        (0..NODES).filter(|&column| self.cells[row][column].is_none()).collect()
    }

    fn is_in(&self, job: usize, row: usize) -> bool {
        self.cells[row][self.columns[job][0]] == Some(job)
    }

    fn jobs(&self, row: usize) -> Vec<usize> {
        self.order.iter().copied().filter(|&job| self.is_in(job, row)).collect()
    }

    fn put(&mut self, job: usize, row: usize, what: Option<usize>) {
        for &column in &self.columns[job] {
            self.cells[row][column] = what;
        }
    }

    fn take_out(&mut self, job: usize, row: usize) {
        if self.is_in(job, row) {
            self.put(job, row, None);
        }
    }

    fn has_room(&self, job: usize, row: usize) -> bool {
        self.columns[job].iter().all(|&column| self.cells[row][column].is_none())
    }

    /// Moves jobs from the least populated rows to the most populated ones; returns how many.
    fn gather(&mut self, mut moves: impl FnMut(&mut Matrix, usize, usize, usize) -> bool) -> usize {
        let mut ranked: Vec<usize> = (0..ROWS).rev().collect();
        ranked.sort_by_key(|&row| NODES - self.free(row).len());
        let mut count = 0;
        for from in 0..ROWS {
            for to in (from + 1..ROWS).rev() {
                for job in self.jobs(ranked[from]) {
                    count += usize::from(moves(self, job, ranked[from], ranked[to]));
                }
            }
        }
        count
    }

    /// A move in the same columns.
    fn shift(&mut self, job: usize, from: usize, to: usize) -> bool {
        let fits = self.has_room(job, to);
        if fits {
            self.put(job, from, None);
            self.put(job, to, Some(job));
            self.home[job] = to;
        }
        fits
    }

    fn make_way(&mut self, job: usize, row: usize) -> bool {
        let others: Vec<usize> = self.in_the_way(job, row);
        let mut free = self.free(row);
        free.extend(others.iter().flat_map(|&other| self.columns[other].clone()));
        free.retain(|column| !self.columns[job].contains(column));
        free.sort_unstable();
        let needed: usize = others.iter().map(|&other| self.columns[other].len()).sum();
        if free.len() < needed {
            return false;
        }
        for &other in &others {
            self.put(other, row, None);
        }
        for other in others {
            let rest = free.split_off(self.columns[other].len());
            self.columns[other] = std::mem::replace(&mut free, rest);
            self.put(other, row, Some(other));
        }
        true
    }

    fn in_the_way(&self, job: usize, row: usize) -> Vec<usize> {
        self.jobs(row)
            .into_iter()
            .filter(|&other| self.columns[other].iter().any(|c| self.columns[job].contains(c)))
            .collect()
    }

    /// A move by migration, in the cheaper of the two ways (equations 4 and 5).
    fn migrate(&mut self, job: usize, from: usize, to: usize) -> bool {
        let size = self.columns[job].len();
        if self.shift(job, from, to) {
            return true;
        }
        if self.free(to).len() < size {
            return false;
        }
        let others: usize = self.in_the_way(job, to).iter().map(|&other| self.columns[other].len()).sum();
        if size + 2 * others > 2 * size + others {
            self.put(job, from, None);
            self.columns[job] = self.free(to)[..size].to_vec();
        } else if self.make_way(job, to) {
            self.put(job, from, None);
        } else {
            return false;
        }
        self.put(job, to, Some(job));
        self.home[job] = to;
        true
    }

    fn schedule(&mut self, queue: &mut Vec<usize>, jobs: &[Job]) {
        while let Some(&job) = queue.first() {
            let size = jobs[job].needs[0] as usize;
            let rows = (0..ROWS).map(|row| (self.free(row).len(), row)).filter(|(free, _)| *free >= size);
            let Some((_, row)) = rows.min() else { return };
            queue.remove(0);
            self.columns[job] = self.free(row)[..size].to_vec();
            self.home[job] = row;
            self.order.push(job);
            self.put(job, row, Some(job));
        }
    }

    /// Replicates jobs until nothing changes.
    fn fill(&mut self, comes: impl Fn(&mut Matrix, usize, usize) -> bool) {
        loop {
            let mut more = false;
            for job in self.order.clone() {
                let row = (0..ROWS).find(|&row| !self.is_in(job, row) && comes(self, job, row));
                if let Some(row) = row {
                    self.put(job, row, Some(job));
                    more = true;
                }
            }
            if !more {
                return;
            }
        }
    }

    /// Fill-2: those that are in no other row make way.
    fn displaces(&mut self, job: usize, row: usize) -> bool {
        if self.has_room(job, row) {
            return true;
        }
        let alone = |&other: &usize| (0..ROWS).filter(|&row| self.is_in(other, row)).count() == 1;
        self.free(row).len() >= self.columns[job].len()
            && self.in_the_way(job, row).iter().all(alone)
            && self.make_way(job, row)
    }

    /// A new matrix after an event.
    fn renew(&mut self, queue: &mut Vec<usize>, jobs: &[Job], migrates: bool) {
        for job in self.order.clone() {
            for row in (0..ROWS).filter(|&row| row != self.home[job]).collect::<Vec<_>>() {
                self.take_out(job, row);
            }
        }
        self.gather(Matrix::shift);
        self.schedule(queue, jobs);
        if migrates && self.gather(Matrix::migrate) > 0 {
            self.schedule(queue, jobs);
        }
        self.fill(|matrix, job, row| matrix.has_room(job, row));
        if migrates {
            self.fill(Matrix::displaces);
        }
    }
}

/// Rows take turns of a slice; a slice that an event cuts goes on in the new matrix.
fn simulated(jobs: &[Job], migrates: bool) -> Vec<i64> {
    let n = jobs.len();
    let mut matrix = Matrix {
        cells: vec![[None; NODES]; ROWS],
        columns: vec![vec![0]; n],
        home: vec![0; n],
        order: Vec::new(),
    };
    let (mut starts, mut left) = (vec![NEVER; n], jobs.iter().map(|job| job.run).collect::<Vec<_>>());
    let (mut queue, mut next, mut now, mut row, mut rest) = (Vec::new(), 0, 0, 0, 0);
    while next < n || !matrix.order.is_empty() {
        let arrival = jobs.get(next).map_or(NEVER, |job| job.submit);
        if matrix.order.is_empty() {
            (now, row, rest) = (arrival, ROWS - 1, 0);
        }
        while now < arrival && matrix.order.iter().all(|&job| left[job] > 0) {
            if rest == 0 || matrix.jobs(row).is_empty() {
                let after = if rest == 0 { row + 1 } else { row };
                row = (after..after + ROWS)
                    .map(|row| row % ROWS)
                    .find(|&row| !matrix.jobs(row).is_empty())
                    .unwrap();
                rest = SLICE;
            }
            let running = matrix.jobs(row);
            let step = running.iter().map(|&job| left[job]).min().unwrap().min(rest).min(arrival - now);
            for job in running {
                starts[job] = starts[job].min(now);
                left[job] -= step;
            }
            (now, rest) = (now + step, rest - step);
        }
        for job in matrix.order.clone().into_iter().filter(|&job| left[job] == 0) {
            (0..ROWS).for_each(|row| matrix.take_out(job, row));
            matrix.order.retain(|&other| other != job);
        }
        while jobs.get(next).is_some_and(|job| job.submit == now) {
            queue.push(next);
            next += 1;
        }
        matrix.renew(&mut queue, jobs, migrates);
    }
    starts
}

#[test]
fn gang_scheduling_of_zhang_is_recomputed() {
    let folder = Folder::new();
    let (mut plain, mut migrating) = (0, 0);
    for seed in ["1", "2"] {
        let options = ["--jobs", "400", "--seed", seed, "--set", "workload=5"];
        assert_eq!(
            folder.run(&[&["generate", "zhang2000", "-o", "a.swf", "-q"], &options[..]].concat()).code,
            0
        );
        let jobs = jobs(&folder.read("a.swf"));
        plain += equal_starts(&jobs, &simulated(&jobs, false), &replayed(&folder, "a.swf", &[], "gs"), "gs");
        migrating +=
            equal_starts(&jobs, &simulated(&jobs, true), &replayed(&folder, "a.swf", &[], "mgs"), "mgs");
    }
    is_stated("zhang00", plain, "GS");
    is_stated("zhang00", migrating, "MGS");
}
