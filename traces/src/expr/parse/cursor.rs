use std::ops::Range;

use crate::expr::error::{ExprError, Problem, repeated};
use crate::expr::token::{Lexeme, Token, tokens};
use crate::expr::unit::ExprUnit;

/// The most levels of nested parentheses, signs and powers.
const DEEPEST: usize = 100;

/// The parser's position in a text, and its depth.
pub(super) struct Parser<'a> {
    text: &'a str,
    lexemes: Vec<Lexeme<'a>>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Cuts a text into tokens and starts before the first.
    pub(super) fn new(text: &'a str) -> Result<Parser<'a>, ExprError> {
        Ok(Parser { text, lexemes: tokens(text)?, at: 0, depth: 0 })
    }

    pub(super) fn skip(&mut self, words: usize) {
        self.at += words;
    }

    /// Parses one level deeper, or refuses to.
    pub(super) fn deeper<T>(
        &mut self,
        span: &Range<usize>,
        part: impl FnOnce(&mut Self) -> Result<T, ExprError>,
    ) -> Result<T, ExprError> {
        if self.depth == DEEPEST {
            return Err(self.error(span.clone(), Problem::TooDeep(DEEPEST)));
        }
        self.depth += 1;
        let parsed = part(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    pub(super) fn close(&mut self, open: &Range<usize>) -> Result<(), ExprError> {
        match (self.take(")"), self.peek()) {
            (Some(_), _) => Ok(()),
            (None, None) => Err(self.error(open.clone(), Problem::Unclosed(')'))),
            (None, Some(_)) => Err(self.left_over()),
        }
    }

    pub(super) fn peek(&self) -> Option<&Lexeme<'a>> {
        self.lexemes.get(self.at)
    }

    pub(super) fn is_symbol(&self, ahead: usize, symbol: &str) -> bool {
        self.lexemes.get(self.at + ahead).is_some_and(|lexeme| lexeme.token == Token::Symbol(symbol))
    }

    pub(super) fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.lexemes.get(self.at + ahead).is_some_and(|lexeme| lexeme.token == Token::Word(word))
    }

    pub(super) fn take(&mut self, symbol: &str) -> Option<Range<usize>> {
        let span = self.peek().filter(|lexeme| lexeme.token == Token::Symbol(symbol))?.span.clone();
        self.at += 1;
        Some(span)
    }

    pub(super) fn take_word(&mut self, word: &str) -> Option<Range<usize>> {
        let span = self.peek().filter(|lexeme| lexeme.token == Token::Word(word))?.span.clone();
        self.at += 1;
        Some(span)
    }

    /// Returns the position behind the last token taken.
    pub(super) fn behind(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)).map_or(0, |lexeme| lexeme.span.end)
    }

    pub(super) fn error(&self, span: Range<usize>, problem: Problem) -> ExprError {
        ExprError::new(self.text, span, problem)
    }

    /// Returns the error of a token that follows a whole value and is not an operator.
    pub(super) fn left_over(&self) -> ExprError {
        self.expected("an operator or the end")
    }

    pub(super) fn expected(&self, expected: &'static str) -> ExprError {
        let Some(Lexeme { token, span }) = self.peek() else {
            let end = self.text.trim_end().len();
            return self.error(end..end, Problem::Expected { expected, found: "the end".into() });
        };
        let given = repeated(&self.text[span.clone()]);
        let Token::Word(word) = token else {
            return self.error(span.clone(), Problem::Expected { expected, found: format!("`{given}`") });
        };
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        if let Some(Lexeme { token: Token::Number(_, None), span: number }) = before
            && ExprUnit::find(word).is_some()
        {
            let together = format!("{}{word}", &self.text[number.clone()]);
            return self.error(number.start..span.end, Problem::UnitApart(together));
        }
        let problem = match capitals(word) {
            Some(right) => Problem::Foreign { given, right },
            None => Problem::Expected { expected, found: format!("`{given}`") },
        };
        self.error(span.clone(), problem)
    }
}

/// Returns the spelling of a reserved word that was written in capitals.
fn capitals(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let known = [("and", "`and`"), ("or", "`or`"), ("not", "`not`"), ("in", "`in`")];
    known.iter().find(|(name, _)| *name == lower && *name != word).map(|found| found.1)
}
