//! Whether the conclusions of a paper hold.

use super::statement::find;
use super::{PaperConclusion, Part};
use crate::report::claims::{Checked, Verdict};

/// The answer to the question whether a conclusion holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperAnswer {
    /// All of its claims hold.
    Yes,
    /// Some of its claims hold, or hold under some readings.
    Partly,
    /// None of its claims holds.
    No,
    /// A run of trial size speaks against one of its claims.
    NotDecided,
    /// None of its claims is decided.
    Open,
}

impl PaperAnswer {
    /// Returns the answer that follows from the verdicts on the claims.
    pub fn of(verdicts: &[Verdict]) -> PaperAnswer {
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        let (holds, some) = (count(Verdict::Holds), count(Verdict::HoldsUnderSome));
        match verdicts.len() {
            _ if count(Verdict::NotDecided) > 0 => PaperAnswer::NotDecided,
            all if holds == all && all > 0 => PaperAnswer::Yes,
            _ if holds + some > 0 => PaperAnswer::Partly,
            _ if count(Verdict::DoesNotHold) > 0 => PaperAnswer::No,
            _ => PaperAnswer::Open,
        }
    }

    /// Returns the answer in words.
    pub fn words(self) -> &'static str {
        match self {
            PaperAnswer::Yes => "yes",
            PaperAnswer::Partly => "partly",
            PaperAnswer::No => "no",
            PaperAnswer::NotDecided => Verdict::NotDecided.words(),
            PaperAnswer::Open => "open",
        }
    }
}

impl PaperConclusion {
    /// Returns the answer in words, with how many of several claims hold.
    pub fn answer(&self, parts: &[Part]) -> String {
        let claims: Vec<&Checked> = self.claims.iter().filter_map(|id| find(id, parts)).collect();
        let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
        let answer = PaperAnswer::of(&verdicts).words();
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        let counted = [
            (count(Verdict::HoldsUnderSome), "under some readings"),
            (count(Verdict::Open), "open"),
            (count(Verdict::CannotBeChecked), "not checked"),
        ];
        let also =
            counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        let on_substitute = claims.iter().any(|claim| claim.substitute.is_some());
        let substitute = if on_substitute { ", on a substitute" } else { "" };
        match verdicts.len() {
            1 => format!(
                "{answer}{}{substitute}",
                if count(Verdict::HoldsUnderSome) > 0 { ": under some readings" } else { "" }
            ),
            all => {
                let holds = count(Verdict::Holds);
                format!("{answer}: {holds} of {all} claims hold{}{substitute}", also.collect::<String>())
            }
        }
    }
}
