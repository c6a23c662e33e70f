//! Expressions in steps, bound to a trace when the step is applied.

use std::fmt;
use std::ops::Range;

use super::error::{ShapeError, StepError};
use super::settings::Settings;
use super::work::ShapedTrace;
use crate::expr::{Expr, ExprError, FieldId, Rows, TableCall, Vocabulary};
use crate::finding::SourcePlace;

/// The expression in a parameter.
pub(super) struct Formula {
    expr: Expr,
    place: SourcePlace,
}

impl Formula {
    /// Reads a parameter; `None` if it is not set.
    ///
    /// # Errors
    /// When it is not a text or not an expression.
    pub fn read(settings: &Settings<'_>, key: &str) -> Result<Option<Formula>, ShapeError> {
        let Some(text) = settings.text(key)? else { return Ok(None) };
        let expr = Expr::parse(&text).map_err(|error| settings.expression(key, &error))?;
        Ok(Some(Formula { expr, place: settings.place(key) }))
    }

    /// Returns for each row whether the condition holds.
    ///
    /// # Errors
    /// When it uses a name that this trace does not have, or is not a condition.
    pub fn holds(&self, work: &ShapedTrace) -> Result<Vec<bool>, StepError> {
        let vocabulary = Vocabulary::trace(&work.trace);
        let program = self.expr.condition(&vocabulary);
        Ok(program.map_err(|error| self.unfit(&error, &vocabulary))?.bools(work))
    }

    /// Returns the number of each row, in seconds, KB or as a plain number. Draws come from a random stream
    /// and are keyed by job.
    ///
    /// # Errors
    /// When it uses a name that this trace does not have, or is a condition.
    pub fn numbers(&self, work: &ShapedTrace, seed: u64, stream: &str) -> Result<Vec<f64>, StepError> {
        let vocabulary = Vocabulary::trace(&work.trace).drawing(seed, stream);
        let program = self.expr.number(&vocabulary);
        Ok(program.map_err(|error| self.unfit(&error, &vocabulary))?.numbers(work))
    }

    // On separate lines, so that the carets of an error stand below the position that they mark.
    fn unfit(&self, error: &ExprError, vocabulary: &Vocabulary) -> StepError {
        let known = vocabulary.offered(error);
        StepError::Expression {
            place: self.place.clone(),
            text: format!("its expression cannot be used\n{error}{known}"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.fmt(f)
    }
}

/// The rows of its trace, with their permanent keys.
impl Rows for ShapedTrace {
    fn len(&self) -> usize {
        self.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        self.trace.fill(field, rows, out);
    }

    fn key(&self, row: usize) -> u64 {
        self.key(row as u32)
    }

    fn marks(&self, call: &TableCall) -> Vec<bool> {
        self.trace.marks(call)
    }
}
