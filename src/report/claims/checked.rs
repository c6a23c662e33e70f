//! What came of checking a claim.

use std::fmt;

use serde::Serialize;

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    DoesNotHold,
    /// The results do not tell.
    CannotBeChecked,
}

impl Verdict {
    /// Returns the verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotBeChecked => "cannot be checked",
        }
    }
}

/// One place at which a claim was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimPart {
    /// The place in words; empty where there is one only.
    pub place: String,
    /// What came of it there.
    pub verdict: Verdict,
    /// Why, in figures.
    pub reason: String,
}

/// Under how many readings a claim holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survival {
    /// The parameter whose values are the readings.
    pub over: String,
    /// The readings, each with what came of the claim under it alone.
    pub readings: Vec<(String, Verdict)>,
}

/// A claim with what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// What it says.
    pub says: String,
    /// Who said so.
    pub source: Option<String>,
    /// What came of it: it holds where it holds at all places, and does not where it does not at one.
    pub verdict: Verdict,
    /// Every place at which it was checked.
    pub parts: Vec<ClaimPart>,
    /// Under how many readings it holds, where there are several.
    pub survival: Option<Survival>,
}

/// Parts that are told of one claim; files for programs have all.
const TOLD: usize = 3;

impl Survival {
    /// Returns under how many readings the claim holds.
    pub fn holds(&self) -> usize {
        self.readings.iter().filter(|(_, verdict)| *verdict == Verdict::Holds).count()
    }
}

impl Checked {
    /// Returns what follows from all parts.
    pub fn verdict_of(parts: &[ClaimPart]) -> Verdict {
        let has = |verdict| parts.iter().any(|part| part.verdict == verdict);
        if has(Verdict::DoesNotHold) {
            Verdict::DoesNotHold
        } else if has(Verdict::CannotBeChecked) || parts.is_empty() {
            Verdict::CannotBeChecked
        } else {
            Verdict::Holds
        }
    }

    /// Returns the reasons of the verdict, one sentence each: those of the places that decided it, a few of them.
    pub fn reasons(&self) -> Vec<String> {
        let deciding: Vec<&ClaimPart> =
            self.parts.iter().filter(|part| part.verdict == self.verdict).collect();
        let sentence = |part: &&ClaimPart| match part.place.as_str() {
            "" => part.reason.clone(),
            place => format!("{place}: {}", part.reason),
        };
        let mut reasons: Vec<String> = deciding.iter().take(TOLD).map(sentence).collect();
        if deciding.len() > TOLD {
            reasons.push(format!("and so at {} more", deciding.len() - TOLD));
        }
        if self.parts.len() > deciding.len() {
            reasons.push(format!(
                "it {} at {} of {} places",
                self.verdict.words(),
                deciding.len(),
                self.parts.len()
            ));
        }
        if let Some(survival) = &self.survival {
            let (holds, all) = (survival.holds(), survival.readings.len());
            reasons.push(format!("holds under {holds} of {all} values of {}", survival.over));
        }
        reasons
    }
}

/// A line with the verdict, and indented ones with the reasons.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.verdict.words(), self.name, self.says)?;
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        self.reasons().iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}
