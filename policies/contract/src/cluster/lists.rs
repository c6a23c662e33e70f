//! Two lists of jobs threaded through one pair of arrays: the waiting and the resident jobs.

use batchlab_traces::JobId;

const NONE: u32 = u32::MAX;

/// Waiting jobs in the order of submission, resident jobs in the order of their placement. All moves are
/// O(1), except that a job that waits again is inserted in order by a walk from the end.
#[derive(Debug)]
pub struct Lists {
    /// The first job of the arrays: 0, except in a stream.
    base: u32,
    next: Vec<u32>,
    prev: Vec<u32>,
    waiting: Ends,
    resident: Ends,
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
            base: 0,
            next: vec![NONE; jobs],
            prev: vec![NONE; jobs],
            waiting: EMPTY,
            resident: EMPTY,
            in_resident: vec![false; jobs],
        }
    }

    pub(super) fn grow(&mut self, jobs: usize) {
        self.next.resize(jobs, NONE);
        self.prev.resize(jobs, NONE);
        self.in_resident.resize(jobs, false);
    }

    /// Goes on with the jobs from `first` on; those before are in no list.
    pub fn go_on(&mut self, first: JobId, jobs: usize) {
        let gone = (first.0 - self.base) as usize;
        for links in [&mut self.next, &mut self.prev] {
            links.drain(..gone);
            links.resize(jobs, NONE);
        }
        self.in_resident.drain(..gone);
        self.in_resident.resize(jobs, false);
        self.base = first.0;
    }

    #[inline]
    fn at(&self, job: u32) -> usize {
        (job - self.base) as usize
    }

    /// Adds a job to the waiting list, in the order of submission.
    pub fn wait(&mut self, job: JobId) {
        let mut after = self.waiting.last;
        while after != NONE && after > job.0 {
            after = self.prev[self.at(after)];
        }
        let at = self.at(job.0);
        self.in_resident[at] = false;
        self.link(job.0, after, false);
    }

    /// Adds a job to the end of the resident list.
    pub fn reside(&mut self, job: JobId) {
        let at = self.at(job.0);
        self.in_resident[at] = true;
        self.link(job.0, self.resident.last, true);
    }

    pub fn leave(&mut self, job: JobId) {
        let at = self.at(job.0);
        let (prev, next) = (self.prev[at], self.next[at]);
        let ends = if self.in_resident[at] { &mut self.resident } else { &mut self.waiting };
        if prev == NONE {
            ends.first = next;
        } else {
            self.next[(prev - self.base) as usize] = next;
        }
        if next == NONE {
            ends.last = prev;
        } else {
            self.prev[(next - self.base) as usize] = prev;
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
        let some = |job: u32| Some(JobId(job)).filter(|_| job != NONE);
        std::iter::successors(some(first), move |job| some(self.next[self.at(job.0)]))
    }

    fn link(&mut self, job: u32, after: u32, resident: bool) {
        let base = self.base;
        let at = |job: u32| (job - base) as usize;
        let ends = if resident { &mut self.resident } else { &mut self.waiting };
        let next = if after == NONE { ends.first } else { self.next[at(after)] };
        self.prev[at(job)] = after;
        self.next[at(job)] = next;
        if after == NONE {
            ends.first = job;
        } else {
            self.next[at(after)] = job;
        }
        if next == NONE {
            ends.last = job;
        } else {
            self.prev[at(next)] = job;
        }
    }
}
