//! Rules for every single job.

use batchlab_traces::{JobId, Time};

use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Outcome};
use crate::replay::engine::{EventOrder, Scenario};

/// Start and end of a job; `None` if one is missing.
pub(super) fn served(outcome: &Outcome, job: JobId) -> Option<(Time, Time)> {
    let at = |times: &[Time]| times.get(job.index()).copied().filter(|&time| time != Time::MAX);
    Some((at(&outcome.start)?, at(&outcome.end)?))
}

/// Whether jobs ran in rows that took turns: as an engine records them, or by the intervals of a file on numbered processors.
pub(super) fn takes_turns(outcome: &Outcome) -> bool {
    !outcome.epochs.is_empty() || outcome.by_processor && !outcome.intervals.is_empty()
}

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let workload = &scenario.workload;
    for job in workload.jobs() {
        let mut broken = |rule, at, need, have| {
            violations.push(Violation::of_time(workload, rule, job, at, need, have));
        };
        let (submit, fate) = (workload.submit(job), outcome.fate(job));
        let Some((start, end)) = served(outcome, job) else {
            if !fate.has_ended() {
                continue;
            }
            match outcome.start.get(job.index()).filter(|&&start| start != Time::MAX) {
                None => broken(ScheduleRule::Starts, submit, submit, Time::MAX),
                Some(&start) => broken(ScheduleRule::Ends, start, start + workload.run(job), Time::MAX),
            }
            continue;
        };
        if start < submit {
            broken(ScheduleRule::SubmitFirst, start, submit, start);
        }
        let killed = matches!(fate, Fate::Killed | Fate::Cancelled);
        // A job killed while it waited left the queue at any instant, and so did a job that waited at the
        // stop. With rows that share time, a job starts when its row's slice begins.
        if let EventOrder::Periodic(cycle) = scenario.order
            && !takes_turns(outcome)
            && !(fate != Fate::Finished && start == end)
        {
            let past = Time::from_ticks(start.ticks().rem_euclid(cycle.ticks()));
            if past > Time::ZERO {
                broken(ScheduleRule::Cycle, start, cycle, past);
            }
        }
        let (run, lasted) = (workload.run(job), end - start);
        if let Some(patience) = workload.patience(job).filter(|_| fate != Fate::Unfinished) {
            let cancelled = submit.saturating_add(patience);
            let ran = lasted == run && !outcome.shares_time();
            if end > cancelled || end < cancelled && !ran && !outcome.shares_time() && fate == Fate::Cancelled
            {
                broken(ScheduleRule::Cancelled, start, cancelled, end);
            }
        }
        let right = match (killed, !outcome.shares_time()) {
            _ if fate == Fate::Unfinished => {
                lasted >= Time::ZERO && (lasted < run || start == end || outcome.shares_time())
            }
            (false, true) => lasted == run,
            // Time sharing lengthens jobs; the work in their intervals is checked separately.
            (false, false) => lasted >= run,
            (true, true) => lasted >= Time::ZERO && lasted <= run,
            (true, false) => lasted >= Time::ZERO,
        };
        if !right {
            broken(ScheduleRule::Duration, start, run, lasted);
        }
    }
}
