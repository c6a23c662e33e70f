//! Explains the wait of a job by a replay with its decisions, in words and drawn.

use batchlab_policies::Journal;
use batchlab_policies::spec::Chosen;
use batchlab_traces::number::counted;
use batchlab_traces::workload::constraint;
use batchlab_traces::{JobId, Time, Workload};

use crate::experiment::detail::gantt::{Chart, GANTT};
use crate::experiment::detail::{self, Extent, Wanted};
use crate::lab::Failure;
use crate::lab::scenario::job::JobName;
use crate::lab::scenario::ready_log::Prepared;
use crate::metrics::{MeasureOptions, Measurement};
use crate::outcome::Outcome;
use crate::plot::Page;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::{self, Run};
use crate::report::plots;
use crate::schedule::InstantDisplay;
use crate::schedule::explain::{Explanation, explain};

/// How far a chart reaches before the submission, and behind start and promised start: this share of the time
/// between them, or at least this many seconds. Behind, it shows the job to its end if the job runs no longer than it waited.
const BESIDE: f64 = 0.25;
const LEAST: f64 = 600.0;

/// A replay with its decisions, and why a job of it waited.
pub struct Explained<'a> {
    prepared: &'a Prepared,
    policy: String,
    outcome: Outcome,
    journal: Journal,
    pub explanation: Explanation,
    end: Option<Time>,
    /// Which other jobs have its name, in words; empty if there are none.
    others: String,
}

impl<'a> Explained<'a> {
    /// Replays a log under a policy and explains the wait of a job; `None` if the job is not among those that are replayed.
    pub fn of(
        prepared: &'a Prepared,
        chosen: &Chosen,
        name: JobName,
    ) -> Result<Option<Explained<'a>>, Failure> {
        let scenario = &prepared.scenario;
        let policy = chosen.canonical();
        let mut built = chosen.build(&scenario.setting(prepared.reading.overrun))?;
        let run = Run { journal: true, ..Run::default() };
        let (outcome, journal) = engine::replay(scenario, &policy, chosen.needs(), built.as_mut(), run)?;
        let journal = journal.unwrap_or_default();
        let workload = outcome.workload(&scenario.workload);
        let named = name.find(&prepared.trace, workload)?;
        let Some(&job) = named.first() else { return Ok(None) };
        let others = others(prepared, workload, job, name.own(&prepared.trace, workload.row(job)));
        // A policy that predicts run times plans by its predictions, which no schedule tells.
        let foresees = chosen.needs().foresees && !policy.contains("predictor=");
        let constraint = constraint(&prepared.trace, workload.row(job));
        let explanation = Explanation { constraint, ..explain(scenario, &outcome, &journal, job, foresees) };
        let end = outcome.ended(job);
        Ok(Some(Explained { prepared, policy, outcome, journal, explanation, end, others }))
    }

    pub fn words(&self) -> String {
        format!("{}: {}{}", self.policy, self.explanation, self.others)
    }

    /// Draws the jobs around its wait.
    pub fn chart(&self) -> Result<Page, Failure> {
        let Explained { prepared, policy, outcome, journal, explanation, end, .. } = self;
        let scenario = &prepared.scenario;
        let measurement = Measurement::new(
            outcome.workload(&scenario.workload),
            &scenario.machine,
            outcome,
            MeasureOptions::default(),
        );
        let measurement = measurement
            .map_err(ComparisonError::from)?
            .with_journal(journal)
            .with_capacity(scenario.capacity.as_deref());
        let since = |time: Time| (time - measurement.window().first_submit).secs();
        let (submit, start) = (since(explanation.submit), since(explanation.start));
        let promised = explanation.promises.first().map_or(start, |&(_, promised)| since(promised));
        // A job that was held, or depended on others, waited from its submission on.
        let (first, last) = (since(explanation.submitted.min(explanation.submit)), start.max(promised));
        let beside = ((last - first) * BESIDE).max(LEAST);
        let run = end.map_or(0.0, since) - start;
        let behind = if run <= last - first { run.max(beside) } else { beside };
        let extent = Extent::Between((first - beside).max(0.0), Some(last + behind));
        let made = Wanted { spec: &GANTT, extent }.make(&measurement).unwrap_or_default();
        let chart: Chart = detail::read(&made).map_err(Failure::Input)?;
        let (marked, reservations) = (Some(explanation.number), plots::Reservations::Marked);
        let spec = plots::Chart { extent, reservations, marked, ..plots::Chart::default() };
        let title = format!("job {} under {policy}", explanation.number);
        let wait =
            format!("{}, waited {} s", counted(explanation.procs.max(0) as u64, "processor"), start - submit);
        Ok(plots::gantt_page((&title, &wait), &spec, &chart))
    }
}

/// The most jobs of one name that are listed.
const LISTED: usize = 5;

/// Returns which other jobs have the name of a job: the runs of a requeued job, and jobs with a number that was given again.
fn others(prepared: &Prepared, workload: &Workload, job: JobId, name: JobName) -> String {
    let same = name.find(&prepared.trace, workload).unwrap_or_default();
    let Some(&another) = same.iter().find(|&&other| other != job).filter(|_| same.contains(&job)) else {
        return String::new();
    };
    let clock = InstantDisplay(prepared.trace.calendar);
    let shown = |&job: &JobId| {
        format!("{} (submitted at {})", workload.number(job), clock.at(workload.submitted(job)))
    };
    let mut list: Vec<String> = same.iter().take(LISTED).map(shown).collect();
    list.extend((same.len() > LISTED).then(|| format!("{} more", same.len() - LISTED)));
    format!(
        "\n{name} is the name of {} jobs that are replayed: {}. This is job {}; ask for another by its number in the log, \
         such as {}",
        same.len(),
        list.join(", "),
        workload.number(job),
        workload.number(another),
    )
}
