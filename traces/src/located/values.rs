//! Values that files have in common: each says what it accepts, and errors repeat it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Value;

use super::spanned::Spanned;
use crate::arrange::Arrange as _;
use crate::nearest::{meant, nearest};
use crate::notation::duration::DurationDialect;
use crate::time::Time;

/// Reads a value with a function; `expected` completes "must be ...".
///
/// # Errors
/// When the function returns nothing.
pub fn read_value<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: impl AsRef<str>,
    of: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    of(&value).ok_or_else(|| D::Error::custom(format_args!("expected {}", expected.as_ref())))
}

/// Implements how a value is read: its type, the values that it accepts, and a function of the TOML value.
///
/// ```
/// use batchlab_traces::value_of_toml;
///
/// struct Answer(bool);
///
/// value_of_toml!(Answer, "true or false", |value| value.as_bool().map(Answer));
/// ```
#[macro_export]
macro_rules! value_of_toml {
    ($type:ty, $expected:expr, $of:expr) => {
        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::located::values::read_value(deserializer, $expected, $of)
            }
        }
    };
}
pub use value_of_toml;

/// Reads a word as the value for which it stands, or another value with a function. `other` describes the values that the
/// function accepts; it is empty if only words are accepted.
///
/// # Errors
/// When the value is neither: as serde phrases it for a word, "must be ..." for anything else.
pub fn read_word_or<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    words: &[(&str, T)],
    other: &str,
    of: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
    if !other.is_empty() && !value.is_str() {
        let expected = || D::Error::custom(format_args!("expected {} or {other}", known.join(", ")));
        return of(&value).ok_or_else(expected);
    }
    let given = value.as_str().unwrap_or_default();
    let found = words.iter().find(|(word, _)| *word == given).map(|(_, of)| *of);
    if found.is_none() && !other.is_empty() {
        let meant = meant(nearest(given, words.iter().map(|(word, _)| *word)));
        let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        return Err(D::Error::custom(format_args!("expected {} or {other}{meant}", known.join(", "))));
    }
    found.ok_or_else(|| {
        D::Error::custom(format_args!("unknown variant `{given}`, expected {}", known.join(", ")))
    })
}

/// Implements how a value is read from a word. An enum whose words occur only in files derives `Deserialize` instead.
#[macro_export]
macro_rules! word_of_toml {
    ($type:ty, $words:expr) => {
        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::located::values::read_word_or(deserializer, $words, "", |_| None)
            }
        }
    };
}

/// A text that is not blank, without blanks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

value_of_toml!(Text, "a text in quotes", |value| {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| Text(text.to_owned()))
});

/// A text that is not blank, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verbatim(pub String);

value_of_toml!(Verbatim, "a text in quotes", |value| {
    let text = value.as_str()?;
    (!text.trim().is_empty()).then(|| Verbatim(text.to_owned()))
});

/// A whole number, at least `LEAST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const LEAST: i64>(pub i64);

impl<'de, const LEAST: i64> Deserialize<'de> for Whole<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_value(deserializer, format!("a whole number from {LEAST}"), |value| {
            value.as_integer().filter(|&number| number >= LEAST).map(Whole)
        })
    }
}

/// A whole number of 64 bits without a sign, such as a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Unsigned(pub u64);

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if number.is_finite() { Ok(Number(number)) } else { Err(D::Error::custom("expected a number")) }
    }
}

/// A length of time that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length(pub Time);

value_of_toml!(Length, "a length of time: a number of seconds, or a text such as \"7d\"", |value| {
    length(value).map(Length)
});

/// A text, a number, true or false, as one would write it on a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar(pub String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AsTyped { lists: false }).map(|mut one| Scalar(one.remove(0)))
    }
}

/// Several [`Scalar`] values, or one of them; never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalars(pub Vec<String>);

impl<'de> Deserialize<'de> for Scalars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AsTyped { lists: true }).map(Scalars)
    }
}

/// Takes simple values as one would type them.
struct AsTyped {
    lists: bool,
}

impl<'de> Visitor<'de> for AsTyped {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.lists {
            "a value or a list of values"
        } else {
            "a text, a number, true or false"
        })
    }

    fn visit_bool<E: serde::de::Error>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(vec![truth.to_string()])
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(vec![number.to_string()])
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(vec![number.to_string()])
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(vec![number.to_string()])
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![text.to_owned()])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        // The list as a whole is wrong, so the error gets its place.
        let wrong = || A::Error::invalid_type(Unexpected::Seq, &self);
        let mut values = Vec::new();
        while let Some(Scalar(value)) = items.next_element().map_err(|_| wrong())? {
            values.push(value);
        }
        if self.lists && !values.is_empty() { Ok(values) } else { Err(wrong()) }
    }
}

/// Several texts in quotes, or one of them; never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts(pub Vec<String>);

value_of_toml!(Texts, "a text in quotes or a list of them", |value| {
    several(value, |one| one.as_str().map(str::to_owned)).map(Texts)
});

/// One value or a list of them, each with its place; never none.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMore<T>(pub Vec<Spanned<T>>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Items { expected: "a value or a list of values", of: PhantomData };
        deserializer.deserialize_tuple_struct("OneOrMore", 1, items).map(OneOrMore)
    }
}

struct Items<T> {
    expected: &'static str,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<Spanned<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(item) = items.next_element()? {
            values.push(item);
        }
        if values.is_empty() { Err(A::Error::invalid_length(0, &FILLED)) } else { Ok(values) }
    }
}

/// What a list must be.
const FILLED: &str = "a list, [a, b], with at least one value";

/// A table whose keys are free, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered<T>(pub Vec<(Spanned<String>, Spanned<T>)>);

impl<T> Default for Ordered<T> {
    fn default() -> Ordered<T> {
        Ordered(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table, { key = value }")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Spanned<String>, Spanned<T>)> = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                pairs.arrange_by_key(|(key, _)| key.span().start);
                Ok(Ordered(pairs))
            }
        }

        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

impl<T> Ordered<T> {
    /// Returns the pairs without their places.
    pub fn into_pairs<U>(self, of: impl Fn(T) -> U) -> Vec<(String, U)> {
        self.0.into_iter().map(|(key, value)| (key.into_inner(), of(value.into_inner()))).collect()
    }
}

/// Returns a value that is a number, whole or not.
pub fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

/// Returns a value that is a length of time, as [`Length`] is.
pub fn length(value: &Value) -> Option<Time> {
    match value {
        Value::String(text) => DurationDialect::Unit.length(text.trim().as_bytes()),
        other => {
            let time = number(other).filter(|&seconds| seconds >= 0.0).map(Time::from_secs_f64);
            time.filter(|&time| time <= Time::FARTHEST)
        }
    }
}

fn several<T>(value: &Value, one: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    match value {
        Value::Array(list) if list.is_empty() => None,
        Value::Array(list) => list.iter().map(one).collect(),
        single => Some(vec![one(single)?]),
    }
}

/// A list of values, each with its place; never none.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T>(pub Vec<Spanned<T>>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Items { expected: FILLED, of: PhantomData }).map(List)
    }
}

#[cfg(test)]
mod tests {
    use super::super::LocatedToml;
    use super::*;

    #[derive(Debug, Deserialize)]
    struct All {
        of: Scalars,
        #[serde(default)]
        set: Ordered<Scalars>,
        texts: Option<Texts>,
        number: Option<Number>,
        text: Option<Verbatim>,
        seed: Option<Unsigned>,
        sort: Option<Sort>,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Sort {
        Hot,
        Cold,
    }

    word_of_toml!(Sort, &[("hot", Sort::Hot), ("cold", Sort::Cold)]);

    fn all(text: &str) -> Result<All, String> {
        let toml = LocatedToml::new(text, "v.toml");
        toml.table(&toml.parse().unwrap(), 0).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_read_as_they_are_meant() {
        let read =
            all("of = [0.5, \"x\", true, 1_000]\nset = { z = 1, a = [2, 3] }\ntexts = \"one\"\nnumber = 3\n");
        let read = read.unwrap();
        assert_eq!(read.of.0, ["0.5", "x", "true", "1000"]);
        let pairs = read.set.into_pairs(|values| values.0.join(","));
        assert_eq!(pairs, [("z".to_owned(), "1".to_owned()), ("a".to_owned(), "2,3".to_owned())]);
        assert_eq!((read.texts.unwrap().0, read.number.unwrap().0), (vec!["one".to_owned()], 3.0));
    }

    #[test]
    fn texts_and_numbers_are_kept_as_written() {
        let read =
            all("of = 18446744073709551615\ntext = \" a \"\nseed = 18446744073709551615\nsort = \"cold\"\n")
                .unwrap();
        assert_eq!((read.of.0[0].as_str(), read.text.unwrap().0.as_str()), ("18446744073709551615", " a "));
        assert_eq!((read.seed, read.sort), (Some(Unsigned(u64::MAX)), Some(Sort::Cold)));
        assert_eq!(
            all("of = 1\nnumber = 18446744073709551615\n").unwrap().number,
            Some(Number(2f64.powi(64)))
        );
    }

    #[test]
    fn errors_repeat_what_a_value_accepts() {
        let wrong = |more: &str| all(&format!("of = 1\n{more}\n")).unwrap_err();
        assert_eq!(wrong("set = { a = 1, b = [] }"), "v.toml:2:20: `b` must be a value or a list of values");
        assert_eq!(wrong("set = 1979-05-27"), "v.toml:2:7: `set` must be a table, { key = value }");
        assert_eq!(wrong("set = 3"), "v.toml:2:7: `set` must be a table, { key = value }");
        assert_eq!(wrong("texts = [3]"), "v.toml:2:9: `texts` must be a text in quotes or a list of them");
        assert_eq!(wrong("text = \" \""), "v.toml:2:8: `text` must be a text in quotes");
        assert_eq!(wrong("seed = -1"), "v.toml:2:8: `seed` must be a whole number from 0");
        assert_eq!(
            wrong("sort = \"cod\""),
            "v.toml:2:8: `sort` must be \"hot\" or \"cold\" (did you mean `cold`?)"
        );
        assert_eq!(wrong("sort = 3"), "v.toml:2:8: `sort` must be \"hot\" or \"cold\"");
        assert_eq!(wrong("set = { a = [1, [2]] }"), "v.toml:2:13: `a` must be a value or a list of values");
        assert_eq!(wrong("number = nan"), "v.toml:2:10: `number` must be a number");
    }
}
