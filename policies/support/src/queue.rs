//! The waiting jobs in an order, with an index that finds the first job that fits.

mod growing;
mod lines;
mod moving;
mod rank;
mod threshold;
mod users;
mod walks;

use batchlab_traces::{JobId, Time};

use super::by_job::ByJob;
use super::front::{Front, Need, Room};
use super::ledger::Ledger;
use super::order::Order;
use super::tree::Tree;
use super::wait_limit::WaitLimit;
use crate::external::Fault;
use crate::spec::{ParamKind, ParamSpec};
use crate::view::JobView;
use lines::Portion;
use moving::Moving;
use threshold::Threshold;

pub use lines::Lines;
pub use rank::Rank;

/// The parameter that guards against starvation under any order.
///
/// A job that has waited for at least this long goes before all others, first come first served among such
/// jobs, in the queue order and in the candidate order (Lelong, Reis, Trystram, JSSPP 2017; 20 h there). The
/// test is made at decisions only. `expr(…)` gives each job its own threshold in seconds, evaluated at its
/// submission, as in `expr(max(20h, 10*estimate))`; a missing value means never.
pub const THRESHOLD: ParamSpec = ParamSpec {
    name: "threshold",
    kind: ParamKind::WaitLimit,
    default: "none",
    help: "a job that has waited this long goes before all others, first come first served",
    ..ParamSpec::PLAIN
};

/// The waiting jobs in a queue order.
///
/// If the order's scores are constant, every operation is O(log n). If they change, [`Queue::refresh`] re-ranks the queue in O(n
/// log n); if every start changes them, so does every start. If they grow by laws known at submission ([`Order::growth`]), or are
/// those of users ([`Order::score_of_user`]), the queue is re-ranked only when a decision needs much of the order.
///
/// If the order scores many jobs together, newcomers get their place at the next [`Queue::refresh`]; scores
/// are kept until the refresh after that, or, if they do not change, as long as the jobs wait.
pub struct Queue<const K: usize> {
    order: Order,
    threshold: Threshold,
    /// The jobs whose rank is stored.
    tree: Tree<Rank, Front<K>>,
    /// The jobs whose ranks change and are not stored; they rank behind the stored ones.
    moving: Option<Moving<K>>,
    as_of: Time,
    /// Jobs that do not have scores yet.
    newcomers: Vec<JobId>,
    /// Scores of waiting jobs, for orders that score many jobs together.
    scores: ByJob<f64>,
    /// Scores given by [`Queue::rank_by`] in place of the order's.
    given: ByJob<f64>,
    /// Whether scores were ever given.
    is_ranked: bool,
    /// No job was ever expected to run longer.
    longest: Time,
    /// The jobs that were put aside in groups, if any were.
    lines: Option<Box<Lines<K>>>,
    /// Whether the queue looks empty.
    is_covered: bool,
}

impl<const K: usize> Queue<K> {
    /// Returns an empty queue; jobs that have reached the threshold go first.
    pub fn new(order: Order, threshold: WaitLimit) -> Queue<K> {
        let moving = Moving::new(&order);
        Queue { moving, ..Queue::in_tiers(order, threshold) }
    }

    /// Returns an empty queue in which the jobs of a higher tier go before those of a lower one, even before those that
    /// have reached the threshold. Changing scores are updated one by one.
    pub fn in_tiers(order: Order, threshold: WaitLimit) -> Queue<K> {
        Queue {
            moving: None,
            order,
            threshold: Threshold::new(threshold),
            tree: Tree::default(),
            as_of: Time::ZERO,
            newcomers: Vec::new(),
            scores: ByJob::default(),
            given: ByJob::default(),
            is_ranked: false,
            longest: Time::SECOND,
            lines: None,
            is_covered: false,
        }
    }

    /// Returns the number of jobs; of a group of which a part is shown, all count.
    pub fn len(&self) -> usize {
        if self.is_covered {
            return 0;
        }
        let aside = self.lines.as_ref().map_or(0, |lines| lines.count());
        self.tree.len() + aside + self.moving.as_ref().map_or(0, Moving::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the waiting jobs keep their ranks as time passes.
    pub fn is_lasting(&self) -> bool {
        !self.order.changes() && self.threshold.is_never()
    }

    /// Returns a length of time beyond which no waiting job is expected to run.
    pub fn longest(&self) -> Time {
        self.longest
    }

    /// Learns of a job that starts as it comes, and never waits.
    #[inline]
    pub fn pass(&mut self, job: JobView<'_>, expected: Time) {
        self.longest = self.longest.max(expected);
        self.order.seen(job.submit());
    }

    /// Adds a job with its expected run time; it gets its place at the next [`Queue::refresh`].
    pub fn push(&mut self, job: JobView<'_>, expected: Time) {
        self.pass(job, expected);
        self.threshold.push(job, expected);
        if self.order.is_computed() {
            self.newcomers.push(job.id());
        } else {
            self.insert(job, expected);
        }
    }

    /// Puts a job aside in a group: it is in the queue as long as the group is shown. Only the queue of an order whose ranks
    /// last has groups.
    pub fn set_aside(&mut self, job: JobView<'_>, expected: Time, group: usize) {
        debug_assert!(self.is_lasting() && !self.order.is_computed(), "jobs put aside keep their ranks");
        self.pass(job, expected);
        let rank = self.rank(job, expected);
        self.tree.remove(rank);
        let lines = self.lines.get_or_insert_default();
        lines.remove(rank);
        let work = i128::from(job.procs()) * i128::from(job.estimate().ticks());
        lines.insert(group, Portion { need: need(job, expected), work, rank });
    }

    /// Returns the jobs that were put aside in groups.
    pub fn lines(&mut self) -> &mut Lines<K> {
        self.lines.get_or_insert_default()
    }

    /// Makes the queue look empty, or not: a decision ends then.
    #[inline]
    pub fn cover(&mut self, is_covered: bool) {
        self.is_covered = is_covered;
    }

    pub fn remove(&mut self, job: JobView<'_>, expected: Time) -> bool {
        let mut removed = match self.moving(job) {
            Some((moving, order)) => moving.remove(job, expected, order),
            None => self.tree.remove(self.rank(job, expected)),
        };
        if !removed && self.lines.is_some() {
            let rank = self.rank(job, expected);
            removed = self.lines.as_mut().is_some_and(|lines| lines.remove(rank));
        }
        if !self.newcomers.is_empty() {
            let before = self.newcomers.len();
            self.newcomers.retain(|&newcomer| newcomer != job.id());
            removed |= self.newcomers.len() < before;
        }
        self.scores.remove(job.id());
        self.given.remove(job.id());
        self.threshold.remove(job.id());
        removed
    }

    /// Ranks all waiting jobs by given scores instead of the order's, the lowest first, ties in the order of
    /// submission; every waiting job must have one. A job that arrives later is ranked by the order until the
    /// next call. O(n log n), or O(n) if no rank changes.
    ///
    /// A queue whose order's scores grow by a law or are those of users cannot be ranked in this way.
    pub fn rank_by(&mut self, scores: impl Iterator<Item = (JobId, f64)>) {
        debug_assert!(self.moving.is_none(), "scores are given to queues of other orders");
        for (job, score) in scores {
            self.given.insert(job, score);
        }
        self.is_ranked = true;
        let mut ranked: Vec<(Rank, Need<K>)> = Vec::with_capacity(self.tree.len());
        let mut same = true;
        self.tree.for_each(|old, need| {
            let new = Rank::new(true, self.given.get(old.job()).copied().unwrap_or(0.0), old.job());
            let new = new.in_tier(old.tier());
            same &= new == old;
            ranked.push((new, *need));
        });
        if !same {
            self.tree.fill(ranked);
        }
    }

    /// Ranks a waiting job before all others of its tier below the threshold, for as long as it waits.
    pub fn commit(&mut self, job: JobView<'_>, expected: Time) {
        if self.is_committed(job.id()) || !self.remove(job, expected) {
            return;
        }
        self.threshold.push(job, expected);
        self.given.insert(job.id(), f64::NEG_INFINITY);
        self.insert(job, expected);
    }

    pub fn is_committed(&self, job: JobId) -> bool {
        self.given.get(job) == Some(&f64::NEG_INFINITY)
    }

    pub fn is_ranked(&self) -> bool {
        self.is_ranked
    }

    /// Ranks the queue for the present instant: jobs over the threshold move up, newcomers are scored, and
    /// changing scores are updated.
    pub fn refresh<'a>(
        &mut self,
        now: Time,
        know: impl Fn(JobId) -> (JobView<'a>, Time),
    ) -> Result<(), Fault> {
        while let Some(job) = self.threshold.next_over(now) {
            let (view, expected) = know(job);
            // As of the previous refresh it ranks below the threshold.
            let rises = match self.moving(view) {
                Some((moving, order)) => moving.remove(view, expected, order),
                None => {
                    (self.moving.is_some() || !self.order.changes())
                        && self.tree.remove(self.rank(view, expected))
                }
            };
            if rises {
                self.tree.insert(Rank::new(false, 0.0, job).in_tier(view.tier()), need(view, expected));
            }
        }
        self.as_of = now;
        if let Some(moving) = &mut self.moving {
            moving.look(now, &self.order);
            return Ok(());
        }
        if self.order.is_computed() {
            return self.score_together(know);
        }
        if self.order.changes() && !self.tree.is_empty() {
            let mut jobs = Vec::with_capacity(self.tree.len());
            self.tree.for_each(|rank, need| jobs.push((rank.job(), *need)));
            let ranked = jobs.into_iter().map(|(job, need)| {
                let (view, expected) = know(job);
                (self.rank(view, expected), need)
            });
            self.tree.fill(ranked.collect());
        }
        Ok(())
    }

    /// Scores the newcomers together, and all other jobs with them if scores change.
    fn score_together<'a>(&mut self, know: impl Fn(JobId) -> (JobView<'a>, Time)) -> Result<(), Fault> {
        let mut jobs: Vec<(JobView<'a>, Time)> = self.newcomers.drain(..).map(&know).collect();
        let changes = self.order.changes();
        if changes {
            self.tree.for_each(|rank, _| jobs.push(know(rank.job())));
        }
        if jobs.is_empty() {
            return Ok(());
        }
        let scores = self.order.scores(&jobs, self.as_of)?;
        for ((job, _), score) in jobs.iter().zip(scores) {
            self.scores.insert(job.id(), *score);
        }
        if changes {
            let ranked = jobs.iter().map(|&(job, expected)| (self.rank(job, expected), need(job, expected)));
            self.tree.fill(ranked.collect());
        } else {
            for (job, expected) in jobs {
                self.insert(job, expected);
            }
        }
        Ok(())
    }

    /// Returns what keeps a job, if its rank changes and is not stored.
    fn moving(&mut self, job: JobView<'_>) -> Option<(&mut Moving<K>, &Order)> {
        let moving = self.moving.as_mut()?;
        let is_stored = self.given.get(job.id()).is_some() || self.threshold.is_over(job, self.as_of);
        (!is_stored).then_some((moving, &self.order))
    }

    /// Re-ranks for an order that depends on the machine: by what is free and by what users hold and have used. O(n log n).
    pub fn look<'a>(
        &mut self,
        now: Time,
        (free, ledger): (&[i64; K], &Ledger<K>),
        know: impl Fn(JobId) -> (JobView<'a>, Time),
    ) -> Result<(), Fault> {
        self.order.look(now, free, ledger);
        if self.order.weighs_work() {
            self.order.weigh(self.jobs().into_iter().map(&know));
        }
        self.refresh(now, know)
    }

    /// The replay is over: ends a plug-in that ranks.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.order.finish()
    }

    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Returns where a walk continues after a start: behind the job that was started, or at the front
    /// (`None`) if every start changes the order.
    #[inline]
    pub fn onward(&self, started: Rank) -> Option<Rank> {
        (!self.order.is_fluid()).then(|| started.next())
    }

    #[inline]
    pub fn head(&self) -> Option<JobId> {
        self.first().map(Rank::job)
    }

    /// Returns the job that is served last, in a queue whose ranks are all stored ([`Queue::in_tiers`]).
    pub fn last(&self) -> Option<JobId> {
        let aside = self.lines.as_ref().and_then(|lines| lines.last());
        let last = self.tree.find_last(|_| true, |_| true).max(aside);
        last.filter(|_| !self.is_covered).map(Rank::job)
    }

    pub fn first(&self) -> Option<Rank> {
        if self.is_covered {
            return None;
        }
        let stored = self.tree.first();
        let stored = match &self.lines {
            None => stored,
            Some(lines) => stored.into_iter().chain(lines.first()).min(),
        };
        stored.or_else(|| self.moving.as_ref()?.at_or_after(None))
    }

    /// Returns the first job, at or after a rank if given, for which there is room. O(log n) if the
    /// summaries of ranges are exact (see [`Front`]).
    #[inline]
    pub fn find(&self, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        let stored = self.find_stored(from, |front| front.may_fit(room), |need| need.fits(room));
        stored.or_else(|| self.moving.as_ref().filter(|_| !self.is_covered)?.find(from, room))
    }

    /// Returns the first job, at or after a rank if given, for which there is room in one of several places.
    pub fn find_in(&self, from: Option<Rank>, rooms: &[Room<K>]) -> Option<Rank> {
        if let [room] = rooms {
            return self.find(from, room);
        }
        let may = |front: &Front<K>| rooms.iter().any(|room| front.may_fit(room));
        let stored = self.find_stored(from, may, |need| rooms.iter().any(|room| need.fits(room)));
        stored.or_else(|| {
            let moving = self.moving.as_ref().filter(|_| !self.is_covered)?;
            rooms.iter().filter_map(|room| moving.find(from, room)).min()
        })
    }

    /// Returns the first job at or after a rank.
    pub fn at_or_after(&self, rank: Rank) -> Option<Rank> {
        let stored = self.find_stored(Some(rank), |_| true, |_| true);
        stored.or_else(|| self.moving.as_ref().filter(|_| !self.is_covered)?.at_or_after(Some(rank)))
    }

    /// Returns the first job with a stored rank, at or after a rank if given, that satisfies `is`.
    #[inline]
    fn find_stored(
        &self,
        from: Option<Rank>,
        may: impl Fn(&Front<K>) -> bool,
        is: impl Fn(&Need<K>) -> bool,
    ) -> Option<Rank> {
        if self.is_covered {
            return None;
        }
        let found = self.tree.find_first(from, &may, &is);
        match &self.lines {
            None => found,
            Some(lines) => lines.find(found, from, &may, &is),
        }
    }

    pub fn rank(&self, job: JobView<'_>, expected: Time) -> Rank {
        if self.threshold.is_over(job, self.as_of) {
            return Rank::new(false, 0.0, job.id()).in_tier(job.tier());
        }
        let kept = || self.scores.get(job.id()).copied().unwrap_or_default();
        let score = || self.order.score(job, expected, self.as_of).unwrap_or_else(kept);
        let score = self.given.get(job.id()).copied().unwrap_or_else(score);
        Rank::new(true, score, job.id()).in_tier(job.tier())
    }

    fn insert(&mut self, job: JobView<'_>, expected: Time) {
        match self.moving(job) {
            Some((moving, order)) => moving.insert(job, expected, order),
            None => self.tree.insert(self.rank(job, expected), need(job, expected)),
        }
    }
}

/// Returns the need of a job that is expected to run for a time; it counts as one second at least.
pub(super) fn need<const K: usize>(job: JobView<'_>, expected: Time) -> Need<K> {
    Need { demand: job.demands(), time: expected.max(Time::SECOND) }
}
