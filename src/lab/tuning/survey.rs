//! The file of a search, read and checked.

use std::fmt::Write as _;

use batchlab_traces::number::{counted, grouped};

use crate::experiment::{Experiment, ExperimentError, ExperimentPlan, Measure, PlanError};
use crate::lab::Failure;
use crate::lab::experiments::workloads;
use crate::report::Declared;
use crate::tune::{Goal, Pool, Split, TuneFile, UnitRole, measures_of};

/// Reads a file as an experiment and as what is searched; all errors at once.
pub(super) fn read(text: &str, name: &str) -> Result<(TuneFile, Experiment), Failure> {
    let names = workloads::names();
    let (file, experiment) = (TuneFile::read(text, name), Experiment::read(text, name, &names));
    let keys = Declared::check_keys(text, name).err();
    let errors =
        file.as_ref().err().cloned().into_iter().chain(experiment.as_ref().err().cloned()).chain(keys);
    if let Some(errors) = ExperimentError::all(errors) {
        return Err(usage(errors));
    }
    let Some(file) = file.map_err(usage)? else {
        let what = format!("{name} has no [tune]: `batchlab list sections tune` says what is searched");
        return Err(Failure::Usage(what));
    };
    Ok((file, experiment.map_err(usage)?))
}

/// Returns an experiment that measures what the search needs and nothing else: replays of a search are many.
pub(super) fn with_measures(mut experiment: Experiment, file: &TuneFile) -> Experiment {
    let constraints = file.keys.constraints.iter().flat_map(|texts| &texts.0);
    let mut metrics: Vec<String> = Vec::new();
    let mut has_class = false;
    for key in file.keys.objective.0.iter().chain(constraints).flat_map(|text| measures_of(text)) {
        let (metric, class) =
            key.split_once('@').map_or((key.as_str(), None), |(metric, class)| (metric, Some(class)));
        has_class |= class.is_some();
        // A metric of one's own stands in [measure] with its definition.
        let own = experiment.measure.metrics.iter().find(|known| known.split('=').next() == Some(metric));
        let metric = own.cloned().unwrap_or_else(|| metric.to_owned());
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    experiment.measure.metrics = metrics;
    experiment.measure = experiment.measure.placed_at(&file.place);
    if !has_class {
        experiment.measure.classes.clear();
    }
    experiment
}

pub(super) fn goal(file: &TuneFile, plan: &ExperimentPlan) -> Result<Goal, ExperimentError> {
    let measures: Vec<_> = plan.measures.iter().map(|(_, measure)| measure.clone()).collect();
    let labels: Vec<String> = plan.experiment.policies.iter().map(|policy| policy.label.clone()).collect();
    goal_of(file, &measures, &labels)
}

pub(super) fn goal_of(
    file: &TuneFile,
    measures: &[Measure],
    policies: &[String],
) -> Result<Goal, ExperimentError> {
    let pool = file.keys.pool.map(|pool| pool == Pool::Geometric);
    let constraints = file.keys.constraints.as_ref().map_or(&[][..], |texts| &texts.0);
    Goal::read((&file.keys.objective.0, pool), constraints, measures, policies)
        .map_err(|error| file.wrong(error))
}

/// Returns the numbers of the units of each workload, at its first point.
pub(super) fn units_of(plan: &ExperimentPlan, workload: usize) -> Vec<u32> {
    let mut units: Vec<u32> =
        plan.entries.iter().filter(|entry| entry.workload == workload).map(|entry| entry.unit).collect();
    units.sort_unstable();
    units.dedup();
    units
}

pub(super) fn check(file: &TuneFile, plan: &ExperimentPlan) -> Result<(), Failure> {
    let judges = file.judges();
    let names = || plan.workloads.iter().map(|workload| workload.name.as_str());
    if let Some(unknown) = judges.iter().find(|judge| names().all(|name| name != judge.as_str())) {
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(usage(file.wrong(format!("judges: no workload is `{unknown}`; workloads are {known}"))));
    }
    if names().all(|name| judges.iter().any(|judge| judge == name)) {
        return Err(usage(file.wrong("judges: no workload is left for the search")));
    }
    if plan.experiment.policy(file.label()).is_some() {
        let what = format!("label: a policy of the experiment is `{}` already", file.label());
        return Err(usage(file.wrong(what)));
    }
    for (at, workload) in plan.workloads.iter().enumerate() {
        let units = units_of(plan, at).len();
        if units < Split::LEAST && !judges.contains(&workload.name) {
            let what = format!(
                "workload {} has {}, and a search divides at least {} into those that fit, choose and judge: cut its log by \
                 `windows`, or give a model `replications`",
                workload.name,
                counted(units as u64, "unit"),
                Split::LEAST
            );
            return Err(usage(file.wrong(what)));
        }
    }
    Ok(())
}

pub(super) fn planned(file: &TuneFile, plan: &ExperimentPlan) -> String {
    let judges = file.judges();
    let space = &file.space;
    let islands = if file.islands > 1 {
        format!(" on {} islands", grouped(file.islands as u64))
    } else {
        String::new()
    };
    let mut words = format!(
        "{}: {} by {}{islands} in {} of {}\n",
        plan.experiment.name,
        file.budget.words(),
        file.search.word(),
        counted(space.dimensions() as u64, "dimension"),
        file.keys.spec.0
    );
    for (at, workload) in plan.workloads.iter().enumerate() {
        let units = units_of(plan, at);
        let judging = || vec![UnitRole::Judge; units.len()];
        let is_judge = judges.contains(&workload.name);
        let parts = if is_judge { judging() } else { file.split.roles(units.len()) };
        let count = |part: UnitRole| parts.iter().filter(|one| **one == part).count();
        let _ = writeln!(
            words,
            "  {}: {} to fit, {} to choose, {} to judge",
            workload.name,
            count(UnitRole::Fit),
            count(UnitRole::Choose),
            count(UnitRole::Judge)
        );
    }
    words
}

pub(super) fn usage(error: ExperimentError) -> Failure {
    Failure::from(PlanError::from(error))
}
