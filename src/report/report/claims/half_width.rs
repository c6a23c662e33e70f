//! How precise a measured number is.

use super::figure::{figures, percent};
use super::places::ClaimScope;
use super::{Allowed, ClaimPart, Expression, Measured, Verdict};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::Study;

/// A measured number, and how far the ends of its interval may be apart, halved.
#[derive(Clone, Debug)]
pub struct HalfWidth {
    pub expression: Expression,
    /// In the unit of the number, or as a share of it.
    pub most: Allowed,
}

impl HalfWidth {
    pub(super) fn check(&self, claim: &str, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let at = |place: &DesignPoint| {
            let words = self.expression.words(study.frame(), place);
            let unchecked = |why: String| ClaimPart::new(words.clone(), Verdict::CannotBeChecked, why);
            let value = match self.expression.values(place, study) {
                Ok(values) => self.expression.value(&values),
                Err(term) => return unchecked(format!("{} has no value", term.name)),
            };
            let interval = match self.expression.interval(claim, place, study) {
                Ok(interval) => interval,
                Err(why) => return unchecked(format!("there is no interval, as {why}")),
            };
            let measured = Measured { value, interval: Some([interval.low, interval.high]), draws: None };
            let half_width = (interval.high - interval.low) / 2.0;
            let share = half_width / value.abs();
            let (holds, found, most) = match self.most {
                Allowed::Absolute(most) => {
                    (half_width <= most, figures(&[half_width])[0].clone(), figures(&[most])[0].clone())
                }
                Allowed::Relative(most) => (share <= most, percent(share), percent(most)),
                Allowed::Interval | Allowed::Draw(_) => return unchecked("it has no limit".into()),
            };
            let verdict = if holds { Verdict::Holds } else { Verdict::DoesNotHold };
            let told = format!("{}: half of its interval is {found}, allowed {most}", measured.words());
            ClaimPart { measured: Some(measured), ..ClaimPart::new(words, verdict, told) }
        };
        self.expression.places(places).iter().map(at).collect()
    }
}
