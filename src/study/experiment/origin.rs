//! The origin of a workload's jobs, and whom to acknowledge for them.

use batchlab_traces::provenance::Source as File;
use serde::{Deserialize, Serialize};

use super::inputs::is_sha256;
use super::loader::{Loaded, Survey};
use super::workload::{JobSource, WorkloadSpec};
use batchlab_engine::catalogue::{ArchivedLog, Catalogue};

/// The origin of a workload's jobs: what a paper that uses them cites.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub workload: usize,
    /// File name of the log, or of the log that a model is fitted to.
    pub log: Option<String>,
    /// SHA-256 of every log that is read, as stored on disk; the main log first.
    pub sha256: Vec<String>,
    pub model: Option<String>,
    pub rules: Option<String>,
    pub steps: Vec<String>,
    /// The source of the estimates that schedulers see.
    pub estimate: String,
    /// `Computer` and `Installation` of the log's header.
    pub machine: Vec<String>,
    pub acknowledge: Vec<String>,
    /// Where to find documentation.
    pub information: Vec<String>,
    /// Who converted the log.
    pub conversion: Option<String>,
    /// Notes of the log's header, without those added by cleaning and shaping here.
    pub notes: Vec<String>,
}

/// Prefixes of the notes that this program adds to a log.
const OURS: [&str; 3] = ["shaped by ", "rule ", "made by "];

impl Origin {
    /// Returns the origin of one unit of a workload.
    pub(super) fn of(workload: usize, spec: &WorkloadSpec, survey: &Survey, one: &Loaded) -> Origin {
        let rules = spec.rules.as_ref();
        let rules = rules.filter(|rules| batchlab_traces::clean::Preset::find(rules).is_ok());
        let steps = one.provenance.steps.iter().filter_map(|step| step.name.strip_prefix("shape-"));
        // Cutting windows is also a step, but one that the file does not declare.
        let steps = steps.filter(|_| spec.steps.is_some());
        let mut origin = Origin {
            workload,
            sha256: survey.identity.iter().filter(|text| is_sha256(text)).cloned().collect(),
            rules: rules.cloned(),
            estimate: one.reading.estimate.to_string(),
            ..Origin::default()
        };
        for step in steps {
            if !origin.steps.iter().any(|known| known == step) {
                origin.steps.push(step.into());
            }
        }
        match &spec.source {
            JobSource::Log(_) => origin.describe(one),
            JobSource::Model { name, log, .. } => {
                origin.model = Some(name.clone());
                origin.log = log.as_deref().map(file_name);
            }
        }
        origin
    }

    /// Returns the public log of which this is a copy.
    pub fn recognised(&self, catalogue: &Catalogue) -> Option<ArchivedLog> {
        let hash = self.sha256.first().map_or("", String::as_str);
        catalogue.recognise(self.log.as_deref()?, hash, &self.acknowledge)
    }

    fn describe(&mut self, one: &Loaded) {
        let (header, File { name, .. }) = (&one.trace.header, &one.provenance.source);
        self.log = Some(file_name(name));
        self.machine = [&header.computer, &header.installation].into_iter().flatten().cloned().collect();
        self.acknowledge.clone_from(&header.acknowledge);
        self.information.clone_from(&header.information);
        self.conversion.clone_from(&header.conversion);
        let is_theirs = |note: &&String| !OURS.iter().any(|start| note.starts_with(start));
        self.notes = header.notes.iter().filter(is_theirs).cloned().collect();
    }
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}
