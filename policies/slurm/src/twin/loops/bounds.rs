//! What a cycle has found about jobs that cannot start sooner.

use batchlab_traces::Time;
use rustc_hash::FxHashMap;

use crate::twin::queue::Waiting;

/// Bounds on the starts of jobs. In a cycle nodes only become scarcer, so a bound on the start of a job also holds for each
/// later job of the same field that needs at least as much for at least as long.
#[derive(Debug, Default)]
pub(super) struct FieldBounds(FxHashMap<usize, Vec<Bound>>);

/// A job does not start before an instant.
#[derive(Clone, Copy, Debug)]
struct Bound {
    need: Need,
    before: Time,
}

/// What a job needs: whole tasks, all tasks, nodes, time.
#[derive(Clone, Copy, Debug)]
struct Need([i64; 4]);

impl Need {
    fn of(job: &Waiting) -> Need {
        Need([job.layout.tasks, job.layout.count(), job.asked, job.limit.ticks()])
    }

    fn covers(self, other: Need) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own >= other)
    }
}

impl FieldBounds {
    /// Returns the latest instant before which a job is known not to start, if it is later than `at`. O(bounds of its field).
    pub(super) fn after(&self, job: &Waiting, at: Time) -> Option<Time> {
        let need = Need::of(job);
        let mut later = self.0.get(&job.field)?.iter().take_while(|bound| bound.before > at);
        later.find(|bound| need.covers(bound.need)).map(|bound| bound.before)
    }

    pub(super) fn note(&mut self, job: &Waiting, before: Time) {
        let need = Need::of(job);
        let known = self.0.entry(job.field).or_default();
        let at = known.partition_point(|bound| bound.before > before);
        if known[..at].iter().any(|bound| need.covers(bound.need)) {
            return;
        }
        // Later bounds that say no more are dropped.
        let mut place = 0..;
        known.retain(|bound| place.next().is_some_and(|place| place < at) || !bound.need.covers(need));
        known.insert(at, Bound { need, before });
    }
}
