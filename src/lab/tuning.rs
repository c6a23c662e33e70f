//! `tune`: searches for a policy, and judges what was found by an experiment like any other.

mod judged;
mod result;
mod store;
mod survey;
mod told;

use std::path::{Path, PathBuf};
use std::time::Duration;

use batchlab_engine::Inventory;
use batchlab_parsers::OutputFolder;
use batchlab_traces::number::{counted, grouped};

use crate::Registry;
use crate::experiment::{Experiment, ExperimentPlan, Folder, Measuring, Sweep};
use crate::lab::Failure;
use crate::lab::experiments::Progress;
use crate::lab::experiments::workloads::{self, Workloads};
use crate::lab::observer::Observed;
use crate::lab::settings::limits::LimitSettings;
use crate::tune::{
    Budget, Evaluation, Evaluator, Found, Goal, Objective, SearchProgress, TuneFile, Tuning, UnitRole,
    UnitScore, scores,
};
pub use result::SearchResult;
use result::{baseline, label, rows, standing};
pub use store::JUDGED;
use store::Store;
use survey::{check, goal, planned, read, usage, with_measures};

/// A search as a user asks for it.
pub struct TuningRun {
    /// The experiment file with `[tune]`, as the user named it.
    pub experiment: String,
    pub out: Option<PathBuf>,
    pub resume: bool,
    /// Searches this island alone, from 1 on, and neither chooses nor judges.
    pub island: Option<usize>,
    pub threads: Option<usize>,
    pub logs: Vec<PathBuf>,
    pub dry_run: bool,
    pub quiet: bool,
    pub limits: LimitSettings,
    pub observer: Observed,
    /// Gets the number of candidates and, if that is the budget, of all, in place of the observer.
    pub progress: Option<Progress>,
}

pub enum Tuned {
    /// What would be searched, in words.
    Planned(String),
    /// An island has ended, whose replays are in the folder.
    Island,
    Searched(Box<SearchResult>),
}

/// The file of a search, with its workloads surveyed.
struct SurveyedSearch<'a> {
    file: TuneFile,
    /// The experiment as the file has it: the plan measures what the search needs and nothing else.
    original: Experiment,
    goal: Goal,
    plan: ExperimentPlan,
    workloads: Workloads<'a>,
}

/// What a search makes best, for a search outside of this program (ask and tell).
pub struct TuneObjective {
    pub file: TuneFile,
    goal: Goal,
    evaluator: Evaluator,
}

impl TuningRun {
    /// Searches. `elapsed` tells the time since the beginning, for a budget in time.
    ///
    /// # Errors
    /// If the file cannot be read, a workload has too few units, no candidate can be replayed, or the caller asks to stop.
    pub fn search(
        &self,
        registry: &Registry,
        of_files: &Registry,
        text: &str,
        elapsed: &(dyn Fn() -> Duration + Sync),
    ) -> Result<Tuned, Failure> {
        let surveyed = self.survey(registry, of_files, text)?;
        if self.dry_run {
            return Ok(Tuned::Planned(planned(&surveyed.file, &surveyed.plan)));
        }
        let name = &surveyed.plan.experiment.name;
        let out = self.out.clone().unwrap_or_else(|| format!("{name}-tuned").into());
        if self.out.is_none() {
            OutputFolder::new("").own(&out)?;
        }
        self.tell(planned(&surveyed.file, &surveyed.plan).trim_end());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads(self.threads)).build();
        let pool = pool.map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
        pool.install(|| match self.island {
            Some(island) => self.search_island(surveyed, registry, (text, island), (out, elapsed)),
            None => {
                let result = self.searched(surveyed, registry, text, (out, elapsed))?;
                Ok(Tuned::Searched(Box::new(result)))
            }
        })
    }

    /// Returns the objective of a file, with its units loaded, for another search.
    ///
    /// # Errors
    /// As [`TuningRun::search`].
    pub fn objective(
        &self,
        registry: &Registry,
        of_files: &Registry,
        text: &str,
    ) -> Result<TuneObjective, Failure> {
        let SurveyedSearch { file, goal, plan, workloads, .. } = self.survey(registry, of_files, text)?;
        let evaluator = self.evaluator(&file, plan, registry, &workloads)?;
        Ok(TuneObjective { file, goal, evaluator })
    }

    fn survey<'a>(
        &self,
        registry: &Registry,
        of_files: &'a Registry,
        text: &str,
    ) -> Result<SurveyedSearch<'a>, Failure> {
        let name = self.experiment.as_str();
        let (file, original) = read(text, name)?;
        let experiment = with_measures(original.clone(), &file);
        let measuring = Measuring::of(&experiment.measure).map_err(usage)?;
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let workloads = Workloads::new(of_files, folder, measuring.options.prefix, &self.limits);
        let workloads = workloads.with_logs(&self.logs).observed(self.observer.clone());
        let plan = ExperimentPlan::of(experiment, registry, &workloads::names(), &workloads, &mut |_, _| {})?;
        let goal = goal(&file, &plan).map_err(usage)?;
        check(&file, &plan)?;
        Ok(SurveyedSearch { file, original, goal, plan, workloads })
    }

    fn evaluator(
        &self,
        file: &TuneFile,
        plan: ExperimentPlan,
        registry: &Registry,
        workloads: &Workloads<'_>,
    ) -> Result<Evaluator, Failure> {
        let interrupt = self.limits.interrupt.clone();
        let inventory = Inventory::clone(registry);
        Evaluator::load(plan, inventory, workloads, (file.split, file.judges()), interrupt)
    }

    fn searched(
        &self,
        SurveyedSearch { file, original, goal, plan, workloads }: SurveyedSearch<'_>,
        registry: &Registry,
        text: &str,
        (out, elapsed): (PathBuf, &(dyn Fn() -> Duration + Sync)),
    ) -> Result<SearchResult, Failure> {
        let evaluator = self.evaluator(&file, plan, registry, &workloads)?;
        let plan = &evaluator.plan;
        let (store, known) = Store::begin(&out, plan, file.islands, self.resume)?;
        self.remember(&evaluator, known);
        let tuning = tuning(&file, &goal, &evaluator);
        let found = self.run(&tuning, &store, elapsed)?;
        let standing = standing(&tuning, &found);
        store.candidates(&goal, &standing)?;
        store.history(&label(&goal, plan), &found, &standing)?;
        let chosen = found.finalists.first().filter(|_| found.chosen == 1);
        Ok(SearchResult {
            sizes: rows(&tuning, found.sizes.iter().rev()),
            leanings: chosen.map_or_else(Vec::new, |one| crate::tune::leanings(&evaluator, &one.spec)),
            units: [UnitRole::Fit, UnitRole::Choose].map(|role| evaluator.units(role).len()),
            failure: evaluator.failure(),
            judged: judged::experiment(text, &self.experiment, (&file, &goal), &original, plan, &found)?,
            baseline: baseline(plan).to_owned(),
            level: plan.experiment.level,
            seed: plan.experiment.seed,
            name: plan.experiment.name.clone(),
            workloads: plan.workloads.len(),
            policies: plan.experiment.policies.iter().map(|policy| policy.label.clone()).collect(),
            out,
            goal,
            file,
            standing,
            found,
        })
    }

    fn run(
        &self,
        tuning: &Tuning<'_>,
        store: &Store,
        elapsed: &(dyn Fn() -> Duration + Sync),
    ) -> Result<Found, Failure> {
        let mut progress = self.progress(tuning, store);
        let found = tuning.run::<Failure>(elapsed, &mut progress)?;
        let Some(found) = found else { return Err(interrupted()) };
        let has_failed = found.finalists.iter().all(|candidate| tuning.ratio(&candidate.fit, 0).is_none());
        match tuning.evaluator.failure().filter(|_| has_failed) {
            Some(failure) => Err(Failure::Policy(format!("no candidate could be replayed: {failure}"))),
            None => Ok(found),
        }
    }

    /// Returns what keeps the replays of each generation and tells each better candidate.
    fn progress<'a>(
        &'a self,
        tuning: &'a Tuning<'_>,
        store: &'a Store,
    ) -> impl FnMut(&SearchProgress<'_>) -> Result<(), Failure> + 'a {
        let mut best = String::new();
        move |progress| {
            store.keep(progress.evaluations)?;
            if let Some(tell) = &self.progress {
                let all = if let Budget::Candidates(all) = tuning.budget { Some(all as u64) } else { None };
                tell(progress.candidates as u64, all);
            }
            let Some(candidate) = progress.best.filter(|candidate| candidate.spec != best) else {
                return Ok(());
            };
            best.clone_from(&candidate.spec);
            let ratio =
                tuning.ratio(&candidate.fit, 0).map_or_else(String::new, |ratio| format!("{ratio:.3} "));
            self.tell(&format!(
                "{} of {}, {}: {ratio}{}",
                grouped(progress.candidates as u64),
                tuning.budget.words(),
                counted(progress.replays as u64, "replay"),
                candidate.spec,
            ));
            Ok(())
        }
    }

    fn search_island(
        &self,
        SurveyedSearch { file, goal, plan, workloads, .. }: SurveyedSearch<'_>,
        registry: &Registry,
        (text, island): (&str, usize),
        (out, elapsed): (PathBuf, &(dyn Fn() -> Duration + Sync)),
    ) -> Result<Tuned, Failure> {
        if !(1..=file.islands).contains(&island) {
            let what = format!("--island {island}: [tune] has {}", counted(file.islands as u64, "island"));
            return Err(Failure::Usage(what));
        }
        let evaluator = self.evaluator(&file, plan, registry, &workloads)?;
        let (store, known) = Store::island(&out, &evaluator.plan, island)?;
        self.remember(&evaluator, known);
        let tuning = tuning(&file, &goal, &evaluator);
        if !tuning.run_island::<Failure>(island, elapsed, &mut self.progress(&tuning, &store))? {
            return Err(interrupted());
        }
        store.ended(island, text)?;
        Ok(Tuned::Island)
    }

    fn remember(&self, evaluator: &Evaluator, known: Vec<Evaluation>) {
        if !known.is_empty() {
            self.tell(&format!("{} known from before", counted(known.len() as u64, "replay")));
        }
        evaluator.remember(known);
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            self.observer.note(text);
        }
    }
}

impl TuneObjective {
    /// Returns the names of the space, each with what may stand for it as the file has it.
    pub fn names(&self) -> &[(String, Vec<String>)] {
        &self.file.written
    }

    /// Returns the spec with texts in the place of its names.
    ///
    /// # Errors
    /// If a name lacks a text.
    pub fn spec(&self, values: &[(String, String)]) -> Result<String, Failure> {
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Sweep::fill(&self.file.keys.spec.0, &values)
            .map_err(|name| Failure::Usage(format!("`{{{name}}}` of the spec has no value")))
    }

    /// Replays a spec on the units of a role, except those that judge, and returns the ratio to the baseline of each objective, and
    /// by how much the constraints are broken.
    ///
    /// # Errors
    /// If it cannot be replayed, or the caller asks to stop.
    pub fn evaluate(&self, spec: &str, role: UnitRole) -> Result<(Vec<f64>, f64), Failure> {
        let scores = scores(&self.evaluator, &self.goal, spec, role).map_err(Failure::Policy)?;
        if self.evaluator.interrupt.is_requested() {
            return Err(Failure::Interrupted("the search was interrupted".into()));
        }
        let ratio = |(score, objective): (&Option<UnitScore>, &Objective)| {
            score.map_or(f64::INFINITY, |score| objective.ratio(score.mean))
        };
        let ratios = scores.objectives.iter().zip(&self.goal.objectives).map(ratio).collect();
        Ok((ratios, scores.broken()))
    }
}

fn tuning<'a>(file: &'a TuneFile, goal: &'a Goal, evaluator: &'a Evaluator) -> Tuning<'a> {
    Tuning {
        evaluator,
        space: &file.space,
        goal,
        spec: &file.keys.spec.0,
        search: file.search,
        budget: file.budget,
        islands: file.islands,
        seed: evaluator.plan.experiment.seed,
        level: evaluator.plan.experiment.level,
    }
}

fn interrupted() -> Failure {
    Failure::Interrupted("the search was interrupted; --resume continues it".into())
}

fn threads(given: Option<usize>) -> usize {
    given.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// Returns the folder of the results on the units that judge.
pub fn judged_folder(out: &Path) -> Folder {
    Folder::new(out.join(JUDGED))
}

/// Writes `tuned.md`, and returns what it says. A search that found nothing has no results of units that judge.
///
/// # Errors
/// If the results cannot be read, or the page cannot be written.
pub fn publish(search: &SearchResult, judged: &Folder) -> Result<String, Failure> {
    let contents = (search.found.chosen > 0).then(|| judged.open()).transpose()?;
    let words = told::words(search, contents.as_ref())?;
    Store::words(&search.out, &words)?;
    Ok(words)
}
