use std::collections::HashMap;

use batchlab_support::JobView;
use batchlab_traces::notation::Bound;
use batchlab_traces::{Field, Time};

/// The most recent jobs that each group remembers.
const RECENT: usize = 64;

/// The run times of jobs that have ended, by groups of similar jobs.
///
/// The groups of a job, from the most similar on: the jobs of its user with the same name and request; with the same request; all jobs
/// of its user; all jobs with a request of the same magnitude (a power of two); all jobs. Each remembers its last 64 jobs. In a log
/// without names of jobs all have the same one.
#[derive(Clone, Debug, Default)]
pub(super) struct SimilarRuns {
    groups: HashMap<Group, Recent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Named {
        user: i64,
        name: i64,
        request: Bound<Time>,
    },
    Requested {
        user: i64,
        request: Bound<Time>,
    },
    User(i64),
    /// Without a limit there is no magnitude.
    Magnitude(Option<u32>),
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Likeness {
    user: i64,
    name: i64,
    request: Bound<Time>,
}

/// How long a job ran: a share of its request, and what came beyond the request.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ran {
    share: f64,
    beyond: Time,
    /// In all. What a job without a limit does says nothing of shares, and shares say nothing of it.
    run: Time,
    is_unlimited: bool,
}

/// The last jobs of a group.
#[derive(Clone, Debug, Default)]
struct Recent {
    runs: Vec<Ran>,
    /// How many there were.
    count: usize,
}

impl Likeness {
    pub(super) fn of(job: JobView<'_>) -> Likeness {
        let request = if job.is_unlimited() { Bound::Unlimited } else { Bound::Most(job.estimate()) };
        Likeness { user: job.user(), name: job.attribute(Field::Executable), request }
    }

    fn groups(self) -> [Group; 5] {
        let Likeness { user, name, request } = self;
        [
            Group::Named { user, name, request },
            Group::Requested { user, request },
            Group::User(user),
            Group::Magnitude(request.most().map(|request| (request.secs().max(1.0) as u64).ilog2())),
            Group::All,
        ]
    }
}

impl Ran {
    /// Returns how long a job runs that does as this one did.
    fn of(self, request: Bound<Time>) -> Time {
        match request {
            Bound::Unlimited => self.run,
            Bound::Most(request) if self.is_unlimited => self.run.min(request),
            Bound::Most(request) => {
                Time::from_secs_f64(self.share * request.secs()).saturating_add(self.beyond)
            }
        }
    }
}

impl Recent {
    fn learn(&mut self, ran: Ran) {
        match self.runs.get_mut(self.count % RECENT) {
            Some(oldest) => *oldest = ran,
            None => self.runs.push(ran),
        }
        self.count += 1;
    }
}

impl SimilarRuns {
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Learns the run time of a job that has ended. O(1).
    pub(super) fn learn(&mut self, job: Likeness, run: Time) {
        let ran = match job.request {
            Bound::Most(request) if request <= Time::ZERO => return,
            Bound::Most(request) => {
                let share = (run.secs() / request.secs()).min(1.0);
                Ran { share, beyond: (run - request).max(Time::ZERO), run, is_unlimited: false }
            }
            Bound::Unlimited => Ran { share: 1.0, beyond: Time::ZERO, run, is_unlimited: true },
        };
        for group in job.groups() {
            self.groups.entry(group).or_default().learn(ran);
        }
    }

    /// Returns how long a job runs if it does as similar ones did that ran longer than it has: group by group, from the most similar
    /// jobs on, at most 64 in each. A group that consists of the same jobs as the next one is left out.
    pub(super) fn longer(&self, job: Likeness, elapsed: Time) -> Vec<Vec<Time>> {
        let request = job.request;
        let recent = job.groups().map(|group| self.groups.get(&group));
        let count = |at: usize| recent.get(at).copied().flatten().map_or(0, |recent| recent.count);
        let tells = |&at: &usize| at >= NESTED || count(at) != count(at + 1);
        let longer = |at: usize| {
            let runs = recent[at]?.runs.iter().map(|ran| ran.of(request));
            Some(runs.filter(|&run| run > elapsed || elapsed == Time::ZERO).collect())
        };
        (0..recent.len()).filter(tells).filter_map(longer).collect()
    }
}

/// Of each of the first groups, the next one has all jobs.
const NESTED: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_with_the_same_name_come_first() {
        let named = |name: i64| Likeness { user: 1, name, request: Bound::Most(Time::from_secs(100)) };
        let mut known = SimilarRuns::default();
        (0..12)
            .flat_map(|_| [(7, 10), (8, 90)])
            .for_each(|(name, run)| known.learn(named(name), Time::from_secs(run)));
        let most = |name: i64, elapsed: i64| {
            let groups = known.longer(named(name), Time::from_secs(elapsed));
            let most = |group: &Vec<Time>| group.iter().max().map_or(0.0, |run| run.secs());
            groups.iter().map(|group| (group.len(), most(group))).collect::<Vec<_>>()
        };
        // All jobs of the user have this request: they are one group.
        assert_eq!(most(7, 0), [(12, 10.0), (24, 90.0), (24, 90.0), (24, 90.0)]);
        assert_eq!(most(8, 50), [(12, 90.0), (12, 90.0), (12, 90.0), (12, 90.0)]);
        assert_eq!(most(9, 0), [(24, 90.0); 3], "no job has this name");
    }

    #[test]
    fn only_the_last_64_jobs_count() {
        let job = Likeness { user: 1, name: -1, request: Bound::Most(Time::from_secs(100)) };
        let mut known = SimilarRuns::default();
        (0..64).for_each(|_| known.learn(job, Time::from_secs(90)));
        (0..33).for_each(|_| known.learn(job, Time::from_secs(10)));
        let runs = known.longer(job, Time::ZERO).remove(0);
        let short = runs.iter().filter(|&&run| run == Time::from_secs(10)).count();
        assert_eq!((runs.len(), short), (64, 33));
    }
}
