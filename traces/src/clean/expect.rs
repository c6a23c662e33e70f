use super::error::RulesError;
use super::file::ExpectationStage;
use super::phrase::Phrase;
use super::report::{ExpectReport, SHOWN};
use super::show;
use crate::expr::{FieldId, Program, Rows, Vocabulary};
use crate::number::grouped;
use crate::trace::Trace;

#[derive(Clone, Debug)]
pub(super) struct Expectation {
    pub(super) id: String,
    pub(super) because: Option<String>,
    pub(super) claim: Claim,
    /// Only jobs for which this holds are checked.
    pub(super) within: Option<Phrase>,
    pub(super) on: ExpectationStage,
}

#[derive(Clone, Debug)]
pub(super) enum Claim {
    Count {
        min: u64,
        max: u64,
    },
    All(Phrase),
    None(Phrase),
    Any(Phrase),
    /// Every known value lies within the limits, inclusive.
    Range(Box<ExpectedRange>),
}

#[derive(Clone, Debug)]
pub(super) struct ExpectedRange {
    pub(super) of: Phrase,
    pub(super) min: Option<Phrase>,
    pub(super) max: Option<Phrase>,
}

impl Expectation {
    /// Checks whether a trace is as expected. Fails when an expression cannot be used with this trace.
    pub(super) fn check(&self, trace: &Trace) -> Result<ExpectReport, RulesError> {
        let vocabulary = super::vocabulary(trace);
        let within = match &self.within {
            Some(within) => within.condition(&vocabulary)?.bools(trace),
            None => vec![true; trace.len()],
        };
        let looked_at = within.iter().filter(|within| **within).count() as u64;
        let chosen = |marks: Vec<bool>, wanted: bool| -> Vec<u32> {
            let marked = marks.into_iter().zip(&within).zip(0..);
            marked.filter(|((mark, within), _)| **within && *mark == wanted).map(|(_, row)| row).collect()
        };
        let among = |some: u64| {
            let number = if some == 0 { "none".into() } else { grouped(some) };
            format!("{number} of {} {}", show::jobs(looked_at), if some == 1 { "is" } else { "are" })
        };
        let condition = |phrase: &Phrase| Ok::<_, RulesError>(phrase.condition(&vocabulary)?.bools(trace));
        let (holds, seen, offenders, reads) = match &self.claim {
            Claim::Count { min, max } => {
                ((*min..=*max).contains(&looked_at), show::jobs(looked_at), Vec::new(), Vec::new())
            }
            Claim::All(phrase) => {
                let not = chosen(condition(phrase)?, false);
                let seen = match not.len() as u64 {
                    0 => format!(
                        "so {} all of {}",
                        if looked_at == 1 { "is" } else { "are" },
                        show::jobs(looked_at)
                    ),
                    some => format!("{} not", among(some)),
                };
                (not.is_empty(), seen, not, reads(phrase, &vocabulary)?)
            }
            Claim::None(phrase) => {
                let are = chosen(condition(phrase)?, true);
                (are.is_empty(), among(are.len() as u64), are, reads(phrase, &vocabulary)?)
            }
            Claim::Any(phrase) => {
                let are = chosen(condition(phrase)?, true);
                (!are.is_empty(), among(are.len() as u64), Vec::new(), Vec::new())
            }
            Claim::Range(range) => {
                let range = Limits::compile(range, &vocabulary)?;
                let beyond = chosen(range.beyond(trace), true);
                let seen = format!("{} beyond", among(beyond.len() as u64));
                (beyond.is_empty(), seen, beyond, range.program.reads())
            }
        };
        let show = |&row: &u32| show::job(trace, row as usize, &reads);
        let offenders = if holds { Vec::new() } else { offenders.iter().take(SHOWN).map(show).collect() };
        let (id, because) = (self.id.clone(), self.because.clone());
        Ok(ExpectReport { id, because, text: self.to_string(), holds, seen, offenders })
    }
}

/// Returns the fields that an expression reads of each job, for display.
fn reads(phrase: &Phrase, vocabulary: &Vocabulary) -> Result<Vec<FieldId>, RulesError> {
    Ok(phrase.condition(vocabulary)?.reads())
}

struct Limits {
    program: Program,
    min: f64,
    max: f64,
}

impl Limits {
    fn compile(range: &ExpectedRange, vocabulary: &Vocabulary) -> Result<Limits, RulesError> {
        let program = range.of.number(vocabulary)?;
        let limit = |limit: &Option<Phrase>, none: f64| {
            let Some(phrase) = limit else { return Ok(none) };
            let limit = phrase.number(vocabulary)?;
            if limit.kind().beside(program.kind()).is_none() {
                let why = format!("it is {}, the values are {}", limit.kind(), program.kind());
                return Err(phrase.misplaced(why));
            }
            limit.constant().ok_or_else(|| phrase.misplaced("a limit is the same for all jobs".into()))
        };
        let (min, max) = (limit(&range.min, f64::NEG_INFINITY)?, limit(&range.max, f64::INFINITY)?);
        match &range.max {
            Some(phrase) if max < min => Err(phrase.misplaced("it is below `range.min`".into())),
            _ => Ok(Limits { program, min, max }),
        }
    }

    /// Returns for each job whether its value is known and beyond the limits. A value is known if every
    /// field it is computed from is known: a difference may well be negative.
    fn beyond(&self, rows: &dyn Rows) -> Vec<bool> {
        let mut known = vec![true; rows.len()];
        let mut values = vec![0.0; rows.len()];
        for field in self.program.reads() {
            rows.fill(field, 0..rows.len(), &mut values);
            known.iter_mut().zip(&values).for_each(|(known, value)| *known &= *value >= 0.0);
        }
        let limits = self.min..=self.max;
        let numbers = self.program.numbers(rows).into_iter().zip(known);
        numbers.map(|(value, known)| known && !value.is_nan() && !limits.contains(&value)).collect()
    }
}

/// Writes the claim: "all: run <= 60h, where queue = 1".
impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.claim {
            Claim::Count { min, max } if min == max => write!(f, "count: {}", grouped(*min))?,
            Claim::Count { min, max: u64::MAX } => write!(f, "count: at least {}", grouped(*min))?,
            Claim::Count { min, max } => write!(f, "count: {} to {}", grouped(*min), grouped(*max))?,
            Claim::All(phrase) => write!(f, "all: {phrase}")?,
            Claim::None(phrase) => write!(f, "none: {phrase}")?,
            Claim::Any(phrase) => write!(f, "any: {phrase}")?,
            Claim::Range(range) => {
                let ExpectedRange { of, min, max } = &**range;
                write!(f, "range: {of}")?;
                if let Some(min) = min {
                    write!(f, " from {min}")?;
                }
                if let Some(max) = max {
                    write!(f, " to {max}")?;
                }
            }
        }
        match &self.within {
            Some(within) => write!(f, ", where {within}"),
            None => Ok(()),
        }
    }
}
