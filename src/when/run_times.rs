//! What is known of the run times of jobs that have not ended.

use std::collections::HashMap;

use batchlab_traces::field::Field;
use batchlab_traces::{JobId, Time, Workload};
use rand_chacha::rand_core::Rng;

/// The least number of similar jobs from which a run time is drawn.
const FEW: usize = 8;

/// The most recent jobs that each group remembers.
const RECENT: usize = 64;

/// The run times of jobs that have ended, as shares of their requests, by groups of similar jobs.
///
/// The groups of a job, from the most similar on: the jobs of its user with the same request; all jobs of its user; all jobs
/// with a request of the same magnitude (a power of two); all jobs. The first group with at least 8 jobs that ran longer than
/// the job has run already is drawn from, each of its last 64 jobs with the same probability. A job that has run longer than
/// all similar ones ends at any instant up to its limit, with equal probability. Without history, jobs run as long as
/// requested.
///
/// That the recent accuracy of a user's requests predicts that of the next ones is the observation behind the predictors of
/// Tsafrir, Etsion, Feitelson (TPDS 18(6), 2007).
#[derive(Clone, Debug, Default)]
pub struct RunTimes {
    groups: HashMap<Group, Recent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Alike { user: i64, estimate: Time },
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

/// The run times that a job may have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Candidates {
    /// One of these, with equal probability.
    Some(Vec<Time>),
    /// Any between these.
    Between(Time, Time),
}

impl RunTimes {
    /// Whether no job has ended.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Learns the run time of a job that has ended. O(1).
    pub fn learn(&mut self, workload: &Workload, job: JobId) {
        let estimate = workload.estimate(job);
        if estimate <= Time::ZERO {
            return;
        }
        let share = (workload.run(job).secs() / estimate.secs()).min(1.0);
        for group in groups(workload, job) {
            self.groups.entry(group).or_default().learn(share);
        }
    }

    /// Returns the run times that a job may have that has run for some time, which is zero if it waits.
    pub(super) fn candidates(&self, workload: &Workload, job: JobId, elapsed: Time) -> Candidates {
        let estimate = workload.estimate(job);
        for group in groups(workload, job) {
            let Some(recent) = self.groups.get(&group) else { continue };
            let runs = recent.shares.iter().map(|share| Time::from_secs_f64(share * estimate.secs()));
            let longer: Vec<Time> = runs.filter(|&run| run > elapsed || elapsed == Time::ZERO).collect();
            if longer.len() >= FEW {
                return Candidates::Some(longer);
            }
        }
        if self.groups.is_empty() || estimate <= elapsed {
            // A job beyond its request is expected to end at once.
            return Candidates::Some(vec![estimate.max(elapsed.saturating_add(Time::SECOND))]);
        }
        Candidates::Between(elapsed, estimate)
    }
}

impl Candidates {
    /// Draws a run time.
    pub(super) fn draw(&self, random: &mut impl Rng) -> Time {
        // 53 bits are a fraction in [0, 1).
        let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        match self {
            Candidates::Some(runs) => {
                let at = (fraction * runs.len() as f64) as usize;
                runs[at.min(runs.len() - 1)]
            }
            Candidates::Between(least, most) => {
                let whole = Time::from_secs_f64(least.secs() + fraction * (*most - *least).secs());
                whole.max(*least + Time::TICK)
            }
        }
    }
}

fn groups(workload: &Workload, job: JobId) -> [Group; 4] {
    let (user, estimate) = (workload.attribute(job, Field::User), workload.estimate(job));
    let magnitude = Group::Magnitude((estimate.secs().max(1.0) as u64).ilog2());
    [Group::Alike { user, estimate }, Group::User(user), magnitude, Group::All]
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::seed;
    use batchlab_traces::workload::PlainJob;

    fn jobs(jobs: &[(i64, i64, i64)]) -> Workload {
        let job = |&(user, run, estimate): &(i64, i64, i64)| PlainJob {
            submit: Time::ZERO,
            run: Time::from_secs(run),
            estimate: Time::from_secs(estimate),
            demand: vec![1],
            user,
            partition: -1,
        };
        Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>())
    }

    fn learned(workload: &Workload) -> RunTimes {
        let mut known = RunTimes::default();
        workload.jobs().for_each(|job| known.learn(workload, job));
        known
    }

    #[test]
    fn the_most_similar_group_with_enough_jobs_is_drawn_from() {
        // User 1 has 8 jobs of 100 s that ran for half of it, user 2 has 8 jobs of 300 s that ran to the end.
        let past: Vec<_> = (0..8).flat_map(|_| [(1, 50, 100), (2, 300, 300)]).collect();
        let known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100), (1, 0, 1000), (3, 0, 256), (3, 0, 9000)]);
        let candidates = |job: u32| match known.candidates(&ahead, JobId(job), Time::ZERO) {
            Candidates::Some(mut runs) => {
                runs.dedup();
                runs.iter().map(|run| run.secs()).collect::<Vec<_>>()
            }
            Candidates::Between(..) => vec![],
        };
        assert_eq!(candidates(0), [50.0], "the user's jobs with the same request");
        assert_eq!(candidates(1), [500.0], "the user's jobs");
        assert_eq!(candidates(2), [256.0], "jobs of 256 to 511 s");
        assert_eq!(candidates(3)[..2], [4500.0, 9000.0], "all jobs");
    }

    #[test]
    fn a_running_job_runs_longer_than_it_has() {
        let past: Vec<_> = (1..=20).map(|tenth| (1, tenth * 5, 100)).collect();
        let known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100)]);
        let after = |elapsed: i64| known.candidates(&ahead, JobId(0), Time::from_secs(elapsed));
        let Candidates::Some(runs) = after(57) else { panic!("nine jobs ran longer") };
        assert_eq!(
            runs.iter().map(|run| run.secs()).collect::<Vec<_>>(),
            [60.0, 65.0, 70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0]
        );
        assert_eq!(after(90), Candidates::Between(Time::from_secs(90), Time::from_secs(100)));
        assert_eq!(after(130), Candidates::Some(vec![Time::from_secs(131)]));
        let mut random = seed::stream(1, "test");
        for _ in 0..1000 {
            let run = after(90).draw(&mut random);
            assert!(run > Time::from_secs(90) && run <= Time::from_secs(100));
        }
    }

    #[test]
    fn without_history_jobs_run_as_long_as_requested() {
        let ahead = jobs(&[(1, 0, 100)]);
        let known = RunTimes::default();
        assert_eq!(
            known.candidates(&ahead, JobId(0), Time::ZERO),
            Candidates::Some(vec![Time::from_secs(100)])
        );
    }
}
