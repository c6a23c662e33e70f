//! The result of checking a claim.

use std::fmt;

use serde::Serialize;

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds.
    Holds,
    /// The claim does not hold.
    DoesNotHold,
    /// The results cannot decide it.
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
    /// The place in words; empty if there is only one.
    pub place: String,
    /// The verdict at this place.
    pub verdict: Verdict,
    /// The reason, in figures.
    pub reason: String,
}

/// The readings under which a claim holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survival {
    /// The parameter whose values are the readings.
    pub over: String,
    /// The readings, each with the verdict on the claim under that reading alone.
    pub readings: Vec<(String, Verdict)>,
}

/// A checked claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// What it claims.
    pub says: String,
    /// Its source.
    pub source: Option<String>,
    /// The verdict: the claim holds if it holds at all places, and does not hold if it fails at one.
    pub verdict: Verdict,
    /// Every place at which it was checked.
    pub parts: Vec<ClaimPart>,
    /// The readings under which it holds, if there are several readings.
    pub survival: Option<Survival>,
}

/// The most places whose reasons are listed for one claim; files for programs list all of them.
const TOLD: usize = 3;

impl Survival {
    /// Returns the number of readings under which the claim holds.
    pub fn holds(&self) -> usize {
        self.readings.iter().filter(|(_, verdict)| *verdict == Verdict::Holds).count()
    }
}

impl Checked {
    /// Returns the verdict that follows from all parts.
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

    /// Returns the reasons for the verdict, one sentence each: those of the first few places that decided it.
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

/// Prints one line with the verdict and an indented line for each reason.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.verdict.words(), self.name, self.says)?;
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        self.reasons().iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}
