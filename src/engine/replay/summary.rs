//! The summary of a replay as JSON, for scripts.

use batchlab_traces::{Findings, Provenance};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::conditions::Conditions;
use crate::metrics::Metric;
use crate::replay::rows::ResultRow;
use crate::table::json::{FactsJson, Value};

/// The results of a replay: `{"trace", "results", "findings", "provenance"}`.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    pub conditions: &'a Conditions,
    /// The metrics, in the order of the rows' values.
    pub metrics: &'a [Metric],
    pub rows: &'a [ResultRow],
    pub findings: &'a Findings,
    /// The origin of the trace, and what was done to it.
    pub provenance: &'a Provenance,
}

impl Summary<'_> {
    /// Returns the summary as indented JSON with a line end.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let results: Vec<ResultEntry> =
            self.rows.iter().map(|row| ResultEntry::new(self.metrics, row)).collect();
        let mut object = serializer.serialize_map(Some(4))?;
        object.serialize_entry("trace", &FactsJson(&self.conditions.subject()))?;
        object.serialize_entry("results", &results)?;
        object.serialize_entry("findings", self.findings.list())?;
        object.serialize_entry("provenance", &History(self))?;
        object.end()
    }
}

struct History<'a>(&'a Summary<'a>);

impl Serialize for History<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(3))?;
        object.serialize_entry("source", &self.0.provenance.source)?;
        object.serialize_entry("steps", &self.0.provenance.steps)?;
        object.serialize_entry("conditions", &FactsJson(&self.0.conditions.settings()))?;
        object.end()
    }
}

/// One row; with classes only if there are any.
#[derive(Serialize)]
struct ResultEntry<'a> {
    policy: &'a str,
    kind: crate::replay::rows::RowKind,
    metrics: Values<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<ClassEntry<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct ClassEntry<'a> {
    class: &'a str,
    metrics: Values<'a>,
}

impl<'a> ResultEntry<'a> {
    fn new(metrics: &'a [Metric], row: &'a ResultRow) -> ResultEntry<'a> {
        let classes = row
            .classes
            .iter()
            .map(|(class, values)| ClassEntry { class, metrics: Values { metrics, values } })
            .collect();
        let values = Values { metrics, values: &row.values };
        ResultEntry { policy: &row.label, kind: row.kind, metrics: values, classes, notes: &row.notes }
    }
}

struct Values<'a> {
    metrics: &'a [Metric],
    values: &'a [Option<f64>],
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.metrics.len()))?;
        for (metric, value) in self.metrics.iter().zip(self.values) {
            object.serialize_entry(&metric.key(), &Value(*value))?;
        }
        object.end()
    }
}
