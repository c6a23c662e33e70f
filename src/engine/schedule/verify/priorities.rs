//! Checks each preemption: the job can be preempted, its exemption and grace time were over, and a job waited that may
//! preempt it. Checks also that suspended jobs resume where they were. Where capacity goes out of service at the same instant,
//! and takes jobs off the machine in the same way, a job may have left because of that.

use batchlab_traces::capacity::{Closure, Evicted};
use batchlab_traces::priorities::{Preempted, PriorityTable};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Interval, IntervalKind, Outcome};
use crate::replay::engine::Scenario;

#[derive(Clone, Copy)]
struct Loss {
    job: JobId,
    how: Preempted,
    from: Time,
    /// The beginning of its last time without a pause.
    since: Time,
    at: Time,
    /// For how long it had executed.
    ran: Time,
}

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let Some(table) = &scenario.priorities else { return };
    let workload = &scenario.workload;
    let mut paused: SortedMap<JobId, Vec<Interval>> = SortedMap::new();
    if table.suspends().is_some() {
        for interval in outcome.all_intervals() {
            paused.entry(interval.job).or_default().push(interval);
        }
    }
    let own = |job| paused.get(&job).map_or(&[][..], Vec::as_slice);
    // How long a job executed between two instants, and since when without a pause.
    let ran = |job: JobId, from: Time, to: Time| {
        let within = own(job).iter().filter(|interval| interval.from >= from && interval.to <= to);
        let stops: Vec<&Interval> = within.filter(|interval| interval.kind == IntervalKind::Paused).collect();
        let sum = stops.iter().fold(Time::ZERO, |sum, pause| sum + (pause.to - pause.from));
        (to - from - sum, stops.last().map_or(from, |pause| pause.to))
    };
    let takers = workload.jobs().filter(|&job| table.standing(workload, job).preempts.is_some()).collect();
    let checker = Checker { scenario, table, outcome, takers };
    for run in &outcome.lost {
        let (ran, since) = ran(run.job, run.from, run.to);
        let how = Preempted::Requeued;
        checker.check(Loss { job: run.job, how, from: run.from, since, at: run.to, ran }, violations);
    }
    for job in workload.jobs().filter(|&job| outcome.fate(job) == Fate::Killed) {
        if let Some((start, end)) = served(outcome, job) {
            let (ran, since) = ran(job, start, end);
            let how = Preempted::Cancelled;
            checker.check(Loss { job, how, from: start, since, at: end, ran }, violations);
        }
    }
    let runs = outcome.lost.iter().filter(|run| run.from < run.to).map(|run| (run.job, run.to));
    let lost_at: SortedSet<(JobId, Time)> = runs.collect();
    for (&job, intervals) in &paused {
        let mut begun = Time::MAX;
        let mut before: Option<&Interval> = None;
        for interval in intervals {
            // A job may start again at the instant at which it lost its work.
            let starts_again = lost_at.contains(&(job, interval.from));
            let goes_on = !starts_again && before.is_some_and(|before| before.to == interval.from);
            let was_paused = before.is_some_and(|before| before.kind == IntervalKind::Paused);
            if !goes_on {
                begun = interval.from;
            }
            if interval.kind == IntervalKind::Paused && !(goes_on && was_paused) {
                let (ran, since) = ran(job, begun, interval.from);
                let how = Preempted::Suspended;
                checker.check(Loss { job, how, from: begun, since, at: interval.from, ran }, violations);
            }
            let places = &outcome.places;
            if goes_on && was_paused && places.at(job, interval.from) != places.at(job, begun) {
                let rule = ScheduleRule::ResumedInPlace;
                violations.push(Violation::of_time(workload, rule, job, interval.from, begun, interval.from));
            }
            before = Some(interval);
        }
    }
}

struct Checker<'a> {
    scenario: &'a Scenario,
    table: &'a PriorityTable,
    outcome: &'a Outcome,
    /// The jobs that may preempt others, by submission.
    takers: Vec<JobId>,
}

impl Checker<'_> {
    fn check(&self, loss: Loss, violations: &mut Vec<Violation>) {
        let Loss { job, how, since, at, ran, .. } = loss;
        if self.leaves_with_capacity(loss) {
            return;
        }
        let workload = &self.scenario.workload;
        let standing = self.table.standing(workload, job);
        // A job that is to be suspended before it has run waits again.
        let never_ran = how == Preempted::Requeued && ran == Time::ZERO;
        let is_meant = |known: Preempted| known == how || known == Preempted::Suspended && never_ran;
        let preempted = standing.preempted.filter(|known| is_meant(known.preempted));
        let (grace, least) = match preempted {
            Some(known) => (known.grace, known.exempt.saturating_add(known.grace)),
            None => (Time::ZERO, Time::MAX),
        };
        let mut broken = |rule, need, have| {
            violations.push(Violation::of_time(workload, rule, job, at, need, have));
        };
        if ran < least {
            broken(ScheduleRule::Preempted, least, ran);
        } else if at - since < grace {
            broken(ScheduleRule::Preempted, grace, at - since);
        } else if !self.someone_preempts(standing.tier, at - grace) {
            broken(ScheduleRule::PreemptedFor, at - grace, at);
        }
    }

    /// Whether a job waits at an instant, or starts then, that may preempt jobs of a tier. O(t) for t jobs that may preempt.
    fn someone_preempts(&self, tier: i32, at: Time) -> bool {
        let workload = &self.scenario.workload;
        let mut arrived = self.takers.iter().take_while(|&&job| workload.submit(job) <= at);
        arrived.any(|&job| {
            let may = self.table.standing(workload, job).preempts.is_some_and(|below| tier < below);
            let starts = self.outcome.start.get(job.index()).is_none_or(|&start| start >= at);
            let starts = || starts || self.outcome.lost.iter().any(|run| run.job == job && run.from >= at);
            may && starts()
        })
    }

    /// Whether capacity goes out of service, or a reservation ends, at the instant of a loss and takes jobs off the machine
    /// in the same way where the job was.
    fn leaves_with_capacity(&self, loss: Loss) -> bool {
        let Some(calendar) = &self.scenario.capacity else { return false };
        let by_node = super::checks_nodes(self.scenario, self.outcome);
        let places = if by_node { self.outcome.places.at(loss.job, loss.from) } else { Vec::new() };
        let is_there =
            |closure: &Closure| !by_node || places.iter().any(|share| share.node as usize == closure.node);
        let takes = |closure: &Closure| match loss.how {
            Preempted::Requeued => closure.from == loss.at && closure.evicted == Evicted::Requeued,
            Preempted::Cancelled => {
                let ends = closure.kept_for.is_some_and(|kept| kept.until == loss.at);
                ends || closure.from == loss.at && closure.evicted == Evicted::Killed
            }
            Preempted::Suspended => false,
        };
        calendar.closures.iter().any(|closure| takes(closure) && is_there(closure))
    }
}
