//! A candidate, and what was measured of it.

use super::evaluator::Evaluator;
use super::goal::Goal;
use super::score::UnitScore;
use super::space::Genome;
use super::split::UnitRole;

#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub spec: String,
    /// Its numbers of nodes and weights.
    pub size: usize,
    /// What was measured on units for fitting: on all of them if it went through the whole race.
    pub fit: CandidateScores,
    /// What was measured on units for choosing; empty if it was not among the best.
    pub choice: CandidateScores,
    pub(super) genome: Genome,
}

impl Candidate {
    pub(super) fn new(spec: String, genome: Genome, size: usize) -> Candidate {
        Candidate { spec, size, fit: CandidateScores::default(), choice: CandidateScores::default(), genome }
    }
}

/// The level of the margin by which constraints are kept.
const MARGIN: f64 = 0.95;

/// What is known of a candidate on some units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateScores {
    /// For each objective; `None` where no unit has a number.
    pub objectives: Vec<Option<UnitScore>>,
    /// For each constraint: a mean above 0 breaks it.
    pub constraints: Vec<Option<UnitScore>>,
}

impl CandidateScores {
    /// By how much it breaks its constraints, as shares of their bounds.
    pub fn broken(&self) -> f64 {
        self.constraints.iter().flatten().map(|score| score.mean.max(0.0)).sum()
    }

    /// By how much it may break them, by the upper ends of one-sided intervals at this level: what goes on to be chosen should keep
    /// them with a margin.
    pub(super) fn risk(&self) -> f64 {
        let risk = |score: &UnitScore| score.upper(MARGIN).unwrap_or(score.mean).max(0.0);
        self.constraints.iter().flatten().map(risk).sum()
    }

    /// Whether each constraint is shown to be kept at this level, one-sided.
    pub fn is_shown_to_keep(&self, level: f64) -> bool {
        self.constraints.iter().all(|score| {
            score
                .is_none_or(|score| score.mean <= 0.0 && score.upper(level).is_some_and(|upper| upper <= 0.0))
        })
    }

    pub(super) fn mean(&self, objective: usize) -> f64 {
        self.objectives.get(objective).copied().flatten().map_or(f64::INFINITY, |score| score.mean)
    }
}

pub(super) fn measured(evaluator: &Evaluator, goal: &Goal, spec: &str, units: &[usize]) -> CandidateScores {
    let score = |numbers: Vec<Option<f64>>| evaluator.score(units, &numbers);
    let objectives = goal
        .objectives
        .iter()
        .map(|objective| score(evaluator.numbers(spec, units, &|compared| objective.number(compared))))
        .collect();
    let constraints = goal
        .constraints
        .iter()
        .map(|constraint| score(evaluator.numbers(spec, units, &|compared| constraint.number(compared))))
        .collect();
    CandidateScores { objectives, constraints }
}

/// Replays a spec on the units of a role and returns what is measured.
///
/// # Errors
/// If a unit is kept for judging, or the spec cannot be replayed: why.
pub fn scores(
    evaluator: &Evaluator,
    goal: &Goal,
    spec: &str,
    role: UnitRole,
) -> Result<CandidateScores, String> {
    let units = evaluator.units(role);
    if units.is_empty() {
        return Err("units that judge are not replayed by a search".into());
    }
    let asked: Vec<(&str, usize)> = units.iter().map(|&unit| (spec, unit)).collect();
    evaluator.replay(&asked);
    match evaluator.failure_of(spec) {
        Some(failure) => Err(failure),
        None => Ok(measured(evaluator, goal, spec, &units)),
    }
}

/// Returns the differences of numbers where both are known.
pub(super) fn difference(a: &[Option<f64>], b: &[Option<f64>]) -> Vec<Option<f64>> {
    a.iter().zip(b).map(|(a, b)| Some((*a)? - (*b)?)).collect()
}
