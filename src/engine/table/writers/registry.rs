//! All forms, one line each.

use batchlab_traces::nearest::{meant, nearest};

use super::form::WriterSpec;

/// All forms.
pub static WRITERS: &[WriterSpec] = &[
    super::terminal::SPEC,
    super::markdown::SPEC,
    super::latex::SPEC,
    super::html::SPEC,
    super::csv::SPEC,
    super::json::SPEC,
];

/// An unknown form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{given}`{}; tables are written as {}", near(given), names())]
pub struct UnknownFormat {
    /// The given name.
    pub given: String,
}

/// Returns the writer with a given name.
pub fn writer(name: &str) -> Result<&'static WriterSpec, UnknownFormat> {
    WRITERS.iter().find(|spec| spec.name == name).ok_or_else(|| UnknownFormat { given: name.into() })
}

fn near(given: &str) -> String {
    meant(nearest(given, WRITERS.iter().map(|spec| spec.name)))
}

fn names() -> String {
    let names: Vec<&str> = WRITERS.iter().map(|spec| spec.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use batchlab_traces::sorted::SortedSet;

    use super::*;
    use crate::table::Table;
    use crate::table::writers::Style;

    #[test]
    fn names_are_unique_and_an_unknown_one_lists_them() {
        let names: SortedSet<&str> = WRITERS.iter().map(|spec| spec.name).collect();
        assert_eq!(names.len(), WRITERS.len());
        let error = writer("xml").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format `xml` (did you mean `html`?); tables are written as table, markdown, latex, html, csv, json"
        );
    }

    #[test]
    fn every_form_writes_an_empty_table() {
        for spec in WRITERS {
            assert!((spec.write)(&Table::default(), &Style::default()).ends_with('\n'), "{}", spec.name);
        }
    }
}
