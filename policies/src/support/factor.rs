//! Factors: the same for all jobs, or computed from each.

use batchlab_traces::Time;
use batchlab_traces::expr::Kind;

use super::expressions::{NOT_YET, PerJob, number, unfit, vocabulary};
use crate::spec::{BuildError, Params, Setting};
use crate::view::JobView;

/// A factor of a parameter of kind [`crate::spec::ParamKind::Factor`].
#[derive(Clone, Debug)]
pub enum Factor {
    /// The same for all jobs.
    Same(f64),
    /// What an expression says of each job, over what is known of it at its submission.
    Computed(Box<PerJob>),
}

impl Factor {
    /// Returns the factor that a parameter sets; `None` when it is a word that is no number.
    ///
    /// # Errors
    /// When the expression is none, speaks of what is not known at submission, or has a unit.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<Factor>, BuildError> {
        let Some(program) = number(params, key, &vocabulary(setting).hiding("wait", NOT_YET))? else {
            return Ok(params.number(key).map(Factor::Same));
        };
        if program.kind() != Kind::PLAIN {
            let reason = format!("a factor is a plain number, and this is {}", program.kind());
            return Err(unfit(params, key, &reason));
        }
        Ok(Some(Factor::Computed(Box::new(PerJob::new(program)))))
    }

    /// Returns the factor of a job that is expected to run for so long; of an expression, what is below zero counts as
    /// zero, and what has no value as infinite.
    pub fn of(&mut self, job: JobView<'_>, expected: Time) -> f64 {
        match self {
            Factor::Same(factor) => *factor,
            Factor::Computed(computed) => match computed.of(job, expected) {
                value if value.is_nan() => f64::INFINITY,
                value => value.max(0.0),
            },
        }
    }
}
