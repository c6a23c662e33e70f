//! What a job waited for before it entered the queue: other jobs, and the throttle of its array.

use batchlab_traces::workload::{Milestone, Workload};
use batchlab_traces::{JobId, Time};

use crate::outcome::{Fate, Outcome, in_log};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    Job {
        number: i64,
        /// What had to happen to that job.
        milestone: Milestone,
        /// How long after that the dependency was met.
        delay: Time,
        /// Whether one of several dependencies was enough.
        is_any: bool,
    },
    /// The throttle of its array, which limits its tasks in the system.
    Throttle { at_most: usize },
}

/// Returns what a job waited for between its submission and its entry into the queue, and how long, in that order; `log` has
/// the conditions. A job that waited for one that was rejected has no answer: the instant of a rejection is unknown. O(n).
pub(super) fn awaited(log: &Workload, outcome: &Outcome, job: JobId) -> Vec<(Awaited, Time)> {
    let Some(entered) = outcome.entered.as_deref() else { return Vec::new() };
    let of_log = in_log(log, entered);
    let Some(condition) = log.condition(of_log[job.index()]) else { return Vec::new() };
    let mut identity = vec![JobId(0); log.len()];
    for (here, of_log) in entered.jobs().zip(of_log) {
        identity[of_log.index()] = here;
    }
    let condition = condition.relabelled(|job| identity[job.index()]);
    let tasks = condition.throttle.iter().flat_map(|throttle| throttle.tasks.iter().copied());
    let mut before = condition.on.iter().map(|before| before.on).chain(tasks);
    if before.any(|job| outcome.fate(job) == Fate::Rejected) || !outcome.took_part(job) {
        return Vec::new();
    }
    let (submitted, entry) = (entered.submitted(job), entered.submit(job));
    let mut awaited = Vec::new();
    let mut since = submitted;
    if let Some((met, on)) = condition.last_met(|job, milestone| outcome.reached(entered, job, milestone))
        && met > since
    {
        let job = Awaited::Job {
            number: entered.number(on.on),
            milestone: on.milestone,
            delay: on.delay,
            is_any: condition.needed < condition.on.len(),
        };
        awaited.push((job, met.min(entry) - since));
        since = met;
    }
    if let Some(throttle) = &condition.throttle
        && entry > since.max(condition.earliest)
    {
        let since = since.max(condition.earliest);
        awaited.push((Awaited::Throttle { at_most: throttle.at_most }, entry - since));
    }
    awaited
}
