//! The schedule that a log recorded, as far as it had come when the log was written.

use batchlab_support::{Needs, Policy};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::trace::{Suspensions, Unfinished};
use batchlab_traces::{Field, JobId, Time, Trace, Workload};

use crate::outcome::Outcome;
use crate::replay::engine::{ReplayError, Scenario, Stepped};

/// The recorded schedule of a log whose jobs need not have ended.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Starts and ends, [`Time::MAX`] where they were still to come.
    pub schedule: Outcome,
    /// When the log was written, if it says so or jobs had not ended then: the latest instant up to which one is said to have run.
    pub written: Option<Time>,
    /// The jobs without a recorded wait; they count as over.
    pub unknown: Vec<JobId>,
    /// The jobs that were suspended when the log was written.
    pub suspended: Vec<JobId>,
    /// The jobs whose end was being worked on when the log was written.
    pub ending: Vec<JobId>,
    /// For how long the jobs had run that were suspended before the log was written and had not ended then.
    pub ran: SortedMap<JobId, Time>,
    /// The starts of these jobs, by their positions: they are in the schedule as if they had run since then without a break.
    pub began: Vec<(usize, Time)>,
}

impl Recorded {
    /// Reads the recorded starts and ends of a workload's jobs. O(jobs).
    pub fn of(trace: &Trace, workload: &Workload) -> Recorded {
        let unfinished = trace.unfinished();
        let suspensions = Suspensions::of(trace);
        let mut recorded = Recorded::default();
        let mut running = Vec::new();
        for job in workload.jobs() {
            let (row, submitted) = (workload.row(job), workload.submitted(job));
            let wait = trace.time(row, Field::Wait);
            let start = submitted.saturating_add(wait);
            let (start, end) = match unfinished.get(row) {
                Some(Unfinished::Waiting) => {
                    recorded.written = recorded.written.max(Some(submitted));
                    (Time::MAX, Time::MAX)
                }
                Some(
                    stage @ (Unfinished::Running(elapsed)
                    | Unfinished::Suspended(elapsed)
                    | Unfinished::Ending(elapsed)),
                ) => {
                    // It has run since then without a break.
                    let (began, suspended) = (start, suspensions.get(row).total);
                    let start = began.saturating_add(suspended);
                    if suspended > Time::ZERO || matches!(stage, Unfinished::Suspended(_)) {
                        recorded.ran.insert(job, elapsed);
                        recorded.began.push((recorded.schedule.start.len(), began));
                    }
                    recorded.written = recorded.written.max(Some(start.saturating_add(elapsed)));
                    match stage {
                        Unfinished::Suspended(_) => recorded.suspended.push(job),
                        Unfinished::Ending(_) => recorded.ending.push(job),
                        _ => {}
                    }
                    running.push(recorded.schedule.start.len());
                    (start, Time::MAX)
                }
                None if (Time::ZERO..=Time::FARTHEST).contains(&wait) => {
                    let stay = workload.run(job).saturating_add(suspensions.get(row).total);
                    (start, start.saturating_add(stay))
                }
                None => {
                    recorded.unknown.push(job);
                    (Time::ZERO, Time::ZERO)
                }
            };
            recorded.schedule.start.push(start);
            recorded.schedule.end.push(end);
        }
        if let Some(told) = recorded.written {
            let written = trace.written().unwrap_or(told);
            recorded.written = Some(written);
            // Clocks show whole seconds: what runs when the log is written has started before.
            let latest = written - Time::TICK;
            for at in running {
                recorded.schedule.start[at] = recorded.schedule.start[at].min(latest);
            }
        }
        recorded
    }
}

impl Recorded {
    /// Lets jobs that were suspended have started when they did, for a policy that stops jobs and lets them go on by itself.
    pub fn with_breaks(&mut self) {
        for (at, began) in std::mem::take(&mut self.began) {
            self.schedule.start[at] = began.min(self.schedule.start[at]);
        }
    }
}

/// Decisions of a replay between two reports of its progress.
const TELL: u64 = 4096;

/// Returns the starts and ends of a replay up to an instant; what happens later is at [`Time::FARTHEST`]. Returns `None` if the
/// replay has to go on to its end: if the end of a job submits another, if jobs share time, or if the loop around the decisions
/// is not the plain one. `spec` names the policy; `tell` gets the number of jobs that have been submitted.
pub fn replayed_until(
    scenario: &Scenario,
    (spec, needs): (&str, Needs),
    policy: &mut dyn Policy,
    (until, tell): (Time, &dyn Fn(usize)),
) -> Result<Option<Outcome>, ReplayError> {
    let workload = &scenario.workload;
    let Ok(mut replay) = Stepped::new(scenario, spec, needs) else { return Ok(None) };
    if workload.is_closed() || replay.cluster().shares_time() {
        return Ok(None);
    }
    let (mut decisions, mut submitted) = (0_u64, 0);
    while let Some(at) = replay.advance(policy)?.filter(|&at| at <= until) {
        replay.act(|turn| policy.decide(turn))?;
        decisions += 1;
        if decisions.is_multiple_of(TELL) {
            let ahead = workload.jobs().skip(submitted);
            submitted += ahead.take_while(|&job| workload.submit(job) <= at).count();
            tell(submitted);
        }
    }
    let cluster = replay.cluster();
    let end = |job: JobId| cluster.ended(job).unwrap_or(Time::FARTHEST);
    let start = |job: JobId| cluster.started(job).unwrap_or(Time::FARTHEST).min(end(job));
    let (start, end) = (workload.jobs().map(start).collect(), workload.jobs().map(end).collect());
    Ok(Some(Outcome { start, end, ..Outcome::default() }))
}
