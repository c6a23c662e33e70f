use batchlab_traces::SourcePlace;
pub use batchlab_traces::located::LocatedError as ExperimentError;
use batchlab_traces::located::{LocatedToml, NotTables, Spanned};
use batchlab_traces::nearest::{meant, nearest};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

/// One table of the file; `K` has the values of its keys once they are read.
#[derive(Clone, Debug)]
pub struct Section<'a, K = ()> {
    toml: &'a LocatedToml<'a>,
    table: &'a DeTable<'a>,
    /// Byte offset of its beginning.
    at: usize,
    pub keys: K,
}

#[derive(Clone, Copy, Debug)]
pub struct PlacedKey<'a> {
    toml: &'a LocatedToml<'a>,
    name: &'a str,
    at: usize,
}

impl<'a> Section<'a> {
    pub fn whole(toml: &'a LocatedToml<'a>, table: &'a DeTable<'a>) -> Section<'a> {
        Section { toml, table, at: 0, keys: () }
    }

    /// Reads the keys, and refuses unknown ones, values that are not as declared, and the absence of required keys.
    pub fn read<K: DeserializeOwned>(&self) -> Result<Section<'a, K>, ExperimentError> {
        Ok(self.with(self.toml.table(self.table, self.at)?))
    }

    /// Reads the keys from among others.
    pub fn part<K: DeserializeOwned>(&self) -> Result<Section<'a, K>, ExperimentError> {
        Ok(self.with(self.toml.part(self.table, self.at)?))
    }

    fn with<K>(&self, keys: K) -> Section<'a, K> {
        Section { toml: self.toml, table: self.table, at: self.at, keys }
    }
}

impl<'a, K> Section<'a, K> {
    /// Refuses unknown keys: at the first one, with the nearest known key.
    pub fn known(&self, keys: &[&str]) -> Result<(), ExperimentError> {
        self.toml.expect_keys(self.table, keys)
    }

    /// Reads the keys that are not among the known ones.
    pub fn rest<T: DeserializeOwned>(&self, known: &[&str]) -> Result<T, ExperimentError> {
        self.toml.rest(self.table, self.at, known)
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub fn section(&self, key: &str) -> Result<Option<Section<'a>>, ExperimentError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Some(Section { toml: self.toml, table, at: value.span().start, keys: () }))
            }
            _ => Err(self.wrong(key, &format!("`{key}` must be a table, [{key}]"))),
        }
    }

    /// Returns the tables of a list, `[[key]]`; none if the key is absent.
    pub fn sections(&self, key: &str) -> Result<Vec<Section<'a>>, ExperimentError> {
        let wrong =
            |not: NotTables| self.toml.error(not.list, format!("`{key}` is written as tables, [[{key}]]"));
        let tables = LocatedToml::tables(self.table, key).map_err(wrong)?;
        let section = |(table, at)| Section { toml: self.toml, table, at, keys: () };
        Ok(tables.into_iter().map(section).collect())
    }

    pub fn error(&self, what: &str) -> ExperimentError {
        self.toml.error(self.at, what)
    }

    /// Returns an error about the value of a key; about the section if the key is absent.
    pub fn wrong(&self, key: &str, what: &str) -> ExperimentError {
        self.key(key).wrong(what)
    }

    /// Returns the position of a key's value; that of the section if the key is absent.
    pub fn place(&self, key: &str) -> SourcePlace {
        self.toml.place(self.key(key).at)
    }

    /// Returns a key with the place of its value; that of the section if the key is absent.
    pub fn key<'k>(&'k self, name: &'k str) -> PlacedKey<'k> {
        let at = self.table.get(name).map_or(self.at, |value| value.span().start);
        PlacedKey { toml: self.toml, name, at }
    }
}

impl<'a> PlacedKey<'a> {
    #[must_use]
    pub fn inner<T>(self, name: &'a str, value: &Spanned<T>) -> PlacedKey<'a> {
        PlacedKey { name, at: value.span().start, ..self }
    }

    pub fn name(&self) -> &'a str {
        self.name
    }

    pub fn wrong(&self, what: &str) -> ExperimentError {
        self.toml.error(self.at, what)
    }

    pub fn unknown<'k>(
        &self,
        given: &str,
        known: impl IntoIterator<Item = &'k str> + Clone,
    ) -> ExperimentError {
        let meant = meant(nearest(given, known.clone()));
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        self.wrong(&format!("{}: unknown `{given}`{meant}; known are {known}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::located::values::{Ordered, Scalars, Whole};

    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Keys {
        n: Option<Whole<1>>,
    }

    fn first_error<T>(text: &str, read: impl Fn(&Section<'_>) -> Result<T, ExperimentError>) -> String {
        let toml = LocatedToml::new(text, "e.toml");
        let table = toml.parse().unwrap();
        let Err(error) = read(&Section::whole(&toml, &table)) else { return String::new() };
        error.to_string()
    }

    #[test]
    fn keys_are_read_with_others_or_alone() {
        let toml = LocatedToml::new("n = 3\nz = [1, 2]\na = \"one\"\n", "e.toml");
        let table = toml.parse().unwrap();
        let whole = Section::whole(&toml, &table);
        assert_eq!(whole.part::<Keys>().unwrap().keys.n, Some(Whole(3)));
        let rest = whole.rest::<Ordered<Scalars>>(&["n"]).unwrap().into_pairs(|values| values.0.join(","));
        assert_eq!(rest, [("z".into(), "1,2".into()), ("a".into(), "one".into())]);
        assert_eq!(whole.read::<Keys>().unwrap_err().to_string(), "e.toml:2:1: unknown key `z`; known are n");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let known = |section: &Section<'_>| section.known(&["policy", "sweep"]);
        assert_eq!(
            first_error("sweep = 1\npolcy = 2\n", known),
            "e.toml:2:1: unknown key `polcy` (did you mean `policy`?); known are policy, sweep"
        );
        let number = |section: &Section<'_>| section.read::<Keys>().map(|_| ());
        assert_eq!(first_error("n = 0\n", number), "e.toml:1:5: `n` must be a whole number from 1");
        let word =
            |section: &Section<'_>| Err::<(), _>(section.key("form").unknown("wdie", ["wide", "long"]));
        assert_eq!(
            first_error("\nform = \"wdie\"\n", word),
            "e.toml:2:8: form: unknown `wdie` (did you mean `wide`?); known are wide, long"
        );
        let tables = |section: &Section<'_>| section.sections("policy").map(|_| ());
        assert_eq!(
            first_error("policy = 3\n", tables),
            "e.toml:1:10: `policy` is written as tables, [[policy]]"
        );
    }
}
