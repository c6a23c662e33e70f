use std::fmt;

use super::law::Law;
use crate::finding::{Example, Findings, Refusal};
use crate::kinds;
use crate::number::grouped;
use crate::shape::settings::values::choices;

kinds! {
    CLAMPED: Note "shape-resource-clamped",
        "{amount that was|amounts that were} below the least or above the most",
        "put at the bound",
        "clip = \"redraw\" draws from the law cut at the bounds instead";
    ROUNDED: Note "shape-resource-rounded",
        "{amount that was|amounts that were} not a whole number of the unit",
        "rounded as `round` says",
        "a smaller unit, or a larger capacity for fractions of it, loses less";
    UNKNOWN: Note "shape-resource-unknown",
        "{amount that is|amounts that are} not finite",
        "written as unknown (-1)",
        "test fields that may be unknown, as in if(known(memory), memory, 0)";
}

/// The least and the greatest amount of a job, and the treatment of others.
#[derive(Clone, Copy, Debug)]
pub struct AmountRange {
    pub least: f64,
    pub most: f64,
    pub redraw: bool,
}

choices! {
    /// The rule by which amounts are rounded.
    pub Round: Nearest | Up | Down;
}

/// An amount before it is rounded, and whether a bound has moved it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub amount: f64,
    pub clamped: bool,
}

/// The largest amount of a column: sums over all jobs of a log fit in 64 bits.
const LARGEST: f64 = (1u64 << 52) as f64;

/// The least probability within the bounds for redrawing; below it, amounts are moved to the nearer bound.
const NOTHING: f64 = 1e-12;

impl AmountRange {
    /// Moves an amount within the bounds.
    pub fn clamp(self, amount: f64) -> Drawn {
        let most = self.most.min(LARGEST);
        let inside = amount.max(self.least).min(most);
        Drawn { amount: inside, clamped: inside != amount }
    }

    /// Draws from a law: u is uniform in (0, 1), and the value of the law is multiplied by `scale`.
    pub fn draw(self, law: &Law, u: f64, scale: f64) -> Drawn {
        if !self.redraw || scale <= 0.0 {
            return self.clamp(law.quantile(u) * scale);
        }
        // Redrawing until the value is inside is the same as drawing from the conditional distribution.
        let (before, _) = law.below_and_up_to(self.least / scale);
        let (_, up_to) = law.below_and_up_to(self.most / scale);
        if up_to - before < NOTHING {
            return self.clamp(law.quantile(u) * scale);
        }
        let inside = (before + u * (up_to - before)).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
        // Rounding may put a quantile outside in its last digit.
        let amount = (law.quantile(inside) * scale).max(self.least).min(self.most.min(LARGEST));
        Drawn { amount, clamped: false }
    }
}

impl Round {
    fn apply(self, amount: f64) -> f64 {
        match self {
            Round::Nearest => amount.round(),
            Round::Up => amount.ceil(),
            Round::Down => amount.floor(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdjustedCounts {
    pub clamped: u64,
    pub rounded: u64,
    pub unknown: u64,
}

impl AdjustedCounts {
    pub fn count(&mut self, drawn: Drawn, round: Round) -> i64 {
        let whole = round.apply(drawn.amount);
        self.clamped += u64::from(drawn.clamped);
        self.rounded += u64::from(whole != drawn.amount);
        whole as i64
    }

    /// Reports the counts as findings.
    pub fn report(self, findings: &mut Findings, columns: &[String]) -> Result<(), Refusal> {
        for (kind, count) in [(&CLAMPED, self.clamped), (&ROUNDED, self.rounded), (&UNKNOWN, self.unknown)] {
            findings.report_many(kind, count, || Example::of(columns.join(", ")))?;
        }
        Ok(())
    }
}

/// Writes ", 3 clamped, 1,204 rounded"; nothing if there were no adjustments.
impl fmt::Display for AdjustedCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, what) in [(self.clamped, "clamped"), (self.rounded, "rounded"), (self.unknown, "unknown")]
        {
            if count > 0 {
                write!(f, ", {} {what}", grouped(count))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_cut_at_its_bounds_is_the_law_drawn_until_it_is_inside() {
        let law = Law::Normal(0.5, 1.0);
        let cut = AmountRange { least: 0.0, most: 1.0, redraw: true };
        // Φ(-0.5) = 0.308538: the conditional median is that of the law.
        assert!((cut.draw(&law, 0.5, 1.0).amount - 0.5).abs() < 1e-12);
        for at in 1..100 {
            let drawn = cut.draw(&law, f64::from(at) / 100.0, 1.0);
            assert!((0.0..=1.0).contains(&drawn.amount) && !drawn.clamped);
        }
        let quarter = law.quantile(0.308_537_538_725_987 + 0.25 * 0.382_924_922_548_026);
        assert!((cut.draw(&law, 0.25, 1.0).amount - quarter).abs() < 1e-12);
        let clamped = AmountRange { redraw: false, ..cut }.draw(&law, 0.1, 1.0);
        assert_eq!(clamped, Drawn { amount: 0.0, clamped: true });
    }

    #[test]
    fn bounds_beyond_the_law_put_it_at_the_nearer_one() {
        let far = AmountRange { least: 10.0, most: 20.0, redraw: true };
        assert_eq!(far.draw(&Law::Uniform(0.0, 1.0), 0.3, 1.0), Drawn { amount: 10.0, clamped: true });
        assert!(!far.draw(&Law::Uniform(0.0, 1.0), 0.3, 15.0).clamped);
    }

    #[test]
    fn what_was_done_is_counted() {
        let mut tally = AdjustedCounts::default();
        let drawn = |amount, clamped| Drawn { amount, clamped };
        assert_eq!(tally.count(drawn(2.5, false), Round::Nearest), 3);
        assert_eq!(tally.count(drawn(2.1, false), Round::Up), 3);
        assert_eq!(tally.count(drawn(2.0, true), Round::Down), 2);
        assert_eq!(tally, AdjustedCounts { clamped: 1, rounded: 2, unknown: 0 });
        assert_eq!(tally.to_string(), ", 1 clamped, 2 rounded");
    }
}
