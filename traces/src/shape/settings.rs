pub(super) mod values;

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::error::{ShapeError, StepFault};
use crate::finding::SourcePlace;
use crate::located::{LocatedToml, LocatedValue};

pub(super) const KIND: &str = "kind";

/// The settings of a step: the table as written. Every error about a parameter includes its place in the file.
pub(super) struct Settings<'a> {
    pub toml: &'a LocatedToml<'a>,
    pub step: &'static str,
    pub table: &'a DeTable<'a>,
    pub at: usize,
}

impl<'a> Settings<'a> {
    /// Reads the parameters. Fails when a value is not as expected.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ShapeError> {
        Ok(self.toml.part(self.table, self.at)?)
    }

    /// Returns the parameters that were set, in the order of the file, for display.
    pub fn detail(&self) -> String {
        let mut set: Vec<(usize, String)> = Vec::new();
        for (key, value) in self.table.iter().filter(|(key, _)| key.get_ref() != KIND) {
            set.push((key.span().start, format!("{}={}", key.get_ref(), self.toml.written(value.span()))));
        }
        set.sort();
        set.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    /// Returns which of several parameters is set. Fails when none of them is set, or more than one.
    pub fn one_of(&self, keys: &[&'static str]) -> Result<&'static str, ShapeError> {
        let set: Vec<&'static str> = keys.iter().copied().filter(|&key| self.has(key)).collect();
        match set[..] {
            [key] => Ok(key),
            [] => Err(self.missing(&format!("one of {}", keys.join(", ")))),
            [first, second, ..] => Err(self.error(second, StepFault::no_effect(second, first))),
        }
    }

    /// Refuses parameters that are set and have no effect with another. Fails when one of them is set.
    pub fn refuse(&self, keys: &[&str], with: &str) -> Result<(), ShapeError> {
        match keys.iter().find(|&&key| self.has(key)) {
            Some(key) => Err(self.error(key, StepFault::no_effect(key, with))),
            None => Ok(()),
        }
    }

    pub fn missing(&self, needs: &str) -> ShapeError {
        let fault = StepFault::Missing { step: self.step, needs: needs.into() };
        ShapeError { place: self.place(self.at), fault }
    }

    pub fn wrong(&self, key: &str, expected: &str) -> ShapeError {
        self.error(key, StepFault::Text(format!("`{key}` must be {expected}")))
    }

    /// Returns a parameter that is set, as written.
    pub fn shown(&self, key: &str) -> String {
        format!(
            "{key} = {}",
            self.value(key).map_or_else(String::new, |value| self.toml.written(value.span()))
        )
    }

    pub fn place(&self, at: usize) -> SourcePlace {
        self.toml.place(at)
    }

    fn error(&self, key: &str, fault: StepFault) -> ShapeError {
        let at = self.value(key).map_or(self.at, |value| value.span().start);
        ShapeError { place: self.place(at), fault }
    }

    fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn value(&self, key: &str) -> Option<&'a LocatedValue<'a>> {
        self.table.get(key)
    }
}
