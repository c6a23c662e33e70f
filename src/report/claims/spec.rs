//! The specification of a claim.

use super::{Checked, ClaimPart, ClaimScope, Expression, Order, Published, Survival, Trend, Verdict};
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
    pub places: ClaimScope,
    /// The assertion, in each form that a reader of the source may give it, with the form's name: empty if there is
    /// only one.
    pub forms: Vec<(String, Assertion)>,
    /// What decides whether it holds, as the author of the experiment supposes.
    pub cause: Option<CauseSpec>,
}

/// A supposed cause: a condition that two readings differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseSpec {
    /// The condition, in words.
    pub says: String,
    /// The reading under which the claim holds.
    pub with: String,
    /// The reading under which it does not hold.
    pub without: String,
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
    /// A condition, and whether it has to be shown.
    Condition(Expression, bool),
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
            Assertion::Published(Published { expression, .. }) | Assertion::Condition(expression, _) => {
                expression.terms.iter().any(|term| term.values[parameter].is_none())
            }
        }
    }
}

impl ClaimSpec {
    /// Checks the claim; `multiverse` is the parameter whose values are readings, if there is one.
    ///
    /// Under each reading it is a claim of its own: what has to be shown at its places is one family. A claim that fixes
    /// the parameter and has one form has no [`Survival`].
    pub fn check(&self, study: &Study<'_>, multiverse: Option<usize>) -> Checked {
        let readings = self.readings(study, multiverse);
        let verdicts = readings.iter().map(|(name, parts)| (name.clone(), Checked::verdict_of(parts)));
        let survival =
            self.over(study, multiverse).map(|over| Survival { over, readings: verdicts.collect() });
        let parts: Vec<ClaimPart> = readings.into_iter().flat_map(|(_, parts)| parts).collect();
        let cause = self.cause.as_ref().zip(survival.as_ref());
        let published = self.forms.first().and_then(|(_, asserts)| match asserts {
            Assertion::Published(published) => Some(published.value),
            _ => None,
        });
        Checked {
            name: self.name.clone(),
            says: self.says.clone(),
            source: self.source.clone(),
            verdict: Checked::overall(&parts, survival.as_ref()),
            published,
            cause: cause.map(|(of, survival)| survival.cause(&of.says, &of.with, &of.without)),
            substitute: self.substitute(study),
            parts,
            survival,
        }
    }

    /// Returns the parameter of readings, if the claim takes its value from it.
    fn open(&self, multiverse: Option<usize>) -> Option<usize> {
        multiverse.filter(|at| {
            self.places.values[*at].len() > 1 && self.forms.iter().any(|(_, asserts)| asserts.is_open(*at))
        })
    }

    /// Returns what the readings are called together; `None` if there is one only.
    fn over(&self, study: &Study<'_>, multiverse: Option<usize>) -> Option<String> {
        match self.open(multiverse) {
            Some(at) => Some(study.frame().parameters[at].name.clone()),
            None => (self.forms.len() > 1).then(|| "formula".into()),
        }
    }

    /// Returns the places under each reading, with its name: a value of the parameter of readings, a form, or both.
    fn readings(&self, study: &Study<'_>, multiverse: Option<usize>) -> Vec<(String, Vec<ClaimPart>)> {
        let open = self.open(multiverse);
        let of_form = |form: &(String, Assertion)| -> Vec<(String, Vec<ClaimPart>)> {
            let Some(at) = open else { return vec![(form.0.clone(), self.parts(form, &self.places, study))] };
            let reading = |&value: &usize| {
                let name = &study.frame().parameters[at].values[value];
                let name = if form.0.is_empty() { name.clone() } else { format!("{name}; {}", form.0) };
                (name, self.parts(form, &self.places.only(at, value), study))
            };
            self.places.values[at].iter().map(reading).collect()
        };
        self.forms.iter().flat_map(of_form).collect()
    }

    /// Returns what its workloads stand in for, if one of them does.
    fn substitute(&self, study: &Study<'_>) -> Option<String> {
        let facts = &study.frame().workloads;
        let of_term = |asserts: &Assertion| match asserts {
            Assertion::Uncheckable(_) => Vec::new(),
            Assertion::Published(Published { expression, .. }) | Assertion::Condition(expression, _)
                if expression.terms.iter().all(|term| term.workload.is_some()) =>
            {
                expression.terms.iter().filter_map(|term| term.workload).collect()
            }
            _ => self.places.workloads.clone(),
        };
        let workloads = self.forms.iter().flat_map(|(_, asserts)| of_term(asserts));
        workloads.into_iter().find_map(|at| facts[at].substitute.clone())
    }

    fn parts(
        &self,
        (form, asserts): &(String, Assertion),
        places: &ClaimScope,
        study: &Study<'_>,
    ) -> Vec<ClaimPart> {
        let mut parts = match asserts {
            Assertion::Order(order) => order.check(places, study),
            Assertion::Trend(trend) => trend.check(places, study),
            Assertion::Published(published) => published.check(&self.name, places, study),
            Assertion::Condition(condition, shown) => condition.check(&self.name, *shown, places, study),
            Assertion::Uncheckable(why) => {
                vec![ClaimPart::new(String::new(), Verdict::CannotBeChecked, why.clone())]
            }
        };
        if !form.is_empty() {
            for part in &mut parts {
                let place = std::mem::take(&mut part.place);
                part.place = if place.is_empty() { form.clone() } else { format!("{place}, {form}") };
            }
        }
        parts
    }
}
