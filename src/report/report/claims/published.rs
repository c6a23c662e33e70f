//! A measured number compared with a published one.

use super::draw;
use super::figure::{enough, figures, percent};
use super::places::ClaimScope;
use super::{ClaimPart, Expression, Measured, Verdict, as_published};
use batchlab_engine::stats::Interval;
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::Study;

/// A number, or a range, that a measured one is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedNumber {
    pub value: f64,
    /// The upper end of a range, of which `value` is the lower one.
    pub to: Option<f64>,
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

    /// Returns its lower and its upper end.
    fn ends(&self) -> [f64; 2] {
        [self.value, self.to.unwrap_or(self.value)]
    }

    /// Returns what of it is the nearest to a number.
    pub(super) fn nearest(&self, number: f64) -> f64 {
        number.max(self.value).min(self.ends()[1])
    }

    /// Whether an interval has a number in common with it.
    pub(super) fn meets(&self, [low, high]: [f64; 2]) -> bool {
        low <= self.ends()[1] && self.value <= high
    }

    /// Returns it with the digits that it has.
    pub(super) fn words(&self) -> String {
        let value = as_published(self.value);
        self.to.map_or(value.clone(), |to| format!("{value} to {}", as_published(to)))
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
        let nearest = self.stated.nearest(measured);
        let mut numbers = figures(&[[measured, nearest].as_slice(), ends.as_slice().as_flattened()].concat());
        if self.stated.to.is_some() {
            numbers[1] = self.stated.words();
        }
        let origin = self.stated.origin();
        let told = match &numbers[..] {
            [measured, stated, low, high] => format!("{measured} [{low}, {high}] against {stated} {origin}"),
            _ => format!("{} against {} {origin}", numbers[0], numbers[1]),
        };
        let off = (measured - nearest).abs();
        let decide = |holds| if holds { Verdict::Holds } else { Verdict::DoesNotHold };
        let (verdict, told) = match (self.allowed, &interval) {
            (Allowed::Absolute(_), _) if self.stated.to.is_some() => {
                let words = if off > 0.0 { "outside" } else { "within" };
                (decide(off <= 0.0), format!("{told}: {words}"))
            }
            (Allowed::Absolute(most), _) => {
                let [off_words, most_words] = [off, most].map(|value| figures(&[value])[0].clone());
                (decide(off <= most), format!("{told}: {off_words} off, allowed {most_words}"))
            }
            (Allowed::Relative(most), _) => {
                let share = off / nearest.abs();
                (decide(share <= most), format!("{told}: {} off, allowed {}", percent(share), percent(most)))
            }
            (_, Ok(interval)) => {
                let within = self.stated.meets([interval.low, interval.high]);
                let words = if within { "within" } else { "outside of" };
                (decide(within), format!("{told}: {words} the {} interval", percent(interval.level)))
            }
            (_, Err(why)) => (Verdict::CannotBeChecked, format!("{told}: there is no interval, as {why}")),
        };
        let width = match self.allowed {
            Allowed::Absolute(most) => Some(most),
            Allowed::Relative(most) => Some(most * nearest.abs()),
            Allowed::Interval | Allowed::Draw(_) => None,
        };
        let (verdict, told) = match width.filter(|_| self.shown) {
            Some(width) => self.by_interval(measured, width, interval, (verdict, told)),
            None => (verdict, told),
        };
        (verdict, told, Some(Measured { value: measured, interval: ends, ..Measured::default() }))
    }

    /// Judges by the whole interval of a number that may be off by a width; one that reaches over a limit leaves it open.
    fn by_interval(
        &self,
        measured: f64,
        width: f64,
        interval: Result<Interval, String>,
        (verdict, told): (Verdict, String),
    ) -> (Verdict, String) {
        let interval = match interval {
            Ok(interval) => interval,
            Err(why) => return (Verdict::CannotBeChecked, format!("{told}; not shown, as {why}")),
        };
        let limits = [self.stated.value - width, self.stated.ends()[1] + width];
        let is_decided = match verdict {
            Verdict::Holds => limits[0] <= interval.low && interval.high <= limits[1],
            _ => interval.high < limits[0] || limits[1] < interval.low,
        };
        if is_decided {
            return (verdict, told);
        }
        let half_width = (interval.high - interval.low) / 2.0;
        let distance = (measured - limits[0]).abs().min((measured - limits[1]).abs());
        (Verdict::Open, format!("{told}; {}", enough(interval.units, half_width, distance)))
    }
}
