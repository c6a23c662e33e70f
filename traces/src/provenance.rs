//! The origin of a trace, and the steps applied to it.

use serde::Serialize;

/// The origin of the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The file as the user named it, or the model.
    pub name: String,
    /// The format it was read as.
    pub format: String,
    /// SHA-256 of the file on disk (compressed, if it is), in hexadecimal; empty for a model.
    pub sha256: String,
    /// Size in bytes of the file on disk.
    pub bytes: u64,
}

/// One change: a drop, a mend, a shaping step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProvenanceStep {
    /// Short stable name: "drop-oversized".
    pub name: String,
    /// Parameters and reason, in words.
    pub detail: String,
    /// The number of jobs touched.
    pub count: u64,
}

/// The history of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The origin.
    pub source: Source,
    /// The steps, in order.
    pub steps: Vec<ProvenanceStep>,
}

impl Provenance {
    /// Records a step; steps that touched no job are not recorded.
    pub fn step(&mut self, name: &str, detail: impl Into<String>, count: u64) {
        if count > 0 {
            self.steps.push(ProvenanceStep { name: name.into(), detail: detail.into(), count });
        }
    }
}
