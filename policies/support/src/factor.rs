use batchlab_traces::Time;
use batchlab_traces::expr::ExprType;

use super::expressions::{NOT_YET, PerJob, number, vocabulary};
use crate::spec::{BuildError, Params, Setting};
use crate::view::JobView;

/// A factor of a parameter of kind [`crate::spec::ParamKind::Factor`].
#[derive(Clone, Debug)]
pub enum Factor {
    /// One value for all jobs.
    Same(f64),
    /// The value of an expression for each job, over facts known at its submission.
    Computed(Box<PerJob>),
}

impl Factor {
    /// Returns the factor that a parameter sets; `None` if it is a word other than a number.
    ///
    /// # Errors
    /// When the expression is invalid, uses facts unknown at submission, or has a unit.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<Factor>, BuildError> {
        let Some(program) = number(params, key, &vocabulary(setting).hiding("wait", NOT_YET))? else {
            return Ok(params.number(key).map(Factor::Same));
        };
        if program.kind() != ExprType::PLAIN {
            let reason = format!("a factor is a plain number, and this is {}", program.kind());
            return Err(params.unfit(key, reason));
        }
        Ok(Some(Factor::Computed(Box::new(PerJob::new(program)))))
    }

    /// Returns the factor of a job, given its expected run time. For an expression, values below zero count
    /// as zero, and a missing value as infinite.
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
