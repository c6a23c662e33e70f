//! Jobs that are queued or running at the current position in the log.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use batchlab_traces::Time;
use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::sorted::SortedMap;

use crate::pauses::Pauses;

/// The most bytes of records that are kept.
const MOST: usize = 256 << 20;

/// Bytes that a job takes besides its record.
const COST: usize = 200;

/// A job without an E record so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) number: i64,
    /// The job's index, if it is part of an array.
    pub(super) index: Option<i64>,
    pub(super) line: u32,
    /// The message of the most complete record of the job.
    pub(super) message: Box<[u8]>,
    /// The first queue time, on the server's clock.
    pub(super) queued: Option<Stamp>,
    /// When it was last put back into the queue, on the server's clock.
    pub(super) requeued: Option<Stamp>,
    /// The start of the run that was last put back into the queue, if a record gives it.
    pub(super) put_back: Option<Time>,
    pub(super) started: bool,
    /// The time of its deletion or abort, on the server's clock.
    pub(super) gone: Option<Stamp>,
    pub(super) aborted: bool,
    pub(super) pauses: Pauses,
}

/// Jobs by id, oldest first, and the ids of jobs that ended.
#[derive(Default)]
pub(super) struct OpenJobs {
    /// Position in the order of arrival, by id. Never iterated.
    index: HashMap<Box<[u8]>, u64>,
    jobs: SortedMap<u64, (Box<[u8]>, Open)>,
    next: u64,
    bytes: usize,
    /// Hashes of the ids of jobs that ended: a late deletion record must not create a job.
    ended: HashSet<u64, BuildHasherDefault<DefaultHasher>>,
}

impl OpenJobs {
    /// Returns the job with an id; makes it at its first record.
    pub(super) fn get(&mut self, id: &[u8]) -> &mut Open {
        let serial = self.index.get(id).copied().unwrap_or_else(|| {
            let serial = self.next;
            self.next += 1;
            self.bytes += 2 * id.len() + COST;
            self.index.insert(id.into(), serial);
            serial
        });
        &mut self.jobs.entry(serial).or_insert_with(|| (id.into(), Open::default())).1
    }

    /// Whether the job is known and has not ended.
    pub(super) fn knows(&self, id: &[u8]) -> bool {
        self.index.contains_key(id)
    }

    pub(super) fn has_ended(&self, id: &[u8]) -> bool {
        self.ended.contains(&hash(id))
    }

    pub(super) fn keep(&mut self, id: &[u8], message: &[u8]) {
        let job = self.get(id);
        let before = job.message.len();
        job.message = message.into();
        self.bytes = self.bytes + message.len() - before;
    }

    pub(super) fn end(&mut self, id: &[u8]) -> Option<Open> {
        self.ended.insert(hash(id));
        let serial = self.index.remove(id)?;
        let (id, job) = self.jobs.remove(&serial)?;
        self.bytes -= 2 * id.len() + COST + job.message.len();
        Some(job)
    }

    /// Removes the oldest job if the memory limit is exceeded.
    pub(super) fn overflow(&mut self) -> Option<Open> {
        if self.bytes <= MOST { None } else { self.oldest() }
    }

    pub(super) fn oldest(&mut self) -> Option<Open> {
        let (_, (id, job)) = self.jobs.pop_first()?;
        self.index.remove(&id);
        self.bytes -= 2 * id.len() + COST + job.message.len();
        Some(job)
    }
}

fn hash(id: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::default();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_leave_in_the_order_they_came() {
        let mut open = OpenJobs::default();
        for id in [&b"b"[..], b"a", b"c", b"b"] {
            open.get(id).number += 1;
        }
        open.keep(b"c", b"queue=q");
        assert_eq!(open.end(b"a").map(|job| job.number), Some(1));
        assert!(open.has_ended(b"a") && !open.knows(b"a") && open.knows(b"b"));
        assert_eq!(open.end(b"z"), None);
        assert_eq!(open.oldest().map(|job| job.number), Some(2));
        assert_eq!(open.oldest().map(|job| job.message), Some(b"queue=q"[..].into()));
        assert_eq!((open.oldest(), open.bytes), (None, 0));
    }

    #[test]
    fn kept_records_are_bounded() {
        let mut open = OpenJobs::default();
        let message = vec![b'x'; 1 << 20];
        for job in 0..300_u32 {
            open.keep(&job.to_le_bytes(), &message);
            while open.overflow().is_some() {}
        }
        assert!(open.bytes <= MOST && open.jobs.len() > 200, "{}", open.jobs.len());
    }
}
