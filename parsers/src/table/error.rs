//! Errors in mappings.

use std::ops::Range;

use batchlab_traces::nearest::{meant, nearest};

use super::raw::KEYS;

/// The error for which a mapping cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MappingError {
    /// Line of the mapping, from 1.
    pub line: usize,
    /// The error, and the correct form.
    pub what: String,
}

/// The text of a mapping, to determine line numbers.
#[derive(Clone, Copy)]
pub(super) struct MappingText<'a>(pub(super) &'a str);

impl MappingText<'_> {
    /// Returns the line, from 1, of a part of the text.
    pub(super) fn line(self, part: &Range<usize>) -> usize {
        batchlab_traces::located::line(self.0, part.start)
    }

    /// Returns an error about a part of the text.
    pub(super) fn error(self, part: &Range<usize>, what: impl Into<String>) -> MappingError {
        MappingError { line: self.line(part), what: what.into() }
    }

    /// Returns the error for a text that is not a valid mapping; suggests the nearest key for a wrong one.
    pub(super) fn unparsed(self, error: &toml::de::Error) -> MappingError {
        let part = error.span().unwrap_or(0..0);
        let mut what = error.message().trim().to_owned();
        if let (true, Some(key)) = (what.starts_with("unknown field"), self.0.get(part.clone())) {
            what = format!("unknown key `{key}` here{}", meant(nearest(key, KEYS.iter().copied())));
        }
        self.error(&part, what)
    }
}

/// Lists words: "`a`, `b`".
pub(super) fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
