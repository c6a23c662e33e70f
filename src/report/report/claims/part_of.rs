//! Claims that are part of others: controls, cells of a table, repeats. One statement counts, and its parts stand below it.

use batchlab_traces::arrange::Arrange as _;

use super::read::ClaimSection;
use super::{Checked, ClaimSpec};
use batchlab_study::experiment::ExperimentError;
use batchlab_study::study::Study;

/// Separates the experiment from the claim in the name of a claim of another experiment.
pub const SEPARATOR: char = '/';

/// Checks all claims, those that are part of others first; returns them in their order.
pub fn check_all(specs: &[ClaimSpec], study: &Study<'_>, multiverse: Option<usize>) -> Vec<Checked> {
    let mut checked: Vec<Option<Checked>> = specs.iter().map(|_| None).collect();
    let mut order: Vec<usize> = (0..specs.len()).collect();
    order.arrange_by_key(|&at| std::cmp::Reverse(ancestors(at, specs).len()));
    for at in order {
        let is_part = |part: &&Checked| part.part_of.as_ref() == Some(&specs[at].name);
        let parts: Vec<&Checked> = checked.iter().flatten().filter(is_part).collect();
        let judged = specs[at].check_with(&parts, study, multiverse);
        checked[at] = Some(judged);
    }
    checked.into_iter().flatten().collect()
}

/// Returns the statement that each claim stands below: itself, or the last of the claims that it is part of.
pub fn roots(parents: &[Option<usize>]) -> Vec<usize> {
    let root = |at: usize| {
        let ancestors = std::iter::successors(Some(at), |&at| parents[at]);
        ancestors.take(parents.len() + 1).last().unwrap_or(at)
    };
    (0..parents.len()).map(root).collect()
}

/// Returns the statements among the claims of an experiment, each with the claims that stand below it.
pub fn statements(claims: &[Checked]) -> Vec<(&Checked, Vec<&Checked>)> {
    let parent = |claim: &Checked| {
        let parent = claim.part_of.as_ref()?;
        claims.iter().position(|of| of.name == *parent)
    };
    let parents: Vec<Option<usize>> = claims.iter().map(parent).collect();
    let roots = roots(&parents);
    let below = |of: usize| {
        (0..claims.len()).filter(|&at| at != of && roots[at] == of).map(|at| &claims[at]).collect()
    };
    (0..claims.len()).filter(|&at| roots[at] == at).map(|at| (&claims[at], below(at))).collect()
}

/// Refuses a claim that is part of a claim that does not exist, or of itself; claims of other experiments are known to the paper
/// only.
pub(super) fn check_parents(
    specs: &[ClaimSpec],
    sections: &[ClaimSection<'_>],
) -> Result<(), ExperimentError> {
    for (at, (spec, section)) in specs.iter().zip(sections).enumerate() {
        let Some(parent) = &spec.part_of else { continue };
        let key = section.key("part_of");
        let names = || specs.iter().map(|spec| spec.name.as_str());
        match parent.split_once(SEPARATOR) {
            _ if names().any(|name| name == parent) => {}
            Some((experiment, claim)) if !experiment.is_empty() && !claim.is_empty() => {}
            Some(_) => return Err(key.wrong("part_of: a claim of another experiment is EXPERIMENT/NAME")),
            None => return Err(key.unknown(parent, names())),
        }
        if ancestors(at, specs).contains(&at) {
            return Err(key.wrong(&format!("part_of: `{}` would be a part of itself", spec.name)));
        }
    }
    Ok(())
}

/// Returns the claims of the same experiment that a claim is part of, the nearest first; it ends where they repeat.
fn ancestors(at: usize, specs: &[ClaimSpec]) -> Vec<usize> {
    let parent = |&at: &usize| {
        let name = specs[at].part_of.as_ref()?;
        specs.iter().position(|spec| spec.name == *name)
    };
    std::iter::successors(parent(&at), parent).take(specs.len()).collect()
}
