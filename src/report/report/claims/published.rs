//! A measured number compared with a published one.

use super::draw;
use super::figure::{enough, figures, percent};
use super::places::ClaimScope;
use super::{ClaimPart, Expression, Measured, Verdict};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::Study;

/// A number that a measured one is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedNumber {
    pub value: f64,
    /// How it follows from numbers that are printed, if it is not one of them.
    pub formula: Option<String>,
    /// Whether the claim's author asserts it, as nothing was published.
    pub is_asserted: bool,
}

impl StatedNumber {
    /// Returns where it comes from, in a word.
    pub(super) fn origin(&self) -> &'static str {
        if self.is_asserted { "asserted" } else { "published" }
    }
}

/// A number that was published or is asserted, and how far the measured one may be from it.
#[derive(Clone, Debug)]
pub struct Published {
    /// The measured number: an expression over means of the results.
    pub expression: Expression,
    pub stated: StatedNumber,
    pub allowed: Allowed,
    /// Whether the whole interval of the measured number has to be within the deviation.
    pub shown: bool,
}

/// How far a measured number may be from a published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// An absolute difference, in the unit of the number.
    Absolute(f64),
    /// A difference as a share of the published number.
    Relative(f64),
    /// The published number must lie in the interval of the measured one.
    Interval,
    /// The published number is the mean of this number of runs, and must lie where further runs lie.
    Draw(u32),
}

impl Published {
    pub(super) fn check(&self, claim: &str, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let at = |place: &DesignPoint| {
            let (verdict, reason, measured) = self.at(claim, place, study);
            let place = self.expression.words(study.frame(), place);
            ClaimPart { measured, ..ClaimPart::new(place, verdict, reason) }
        };
        self.expression.places(places).iter().map(at).collect()
    }

    fn at(&self, claim: &str, place: &DesignPoint, study: &Study<'_>) -> (Verdict, String, Option<Measured>) {
        let values = match self.expression.values(place, study) {
            Ok(values) => values,
            Err(term) => return (Verdict::CannotBeChecked, format!("{} has no value", term.name), None),
        };
        let measured = self.expression.value(&values);
        if !measured.is_finite() {
            let told = self.expression.told(&values);
            let told = format!("{} is not a number: {told}", self.expression.text);
            return (Verdict::CannotBeChecked, told, None);
        }
        if let Allowed::Draw(runs) = self.allowed {
            let (verdict, told, measured) =
                draw::judge(&self.expression, measured, &self.stated, runs, place, study);
            return (verdict, told, Some(measured));
        }
        let interval = self.expression.interval(claim, place, study);
        let ends = interval.as_ref().ok().map(|of| [of.low, of.high]);
        let numbers =
            figures(&[[measured, self.stated.value].as_slice(), ends.as_slice().as_flattened()].concat());
        let origin = self.stated.origin();
        let told = match &numbers[..] {
            [measured, stated, low, high] => format!("{measured} [{low}, {high}] against {stated} {origin}"),
            _ => format!("{} against {} {origin}", numbers[0], numbers[1]),
        };
        let off = (measured - self.stated.value).abs();
        let decide = |holds| if holds { Verdict::Holds } else { Verdict::DoesNotHold };
        let (verdict, told) = match (self.allowed, &interval) {
            (Allowed::Absolute(most), _) => {
                let [off_words, most_words] = [off, most].map(|value| figures(&[value])[0].clone());
                (decide(off <= most), format!("{told}: {off_words} off, allowed {most_words}"))
            }
            (Allowed::Relative(most), _) => {
                let share = off / self.stated.value.abs();
                (decide(share <= most), format!("{told}: {} off, allowed {}", percent(share), percent(most)))
            }
            (_, Ok(interval)) => {
                let within = interval.contains(self.stated.value);
                let words = if within { "within" } else { "outside of" };
                (decide(within), format!("{told}: {words} the {} interval", percent(interval.level)))
            }
            (_, Err(why)) => (Verdict::CannotBeChecked, format!("{told}: there is no interval, as {why}")),
        };
        let measured = Some(Measured { value: measured, interval: ends, ..Measured::default() });
        let width = match self.allowed {
            Allowed::Absolute(most) => most,
            Allowed::Relative(most) => most * self.stated.value.abs(),
            Allowed::Interval | Allowed::Draw(_) => return (verdict, told, measured),
        };
        if !self.shown {
            return (verdict, told, measured);
        }
        match &interval {
            Err(why) => (Verdict::CannotBeChecked, format!("{told}; not shown, as {why}"), measured),
            Ok(interval) => {
                let limits = [self.stated.value - width, self.stated.value + width];
                let is_decided = match verdict {
                    Verdict::Holds => limits[0] <= interval.low && interval.high <= limits[1],
                    _ => interval.high < limits[0] || limits[1] < interval.low,
                };
                if is_decided {
                    return (verdict, told, measured);
                }
                let half_width = (interval.high - interval.low) / 2.0;
                let distance = (off - width).abs();
                let told = format!("{told}; {}", enough(interval.units, half_width, distance));
                (Verdict::Open, told, measured)
            }
        }
    }
}
