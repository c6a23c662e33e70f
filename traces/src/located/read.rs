//! Tables of a file as values of Rust: serde reads them, and every error has its place and the key.

use std::ops::Range;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::{LocatedError, LocatedToml, unknown_key_words};
use crate::nearest::{meant, nearest};

impl LocatedToml<'_> {
    /// Reads a table: the keys of a struct, and no others. `at` is the byte at which the table begins.
    ///
    /// # Errors
    /// At the first unknown key, with the known key that was probably meant; at the first value that is not as
    /// expected; at the table if a required key is absent.
    pub fn table<T: DeserializeOwned>(&self, table: &DeTable<'_>, at: usize) -> Result<T, LocatedError> {
        self.expect_keys(table, keys::<T>())?;
        self.part(table, at)
    }

    /// Reads the keys of a struct from a table that has other keys too. `at` is the byte at which the table begins.
    ///
    /// # Errors
    /// At the first value that is not as expected; at the table if a required key is absent.
    pub fn part<T: DeserializeOwned>(&self, table: &DeTable<'_>, at: usize) -> Result<T, LocatedError> {
        let known = keys::<T>();
        self.chosen(table, at, |key| known.contains(&key))
    }

    /// Reads the keys of a table that are not among the known ones, such as [`values::Ordered`](super::values::Ordered).
    /// `at` is the byte at which the table begins.
    ///
    /// # Errors
    /// At the first value that is not as expected.
    pub fn rest<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        at: usize,
        known: &[&str],
    ) -> Result<T, LocatedError> {
        self.chosen(table, at, |key| !known.contains(&key))
    }

    fn chosen<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        at: usize,
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<T, LocatedError> {
        let chosen = table.iter().filter(|(key, _)| is_chosen(key.get_ref()));
        let chosen: DeTable<'_> = chosen.map(|(key, value)| (key.clone(), value.clone())).collect();
        let value = Spanned::new(at..at, DeValue::Table(chosen));
        T::deserialize(toml::de::ValueDeserializer::from(value))
            .map_err(|error| self.phrased(table, at, &error))
    }

    /// Returns an error of serde with its place, in the words of this program.
    fn phrased(&self, table: &DeTable<'_>, at: usize, error: &Error) -> LocatedError {
        let span = error.span().unwrap_or(at..at);
        let what = error.message();
        if let Some(key) = what.strip_prefix("missing field ") {
            return self.error(span.start, format!("{key} is missing here"));
        }
        let Some(key) = key_of(table, &span) else { return self.error(span.start, what) };
        if let Some((given, known)) = unknown(what, "field") {
            return self.error(span.start, unknown_key_words(given, &known));
        }
        if let Some((given, known)) = unknown(what, "variant") {
            let meant = meant(nearest(given, known.iter().copied()));
            let known: Vec<String> = known.iter().map(|word| format!("\"{word}\"")).collect();
            return self.error(span.start, format!("`{key}` must be {}{meant}", or(&known)));
        }
        match what.split_once("expected ") {
            Some((_, expected)) => self.error(span.start, format!("`{key}` must be {}", plain(expected))),
            None => self.error(span.start, format!("{key}: {what}")),
        }
    }
}

/// Returns serde's words for a type in those of this program.
fn plain(expected: &str) -> &str {
    match expected {
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "f64" => "a number",
        "u64" => "a whole number from 0",
        other if other.starts_with("struct ") => "a table, { key = value }",
        other => other,
    }
}

/// Returns the keys of the tables that a struct is read from, in the order of its declaration.
pub fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &'static [&'static str] = &[];
    let asked = T::deserialize(Asked(&mut keys));
    debug_assert!(asked.is_err(), "there is nothing to read");
    keys
}

/// Returns the innermost key whose value a span is in.
fn key_of<'t>(table: &'t DeTable<'_>, span: &Range<usize>) -> Option<&'t str> {
    let within =
        |value: &Range<usize>| value.start <= span.start && span.start < value.end.max(value.start + 1);
    table.iter().find_map(|(key, value)| {
        let inner = match value.get_ref() {
            DeValue::Table(inner) => key_of(inner, span),
            DeValue::Array(items) => {
                items.iter().filter_map(|item| item.get_ref().as_table()).find_map(|item| key_of(item, span))
            }
            _ => None,
        };
        inner.or_else(|| within(&value.span()).then_some(key.get_ref().as_ref()))
    })
}

/// Takes serde's words for an unknown variant or field apart: what was given, and what is known.
fn unknown<'w>(what: &'w str, kind: &str) -> Option<(&'w str, Vec<&'w str>)> {
    let what = what.strip_prefix("unknown ")?.strip_prefix(kind)?.strip_prefix(" `")?;
    let (given, known) = what.split_once("`, expected ")?;
    Some((given, known.split('`').skip(1).step_by(2).collect()))
}

/// Returns words as a choice: `a, b or c`.
fn or(words: &[String]) -> String {
    match words {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        few => few.concat(),
    }
}

/// Asks a struct for its keys.
struct Asked<'k>(&'k mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("only a struct has keys"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(serde::de::Error::custom("its keys are known"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::values::{Length, Ordered, Text, Whole};
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Bus {
        line: Text,
        seats: Option<Spanned<Whole<1>>>,
        every: Option<Length>,
        #[serde(default)]
        kind: BusKind,
        low: Option<bool>,
        stops: Option<Vec<Stop>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are tested")]
    struct Stop {
        at: Whole<0>,
        name: Option<Text>,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum BusKind {
        #[default]
        Local,
        Express,
        Night,
    }

    fn bus(text: &str) -> Result<Bus, String> {
        let toml = LocatedToml::new(text, "b.toml");
        let whole = toml.parse().unwrap();
        let (table, at) = toml.list(&whole, "bus").unwrap()[0];
        toml.table(table, at).map_err(|error| error.to_string())
    }

    #[test]
    fn a_struct_has_the_keys_of_its_declaration() {
        assert_eq!(keys::<Bus>(), ["line", "seats", "every", "kind", "low", "stops"]);
        assert!(keys::<u32>().is_empty());
    }

    #[test]
    fn values_are_read_with_their_places() {
        let read = bus("[[bus]]\nline = \"12\"\nseats = 50\nevery = \"15m\"\nkind = \"night\"\nlow = true\n")
            .unwrap();
        let seats = read.seats.unwrap();
        assert_eq!((read.line.0.as_str(), seats.get_ref().0, read.kind), ("12", 50, BusKind::Night));
        assert_eq!((seats.span().start, read.every.unwrap().0.secs()), (28, 900.0));
        assert!(read.low == Some(true) && read.stops.is_none());
        let toml = LocatedToml::new("b = 2\nc = 1\na = 3\n", "b.toml");
        let rest: Ordered<Whole<0>> = toml.rest(&toml.parse().unwrap(), 0, &["c"]).unwrap();
        assert_eq!(rest.into_pairs(|number| number.0), [("b".to_owned(), 2), ("a".to_owned(), 3)]);
    }

    #[test]
    fn what_is_wrong_is_told_with_place_and_key() {
        let wrong = |more: &str| bus(&format!("[[bus]]\n{more}\n")).unwrap_err();
        assert_eq!(wrong("seats = 3"), "b.toml:1:1: `line` is missing here");
        assert_eq!(wrong("line = 3"), "b.toml:2:8: `line` must be a text in quotes");
        assert_eq!(wrong("line = \"1\"\nlow = 1"), "b.toml:3:7: `low` must be true or false");
        assert_eq!(wrong("line = \"1\"\nstops = 1"), "b.toml:3:9: `stops` must be a list");
        assert_eq!(
            wrong("line = \"1\"\nstops = [1]"),
            "b.toml:3:10: `stops` must be a table, { key = value }"
        );
        assert_eq!(wrong("line = \"1\"\nstops = [{}]"), "b.toml:3:10: `at` is missing here");
        assert_eq!(
            wrong("line = \"1\"\nstops = [{ at = 1, nam = 2 }]"),
            "b.toml:3:20: unknown key `nam` (did you mean `name`?); known are at, name"
        );
        assert_eq!(wrong("line = \"1\"\nseats = 0"), "b.toml:3:9: `seats` must be a whole number from 1");
        assert_eq!(
            wrong("line = \"1\"\nkind = \"nigth\""),
            "b.toml:3:8: `kind` must be \"local\", \"express\" or \"night\" (did you mean `night`?)"
        );
        assert_eq!(
            wrong("line = \"1\"\nseat = 0"),
            "b.toml:3:1: unknown key `seat` (did you mean `seats`?); known are line, seats, every, kind, low, stops"
        );
    }
}
