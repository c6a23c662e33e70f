//! Verbs as calls, for programs in other languages: options are those of the command line, results are data, and nothing
//! is printed.
//!
//! A call has the options of its verb, by the same rows ([`crate::lab::options`]), so that an option of a verb is an option of
//! Python; `python/batchlab/_options.py` declares their types and is written by a test (`tests/python.rs`). Long work ends at
//! an `Interrupt`, which is part of the budget of a replay: the clock looks for it at each decision.

mod command;
mod options;
mod shown;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use batchlab_parsers::read::read_explained;
use batchlab_parsers::{Input, Options};
use batchlab_traces::clean::Cleaned;
use batchlab_traces::shape::Shaped;
use batchlab_traces::{Findings, Time, Trace};

use crate::Registry;
use crate::experiment::detail::gantt::{Chart, GANTT};
use crate::experiment::detail::timeline::Timeline;
use crate::experiment::detail::{self, Extent, Wanted};
use crate::lab::experiments::{Conducted, ExperimentRun, end};
use crate::lab::logs::reading::open_log;
use crate::lab::logs::rules;
use crate::lab::logs::shaping::{StepsFile, shaped};
use crate::lab::replays::result_tables::{self, Results, TableForm};
use crate::lab::replays::schedules;
use crate::lab::replays::watch::Watch;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::AllSettings;
use crate::lab::texts::read_text;
use crate::lab::tuning::{JUDGED, Tuned, TuningRun, judged_folder, publish};
use crate::lab::{Failure, Given};
use crate::metrics::{Measurement, Metric};
use crate::outcome::{Outcome, StopRule};
use crate::plot::{Page, PageLayout};
use crate::replay::comparison::ComparedPolicy;
use crate::replay::conditions::short_name;
use crate::replay::engine::{Interrupt, Scenario};
use crate::replay::{ResultRow, RowKind};
use crate::report::plots;
use crate::schedule::verify::{Violation, verify};
use crate::schedule::{self, ColumnValues, ScheduleColumn};
use crate::study::pitfalls::Pitfall;
use crate::table::Printed;
pub use options::{CallOption, Verb, option_list};
pub use shown::Wait;

pub use crate::lab::experiments::Progress;
pub use crate::lab::tuning::TuneObjective;
pub use crate::tune::UnitRole;

#[derive(Clone)]
pub struct Call<'a> {
    pub registry: &'a Registry,
    pub options: &'a [Given],
    /// The caller's request to abandon the work.
    pub interrupt: Interrupt,
    pub progress: Progress,
}

impl Call<'_> {
    pub fn read(&self, path: &str) -> Result<Trace, Failure> {
        self.read_from(open_log(self.registry, path)?)
    }

    pub fn read_from(&self, input: Input) -> Result<Trace, Failure> {
        let settings = self.settings(Verb::Read)?;
        let options = Options { places: settings.places, ..settings.scenario.source.options(self.registry)? };
        let progress = self.progress.clone();
        let input = input.with_progress(move |done, total| progress(done, total));
        Ok(read_explained(input, &options)?.0)
    }

    /// Shapes a log by steps: a file, or a text of several lines.
    pub fn shape(&self, trace: Trace, steps: &str) -> Result<Shaped, Failure> {
        let settings = self.settings(Verb::Shape)?;
        let registry = settings.plugins.of_files(self.registry)?;
        shaped(&settings, &registry, &StepsFile::named(steps)?, trace)
    }

    /// Replays a log under a policy and keeps the schedule. There is no table.
    ///
    /// # Errors
    /// If options are wrong, jobs lack what the policy needs, the policy misbehaves, or the caller asks to stop.
    pub fn replay(&self, trace: Trace, policy: &str) -> Result<Replays, Failure> {
        let mut replays = self.prepared(trace, Verb::Replay, &[policy.to_owned()])?;
        replays.replay(&self.progress)?;
        Ok(replays)
    }

    /// Replays a log under policies and keeps the schedules.
    pub fn compare(&self, trace: Trace, policies: &[String]) -> Result<Replays, Failure> {
        let mut replays = self.prepared(trace, Verb::Compare, policies)?;
        replays.compare(&self.progress)?;
        Ok(replays)
    }

    /// As [`Call::compare`], with the metrics of the table only, which take a fraction of the time of all.
    pub fn compare_shown(&self, trace: Trace, policies: &[String]) -> Result<Replays, Failure> {
        let mut replays = self.prepared(trace, Verb::Compare, policies)?;
        replays.measures_all = false;
        replays.compare(&self.progress)?;
        Ok(replays)
    }

    /// Prepares jobs and machine for an agent that makes the decisions itself; nothing is replayed.
    pub fn prepare(&self, trace: Trace) -> Result<Replays, Failure> {
        self.prepared(trace, Verb::Replay, &[AGENT.to_owned()])
    }

    fn prepared(&self, trace: Trace, verb: Verb, policies: &[String]) -> Result<Replays, Failure> {
        let mut settings = self.settings(verb)?;
        settings.replay.policy = policies.to_vec();
        let typed = settings.plugins.typed(self.registry)?;
        let (compared, broken) = settings.compared_policies(&typed)?;
        none(broken)?;
        settings.check_bounds()?;
        settings.scenario.limits.interrupt = self.interrupt.clone();
        settings.scenario.is_call = true;
        let inputs = self.inputs(verb, &trace.provenance.source.name, policies);
        let registry = settings.plugins.of_files(self.registry)?;
        let mut prepared = settings.scenario.prepare_read(&registry, trace)?;
        prepared.suit(compared.iter().map(|compared| &compared.policy))?;
        let (rows, outcomes, pitfalls) = Default::default();
        Ok(Replays {
            registry,
            settings,
            inputs,
            prepared,
            compared,
            rows,
            outcomes,
            pitfalls,
            is_played: false,
            measures_all: true,
        })
    }

    /// Runs an experiment into a folder of results, with tables, plots and everything else in it: that of a file, or a text.
    /// Paths in a text are relative to the folder of `file`, the name that messages give the text.
    ///
    /// # Errors
    /// If the experiment or options are wrong, the folder cannot be used, or the caller asks to stop.
    pub fn experiment(&self, file: &str, text: Option<String>) -> Result<Experimented, Failure> {
        let AllSettings { scenario, plugins, run: settings, .. } = self.settings(Verb::Run)?;
        let mut limits = scenario.limits;
        limits.interrupt = self.interrupt.clone();
        let run = ExperimentRun {
            experiment: file.into(),
            settings,
            limits,
            observer: scenario.source.observer,
            options: plugins.words(),
            progress: Some(self.progress.clone()),
        };
        let registry = plugins.of_files(self.registry)?;
        let mut into = PathBuf::new();
        let text = run.text_of(text)?;
        let conducted = run.conduct_to(&registry, &registry, text, &mut |folder, contents| {
            folder.path().clone_into(&mut into);
            end::publish_all(self.registry, folder, contents)
        })?;
        let failures = match conducted {
            Conducted::Ran(failures) => failures,
            Conducted::Shown(_) => Vec::new(),
        };
        Ok(Experimented { folder: into, failures })
    }
}

impl Call<'_> {
    /// Searches as `tune` does, and judges what was found; returns the folder and what was found in words.
    ///
    /// # Errors
    /// As [`Call::experiment`], and if no candidate can be replayed.
    pub fn tune(&self, file: &str, text: Option<String>) -> Result<(Experimented, String), Failure> {
        let (run, registry) = self.tuning(file)?;
        let text = text.map_or_else(|| read_text(file), Ok)?;
        let began = Instant::now();
        let Tuned::Searched(search) = run.search(&registry, &registry, &text, &|| began.elapsed())? else {
            return Err(Failure::Usage("a dry run has no results".into()));
        };
        let mut failures = Vec::new();
        if search.found.chosen > 0 {
            let out =
                Given { name: "out".into(), values: vec![search.out.join(JUDGED).display().to_string()] };
            let others = self.options.iter().filter(|given| given.name != "out").cloned();
            let options: Vec<Given> = others.chain([out]).collect();
            let judging = Call { options: &options, ..self.clone() };
            failures = judging.experiment(file, Some(search.judged.clone()))?.failures;
        }
        let words = publish(&search, &judged_folder(&search.out))?;
        Ok((Experimented { folder: search.out.clone(), failures }, words))
    }

    /// Returns what the search of a file makes best, with its units loaded, for a search outside of this program.
    ///
    /// # Errors
    /// As [`Call::tune`].
    pub fn objective(&self, file: &str, text: Option<String>) -> Result<TuneObjective, Failure> {
        let (run, registry) = self.tuning(file)?;
        let text = text.map_or_else(|| read_text(file), Ok)?;
        run.objective(&registry, &registry, &text)
    }

    fn tuning(&self, file: &str) -> Result<(TuningRun, Registry), Failure> {
        let AllSettings { scenario, plugins, run, .. } = self.settings(Verb::Run)?;
        let mut limits = scenario.limits;
        limits.interrupt = self.interrupt.clone();
        let tuning = TuningRun {
            experiment: file.into(),
            out: run.out,
            resume: run.resume,
            threads: run.threads,
            logs: run.logs,
            dry_run: false,
            island: None,
            quiet: true,
            limits,
            observer: scenario.source.observer,
            progress: Some(self.progress.clone()),
        };
        Ok((tuning, plugins.of_files(self.registry)?))
    }
}

pub struct Experimented {
    pub folder: PathBuf,
    /// The failures of replays, each kind once.
    pub failures: Vec<Failure>,
}

/// Cleans a log by rules: a file, a preset, or a text of several lines.
pub fn clean(trace: &Trace, name: &str) -> Result<Cleaned, Failure> {
    let cleaned = rules::apply(trace, name)?;
    rules::some_left(name, trace.len(), &cleaned.trace)?;
    Ok(cleaned)
}

/// Returns what each rule did, in one line each.
pub fn cleaning_lines(cleaned: &Cleaned) -> Vec<String> {
    cleaned.report.rules.iter().map(|rule| rules::line(rule).trim_end().to_owned()).collect()
}

pub struct Replays {
    registry: Registry,
    settings: AllSettings,
    inputs: Vec<PathBuf>,
    prepared: Prepared,
    compared: Vec<ComparedPolicy>,
    rows: Vec<ResultRow>,
    outcomes: Vec<Outcome>,
    pitfalls: Vec<Pitfall>,
    /// Whether an agent has decided, not a policy.
    is_played: bool,
    /// Whether all metrics of a summary are measured, not only those that the table shows.
    measures_all: bool,
}

/// The policy in whose place an agent decides: any one without needs.
const AGENT: &str = "fcfs";

impl Replays {
    /// Puts the outcome of an agent, on these jobs and this machine, in the place of a replay. The jobs of the prefix, a time
    /// from the first submission, are not measured.
    pub fn play(&mut self, scenario: Scenario, outcome: Outcome, prefix: Time) {
        self.settings.measure.prefix = self.settings.measure.prefix.max(prefix);
        (self.prepared.scenario, self.outcomes, self.is_played) = (scenario, vec![outcome], true);
    }

    fn replay(&mut self, progress: &Progress) -> Result<(), Failure> {
        let results = self.results()?;
        let jobs = self.prepared.scenario.workload.len() as u64;
        progress(0, Some(jobs));
        let tell = |done| progress(done as u64, Some(jobs));
        let replayed = |one| Ok(results.comparison().replay(one, &tell)?);
        self.outcomes = self.compared.iter().map(replayed).collect::<Result<_, Failure>>()?;
        Ok(())
    }

    fn compare(&mut self, progress: &Progress) -> Result<(), Failure> {
        let Replays { settings, prepared, compared, .. } = &*self;
        let jobs = (prepared.scenario.workload.len() * compared.len()) as u64;
        progress(0, Some(jobs));
        let results = self.results()?;
        let comparison = results.comparison();
        let stops_early = settings.scenario.stop != StopRule::All;
        let watch = Watch::new(self.registry.policies(), prepared, settings.measure.options(), stops_early);
        let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; compared.len()]);
        let keep = |one: &ComparedPolicy, outcome: &Outcome| {
            watch.look(one, outcome);
            let at = compared.iter().position(|known| known.label() == one.label()).unwrap_or_default();
            outcomes.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(outcome.clone());
            Ok(())
        };
        let tell = |done| progress(done, Some(jobs));
        let (rows, failures) = settings.rows(&comparison, compared, prepared, &tell, &keep)?;
        none(failures)?;
        let pitfalls = watch.pitfalls(compared);
        let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.rows, self.pitfalls) = (rows, pitfalls);
        self.outcomes = outcomes.into_iter().flatten().collect();
        Ok(())
    }

    /// Returns the results with the metrics of a summary, of which a table shows some.
    fn results(&self) -> Result<Results<'_>, Failure> {
        self.results_in(TableForm::of("table")?)
    }

    fn results_in(&self, form: TableForm) -> Result<Results<'_>, Failure> {
        Results::new(&self.registry, &self.prepared, &self.settings.measure, form, self.measures_all)
    }

    pub fn labels(&self) -> Vec<String> {
        if self.is_played {
            return vec!["agent".into()];
        }
        self.compared.iter().map(ComparedPolicy::label).collect()
    }

    pub fn scenario(&self) -> &Scenario {
        &self.prepared.scenario
    }

    pub fn findings(&self) -> &Findings {
        &self.prepared.findings
    }

    pub fn conditions(&self) -> Vec<String> {
        result_tables::conditions(&self.prepared, &self.settings.measure).lines()
    }

    pub fn pitfalls(&self) -> &[Pitfall] {
        &self.pitfalls
    }

    /// Returns the rows of the table with the keys of their metrics: the policies, the log's own schedule if it has one,
    /// bounds if asked for.
    pub fn rows(&self) -> Result<(Vec<String>, Vec<ResultRow>), Failure> {
        let (metrics, rows) = self.results()?.shown(&self.rows);
        Ok((metrics.iter().map(Metric::key).collect(), rows))
    }

    /// Returns the metrics of the values in [`Replays::rows`].
    pub fn metrics_shown(&self) -> Result<Vec<Metric>, Failure> {
        Ok(self.results()?.shown(&self.rows).0)
    }

    /// Returns the cells of the rows in [`Replays::rows`] as the program's tables print them, behind the label of each.
    pub fn printed(&self) -> Result<Vec<Vec<Printed>>, Failure> {
        Ok(self.results()?.table(&self.rows).printed())
    }

    /// Returns the table in a form, such as `html`, as the verb prints it.
    pub fn table(&self, form: &str) -> Result<String, Failure> {
        self.results_in(TableForm::of(form)?)?.text(&self.rows).map(Into::into)
    }

    pub fn outcome(&self, at: usize) -> &Outcome {
        &self.outcomes[at]
    }

    /// Returns the metrics of a policy, by key: those that were asked for, else all of a summary.
    pub fn metrics(&self, at: usize) -> Result<Vec<(String, Option<f64>)>, Failure> {
        let results = self.results()?;
        let comparison = results.comparison();
        let row = comparison.measure(&self.labels()[at], RowKind::Policy, &self.outcomes[at])?;
        Ok(comparison.metrics.iter().map(Metric::key).zip(row.values).collect())
    }

    /// Returns columns of the schedule of a policy by name, after the five that every schedule has; all, if none are
    /// named. Jobs are in the order of the trace.
    pub fn columns(
        &self,
        at: usize,
        names: Option<&str>,
    ) -> Result<Vec<(&'static str, ColumnValues)>, Failure> {
        let all = || schedule::SCHEDULE_COLUMNS.iter().collect();
        let columns = names.map_or_else(|| Ok(all()), ScheduleColumn::select)?;
        self.measured(at, |measurement| Ok(schedule::columns(&columns, measurement)))
    }

    /// Writes the schedule of a policy as the verb does, with further columns and with the file of intervals beside it.
    pub fn write_schedule(&self, at: usize, path: &str, names: Option<&str>) -> Result<(), Failure> {
        let columns = names.map(ScheduleColumn::select).transpose()?.unwrap_or_default();
        schedules::refuse(path, path, &self.inputs)?;
        self.measured(at, |measurement| schedules::put(path, measurement, &columns))
    }

    /// Returns the rules that the schedule of a policy breaks, found by the independent checker.
    pub fn verify(&self, at: usize) -> Vec<Violation> {
        let scenario = &self.prepared.scenario;
        let twin = self.compared[at].clairvoyant.then(|| scenario.clairvoyant());
        verify(twin.as_ref().unwrap_or(scenario), &self.outcomes[at])
    }

    /// Draws which job of a policy ran where and when, as SVG; times are in seconds after the first submission.
    pub fn gantt(&self, at: usize, extent: Extent, colour: plots::Colour) -> Result<String, Failure> {
        let made = self.measured(at, |measurement| Ok(Wanted { spec: &GANTT, extent }.make(measurement)))?;
        let chart: Chart = detail::read(&made.unwrap_or_default()).map_err(Failure::Input)?;
        let spec = plots::Chart { extent, colour, ..plots::Chart::default() };
        Ok(svg(&plots::gantt_page((&self.labels()[at], self.name()), &spec, &chart)))
    }

    /// Draws utilization and queue length over time, with a line for each policy, as SVG.
    pub fn utilization(&self, policies: impl IntoIterator<Item = usize>) -> Result<String, Failure> {
        let course = |at: usize| Ok((self.labels().swap_remove(at), self.timeline(at)?));
        let courses: Vec<(String, Timeline)> =
            policies.into_iter().map(course).collect::<Result<_, Failure>>()?;
        Ok(svg(&plots::timeline_page(self.name(), &courses)))
    }

    fn name(&self) -> &str {
        short_name(&self.prepared.trace.provenance.source.name)
    }

    fn measured<T>(
        &self,
        at: usize,
        look: impl FnOnce(&Measurement<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let results = self.results()?;
        let comparison = results.comparison();
        let measurement = comparison.measurement(&self.outcomes[at])?;
        look(&measurement.with_capacity(self.prepared.scenario.capacity.as_deref()))
    }
}

fn svg(page: &Page) -> String {
    page.to_svg_for(PageLayout::PAGE)
}

/// Returns the first of several failures, with the number of the others.
fn none(mut failures: Vec<Failure>) -> Result<(), Failure> {
    if failures.is_empty() {
        return Ok(());
    }
    let (first, more) = (failures.remove(0), failures.len());
    Err(if more == 0 { first } else { first.with(&format!(" (and {more} more failures)")) })
}
