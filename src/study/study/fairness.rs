//! How users fare under a policy, against a baseline: who gains, who loses, and how evenly waits are shared.
//!
//! A user's value is the mean over their measured jobs, and every user counts once. Within a unit, users are paired with themselves
//! under the baseline. Users of one replay wait for each other, so a statistic has an interval over units, never over users.

use batchlab_engine::metrics::Domain;
use batchlab_engine::metrics::family::jain;
use batchlab_engine::stats::Interval;
use batchlab_engine::table::Better;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;

use super::who::InfluenceQuantity;
use super::{Reason, estimate};
use crate::experiment::UnitKind;
use crate::experiment::detail::user_sums::UserSums;
use crate::experiment::detail::users::lorenz;
use crate::experiment::detail::who::Sums;

/// The mean of a user under the policy and under the baseline.
pub type Pair = (f64, f64);

/// A statistic of the users of one unit.
#[derive(Debug)]
pub struct UserStatistic {
    pub key: &'static str,
    pub what: &'static str,
    /// How to read its values; a paper does without.
    pub aside: &'static str,
    pub better: Better,
    pub is_compared: bool,
    /// The least and the greatest possible value.
    pub ends: [f64; 2],
    of: fn(&[Pair]) -> Option<f64>,
}

pub static STATISTICS: [UserStatistic; 6] = [
    UserStatistic {
        key: "shorter",
        what: "share of the users whose mean is less than under the baseline",
        aside: "",
        better: Better::Higher,
        is_compared: true,
        ends: [0.0, 1.0],
        of: |users| share(users, |own, base| own < base),
    },
    UserStatistic {
        key: "longer",
        what: "the same of those whose mean is greater",
        aside: "",
        better: Better::Lower,
        is_compared: true,
        ends: [0.0, 1.0],
        of: |users| share(users, |own, base| own > base),
    },
    UserStatistic {
        key: "gini",
        what: "Gini coefficient of the users' means",
        aside: ": 0 if all fare alike, nearly 1 if one bears all",
        better: Better::Lower,
        is_compared: false,
        ends: [0.0, 1.0],
        of: |users| gini(users.iter().map(|pair| pair.0)),
    },
    UserStatistic {
        key: "gini_difference",
        what: "the value less that of the baseline",
        aside: ", paired by unit",
        better: Better::Lower,
        is_compared: true,
        ends: [-1.0, 1.0],
        of: |users| Some(gini(users.iter().map(|pair| pair.0))? - gini(users.iter().map(|pair| pair.1))?),
    },
    UserStatistic {
        key: "jain",
        what: "Jain's index of the users' means",
        aside: ": 1 if all fare alike, 1/m if one of m bears all",
        better: Better::Higher,
        is_compared: false,
        ends: [0.0, 1.0],
        of: |users| jain::index(&users.iter().map(|pair| pair.0).collect::<Vec<_>>()),
    },
    UserStatistic {
        key: "jain_difference",
        what: "the value less that of the baseline",
        aside: ", paired by unit",
        better: Better::Higher,
        is_compared: true,
        ends: [-1.0, 1.0],
        of: |users| {
            let index = |of: fn(&Pair) -> f64| jain::index(&users.iter().map(of).collect::<Vec<_>>());
            Some(index(|pair| pair.0)? - index(|pair| pair.1)?)
        },
    },
];

fn share(users: &[Pair], is_counted: fn(f64, f64) -> bool) -> Option<f64> {
    let counted = users.iter().filter(|(own, base)| is_counted(*own, *base)).count();
    (!users.is_empty()).then(|| counted as f64 / users.len() as f64)
}

fn gini(means: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = means.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    lorenz(&sorted).1
}

impl UserStatistic {
    /// Returns its mean over units, and the interval of that by Student's t with an allowance for alike neighbours, unless units of
    /// this kind or number admit none.
    pub fn over(
        &self,
        units: &[Vec<Pair>],
        kind: UnitKind,
        level: f64,
    ) -> (Option<f64>, Result<Interval, Reason>) {
        let values: Vec<f64> = units.iter().filter_map(|users| (self.of)(users)).collect();
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let interval = estimate::interval((kind, Domain::Any), (&values, kind.dependence(&values)), level);
        (mean, interval.map(|of| of.within(self.ends)))
    }
}

/// Returns the means of the users that a unit has under both, by their number.
pub fn paired(own: &UserSums, base: &UserSums, counted: InfluenceQuantity) -> Vec<Pair> {
    let base: SortedMap<i64, &Sums> = base.users.iter().map(|(user, sums)| (*user, sums)).collect();
    let pair = |(user, sums): &(i64, Sums)| Some((counted.mean(sums)?, counted.mean(base.get(user)?)?));
    own.users.iter().filter_map(pair).collect()
}

/// Returns the sums of each user over units.
pub fn pooled<'u>(units: impl Iterator<Item = &'u UserSums>) -> SortedMap<i64, Sums> {
    let mut all: SortedMap<i64, Sums> = SortedMap::new();
    for (user, sums) in units.flat_map(|unit| &unit.users) {
        let known = all.entry(*user).or_default();
        *known = known.join(sums);
    }
    all
}

/// Returns a label for each user that says nothing of who it is: u1 has the most measured jobs, u2 the second most, and so on.
pub fn labels(users: &SortedMap<i64, Sums>) -> SortedMap<i64, String> {
    let mut order: Vec<(i64, u64)> = users.iter().map(|(user, sums)| (*user, sums.jobs)).collect();
    order.arrange_by(|one, other| other.1.cmp(&one.1));
    order.into_iter().enumerate().map(|(at, (user, _))| (user, format!("u{}", at + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(users: &[(i64, u64, f64)]) -> UserSums {
        let sums = |&(user, jobs, wait): &(i64, u64, f64)| (user, Sums { jobs, wait, bsld: 1.0 });
        UserSums { users: users.iter().map(sums).collect() }
    }

    fn statistic(key: &str) -> &'static UserStatistic {
        STATISTICS.iter().find(|of| of.key == key).unwrap()
    }

    #[test]
    fn each_user_counts_once_and_is_paired_with_themselves() {
        // Means 10, 5 and 0 against 20, 5 and 0; user 9 is known under one policy only.
        let own = unit(&[(1, 2, 20.0), (2, 4, 20.0), (3, 1, 0.0), (9, 1, 7.0)]);
        let base = unit(&[(1, 2, 40.0), (2, 4, 20.0), (3, 1, 0.0)]);
        let pairs = paired(&own, &base, InfluenceQuantity::Wait);
        assert_eq!(pairs, [(10.0, 20.0), (5.0, 5.0), (0.0, 0.0)]);
        let of = |key: &str| statistic(key).over(std::slice::from_ref(&pairs), UnitKind::Windows, 0.95);
        assert_eq!((of("shorter").0, of("longer").0), (Some(1.0 / 3.0), Some(0.0)));
        assert!(of("shorter").1.is_err(), "one unit has no interval");
        // Sorted 0, 5, 10: (2 * (2 * 5 + 3 * 10) / (3 * 15)) - 4 / 3.
        assert!((of("gini").0.unwrap() - 4.0 / 9.0).abs() < 1e-12);
        assert!((of("jain").0.unwrap() - 225.0 / (3.0 * 125.0)).abs() < 1e-12);
        assert!((of("jain_difference").0.unwrap() - (0.6 - 625.0 / (3.0 * 425.0))).abs() < 1e-12);
    }

    #[test]
    fn intervals_are_over_units_and_within_what_is_possible() {
        let shares = [vec![(1.0, 2.0)], vec![(1.0, 2.0)], vec![(2.0, 1.0)]];
        let (mean, interval) = statistic("shorter").over(&shares, UnitKind::Windows, 0.95);
        let interval = interval.unwrap();
        assert_eq!((mean, interval.low, interval.high, interval.is_cut), (Some(2.0 / 3.0), 0.0, 1.0, true));
        assert!(statistic("shorter").over(&shares, UnitKind::Shaken, 0.95).1.is_err());
    }

    #[test]
    fn labels_follow_the_number_of_jobs_and_hide_that_of_the_user() {
        let units = [unit(&[(70, 2, 1.0), (80, 5, 1.0)]), unit(&[(70, 4, 1.0), (90, 1, 1.0)])];
        let users = pooled(units.iter());
        let labels: Vec<String> = labels(&users).into_iter().map(|of| of.1).collect();
        assert_eq!(labels, ["u1", "u2", "u3"]);
    }
}
