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
    pub workloads: usize,
    pub level: f64,
    pub seed: u64,
    pub goal: Goal,
    pub found: Found,
    pub standing: Vec<CandidateStanding>,
    /// The front over sizes, the smallest first.
    pub sizes: Vec<CandidateStanding>,
    pub leanings: Vec<Lean>,
    pub units: [usize; 2],
    /// Why candidates could not be replayed, of the first.
    pub failure: Option<String>,
    /// The experiment that judges, with the units that the search has not seen.
    pub judged: String,
}

/// The row of a finalist or of a policy of the experiment: its ratios to the baseline on the units that fit and that choose.
#[derive(Clone, Debug)]
pub struct CandidateStanding {
    pub label: String,
    pub spec: String,
    pub size: Option<usize>,
    /// For each objective.
    pub ratios: Vec<[Option<f64>; 2]>,
    pub is_kept: bool,
}

/// Returns the rows of candidates, labelled from 1 on.
pub(super) fn rows<'a>(
    tuning: &Tuning<'_>,
    candidates: impl Iterator<Item = &'a Candidate>,
) -> Vec<CandidateStanding> {
    let row = |(at, candidate): (usize, &Candidate)| CandidateStanding {
        label: (at + 1).to_string(),
        spec: candidate.spec.clone(),
        size: Some(candidate.size),
        ratios: ratios(tuning, [&candidate.fit, &candidate.choice]),
        is_kept: candidate.choice.broken() == 0.0,
    };
    candidates.enumerate().map(row).collect()
}

fn ratios(tuning: &Tuning<'_>, [fit, choice]: [&CandidateScores; 2]) -> Vec<[Option<f64>; 2]> {
    (0..tuning.goal.objectives.len()).map(|at| [tuning.ratio(fit, at), tuning.ratio(choice, at)]).collect()
}

/// Returns the rows of the finalists and then those of the policies of the experiment.
pub(super) fn standing(tuning: &Tuning<'_>, found: &Found) -> Vec<CandidateStanding> {
    let policy = |policy: usize| {
        let [fit, choice] = [UnitRole::Fit, UnitRole::Choose].map(|part| tuning.of_policy(policy, part));
        let text = &tuning.evaluator.plan.experiment.policies[policy];
        CandidateStanding {
            label: text.label.clone(),
            spec: text.spec.clone(),
            size: None,
            ratios: ratios(tuning, [&fit, &choice]),
            is_kept: choice.broken() == 0.0,
        }
    };
    let policies = 0..tuning.evaluator.plan.experiment.policies.len();
    rows(tuning, found.finalists.iter()).into_iter().chain(policies.map(policy)).collect()
}

pub(super) fn baseline(plan: &ExperimentPlan) -> &str {
    &plan.experiment.policies[plan.experiment.baseline.unwrap_or(0)].label
}

pub(super) fn label(goal: &Goal, plan: &ExperimentPlan) -> String {
    format!("{} relative to {}", goal.objectives[0].words, baseline(plan))
}
