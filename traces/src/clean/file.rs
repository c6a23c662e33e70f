//! The text of a rules file.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A rules file as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Presets whose rules and expectations come first.
    #[serde(default)]
    pub(super) presets: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) rule: Vec<Spanned<RuleText>>,
    #[serde(default)]
    pub(super) expect: Vec<Spanned<ExpectText>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub(super) id: String,
    pub(super) because: String,
    pub(super) drop: Option<Spanned<String>>,
    pub(super) mend: Option<BTreeMap<String, Spanned<String>>>,
    pub(super) when: Option<Spanned<String>>,
    pub(super) published: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectText {
    pub(super) id: Option<String>,
    pub(super) because: Option<String>,
    pub(super) count: Option<CountText>,
    pub(super) all: Option<Spanned<String>>,
    pub(super) none: Option<Spanned<String>>,
    pub(super) any: Option<Spanned<String>>,
    pub(super) range: Option<RangeText>,
    #[serde(rename = "where")]
    pub(super) within: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) on: ExpectationStage,
}

/// `count = 28476`, or `count = { min = 20000, max = 30000 }`.
#[derive(Debug)]
pub(super) struct CountText {
    pub(super) min: u64,
    pub(super) max: u64,
}

/// `range = { of = "run", min = "0s", max = "60h" }`; at least one limit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RangeText {
    pub(super) of: Spanned<String>,
    pub(super) min: Option<Spanned<RangeEnd>>,
    pub(super) max: Option<Spanned<RangeEnd>>,
}

/// A limit: a number, or an expression such as `"60h"`.
#[derive(Debug)]
pub(super) struct RangeEnd(pub(super) String);

/// The trace that an expectation is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectationStage {
    /// The original trace, before any rule.
    Given,
    /// The trace after the rules.
    #[default]
    Cleaned,
}

impl<'de> Deserialize<'de> for RangeEnd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<RangeEnd, D::Error> {
        let expected = "a number, or an expression such as \"60h\"";
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(text) => Ok(RangeEnd(text)),
            toml::Value::Integer(number) => Ok(RangeEnd(number.to_string())),
            toml::Value::Float(number) => Ok(RangeEnd(number.to_string())),
            other => Err(serde::de::Error::custom(format!("{} instead of {expected}", other.type_str()))),
        }
    }
}

impl<'de> Deserialize<'de> for CountText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<CountText, D::Error> {
        let expected = "a whole number, or { min = .., max = .. }";
        let wrong = |what: &str| serde::de::Error::custom(format!("{what} instead of {expected}"));
        let whole = |value: &toml::Value| value.as_integer().and_then(|number| u64::try_from(number).ok());
        match toml::Value::deserialize(deserializer)? {
            toml::Value::Table(table) => {
                let limits = table.keys().all(|key| key == "min" || key == "max") && !table.is_empty();
                let get = |key: &str, default| match table.get(key) {
                    None => Ok(default),
                    Some(value) => whole(value).ok_or_else(|| wrong("this")),
                };
                if !limits {
                    return Err(wrong("this table"));
                }
                let count = CountText { min: get("min", 0)?, max: get("max", u64::MAX)? };
                if count.max < count.min { Err(wrong("a `max` below the `min`")) } else { Ok(count) }
            }
            value => {
                let count = whole(&value).ok_or_else(|| wrong(value.type_str()))?;
                Ok(CountText { min: count, max: count })
            }
        }
    }
}
