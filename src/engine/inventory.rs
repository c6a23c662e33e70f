//! The inventory: the available policies, formats and metrics, including those of a user's crate.

use std::sync::Arc;

use batchlab_parsers::{FormatError, FormatSpec, Formats};
use batchlab_support::PolicySpec;
use batchlab_support::external::{About, Library};
use batchlab_support::registry::{NameTaken, Policies, SpecError};
use batchlab_support::spec::Chosen;

use crate::catalogue::Catalogue;
use crate::metrics::{MetricError, MetricSpec, Metrics};

/// The policies, log formats and metrics of a program: the built-in ones, and those registered in addition.
///
/// Registered entries are treated like built-in ones: they are listed, suggested in errors, detected from a
/// log's content, and measured. `examples/site` is a complete program with one of each.
#[derive(Clone, Debug)]
pub struct Inventory {
    policies: Policies,
    formats: Formats,
    metrics: Metrics,
    catalogue: Catalogue,
}

/// The reason why something cannot be registered.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    #[error(transparent)]
    Policy(#[from] NameTaken),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Metric(#[from] MetricError),
}

impl Inventory {
    /// Returns an inventory of these policies, of every built-in format and metric, and of the usual catalogue.
    pub fn new(policies: Policies) -> Inventory {
        let (formats, metrics) = (Formats::builtin(), Metrics::builtin());
        Inventory { policies, formats, metrics, catalogue: Catalogue::default() }
    }

    /// Adds a policy.
    pub fn register_policy(&mut self, spec: PolicySpec) -> Result<(), RegisterError> {
        Ok(self.policies.register(spec)?)
    }

    /// Adds a format of logs.
    pub fn register_format(&mut self, spec: &'static FormatSpec) -> Result<(), RegisterError> {
        Ok(self.formats.register(spec)?)
    }

    /// Adds a metric.
    pub fn register_metric(&mut self, spec: &'static MetricSpec) -> Result<(), RegisterError> {
        Ok(self.metrics.register(spec)?)
    }

    /// Takes changed policies in the place of the present ones.
    #[must_use]
    pub fn with_policies(self, change: impl FnOnce(Policies) -> Policies) -> Inventory {
        Inventory { policies: change(self.policies), ..self }
    }

    /// Makes the policies of a plug-in available without naming its file.
    pub fn load_plugin(&mut self, path: &str) -> Result<(), SpecError> {
        self.policies.load(path)
    }

    /// Adds a policy of the program that hosts this library.
    pub fn host_policy(&mut self, about: About, library: Arc<dyn Library>) -> Result<(), SpecError> {
        self.policies.host(about, library)
    }

    /// Returns the policies.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// Returns the formats.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// Takes a catalogue of logs by name in the place of the present one, which has no cache at first.
    #[must_use]
    pub fn with_catalogue(self, catalogue: Catalogue) -> Inventory {
        Inventory { catalogue, ..self }
    }

    /// Returns the logs that are known by name.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Chooses the policy that a spec names and checks its parameters.
    pub fn choose(&self, spec: &str) -> Result<Chosen, SpecError> {
        self.policies.choose(spec)
    }

    /// Chooses the policy that a predictor by itself stands for, EASY with this predictor.
    pub fn choose_predictor(&self, value: &str) -> Result<Chosen, SpecError> {
        self.policies.choose_predictor(value)
    }
}
