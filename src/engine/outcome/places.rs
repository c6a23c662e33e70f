use batchlab_support::Share;
use batchlab_traces::{JobId, Time};

/// The nodes of jobs and the instants from which they hold them, on machines with nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Places {
    runs: Vec<Run>,
    moves: Vec<Move>,
}

/// Consecutive nodes with equal shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: Share,
    count: u32,
}

/// A job is placed on nodes: a range of indices into the list of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    job: JobId,
    at: Time,
    from: u32,
    to: u32,
}

impl Places {
    /// Whether no places are known: on a pool, and for schedules that name no nodes.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the size of the record in bytes. O(1).
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.runs.as_slice()) + size_of_val(self.moves.as_slice())) as u64
    }

    /// Records that a job holds these nodes from an instant on; it can be looked up after [`Places::settle`].
    pub fn push(&mut self, job: JobId, at: Time, shares: &[Share]) {
        let from = self.runs.len();
        for &share in shares {
            match self.runs[from..].last_mut() {
                Some(run) if run.is_before(share) => run.count += 1,
                _ => self.runs.push(Run { first: share, count: 1 }),
            }
        }
        self.moves.push(Move { job, at, from: from as u32, to: self.runs.len() as u32 });
    }

    /// Sorts the records so that they can be looked up. O(n log n).
    pub fn settle(mut self) -> Places {
        self.moves.sort_unstable();
        self
    }

    /// Returns the nodes of a job at an instant: those of its last placement; empty if unknown. O(log n).
    pub fn at(&self, job: JobId, now: Time) -> Vec<Share> {
        let own = self.of(job);
        let last = own.partition_point(|step| step.at <= now);
        last.checked_sub(1).map(|last| self.shares(own[last])).unwrap_or_default()
    }

    /// Returns the nodes of a job that never moved since an instant, such as the start after the last loss of its work; empty if
    /// unknown or if the job moved. O(log n).
    pub fn only(&self, job: JobId, since: Time) -> Vec<Share> {
        let own = self.of(job);
        let own = &own[own.partition_point(|step| step.at < since)..];
        let Some((&first, others)) = own.split_first() else { return Vec::new() };
        let stays = others.iter().all(|&other| self.runs(other) == self.runs(first));
        if stays { self.shares(first) } else { Vec::new() }
    }

    /// Returns the successive placements of a job, each with the instant from which it holds.
    pub fn stays(&self, job: JobId) -> impl Iterator<Item = (Time, Vec<Share>)> + '_ {
        self.of(job).iter().map(|&step| (step.at, self.shares(step)))
    }

    /// Whether a job was placed at an instant. O(log n).
    pub fn changes(&self, job: JobId, at: Time) -> bool {
        self.of(job).binary_search_by_key(&at, |step| step.at).is_ok()
    }

    /// Removes the placements of all jobs for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(JobId) -> bool) {
        self.moves.retain(|step| keep(step.job));
    }

    /// Returns the placements with other identities of jobs. O(n log n).
    pub fn relabelled(mut self, identity: impl Fn(JobId) -> JobId) -> Places {
        for step in &mut self.moves {
            step.job = identity(step.job);
        }
        self.settle()
    }

    /// Returns every placement as its job and instant.
    pub fn all(&self) -> impl Iterator<Item = (JobId, Time)> + '_ {
        self.moves.iter().map(|step| (step.job, step.at))
    }

    fn of(&self, job: JobId) -> &[Move] {
        let first = self.moves.partition_point(|step| step.job < job);
        let count = self.moves[first..].partition_point(|step| step.job == job);
        &self.moves[first..first + count]
    }

    fn runs(&self, step: Move) -> &[Run] {
        &self.runs[step.from as usize..step.to as usize]
    }

    fn shares(&self, step: Move) -> Vec<Share> {
        self.runs(step).iter().flat_map(|run| run.shares()).collect()
    }
}

impl Run {
    /// Whether a share continues the run.
    fn is_before(self, share: Share) -> bool {
        (share.procs, share.devices) == (self.first.procs, self.first.devices)
            && share.node.checked_sub(self.first.node) == Some(self.count)
    }

    fn shares(self) -> impl Iterator<Item = Share> {
        let first = self.first.node;
        (first..first + self.count).map(move |node| Share { node, ..self.first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_where_it_was_put_last() {
        let shares = |node| [Share::new(node, 2)];
        let mut places = Places::default();
        places.push(JobId(1), Time::from_secs(5), &shares(0));
        places.push(JobId(0), Time::from_secs(6), &shares(1));
        places.push(JobId(1), Time::from_secs(7), &shares(2));
        let places = places.settle();
        let at = |job, seconds| places.at(JobId(job), Time::from_secs(seconds));
        assert_eq!((at(1, 4), at(1, 6), at(1, 7)), (vec![], shares(0).to_vec(), shares(2).to_vec()));
        let only = |job| places.only(JobId(job), Time::ZERO);
        assert_eq!((only(0), only(1)), (shares(1).to_vec(), vec![]));
        assert_eq!(places.only(JobId(1), Time::from_secs(6)), shares(2), "it lost its work before");
        let changes = |job, seconds| places.changes(JobId(job), Time::from_secs(seconds));
        assert!(changes(1, 5) && changes(1, 7) && !changes(1, 6) && !changes(0, 5));
        assert!(only(2).is_empty() && !places.is_empty());
    }

    #[test]
    fn equal_shares_of_consecutive_nodes_are_one_run() {
        let shares = [(3, 1), (4, 1), (5, 1), (6, 2), (8, 2), (0, 2)];
        let shares = shares.map(|(node, procs)| Share::new(node, procs));
        let mut places = Places::default();
        places.push(JobId(0), Time::ZERO, &shares);
        places.push(JobId(0), Time::SECOND, &[Share::new(1, 2)]);
        assert_eq!(places.runs.len(), 5);
        assert_eq!(places.settle().at(JobId(0), Time::ZERO), shares);
    }
}
