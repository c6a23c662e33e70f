//! The names by which `paper.toml` and the experiments of a paper refer to claims.

use std::fmt;

use batchlab_traces::SourcePlace;
use batchlab_traces::nearest::{meant, nearest};

use super::StatedClaim;
use crate::report::claims::{NumberForm, SEPARATOR};
use batchlab_study::experiment::{ExperimentError, Section};

/// The name of a claim in a paper.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimId {
    pub experiment: String,
    pub claim: String,
}

/// A claim that a file refers to, with the place; without an experiment, a claim of any.
pub(super) type Reference = (SourcePlace, ClaimId);

/// The claims that the experiments of a paper state, by experiment.
pub type StatedClaims = [(String, Vec<StatedClaim>)];

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{SEPARATOR}{}", self.experiment, self.claim)
    }
}

impl ClaimId {
    /// Returns the claim of a name, EXPERIMENT/CLAIM.
    pub fn parse(name: &str) -> Option<ClaimId> {
        let (experiment, claim) = name.split_once(SEPARATOR)?;
        let id = ClaimId { experiment: experiment.into(), claim: claim.into() };
        (!experiment.is_empty() && !claim.is_empty()).then_some(id)
    }

    /// Returns the name in a pair of braces, and how its number is written: `{EXPERIMENT/CLAIM:interval}`, `{CLAIM:range}`.
    pub(super) fn in_braces(word: &str) -> (&str, NumberForm) {
        let form = |(suffix, form): (&str, NumberForm)| Some((word.strip_suffix(suffix)?, form));
        let forms = [(":interval", NumberForm::Interval), (":range", NumberForm::Range)];
        forms.into_iter().find_map(form).unwrap_or((word, NumberForm::Value))
    }

    /// Returns the claim that a name means in an experiment with claims of these names: one of its own, or EXPERIMENT/CLAIM.
    pub fn meant<'n>(name: &str, experiment: &str, mut own: impl Iterator<Item = &'n str>) -> ClaimId {
        let here = ClaimId { experiment: experiment.into(), claim: name.into() };
        if own.any(|own| own == name) { here } else { ClaimId::parse(name).unwrap_or(here) }
    }
}

/// Returns the claims that stand in braces in the text of a key: EXPERIMENT/CLAIM, or one word, which names a claim of any
/// experiment. Several words in braces are text.
pub(super) fn references<K>(section: &Section<'_, K>, key: &str, text: &str) -> Vec<Reference> {
    let place = section.place(key);
    let braced =
        text.split('{').skip(1).filter_map(|rest| Some(ClaimId::in_braces(rest.split_once('}')?.0).0));
    let of_any = |name: &str| {
        let is_word =
            !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || letter == ',');
        is_word.then(|| ClaimId { experiment: String::new(), claim: name.into() })
    };
    let id = |name: &str| ClaimId::parse(name).or_else(|| of_any(name));
    braced.filter_map(id).map(|id| (place.clone(), id)).collect()
}

/// Refuses references to claims that no experiment states, and claims that are part of such a claim or of themselves: at the first
/// one, with the nearest name.
pub(super) fn check(references: &[Reference], stated: &StatedClaims) -> Result<(), ExperimentError> {
    references.iter().try_for_each(|(place, id)| known(place, id, stated))?;
    for (experiment, claims) in stated {
        for claim in claims {
            let Some((part_of, place)) = &claim.part_of else { continue };
            let wrong = |what| Err(ExperimentError { place: place.clone(), what });
            let own = ClaimId { experiment: experiment.clone(), claim: claim.name.clone() };
            let parent = parent(&own, stated).unwrap_or_else(|| own.clone());
            if parent.experiment == *experiment && parent.claim != *part_of {
                return wrong(format!("part_of: it is of this experiment: write `{}`", parent.claim));
            }
            known(place, &parent, stated)?;
            let ancestors = std::iter::successors(Some(parent), |id| self::parent(id, stated));
            if ancestors.take(stated.iter().map(|(_, claims)| claims.len()).sum()).any(|id| id == own) {
                return wrong(format!("part_of: `{own}` would be a part of itself"));
            }
        }
    }
    Ok(())
}

/// Returns the claim that a claim is part of.
fn parent(of: &ClaimId, stated: &StatedClaims) -> Option<ClaimId> {
    let (experiment, claims) = stated.iter().find(|(experiment, _)| *experiment == of.experiment)?;
    let (part_of, _) = claims.iter().find(|claim| claim.name == of.claim)?.part_of.as_ref()?;
    Some(ClaimId::meant(part_of, experiment, claims.iter().map(|claim| claim.name.as_str())))
}

fn known(place: &SourcePlace, id: &ClaimId, stated: &StatedClaims) -> Result<(), ExperimentError> {
    if id.experiment.is_empty() {
        return known_to_any(place, &id.claim, stated);
    }
    let of_experiment = |(experiment, claims): &(String, Vec<StatedClaim>)| -> Vec<String> {
        claims.iter().map(|claim| format!("{experiment}{SEPARATOR}{}", claim.name)).collect()
    };
    let names: Vec<String> = stated.iter().flat_map(of_experiment).collect();
    let given = id.to_string();
    if names.contains(&given) {
        return Ok(());
    }
    let meant = meant(nearest(&given, names.iter().map(String::as_str)));
    let what = format!("there is no claim `{given}`{meant}; a claim is EXPERIMENT{SEPARATOR}NAME");
    Err(ExperimentError { place: place.clone(), what })
}

/// Refuses the name of a claim that no experiment states.
fn known_to_any(place: &SourcePlace, name: &str, stated: &StatedClaims) -> Result<(), ExperimentError> {
    let names = || stated.iter().flat_map(|(_, claims)| claims).map(|claim| claim.name.as_str());
    if names().any(|known| known == name) {
        return Ok(());
    }
    let meant = meant(nearest(name, names()));
    let what = format!(
        "`{{{name}}}` cannot be filled: no experiment states a claim `{name}`{meant}; in braces stands {{CLAIM}} or \
         {{EXPERIMENT{SEPARATOR}CLAIM}}"
    );
    Err(ExperimentError { place: place.clone(), what })
}
