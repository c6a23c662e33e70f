//! The specification of a claim.

use super::{Checked, ClaimPart, Expression, Order, Places, Published, Survival, Trend, Verdict};
use crate::study::Study;

/// A claim about the results of an experiment.
#[derive(Clone, Debug)]
pub struct ClaimSpec {
    /// Its name, for files and messages.
    pub name: String,
    /// The claim as a sentence.
    pub says: String,
    /// Its source: who made it, and where.
    pub source: Option<String>,
    /// The places at which it must hold.
    pub places: Places,
    /// The assertion.
    pub asserts: Assertion,
}

/// An assertion about the results.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// Policies are in a given order.
    Order(Order),
    /// A measure rises or falls with a parameter.
    Trend(Trend),
    /// A number agrees with a published one.
    Published(Published),
    /// A condition.
    Condition(Expression),
    /// Nothing that results could decide, for a reason given with the claim.
    Uncheckable(String),
}

impl Assertion {
    /// Whether the assertion takes the value of a parameter from the place at which it is checked.
    ///
    /// An expression fixes the parameter if each of its terms names a value; a trend over the parameter is
    /// about all of its values at once.
    fn is_open(&self, parameter: usize) -> bool {
        match self {
            Assertion::Order(_) => true,
            Assertion::Uncheckable(_) => false,
            Assertion::Trend(trend) => trend.parameter != parameter,
            Assertion::Published(Published { expression, .. }) | Assertion::Condition(expression) => {
                expression.terms.iter().any(|term| term.values[parameter].is_none())
            }
        }
    }
}

impl ClaimSpec {
    /// Checks the claim; `multiverse` is the parameter whose values are readings, if there is one.
    ///
    /// A claim that fixes this parameter says nothing about its other values, so it has no [`Survival`].
    pub fn check(&self, study: &Study<'_>, multiverse: Option<usize>) -> Checked {
        let parts = self.parts(&self.places, study);
        let is_open = |at: &usize| self.places.values[*at].len() > 1 && self.asserts.is_open(*at);
        let survival = multiverse.filter(is_open).map(|at| {
            let parameter = &study.frame().parameters[at];
            let under = |&value: &usize| {
                let parts = self.parts(&self.places.only(at, value), study);
                (parameter.values[value].clone(), Checked::verdict_of(&parts))
            };
            let readings: Vec<(String, Verdict)> = self.places.values[at].iter().map(under).collect();
            Survival { over: parameter.name.clone(), readings }
        });
        Checked {
            name: self.name.clone(),
            says: self.says.clone(),
            source: self.source.clone(),
            verdict: Checked::verdict_of(&parts),
            parts,
            survival,
        }
    }

    fn parts(&self, places: &Places, study: &Study<'_>) -> Vec<ClaimPart> {
        match &self.asserts {
            Assertion::Order(order) => order.check(places, study),
            Assertion::Trend(trend) => trend.check(places, study),
            Assertion::Published(published) => published.check(&self.name, places, study),
            Assertion::Condition(condition) => condition.check(places, study),
            Assertion::Uncheckable(why) => {
                let (place, reason) = (String::new(), why.clone());
                vec![ClaimPart { place, verdict: Verdict::CannotBeChecked, reason }]
            }
        }
    }
}
