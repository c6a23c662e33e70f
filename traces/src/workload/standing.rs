//! What a machine does at an instant: which jobs run, which wait, and which are still to enter the queue.

use std::collections::HashMap;

use super::dependency::{Condition, Dependency, Milestone, among};
use super::{JobId, Workload};
use crate::sorted::{SortedMap, SortedSet};
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
    /// The jobs that were submitted and are not eligible yet, each with the earliest instant at which it is, in the order of these
    /// instants: they wait for a begin time, for other jobs of the standing, or for the throttle of their array.
    pub coming: Vec<(Time, JobId)>,
    /// The running jobs that leave at once: their end is being worked on.
    pub ending: SortedSet<JobId>,
    /// For how long running jobs have run by now, where they were stopped since their starts and it is known.
    pub ran: SortedMap<JobId, Time>,
}

impl Standing {
    /// Returns the jobs of a workload that run and wait at an instant, by their starts and ends in a schedule; a job that
    /// never started or never ended has [`Time::MAX`] there. A job that starts at the instant still waits; a job that ends
    /// at it has left.
    ///
    /// A job is still to come if what has happened does not meet its condition ([`Workload::conditions`]), or if it never
    /// started and enters the queue later; a job that did start later was held for a reason that was unknown at the instant.
    /// O(jobs + r log r) for r jobs that run or come, and O(d log d) for a job with d dependencies.
    pub fn at(workload: &Workload, start: &[Time], end: &[Time], now: Time) -> Standing {
        let mut standing = Standing { now, ..Standing::default() };
        let reached = |job: JobId, milestone: Milestone| {
            let at = workload.position(job);
            let instant = if milestone == Milestone::Start { start[at] } else { end[at] };
            Some(instant).filter(|&instant| instant <= now)
        };
        for job in workload.jobs().filter(|&job| workload.submitted(job) <= now) {
            let (at, queued) = (workload.position(job), workload.submit(job));
            if start[at] < now {
                if queued <= now && now < end[at] {
                    standing.running.push((start[at], job));
                }
                continue;
            }
            if end[at] <= now {
                continue;
            }
            let earliest = match workload.condition(job) {
                None if queued <= now || start[at] == Time::MAX => Some(queued),
                None => None,
                Some(condition) => match condition.entry(reached) {
                    Some(met) => Some(met.max(queued)).filter(|_| queued <= now || start[at] == Time::MAX),
                    None => {
                        let begin = if start[at] == Time::MAX { queued } else { now };
                        standing.coming.push((condition.met_so_far(reached).max(begin).max(now), job));
                        None
                    }
                },
            };
            match earliest {
                Some(earliest) if earliest <= now => standing.waiting.push(job),
                Some(earliest) => standing.coming.push((earliest, job)),
                None => {}
            }
        }
        standing.running.sort_unstable();
        standing.coming.sort_unstable();
        standing.drop_barred(workload, |job, milestone| reached(job, milestone).is_some());
        standing
    }

    /// Leaves out jobs, and all jobs to come that can come only after one of them. Returns these further
    /// jobs, each with the job that it waits for.
    pub fn without(&mut self, workload: &Workload, is_out: impl Fn(JobId) -> bool) -> Vec<(JobId, JobId)> {
        let out: SortedSet<JobId> = self.jobs().filter(|&job| is_out(job)).collect();
        self.running.retain(|(_, job)| !out.contains(job));
        self.waiting.retain(|job| !out.contains(job));
        self.coming.retain(|(_, job)| !out.contains(job));
        let mut out = out;
        let mut barred = Vec::new();
        loop {
            let found = self.barred(workload, |job, _| !out.contains(&job));
            if found.is_empty() {
                return barred;
            }
            out.extend(found.iter().map(|&(job, _)| job));
            self.coming.retain(|(_, job)| !out.contains(job));
            barred.extend(found);
        }
    }

    pub(super) fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.running.iter().map(|&(_, job)| job).chain(self.queued())
    }

    /// Returns the conditions of the future jobs of a log, numbered as [`Standing::jobs`].
    pub(super) fn conditions(&self, log: &Workload) -> Vec<(JobId, Condition)> {
        let places: HashMap<JobId, JobId> = self.jobs().zip((0..).map(JobId)).collect();
        let stated = self.coming.iter().filter_map(|&(_, job)| Some((job, log.condition(job)?)));
        let mut conditions = among(stated, |job| places.get(&job).copied());
        let first = self.running.len() + self.waiting.len();
        for (job, condition) in &mut conditions {
            condition.earliest = self.coming[job.index() - first].0;
        }
        conditions.retain(|(_, condition)| condition.needed > 0 || condition.throttle.is_some());
        conditions
    }

    /// Returns the waiting jobs, then the jobs of the future.
    pub fn queued(&self) -> impl Iterator<Item = JobId> + '_ {
        self.waiting.iter().copied().chain(self.coming.iter().map(|&(_, job)| job))
    }

    /// Drops the jobs to come that need jobs that have neither reached their milestones nor belong to the standing.
    fn drop_barred(&mut self, workload: &Workload, reached: impl Fn(JobId, Milestone) -> bool) {
        while !self.coming.is_empty() {
            let here: SortedSet<JobId> = self.jobs().collect();
            let barred = self.barred(workload, |job, at| here.contains(&job) || reached(job, at));
            let barred: SortedSet<JobId> = barred.into_iter().map(|(job, _)| job).collect();
            if barred.is_empty() {
                return;
            }
            self.coming.retain(|(_, job)| !barred.contains(job));
        }
    }

    /// Returns the jobs to come whose conditions cannot be met, each with a job that it waits for.
    fn barred(
        &self,
        workload: &Workload,
        may_come: impl Fn(JobId, Milestone) -> bool,
    ) -> Vec<(JobId, JobId)> {
        let barred = |&(_, job): &(Time, JobId)| {
            let condition = workload.condition(job)?;
            let is_out = |before: &&Dependency| !may_come(before.on, before.milestone);
            let out = condition.on.iter().filter(is_out).count();
            let first = condition.on.iter().find(is_out)?.on;
            (condition.on.len() - out < condition.needed).then_some((job, first))
        };
        self.coming.iter().filter_map(barred).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::PlainJob;

    fn job(submit: i64) -> PlainJob {
        let plain = PlainJob::new(Time::from_secs(submit), Time::from_secs(10), vec![1]);
        PlainJob { estimate: Time::from_secs(20), ..plain }
    }

    #[test]
    fn jobs_that_run_come_first_and_jobs_that_wait_have_waited() {
        let workload = Workload::from_jobs(&[0, 1, 2, 3, 4, 9].map(job));
        let start = [0, 8, 12, 7, 9, 14].map(Time::from_secs);
        let end = [9, 18, 22, 17, 19, 24].map(Time::from_secs);
        // At 9 job 1 has ended, jobs 2 and 4 run, job 5 starts at this instant and job 6 is just submitted.
        let standing = Standing::at(&workload, &start, &end, Time::from_secs(9));
        let running = [(7, 3), (8, 1)].map(|(start, job)| (Time::from_secs(start), JobId(job)));
        assert_eq!(standing.running, running);
        assert_eq!(standing.waiting, [JobId(2), JobId(4), JobId(5)]);
        assert_eq!(standing.coming, []);
        let stood = workload.standing(&standing);
        let times = |of: fn(&Workload, JobId) -> Time| -> Vec<f64> {
            stood.jobs().map(|job| of(&stood, job).secs()).collect()
        };
        assert_eq!(stood.jobs().map(|job| stood.number(job)).collect::<Vec<_>>(), [4, 2, 3, 5, 6]);
        assert_eq!(times(Workload::submit), [3.0, 1.0, 2.0, 4.0, 9.0]);
        assert_eq!(times(Workload::seen), [7.0, 8.0, 9.0, 9.0, 9.0]);
    }

    #[test]
    fn jobs_to_come_keep_what_they_still_wait_for() {
        let on = |job, delay| Dependency {
            on: JobId(job),
            milestone: Milestone::End,
            delay: Time::from_secs(delay),
        };
        let all = |on| Condition::all(Time::ZERO, on);
        // At 9 job 1 has ended and job 2 runs. Job 3 waits for both, job 4 until 5 s after the end of job 1, job 5 for job 1 alone, job
        // 6 for job 7, which has neither run nor been submitted.
        let workload = Workload::from_jobs(&[0, 1, 2, 3, 4, 5, 20].map(job)).with_conditions(vec![
            (JobId(2), all(vec![on(0, 4), on(1, 0)])),
            (JobId(3), all(vec![on(0, 5)])),
            (JobId(4), all(vec![on(0, 0)])),
            (JobId(5), all(vec![on(6, 0)])),
        ]);
        let never = Time::MAX;
        let secs = Time::from_secs;
        let start = [secs(0), secs(8), never, never, never, never, never];
        let end = [secs(8), never, never, never, never, never, never];
        let mut standing = Standing::at(&workload, &start, &end, secs(9));
        assert_eq!(standing.running, [(secs(8), JobId(1))]);
        assert_eq!(standing.waiting, [JobId(4)]);
        assert_eq!(standing.coming, [(secs(12), JobId(2)), (secs(13), JobId(3))]);
        let stood = workload.standing(&standing);
        let numbers: Vec<i64> = stood.jobs().map(|job| stood.number(job)).collect();
        assert_eq!(numbers, [2, 5, 3, 4]);
        assert_eq!(
            stood.jobs().map(|job| stood.seen(job).secs()).collect::<Vec<_>>(),
            [8.0, 9.0, 12.0, 13.0]
        );
        // Job 3 waits for job 2 only, which comes first here.
        let condition = Condition::all(secs(12), vec![on(0, 0)]);
        assert_eq!(stood.conditions(), [(JobId(2), condition)]);
        // Without job 2 job 3 cannot come.
        standing.running.clear();
        assert_eq!(standing.without(&workload, |job| job == JobId(4)), []);
        assert_eq!(standing.waiting, []);
    }
}
