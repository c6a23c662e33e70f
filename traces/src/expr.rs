//! The one expression language: rules, filters, job classes, orders, augmentation.

mod ast;
mod compile;
mod date;
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
mod unit;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use error::{ExprError, Problem};
pub use eval::Scratch;
pub use fields::{FIELDS, FieldId, FieldInfo};
pub use functions::{FUNCTIONS, FunctionInfo};
pub use kind::Kind;
pub use program::Program;
pub use rows::Rows;
pub(crate) use rows::recorded;
pub use table::{Arguments, TableCall, TableFunction, TableParameter};
pub use unit::{UNITS, Unit};
pub use vocabulary::Vocabulary;

/// An expression: parsed, and not yet bound to what its names mean in one place.
///
/// Prints back in canonical form, with as few parentheses as keep its meaning; parsing that gives the same
/// program.
#[derive(Clone, Debug)]
pub struct Expr {
    text: Box<str>,
    root: ast::Node,
}

impl Expr {
    /// Parses an expression.
    ///
    /// # Errors
    /// When the text is no expression, longer than 64 KiB, or nested more than 100 levels deep.
    pub fn parse(text: &str) -> Result<Expr, ExprError> {
        Ok(Expr { text: text.into(), root: parse::parse(text)? })
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compiles the expression for one place.
    ///
    /// # Errors
    /// When the vocabulary lacks or hides a name, or values do not go together.
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
