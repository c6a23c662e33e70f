//! Reads the tables of an experiment file key by key; every error gives its line.

use batchlab_traces::SourcePlace;
pub use batchlab_traces::located::LocatedError as ExperimentError;
use batchlab_traces::located::{LocatedToml, NotTables, UnknownKey, integer, number, unknown_key};
use batchlab_traces::nearest::{meant, nearest};
use toml::de::{DeTable, DeValue};

/// The text of a file, for finding positions in it.
#[derive(Clone, Debug)]
pub struct Sheet<'a>(LocatedToml<'a>);

/// One table of the file.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    sheet: &'a Sheet<'a>,
    /// Its name, as the file writes it: `[[table]]`.
    name: &'a str,
    table: &'a DeTable<'a>,
    /// Byte offset of its beginning.
    at: usize,
}

impl<'a> Sheet<'a> {
    /// Takes a text; `file` is its name as the user gave it.
    pub fn new(text: &'a str, file: &str) -> Sheet<'a> {
        Sheet(LocatedToml::new(text, file))
    }

    /// Parses the text as TOML.
    ///
    /// # Errors
    /// At the first syntax error.
    pub fn parse(&self) -> Result<DeTable<'a>, ExperimentError> {
        self.0.parse()
    }

    /// Returns the whole file as a section.
    pub fn whole(&'a self, table: &'a DeTable<'a>) -> Section<'a> {
        Section { sheet: self, name: "the experiment", table, at: 0 }
    }

    fn place(&self, at: usize) -> SourcePlace {
        self.0.place(at)
    }

    pub(super) fn error(&self, at: usize, what: impl AsRef<str>) -> ExperimentError {
        self.0.error(at, what)
    }
}

impl<'a> Section<'a> {
    /// Refuses unknown keys.
    ///
    /// # Errors
    /// At the first one, with the nearest known key.
    pub fn known(&self, keys: &[&str]) -> Result<(), ExperimentError> {
        let Some(UnknownKey { key, at, meant }) = unknown_key(self.table, keys) else { return Ok(()) };
        let what = format!("{} has no key `{key}`{meant}; it has {}", self.name, keys.join(", "));
        Err(self.sheet.error(at, what))
    }

    /// Returns the keys in the order of the file.
    pub fn keys(&self) -> Vec<&'a str> {
        let mut keys: Vec<(usize, &str)> =
            self.table.keys().map(|key| (key.span().start, key.get_ref().as_ref())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// Whether a key is present.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Returns a string.
    ///
    /// # Errors
    /// If it is not a string, or is empty.
    pub fn text(&self, key: &str) -> Result<Option<String>, ExperimentError> {
        self.read(key, "a text in quotes", |value| {
            value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
        })
    }

    /// Returns a required string.
    ///
    /// # Errors
    /// If it is absent, or not a string.
    pub fn needed(&self, key: &str) -> Result<String, ExperimentError> {
        self.text(key)?.ok_or_else(|| self.error(&format!("{} needs `{key}`", self.name)))
    }

    /// Returns a value of any simple type as the command line would write it: a string, a number, true or
    /// false.
    ///
    /// # Errors
    /// If it is a list or a table.
    pub fn scalar(&self, key: &str) -> Result<Option<String>, ExperimentError> {
        self.read(key, "a text, a number, true or false", scalar)
    }

    /// Returns a list of simple values; a single value is a list of one.
    ///
    /// # Errors
    /// If it is not, or is empty.
    pub fn scalars(&self, key: &str) -> Result<Option<Vec<String>>, ExperimentError> {
        self.read(key, "a value or a list of values", |value| match value {
            DeValue::Array(list) if list.is_empty() => None,
            DeValue::Array(list) => list.iter().map(|item| scalar(item.get_ref())).collect(),
            one => Some(vec![scalar(one)?]),
        })
    }

    /// Returns a list of strings; a single string is a list of one.
    ///
    /// # Errors
    /// If it is not, or is empty.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ExperimentError> {
        let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
        self.read(key, "a text in quotes or a list of them", |value| match value {
            DeValue::Array(list) if list.is_empty() => None,
            DeValue::Array(list) => list.iter().map(|item| text(item.get_ref())).collect(),
            one => Some(vec![text(one)?]),
        })
    }

    /// Returns a number.
    ///
    /// # Errors
    /// If it is not a number, or not finite.
    pub fn number(&self, key: &str) -> Result<Option<f64>, ExperimentError> {
        self.read(key, "a number", |value| number(value).filter(|number| number.is_finite()))
    }

    /// Returns a whole number.
    ///
    /// # Errors
    /// If it is not a whole number, or less than `least`.
    pub fn whole(&self, key: &str, least: u64) -> Result<Option<u64>, ExperimentError> {
        let expected = format!("a whole number from {least}");
        self.read(key, &expected, |value| whole(value).filter(|&number| number >= least))
    }

    /// Returns true or false.
    ///
    /// # Errors
    /// If it is neither.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general over lifetimes")]
    pub fn truth(&self, key: &str) -> Result<Option<bool>, ExperimentError> {
        self.read(key, "true or false", |value| value.as_bool())
    }

    /// Returns the value that stands for one of several words.
    ///
    /// # Errors
    /// If it is none of the words, with the nearest of them.
    pub fn one_of<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, ExperimentError> {
        let Some(given) = self.text(key)? else { return Ok(None) };
        self.word(key, &given, words).map(Some)
    }

    /// Returns the value that stands for a word given under a key.
    ///
    /// # Errors
    /// If it is none of the words, with the nearest of them.
    pub fn word<T: Copy>(&self, key: &str, given: &str, words: &[(&str, T)]) -> Result<T, ExperimentError> {
        match words.iter().find(|(word, _)| *word == given) {
            Some((_, stands_for)) => Ok(*stands_for),
            None => Err(self.unknown(key, given, words.iter().map(|(word, _)| *word))),
        }
    }

    /// Returns the error for an unknown name.
    pub fn unknown<'k>(
        &self,
        key: &str,
        given: &str,
        known: impl IntoIterator<Item = &'k str> + Clone,
    ) -> ExperimentError {
        let meant = meant(nearest(given, known.clone()));
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        self.wrong(key, &format!("{key}: unknown `{given}`{meant}; known are {known}"))
    }

    /// Returns the pairs of a table under a key, in the order of the file: names and simple values.
    ///
    /// # Errors
    /// If it is not a table, or has values of other types.
    pub fn pairs(&self, key: &str) -> Result<Vec<(String, String)>, ExperimentError> {
        let Some(section) = self.section(key, key)? else { return Ok(Vec::new()) };
        let pair = |name: &str| Ok((name.to_owned(), section.scalar(name)?.unwrap_or_default()));
        section.keys().into_iter().map(pair).collect()
    }

    /// Returns the pairs of a table whose values may be lists, as texts: a list is joined by commas.
    ///
    /// # Errors
    /// If it is no such table.
    pub fn lists(&self, key: &str) -> Result<Vec<(String, String)>, ExperimentError> {
        let Some(section) = self.section(key, key)? else { return Ok(Vec::new()) };
        let pair = |name: &str| Ok((name.to_owned(), section.scalars(name)?.unwrap_or_default().join(",")));
        section.keys().into_iter().map(pair).collect()
    }

    /// Returns the table under a key; `name` is its name in errors.
    ///
    /// # Errors
    /// If it is not a table.
    pub fn section(&self, key: &str, name: &'a str) -> Result<Option<Section<'a>>, ExperimentError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Some(Section { sheet: self.sheet, name, table, at: value.span().start }))
            }
            _ => Err(self.wrong(key, &format!("`{key}` must be a table, [{key}]"))),
        }
    }

    /// Whether a key has a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// Returns the tables of a list, `[[key]]`; none if the key is absent.
    ///
    /// # Errors
    /// If it is not a list of tables.
    pub fn sections(&self, key: &str, name: &'a str) -> Result<Vec<Section<'a>>, ExperimentError> {
        let wrong =
            |not: NotTables| self.sheet.error(not.list, format!("`{key}` is written as tables, [[{key}]]"));
        let tables = LocatedToml::tables(self.table, key).map_err(wrong)?;
        let section = |(table, at)| Section { sheet: self.sheet, name, table, at };
        Ok(tables.into_iter().map(section).collect())
    }

    /// Returns an error about the section.
    pub fn error(&self, what: &str) -> ExperimentError {
        self.sheet.error(self.at, what)
    }

    /// Returns an error about the value of a key; about the section if the key is absent.
    pub fn wrong(&self, key: &str, what: &str) -> ExperimentError {
        self.sheet.error(self.table.get(key).map_or(self.at, |value| value.span().start), what)
    }

    /// Returns the position of a key's value; that of the section if the key is absent.
    pub fn place(&self, key: &str) -> SourcePlace {
        self.sheet.place(self.table.get(key).map_or(self.at, |value| value.span().start))
    }

    fn read<T>(
        &self,
        key: &str,
        expected: &str,
        of: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Result<Option<T>, ExperimentError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let wrong = || self.sheet.error(value.span().start, format!("`{key}` must be {expected}"));
        of(value.get_ref()).ok_or_else(wrong).map(Some)
    }
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Integer(_) => integer(value).map(|number| number.to_string()),
        DeValue::Float(_) => number(value).map(|number| number.to_string()),
        _ => None,
    }
}

fn whole(value: &DeValue<'_>) -> Option<u64> {
    integer(value).and_then(|number| u64::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_error<T>(text: &str, read: impl Fn(&Section<'_>) -> Result<T, ExperimentError>) -> String {
        let sheet = Sheet::new(text, "e.toml");
        let table = sheet.parse().unwrap();
        let Err(error) = read(&sheet.whole(&table)) else { return String::new() };
        error.to_string()
    }

    #[test]
    fn values_are_read_as_they_are_meant() {
        let text = "a = 1_000\nb = 0.75\nc = [0.5, \"x\", true]\nd = \"one\"\n[e]\nz = 1\ny = \"two\"\n";
        let sheet = Sheet::new(text, "e.toml");
        let table = sheet.parse().unwrap();
        let whole = sheet.whole(&table);
        assert_eq!(whole.whole("a", 1).unwrap(), Some(1000));
        assert_eq!((whole.number("b").unwrap(), whole.number("a").unwrap()), (Some(0.75), Some(1000.0)));
        assert_eq!(whole.scalars("c").unwrap().unwrap(), ["0.5", "x", "true"]);
        assert_eq!(whole.texts("d").unwrap().unwrap(), ["one"]);
        assert_eq!(whole.pairs("e").unwrap(), [("z".into(), "1".into()), ("y".into(), "two".into())]);
        assert_eq!((whole.text("none").unwrap(), whole.has("none")), (None, false));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let known = |section: &Section<'_>| section.known(&["policy", "sweep"]);
        assert_eq!(
            first_error("sweep = 1\npolcy = 2\n", known),
            "e.toml:2:1: the experiment has no key `polcy` (did you mean `policy`?); it has policy, sweep"
        );
        let whole = |section: &Section<'_>| section.whole("n", 1);
        assert_eq!(first_error("n = 0\n", whole), "e.toml:1:5: `n` must be a whole number from 1");
        let form = |section: &Section<'_>| section.one_of("form", &[("wide", 1), ("long", 2)]);
        assert_eq!(
            first_error("\nform = \"wdie\"\n", form),
            "e.toml:2:8: form: unknown `wdie` (did you mean `wide`?); known are wide, long"
        );
        let tables = |section: &Section<'_>| section.sections("policy", "[[policy]]").map(|_| ());
        assert_eq!(
            first_error("policy = 3\n", tables),
            "e.toml:1:10: `policy` is written as tables, [[policy]]"
        );
    }
}
