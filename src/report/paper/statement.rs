//! The statements of a paper: the claims that count, each with those that are part of it, and how many have which outcome.

use batchlab_traces::sorted::SortedMap;

use super::{ClaimId, Part};
use crate::report::claims::{Checked, Verdict, roots};

/// A claim of an experiment.
pub type PaperClaim<'a> = (&'a str, &'a Checked);

/// A statement of a paper.
#[derive(Clone, Debug)]
pub struct Statement<'a> {
    pub experiment: &'a str,
    pub claim: &'a Checked,
    /// The claims that stand below it, each with its experiment.
    pub parts: Vec<PaperClaim<'a>>,
}

/// Returns the claims of all experiments.
pub fn claims(parts: &[Part]) -> Vec<PaperClaim<'_>> {
    parts.iter().flat_map(|part| part.claims.iter().map(|claim| (part.name.as_str(), claim))).collect()
}

/// Returns the claim of a name.
pub fn find<'a>(id: &ClaimId, parts: &'a [Part]) -> Option<&'a Checked> {
    let part = parts.iter().find(|part| part.name == id.experiment)?;
    part.claims.iter().find(|claim| claim.name == id.claim)
}

/// Returns the statements, in the order of the experiments.
pub fn statements(parts: &[Part]) -> Vec<Statement<'_>> {
    let all = claims(parts);
    let own = |of: &str| {
        let part = parts.iter().find(|part| part.name == of);
        part.into_iter().flat_map(|part| part.claims.iter().map(|claim| claim.name.as_str()))
    };
    let parent = |&(experiment, claim): &PaperClaim<'_>| {
        let id = ClaimId::meant(claim.part_of.as_ref()?, experiment, own(experiment));
        all.iter().position(|(experiment, claim)| *experiment == id.experiment && claim.name == id.claim)
    };
    let parents: Vec<Option<usize>> = all.iter().map(parent).collect();
    let roots = roots(&parents);
    let statement = |at: usize| Statement {
        experiment: all[at].0,
        claim: all[at].1,
        parts: (0..all.len()).filter(|&of| of != at && roots[of] == at).map(|of| all[of]).collect(),
    };
    (0..all.len()).filter(|&at| roots[at] == at).map(statement).collect()
}

/// The outcomes of statements, of one and of several, in the order in which they are counted.
const OUTCOMES: [[&str; 2]; 9] = [
    ["holds", "hold"],
    ["holds under some readings", "hold under some readings"],
    ["as published on a substitute"; 2],
    ["not as published on a substitute"; 2],
    ["does not hold (cause found)", "do not hold (cause found)"],
    ["does not hold (no cause found)", "do not hold (no cause found)"],
    ["is not decided at this size", "are not decided at this size"],
    ["is open", "are open"],
    ["cannot be checked"; 2],
];

/// Returns how many statements have which outcome, as a sentence.
pub fn counted(parts: &[Part]) -> String {
    let statements = statements(parts);
    let mut counts: SortedMap<usize, usize> = SortedMap::new();
    for statement in &statements {
        *counts.entry(outcome(statement.claim)).or_default() += 1;
    }
    let words =
        |(at, &count): (&usize, &usize)| format!("{count} {}", OUTCOMES[*at][usize::from(count != 1)]);
    let words: Vec<String> = counts.iter().map(words).collect();
    let all = claims(parts).len();
    format!("Of {} statements ({all} claims) {}.", statements.len(), words.join(", "))
}

fn outcome(claim: &Checked) -> usize {
    let has_cause = claim.cause.as_ref().is_some_and(|cause| cause.found);
    match (claim.verdict, claim.substitute.is_some()) {
        (Verdict::Holds | Verdict::HoldsUnderSome, true) => 2,
        (Verdict::DoesNotHold, true) => 3,
        (Verdict::Holds, _) => 0,
        (Verdict::HoldsUnderSome, _) => 1,
        (Verdict::DoesNotHold, _) if has_cause => 4,
        (Verdict::DoesNotHold, _) => 5,
        (Verdict::NotDecided, _) => 6,
        (Verdict::Open, _) => 7,
        (Verdict::CannotBeChecked, _) => 8,
    }
}
