//! Waiting jobs that rise by laws known at their submission: the first that fits is found without sorting.

use std::cell::{Cell, OnceCell};

use batchlab_traces::expr::Link;
use batchlab_traces::{JobId, Time};

use super::Rank;
use crate::front::{Front, Need, Room};
use crate::order::Growth;
use crate::tree::{Summary, Tree};

/// Jobs examined by searches at one instant, per waiting job, at which it is cheaper to sort all of them.
const EFFORT: usize = 4;

/// Jobs whose scores grow with their waits.
///
/// They are kept by pace; an upper bound on the urgency of each range guides a search to the most urgent
/// jobs, and their scores decide. A decision that examines many jobs sorts them all once.
pub struct Growing<const K: usize> {
    links: Vec<Link>,
    now: Time,
    tree: Tree<Rank, Reach<K>>,
    /// All jobs by rank, if they were sorted at this instant.
    sorted: OnceCell<Tree<Rank, Front<K>>>,
    examined: Cell<usize>,
}

#[derive(Clone, Copy, Default)]
pub struct Grower<const K: usize> {
    pub need: Need<K>,
    pub submit: Time,
    pub growth: Growth,
}

impl<const K: usize> Grower<K> {
    fn wait(&self, now: Time) -> f64 {
        (now - self.submit).max(Time::ZERO).secs()
    }

    fn key(&self, job: JobId) -> Rank {
        Rank::new(true, self.growth.pace, job)
    }
}

/// Bounds on the needs and the urgency of several jobs.
#[derive(Clone, Copy)]
struct Reach<const K: usize> {
    front: Front<K>,
    pace: f64,
    high: f64,
    submit: Time,
}

impl<const K: usize> Summary for Reach<K> {
    type Entry = Grower<K>;
    const EMPTY: Reach<K> =
        Reach { front: Front::EMPTY, pace: 0.0, high: f64::NEG_INFINITY, submit: Time::MAX };

    fn add(&mut self, job: &Grower<K>) {
        self.front.add(&job.need);
        self.rise(job.growth.pace, job.growth.high, job.submit);
    }

    fn join(&mut self, other: &Reach<K>) {
        self.front.join(&other.front);
        self.rise(other.pace, other.high, other.submit);
    }

    /// Pace and upper bound stay valid without any job; the oldest job is looked for again.
    fn remove(&mut self, job: &Grower<K>) -> bool {
        self.front.remove(&job.need) && job.submit > self.submit
    }
}

impl<const K: usize> Reach<K> {
    fn rise(&mut self, pace: f64, high: f64, submit: Time) {
        self.pace = self.pace.max(pace);
        self.high = self.high.max(high);
        self.submit = self.submit.min(submit);
    }
}

impl<const K: usize> Growing<K> {
    pub fn new(links: &[Link]) -> Growing<K> {
        Growing {
            links: links.to_vec(),
            now: Time::ZERO,
            tree: Tree::default(),
            sorted: OnceCell::new(),
            examined: Cell::new(0),
        }
    }

    pub fn len(&self) -> usize {
        self.tree.len()
    }

    pub fn insert(&mut self, job: JobId, grower: Grower<K>) {
        self.tree.insert(grower.key(job), grower);
        self.sorted.take();
    }

    pub fn remove(&mut self, job: JobId, grower: &Grower<K>) -> bool {
        let rank = self.rank(job, grower);
        if let Some(sorted) = self.sorted.get_mut() {
            sorted.remove(rank);
        }
        self.tree.remove(grower.key(job))
    }

    pub fn look(&mut self, now: Time) {
        self.now = now;
        self.sorted.take();
        self.examined.set(0);
    }

    pub fn find(&self, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        match self.sorted_if_worthwhile() {
            Some(sorted) => sorted.find_first(from, |front| front.may_fit(room), |need| need.fits(room)),
            None => self.search(from, |front| front.may_fit(room), |need| need.fits(room)),
        }
    }

    pub fn at_or_after(&self, from: Option<Rank>) -> Option<Rank> {
        match self.sorted_if_worthwhile() {
            Some(sorted) => sorted.find_first(from, |_| true, |_| true),
            None => self.search(from, |_| true, |_| true),
        }
    }

    /// Returns all jobs by rank; sorts them if they were not sorted at this instant. O(n log n).
    pub fn sorted(&self) -> &Tree<Rank, Front<K>> {
        self.sorted.get_or_init(|| {
            let mut ranked = Vec::with_capacity(self.tree.len());
            self.tree.for_each(|key, grower| ranked.push((self.rank(key.job(), grower), grower.need)));
            let mut tree = Tree::default();
            tree.fill(ranked);
            tree
        })
    }

    fn sorted_if_worthwhile(&self) -> Option<&Tree<Rank, Front<K>>> {
        if self.examined.get() > EFFORT * self.tree.len() { Some(self.sorted()) } else { self.sorted.get() }
    }

    fn rank(&self, job: JobId, grower: &Grower<K>) -> Rank {
        Rank::new(true, grower.growth.score(&self.links, grower.wait(self.now)), job)
    }

    /// Returns the least rank among the jobs that satisfy `is`, at or after a rank if given.
    fn search(
        &self,
        from: Option<Rank>,
        may: impl Fn(&Front<K>) -> bool,
        is: impl Fn(&Need<K>) -> bool,
    ) -> Option<Rank> {
        let (mut best, mut examined): (Option<Rank>, usize) = (None, 0);
        let bound = |reach: &Reach<K>| {
            let wait = (self.now - reach.submit).max(Time::ZERO).secs();
            may(&reach.front).then(|| Growth::at_most(reach.pace, reach.high, wait))
        };
        self.tree.visit_best(bound, |key, grower, least| {
            examined += 1;
            let wait = grower.wait(self.now);
            if Growth::at_most(grower.growth.pace, grower.growth.high, wait) < least || !is(&grower.need) {
                return least;
            }
            let rank = self.rank(key.job(), grower);
            if from.is_some_and(|from| rank < from) {
                return least;
            }
            best = Some(best.map_or(rank, |best| best.min(rank)));
            least.max(grower.growth.at_least(wait))
        });
        self.examined.set(self.examined.get() + examined);
        best
    }
}

#[cfg(test)]
mod tests;
