//! The influence of single users, weeks and jobs on a comparison: what changes if their jobs are not counted.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;

use crate::experiment::detail::who::{Sums, Who};

/// The quantity of jobs that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfluenceQuantity {
    Wait,
    Bsld,
}

/// The influence of single users, weeks and jobs on the means of several policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// The policy with the least mean over all jobs, by position.
    pub best: usize,
    /// Largest share of the 1 % of jobs with the largest values in a policy's sum.
    pub top_jobs: f64,
    pub users: LeftOut,
    pub weeks: LeftOut,
}

/// The effect of leaving out one of several groups of jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    pub groups: usize,
    /// Largest share of one group in a policy's sum.
    pub share: f64,
    /// Number of groups whose omission changes which policy has the least mean.
    pub change_best: usize,
    /// Number of groups whose omission changes the order of any two policies.
    pub change_order: usize,
}

impl InfluenceQuantity {
    pub const ALL: [InfluenceQuantity; 2] = [InfluenceQuantity::Wait, InfluenceQuantity::Bsld];

    /// Returns the key of the corresponding mean.
    pub const fn metric(self) -> &'static str {
        match self {
            InfluenceQuantity::Wait => "mean_wait",
            InfluenceQuantity::Bsld => "mean_bsld",
        }
    }

    /// Returns the mean over the jobs of some sums; `None` if there are no jobs.
    pub fn mean(self, sums: &Sums) -> Option<f64> {
        (sums.jobs > 0).then(|| self.of(sums) / sums.jobs as f64)
    }

    fn of(self, sums: &Sums) -> f64 {
        match self {
            InfluenceQuantity::Wait => sums.wait,
            InfluenceQuantity::Bsld => sums.bsld,
        }
    }
}

/// Returns the influence of single users, weeks and jobs on the means of policies, each given by the details of its units; units
/// are pooled, job by job. `None` with fewer than two policies, or without jobs.
///
/// Jobs are left out of the measurement only: they were replayed, and other jobs waited for them. Users whom a detail does not
/// list individually are not left out. O(policies² · groups).
pub fn influence(policies: &[Vec<Who>], counted: InfluenceQuantity) -> Option<Influence> {
    if policies.len() < 2 || policies.iter().any(Vec::is_empty) {
        return None;
    }
    let all: Vec<Sums> = policies.iter().map(|units| sum(units.iter().map(|who| &who.all))).collect();
    let order = order(&means(&all, None, counted)?);
    let users = policies.iter().map(|units| {
        let users = units.iter().flat_map(|who| &who.users);
        grouped(users.map(|(user, sums)| ((0, *user as u64), sums)))
    });
    let weeks = policies.iter().map(|units| {
        let of_units = units.iter().enumerate();
        grouped(of_units.flat_map(|(at, who)| who.weeks.iter().map(move |(week, sums)| ((at, *week), sums))))
    });
    let top = |units: &Vec<Who>| -> f64 {
        let share = |who: &Who| match counted {
            InfluenceQuantity::Wait => who.top_jobs.wait_share * who.all.wait,
            InfluenceQuantity::Bsld => who.top_jobs.bsld_share * who.all.bsld,
        };
        let sum: f64 = units.iter().map(|who| counted.of(&who.all)).sum();
        if sum > 0.0 { units.iter().map(share).sum::<f64>() / sum } else { 0.0 }
    };
    Some(Influence {
        best: order[0],
        top_jobs: policies.iter().map(top).fold(0.0, f64::max),
        users: left_out(&all, &users.collect::<Vec<_>>(), &order, counted),
        weeks: left_out(&all, &weeks.collect::<Vec<_>>(), &order, counted),
    })
}

type Groups = SortedMap<(usize, u64), Sums>;

fn left_out(all: &[Sums], groups: &[Groups], whole: &[usize], counted: InfluenceQuantity) -> LeftOut {
    let mut names: Vec<(usize, u64)> = groups.iter().flat_map(|of| of.keys().copied()).collect();
    names.sort_unstable();
    names.dedup();
    let mut told = LeftOut { groups: names.len(), ..LeftOut::default() };
    for name in names {
        let without: Vec<Sums> = groups.iter().map(|of| of.get(&name).copied().unwrap_or_default()).collect();
        for (sums, group) in all.iter().zip(&without) {
            let sum = counted.of(sums);
            if sum > 0.0 {
                told.share = told.share.max(counted.of(group) / sum);
            }
        }
        let Some(means) = means(all, Some(&without), counted) else { continue };
        let order = order(&means);
        told.change_best += usize::from(order[0] != whole[0]);
        told.change_order += usize::from(order != whole);
    }
    told
}

/// Returns the mean under each policy with some jobs left out; `None` if no job is left.
fn means(all: &[Sums], without: Option<&[Sums]>, counted: InfluenceQuantity) -> Option<Vec<f64>> {
    let mean = |(at, sums): (usize, &Sums)| {
        let less = without.map_or_else(Sums::default, |without| without[at]);
        let jobs = sums.jobs.checked_sub(less.jobs).filter(|&jobs| jobs > 0)?;
        Some((counted.of(sums) - counted.of(&less)) / jobs as f64)
    };
    all.iter().enumerate().map(mean).collect()
}

/// Returns the policies sorted by mean, ties in their order.
fn order(means: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..means.len()).collect();
    order.arrange_by(|&one, &other| means[one].total_cmp(&means[other]));
    order
}

fn sum<'a>(parts: impl Iterator<Item = &'a Sums>) -> Sums {
    parts.fold(Sums::default(), Sums::join)
}

fn grouped<'a>(parts: impl Iterator<Item = ((usize, u64), &'a Sums)>) -> Groups {
    let mut groups = Groups::new();
    for (name, sums) in parts {
        let group = groups.entry(name).or_default();
        *group = group.join(sums);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::detail::who::TopJobs;

    fn sums(jobs: u64, wait: f64) -> Sums {
        Sums { jobs, wait, bsld: wait / 10.0 }
    }

    fn who(users: &[(i64, Sums)]) -> Who {
        let all = sum(users.iter().map(|(_, sums)| sums));
        Who {
            all,
            users: users.to_vec(),
            other_users: (0, Sums::default()),
            weeks_each: 1,
            weeks: vec![(0, all)],
            top_jobs: TopJobs { jobs: 1, wait_share: 0.5, bsld_share: 0.25 },
        }
    }

    #[test]
    fn one_user_can_decide_which_policy_is_best() {
        // Ten jobs each. With user 7: means 95 and 60. Without: 10 and 20.
        let first = who(&[(7, sums(10, 1800.0)), (8, sums(10, 100.0))]);
        let second = who(&[(7, sums(10, 1000.0)), (8, sums(10, 200.0))]);
        let told = influence(&[vec![first], vec![second]], InfluenceQuantity::Wait).unwrap();
        assert_eq!(told.best, 1);
        let users = LeftOut { groups: 2, share: 1800.0 / 1900.0, change_best: 1, change_order: 1 };
        assert_eq!(told.users, users);
        // Without the only week no job is left to compare.
        assert_eq!((told.weeks.groups, told.weeks.change_best, told.weeks.share), (1, 0, 1.0));
        assert_eq!(told.top_jobs, 0.5);
    }

    #[test]
    fn units_are_pooled_and_their_weeks_are_different_ones() {
        let unit = |wait| who(&[(1, sums(5, wait)), (2, sums(5, 10.0))]);
        let told =
            influence(&[vec![unit(10.0), unit(90.0)], vec![unit(20.0), unit(70.0)]], InfluenceQuantity::Wait)
                .unwrap();
        // 120 against 110 seconds of 20 jobs; without the second unit 20 against 30.
        assert_eq!((told.best, told.weeks.groups, told.weeks.change_best), (1, 2, 1));
        assert_eq!((told.users.groups, told.users.share), (2, 100.0 / 120.0));
        assert!(influence(&[vec![unit(1.0)]], InfluenceQuantity::Wait).is_none(), "nothing to compare");
    }
}
