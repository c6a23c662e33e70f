//! Expressions over values of the results.

use std::cell::RefCell;
use std::ops::Range;

use batchlab_traces::expr::{ExprType, FieldId, Program, Rows, Scratch};
use batchlab_traces::seed;
use batchlab_traces::sorted::SortedMap;

use super::figure::{enough, figures, percent};
use super::places::{ClaimScope, Dimension, words};
use super::{ClaimPart, Verdict};
use batchlab_engine::stats::bootstrap::{RESAMPLES, bca, deviate, mean_of, share};
use batchlab_engine::stats::{Interval, NoInterval};
use batchlab_study::experiment::{DesignPoint, Frame};
use batchlab_study::study::{Pool, Reason, Study};

/// One value of the results under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: String,
    pub policy: usize,
    pub measure: usize,
    /// The workload, by position; `None` means the workload of the place at which the claim is checked.
    pub workload: Option<usize>,
    /// The value of each parameter, by position; `None` means the value at that place.
    pub values: Vec<Option<usize>>,
}

/// An expression over terms.
#[derive(Clone, Debug)]
pub struct Expression {
    pub text: String,
    pub terms: Vec<Term>,
    /// How units make the number that each name stands for.
    pub pool: Pool,
    pub(super) program: Program,
}

impl Term {
    /// Returns the design point of the term when the claim is checked at a place.
    pub(super) fn design_point(&self, place: &DesignPoint) -> DesignPoint {
        let point = self.values.iter().zip(&place.point).map(|(own, &other)| own.unwrap_or(other)).collect();
        DesignPoint { workload: self.workload.unwrap_or(place.workload), point }
    }
}

impl Expression {
    /// Returns the places at which the terms differ: one place for all that refer to the same values.
    pub(super) fn places(&self, places: &ClaimScope) -> Vec<DesignPoint> {
        let mut known = Vec::new();
        let is_new = |place: &DesignPoint| {
            let design_points = self.design_points(place);
            let is_new = !known.contains(&design_points);
            known.push(design_points);
            is_new
        };
        places.design_points().into_iter().filter(is_new).collect()
    }

    fn design_points(&self, place: &DesignPoint) -> Vec<DesignPoint> {
        self.terms.iter().map(|term| term.design_point(place)).collect()
    }

    /// Returns the value of each term at a place; the error is the first term without a value.
    pub(super) fn values(&self, place: &DesignPoint, study: &Study<'_>) -> Result<Vec<f64>, &Term> {
        let value = |term: &Term| {
            self.pool.estimate(study, &term.design_point(place), term.policy, term.measure).value
        };
        self.terms.iter().map(|term| value(term).ok_or(term)).collect()
    }

    /// Whether it is a condition rather than a number.
    pub fn is_condition(&self) -> bool {
        self.program.kind() == ExprType::Condition
    }

    /// Returns the value of the expression; 1 or 0 for a condition.
    pub(super) fn value(&self, terms: &[f64]) -> f64 {
        self.program.numbers(&Numbers(terms))[0]
    }

    /// Checks a condition. With `shown` it has to be true, or false, in nearly all resamples of the units.
    pub(super) fn check(
        &self,
        claim: &str,
        shown: bool,
        places: &ClaimScope,
        study: &Study<'_>,
    ) -> Vec<ClaimPart> {
        let frame = study.frame();
        let at = |place: &DesignPoint| {
            let part = |verdict, reason| ClaimPart::new(self.words(frame, place), verdict, reason);
            let values = match self.values(place, study) {
                Err(term) => return part(Verdict::CannotBeChecked, format!("{} has no value", term.name)),
                Ok(values) => values,
            };
            let holds = self.value(&values) != 0.0;
            let told = format!("{}: {}", self.text, self.told(&values));
            let verdict = if holds { Verdict::Holds } else { Verdict::DoesNotHold };
            if !shown {
                return part(verdict, told);
            }
            match self.share(claim, place, study) {
                Err(why) => part(Verdict::CannotBeChecked, format!("{told}; not shown, as {why}")),
                Ok((units, share)) => {
                    let told = format!("{told}; so in {} of resamples", percent(share));
                    let tail = (1.0 - frame.level) / 2.0;
                    if (share >= 1.0 - tail && holds) || (share <= tail && !holds) {
                        return part(verdict, told);
                    }
                    // The deviate of the share grows with the root of the number of units.
                    let deviates = [1.0 - tail, share].map(|of| deviate(of).abs());
                    part(Verdict::Open, format!("{told}: {}", enough(units, deviates[0], deviates[1])))
                }
            }
        };
        self.places(places).iter().map(at).collect()
    }

    /// Returns a place in words, limited to the dimensions that the terms leave open.
    pub(super) fn words(&self, frame: &Frame, place: &DesignPoint) -> String {
        words(frame, place, |dimension| match dimension {
            Dimension::Workload => self.terms.iter().any(|term| term.workload.is_none()),
            Dimension::Parameter(at) => self.terms.iter().any(|term| term.values[at].is_none()),
        })
    }

    /// Returns the terms with their values, in words.
    pub(super) fn told(&self, values: &[f64]) -> String {
        let each = self.terms.iter().zip(values).map(|(term, &value)| {
            let number = &figures(&[value])[0];
            format!("{} = {number}", term.name)
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// Returns the interval of the expression of means over units, by resampling the units that all terms have, and their number;
    /// the error is the reason why there is none.
    pub(super) fn interval(
        &self,
        claim: &str,
        place: &DesignPoint,
        study: &Study<'_>,
    ) -> Result<Interval, String> {
        let level = study.frame().level;
        self.resampled(claim, place, study, |units, statistic, seed| {
            bca(units, statistic, level, RESAMPLES, seed)
        })
    }

    /// Returns the number of units, and the share of their resamples in which a condition holds.
    fn share(&self, claim: &str, place: &DesignPoint, study: &Study<'_>) -> Result<(usize, f64), String> {
        self.resampled(claim, place, study, |units, statistic, seed| {
            Ok((units, share(units, statistic, RESAMPLES, seed)?))
        })
    }

    /// Resamples the units that all terms have; `then` gets their number, the value of the expression for a choice of
    /// them, and a seed.
    fn resampled<T>(
        &self,
        claim: &str,
        place: &DesignPoint,
        study: &Study<'_>,
        then: impl FnOnce(usize, &dyn Fn(&[usize]) -> f64, u64) -> Result<T, NoInterval>,
    ) -> Result<T, String> {
        let frame = study.frame();
        let units = self.units(place, frame)?;
        let is_geometric = self.pool == Pool::Geometric;
        let column = |at: usize| -> Vec<f64> {
            units.iter().map(|unit| if is_geometric { unit[at].ln() } else { unit[at] }).collect()
        };
        let columns: Vec<Vec<f64>> = (0..self.terms.len()).map(column).collect();
        let scratch = RefCell::new((Scratch::default(), vec![0.0; self.terms.len()]));
        let statistic = |chosen: &[usize]| {
            let (scratch, means) = &mut *scratch.borrow_mut();
            for (mean, column) in means.iter_mut().zip(&columns) {
                let of = mean_of(column, chosen);
                *mean = if is_geometric { of.exp() } else { of };
            }
            let mut value = f64::NAN;
            self.program.visit(&Numbers(means), 0..1, scratch, |_, values| value = values[0]);
            value
        };
        let name = format!("claim\n{claim}\n{}", words(frame, place, |_| true));
        let seed = seed::unit(&mut seed::stream(frame.seed, &name)).to_bits();
        then(units.len(), &statistic, seed).map_err(|why| why.to_string())
    }

    /// Returns the value of the expression in each unit; the error is the reason why single units have none.
    pub(super) fn by_unit(&self, place: &DesignPoint, study: &Study<'_>) -> Result<Vec<f64>, String> {
        let units = self.units(place, study.frame())?;
        Ok(units.iter().map(|values| self.value(values)).collect())
    }

    /// Returns the values of all terms in each unit that has a value for every term.
    fn units(&self, place: &DesignPoint, frame: &Frame) -> Result<Vec<Vec<f64>>, String> {
        let design_points = self.design_points(place);
        let Some(first) = design_points.first() else { return Err(Reason::Undefined.to_string()) };
        if design_points.iter().any(|at| at.workload != first.workload) {
            return Err("units of different workloads do not belong together".into());
        }
        if self.pool == Pool::Jobs {
            return Err(Reason::Pooled.to_string());
        }
        if let Some(reason) = Reason::of_units(frame.workloads[first.workload].units) {
            return Err(reason.to_string());
        }
        let mut of: SortedMap<u32, Vec<f64>> = SortedMap::new();
        for (term, design_point) in self.terms.iter().zip(&design_points) {
            for (unit, value) in frame.units(design_point, term.policy, term.measure) {
                of.entry(unit).or_default().push(value);
            }
        }
        Ok(of.into_values().filter(|values| values.len() == design_points.len()).collect())
    }
}

/// Terms as a table with one row and a column for each term.
struct Numbers<'a>(&'a [f64]);

impl Rows for Numbers<'_> {
    fn len(&self) -> usize {
        1
    }

    fn fill(&self, field: FieldId, _: Range<usize>, out: &mut [f64]) {
        let FieldId::Resource(at) = field else { return };
        out.fill(self.0.get(at as usize).copied().unwrap_or(f64::NAN));
    }
}
