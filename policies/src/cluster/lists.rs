//! Two lists of jobs threaded through one pair of arrays: the waiting and the resident jobs.

use batchlab_traces::JobId;

const NONE: u32 = u32::MAX;

/// Waiting jobs in the order of submission, resident jobs in the order of their placement. All moves are
/// O(1), except that a job that waits again is inserted in order by a walk from the end.
#[derive(Debug)]
pub struct Lists {
    next: Vec<u32>,
    prev: Vec<u32>,
    waiting: Ends,
    resident: Ends,
    /// Whether a job is in the resident list rather than the waiting one.
    in_resident: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
}

const EMPTY: Ends = Ends { first: NONE, last: NONE };

impl Lists {
    /// Returns empty lists with room for `jobs` jobs.
    pub fn new(jobs: usize) -> Lists {
        Lists {
            next: vec![NONE; jobs],
            prev: vec![NONE; jobs],
            waiting: EMPTY,
            resident: EMPTY,
            in_resident: vec![false; jobs],
        }
    }

    /// Adds a job to the waiting list, in the order of submission.
    pub fn wait(&mut self, job: JobId) {
        let mut after = self.waiting.last;
        while after != NONE && after > job.0 {
            after = self.prev[after as usize];
        }
        self.in_resident[job.index()] = false;
        self.link(job.0, after, false);
    }

    /// Adds a job to the end of the resident list.
    pub fn reside(&mut self, job: JobId) {
        self.in_resident[job.index()] = true;
        self.link(job.0, self.resident.last, true);
    }

    /// Takes a job out of its list.
    pub fn leave(&mut self, job: JobId) {
        let resident = self.in_resident[job.index()];
        let (prev, next) = (self.prev[job.index()], self.next[job.index()]);
        let ends = if resident { &mut self.resident } else { &mut self.waiting };
        if prev == NONE {
            ends.first = next;
        } else {
            self.next[prev as usize] = next;
        }
        if next == NONE {
            ends.last = prev;
        } else {
            self.prev[next as usize] = prev;
        }
    }

    /// Returns the waiting jobs in order.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        self.walk(self.waiting.first)
    }

    /// Returns the resident jobs in order.
    pub fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.walk(self.resident.first)
    }

    fn walk(&self, first: u32) -> impl Iterator<Item = JobId> + '_ {
        let some = |at: u32| Some(JobId(at)).filter(|_| at != NONE);
        std::iter::successors(some(first), move |job| some(self.next[job.index()]))
    }

    fn link(&mut self, job: u32, after: u32, resident: bool) {
        let ends = if resident { &mut self.resident } else { &mut self.waiting };
        let next = if after == NONE { ends.first } else { self.next[after as usize] };
        self.prev[job as usize] = after;
        self.next[job as usize] = next;
        if after == NONE {
            ends.first = job;
        } else {
            self.next[after as usize] = job;
        }
        if next == NONE {
            ends.last = job;
        } else {
            self.prev[next as usize] = job;
        }
    }
}
