//! Expressions in steps, bound to a trace when the step is applied.

use std::fmt;
use std::ops::Range;

use crate::located::Spanned;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::{Settings, ShapedTrace, StepError};
use crate::expr::{Expr, ExprError, FieldId, Rows, TableCall, Vocabulary};
use crate::finding::SourcePlace;
use crate::located::values::Text;

pub(super) struct Formula {
    expr: Expr,
    place: SourcePlace,
}

pub(super) type FormulaText = Spanned<ExprText>;

pub(super) struct ExprText(Expr);

impl<'de> Deserialize<'de> for ExprText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::deserialize(deserializer)?.0;
        let wrong = |error: ExprError| D::Error::custom(format_args!("is not an expression\n{error}"));
        Expr::parse(&text).map(ExprText).map_err(wrong)
    }
}

impl Formula {
    /// Returns the expression of a file.
    pub fn of(text: FormulaText, settings: &Settings<'_>) -> Formula {
        let place = settings.place(text.span().start);
        Formula { expr: text.into_inner().0, place }
    }

    /// Returns for each row whether the condition holds. Fails when it uses a name that this trace does not have, or is not a
    /// condition.
    pub fn holds(&self, work: &ShapedTrace) -> Result<Vec<bool>, StepError> {
        let vocabulary = Vocabulary::trace(&work.trace);
        let program = self.expr.condition(&vocabulary);
        Ok(program.map_err(|error| self.unfit(&error, &vocabulary))?.bools(work))
    }

    /// Returns the number of each row, in seconds, KB or as a plain number. Draws come from a random stream and are keyed by job.
    /// Fails when it uses a name that this trace does not have, or is a condition.
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
