//! When running jobs are expected to give back what they hold.

use batchlab_traces::{JobId, Time};

use super::tree::{Summary, Tree};

/// Which releases count for the extra processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraRule {
    /// All releases at the shadow time: the definition.
    All,
    /// Only those up to the one that lets the head fit: a common shortcut.
    First,
}

/// The reservation of a head that does not fit now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadow<const K: usize> {
    /// The shadow time: when enough is expected to be free for the head.
    pub at: Time,
    /// What is free then beyond the head's need: the extra processors, per resource.
    pub extra: [i64; K],
}

/// Sum of amounts; one amount too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Freed<const K: usize>([i64; K]);

impl<const K: usize> Default for Freed<K> {
    fn default() -> Freed<K> {
        Freed([0; K])
    }
}

impl<const K: usize> Summary for Freed<K> {
    type Entry = Freed<K>;
    const EMPTY: Freed<K> = Freed([0; K]);

    #[inline]
    fn add(&mut self, entry: &Freed<K>) {
        self.0 = plus(self.0, entry.0);
    }

    #[inline]
    fn join(&mut self, other: &Freed<K>) {
        self.add(other);
    }

    #[inline]
    fn remove(&mut self, entry: &Freed<K>) -> bool {
        for (sum, amount) in self.0.iter_mut().zip(entry.0) {
            *sum -= amount;
        }
        true
    }
}

/// Expected end, start, job: ties end in the order of start, then of submission.
type Key = (Time, Time, u32);

/// The running jobs by expected end, with prefix sums of what they hold: every question is O(log n).
///
/// Nothing is expected to end before the next second: a job whose expected end has passed counts as
/// ending at now + 1 s.
#[derive(Clone, Debug, Default)]
pub struct Releases<const K: usize> {
    tree: Tree<Key, Freed<K>>,
}

impl<const K: usize> Releases<K> {
    /// Adds a running job.
    #[inline]
    pub fn add(&mut self, end: Time, start: Time, job: JobId, holds: [i64; K]) {
        self.tree.insert((end, start, job.0), Freed(holds));
    }

    /// Removes a running job; returns whether it was there.
    #[inline]
    pub fn remove(&mut self, end: Time, start: Time, job: JobId) -> bool {
        self.tree.remove((end, start, job.0))
    }

    /// Returns the reservation of a job that does not fit into what is free now; `None` when even all ends
    /// do not free enough.
    pub fn shadow(&self, now: Time, free: [i64; K], need: [i64; K], rule: ExtraRule) -> Option<Shadow<K>> {
        let enough = |freed: &Freed<K>| (0..K).all(|kind| free[kind] + freed.0[kind] >= need[kind]);
        let ((end, ..), upto) = self.tree.find_prefix(enough)?;
        let at = end.max(now + Time::SECOND);
        let freed = match rule {
            ExtraRule::All => self.tree.sum_through((at, Time::MAX, u32::MAX)).0,
            ExtraRule::First => upto.0,
        };
        let mut extra = plus(free, freed);
        for (extra, need) in extra.iter_mut().zip(need) {
            *extra -= need;
        }
        Some(Shadow { at, extra })
    }

    /// Calls a function with the expected end and the holding of every running job, in order of end.
    pub fn for_each(&self, now: Time, mut visit: impl FnMut(Time, [i64; K])) {
        self.tree.for_each(|(end, ..), freed| visit(end.max(now + Time::SECOND), freed.0));
    }
}

#[inline]
fn plus<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(jobs: &[(i64, i64)]) -> Releases<1> {
        let mut releases = Releases::default();
        for (job, &(end, procs)) in jobs.iter().enumerate() {
            releases.add(Time::from_secs(end), Time::ZERO, JobId(job as u32), [procs]);
        }
        releases
    }

    #[test]
    fn all_ends_at_the_shadow_time_count_for_the_extra_processors() {
        let releases = running(&[(100, 3), (100, 3), (200, 2)]);
        let shadow = |rule| releases.shadow(Time::from_secs(1), [2], [5], rule);
        let at = Time::from_secs(100);
        assert_eq!(shadow(ExtraRule::All), Some(Shadow { at, extra: [3] }));
        assert_eq!(shadow(ExtraRule::First), Some(Shadow { at, extra: [0] }));
    }

    #[test]
    fn an_overdue_job_is_expected_to_end_in_a_second() {
        let releases = running(&[(5, 3), (10, 3)]);
        let shadow = releases.shadow(Time::from_secs(50), [0], [3], ExtraRule::All);
        assert_eq!(shadow, Some(Shadow { at: Time::from_secs(51), extra: [3] }));
    }
}
