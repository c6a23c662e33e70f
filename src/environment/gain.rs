//! What an episode has gained so far.

use std::collections::HashMap;

use batchlab_traces::{Field, JobId, Machine, Time, Workload};

use super::Reward;
use batchlab_engine::metrics::{MeasureOptions, Served};

/// The metric of the reward, as of the present state of an episode.
pub(super) struct Gain {
    reward: Reward,
    /// The position of the first job that is measured.
    measured: usize,
    jobs: f64,
    sum: f64,
    procs: f64,
    first: Time,
    now: Time,
    /// Processors × ticks in use since the first measured job was submitted.
    busy: f64,
    /// The place of each job's user among the known users; [`UNKNOWN`] if the log does not state it.
    user_of: Vec<u32>,
    /// Of each known user: the sum of bounded slowdowns, and the number of jobs.
    users: Vec<(f64, f64)>,
}

const UNKNOWN: u32 = u32::MAX;

impl Gain {
    /// Returns the gain before anything has happened; the jobs before the position `measured` are simulated only.
    pub(super) fn new(reward: Reward, workload: &Workload, machine: &Machine, measured: usize) -> Gain {
        let mut places: HashMap<i64, u32> = HashMap::new();
        let mut place = |user: i64| {
            let next = places.len() as u32;
            if user < 0 { UNKNOWN } else { *places.entry(user).or_insert(next) }
        };
        let user_of = workload.jobs().map(|job| place(workload.attribute(job, Field::User))).collect();
        Gain {
            reward,
            measured,
            jobs: (workload.len() - measured) as f64,
            sum: 0.0,
            procs: machine.procs() as f64,
            first: workload.submit(JobId(measured as u32)),
            now: Time::ZERO,
            busy: 0.0,
            user_of,
            users: vec![(0.0, 0.0); places.len()],
        }
    }

    pub(super) fn users(&self) -> usize {
        self.users.len()
    }

    pub(super) fn user(&self, job: JobId) -> Option<usize> {
        self.user_of.get(job.index()).filter(|&&user| user != UNKNOWN).map(|&user| user as usize)
    }

    pub(super) fn started(&mut self, workload: &Workload, job: JobId, now: Time) {
        if job.index() < self.measured {
            return;
        }
        let run = workload.run(job);
        let served = Served {
            job,
            submit: workload.submit(job),
            start: now,
            end: now + run,
            run,
            procs: workload.procs(job),
            predicted: None,
            service: None,
        };
        let slowdown = served.bounded_slowdown(MeasureOptions::default().tau).unwrap_or(1.0);
        match self.reward {
            Reward::BoundedSlowdown => self.sum += slowdown,
            Reward::Wait => self.sum += served.wait().secs(),
            Reward::Utilization => {}
            Reward::Fairness => {
                if let Some((sum, jobs)) = self.user(job).and_then(|user| self.users.get_mut(user)) {
                    (*sum, *jobs) = (*sum + slowdown, *jobs + 1.0);
                }
            }
        }
    }

    /// Counts the time since the last call, in which `used` processors were busy.
    pub(super) fn passes(&mut self, used: i64, now: Time) {
        // Nothing runs before the first decision.
        if used > 0 {
            let since = self.now.max(self.first);
            self.busy += used as f64 * (now - since.min(now)).ticks() as f64;
        }
        self.now = now;
    }

    /// Returns the metric of the jobs that have started, as it would be if the episode ended now; O(1), for fairness
    /// O(users).
    pub(super) fn value(&self) -> f64 {
        match self.reward {
            Reward::BoundedSlowdown | Reward::Wait => -self.sum / self.jobs,
            Reward::Utilization => {
                let length = (self.now - self.first).ticks() as f64;
                if length > 0.0 { self.busy / (self.procs * length) } else { 0.0 }
            }
            Reward::Fairness => {
                let served = self.users.iter().filter(|(_, jobs)| *jobs > 0.0);
                let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
                for mean in served.map(|(sum, jobs)| sum / jobs) {
                    (count, sum, squares) = (count + 1.0, sum + mean, squares + mean * mean);
                }
                // Of fewer than two users the index is undefined, and counts as 0.
                if count > 1.0 && squares > 0.0 { sum * sum / (count * squares) } else { 0.0 }
            }
        }
    }
}
