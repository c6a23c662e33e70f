//! A mapping file as written: its tables, and the values that they take.

use batchlab_traces::calendar::Zone;
use batchlab_traces::located::Spanned;
use batchlab_traces::located::values::{Whole, number};
use batchlab_traces::notation::instant::iso;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::value_of_toml;
use regex_lite::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Value;

use super::amount::Factor;
use super::mapping::{At, Per, Zero};
use super::split::Separator;
use super::target::To;
use super::time_format::InstantFormat;
use super::words::WordSet;

/// The keys of the file beside the tables of columns and constants.
#[derive(Deserialize)]
pub(super) struct RawMapping {
    pub separator: Option<Separator>,
    pub quoted: Option<bool>,
    #[serde(default)]
    pub comment: Vec<Spanned<String>>,
    pub skip: Option<Whole<0>>,
    #[serde(default)]
    pub heading: bool,
    pub columns: Option<Spanned<Whole<0>>>,
    pub columns_at_least: Option<Whole<0>>,
    #[serde(default)]
    pub other_counts: OtherCounts,
    pub missing: Option<WordSet>,
    #[serde(default)]
    pub decimal: DecimalMark,
    pub zone: Option<ZoneName>,
    #[serde(default)]
    pub zero: Zero,
    #[serde(default)]
    pub machine: RawMachine,
    #[serde(default)]
    pub queues: SortedMap<String, Integer>,
}

/// Values for the header of the trace.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawMachine {
    pub computer: Option<String>,
    pub installation: Option<String>,
    pub acknowledge: Vec<String>,
    pub information: Vec<String>,
    pub conversion: Option<String>,
    pub nodes: Option<Integer>,
    pub procs: Option<Integer>,
    pub runtime: Option<Integer>,
    pub memory: Option<Integer>,
    pub queues: Option<String>,
    pub notes: Vec<String>,
}

/// The keys of a column beside those of its [`RawTarget`].
#[derive(Deserialize)]
pub(super) struct RawColumn {
    pub at: Option<Spanned<Whole<0>>>,
    pub name: Option<Spanned<String>>,
    pub span: Option<Whole<0>>,
    #[serde(default)]
    pub optional: bool,
    pub looks: Option<Pattern>,
    pub pattern: Option<Pattern>,
    #[serde(default)]
    pub group: SortedMap<String, Spanned<RawTarget>>,
    #[serde(default)]
    pub also: Vec<Spanned<RawTarget>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTarget {
    pub to: Option<Spanned<To>>,
    pub format: Option<Spanned<InstantFormat>>,
    pub unit: Option<Spanned<String>>,
    pub per: Option<Spanned<Per>>,
    pub factor: Option<Factor>,
    pub times: Option<Factors>,
    pub times_default: Option<Integer>,
    pub missing: Option<WordSet>,
    pub never: WordSet,
    pub values: SortedMap<String, Spanned<Value>>,
    pub others: Option<Spanned<Value>>,
    pub capacity: Option<Integer>,
}

#[derive(Deserialize)]
pub(super) struct RawConstant {
    pub to: Spanned<To>,
    pub value: Spanned<Value>,
}

/// What happens to a line with another number of columns.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OtherCounts {
    #[default]
    Keep,
    LeaveOut,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
pub(super) enum DecimalMark {
    #[default]
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Comma,
}

pub(super) struct Integer(pub i64);

/// The columns whose numbers are factors of another column.
pub(super) struct Factors(pub Vec<At>);

pub(super) struct ZoneName(pub Zone);

pub(super) struct Pattern(pub Regex);

value_of_toml!(Integer, "a whole number", |value| value.as_integer().map(Integer));

value_of_toml!(Separator, "blank, tab or one character", |value| match value.as_str()? {
    "blank" | " " => Some(Separator::Blank),
    "tab" => Some(Separator::Byte(b'\t')),
    text => Some(Separator::Byte(*text.as_bytes().first().filter(|_| text.len() == 1)?)),
});

value_of_toml!(WordSet, "a list of texts", |value| {
    let words: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    words.map(WordSet::of)
});

value_of_toml!(Factor, "a number above zero and below a billion", |value| number(value)
    .and_then(Factor::new));

value_of_toml!(Factors, "a list of columns, by place from 1, or by name", |value| {
    let at = |value: &Value| match value {
        Value::Integer(at @ 1..=1_000_000) => Some(At::Place(*at as usize - 1)),
        Value::String(name) => Some(At::Name(name.clone())),
        _ => None,
    };
    value.as_array()?.iter().map(at).collect::<Option<_>>().map(Factors)
});

value_of_toml!(
    Zero,
    "epoch seconds, a date in UTC such as 2021-02-11T22:36:19Z, or \"own\" if it is unknown",
    |value| match value {
        Value::Integer(seconds) => Some(Zero::At(seconds.saturating_mul(1_000_000))),
        Value::String(text) if text == "own" => Some(Zero::Own),
        Value::String(text) => zero_at(text),
        Value::Datetime(date) => zero_at(&date.to_string()),
        _ => None,
    }
);

fn zero_at(date: &str) -> Option<Zero> {
    let stamp = iso(date.trim().as_bytes())?;
    Some(Zero::At(stamp.micros - stamp.offset.unwrap_or(0) * 1_000_000))
}

/// Implements deserialization from a text by a function whose error says what is wrong.
macro_rules! from_text {
    ($($type:ty: $of:expr;)+) => {
        $(impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $of(&String::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        })+
    };
}

from_text! {
    To: To::named;
    InstantFormat: InstantFormat::named;
    ZoneName: |text: &str| text.parse().map(ZoneName);
    Pattern: |text: &str| {
        Regex::new(text).map(Pattern).map_err(|error| format!("no regular expression: {error}"))
    };
}
