//! Alternates: processors that are idle in a slot run jobs of other slots.

use std::collections::BTreeSet;

use batchlab_traces::JobId;

use crate::cluster::columns::Columns;

/// A job with its position in the order of arrival on the board.
pub type Ranked = (u64, JobId);

/// The jobs that may be alternates, by their processors.
///
/// Feitelson (Packing Schemes for Gang Scheduling, JSSPP 1996) finds that mapping by buddies depends on
/// alternates: the processors that a job leaves idle in its block, and blocks without a job, are given to
/// jobs mapped elsewhere. Which jobs get them is this project's rule: row by row, the job that is in the
/// fewest rows so far comes first, among equals the job that came first. A row without a job of its own
/// takes no turn, and gets no alternates.
///
/// Of jobs on the same processors a row takes one, and by the rule they take turns: for each row, only one
/// of them is asked.
#[derive(Clone, Debug)]
pub struct Alternates {
    /// By the lowest of their processors.
    groups: Vec<Vec<Group>>,
}

/// Jobs on the same processors.
#[derive(Clone, Debug)]
struct Group {
    columns: Columns,
    size: usize,
    /// In the order of arrival.
    jobs: Vec<Ranked>,
    /// The rows they have got, including those of jobs passed over.
    turns: usize,
}

impl Group {
    /// Passes over jobs that cannot run; returns how many further rows the next job is in, and the job.
    fn next(&mut self, idle: &BTreeSet<JobId>) -> Option<(usize, Ranked)> {
        for _ in 0..self.jobs.len() {
            let next = self.jobs[self.turns % self.jobs.len()];
            if idle.is_empty() || !idle.contains(&next.1) {
                return Some((self.turns / self.jobs.len(), next));
            }
            self.turns += 1;
        }
        None
    }
}

impl Alternates {
    /// Returns an empty set for a number of processors.
    pub fn new(procs: usize) -> Alternates {
        Alternates { groups: vec![Vec::new(); procs] }
    }

    /// A job is mapped to processors; all others came before it.
    pub fn enter(&mut self, job: Ranked, columns: &Columns) {
        let Some(lowest) = columns.iter().next() else { return };
        let groups = &mut self.groups[lowest];
        match groups.iter_mut().find(|group| group.columns == *columns) {
            Some(group) => group.jobs.push(job),
            None => {
                let (columns, size) = (columns.clone(), columns.len());
                groups.push(Group { columns, size, jobs: vec![job], turns: 0 });
            }
        }
    }

    /// A job leaves the processors.
    pub fn leave(&mut self, job: Ranked, columns: &Columns) {
        let Some(lowest) = columns.iter().next() else { return };
        let groups = &mut self.groups[lowest];
        if let Some(group) = groups.iter_mut().find(|group| group.columns == *columns) {
            group.jobs.retain(|&other| other != job);
        }
        groups.retain(|group| !group.jobs.is_empty());
    }

    /// From now on the first row is filled, then the next.
    pub fn begin(&mut self) {
        self.groups.iter_mut().flatten().for_each(|group| group.turns = 0);
    }

    /// Adds jobs to the next row, all of whose processors are free, besides those that cannot run.
    /// O(groups that begin at a free processor + log of those that fit).
    pub fn fill(&mut self, row: &mut Vec<Ranked>, free: &mut Columns, idle: &BTreeSet<JobId>) {
        let left = free.len();
        if row.is_empty() || left == 0 {
            return;
        }
        let mut others: Vec<(usize, Ranked, usize, usize)> = Vec::new();
        for lowest in free.iter() {
            for (at, group) in self.groups[lowest].iter_mut().enumerate() {
                if group.size <= left
                    && group.columns.is_within(free)
                    && let Some((rows, job)) = group.next(idle)
                {
                    others.push((rows, job, lowest, at));
                }
            }
        }
        others.sort_unstable();
        let own = row.len();
        for (_, job, lowest, at) in others {
            let group = &mut self.groups[lowest][at];
            if group.columns.is_within(free) {
                free.take(&group.columns);
                group.turns += 1;
                row.push(job);
            }
        }
        if row.len() > own {
            row.sort_unstable();
        }
    }
}
