//! What a machine does at an instant: which jobs run, and which wait.

use super::{JobId, Workload};
use crate::time::Time;

/// The jobs that run and wait at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The instant.
    pub now: Time,
    /// The jobs that run, each with its start, in the order of their starts.
    pub running: Vec<(Time, JobId)>,
    /// The jobs that wait, in the order of submission.
    pub waiting: Vec<JobId>,
}

impl Standing {
    /// Returns the jobs of a workload that run and wait at an instant, by their starts and ends in a schedule; a job that
    /// never started or never ended has [`Time::MAX`] there. A job that starts at the instant waits, one that ends then has
    /// left. O(jobs + r log r) for r running jobs.
    pub fn at(workload: &Workload, start: &[Time], end: &[Time], now: Time) -> Standing {
        let mut standing = Standing { now, ..Standing::default() };
        for job in workload.jobs().take_while(|&job| workload.submit(job) <= now) {
            let at = workload.position(job);
            if start[at] < now && now < end[at] {
                standing.running.push((start[at], job));
            } else if start[at] >= now && end[at] > now {
                standing.waiting.push(job);
            }
        }
        standing.running.sort_unstable();
        standing
    }
}

impl Workload {
    /// Returns the jobs of a standing, for a replay that goes on from it: first those that run, in the order of their starts,
    /// then those that wait, in the order of submission.
    ///
    /// A replay sees each running job at its start, and the others at the instant of the standing ([`Workload::seen`]). So a
    /// policy finds a queue with one job that fits whenever a running job comes, and has all of them on the machine when the
    /// others come. The waiting jobs have waited since their submission. Nobody cancels them, and none depends on another:
    /// those that still wait for others are left out beforehand.
    #[must_use]
    pub fn standing(&self, standing: &Standing) -> Workload {
        let running = standing.running.iter().map(|&(_, job)| job);
        let kept: Vec<usize> =
            running.chain(standing.waiting.iter().copied()).map(|job| self.position(job)).collect();
        let seen = standing.running.iter().map(|&(start, _)| start);
        let seen = seen.chain(standing.waiting.iter().map(|_| standing.now)).collect();
        Workload { seen, patience: Vec::new(), ..self.gather(&kept) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::PlainJob;

    #[test]
    fn jobs_that_run_come_first_and_jobs_that_wait_have_waited() {
        let job = |submit: i64| PlainJob {
            submit: Time::from_secs(submit),
            run: Time::from_secs(10),
            estimate: Time::from_secs(20),
            demand: vec![1],
            user: 1,
            partition: -1,
        };
        let workload = Workload::from_jobs(&[0, 1, 2, 3, 4, 9].map(job));
        let start = [0, 8, 12, 7, 9, 14].map(Time::from_secs);
        let end = [9, 18, 22, 17, 19, 24].map(Time::from_secs);
        // At 9 job 1 has ended, jobs 2 and 4 run, job 5 starts at this instant and job 6 is just submitted.
        let standing = Standing::at(&workload, &start, &end, Time::from_secs(9));
        let running = [(7, 3), (8, 1)].map(|(start, job)| (Time::from_secs(start), JobId(job)));
        assert_eq!(standing.running, running);
        assert_eq!(standing.waiting, [JobId(2), JobId(4), JobId(5)]);
        let stood = workload.standing(&standing);
        let times = |of: fn(&Workload, JobId) -> Time| -> Vec<f64> {
            stood.jobs().map(|job| of(&stood, job).secs()).collect()
        };
        assert_eq!(stood.jobs().map(|job| stood.number(job)).collect::<Vec<_>>(), [4, 2, 3, 5, 6]);
        assert_eq!(times(Workload::submit), [3.0, 1.0, 2.0, 4.0, 9.0]);
        assert_eq!(times(Workload::seen), [7.0, 8.0, 9.0, 9.0, 9.0]);
    }
}
