//! A lower bound on the needs of several waiting jobs, by which the search for the first job that fits is pruned.

use batchlab_traces::Time;

use super::amounts::within;
use super::tree::Summary;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need<const K: usize> {
    pub demand: [i64; K],
    /// How long it is expected to run, at least one second.
    pub time: Time,
}

/// The room for candidates: now, until the shadow time, and beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room<const K: usize> {
    pub free: [i64; K],
    /// Jobs that run no longer than this may use all free resources.
    pub window: Time,
    /// The extra amounts that longer jobs may use.
    pub extra: [i64; K],
}

impl<const K: usize> Default for Need<K> {
    fn default() -> Need<K> {
        Need { demand: [0; K], time: Time::ZERO }
    }
}

impl<const K: usize> Need<K> {
    /// Whether the job may start: it fits now, and it is short enough or fits into the extra amounts too.
    #[inline]
    pub fn fits(&self, room: &Room<K>) -> bool {
        within(&self.demand, &room.free) && (self.time <= room.window || within(&self.demand, &room.extra))
    }
}

impl<const K: usize> Room<K> {
    /// Returns the room of a machine on which nothing is reserved.
    pub fn unreserved(free: [i64; K]) -> Room<K> {
        Room { free, window: Time::MAX, extra: free }
    }
}

const CORNERS: usize = 4;

/// Lower bounds on the needs of a range of jobs.
///
/// Many jobs are narrow and many are short, but few are both, so separate minima of processors and of time
/// cannot exclude any range of a long queue. Therefore the front keeps a staircase of (processors, time)
/// corners, such that each job of the range is at or above some corner in both. Beyond four corners, the two
/// neighbours whose merging loses least are merged. Other resources have only their minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front<const K: usize> {
    least: [i64; K],
    /// Ascending in processors, descending in time.
    corners: [(i64, Time); CORNERS],
    len: usize,
}

impl<const K: usize> Front<K> {
    /// Whether some job of the range may fit; false only if none does.
    #[inline]
    pub fn may_fit(&self, room: &Room<K>) -> bool {
        within(&self.least, &room.free)
            && (within(&self.least, &room.extra)
                || self.corners[..self.len]
                    .iter()
                    .any(|&(procs, time)| procs <= room.free[0] && time <= room.window))
    }

    /// Returns the front of the jobs of the range that use at most so much processor-time; `None` if it has none. A job counts with
    /// the corner below it, and one of less than a second with no processor-time.
    pub fn up_to(&self, work: i128) -> Option<Front<K>> {
        let mut front = Front { len: 0, ..*self };
        for &(procs, time) in &self.corners[..self.len] {
            if time <= Time::SECOND || i128::from(procs) * i128::from(time.ticks()) <= work {
                front.corners[front.len] = (procs, time);
                front.len += 1;
            }
        }
        front.least[0] = front.corners[0].0;
        (front.len > 0).then_some(front)
    }

    fn add_corner(&mut self, procs: i64, time: Time) {
        let corners = &self.corners[..self.len];
        if corners.iter().any(|corner| corner.0 <= procs && corner.1 <= time) {
            return;
        }
        let mut all = [(0, Time::ZERO); CORNERS + 1];
        let mut len = 0;
        let mut new = Some((procs, time));
        for &corner in corners {
            if corner.0 >= procs {
                if let Some(new) = new.take() {
                    all[len] = new;
                    len += 1;
                }
                if corner.1 >= time {
                    continue;
                }
            }
            all[len] = corner;
            len += 1;
        }
        if let Some(new) = new {
            all[len] = new;
            len += 1;
        }
        if len > CORNERS {
            merge_cheapest(&mut all);
            len -= 1;
        }
        self.corners.copy_from_slice(&all[..CORNERS]);
        self.len = len;
    }
}

impl<const K: usize> Summary for Front<K> {
    type Entry = Need<K>;
    const EMPTY: Front<K> = Front { least: [i64::MAX; K], corners: [(0, Time::ZERO); CORNERS], len: 0 };

    fn add(&mut self, need: &Need<K>) {
        for (least, amount) in self.least.iter_mut().zip(need.demand) {
            *least = (*least).min(amount);
        }
        self.add_corner(need.demand[0], need.time);
    }

    fn join(&mut self, other: &Front<K>) {
        for (least, amount) in self.least.iter_mut().zip(other.least) {
            *least = (*least).min(amount);
        }
        for &(procs, time) in &other.corners[..other.len] {
            self.add_corner(procs, time);
        }
    }

    /// The front stays valid without a job that defines no corner and no minimum.
    fn remove(&mut self, need: &Need<K>) -> bool {
        let on_corner = |&(procs, time): &(i64, Time)| procs == need.demand[0] || time == need.time;
        !self.corners[..self.len].iter().any(on_corner)
            && need.demand.iter().zip(self.least).all(|(amount, least)| *amount > least)
    }
}

/// Merges the two neighbouring corners that enclose the smallest area.
fn merge_cheapest(all: &mut [(i64, Time); CORNERS + 1]) {
    let loss = |at: usize| {
        let (left, right) = (all[at], all[at + 1]);
        (right.0 - left.0).saturating_mul((left.1 - right.1).ticks())
    };
    let at = (0..CORNERS).min_by_key(|&at| loss(at)).unwrap_or(0);
    all[at] = (all[at].0, all[at + 1].1);
    all.copy_within(at + 2.., at + 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn need((procs, time): (i64, i64)) -> Need<1> {
        Need { demand: [procs], time: Time::from_secs(time) }
    }

    proptest! {
        /// A front never excludes a range that contains a job that fits, however it was built.
        #[test]
        fn a_front_overlooks_no_job(
            jobs in prop::collection::vec((1i64..40, 1i64..40), 1..60),
            split in 0usize..60,
            free in 0i64..40,
            window in 0i64..40,
            extra in 0i64..40,
        ) {
            let (left, right) = jobs.split_at(split.min(jobs.len()));
            let mut fronts = [Front::EMPTY; 2];
            for (front, jobs) in fronts.iter_mut().zip([left, right]) {
                for &job in jobs {
                    front.add(&need(job));
                }
            }
            let mut joined = fronts[0];
            joined.join(&fronts[1]);
            let room = Room { free: [free], window: Time::from_secs(window), extra: [extra.min(free)] };
            if jobs.iter().any(|&job| need(job).fits(&room)) {
                prop_assert!(joined.may_fit(&room));
            }
            let steps = joined.corners[..joined.len].windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1);
            prop_assert!(steps, "no staircase: {:?}", joined);
        }
    }

    #[test]
    fn up_to_four_corners_are_exact() {
        let mut front = Front::EMPTY;
        for job in [(1, 40), (2, 30), (4, 20), (8, 10), (8, 40)] {
            front.add(&need(job));
        }
        let room = |free, window| Room { free: [free], window: Time::from_secs(window), extra: [0] };
        assert!(front.may_fit(&room(4, 20)));
        assert!(!front.may_fit(&room(3, 29)));
        assert!(!front.may_fit(&room(7, 19)));
    }
}
