//! What a search found, and how it stands beside the policies of its file.

use std::path::PathBuf;

use crate::experiment::ExperimentPlan;
use crate::tune::{Candidate, CandidateScores, Found, Goal, Lean, TuneFile, Tuning, UnitRole};

/// What a search found, before it is judged.
pub struct SearchResult {
    /// The folder of the search.
    pub out: PathBuf,
    pub file: TuneFile,
    /// The name of the experiment, the label of its baseline, and the labels of its policies.
    pub name: String,
    pub baseline: String,
    pub policies: Vec<String>,
    /// The number of its workloads.
    pub workloads: usize,
    pub level: f64,
    pub seed: u64,
    pub goal: Goal,
    pub found: Found,
    pub standing: Vec<CandidateStanding>,
    pub leanings: Vec<Lean>,
    pub units: [usize; 2],
    /// Why candidates could not be replayed, of the first.
    pub failure: Option<String>,
    /// The experiment that judges, with the units that the search has not seen.
    pub judged: String,
}

/// What is told of a finalist or of a policy of the experiment: its ratios to the baseline on the units for fitting and choosing.
#[derive(Clone, Debug)]
pub struct CandidateStanding {
    pub label: String,
    pub spec: String,
    pub size: Option<usize>,
    /// For each objective.
    pub ratios: Vec<[Option<f64>; 2]>,
    pub is_kept: bool,
}

pub(super) fn standing(tuning: &Tuning<'_>, found: &Found) -> Vec<CandidateStanding> {
    let objectives = 0..tuning.goal.objectives.len();
    let ratios = |[fit, choice]: [&CandidateScores; 2]| {
        objectives.clone().map(|at| [tuning.ratio(fit, at), tuning.ratio(choice, at)]).collect()
    };
    let finalist = |(at, candidate): (usize, &Candidate)| CandidateStanding {
        label: (at + 1).to_string(),
        spec: candidate.spec.clone(),
        size: Some(candidate.size),
        ratios: ratios([&candidate.fit, &candidate.choice]),
        is_kept: candidate.choice.broken() == 0.0,
    };
    let policy = |policy: usize| {
        let [fit, choice] = [UnitRole::Fit, UnitRole::Choose].map(|part| tuning.of_policy(policy, part));
        let text = &tuning.evaluator.plan.experiment.policies[policy];
        CandidateStanding {
            label: text.label.clone(),
            spec: text.spec.clone(),
            size: None,
            ratios: ratios([&fit, &choice]),
            is_kept: choice.broken() == 0.0,
        }
    };
    let policies = 0..tuning.evaluator.plan.experiment.policies.len();
    found.finalists.iter().enumerate().map(finalist).chain(policies.map(policy)).collect()
}

pub(super) fn baseline(plan: &ExperimentPlan) -> &str {
    &plan.experiment.policies[plan.experiment.baseline.unwrap_or(0)].label
}

pub(super) fn label(goal: &Goal, plan: &ExperimentPlan) -> String {
    format!("{} relative to {}", goal.objectives[0].words, baseline(plan))
}
