//! Setia, Squillante and Naik 1999, sections 2 and 4.2: distributed hierarchical control on a machine whose processors are a
//! power of two, with two long-term queues for memory.

use super::{Job, NEVER, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

const PROCS: usize = 1024;
const SLICE: i64 = 200_000_000;
/// KB on each processor.
const MEMORY: i64 = 128 * 1024;

struct Board<'a> {
    jobs: &'a [Job],
    slots: Vec<Vec<Option<usize>>>,
    memory: Vec<i64>,
    /// First processor of each job's block.
    block: Vec<usize>,
    /// Jobs on the board as they came.
    order: Vec<usize>,
}

impl Board<'_> {
    fn size(&self, job: usize) -> usize {
        self.jobs[job].needs[0] as usize
    }

    fn columns(&self, job: usize) -> std::ops::Range<usize> {
        self.block[job]..self.block[job] + self.size(job)
    }

    /// Maps a job to the least loaded block of its size that has memory, the leftmost of equals, and to the first slot in
    /// which that block is free.
    fn place(&mut self, job: usize) -> bool {
        let (size, need) = (self.size(job), self.jobs[job].memory);
        let load = |first: usize| {
            self.slots.iter().filter(|slot| slot[first..first + size].iter().any(Option::is_some)).count()
        };
        let has_memory = |first: &usize| self.memory[*first..*first + size].iter().all(|free| *free >= need);
        let blocks = (0..PROCS).step_by(size).filter(has_memory).map(|first| (load(first), first));
        let Some((_, first)) = blocks.min() else { return false };
        let free = self.slots.iter().position(|slot| slot[first..first + size].iter().all(Option::is_none));
        let slot = free.unwrap_or(self.slots.len());
        self.slots.resize(self.slots.len().max(slot + 1), vec![None; PROCS]);
        self.slots[slot][first..first + size].fill(Some(job));
        self.memory[first..first + size].iter_mut().for_each(|free| *free -= need);
        self.block[job] = first;
        self.order.push(job);
        true
    }

    fn leave(&mut self, job: usize) {
        let columns = self.columns(job);
        self.slots.iter_mut().flatten().filter(|cell| **cell == Some(job)).for_each(|cell| *cell = None);
        self.memory[columns].iter_mut().for_each(|free| *free += self.jobs[job].memory);
        self.order.retain(|&other| other != job);
        while self.slots.last().is_some_and(|slot| slot.iter().all(Option::is_none)) {
            self.slots.pop();
        }
    }

    /// The jobs of each slot, and as alternates jobs whose processors are all idle there: those that have been alternates
    /// least come first, among equals those that came first.
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut turns = vec![0; self.jobs.len()];
        let row = |slot: &Vec<Option<usize>>| {
            let mut slot = slot.clone();
            let is_in = |slot: &[Option<usize>], job: usize| slot[self.block[job]] == Some(job);
            if slot.iter().any(Option::is_some) {
                let mut others = self.order.clone();
                others.sort_by_key(|&job| turns[job]);
                for job in others {
                    let cells = &mut slot[self.columns(job)];
                    if cells.iter().all(Option::is_none) {
                        cells.fill(Some(job));
                        turns[job] += 1;
                    }
                }
            }
            self.order.iter().copied().filter(|&job| is_in(&slot, job)).collect()
        };
        self.slots.iter().map(row).collect()
    }
}

/// A newcomer is tried at once; when jobs have left, interactive jobs are examined, then batch jobs, all of them.
fn simulated(jobs: &[Job]) -> Vec<i64> {
    let n = jobs.len();
    let mut board =
        Board { jobs, slots: Vec::new(), memory: vec![MEMORY; PROCS], block: vec![0; n], order: Vec::new() };
    let (mut starts, mut left) = (vec![NEVER; n], jobs.iter().map(|job| job.run).collect::<Vec<_>>());
    let mut queues: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
    let (mut next, mut now, mut row, mut rest, mut rows) = (0, 0, 0, 0, Vec::<Vec<usize>>::new());
    while next < n || !board.order.is_empty() {
        let arrival = jobs.get(next).map_or(NEVER, |job| job.submit);
        if board.order.is_empty() {
            (now, row, rest) = (arrival, 0, SLICE);
        }
        while now < arrival && board.order.iter().all(|&job| left[job] > 0) {
            if rest == 0 || rows.get(row).is_none_or(Vec::is_empty) {
                let after = if rest == 0 { row + 1 } else { row };
                let cycle = (after..rows.len()).chain(0..rows.len());
                row = cycle.into_iter().find(|&row| !rows[row].is_empty()).unwrap();
                rest = SLICE;
            }
            let step = rows[row].iter().map(|&job| left[job]).min().unwrap().min(rest).min(arrival - now);
            for &job in &rows[row] {
                starts[job] = starts[job].min(now);
                left[job] -= step;
            }
            (now, rest) = (now + step, rest - step);
        }
        let gone: Vec<usize> = board.order.iter().copied().filter(|&job| left[job] == 0).collect();
        for &job in &gone {
            board.leave(job);
        }
        if !gone.is_empty() {
            for queue in &mut queues {
                queue.retain(|&job| !board.place(job));
            }
        }
        while jobs.get(next).is_some_and(|job| job.submit == now) {
            if !board.place(next) {
                queues[usize::from(jobs[next].queue == 1)].push(next);
            }
            next += 1;
        }
        rows = board.rows();
    }
    starts
}

#[test]
fn hierarchical_control_of_setia_is_recomputed() {
    let folder = Folder::new();
    let mut count = 0;
    for seed in ["1", "2"] {
        let options = ["--jobs", "500", "--procs", "1024", "--seed", seed, "--set", "demand=900"];
        assert_eq!(
            folder.run(&[&["generate", "setia99", "-o", "a.swf", "-q"], &options[..]].concat()).code,
            0
        );
        let jobs = jobs(&folder.read("a.swf"));
        let machine = [
            "--nodes",
            "1024",
            "--capacity",
            "memory=128MB",
            "--memory",
            "used",
            "--interactive",
            "queue = 0",
        ];
        count += equal_starts(&jobs, &simulated(&jobs), &replayed(&folder, "a.swf", &machine, "dhc"), "dhc");
    }
    is_stated("setia99", count, "DHC with 128 MB per processor");
}
