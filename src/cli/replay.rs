//! `batchlab replay`: replays a log under policies.

pub(super) mod pitfalls;
pub mod schedules;
mod stream;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use super::Failure;
use super::measure::MeasureArgs;
use super::plugins::PluginArgs;
use super::prepare::{Prepared, ScenarioArgs};
use super::progress::Progress;
use super::results::{Results, TableForm};
use crate::Registry;
use crate::metrics::{lower_bounds, recorded_schedule};
use crate::outcome::Outcome;
use crate::outcome::StopRule;
use crate::replay::comparison::{ComparedPolicy, Comparison, ComparisonError};
use crate::replay::{ResultRow, RowKind};
use crate::schedule::ScheduleColumn;
use pitfalls::Watch;
use schedules::Schedules;

/// Replay a log under one or more policies: one row of a table each
#[derive(Args)]
#[command(
    after_help = "Example: batchlab replay KTH-SP2.swf.gz --policy fcfs --policy easy --policy conservative"
)]
pub struct Replay {
    #[command(flatten)]
    pub(super) scenario: ScenarioArgs,
    /// A policy, as name:key=value,key=value; see `batchlab list policies` [default with --slurm: slurm]
    #[arg(long, value_name = "SPEC", required_unless_present = "slurm")]
    policy: Vec<String>,
    #[command(flatten)]
    pub(super) plugins: PluginArgs,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
    /// Add a row for each policy with the actual run times as estimates; a comparison, not a bound
    #[arg(long, help_heading = "Rows")]
    clairvoyant: bool,
    /// Add a row of proven lower bounds: no wait at all, and squashed area for the makespan
    #[arg(long, help_heading = "Rows")]
    bounds: bool,
    /// Form of the table: table, markdown, latex, html, csv or json
    #[arg(long, default_value = "table", value_name = "FORM", help_heading = "Output")]
    format: String,
    /// Write the schedule of the one policy
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    schedule: Option<String>,
    /// Write the schedules of all policies, and the summary, into a folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<String>,
    /// With --schedule or --out: further columns of schedules, such as user,queue,estimate,wait,bsld; see `batchlab list
    /// schedule-columns`
    #[arg(long, value_name = "A,B,C", help_heading = "Output")]
    schedule_columns: Option<String>,
    /// Replay while reading, in memory for the jobs alive only: for SWF logs that are sorted or nearly so, on a pool
    #[arg(long, help_heading = "Replay")]
    stream: bool,
    /// Policies that are replayed at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::prepare::threads, help_heading = "Replay")]
    threads: Option<usize>,
    /// The files that the command reads, of which no output is one.
    #[arg(skip)]
    inputs: Vec<PathBuf>,
}

impl Replay {
    /// Takes the files that the command reads.
    pub(super) fn reads(&mut self, inputs: Vec<PathBuf>) {
        self.inputs = inputs;
    }

    /// Returns the files that the command reads.
    pub(super) fn read(&self) -> &[PathBuf] {
        &self.inputs
    }

    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::of(&self.format)?;
        let typed = &self.plugins.typed(registry)?;
        let registry = &self.plugins.of_files(registry)?;
        self.check_bounds()?;
        let (compared_policies, broken) = self.compared_policies(typed)?;
        if self.stream {
            stream::run(self, registry, &compared_policies, form)?;
            return Failure::all(broken);
        }
        let schedules =
            Schedules::new(self.schedule.as_deref(), self.out.as_deref(), &compared_policies, &self.inputs)?;
        let columns = self.schedule_columns.as_deref().map(ScheduleColumn::select).transpose()?;
        let columns = columns.unwrap_or_default();
        if !columns.is_empty() && !schedules.are_kept() {
            return Err(Failure::Usage("--schedule-columns needs --schedule FILE.csv or --out DIR".into()));
        }
        let mut prepared = self.scenario.prepare(registry)?;
        prepared.suit(compared_policies.iter().map(|compared| &compared.policy))?;
        let results = Results::new(registry, &prepared, &self.measure, form, self.out.is_some())?;
        let stops_early = self.scenario.stop != StopRule::All;
        let watch =
            (!self.scenario.source.quiet).then(|| Watch::new(&prepared, self.measure.options(), stops_early));
        let comparison = results.comparison();
        let keep = |compared: &ComparedPolicy, outcome: &Outcome| {
            if let Some(watch) = &watch {
                watch.look(compared, outcome);
            }
            if !schedules.are_kept() {
                return Ok(());
            }
            schedules.keep(compared, &comparison.measurement(outcome)?, &columns)
        };
        let progress = (!self.scenario.source.quiet).then(|| {
            Progress::of_jobs("replaying", prepared.scenario.workload.len() * compared_policies.len())
        });
        let tell = |done| progress.iter().for_each(|progress| progress.tell(done));
        let replayed = self.rows(&comparison, &compared_policies, &prepared, &tell, &keep);
        drop(progress);
        let (rows, mut failures) = replayed?;
        schedules.summary(|| results.json(&rows))?;
        results.print(&rows, self.scenario.source.quiet)?;
        if let Some(watch) = watch {
            watch.tell(&compared_policies);
        }
        failures.extend(broken);
        Failure::all(failures)
    }

    /// Refuses bounds of replays that stop early.
    pub(super) fn check_bounds(&self) -> Result<(), Failure> {
        if self.bounds && self.scenario.stop != StopRule::All {
            return Err(Failure::Usage(
                "--bounds holds for replays in which every job ends: leave it or --stop out".into(),
            ));
        }
        Ok(())
    }

    /// Returns each policy, followed by its clairvoyant twin if requested, and the failures of plug-ins that
    /// could not be loaded.
    pub(super) fn compared_policies(
        &self,
        registry: &Registry,
    ) -> Result<(Vec<ComparedPolicy>, Vec<Failure>), Failure> {
        let (mut compared_policies, mut broken): (Vec<ComparedPolicy>, Vec<Failure>) = Default::default();
        for spec in &self.scenario.slurm.policies(&self.policy) {
            let policy = match registry.choose(spec) {
                Err(error) if error.is_fault() => {
                    broken.push(error.into());
                    continue;
                }
                chosen => chosen?,
            };
            let twins: &[bool] = if self.clairvoyant { &[false, true] } else { &[false] };
            for &clairvoyant in twins {
                let compared = ComparedPolicy { policy: policy.clone(), clairvoyant };
                if compared_policies.iter().any(|known| known.label() == compared.label()) {
                    return Err(Failure::Usage(format!("--policy {} is given twice", compared.label())));
                }
                compared_policies.push(compared);
            }
        }
        if compared_policies.is_empty() {
            Err(Failure::all(broken).err().unwrap_or(Failure::ClosedPipe))
        } else {
            Ok((compared_policies, broken))
        }
    }

    /// Returns the rows, and the failures of policies without a row; the rows of the others are reported
    /// nevertheless. `tell` gets the number of jobs that have ended in all replays, `keep` each outcome.
    pub(super) fn rows(
        &self,
        comparison: &Comparison<'_>,
        compared_policies: &[ComparedPolicy],
        prepared: &Prepared,
        tell: &(dyn Fn(u64) + Sync),
        keep: &(dyn Fn(&ComparedPolicy, &Outcome) -> Result<(), Failure> + Sync),
    ) -> Result<(Vec<ResultRow>, Vec<Failure>), Failure> {
        let ended: Vec<AtomicUsize> = compared_policies.iter().map(|_| AtomicUsize::new(0)).collect();
        let progress = |index: usize, done: usize| {
            ended[index].store(done, Ordering::Relaxed);
            tell(ended.iter().map(|ended| ended.load(Ordering::Relaxed) as u64).sum());
        };
        let work = || comparison.run::<Failure>(compared_policies, &progress, keep);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, |threads| threads.min(compared_policies.len().max(1))));
        let pool = pool.build().map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
        let results = pool.install(work)?;
        let (mut rows, mut failures) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(row) => rows.push(row),
                Err(failure) => failures.push(failure),
            }
        }
        self.add_beside(&mut rows, comparison, prepared)?;
        Ok((rows, failures))
    }

    /// Adds further rows: the log's own schedule, or the reason why it is missing, and lower bounds.
    fn add_beside(
        &self,
        rows: &mut Vec<ResultRow>,
        comparison: &Comparison<'_>,
        prepared: &Prepared,
    ) -> Result<(), Failure> {
        match recorded_schedule(&prepared.trace, &prepared.scenario.workload, &prepared.reading) {
            Ok(outcome) => {
                let outcome = outcome.stopped(&prepared.scenario.workload, &prepared.scenario.stop);
                rows.push(comparison.measure("log", RowKind::Recorded, &outcome)?);
            }
            Err(reason) => {
                if let Some(row) = rows.first_mut() {
                    row.notes.push(format!("no row for the log's own schedule: {reason}"));
                }
            }
        }
        if self.bounds {
            let scenario = comparison.scenario;
            let bounds =
                lower_bounds(&scenario.workload, &scenario.machine, comparison.options, comparison.metrics);
            rows.push(ResultRow::bounds(bounds.map_err(ComparisonError::from)?));
        }
        Ok(())
    }
}
