use serde::Deserialize;

use crate::located::Spanned;
use crate::located::values::{Whole, value_of_toml};
use crate::sorted::SortedMap;

pub(super) const TABLES: [&str; 2] = ["rule", "expect"];

/// What a rules file has besides its tables.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Head {
    /// Presets whose rules and expectations come first.
    #[serde(default)]
    pub(super) presets: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub(super) id: String,
    pub(super) because: String,
    pub(super) drop: Option<Spanned<String>>,
    pub(super) mend: Option<SortedMap<String, Spanned<String>>>,
    pub(super) when: Option<Spanned<String>>,
    pub(super) published: Option<Whole<0>>,
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
    /// The trace after the rules: what `on = "cleaned"` says, and no `on`.
    #[default]
    Cleaned,
}

value_of_toml!(RangeEnd, "a number, or an expression such as \"60h\"", |value| match value {
    toml::Value::String(text) => Some(RangeEnd(text.clone())),
    number => number_of(number).map(RangeEnd),
});

fn number_of(value: &toml::Value) -> Option<String> {
    let whole = value.as_integer().map(|number| number.to_string());
    whole.or_else(|| value.as_float().map(|number| number.to_string()))
}

value_of_toml!(CountText, "a whole number, or { min = .., max = .. } with min up to max", |value| {
    let whole = |value: &toml::Value| u64::try_from(value.as_integer()?).ok();
    let Some(table) = value.as_table() else {
        return whole(value).map(|count| CountText { min: count, max: count });
    };
    let limits = table.keys().all(|key| key == "min" || key == "max") && !table.is_empty();
    let get = |key: &str, default| table.get(key).map_or(Some(default), whole);
    let count = CountText { min: get("min", 0)?, max: get("max", u64::MAX)? };
    (limits && count.min <= count.max).then_some(count)
});
