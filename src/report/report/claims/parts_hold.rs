//! A claim about the claims that are part of it: a share of them holds.

use super::figure::percent;
use super::{Checked, ClaimPart, Verdict};

/// At least a share of the decided claims that are part of this one holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartsHold {
    /// The least share, above 0 and up to 1.
    pub share: f64,
}

/// How many claims have each verdict.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    holds: usize,
    contradicted: usize,
    open: usize,
    unchecked: usize,
}

impl PartsHold {
    /// Judges the share of claims that hold, under one reading if there are several.
    pub(super) fn check(self, parts: &[&Checked], reading: Option<(&str, &str)>) -> ClaimPart {
        let counts = Counts::of(parts.iter().filter_map(|part| part.under(reading)));
        let place = reading.map_or_else(String::new, |(over, name)| format!("{over} = {name}"));
        let (verdict, reason) = self.judge(counts);
        let counted = Some(counts.words());
        ClaimPart { counted, ..ClaimPart::new(place, verdict, reason) }
    }

    fn judge(self, counts: Counts) -> (Verdict, String) {
        let Counts { holds, contradicted, open, unchecked } = counts;
        let decided = holds + contradicted;
        if decided + open + unchecked == 0 {
            return (Verdict::CannotBeChecked, "no claim of the experiment is part of it".into());
        }
        let needed = |of: usize| self.share * of as f64 - ROUNDING;
        let verdict = if decided + open == 0 {
            Verdict::CannotBeChecked
        } else if holds as f64 >= needed(decided + open) {
            Verdict::Holds
        } else if ((holds + open) as f64) < needed(decided + open) {
            Verdict::DoesNotHold
        } else {
            Verdict::Open
        };
        (verdict, format!("{}; at least {} are needed", counts.words(), percent(self.share)))
    }
}

impl Counts {
    fn of(verdicts: impl Iterator<Item = Verdict>) -> Counts {
        let mut counts = Counts::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Holds => counts.holds += 1,
                Verdict::DoesNotHold => counts.contradicted += 1,
                // What depends on a formula may be meant either way.
                Verdict::Open | Verdict::NotDecided | Verdict::HoldsUnderSome => counts.open += 1,
                Verdict::CannotBeChecked => counts.unchecked += 1,
            }
        }
        counts
    }

    fn words(self) -> String {
        let Counts { holds, contradicted, open, unchecked } = self;
        let also = [(open, "open"), (unchecked, "cannot be checked")];
        let also =
            also.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{holds} of {} hold{}", holds + contradicted, also.collect::<String>())
    }
}

/// The largest rounding error of a number of claims.
const ROUNDING: f64 = 1e-9;
