//! Foretold starts at one instant.

use batchlab_traces::number::{counted, grouped};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::Standing;
use batchlab_traces::{Example, Field, JobId, Time, Workload, foreign};
use serde::Serialize;

use super::words::{clock_words, conditions, words};
use super::{When, predictor, record, run_times};
use crate::cli::terminal::form::{print, print_json, print_json_line, print_table};
use crate::cli::terminal::rounds::Said;
use crate::cli::terminal::tell;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::job::JobName;
use crate::lab::scenario::ready_log::Prepared;
use crate::replay::engine::Scenario;
use crate::schedule::explain::explain;
use crate::when::{
    Forecast, Foretold, Hits, Margins, Missed, Past, Recorded, Row, RunTimes, Wide, barred, kinds,
    never_start, when_table, with_told_usage,
};

impl When {
    /// Prints when the jobs start that wait at the instant that is asked about.
    pub(super) fn foretell(
        &self,
        mut prepared: Prepared,
        past: &Past<'_>,
        recorded: &Recorded,
        (form, before): (TableForm, &mut Said),
    ) -> Result<(), Failure> {
        let written = recorded.written;
        let now = self.instant(&prepared, written)?;
        self.check_record()?;
        let (mut standing, mut known) = (past.standing(now), past.known(now)?);
        let workload = &past.forecast.scenario.workload;
        let of_log = (past.forecast.scenario, recorded);
        let barred = barred(&prepared.trace, of_log, &mut standing, &mut prepared.findings)?;
        self.asks_for_none_of(&barred, &prepared, past)?;
        // The calibration is about a past in which these nodes were in service.
        let scenario = self.without_unavailable(&mut prepared, past.forecast.scenario, now)?;
        let told = told_usage(&mut prepared, &scenario, (now, written))?;
        let scenario = told.unwrap_or_else(|| past.with_usage(scenario, now));
        let present = Past { forecast: Forecast { scenario: &scenario, ..past.forecast }, ..*past };
        let quiet = self.scenario.source.quiet;
        if let Some(job) = self.explain {
            tell::prepared(&prepared, quiet);
            return explain_one(&prepared, &present, &standing, job);
        }
        let waits = standing.queued().next().is_some();
        let is_barred = |job: JobId| barred.contains_key(&job);
        let margins = if waits { self.margins(past, now, &is_barred)? } else { Margins::default() };
        self.report_past(&mut prepared, &standing, &known, (workload, &margins))?;
        let foretold = present.forecast.foretell(&standing, &mut known)?;
        let never = never_start(&scenario, &past.forecast.policy.canonical(), &foretold);
        for (&job, why) in &never {
            let detail = || format!("job {}: {why}", workload.number(job));
            prepared.findings.report(&kinds::NEVER_STARTS, || Example { place: None, detail: detail() })?;
        }
        before.findings(&prepared.findings, quiet);
        let shown = self.shown(&prepared, past, &standing)?;
        let shown = foretold.iter().filter(|foretold| shown.is_empty() || shown.contains(&foretold.job));
        let row = |foretold: &Foretold| {
            let row = self.row(&prepared, past, (now, foretold), &margins);
            // A column of a table for programs is there in each call, and has a value in each row.
            let is_filled = form.is_for_programs() && !form.is_json();
            let id = row.id.or_else(|| is_filled.then(|| row.job.to_string()));
            Row { reason: never.get(&foretold.job).cloned(), id, ..row }
        };
        let rows: Vec<Row> = shown.map(row).collect();
        let hits = self.keep(&prepared, (past, now), &rows)?;
        before.separate(form)?;
        self.print(&prepared, &past.forecast, &standing, (&rows, &margins, hits), form)
    }

    /// Returns an error if a job is asked for that is not foretold.
    fn asks_for_none_of(
        &self,
        barred: &SortedMap<JobId, String>,
        prepared: &Prepared,
        past: &Past<'_>,
    ) -> Result<(), Failure> {
        let workload = &past.forecast.scenario.workload;
        for named in self.job.iter().chain(&self.explain) {
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

    /// Reports what of the past is missing for the waiting jobs, or disagrees with the policy.
    fn report_past(
        &self,
        prepared: &mut Prepared,
        standing: &Standing,
        known: &RunTimes,
        (workload, margins): (&Workload, &Margins),
    ) -> Result<(), Failure> {
        let waiting = standing.queued().count() as u64;
        let at = words(prepared, standing.now);
        let detail = || Example { place: None, detail: format!("at {at}") };
        if known.is_empty() {
            prepared.findings.report_many(&kinds::NO_HISTORY, waiting, detail)?;
        } else if self.calibrate > 0 && margins.jobs == 0 {
            prepared.findings.report_many(&kinds::NOT_CALIBRATED, waiting, detail)?;
        } else if self.calibrate > 0 && margins.instants < Margins::enough(self.level) {
            prepared.findings.report_many(&kinds::FEW_INSTANTS, waiting, || Example {
                place: None,
                detail: format!("at {at}: {}", counted(margins.instants as u64, "past instant")),
            })?;
        }
        let Some(worst) = margins.worst.filter(|_| margins.disagree) else { return Ok(()) };
        let detail = missed(prepared, workload, worst);
        let example = || Example { place: None, detail };
        Ok(prepared.findings.report_many(&kinds::PAST_DISAGREES, margins.far as u64, example)?)
    }

    /// Prints the rows of jobs as a table, or for programs.
    fn print(
        &self,
        prepared: &Prepared,
        forecast: &Forecast<'_>,
        standing: &Standing,
        (rows, margins, hits): (&[Row], &Margins, Option<Hits>),
        form: TableForm,
    ) -> Result<(), Failure> {
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
            table.caption.extend(hits.iter().flat_map(record::words));
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
        if self.watch.watch { print_json_line(&answer) } else { print_json(&answer) }
    }

    /// Returns the jobs to show; none for all of them.
    fn shown(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        standing: &Standing,
    ) -> Result<Vec<JobId>, Failure> {
        let workload = &past.forecast.scenario.workload;
        let mut shown = Vec::new();
        for &named in &self.job {
            let before = shown.len();
            let jobs = named.find(&prepared.trace, workload)?;
            shown.extend(standing.queued().filter(|queued| jobs.contains(queued)));
            if shown.len() == before {
                return Err(not_waiting(prepared, standing, named));
            }
        }
        Ok(shown)
    }

    fn row(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        (now, foretold): (Time, &Foretold),
        margins: &Margins,
    ) -> Row {
        let (workload, job) = (&past.forecast.scenario.workload, foretold.job);
        let finite = |value: f64| value.is_finite().then(|| value.round());
        let [low, median, high] = margins.interval(foretold, self.level).map(finite);
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
            too_wide: margins.too_wide(foretold, self.level).map(Wide::words),
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

/// Returns a scenario with the usage that `sshare` told, if it is of the instant; `None` if it told none, or is from later.
fn told_usage(
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

fn explain_one(
    prepared: &Prepared,
    past: &Past<'_>,
    standing: &Standing,
    named: JobName,
) -> Result<(), Failure> {
    let (scenario, outcome, journal) = past.forecast.as_requested(standing)?;
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
    let chosen = past.forecast.policy;
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
