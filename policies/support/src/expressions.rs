//! Expressions over waiting jobs: the names that parameters `expr(…)` may use, and the rows on which they are evaluated.

use std::ops::Range;

use batchlab_traces::Time;
use batchlab_traces::expr::{Expr, FieldId, Program, Rows, Scratch, Vocabulary};

use crate::facts::HISTORY;
use crate::spec::{BuildError, Params, Setting};
use crate::view::JobView;

/// Returns the names that an expression of a policy may use: everything known of a waiting job (if the machine has no memory
/// resource, its memory as stated in the log), the log's names of queues and partitions, and the local time at its submission.
pub fn vocabulary(setting: &Setting<'_>) -> Vocabulary {
    let vocabulary = Vocabulary::policy(setting.machine).told_memory();
    let vocabulary =
        HISTORY.iter().fold(vocabulary, |vocabulary, (name, ..)| vocabulary.hiding(name, OF_PREDICTORS));
    match setting.meanings {
        Some(meanings) => vocabulary.meaning(meanings),
        None => vocabulary,
    }
}

/// Returns the program of a parameter's `expr(…)`; `None` for another value.
///
/// # Errors
/// When the expression is invalid, does not give a number, or uses a name outside the vocabulary.
pub fn number(params: &Params, key: &str, vocabulary: &Vocabulary) -> Result<Option<Program>, BuildError> {
    let Some(text) = params.expression(key) else { return Ok(None) };
    let program = Expr::parse(text).and_then(|expr| expr.number(vocabulary));
    program.map(Some).map_err(|error| params.unfit(key, error.reason()))
}

/// Why only a predictor may read the history of a user.
const OF_PREDICTORS: &str = "the past of a user is known to predictors only, as in predictor=expr(2*last)";

/// Why an expression that is evaluated at submission must not read `wait`.
pub(crate) const NOT_YET: &str = "it is worked out when a job is submitted and has not waited yet";

#[derive(Clone, Debug)]
pub struct PerJob {
    program: Program,
    scratch: Scratch,
}

impl PerJob {
    pub fn new(program: Program) -> PerJob {
        PerJob { program, scratch: Scratch::default() }
    }

    /// Returns the number of a job that was just submitted, with its expected run time.
    pub fn of(&mut self, job: JobView<'_>, expected: Time) -> f64 {
        let mut value = f64::NAN;
        let rows = Waiting { jobs: &[(job, expected)], now: job.submit() };
        self.program.visit(&rows, 0..1, &mut self.scratch, |_, values| value = values[0]);
        value
    }
}

/// Waiting jobs as the rows of a table, each with its expected run time, at an instant.
///
/// `wait` is the time waited so far, `estimate` the expected run time: the prediction, if there is a
/// predictor. Run times are not available.
#[derive(Clone, Copy)]
pub struct Waiting<'a, 'w> {
    pub jobs: &'a [(JobView<'w>, Time)],
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
