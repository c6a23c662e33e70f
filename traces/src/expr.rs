//! The single expression language of cleaning rules, filters, job classes, orders and augmentation.
//!
//! An expression is parsed once ([`Expr::parse`]), bound to the names of one context ([`Expr::compile`] with
//! a [`Vocabulary`]), and evaluated over [`Rows`] as a [`Program`].
//!
//! ```
//! use batchlab_traces::expr::{Expr, Vocabulary};
//! use batchlab_traces::Trace;
//!
//! let trace = Trace::default();
//! let long_and_serial = Expr::parse("run > 4h and procs = 1")?;
//! let holds = long_and_serial.condition(&Vocabulary::trace(&trace))?.bools(&trace);
//! assert_eq!(holds.len(), trace.len());
//! # Ok::<(), batchlab_traces::expr::ExprError>(())
//! ```
//!
//! # Grammar
//!
//! Loosest first. `{ }` repeats, `[ ]` is optional.
//!
//! ```text
//! expression = and { "or" and }
//! and        = not { "and" not }
//! not        = "not" not | comparison
//! comparison = sum { ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
//!            | sum [ "not" ] "in" ( sum ".." sum | "(" member { "," member } ")" )
//! member     = sum [ ".." sum ]
//! sum        = product { ( "+" | "-" ) product }
//! product    = sign { ( "*" | "/" ) sign }
//! sign       = "-" sign | power
//! power      = value [ "^" sign ]
//! value      = number [ unit ] | "true" | "false" | text | field | column | call | "(" expression ")"
//! call       = function "(" [ argument { "," argument } ] ")"
//! argument   = expression | name "=" expression
//! ```
//!
//! Thus `^` binds tighter than a sign and to the right (`-2^2` is -4, `2^3^2` is 512); all other operators of one level are
//! evaluated from left to right. `==` and `<>` may be written for `=` and `!=`. A chain such as `1 < procs <= 8` means that all
//! its comparisons hold; all must point the same way. Ends of a range are included. Members of a set and arguments by name are
//! constants. A text stands in double or single quotes; a column whose name is not a word, or is the name of a field, stands in
//! backquotes: `` `scratch space` ``.
//!
//! # Fields and unknown values
//!
//! [`FIELDS`] lists the fields of every log, [`FUNCTIONS`] the functions, [`UNITS`] the units. Any further
//! column of a trace is used by its name. **An unknown value is -1**, as in the log itself: `run < 10min`
//! holds for jobs without a run time too, and `known(run) and run < 10min` excludes them. Values derived
//! from an unknown value (`start`, `end`, `response`, `hour`, `weekday`) are -1 as well.
//!
//! `queue` and `partition` are numbers; a text compared with them (`queue = "batch"`) stands for the number
//! to which the header gives this name, by the whole name or its first word.
//!
//! `memory` is always in KB per processor, as in the log. If a resource called `memory` is demanded, its
//! amount over all processors of the job is `` `memory` ``.
//!
//! # Units
//!
//! Values are stored in seconds and KB, a KB being 1024 bytes. `run > 2GB` is refused; a plain number beside a time means
//! seconds, beside memory KB. Products, quotients and constant whole powers have the dimensions that they have in physics
//! (`run / 1h` is a plain number). Roots, logarithms, `exp` and all other powers take the number of seconds or KB and give a
//! plain number. Published job scores assume this, such as `sqrt(estimate) * procs + 25600 * log10(submit)`.
//!
//! # Numbers
//!
//! Values are 64-bit floats: whole numbers are exact, and compared exactly, up to 2^53. Times of a log, like
//! literals, are the floats nearest to their decimals, so `run = 12.34` finds such a time. Division by zero
//! and the logarithm of zero give infinities. An undefined value (`sqrt(-1)`, `0 / 0`) is not a number: of
//! the comparisons only `!=` holds for it, and `min` and `max` skip it.
//!
//! # Chance
//!
//! `uniform normal lognormal exponential choice` draw one variate per row if the vocabulary allows it ([`Vocabulary::drawing`]).
//! A variate depends on the seed, the stream's name, the position in the expression and the job number (the line in the file for
//! a job without one), so that a job draws the same value whatever other rows there are. `normal(m, v)` takes the *variance*, as
//! stated by Leinberger, Karypis and Kumar (1999, section 4.1); `lognormal(mu, sigma)` takes mean and standard deviation of the
//! logarithm. A negative variance gives not a number.

mod ast;
mod chain;
mod compile;
mod draw;
mod error;
mod eval;
mod fields;
mod functions;
mod kernel;
mod kind;
mod parse;
mod program;
mod rows;
mod show;
mod table;
mod token;
pub(crate) mod unit;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use chain::{Chain, Link};
pub use error::{ExprError, Problem};
pub use eval::Scratch;
pub use fields::{FIELDS, FieldId, FieldInfo};
pub use functions::{FUNCTIONS, FunctionInfo};
pub use kind::ExprType;
pub use program::Program;
pub use rows::Rows;
pub(crate) use rows::recorded;
pub use table::{Arguments, TableCall, TableFunction, TableParameter};
pub use unit::{ExprUnit, UNITS};
pub use vocabulary::Vocabulary;

/// An expression: parsed, with names not yet bound to a vocabulary.
///
/// Prints in canonical form, with the fewest parentheses that keep its meaning; parsing the printed form gives the same program.
#[derive(Clone, Debug)]
pub struct Expr {
    text: Box<str>,
    root: ast::Node,
}

impl Expr {
    /// Parses an expression.
    ///
    /// # Errors
    /// When the text is not an expression, is longer than 64 KiB, or is nested more than 100 levels deep.
    pub fn parse(text: &str) -> Result<Expr, ExprError> {
        Ok(Expr { text: text.into(), root: parse::parse(text)? })
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it mentions a field, by its name in [`FIELDS`], or a further column of this name.
    pub fn mentions(&self, name: &str) -> bool {
        self.root.mentions(name)
    }

    /// Compiles the expression for a vocabulary.
    ///
    /// # Errors
    /// When the vocabulary lacks or hides a name, or the units of values conflict.
    pub fn compile(&self, vocabulary: &Vocabulary) -> Result<Program, ExprError> {
        compile::compile(&self.text, &self.root, vocabulary)
    }

    /// Compiles an expression that must be a condition.
    ///
    /// # Errors
    /// As [`Expr::compile`], and when it is a number.
    pub fn condition(&self, vocabulary: &Vocabulary) -> Result<Program, ExprError> {
        let program = self.compile(vocabulary)?;
        program.kind().condition().map_err(|problem| self.error(problem))?;
        Ok(program)
    }

    /// Compiles an expression that must be a number, with or without a unit.
    ///
    /// # Errors
    /// As [`Expr::compile`], and when it is a condition.
    pub fn number(&self, vocabulary: &Vocabulary) -> Result<Program, ExprError> {
        let program = self.compile(vocabulary)?;
        program.kind().number().map_err(|problem| self.error(problem))?;
        Ok(program)
    }

    fn error(&self, problem: Problem) -> ExprError {
        ExprError::new(&self.text, self.root.span.clone(), problem)
    }
}

impl FromStr for Expr {
    type Err = ExprError;

    fn from_str(text: &str) -> Result<Expr, ExprError> {
        Expr::parse(text)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}
