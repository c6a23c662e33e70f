//! The text of a file of steps, and places in it.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::finding::SourcePlace;
use crate::shape::error::{Fault, ShapeError};

/// A file of steps.
pub struct SourceText<'a> {
    file: Arc<str>,
    text: &'a str,
}

impl<'a> SourceText<'a> {
    /// Takes a text up; `file` is its name as the user gave it.
    pub fn new(file: &str, text: &'a str) -> SourceText<'a> {
        SourceText { file: file.into(), text }
    }

    /// Parses the text.
    ///
    /// # Errors
    /// When it is no TOML, with the place at which it stops being so.
    pub fn parse(&self) -> Result<DeTable<'a>, ShapeError> {
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, Fault::Syntax(error.message().into()))
        })
    }

    /// Returns a place, line and column counted from 1.
    pub fn place(&self, at: usize) -> SourcePlace {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = 1 + self.text[..before.len()].matches('\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        SourcePlace { file: self.file.clone(), line: line as u32, column: column as u32 }
    }

    /// Returns an error at a place.
    pub fn error(&self, at: usize, fault: Fault) -> ShapeError {
        ShapeError { place: self.place(at), fault }
    }

    /// Returns a value as it is written, in one line.
    pub fn shown(&self, value: &Spanned<DeValue<'_>>) -> String {
        let text = self.text.get(value.span()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
