//! The text of a file of steps, and places in it.

use toml::de::DeTable;

use crate::finding::SourcePlace;
use crate::located::{LocatedToml, LocatedValue};
use crate::shape::error::{ShapeError, StepFault};

/// A file of steps.
pub struct SourceText<'a>(LocatedToml<'a>);

impl<'a> SourceText<'a> {
    /// Wraps a text; `file` is its name as the user gave it.
    pub fn new(file: &str, text: &'a str) -> SourceText<'a> {
        SourceText(LocatedToml::new(text, file))
    }

    /// Parses the text.
    ///
    /// # Errors
    /// When it is not TOML, with the place of the error.
    pub fn parse(&self) -> Result<DeTable<'a>, ShapeError> {
        self.0
            .parse()
            .map_err(|error| ShapeError { place: error.place, fault: StepFault::Syntax(error.what) })
    }

    /// Returns a place, line and column counted from 1.
    pub fn place(&self, at: usize) -> SourcePlace {
        self.0.place(at)
    }

    /// Returns an error at a place.
    pub fn error(&self, at: usize, fault: StepFault) -> ShapeError {
        ShapeError { place: self.place(at), fault }
    }

    /// Returns a value as written, on one line.
    pub fn shown(&self, value: &LocatedValue<'_>) -> String {
        self.0.shown(value)
    }
}
