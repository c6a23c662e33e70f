//! Tables of a file as values of Rust: serde reads them, and every error has its place and the key.

use std::ops::Range;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use toml::de::{DeTable, DeValue};

use super::node::{Node, Wrong};
use super::spanned::Spanned;
use super::{LocatedError, LocatedToml};
use crate::nearest::{meant, nearest};

/// What a file must state in place of a number that does not fit into 64 bits with a sign.
const SHORT: &str = "a number of at most 64 bits";

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

    /// Reads a table, as [`LocatedToml::table`] does.
    ///
    /// # Errors
    /// All unknown keys and all values that are not as expected; a required key that is absent.
    pub fn table_or_all<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        at: usize,
    ) -> Result<T, Vec<LocatedError>> {
        let (mut rest, mut errors) = (table.clone(), Vec::new());
        loop {
            let error = match self.table(&rest, at) {
                Ok(read) if errors.is_empty() => return Ok(read),
                Ok(_) => return Err(errors),
                Err(error) => error,
            };
            let is_of = |(key, value): &(&toml::Spanned<_>, &super::LocatedValue<'_>)| {
                let within = self.place(key.span().start)..=self.place(value.span().end);
                (within.start().line, within.start().column) <= (error.place.line, error.place.column)
                    && (error.place.line, error.place.column) <= (within.end().line, within.end().column)
            };
            let wrong = rest.iter().find(is_of).map(|(key, _)| key.clone());
            let before = errors.len();
            // A key that was taken out because of its value is not missing.
            if wrong.is_some() || before == 0 {
                errors.push(error);
            }
            match wrong {
                Some(key) => rest.remove(&key),
                None => return Err(errors),
            };
        }
    }

    /// Reads the keys of a struct from a table that has other keys too. `at` is the byte at which the table begins.
    pub fn part<T: DeserializeOwned>(&self, table: &DeTable<'_>, at: usize) -> Result<T, LocatedError> {
        let known = keys::<T>();
        self.chosen(table, at, &|key| known.contains(&key))
    }

    /// Reads the keys of a table that are not among the known ones, such as [`Ordered`](super::values::Ordered). `at` is
    /// the byte at which the table begins.
    pub fn rest<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        at: usize,
        known: &[&str],
    ) -> Result<T, LocatedError> {
        self.chosen(table, at, &|key| !known.contains(&key))
    }

    fn chosen<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        at: usize,
        is_chosen: &dyn Fn(&str) -> bool,
    ) -> Result<T, LocatedError> {
        T::deserialize(Node::table(table, is_chosen, at..at)).map_err(|wrong| self.phrased(table, at, &wrong))
    }

    /// Reads the value of a key that no struct has, such as the name of a resource; nothing if it is absent.
    pub fn value<T: DeserializeOwned>(
        &self,
        table: &DeTable<'_>,
        key: &str,
    ) -> Result<Option<Spanned<T>>, LocatedError> {
        let Some(value) = table.get(key) else { return Ok(None) };
        let read = T::deserialize(Node::new(value)).map(|read| Some(Spanned::new(value.span(), read)));
        read.map_err(|wrong| self.phrased(table, value.span().start, &wrong))
    }

    /// Returns an error of serde with its place, in the words of this program.
    fn phrased(&self, table: &DeTable<'_>, at: usize, wrong: &Wrong) -> LocatedError {
        let (span, what) = (wrong.span.clone().unwrap_or(at..at), wrong.what.as_str());
        if let Some(key) = what.strip_prefix("missing field ") {
            return self.error(span.start, format!("{key} is missing here"));
        }
        if let Some((given, known)) = unknown_name(what, "field") {
            let meant = meant(nearest(given, known.iter().copied()));
            let known = known.join(", ");
            return self.error(span.start, format!("unknown key `{given}`{meant}; known are {known}"));
        }
        let Some(key) = key_of(table, &span) else { return self.error(span.start, what) };
        if let Some((given, known)) = unknown_name(what, "variant") {
            let meant = meant(nearest(given, known.iter().copied()));
            let known: Vec<String> = known.iter().map(|word| format!("\"{word}\"")).collect();
            return self.error(span.start, format!("`{key}` must be {}{meant}", or(&known)));
        }
        let what = match what.split_once("expected ") {
            _ if what.starts_with("is ") => format!("`{key}` {what}"),
            Some((_, expected)) => format!("`{key}` must be {}", plain(expected)),
            None if what.starts_with("wanted ") => format!("`{key}` must be a word in quotes"),
            None if what.ends_with(" value was too large") => format!("`{key}` must be {SHORT}"),
            None => format!("{key}: {what}"),
        };
        self.error(span.start, what)
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

/// Takes serde's words for an unknown field or variant apart: what was given, and what is known.
fn unknown_name<'w>(what: &'w str, kind: &str) -> Option<(&'w str, Vec<&'w str>)> {
    let words = what.strip_prefix("unknown ")?.strip_prefix(kind)?.strip_prefix(" `")?;
    let (given, known) = words.split_once("`, expected ")?;
    Some((given, known.split('`').skip(1).step_by(2).collect()))
}

/// Returns what a plain type of Rust accepts, in words.
fn plain(expected: &str) -> &str {
    match expected {
        "a boolean" => "true or false",
        "a string" => "a text in quotes",
        "a sequence" => "a list",
        "f64" => "a number",
        "u64" => "a whole number from 0",
        // The only value that the library cannot hold.
        "any valid TOML value" => SHORT,
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => other,
    }
}

/// Returns the key of a struct's field: a field whose name is a keyword of Rust is written `r#where`.
pub const fn key_of_field(field: &'static str) -> &'static str {
    match field.split_at_checked(2) {
        Some((raw, name)) if matches!(raw.as_bytes(), b"r#") => name,
        _ => field,
    }
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

    use super::super::values::{Length, List, Ordered, Text, Whole};
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Bus {
        line: Text,
        seats: Option<Spanned<Whole<1>>>,
        every: Option<Length>,
        #[serde(default)]
        kind: BusKind,
        #[serde(default)]
        ramp: bool,
        stops: Option<List<Text>>,
        driver: Option<Driver>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Driver {
        name: Text,
        years: Option<Whole<0>>,
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
    fn values_of_free_keys_are_read_one_by_one() {
        let toml = LocatedToml::new("a = 1\nb = 2.5\n", "b.toml");
        let table = toml.parse().unwrap();
        let read = |key: &str| toml.value::<Whole<0>>(&table, key).map_err(|error| error.to_string());
        let (whole, none) = (read("a").unwrap().unwrap(), read("c").unwrap());
        assert_eq!((whole.span().start, whole.get_ref().0, none), (4, 1, None));
        assert_eq!(read("b").unwrap_err(), "b.toml:2:5: `b` must be a whole number from 0");
        let toml = LocatedToml::new("b = 2\nc = 1\na = 3\n", "b.toml");
        let rest: Ordered<Whole<0>> = toml.rest(&toml.parse().unwrap(), 0, &["c"]).unwrap();
        assert_eq!(rest.into_pairs(|number| number.0), [("b".to_owned(), 2), ("a".to_owned(), 3)]);
    }

    #[test]
    fn a_struct_has_the_keys_of_its_declaration() {
        assert_eq!(keys::<Bus>(), ["line", "seats", "every", "kind", "ramp", "stops", "driver"]);
        assert!(keys::<u32>().is_empty());
    }

    #[test]
    fn values_are_read_with_their_places() {
        let text = "[[bus]]\nline = \"12\"\nseats = 50\nevery = \"15m\"\nkind = \"night\"\n";
        let more = "ramp = true\nstops = [\"Å\", \"B\"]\ndriver = { name = \"Ada\", years = 3 }\n";
        let read = bus(&format!("{text}{more}")).unwrap();
        let (driver, stops) = (read.driver.unwrap(), read.stops.unwrap().0);
        assert_eq!((driver.name.0.as_str(), driver.years.unwrap().0, read.ramp), ("Ada", 3, true));
        assert_eq!((stops.len(), stops[1].get_ref().0.as_str()), (2, "B"));
        let seats = read.seats.unwrap();
        assert_eq!((read.line.0.as_str(), seats.get_ref().0, read.kind), ("12", 50, BusKind::Night));
        assert_eq!((seats.span().start, read.every.unwrap().0.secs()), (28, 900.0));
    }

    #[test]
    fn what_is_wrong_is_told_with_place_and_key() {
        let wrong = |more: &str| bus(&format!("[[bus]]\n{more}\n")).unwrap_err();
        assert_eq!(wrong("seats = 3"), "b.toml:1:1: `line` is missing here");
        assert_eq!(wrong("line = 3"), "b.toml:2:8: `line` must be a text in quotes");
        for row in include_str!("read.txt").lines() {
            let (more, expected) = row.split_once(" -> ").unwrap();
            assert_eq!(wrong(&format!("line = \"1\"\n{more}")), format!("b.toml:3:{expected}"), "{more}");
        }
    }
}
