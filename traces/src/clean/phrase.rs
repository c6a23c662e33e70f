//! An expression of a rules file, with its line and key.

use super::error::RulesError;
use crate::expr::{Expr, ExprError, Program, Vocabulary};

#[derive(Clone, Debug)]
pub(super) struct Phrase {
    expr: Expr,
    line: usize,
    subject: String,
    key: String,
}

impl Phrase {
    pub(super) fn parse(text: &str, line: usize, subject: &str, key: &str) -> Result<Phrase, RulesError> {
        let (subject, key) = (subject.to_owned(), key.to_owned());
        match Expr::parse(text) {
            Ok(expr) => Ok(Phrase { expr, line, subject, key }),
            Err(error) => Err(RulesError::Expression { line, subject, key, error, known: String::new() }),
        }
    }

    pub(super) fn condition(&self, vocabulary: &Vocabulary) -> Result<Program, RulesError> {
        self.expr.condition(vocabulary).map_err(|error| self.error(error, vocabulary))
    }

    pub(super) fn number(&self, vocabulary: &Vocabulary) -> Result<Program, RulesError> {
        self.expr.number(vocabulary).map_err(|error| self.error(error, vocabulary))
    }

    pub(super) fn misplaced(&self, why: String) -> RulesError {
        RulesError::Shape { line: self.line, subject: format!("{}: `{}`", self.subject, self.key), why }
    }

    fn error(&self, error: ExprError, vocabulary: &Vocabulary) -> RulesError {
        let (subject, key) = (self.subject.clone(), self.key.clone());
        let known = vocabulary.offered(&error);
        RulesError::Expression { line: self.line, subject, key, error, known }
    }
}

/// Writes the text in the language's canonical form.
impl std::fmt::Display for Phrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expr.fmt(f)
    }
}
