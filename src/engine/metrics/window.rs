//! The measurement window: the jobs and the time that count.

use batchlab_traces::{JobId, Time, Workload};

use super::options::{Cooldown, MeasureOptions, Warmup};
use crate::Outcome;
use crate::stats::warmup::{self, CutReliability};

/// The time over which a replay is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The names say the rest.
pub struct Window {
    /// First submission, plus prefix and warm-up.
    pub from: Time,
    /// Last submission, minus a cool-down time.
    pub to: Time,
    pub first_submit: Time,
    pub last_submit: Time,
    pub last_end: Time,
}

impl Window {
    /// Returns the window and the measured jobs in the order of submission. O(n).
    ///
    /// The window is that of all jobs that took part in the replay; of these, the jobs that have ended are measured.
    pub fn measure(workload: &Workload, outcome: &Outcome, options: &MeasureOptions) -> (Window, Vec<JobId>) {
        let mut jobs: Vec<JobId> = workload.jobs().filter(|&job| outcome.took_part(job)).collect();
        let (Some(&first), Some(&last)) = (jobs.first(), jobs.last()) else {
            return (Window::default(), jobs);
        };
        let (first_submit, last_submit) = (workload.submit(first), workload.submit(last));
        let last_end = jobs.iter().map(|&job| outcome.end(job)).max().unwrap_or_default();
        let mut window = Window {
            from: first_submit.saturating_add(options.prefix),
            to: last_submit,
            first_submit,
            last_submit,
            last_end,
        };
        jobs.retain(|&job| outcome.fate(job).has_ended() && workload.submit(job) >= window.from);
        match options.warmup {
            Warmup::None => {}
            Warmup::Terminations(share) => {
                let ended = first_to_end(&jobs, outcome, share.of(jobs.len()));
                if let Some(bar) = ended {
                    window.from = window.from.max(bar.0);
                    jobs.retain(|&job| (outcome.end(job), job) > bar);
                }
            }
            Warmup::Time(time) => {
                window.from = window.from.saturating_add(time);
                jobs.retain(|&job| workload.submit(job) >= window.from);
            }
            Warmup::Mser5 => {
                let wait = |&job: &JobId| (outcome.start(job) - workload.submit(job)).secs();
                let found = warmup::mser5(&jobs.iter().map(wait).collect::<Vec<f64>>());
                if found.verdict == CutReliability::Accepted && found.cut > 0 {
                    jobs.drain(..found.cut);
                    window.from =
                        window.from.max(jobs.first().map_or(window.to, |&job| workload.submit(job)));
                }
            }
        }
        match options.cooldown {
            Cooldown::None => {}
            Cooldown::LastSubmission => jobs.retain(|&job| outcome.end(job) <= last_submit),
            Cooldown::Time(time) => {
                window.to = last_submit - time;
                jobs.retain(|&job| workload.submit(job) <= window.to);
            }
        }
        (window, jobs)
    }

    /// Returns the length in ticks, 0 if nothing is left.
    pub fn ticks(&self) -> i64 {
        (self.to - self.from).ticks().max(0)
    }

    /// Returns the window extended by the drain, until the last end.
    #[must_use]
    pub fn with_drain(self) -> Window {
        Window { to: self.last_end, ..self }
    }

    /// Returns the number of ticks of an interval that lie in the window.
    pub fn overlap(&self, from: Time, to: Time) -> i64 {
        (to.min(self.to) - from.max(self.from)).ticks().max(0)
    }
}

/// Returns the end and id of the last of the first `count` jobs to end; ties are broken by the order of submission.
fn first_to_end(jobs: &[JobId], outcome: &Outcome, count: usize) -> Option<(Time, JobId)> {
    let at = count.checked_sub(1)?;
    let mut ends: Vec<(Time, JobId)> = jobs.iter().map(|&job| (outcome.end(job), job)).collect();
    Some(*ends.select_nth_unstable(at).1)
}
