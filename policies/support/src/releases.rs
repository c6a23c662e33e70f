//! The instants at which running jobs are expected to give back their resources.
//!
//! A job lasts at least a second in every shadow time and profile, also a job of zero length, and an overdue job is
//! expected to end in a second. Ends within the next second count when they are due. In the event orders `submit-first`
//! and `finish-first` a job whose run time and estimate are zero is gone as soon as it has started.

use crate::words;
use batchlab_traces::{JobId, Time};

use super::amounts::{minus, plus, within};
use super::tree::{Summary, Tree};

/// Which releases count towards the extra processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraRule {
    /// All releases at the shadow time: the definition.
    All,
    /// Only the releases up to the one that lets the head fit: a common shortcut.
    First,
    /// None: candidates end by the shadow time.
    None,
    /// None: candidates end before the shadow time.
    Before,
}

words!(ExtraRule { All = "all", First = "first", None = "none", Before = "before" });

impl ExtraRule {
    /// Returns the last instant at which a candidate may end, for a shadow time.
    #[inline]
    pub fn last_end(self, shadow: Time) -> Time {
        if self == ExtraRule::Before { shadow - Time::from_ticks(1) } else { shadow }
    }
}

/// The reservation of a head that does not fit now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadow<const K: usize> {
    /// The shadow time: when enough is expected to be free for the head.
    pub at: Time,
    /// The amounts that are free then beyond the head's need: the extra processors, per resource.
    pub extra: [i64; K],
}

/// The sum of the amounts of several jobs, or of one.
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

/// Expected end, start, job: ties in the end are ordered by start, then by submission.
type Key = (Time, Time, u32);

/// The running jobs by expected end, with prefix sums of their resources: every query is O(log n).
///
/// A job is expected to last at least one second. A job whose expected end has passed is overdue: it counts
/// as ending at now + 1 s.
#[derive(Clone, Debug, Default)]
pub struct Releases<const K: usize> {
    tree: Tree<Key, Freed<K>>,
}

impl<const K: usize> Releases<K> {
    #[inline]
    pub fn add(&mut self, end: Time, start: Time, job: JobId, holds: [i64; K]) {
        self.tree.insert(key(end, start, job), Freed(holds));
    }

    #[inline]
    pub fn remove(&mut self, end: Time, start: Time, job: JobId) -> bool {
        self.tree.remove(key(end, start, job))
    }

    /// Whether a running job has outlived its expected end. O(log n).
    pub fn has_overdue(&self, now: Time) -> bool {
        self.tree.first().is_some_and(|(end, ..)| end <= now)
    }

    pub fn first_end(&self) -> Time {
        self.tree.first().map_or(Time::MAX, |(end, ..)| end)
    }

    /// Returns the reservation of a job that does not fit into the free resources; `None` if even all ends do not free enough.
    pub fn shadow(&self, now: Time, free: [i64; K], need: [i64; K], rule: ExtraRule) -> Option<Shadow<K>> {
        let overdue = self.has_overdue(now);
        if overdue && let Some(shadow) = self.shadow_before_overdue(now, free, need, rule) {
            return Some(shadow);
        }
        let ((end, ..), upto) = self.tree.find_prefix(|freed| within(&need, &plus(free, freed.0)))?;
        let at = if overdue { end.max(now + Time::SECOND) } else { end };
        Some(self.shadow_at(at, upto.0, minus(free, need), rule))
    }

    /// Calls a function with the expected end and the holdings of every running job, in order of end; all
    /// overdue jobs are combined in one call.
    pub fn for_each(&self, now: Time, mut visit: impl FnMut(Time, [i64; K])) {
        let soon = now + Time::SECOND;
        let mut overdue = None;
        self.tree.for_each(|(end, ..), &Freed(holds)| {
            if end <= now {
                overdue = Some(plus(overdue.unwrap_or([0; K]), holds));
                return;
            }
            if end >= soon
                && let Some(overdue) = overdue.take()
            {
                visit(soon, overdue);
            }
            visit(end, holds);
        });
        if let Some(overdue) = overdue {
            visit(soon, overdue);
        }
    }

    /// Calls a function with the expected end and the identity of every running job, in order of end;
    /// overdue jobs come after the jobs that end within the next second.
    pub fn for_each_job(&self, now: Time, mut visit: impl FnMut(Time, JobId)) {
        let soon = now + Time::SECOND;
        let mut overdue = Vec::new();
        self.tree.for_each(|(end, _, job), _| {
            if end <= now {
                overdue.push(JobId(job));
                return;
            }
            if end >= soon {
                overdue.drain(..).for_each(|job| visit(soon, job));
            }
            visit(end, JobId(job));
        });
        for job in overdue {
            visit(soon, job);
        }
    }

    /// Checks the ends within the next second, before any overdue job counts as ended.
    fn shadow_before_overdue(
        &self,
        now: Time,
        free: [i64; K],
        need: [i64; K],
        rule: ExtraRule,
    ) -> Option<Shadow<K>> {
        let free = minus(free, self.freed_by(now));
        let ((at, ..), upto) = self.tree.find_prefix(|freed| within(&need, &plus(free, freed.0)))?;
        if at <= now || at >= now + Time::SECOND {
            return None;
        }
        Some(self.shadow_at(at, upto.0, minus(free, need), rule))
    }

    /// Returns the reservation at a shadow time, of which the end that lets the head fit is the last of those that free `upto`;
    /// `left` is the free amount less the head's need.
    fn shadow_at(&self, at: Time, upto: [i64; K], left: [i64; K], rule: ExtraRule) -> Shadow<K> {
        let extra = match rule {
            ExtraRule::All => plus(left, self.freed_by(at)),
            ExtraRule::First => plus(left, upto),
            ExtraRule::None | ExtraRule::Before => [0; K],
        };
        Shadow { at, extra }
    }

    /// Returns the amounts that running jobs are expected to have given back at an instant; overdue jobs give back in a second.
    pub fn freed(&self, now: Time, at: Time) -> [i64; K] {
        if at < now + Time::SECOND { minus(self.freed_by(at), self.freed_by(now)) } else { self.freed_by(at) }
    }

    /// Returns what all jobs with an expected end up to an instant hold. O(log n).
    pub fn freed_by(&self, at: Time) -> [i64; K] {
        self.tree.sum_through((at, Time::MAX, u32::MAX)).0
    }
}

#[inline]
fn key(end: Time, start: Time, job: JobId) -> Key {
    (end.max(start.saturating_add(Time::SECOND)), start, job.0)
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
        assert_eq!(shadow(ExtraRule::None), Some(Shadow { at, extra: [0] }));
    }

    #[test]
    fn an_overdue_job_is_expected_to_end_in_a_second() {
        let releases = running(&[(5, 3), (10, 3)]);
        let shadow = releases.shadow(Time::from_secs(50), [0], [3], ExtraRule::All);
        assert_eq!(shadow, Some(Shadow { at: Time::from_secs(51), extra: [3] }));
    }

    #[test]
    fn an_end_within_the_next_second_comes_before_an_overdue_one() {
        let now = Time::from_ticks(9_500_000);
        let releases = running(&[(5, 1), (10, 1), (11, 1)]);
        let shadow = |need| releases.shadow(now, [0], [need], ExtraRule::All);
        let at = |ticks, extra| Some(Shadow { at: Time::from_ticks(ticks), extra: [extra] });
        assert_eq!(shadow(1), at(10_000_000, 0));
        assert_eq!(shadow(2), at(10_500_000, 0));
        assert_eq!(shadow(3), at(11_000_000, 0));
        let mut ends = Vec::new();
        releases.for_each(now, |end, _| ends.push(end.ticks()));
        assert_eq!(ends, [10_000_000, 10_500_000, 11_000_000]);
    }

    #[test]
    fn a_job_that_takes_no_time_is_expected_to_last_a_second() {
        let mut releases = Releases::default();
        releases.add(Time::ZERO, Time::ZERO, JobId(0), [1]);
        let shadow = releases.shadow(Time::ZERO, [0], [1], ExtraRule::All);
        assert_eq!(shadow, Some(Shadow { at: Time::SECOND, extra: [0] }));
        assert!(releases.remove(Time::ZERO, Time::ZERO, JobId(0)));
    }
}
