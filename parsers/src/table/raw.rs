//! A mapping file as parsed from TOML.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMapping {
    pub separator: Option<Spanned<String>>,
    pub quoted: Option<bool>,
    #[serde(default)]
    pub comment: Vec<Spanned<String>>,
    #[serde(default)]
    pub skip: u32,
    #[serde(default)]
    pub heading: bool,
    pub columns: Option<Spanned<usize>>,
    pub columns_at_least: Option<Spanned<usize>>,
    pub other_counts: Option<Spanned<String>>,
    pub missing: Option<Vec<String>>,
    pub decimal: Option<Spanned<String>>,
    pub zone: Option<Spanned<String>>,
    pub zero: Option<Spanned<Value>>,
    #[serde(default)]
    pub machine: RawMachine,
    #[serde(default)]
    pub queues: BTreeMap<String, i64>,
    #[serde(default)]
    pub column: Vec<Spanned<RawColumn>>,
    #[serde(default)]
    pub constant: Vec<Spanned<RawConstant>>,
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
    pub nodes: Option<i64>,
    pub procs: Option<i64>,
    pub runtime: Option<i64>,
    pub memory: Option<i64>,
    pub queues: Option<String>,
    pub notes: Vec<String>,
}

/// Defines a struct that has the keys of a target and its own.
macro_rules! with_target {
    ($(#[$doc:meta])+ $name:ident { $($own:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])+
        #[derive(Clone, Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub(super) struct $name {
            $(pub $own: $kind,)*
            pub to: Option<Spanned<String>>,
            pub format: Option<Spanned<String>>,
            pub unit: Option<Spanned<String>>,
            pub per: Option<Spanned<String>>,
            pub factor: Option<Spanned<f64>>,
            pub times: Vec<Value>,
            pub times_default: Option<i64>,
            pub missing: Option<Vec<String>>,
            pub never: Vec<String>,
            pub values: BTreeMap<String, Spanned<Value>>,
            pub others: Option<Spanned<Value>>,
            pub capacity: Option<i64>,
        }
    };
}

with_target! {
    /// The destination of a text.
    RawTarget {}
}

with_target! {
    /// A column of the table.
    RawColumn {
        at: Option<Spanned<usize>>,
        name: Option<Spanned<String>>,
        span: Option<Spanned<usize>>,
        optional: bool,
        looks: Option<Spanned<String>>,
        pattern: Option<Spanned<String>>,
        group: BTreeMap<String, Spanned<RawTarget>>,
        also: Vec<Spanned<RawTarget>>,
    }
}

impl RawColumn {
    /// Returns the destination of the whole column's text.
    pub(super) fn target(&self) -> RawTarget {
        let column = self.clone();
        RawTarget {
            to: column.to,
            format: column.format,
            unit: column.unit,
            per: column.per,
            factor: column.factor,
            times: column.times,
            times_default: column.times_default,
            missing: column.missing,
            never: column.never,
            values: column.values,
            others: column.others,
            capacity: column.capacity,
        }
    }
}

/// A value that is the same for all jobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawConstant {
    pub to: Spanned<String>,
    pub value: Spanned<Value>,
}

/// Every key, used to suggest the intended one.
pub(super) const KEYS: &[&str] = &[
    "separator",
    "quoted",
    "comment",
    "skip",
    "heading",
    "columns",
    "columns_at_least",
    "other_counts",
    "missing",
    "decimal",
    "zone",
    "zero",
    "machine",
    "queues",
    "column",
    "constant",
    "computer",
    "installation",
    "acknowledge",
    "information",
    "conversion",
    "nodes",
    "procs",
    "runtime",
    "memory",
    "notes",
    "to",
    "format",
    "unit",
    "per",
    "factor",
    "times",
    "times_default",
    "never",
    "values",
    "others",
    "capacity",
    "at",
    "name",
    "span",
    "optional",
    "looks",
    "pattern",
    "group",
    "also",
    "value",
];
