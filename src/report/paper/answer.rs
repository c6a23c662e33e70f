//! Whether the conclusions of a paper hold.

use super::statement::find;
use super::{Made, PaperConclusion, Part};
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
    /// Returns the answer, and how many of several claims hold; a quick run answers neither no nor partly.
    pub fn answer(&self, parts: &[Part], made: &Made) -> String {
        let claims: Vec<&Checked> = self.claims.iter().filter_map(|id| find(id, parts)).collect();
        let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
        let answer = match PaperAnswer::of(&verdicts) {
            PaperAnswer::Partly | PaperAnswer::No if made.is_quick => PaperAnswer::NotDecided,
            answer => answer,
        };
        let on_substitute = claims.iter().any(|claim| claim.substitute.is_some());
        let also = on_substitute.then(|| "on a substitute".to_owned());
        let words = std::iter::once(answer.words().to_owned()).chain(counted(&verdicts)).chain(also);
        words.collect::<Vec<_>>().join(", ")
    }
}

/// Returns how many of several claims hold, and what is said of the others.
fn counted(verdicts: &[Verdict]) -> Vec<String> {
    let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let some = "under some readings";
    if verdicts.len() == 1 {
        return (count(Verdict::HoldsUnderSome) > 0).then(|| some.to_owned()).into_iter().collect();
    }
    let others = [
        (count(Verdict::HoldsUnderSome), some),
        (count(Verdict::Open), "open"),
        (count(Verdict::CannotBeChecked), "not checked"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let holds = format!("{} of {} claims hold", count(Verdict::Holds), verdicts.len());
    std::iter::once(holds).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_claims_hold_or_some_or_none() {
        use Verdict::{CannotBeChecked, DoesNotHold, Holds, HoldsUnderSome, NotDecided, Open};
        for (verdicts, answer, words) in [
            (&[Holds][..], "yes", ""),
            (&[Holds, Holds], "yes", "2 of 2 claims hold"),
            (&[Holds, DoesNotHold], "partly", "1 of 2 claims hold"),
            (&[Holds, Open], "partly", "1 of 2 claims hold, 1 open"),
            (&[HoldsUnderSome], "partly", "under some readings"),
            (&[DoesNotHold, DoesNotHold], "no", "0 of 2 claims hold"),
            (&[DoesNotHold, CannotBeChecked], "no", "0 of 2 claims hold, 1 not checked"),
            (&[Open, CannotBeChecked], "open", "0 of 2 claims hold, 1 open, 1 not checked"),
            (&[Holds, NotDecided], "not decided at this size", "1 of 2 claims hold"),
            (&[], "open", "0 of 0 claims hold"),
        ] {
            let found = (PaperAnswer::of(verdicts).words(), counted(verdicts).join(", "));
            assert_eq!(found, (answer, words.to_owned()));
        }
    }
}
