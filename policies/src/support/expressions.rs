//! Expressions over waiting jobs: what parameters `expr(…)` may speak of, and the rows that they are evaluated on.

use std::ops::Range;

use batchlab_traces::Time;
use batchlab_traces::expr::{Expr, FieldId, Program, Rows, Scratch, Vocabulary};

use crate::spec::{BuildError, Params, Setting};
use crate::view::JobView;

/// Returns what an expression of a policy may speak of: all that is known of a waiting job (its memory, where the
/// machine has none, as the log tells it), the names that its log gives to queues and partitions, and the site's clock
/// at its submission.
pub fn vocabulary(setting: &Setting<'_>) -> Vocabulary {
    let vocabulary = Vocabulary::policy(setting.machine).told_memory();
    match setting.meanings {
        Some(meanings) => vocabulary.meaning(meanings),
        None => vocabulary,
    }
}

/// Returns the program of a parameter's `expr(…)`; `None` when it has another value.
///
/// # Errors
/// When it is none, no number, or speaks of what the vocabulary does not have.
pub fn number(params: &Params, key: &str, vocabulary: &Vocabulary) -> Result<Option<Program>, BuildError> {
    let Some(text) = params.expression(key) else { return Ok(None) };
    let program = Expr::parse(text).and_then(|expr| expr.number(vocabulary));
    program.map(Some).map_err(|error| unfit(params, key, &error.reason()))
}

/// Returns the error of an expression that cannot be used as the value of a parameter.
pub fn unfit(params: &Params, key: &str, reason: &str) -> BuildError {
    BuildError::Unfit(format!("`{key}={}`: {reason}", params.text(key)))
}

/// Why an expression that is evaluated at submission does not read `wait`.
pub(crate) const NOT_YET: &str = "it is worked out when a job is submitted and has not waited yet";

/// An expression that gives one job a number.
#[derive(Clone, Debug)]
pub struct PerJob {
    program: Program,
    scratch: Scratch,
}

impl PerJob {
    /// Returns the numbers that a program gives.
    pub fn new(program: Program) -> PerJob {
        PerJob { program, scratch: Scratch::default() }
    }

    /// Returns the number of a job, just submitted, that is expected to run for so long.
    pub fn of(&mut self, job: JobView<'_>, expected: Time) -> f64 {
        let mut value = f64::NAN;
        let rows = Waiting { jobs: &[(job, expected)], now: job.submit() };
        self.program.visit(&rows, 0..1, &mut self.scratch, |_, values| value = values[0]);
        value
    }
}

/// Waiting jobs as the rows of a table, each with how long it is expected to run, at an instant.
///
/// `wait` is the time waited so far, `estimate` what is expected: a prediction, where a predictor makes one. Run times
/// are not known.
#[derive(Clone, Copy)]
pub struct Waiting<'a, 'w> {
    /// The jobs.
    pub jobs: &'a [(JobView<'w>, Time)],
    /// The instant.
    pub now: Time,
}

impl Rows for Waiting<'_, '_> {
    fn len(&self) -> usize {
        self.jobs.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        let jobs = self.jobs[rows].iter().zip(out);
        match field {
            FieldId::Wait => {
                jobs.for_each(|((job, _), to)| *to = (self.now - job.submit()).max(Time::ZERO).secs());
            }
            FieldId::Estimate => jobs.for_each(|((_, expected), to)| *to = expected.secs()),
            FieldId::Procs => jobs.for_each(|((job, _), to)| *to = job.procs() as f64),
            FieldId::Submit => jobs.for_each(|((job, _), to)| *to = job.submit().secs()),
            FieldId::Memory => jobs.for_each(|((job, _), to)| {
                let told = job.told_memory().map(|amount| amount as f64 / job.procs().max(1) as f64);
                *to = told.unwrap_or(-1.0);
            }),
            _ => jobs.for_each(|((job, _), to)| job.fill(field, 0..1, std::slice::from_mut(to))),
        }
    }

    fn key(&self, row: usize) -> u64 {
        self.jobs[row].0.key(0)
    }
}
