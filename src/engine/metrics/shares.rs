//! Shares of few jobs, one user or one week in the sums of wait and bounded slowdown, computed in one pass.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Time};

use super::measured::MeasuredOutcome;

/// One in this many jobs is among the top ones.
const ONE_IN: usize = 100;
const WEEK: Time = Time::from_secs(7 * 86_400);
/// The least number of weeks of submission; with fewer, each is a large part of the whole.
const WEEKS: i64 = 4;
/// Users with smaller numbers have their own place in a list.
const LISTED: usize = 1 << 12;

/// Shares of the sum of one quantity over the measured jobs; `None` if the sum is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// The share of the 1 % of jobs, rounded up, with the largest values.
    pub jobs: Option<f64>,
    /// The largest share of a known user; jobs without a known user count only in the sum. `None` for fewer than two users.
    pub user: Option<f64>,
    /// The largest share of a week of submission; `None` for less than four weeks.
    pub week: Option<f64>,
}

/// Shares of wait and of bounded slowdown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TopShares {
    /// Of the waits, in seconds.
    pub wait: Shares,
    /// Of the bounded slowdowns; jobs without one are left out.
    pub bsld: Shares,
}

impl TopShares {
    /// Computes all shares in one pass. O(n), plus O(log users) for each job of a user with a large number.
    pub fn of(measurement: &MeasuredOutcome<'_>) -> TopShares {
        let (workload, jobs) = (measurement.workload(), measurement.jobs());
        let (Some(&first), Some(&last)) = (jobs.first(), jobs.last()) else { return TopShares::default() };
        let (first, last) = (workload.submit(first), workload.submit(last));
        let tau = measurement.options().tau;
        let mut users = Users::default();
        let (mut wait, mut bsld) = (Tally::new(jobs.len()), Tally::new(jobs.len()));
        let mut next_week = first + WEEK;
        for job in measurement.measured() {
            if job.submit >= next_week {
                wait.end_week();
                bsld.end_week();
                next_week = first
                    + Time::from_ticks(((job.submit - first).ticks() / WEEK.ticks() + 1) * WEEK.ticks());
            }
            let values = [job.wait().secs(), job.bounded_slowdown(tau).map_or(0.0, |value| bsld.add(value))];
            wait.add(values[0]);
            users.add(workload.attribute(job.job, Field::User), values);
        }
        let has_weeks = (last - first).ticks() >= WEEKS * WEEK.ticks();
        let [by_wait, by_bsld] = users.largest();
        TopShares { wait: wait.shares(by_wait, has_weeks), bsld: bsld.shares(by_bsld, has_weeks) }
    }
}

/// The state of the pass for one quantity.
struct Tally {
    sum: f64,
    count: usize,
    of_week: f64,
    most_of_week: f64,
    top: Top,
}

impl Tally {
    fn new(jobs: usize) -> Tally {
        Tally { sum: 0.0, count: 0, of_week: 0.0, most_of_week: 0.0, top: Top::new(jobs.div_ceil(ONE_IN)) }
    }

    fn add(&mut self, value: f64) -> f64 {
        self.sum += value;
        self.of_week += value;
        self.count += 1;
        self.top.add(value);
        value
    }

    fn end_week(&mut self) {
        self.most_of_week = self.most_of_week.max(self.of_week);
        self.of_week = 0.0;
    }

    fn shares(mut self, of_user: Option<f64>, has_weeks: bool) -> Shares {
        self.end_week();
        let share = |part: f64| (self.sum > 0.0).then(|| part / self.sum);
        Shares {
            jobs: share(self.top.sum(self.count.div_ceil(ONE_IN))),
            user: of_user.and_then(share),
            week: share(self.most_of_week).filter(|_| has_weeks),
        }
    }
}

/// The largest of many values: candidates for them, and a bound below which no value can be among them.
struct Top {
    most: usize,
    bar: f64,
    values: Vec<f64>,
}

impl Top {
    fn new(most: usize) -> Top {
        Top { most, bar: f64::NEG_INFINITY, values: Vec::with_capacity(4 * most) }
    }

    #[inline]
    fn add(&mut self, value: f64) {
        if value > self.bar {
            self.values.push(value);
            if self.values.len() >= 4 * self.most {
                self.narrow();
            }
        }
    }

    /// Keeps only the largest values; a value equal to the least of them can be dropped, as it would add nothing.
    fn narrow(&mut self) {
        let (_, least, _) =
            self.values.select_nth_unstable_by(self.most - 1, |one, other| other.total_cmp(one));
        self.bar = *least;
        self.values.truncate(self.most);
    }

    /// Returns the sum of the `count` largest values, added from the largest on.
    fn sum(&mut self, count: usize) -> f64 {
        self.values.sort_unstable_by(|one, other| other.total_cmp(one));
        self.values.iter().take(count).sum()
    }
}

/// Sums of both quantities for each known user.
#[derive(Default)]
struct Users {
    /// Sums by user number; `None` if there is no such user.
    listed: Vec<Option<[f64; 2]>>,
    others: SortedMap<i64, [f64; 2]>,
}

impl Users {
    fn add(&mut self, user: i64, values: [f64; 2]) {
        let Ok(number) = usize::try_from(user) else { return };
        let sums = if number < LISTED {
            if number >= self.listed.len() {
                self.listed.resize(number + 1, None);
            }
            self.listed[number].get_or_insert_default()
        } else {
            self.others.entry(user).or_default()
        };
        sums[0] += values[0];
        sums[1] += values[1];
    }

    /// Returns the largest sum of each quantity; `None` if fewer than two users are known, as the only one has all.
    fn largest(&self) -> [Option<f64>; 2] {
        let sums = || self.listed.iter().flatten().chain(self.others.values());
        let are_several = sums().nth(1).is_some();
        [0, 1].map(|which| sums().map(|sums| sums[which]).max_by(f64::total_cmp).filter(|_| are_several))
    }
}
