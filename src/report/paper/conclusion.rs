//! The main conclusions of a paper.

use batchlab_traces::located::values::{Text, Texts};
use serde::Deserialize;

use super::named::{ClaimId, Reference, references};
use batchlab_study::experiment::{ExperimentError, Section};

/// A main conclusion of a paper.
#[derive(Clone, Debug)]
pub struct PaperConclusion {
    /// The conclusion, in the paper's sense.
    pub says: String,
    /// Where the paper draws it.
    pub source: Option<String>,
    /// The claims that decide it.
    pub claims: Vec<ClaimId>,
    /// A number for it; `{EXPERIMENT/CLAIM}` stands for what was measured for a claim.
    pub number: Option<String>,
    /// Under what it holds, in one line.
    pub condition: Option<String>,
    /// The same in full, which the page folds.
    pub in_full: Option<String>,
}

#[derive(Deserialize)]
struct ConclusionKeys {
    says: Text,
    source: Option<Text>,
    claims: Texts,
    number: Option<Text>,
    condition: Option<Text>,
    in_full: Option<Text>,
}

impl PaperConclusion {
    /// Reads a `[[conclusion]]`; appends the claims that it refers to.
    pub(super) fn read(
        section: &Section<'_>,
        refers: &mut Vec<Reference>,
    ) -> Result<PaperConclusion, ExperimentError> {
        let section: Section<'_, ConclusionKeys> = section.read()?;
        let keys = &section.keys;
        let id = |name: &String| {
            ClaimId::parse(name)
                .ok_or_else(|| section.wrong("claims", &format!("claims: `{name}` is not EXPERIMENT/CLAIM")))
        };
        let claims = keys.claims.0.iter().map(id).collect::<Result<Vec<ClaimId>, _>>()?;
        refers.extend(claims.iter().map(|claim| (section.place("claims"), claim.clone())));
        let texts = [("number", &keys.number), ("condition", &keys.condition), ("in_full", &keys.in_full)];
        for (key, text) in texts {
            refers.extend(text.iter().flat_map(|text| references(&section, key, &text.0)));
        }
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.0.clone());
        Ok(PaperConclusion {
            says: keys.says.0.clone(),
            source: text(&keys.source),
            number: text(&keys.number),
            condition: text(&keys.condition),
            in_full: text(&keys.in_full),
            claims,
        })
    }
}
