//! What a machine does at an instant: which jobs run, which wait, and which are still to enter the queue.

use std::collections::HashMap;
use std::sync::Arc;

use super::dependency::{Condition, Dependency, Milestone};
use super::{JobId, Workload};
use crate::machine::Machine;
use crate::sorted::SortedSet;
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
        let running = self.running.iter().map(|&(_, job)| job);
        let out: SortedSet<JobId> = running.chain(self.queued()).filter(|&job| is_out(job)).collect();
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

    /// Returns the waiting jobs, then the jobs of the future.
    pub fn queued(&self) -> impl Iterator<Item = JobId> + '_ {
        self.waiting.iter().copied().chain(self.coming.iter().map(|&(_, job)| job))
    }

    /// Drops the jobs to come that need jobs that have neither reached their milestones nor belong to the standing.
    fn drop_barred(&mut self, workload: &Workload, reached: impl Fn(JobId, Milestone) -> bool) {
        while !self.coming.is_empty() {
            let here: SortedSet<JobId> =
                self.running.iter().map(|&(_, job)| job).chain(self.queued()).collect();
            let barred: SortedSet<JobId> = self
                .barred(workload, |job, milestone| here.contains(&job) || reached(job, milestone))
                .into_iter()
                .map(|(job, _)| job)
                .collect();
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

impl Workload {
    /// Returns the same jobs, some of them bound to given nodes of a machine regardless of their constraints. O(n) for each
    /// of these jobs and n nodes.
    #[must_use]
    pub fn bound<'a>(
        mut self,
        machine: &Machine,
        jobs: impl IntoIterator<Item = (JobId, &'a [usize])>,
    ) -> Workload {
        let count = self.len();
        for (job, on) in jobs {
            let at = self.position(job);
            self.sites.bind(at, count, on, machine);
        }
        self
    }

    /// Returns the jobs of a standing, for a replay that goes on from it: first the running jobs in the order of their
    /// starts, then the waiting jobs in the order of submission, then the jobs to come.
    ///
    /// A replay sees each running job at its start, the waiting jobs at the instant of the standing, and the jobs to come when
    /// they are eligible ([`Workload::seen`]). So a policy finds a running job alone in the queue when it comes, and with room;
    /// when the waiting jobs come, all running jobs are on the machine. The waiting jobs have waited since their submission,
    /// and users do not cancel them. Jobs depend only on jobs of the standing; [`Standing::coming`] accounts for the others.
    #[must_use]
    pub fn standing(&self, standing: &Standing) -> Workload {
        let running = standing.running.iter().map(|&(_, job)| job);
        let jobs: Vec<JobId> = running.chain(standing.queued()).collect();
        let kept: Vec<usize> = jobs.iter().map(|&job| self.position(job)).collect();
        let seen = standing.running.iter().map(|&(start, _)| start);
        let seen = seen.chain(standing.waiting.iter().map(|_| standing.now));
        let seen = seen.chain(standing.coming.iter().map(|&(earliest, _)| earliest)).collect();
        let stood = Workload { seen, patience: Vec::new(), ..self.gather(&kept) };
        if self.conditions().is_empty() || standing.coming.is_empty() {
            return stood;
        }
        let places: HashMap<JobId, JobId> =
            jobs.iter().zip(0..).map(|(&job, place)| (job, JobId(place))).collect();
        let mut arrays: HashMap<*const JobId, Arc<[JobId]>> = HashMap::new();
        let condition = |&(earliest, job): &(Time, JobId)| {
            let condition = self.condition(job)?;
            let here = |before: &Dependency| Some(Dependency { on: *places.get(&before.on)?, ..*before });
            let on: Vec<Dependency> = condition.on.iter().filter_map(here).collect();
            let needed = if condition.needed == condition.on.len() {
                on.len()
            } else {
                condition.needed.min(on.len())
            };
            let throttle = condition.throttle.as_ref().and_then(|throttle| {
                let tasks = arrays.entry(throttle.tasks.as_ptr());
                let here = || throttle.tasks.iter().filter_map(|task| places.get(task).copied()).collect();
                throttle.among(tasks.or_insert_with(here).clone(), |task| places.contains_key(&task))
            });
            let is_met = needed == 0 && throttle.is_none();
            (!is_met).then(|| (places[&job], Condition { earliest, needed, on, throttle }))
        };
        stood.with_conditions(standing.coming.iter().filter_map(condition).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::PlainJob;

    fn job(submit: i64) -> PlainJob {
        PlainJob {
            submit: Time::from_secs(submit),
            run: Time::from_secs(10),
            estimate: Time::from_secs(20),
            demand: vec![1],
            user: 1,
            partition: -1,
        }
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
