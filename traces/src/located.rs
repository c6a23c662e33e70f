//! TOML files whose errors name their place: experiments, machine files, steps, cleaning rules, mappings.
//!
//! A table is declared as a struct with [`serde::Deserialize`] and read by [`LocatedToml::table`]; a place that is needed later
//! is kept with [`Spanned`]. Keys of several structs may stand in one table: each reads its [`part`](LocatedToml::part).

mod node;
mod read;
mod spanned;
pub mod values;

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

pub use self::read::{key_of_field, keys};
pub use self::spanned::Spanned;
use crate::arrange::Arrange as _;
use crate::finding::SourcePlace;
use crate::nearest::{meant, nearest};

/// A value of a file, with its position in bytes.
pub type LocatedValue<'a> = toml::Spanned<DeValue<'a>>;

/// The text of a TOML file, and its name.
#[derive(Clone, Debug)]
pub struct LocatedToml<'a> {
    file: Arc<str>,
    text: &'a str,
    lines: Vec<usize>,
}

/// An error in a TOML file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct LocatedError {
    /// File, line and column.
    pub place: SourcePlace,
    /// The error, and what would be correct.
    pub what: String,
}

impl LocatedError {
    /// Returns several errors as one, in the order of the file, a line for each; `None` if there are none.
    pub fn all(errors: impl IntoIterator<Item = LocatedError>) -> Option<LocatedError> {
        let mut errors: Vec<LocatedError> = errors.into_iter().collect();
        errors.arrange_by_key(|error| (error.place.line, error.place.column));
        errors.dedup();
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        let what = errors.fold(first.what, |what, error| format!("{what}\n{error}"));
        Some(LocatedError { what, ..first })
    }
}

impl<'a> LocatedToml<'a> {
    /// Wraps a text; `file` is its name as the user gave it.
    pub fn new(text: &'a str, file: &str) -> LocatedToml<'a> {
        let after_ends = text.match_indices('\n').map(|(end, _)| end + 1);
        LocatedToml { file: file.into(), text, lines: std::iter::once(0).chain(after_ends).collect() }
    }

    /// Parses the text.
    ///
    /// # Errors
    /// When the text is not TOML, at the first wrong byte.
    pub fn parse(&self) -> Result<DeTable<'a>, LocatedError> {
        let parsed = DeTable::parse(self.text).map(toml::Spanned::into_inner);
        parsed.map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, self.twice(at, error.message()).as_deref().unwrap_or(error.message()))
        })
    }

    /// Returns the error for a table that stands twice, in the words of this program: `[policy]` for `[[policy]]`.
    fn twice(&self, at: usize, message: &str) -> Option<String> {
        let begin = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text.get(begin..)?.lines().next()?.trim();
        let name = line.strip_prefix('[')?.trim_matches(['[', ']', ' ']);
        (message == "duplicate key").then(|| {
            format!("`{name}` stands twice: if a file may have several of them, write each as [[{name}]]")
        })
    }

    /// Returns the place of a byte of the text. O(log n) for n lines.
    pub fn place(&self, at: usize) -> SourcePlace {
        let at = at.min(self.text.len());
        let line = self.lines.partition_point(|&begin| begin <= at);
        let column = 1 + at - self.lines.get(line - 1).copied().unwrap_or_default();
        SourcePlace { file: Arc::clone(&self.file), line: line as u32, column: column as u32 }
    }

    /// Returns an error at a byte of the text.
    pub fn error(&self, at: usize, what: impl AsRef<str>) -> LocatedError {
        LocatedError { place: self.place(at), what: what.as_ref().trim().into() }
    }

    /// Returns a part of the text, on one line.
    pub fn written(&self, span: std::ops::Range<usize>) -> String {
        let text = self.text.get(span).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Refuses keys that a table does not have.
    ///
    /// # Errors
    /// At the first unknown key, with the known key that was probably meant.
    pub fn expect_keys(&self, table: &DeTable<'_>, known: &[&str]) -> Result<(), LocatedError> {
        let Some(unknown) = unknown_key(table, known) else { return Ok(()) };
        let what = format!("unknown key `{}`{}; known are {}", unknown.key, unknown.meant, known.join(", "));
        Err(self.error(unknown.at, what))
    }

    /// Returns the tables of `[[key]]`, each with the byte at which it begins; none if the key is absent.
    pub fn list<'t>(
        &self,
        table: &'t DeTable<'a>,
        key: &str,
    ) -> Result<Vec<(&'t DeTable<'a>, usize)>, LocatedError> {
        let wrong = |not: NotTables| self.error(not.item, format!("`{key}` is written as tables, [[{key}]]"));
        LocatedToml::tables(table, key).map_err(wrong)
    }

    /// Returns the tables of `[[key]]`, each with the byte at which it begins; none if the key is absent.
    pub fn tables<'t>(table: &'t DeTable<'a>, key: &str) -> Result<Vec<(&'t DeTable<'a>, usize)>, NotTables> {
        let Some(value) = table.get(key) else { return Ok(Vec::new()) };
        let list = value.span().start;
        let items = value.get_ref().as_array().ok_or(NotTables { list, item: list })?;
        let one = |item: &'t LocatedValue<'a>| match item.get_ref() {
            DeValue::Table(table) => Ok((table, item.span().start)),
            _ => Err(NotTables { list, item: item.span().start }),
        };
        items.iter().map(one).collect()
    }
}

/// A value that is not a list of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTables {
    /// The byte at which the value begins.
    pub list: usize,
    /// The byte at which the first item that is not a table begins; that of the value if it is not a list.
    pub item: usize,
}

/// A key that a table does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey<'t> {
    /// The key.
    pub key: &'t str,
    /// The byte at which it begins.
    pub at: usize,
    /// The known key that was probably meant, in the form used in errors: ` (did you mean ...?)`.
    pub meant: String,
}

/// Returns the first key of a table, in the order of the file, that is not among the known ones.
pub fn unknown_key<'t>(table: &'t DeTable<'_>, known: &[&str]) -> Option<UnknownKey<'t>> {
    let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
    let key = unknown.min_by_key(|key| key.span().start)?;
    let meant = meant(nearest(key.get_ref(), known.iter().copied()));
    Some(UnknownKey { key: key.get_ref(), at: key.span().start, meant })
}

/// Returns the line, from 1, of a byte of a text.
pub fn line(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].split(|&byte| byte == b'\n').count()
}

/// Returns a value that is a whole number.
pub fn integer(value: &DeValue<'_>) -> Option<i128> {
    let integer = value.as_integer()?;
    i128::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
}

/// Returns a value that is a number, whole or not.
pub fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(_) => integer(value).map(|number| number as f64),
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1_000\n[b]\nq = 0x10\nlimti = 2.5\n";

    #[test]
    fn bytes_have_lines_and_columns() {
        let toml = LocatedToml::new(TEXT, "f.toml");
        let at = |byte: usize| toml.place(byte).to_string();
        assert_eq!([at(0), at(4), at(9), at(10)], ["f.toml:1:1", "f.toml:1:5", "f.toml:1:10", "f.toml:2:1"]);
        assert_eq!(at(10_000), "f.toml:5:1", "what is past the end stands at the end");
        assert_eq!((line(TEXT, 9), line(TEXT, 10), line("ä\nb", 3)), (1, 2, 2));
    }

    #[test]
    fn keys_and_values_are_found_with_their_places() {
        let toml = LocatedToml::new(TEXT, "f.toml");
        let table = toml.parse().unwrap();
        assert_eq!(integer(table["a"].get_ref()), Some(1000));
        let inner = table["b"].get_ref().as_table().unwrap();
        assert_eq!((integer(inner["q"].get_ref()), number(inner["limti"].get_ref())), (Some(16), Some(2.5)));
        let unknown = unknown_key(inner, &["q", "limit"]).unwrap();
        assert_eq!((unknown.key, unknown.meant.as_str()), ("limti", " (did you mean `limit`?)"));
        assert_eq!(toml.error(unknown.at, " no ").to_string(), "f.toml:4:1: no");
        assert_eq!(unknown_key(inner, &["q", "limti"]), None);
        assert_eq!(LocatedToml::tables(&table, "a").unwrap_err(), NotTables { list: 4, item: 4 });
        assert!(LocatedToml::tables(&table, "c").unwrap().is_empty());
    }

    #[test]
    fn several_errors_are_one_with_a_line_for_each() {
        let toml = LocatedToml::new(TEXT, "f.toml");
        let errors = [toml.error(20, "second"), toml.error(4, "first"), toml.error(4, "first")];
        assert_eq!(LocatedError::all(errors).unwrap().to_string(), "f.toml:1:5: first\nf.toml:3:7: second");
        assert_eq!(LocatedError::all([]), None);
    }

    #[test]
    fn a_table_that_stands_twice_is_named() {
        let error = LocatedToml::new("[policy]\na = 1\n[[policy]]\na = 2\n", "f.toml").parse().unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.toml:3:3: `policy` stands twice: if a file may have several of them, write each as [[policy]]"
        );
    }

    #[test]
    fn what_is_not_toml_is_refused_at_its_place() {
        let error = LocatedToml::new("a = 1\nb = \n", "f.toml").parse().unwrap_err();
        assert!(error.to_string().starts_with("f.toml:2:"), "{error}");
    }
}
