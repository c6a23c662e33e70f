//! `batchlab explain`: explains why a job waited.

use batchlab_traces::Time;
use batchlab_traces::workload::constraint;
use clap::Args;

use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::detail::gantt::{Chart, GANTT};
use crate::experiment::detail::{self, Extent, Wanted};
use crate::lab::Failure;
use crate::lab::job::JobName;
use crate::lab::plugins::PluginSettings;
use crate::lab::settings::ScenarioSettings;
use crate::metrics::{MeasureOptions, Measurement};
use crate::parsers::Output;
use crate::plot::{FigureSize, PageLayout, Picture};
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::{self, Run};
use crate::report::plots;
use crate::schedule::explain::{Explanation, explain};

/// Explain why a job of a log waited under a policy
///
/// Replays the log, and prints what delayed the job and for how long, which jobs overtook it and by which
/// rule, and which start it was promised.
#[derive(Args)]
#[command(after_help = "Example: batchlab explain KTH-SP2.swf.gz 4711 --policy easy")]
pub struct Explain {
    #[command(flatten)]
    scenario: ScenarioSettings,
    #[command(flatten)]
    plugins: PluginSettings,
    /// The job: its number in the log (field 1), or id: and the name that its batch system gave it: `id:150`, `id:123_4`
    /// for a task of an array, `id:123+1` for a component of a heterogeneous job
    job: JobName,
    /// The policy, as name:key=value,key=value; see `batchlab list policies` [default: easy, with --slurm slurm]
    #[arg(long, value_name = "SPEC")]
    policy: Option<String>,
    /// Draw which job ran where and when around its wait, with reservations: as SVG, or as PDF or PNG by the file's ending
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
}

/// How far a chart reaches before the submission, and behind start and promised start: this share of the time
/// between them, or at least this many seconds. Behind, it shows the job to its end if the job runs no longer than it waited.
const BESIDE: f64 = 0.25;
const LEAST: f64 = 600.0;

impl Explain {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if let Some(path) = &self.plot {
            Picture::of(path).map_err(|error| Failure::Usage(format!("--plot {path}: {error}")))?;
        }
        let spec = self.scenario.slurm.policy(self.policy.as_deref());
        let chosen = self.plugins.typed(registry)?.choose(&spec)?;
        let mut prepared = self.scenario.prepare(&self.plugins.of_files(registry)?)?;
        prepared.suit([&chosen])?;
        let scenario = &prepared.scenario;
        let workload = &scenario.workload;
        let Some(job) = self.job.find(&prepared.trace, workload)? else {
            return Err(Failure::Usage(format!(
                "job {} is not among the {} that are replayed of {}",
                self.job,
                text::counted(workload.len() as u64, "job"),
                self.scenario.trace
            )));
        };
        tell::prepared(&prepared, self.scenario.source.quiet);
        if let (JobName::Own(id), false) = (self.job, self.scenario.source.quiet) {
            tell::note(&format!("id:{id} is job {} of the log", workload.number(job)));
        }
        let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
        let run = Run { journal: true, ..Run::default() };
        let (outcome, journal) =
            engine::replay(scenario, &chosen.canonical(), chosen.needs(), policy.as_mut(), run)?;
        let journal = journal.unwrap_or_default();
        let workload = outcome.workload(workload);
        let Some(job) = self.job.find(&prepared.trace, workload)? else { return Ok(()) };
        // A policy that predicts run times plans by its predictions, which no schedule tells.
        let foresees = chosen.needs().foresees && !chosen.canonical().contains("predictor=");
        let constraint = constraint(&prepared.trace, workload.row(job));
        let explanation = Explanation { constraint, ..explain(scenario, &outcome, &journal, job, foresees) };
        if let Some(path) = &self.plot {
            let measurement =
                Measurement::new(workload, &scenario.machine, &outcome, MeasureOptions::default());
            let measurement = measurement
                .map_err(ComparisonError::from)?
                .with_journal(&journal)
                .with_capacity(scenario.capacity.as_deref());
            draw(path, &chosen.canonical(), (&explanation, outcome.ended(job)), &measurement)?;
        }
        print(&format!("{}: {explanation}\n", chosen.canonical()))
    }
}

/// Writes a chart of the jobs around the wait of a job.
fn draw(
    path: &str,
    policy: &str,
    (explanation, end): (&Explanation, Option<Time>),
    measurement: &Measurement<'_>,
) -> Result<(), Failure> {
    let since = |time: Time| (time - measurement.window().first_submit).secs();
    let (submit, start) = (since(explanation.submit), since(explanation.start));
    let promised = explanation.promises.first().map_or(start, |&(_, promised)| since(promised));
    // A job that was held, or depended on others, waited from its submission on.
    let (first, last) = (since(explanation.submitted.min(explanation.submit)), start.max(promised));
    let beside = ((last - first) * BESIDE).max(LEAST);
    let run = end.map_or(0.0, since) - start;
    let behind = if run <= last - first { run.max(beside) } else { beside };
    let extent = Extent::Between((first - beside).max(0.0), Some(last + behind));
    let made = Wanted { spec: &GANTT, extent }.make(measurement).unwrap_or_default();
    let chart: Chart = detail::read(&made).map_err(|error| Failure::Input(format!("--plot: {error}")))?;
    let (marked, reservations) = (Some(explanation.number), plots::Reservations::Marked);
    let spec = plots::Chart { extent, reservations, marked, ..plots::Chart::default() };
    let title = format!("job {} under {policy}", explanation.number);
    let wait = format!(
        "{}, waited {} s",
        text::counted(explanation.procs.max(0) as u64, "processor"),
        start - submit
    );
    let page = plots::gantt_page((&title, &wait), &spec, &chart);
    let file = Output::create(path).map_err(|error| Failure::writing(path, error))?;
    super::info::draw(path, file, &page, PageLayout { size: FigureSize::Text, ..PageLayout::PAGE })
}
