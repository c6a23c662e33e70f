//! The specification of a claim.

use super::{
    Checked, ClaimPart, ClaimScope, Expression, HalfWidth, Order, PartsHold, Published, Survival, TableCell,
    Trend, Verdict,
};
use batchlab_study::study::Study;
use batchlab_traces::located::values::Verbatim;

/// A claim about the results of an experiment.
#[derive(Clone, Debug)]
pub struct ClaimSpec {
    pub name: String,
    pub says: String,
    pub source: Option<String>,
    /// The statement that it is a part of, as of [`Checked`].
    pub part_of: Option<String>,
    /// The cell of the paper's table that has its number.
    pub cell: Option<TableCell>,
    pub places: ClaimScope,
    /// The assertion, in each form that a reader of the source may give it, with the form's name: empty if there is one only.
    pub forms: Vec<(String, Assertion)>,
    pub cause: Option<CauseSpec>,
}

/// Returns the words of a claim, with what it leaves out.
pub fn in_words(says: &str, left_out: Option<&Verbatim>) -> String {
    left_out.map_or_else(|| says.to_owned(), |of| format!("{says} (left out: {})", of.0))
}

/// A supposed cause: a condition that two readings differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseSpec {
    pub says: String,
    pub with: String,
    pub without: String,
}

/// An assertion about the results.
#[derive(Clone, Debug)]
pub enum Assertion {
    Order(Order),
    Trend(Trend),
    Published(Published),
    HalfWidth(HalfWidth),
    /// A condition, and whether it has to be shown.
    Condition(Expression, bool),
    PartsHold(PartsHold),
    /// Nothing that results could decide, for a reason given with the claim.
    Uncheckable(String),
}

impl Assertion {
    /// Whether the assertion takes the value of a parameter from the place at which it is checked. An expression fixes the
    /// parameter if each of its terms names a value; a trend over the parameter is about all of its values at once.
    fn is_open(&self, parameter: usize) -> bool {
        match self {
            Assertion::Order(_) => true,
            Assertion::Uncheckable(_) | Assertion::PartsHold(_) => false,
            Assertion::Trend(trend) => trend.parameter != parameter,
            Assertion::Published(Published { expression, .. })
            | Assertion::HalfWidth(HalfWidth { expression, .. })
            | Assertion::Condition(expression, _) => {
                expression.terms.iter().any(|term| term.values[parameter].is_none())
            }
        }
    }
}

impl ClaimSpec {
    /// Checks the claim by itself; `multiverse` is the parameter whose values are readings, if there is one.
    ///
    /// Under each reading it is a claim of its own: what has to be shown at its places is one family. A claim that fixes
    /// the parameter and has one form has no [`Survival`].
    pub fn check(&self, study: &Study<'_>, multiverse: Option<usize>) -> Checked {
        self.check_with(&[], study, multiverse)
    }

    /// Checks the claim when the claims that are part of it have been checked.
    pub(super) fn check_with(
        &self,
        parts: &[&Checked],
        study: &Study<'_>,
        multiverse: Option<usize>,
    ) -> Checked {
        let readings = self.readings(parts, study, multiverse);
        let verdicts = readings.iter().map(|(name, parts)| (name.clone(), Checked::verdict_of(parts)));
        let survival =
            self.over(parts, study, multiverse).map(|over| Survival { over, readings: verdicts.collect() });
        let parts: Vec<ClaimPart> = readings.into_iter().flat_map(|(_, parts)| parts).collect();
        let cause = self.cause.as_ref().zip(survival.as_ref());
        let stated = self.forms.first().and_then(|(_, asserts)| match asserts {
            Assertion::Published(published) => Some(&published.stated),
            _ => None,
        });
        let of = |is_asserted: bool| stated.filter(|of| of.is_asserted == is_asserted).map(|of| of.value);
        Checked {
            name: self.name.clone(),
            says: self.says.clone(),
            source: self.source.clone(),
            part_of: self.part_of.clone(),
            cell: self.cell.clone(),
            verdict: Checked::overall(&parts, survival.as_ref()),
            published: of(false),
            asserted: of(true),
            to: stated.and_then(|of| of.to),
            formula: stated.and_then(|of| of.formula.clone()),
            cause: cause.map(|(of, survival)| survival.cause(&of.says, &of.with, &of.without)),
            substitute: self.substitute(study),
            parts,
            survival,
        }
    }

    /// Returns the parameter of readings, if the claim takes its value from it: one about its parts, if one of them does.
    fn open(&self, parts: &[&Checked], study: &Study<'_>, multiverse: Option<usize>) -> Option<usize> {
        multiverse.filter(|&at| {
            let over = &study.frame().parameters[at].name;
            let is_of_part = |part: &&Checked| part.survival.as_ref().is_some_and(|of| of.over == *over);
            let is_open = |(_, asserts): &(String, Assertion)| match asserts {
                Assertion::PartsHold(_) => parts.iter().any(is_of_part),
                _ => asserts.is_open(at),
            };
            self.places.values[at].len() > 1 && self.forms.iter().any(is_open)
        })
    }

    /// Returns what the readings are called together; `None` if there is one only.
    fn over(&self, parts: &[&Checked], study: &Study<'_>, multiverse: Option<usize>) -> Option<String> {
        match self.open(parts, study, multiverse) {
            Some(at) => Some(study.frame().parameters[at].name.clone()),
            None => (self.forms.len() > 1).then(|| "formula".into()),
        }
    }

    /// Returns the places under each reading, with its name: a value of the parameter of readings, a form, or both.
    fn readings(
        &self,
        parts: &[&Checked],
        study: &Study<'_>,
        multiverse: Option<usize>,
    ) -> Vec<(String, Vec<ClaimPart>)> {
        let open = self.open(parts, study, multiverse);
        let judged = |form: &(String, Assertion), places: &ClaimScope, reading: Option<(&str, &str)>| {
            let name = reading.map_or("", |(_, name)| name);
            let name = [name, &form.0].into_iter().filter(|of| !of.is_empty()).collect::<Vec<_>>().join("; ");
            let of_parts = |share: PartsHold| vec![share.check(parts, reading)];
            let mut judged = self.parts(form, places, study, of_parts);
            for part in &mut judged {
                part.reading = (!name.is_empty()).then(|| name.clone());
            }
            (name, judged)
        };
        let of_form = |form: &(String, Assertion)| -> Vec<(String, Vec<ClaimPart>)> {
            let Some(at) = open else { return vec![judged(form, &self.places, None)] };
            let parameter = &study.frame().parameters[at];
            let reading = |&value: &usize| {
                let reading = (parameter.name.as_str(), parameter.values[value].as_str());
                judged(form, &self.places.only(at, value), Some(reading))
            };
            self.places.values[at].iter().map(reading).collect()
        };
        self.forms.iter().flat_map(of_form).collect()
    }

    /// Returns what its workloads stand in for, if one of them does.
    fn substitute(&self, study: &Study<'_>) -> Option<String> {
        let facts = &study.frame().workloads;
        let of_term = |asserts: &Assertion| match asserts {
            Assertion::Uncheckable(_) | Assertion::PartsHold(_) => Vec::new(),
            Assertion::Published(Published { expression, .. })
            | Assertion::HalfWidth(HalfWidth { expression, .. })
            | Assertion::Condition(expression, _)
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
        of_parts: impl FnOnce(PartsHold) -> Vec<ClaimPart>,
    ) -> Vec<ClaimPart> {
        let mut parts = match asserts {
            Assertion::Order(order) => order.check(places, study),
            Assertion::Trend(trend) => trend.check(places, study),
            Assertion::Published(published) => published.check(&self.name, places, study),
            Assertion::HalfWidth(precise) => precise.check(&self.name, places, study),
            Assertion::Condition(condition, shown) => condition.check(&self.name, *shown, places, study),
            Assertion::PartsHold(share) => of_parts(*share),
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
