//! The bins in which the ends of running jobs are considered.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_will_run_test`).

use batchlab_traces::Time;

use crate::site::{Backfill, SlurmSite};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    /// Whether each end is considered by itself (`select/linear`).
    single: bool,
    /// By how much a bin is longer than the bin before; zero for doubling.
    step: Time,
    /// Instant of the log's zero, in seconds since 1970, to which bins are aligned.
    epoch: i64,
    /// How long after its limit a job is expected to be gone (`KillWait`, `OverTimeLimit`).
    overtime: Time,
    /// Whether bins lie within a stretch (`_future_run_test` of `select/cons_tres` since 24.11): what ends before it has ended.
    within: bool,
    /// Whether a job starts as the last job on its own nodes ends, rather than the last one of the bin (since 25.05.1).
    own_nodes: bool,
}

/// Bins do not become wider.
const WIDEST: Time = Time::from_secs(1 << 30);

const FIRST_BIN: Time = Time::from_secs(30);

impl Bins {
    /// Returns the bins of an installation with the settings of its backfill loop.
    pub fn new(site: &SlurmSite, rules: &Backfill) -> Bins {
        let system = &site.system;
        Bins {
            single: system.select.whole_nodes,
            step: rules.bin_step,
            epoch: site.epoch,
            overtime: system.over_time_limit + system.kill_wait,
            within: !system.select.whole_nodes && system.version.from(24, 11),
            own_nodes: !system.select.whole_nodes && system.version.from(25, 5),
        }
    }

    pub fn are_single(self) -> bool {
        self.single
    }

    pub fn lie_within(self) -> bool {
        self.within
    }

    pub fn end_on_own_nodes(self) -> bool {
        self.own_nodes
    }

    /// Returns when a job is expected to start if it waits for a running job, the last one of a bin, to reach its limit.
    pub fn start(self, last: Time, now: Time) -> Time {
        let soon = now + Time::SECOND;
        if last > now {
            last
        } else if self.single {
            // An overdue job of select/linear is expected to be gone at once.
            soon
        } else {
            (last + self.overtime).max(soon)
        }
    }

    /// Returns the bins of the running jobs that touch some nodes, up to the last bin whose jobs all reach their limits by an instant:
    /// for each bin its last limit, and how many of all running jobs have ended then. `limits` are the limits of all running jobs,
    /// ascending; `ended_by` tells how many of them are not after an instant.
    pub fn ends(
        self,
        limits: &[Time],
        touches: impl Fn(usize) -> bool,
        by: Time,
        mut ended_by: impl FnMut(Time) -> usize,
    ) -> Vec<(Time, usize)> {
        // The first running job from a place on that touches the nodes.
        let from = |at: usize| (at..limits.len()).find(|&at| touches(at));
        let (mut ends, mut window, mut next) = (Vec::with_capacity(16), Window::new(self), from(0));
        // Each bin begins with the next running job that touches the nodes.
        while let Some(first) = next.filter(|&next| limits[next] <= by) {
            window.begin(limits[first]);
            // Behind a job that touches the nodes, the bin ends if the next job of all is too late for it: jobs on other nodes are
            // passed over without a look at their ends.
            let behind = window.until().map_or(first, |until| ended_by(until).max(first));
            let sought = from(first.max(behind.saturating_sub(1)));
            let last = sought.or_else(|| (first..behind).rev().find(|&at| touches(at))).unwrap_or(first);
            if limits[last] > by {
                break;
            }
            let at = sought.map_or(limits.len(), |sought| sought + 1);
            // What ends in the bin beside the nodes changes nothing on them: few instants serve all of their subsets.
            ends.push((limits[last], behind.max(last + 1)));
            window.grow(limits.get(at).copied());
            next = from(at);
        }
        ends
    }

    /// Returns how many of the running jobs, the first to end, include all jobs that end in the [`Bins::ends`]. They mostly include
    /// no further job that touches the nodes; only few running jobs are looked at.
    pub fn most_ended(
        self,
        limits: &[Time],
        touches: impl Fn(usize) -> bool,
        by: Time,
        mut ended_by: impl FnMut(Time) -> usize,
    ) -> usize {
        let from = |at: usize| (at..limits.len()).find(|&at| touches(at));
        let all = ended_by(by);
        let Some(first) = from(0).filter(|_| !self.single && self.step == Time::ZERO) else { return all };
        // Bins end at the same instants, whichever of them have jobs.
        let mut window = Window::new(self);
        window.begin(limits[first]);
        let mut before = None;
        while let Some(until) = window.until().filter(|&until| until < by) {
            if window.width > WIDEST {
                return all;
            }
            before = Some(until);
            window.widen();
        }
        // All that ends by the instant does if the last bin has no job that ends later.
        let behind = window.until().map_or(all, &mut ended_by);
        let is_whole = match from(behind.saturating_sub(1)) {
            Some(at) => at < all,
            None => !(all..behind.saturating_sub(1)).any(&touches),
        };
        if is_whole {
            return behind;
        }
        let ended = before.map_or(0, ended_by);
        match from(ended.saturating_sub(1)) {
            Some(at) if ended > 0 && at < all => ended.max(at + 1),
            _ => ended,
        }
    }
}

/// The bin in which running jobs end together, while a job looks for its start: all bins end the width of the time since the
/// end of the first job, which is rounded up to a multiple of the first width. The widths grow.
struct Window {
    bins: Bins,
    /// The rounded end of the first job.
    origin: Option<Time>,
    width: Time,
}

impl Window {
    fn new(bins: Bins) -> Window {
        Window { bins, origin: None, width: FIRST_BIN }
    }

    fn begin(&mut self, end: Time) {
        let absolute =
            i128::from(end.ticks()) + i128::from(self.bins.epoch) * i128::from(Time::SECOND.ticks());
        let past = absolute.rem_euclid(i128::from(FIRST_BIN.ticks())) as i64;
        self.origin.get_or_insert(end + FIRST_BIN - Time::from_ticks(past));
    }

    /// Whether the next job, by its end, belongs to the bin.
    fn holds(&self, next: Option<Time>) -> bool {
        next.is_some_and(|next| self.until().is_some_and(|until| next <= until))
    }

    /// Returns the last instant of the bin; `None` if it holds only one job.
    fn until(&self) -> Option<Time> {
        self.origin.filter(|_| !self.bins.single).map(|origin| origin + self.width)
    }

    fn widen(&mut self) {
        self.width += if self.bins.step > Time::ZERO { self.bins.step } else { self.width };
    }

    /// Makes the next bin so wide that it holds the next job.
    fn grow(&mut self, next: Option<Time>) {
        while !self.bins.single {
            self.widen();
            if next.is_none() || self.holds(next) || self.width > WIDEST {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Bins are those of a walk from job to job, and no more jobs have ended in the last one than was said before.
        #[test]
        fn bins_are_those_of_a_walk_from_job_to_job(
            mut jobs in proptest::collection::vec((0_i64..40_000, any::<bool>()), 0..30),
            (by, step, single) in (0_i64..40_000, prop_oneof![Just(0_i64), 1..5_000_i64], any::<bool>()),
        ) {
            jobs.sort_by_key(|job| job.0);
            let limits: Vec<Time> = jobs.iter().map(|job| Time::from_secs(job.0)).collect();
            let bins = Bins { single, step: Time::from_secs(step), epoch: 10, overtime: Time::ZERO, within: false, own_nodes: false };
            let (by, touches) = (Time::from_secs(by), |at: usize| jobs[at].1);
            let ended_by = |by: Time| limits.partition_point(|limit| *limit <= by);
            let touching = |ended: usize| (0..ended).filter(|&at| touches(at)).count();

            let (mut walked, mut window, mut at) = (Vec::new(), Window::new(bins), 0);
            loop {
                let mut last = None;
                while at < limits.len() {
                    at += 1;
                    if touches(at - 1) {
                        window.begin(limits[at - 1]);
                        last = Some(at - 1);
                        if !window.holds(limits.get(at).copied()) {
                            break;
                        }
                    }
                }
                let Some(last) = last.filter(|&last| limits[last] <= by) else { break };
                walked.push((limits[last], touching(last + 1)));
                window.grow(limits.get(at).copied());
            }
            let ends = bins.ends(&limits, touches, by, ended_by);
            let found: Vec<(Time, usize)> = ends.iter().map(|&(last, ended)| (last, touching(ended))).collect();
            let most = bins.most_ended(&limits, touches, by, ended_by);
            prop_assert!(found.last().is_none_or(|&(_, ended)| ended <= touching(most)));
            prop_assert_eq!(found, walked);
        }
    }

    #[test]
    fn bins_are_aligned_with_the_first_end_and_grow() {
        let bins = Bins {
            single: false,
            step: Time::ZERO,
            epoch: 10,
            overtime: Time::ZERO,
            within: false,
            own_nodes: false,
        };
        let at = |secs: i64| Some(Time::from_secs(secs));
        let mut window = Window::new(bins);
        // 25 s after the zero is 35 s after the epoch: it is rounded up to 60 s there, and the first bin ends 30 s later.
        window.begin(Time::from_secs(25));
        assert_eq!([80, 81].map(|end| window.holds(at(end))), [true, false]);
        // The second bin ends 60 s after the rounded end, wherever it begins.
        window.grow(at(100));
        window.begin(Time::from_secs(100));
        assert_eq!([110, 111].map(|end| window.holds(at(end))), [true, false]);
        // A bin without a job is passed over.
        window.grow(at(171));
        assert_eq!([290, 291].map(|end| window.holds(at(end))), [true, false]);
    }
}
