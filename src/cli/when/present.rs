//! Foretold starts at one instant.

use batchlab_traces::number::{counted, grouped};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, Field, JobId, Time, Workload, foreign};
use serde::Serialize;

use super::draws::{predictor, run_times};
use super::record;
use super::words::{clock_words, conditions, words};
use crate::cli::terminal::form::{print, print_json, print_json_line, print_table};
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::job::JobName;
use crate::lab::scenario::ready_log::Prepared;
use crate::replay::engine::Scenario;
use crate::schedule::explain::explain;
use crate::when::{
    Forecast, Foretold, Hits, Margins, Missed, Past, Row, Wide, kinds, when_table, with_told_usage,
};

pub(super) struct Present<'a> {
    past: &'a Past<'a>,
    standing: &'a Standing,
    margins: &'a Margins,
    level: f64,
}

impl<'a> Present<'a> {
    pub(super) fn of(
        past: &'a Past<'a>,
        standing: &'a Standing,
        margins: &'a Margins,
        level: f64,
    ) -> Present<'a> {
        Present { past, standing, margins, level }
    }

    fn workload(&self) -> &Workload {
        &self.past.forecast.scenario.workload
    }

    /// Reports what of the past is missing for the waiting jobs, or disagrees with the policy.
    pub(super) fn report_past(
        &self,
        prepared: &mut Prepared,
        is_unknown: bool,
        is_calibrated: bool,
    ) -> Result<(), Failure> {
        let (waiting, margins) = (self.standing.queued().count() as u64, self.margins);
        let at = words(prepared, self.standing.now);
        let detail = || Example { place: None, detail: format!("at {at}") };
        if is_unknown {
            prepared.findings.report_many(&kinds::NO_HISTORY, waiting, detail)?;
        } else if is_calibrated && margins.jobs == 0 {
            prepared.findings.report_many(&kinds::NOT_CALIBRATED, waiting, detail)?;
        } else if is_calibrated && margins.instants < Margins::enough(self.level) {
            prepared.findings.report_many(&kinds::FEW_INSTANTS, waiting, || Example {
                place: None,
                detail: format!("at {at}: {}", counted(margins.instants as u64, "past instant")),
            })?;
        }
        let Some(worst) = margins.worst.filter(|_| margins.disagree) else { return Ok(()) };
        let detail = missed(prepared, self.workload(), worst);
        let example = || Example { place: None, detail };
        Ok(prepared.findings.report_many(&kinds::PAST_DISAGREES, margins.far as u64, example)?)
    }

    /// Reports the jobs that never start, and why.
    pub(super) fn report_never(
        &self,
        prepared: &mut Prepared,
        never: &SortedMap<JobId, String>,
    ) -> Result<(), Failure> {
        for (&job, why) in never {
            let detail = || format!("job {}: {why}", self.workload().number(job));
            prepared.findings.report(&kinds::NEVER_STARTS, || Example { place: None, detail: detail() })?;
        }
        Ok(())
    }

    /// Prints the rows of jobs as a table, or for programs: as one line of JSON if there are answers to come.
    pub(super) fn print(
        &self,
        prepared: &Prepared,
        (rows, hits): (&[Row], Option<Hits>),
        form: TableForm,
        in_line: bool,
    ) -> Result<(), Failure> {
        let (forecast, standing, margins) = (&self.past.forecast, self.standing, self.margins);
        let (policy, now) = (forecast.policy.canonical(), standing.now);
        let (running, waiting) = (standing.running.len(), standing.queued().count());
        if !form.is_json() {
            let mut table = when_table(
                &conditions(prepared),
                &policy,
                (&words(prepared, now), running, waiting),
                rows,
                (&run_times(forecast), self.level, margins),
            );
            table.caption.extend(hits.iter().flat_map(record::words).map(Into::into));
            return print_table(form, &table);
        }
        let answer = Answer {
            policy,
            at: now.secs(),
            clock: clock_words(prepared, now),
            running,
            waiting,
            predictor: predictor(forecast),
            draws: forecast.draws,
            level: self.level,
            calibrated_at: margins.instants,
            record: hits,
            jobs: rows,
        };
        if in_line { print_json_line(&answer) } else { print_json(&answer) }
    }

    /// Returns the jobs to show; none for all of them.
    pub(super) fn shown(&self, prepared: &Prepared, asked: &[JobName]) -> Result<Vec<JobId>, Failure> {
        let mut shown = Vec::new();
        for &named in asked {
            let before = shown.len();
            let jobs = named.find(&prepared.trace, self.workload())?;
            shown.extend(self.standing.queued().filter(|queued| jobs.contains(queued)));
            if shown.len() == before {
                return Err(not_waiting(prepared, self.standing, named));
            }
        }
        Ok(shown)
    }

    pub(super) fn row(&self, prepared: &Prepared, foretold: &Foretold) -> Row {
        let (workload, now, job) = (self.workload(), self.standing.now, foretold.job);
        let finite = |value: f64| value.is_finite().then(|| value.round());
        let [low, median, high] = self.margins.interval(foretold, self.level).map(finite);
        let start = median.map(|median| now + Time::from_secs_f64(median));
        Row {
            job: workload.number(job),
            id: prepared.trace.own_id(workload.row(job)).map(|id| id.to_string()),
            user: workload.attribute(job, Field::User),
            procs: workload.procs(job),
            requested: (!workload.is_unlimited(job)).then(|| workload.estimate(job).secs()),
            waited: (now - workload.submitted(job)).secs(),
            start_in: median,
            earliest_in: low,
            latest_in: high,
            too_wide: self.margins.too_wide(foretold, self.level).map(Wide::words),
            start_as_requested_in: foretold
                .requested
                .is_finite()
                .then(|| to_milliseconds(foretold.requested)),
            reason: None,
            start: start.and_then(|start| clock_words(prepared, start)),
        }
    }
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    policy: String,
    /// The instant, in seconds from the log's zero.
    at: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    running: usize,
    waiting: usize,
    /// The predictor; without one, run times are drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    predictor: Option<&'a str>,
    draws: u32,
    level: f64,
    /// Number of past instants; 0 without calibration.
    calibrated_at: usize,
    /// How many of the recorded intervals have held.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Hits>,
    jobs: &'a [Row],
}

/// Returns an error if a job is asked for that is not foretold.
pub(super) fn asks_for_none_of<'a>(
    barred: &SortedMap<JobId, String>,
    asked: impl Iterator<Item = &'a JobName>,
    (prepared, workload): (&Prepared, &Workload),
) -> Result<(), Failure> {
    for named in asked {
        let jobs = named.find(&prepared.trace, workload)?;
        if let Some(reason) = jobs.iter().find_map(|job| barred.get(job)) {
            return Err(Failure::Input(format!(
                "job {named} is not foretold: it waits for {}",
                foreign::line(reason, 60)
            )));
        }
    }
    Ok(())
}

/// Returns a scenario with the usage that `sshare` told, if it is of the instant; `None` if it told none, or is from later.
pub(super) fn told_usage(
    prepared: &mut Prepared,
    scenario: &Scenario,
    (now, written): (Time, Option<Time>),
) -> Result<Option<Scenario>, Failure> {
    let Some(told) = with_told_usage(scenario, now) else { return Ok(None) };
    Ok(is_usage_of(prepared, (now, written))?.then_some(told))
}

/// Whether the usage that `sshare` told is taken for that of an instant; reports if it is not, or if that is unknown. The output does
/// not say when it was written: it is as old as the log beside it. Within a period of slurmctld's computations
/// (`PriorityCalcPeriod`) the usage that it shows does not change.
pub(in crate::cli) fn is_usage_of(
    prepared: &mut Prepared,
    (now, written): (Time, Option<Time>),
) -> Result<bool, Failure> {
    let period = prepared.scenario.slurm.as_ref().map_or(Time::ZERO, |site| site.system.priority.period);
    let is_later = written.is_some_and(|written| written > now.saturating_add(period));
    let kind = match written {
        Some(_) if is_later => &kinds::USAGE_LATER,
        Some(_) => return Ok(true),
        None => &kinds::USAGE_UNDATED,
    };
    let detail = format!("at {}", words(prepared, now));
    prepared.findings.report(kind, || Example { place: None, detail })?;
    Ok(!is_later)
}

/// Returns in words what was foretold of a job of the past, and what happened.
fn missed(prepared: &Prepared, workload: &Workload, Missed { at, job, latest, actual }: Missed) -> String {
    format!(
        "at {} job {} was to start within {} s and started after {} s",
        words(prepared, at),
        workload.number(job),
        grouped(latest.ceil() as u64),
        grouped(actual as u64)
    )
}

fn to_milliseconds(seconds: f64) -> f64 {
    (1000.0 * seconds).round() / 1000.0
}

pub(super) fn explain_one(
    prepared: &Prepared,
    forecast: &Forecast<'_>,
    standing: &Standing,
    named: JobName,
) -> Result<(), Failure> {
    let (scenario, outcome, journal) = forecast.as_requested(standing)?;
    let workload = outcome.workload(&scenario.workload);
    let waits = |job: &JobId| workload.position(*job) >= standing.running.len();
    let Some(job) = named.find(&prepared.trace, workload)?.into_iter().find(waits) else {
        return Err(not_waiting(prepared, standing, named));
    };
    if outcome.started(job).is_none() {
        return Err(Failure::Input(format!(
            "job {named} is not foretold: it does not start if all jobs run as long as requested; without --explain the \
             table says why"
        )));
    }
    let chosen = forecast.policy;
    let foresees = chosen.needs().foresees && !chosen.canonical().contains("predictor=");
    let explanation = explain(&scenario, &outcome, &journal, job, foresees);
    print(&format!("{}, if all jobs run as long as requested: {explanation}\n", chosen.canonical()))
}

fn not_waiting(prepared: &Prepared, standing: &Standing, named: JobName) -> Failure {
    let waiting = counted(standing.queued().count() as u64, "job");
    Failure::Usage(format!(
        "job {named} is not among the {waiting} that wait at {}",
        words(prepared, standing.now)
    ))
}
