use batchlab_traces::Time;
use rustc_hash::FxHashMap;

/// The least number of similar jobs from which something is concluded.
pub const FEW: usize = 8;

/// The most recent jobs that each group remembers.
const RECENT: usize = 64;

/// The run times of jobs that have ended, as shares of their requests, by groups of similar jobs.
///
/// The groups of a job, from the most similar on: the jobs of its user with the same request; all jobs of its
/// user; all jobs with a request of the same magnitude (a power of two); all jobs. Each remembers its last 64
/// jobs. Predictions from groups of similar jobs, the most similar group first, are those of Gibbons (JSSPP 1997)
/// and Smith, Foster, Taylor (JSSPP 1998). That the recent jobs of a user resemble the next ones is the observation
/// behind the predictors of Tsafrir, Etsion, Feitelson (TPDS 18(6), 2007).
#[derive(Clone, Debug, Default)]
pub struct SimilarJobs {
    groups: FxHashMap<Group, Recent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Alike { user: i64, request: Time },
    User(i64),
    Magnitude(u32),
    All,
}

/// The shares of the last jobs of a group.
#[derive(Clone, Debug, Default)]
struct Recent {
    shares: Vec<f64>,
    /// The place of the next one, once the group is full.
    next: usize,
}

impl Recent {
    fn learn(&mut self, share: f64) {
        if self.shares.len() < RECENT {
            self.shares.push(share);
        } else {
            self.shares[self.next] = share;
            self.next = (self.next + 1) % RECENT;
        }
    }
}

impl SimilarJobs {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Learns the run time of a job that has ended. O(1).
    pub fn learn(&mut self, user: i64, request: Time, run: Time) {
        if request <= Time::ZERO {
            return;
        }
        let share = (run.secs() / request.secs()).min(1.0);
        for group in groups(user, request) {
            self.groups.entry(group).or_default().learn(share);
        }
    }

    /// Returns the shares of the requests that similar jobs ran for, group by group, from the most similar jobs on.
    /// At most 64 in each.
    pub fn shares(&self, user: i64, request: Time) -> impl Iterator<Item = &[f64]> {
        let groups = groups(user, request).into_iter();
        groups.filter_map(|group| self.groups.get(&group)).map(|recent| &*recent.shares)
    }

    /// Returns the least share of the request that a job does not outlive with a probability: a quantile of the first group
    /// with at least 8 jobs; `None` if no group is that large. O(1): 64 jobs are searched.
    pub fn quantile(&self, user: i64, request: Time, probability: f64) -> Option<f64> {
        let mut shares = self.shares(user, request).find(|shares| shares.len() >= FEW)?.to_vec();
        let at = (probability * shares.len() as f64).ceil() as usize;
        let at = at.clamp(1, shares.len()) - 1;
        Some(*shares.select_nth_unstable_by(at, f64::total_cmp).1)
    }
}

fn groups(user: i64, request: Time) -> [Group; 4] {
    let magnitude = Group::Magnitude((request.secs().max(1.0) as u64).ilog2());
    [Group::Alike { user, request }, Group::User(user), magnitude, Group::All]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Time = Time::from_secs(3600);

    #[test]
    fn the_quantile_is_that_of_the_most_similar_jobs_that_are_not_few() {
        let mut known = SimilarJobs::default();
        assert_eq!(known.quantile(1, HOUR, 0.5), None);
        // User 1 runs for 10, 20, …, 80 % of an hour, and once for all of two.
        (1..=8).for_each(|tenth| known.learn(1, HOUR, Time::from_secs(360 * tenth)));
        known.learn(1, Time::from_secs(7200), Time::from_secs(9000));
        let quantile =
            |user, request, probability| known.quantile(user, Time::from_secs(request), probability);
        assert_eq!(quantile(1, 3600, 0.5), Some(0.4), "4 of 8 jobs with this request");
        assert_eq!(quantile(1, 3600, 0.51), Some(0.5));
        assert_eq!(
            quantile(1, 7200, 0.99),
            Some(1.0),
            "one job with this request is few: all jobs of the user"
        );
        assert_eq!(quantile(2, 2048, 0.001), Some(0.1), "requests of 2048 to 4095 s");
        assert_eq!(quantile(2, 60, 0.5), Some(0.5), "the fifth of 9 jobs of all users");
    }

    #[test]
    fn only_the_last_64_jobs_count() {
        let mut known = SimilarJobs::default();
        (0..64).for_each(|_| known.learn(1, HOUR, HOUR));
        (0..33).for_each(|_| known.learn(1, HOUR, Time::from_secs(36)));
        assert_eq!((known.quantile(1, HOUR, 0.5), known.quantile(1, HOUR, 0.52)), (Some(0.01), Some(1.0)));
    }
}
