//! Orders in which each job rises as it waits, by a law that is known at its submission.

use batchlab_traces::Time;
use batchlab_traces::expr::{Chain, FieldId, Link, Program, Scratch};

use crate::expressions::{Waiting, number, vocabulary};
use crate::spec::{BuildError, Params, Setting};
use crate::view::JobView;

/// The most operands of a chain whose values are kept with each job.
const OPERANDS: usize = 4;

/// The operands of a chain; those beyond its own number are 0.
pub type Operands = [f64; OPERANDS];

/// The relative error granted to urgencies, far above that of a few operations.
const ERROR: f64 = 1e-12;

/// Magnitudes between which no power of the chain loses precision.
const SAFE: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// How a job's score grows with its wait: the operands from which it is computed, and bounds on the job's urgency.
///
/// The urgency is a straight line over the wait whose descending order is the order of the scores: for `-n*(w/r)^3` it is the
/// cube root, n^(1/3)/r · w. Rounding makes it inexact, so it is known between two lines; jobs whose bounds overlap are compared
/// by their scores. A job whose score is not of this form lies between minus and plus infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Growth {
    operands: Operands,
    /// Urgency per second of waiting, at least 0.
    pub pace: f64,
    low: f64,
    /// The upper bound without any wait.
    pub high: f64,
}

impl Growth {
    pub fn new(links: &[Link], operands: Operands) -> Growth {
        let growth = Growth { operands, pace: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        let Some((pace, offset, size)) = line(links, &operands) else { return growth };
        Growth { pace, low: offset - size * ERROR, high: offset + size * ERROR, ..growth }
    }

    #[inline]
    pub fn score(&self, links: &[Link], wait: f64) -> f64 {
        Link::run(links, &self.operands, wait)
    }

    /// Returns the least urgency after a wait in seconds.
    #[inline]
    pub fn at_least(&self, wait: f64) -> f64 {
        self.pace * wait * (1.0 - ERROR) + self.low
    }

    /// Returns the greatest urgency after a wait in seconds of a job with this pace and upper bound.
    #[inline]
    pub fn at_most(pace: f64, high: f64, wait: f64) -> f64 {
        pace * wait * (1.0 + ERROR) + high
    }
}

/// Returns the urgency that makes a chain the line `pace · wait + offset`, and the magnitude of the terms
/// of the offset; `None` if the chain with these operands is not a power of a line, or not a falling one.
fn line(links: &[Link], operands: &Operands) -> Option<(f64, f64, f64)> {
    let mut operands = operands.iter();
    // The value so far is scale · (slope · wait + offset)^power.
    let (mut slope, mut offset, mut size) = (1.0, 0.0, 0.0f64);
    let (mut scale, mut power) = (1.0f64, 1);
    for &link in links {
        let operand = if link.takes_operand() { *operands.next()? } else { 0.0 };
        match link {
            Link::Add | Link::Subtract | Link::SubtractFrom => {
                if power > 1 {
                    return None;
                }
                if link == Link::SubtractFrom {
                    (slope, offset) = (-slope, -offset);
                }
                offset += if link == Link::Subtract { -operand } else { operand };
                size += operand.abs();
            }
            Link::Multiply | Link::Divide | Link::Negate => {
                let by = |x: f64| match link {
                    Link::Multiply => x * operand,
                    Link::Divide => x / operand,
                    _ => -x,
                };
                if power > 1 {
                    scale = by(scale);
                } else {
                    (slope, offset, size) = (by(slope), by(offset), by(size).abs());
                }
            }
            Link::Square | Link::Cube => {
                if slope < 0.0 || offset < 0.0 || power > 1 {
                    return None;
                }
                power = if link == Link::Square { 2 } else { 3 };
            }
        }
        let safe = SAFE.contains(&f64::abs(slope)) && SAFE.contains(&scale.abs()) && size <= *SAFE.end();
        if !safe {
            return None;
        }
    }
    let root = match power {
        1 => -1.0,
        _ if scale > 0.0 => return None,
        2 => (-scale).sqrt(),
        _ => (-scale).cbrt(),
    };
    let (pace, offset) = (slope * root, offset * root);
    (pace > 0.0).then_some((pace, offset, size * root.abs()))
}

/// An expression in which the wait so far goes through a chain of arithmetic.
pub struct GrowingExpression(Chain);

impl GrowingExpression {
    /// Returns the order of the expression that a parameter names; `None` if it names none of this form.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<GrowingExpression>, BuildError> {
        let program = number(params, key, &vocabulary(setting))?.filter(Program::depends_on_time);
        let chain = program.and_then(|program| program.chain(FieldId::Wait));
        Ok(chain.filter(|chain| chain.operands.len() <= OPERANDS).map(GrowingExpression))
    }

    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.0.links
    }

    #[inline]
    pub fn growth(&self, job: JobView<'_>, expected: Time) -> Growth {
        Growth::new(&self.0.links, self.operands(job, expected))
    }

    #[inline]
    pub fn score(&self, job: JobView<'_>, expected: Time, now: Time) -> f64 {
        let wait = (now - job.submit()).max(Time::ZERO).secs();
        Link::run(&self.0.links, &self.operands(job, expected), wait)
    }

    fn operands(&self, job: JobView<'_>, expected: Time) -> Operands {
        let (rows, mut scratch) =
            (Waiting { jobs: &[(job, expected)], now: job.submit() }, Scratch::default());
        let mut values = Operands::default();
        for (value, program) in values.iter_mut().zip(&self.0.operands) {
            program.visit(&rows, 0..1, &mut scratch, |_, block| *value = block[0]);
        }
        values
    }
}
