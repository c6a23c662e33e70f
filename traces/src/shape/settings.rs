//! The table of one step, read parameter by parameter.

mod source;
mod values;

pub(super) use source::SourceText;

use toml::de::DeTable;

use super::error::{ShapeError, StepFault};
use super::spec::StepSpec;
use crate::expr::ExprError;
use crate::finding::SourcePlace;
use crate::located::LocatedValue;
use crate::nearest::nearest;

/// The settings of a step. Every error about a parameter includes its place in the file.
pub(super) struct Settings<'a> {
    source: &'a SourceText<'a>,
    spec: &'static StepSpec,
    table: &'a DeTable<'a>,
    /// The position of the table.
    at: usize,
}

impl<'a> Settings<'a> {
    /// Wraps a table.
    ///
    /// # Errors
    /// When it has a key that is not a parameter of the step.
    pub fn new(
        source: &'a SourceText<'a>,
        spec: &'static StepSpec,
        table: &'a DeTable<'a>,
        at: usize,
    ) -> Result<Settings<'a>, ShapeError> {
        let names = || spec.params.iter().map(|param| param.name).chain([super::steps::KIND]);
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if !names().any(|known| known == name) {
                let known = spec.params.iter().map(|param| param.name).collect::<Vec<_>>().join(", ");
                let nearest = nearest(name, names()).map(str::to_owned);
                let fault = StepFault::UnknownKey { step: spec.name, key: name.into(), nearest, known };
                return Err(source.error(key.span().start, fault));
            }
        }
        Ok(Settings { source, spec, table, at })
    }

    /// Whether a parameter is set.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Returns the parameters that were set, in the order of the file, for display.
    pub fn detail(&self) -> String {
        let mut set: Vec<(usize, String)> = Vec::new();
        for (key, value) in self.table.iter().filter(|(key, _)| key.get_ref() != super::steps::KIND) {
            set.push((key.span().start, format!("{}={}", key.get_ref(), self.source.shown(value))));
        }
        set.sort();
        set.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    /// Returns which of several parameters is set.
    ///
    /// # Errors
    /// When none of them is set, or more than one.
    pub fn one_of(&self, keys: &[&'static str]) -> Result<&'static str, ShapeError> {
        let set: Vec<&'static str> = keys.iter().copied().filter(|key| self.has(key)).collect();
        match set[..] {
            [key] => Ok(key),
            [] => Err(self.missing(&format!("one of {}", keys.join(", ")))),
            [first, second, ..] => Err(self.idle(second, first)),
        }
    }

    /// Refuses parameters that are set and have no effect with another.
    ///
    /// # Errors
    /// When one of them is set.
    pub fn refuse(&self, keys: &[&str], with: &str) -> Result<(), ShapeError> {
        match keys.iter().find(|key| self.has(key)) {
            Some(key) => Err(self.idle(key, with)),
            None => Ok(()),
        }
    }

    /// Returns the error of a step that lacks a parameter.
    pub fn missing(&self, needs: &str) -> ShapeError {
        self.source.error(self.at, StepFault::Missing { step: self.spec.name, needs: needs.into() })
    }

    /// Returns the error of an invalid value.
    pub fn wrong(&self, key: &str, expected: &str) -> ShapeError {
        let Some(value) = self.value(key) else { return self.missing(key) };
        let found = self.source.shown(value);
        let fault = StepFault::Value { key: key.into(), found, expected: expected.into() };
        self.source.error(value.span().start, fault)
    }

    /// Returns the error of a value that is not an expression.
    pub fn expression(&self, key: &str, error: &ExprError) -> ShapeError {
        let fault = StepFault::Expression { key: key.into(), text: error.to_string() };
        ShapeError { place: self.place(key), fault }
    }

    /// Returns the place of a parameter's value, or of the step if it is not set.
    pub fn place(&self, key: &str) -> SourcePlace {
        self.source.place(self.value(key).map_or(self.at, |value| value.span().start))
    }

    fn idle(&self, key: &str, with: &str) -> ShapeError {
        let at = self.value(key).map_or(self.at, |value| value.span().start);
        self.source.error(at, StepFault::NoEffect { key: key.into(), with: with.into() })
    }

    fn value(&self, key: &str) -> Option<&'a LocatedValue<'a>> {
        self.table.get(key)
    }
}
