//! The registry: the available policies, formats and metrics, including those of a user's crate.

use std::sync::Arc;

use batchlab_parsers::{FormatError, FormatSpec, Formats};
use batchlab_policies::PolicySpec;
use batchlab_policies::external::{About, Ceilings, Library, Opens};
use batchlab_policies::registry::{NameTaken, SpecError};
use batchlab_policies::spec::Chosen;

use crate::catalogue::Catalogue;
use crate::metrics::{MetricError, MetricSpec, Metrics};

/// The policies, log formats and metrics of a program: the built-in ones, and those registered in addition.
///
/// Registered entries are treated like built-in ones: they are listed, suggested in errors, detected from a
/// log's content, and measured. `examples/site` is a complete program with one of each.
#[derive(Clone, Debug)]
pub struct Registry {
    policies: batchlab_policies::Registry,
    formats: Formats,
    metrics: Metrics,
    catalogue: Catalogue,
}

/// The reason why something cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// A policy.
    #[error(transparent)]
    Policy(#[from] NameTaken),
    /// A format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A metric.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::builtin()
    }
}

impl Registry {
    /// Returns a registry of everything built in.
    pub fn builtin() -> Registry {
        let mut policies = batchlab_policies::Registry::builtin();
        let registered = policies.register(batchlab_slurm::SPEC);
        debug_assert!(registered.is_ok(), "no other policy has the name");
        let (formats, metrics) = (Formats::builtin(), Metrics::builtin());
        Registry { policies, formats, metrics, catalogue: Catalogue::default() }
    }

    /// Adds a policy.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn register_policy(&mut self, spec: PolicySpec) -> Result<(), RegisterError> {
        Ok(self.policies.register(spec)?)
    }

    /// Adds a format of logs.
    ///
    /// # Errors
    /// If the name is taken or invalid.
    pub fn register_format(&mut self, spec: &'static FormatSpec) -> Result<(), RegisterError> {
        Ok(self.formats.register(spec)?)
    }

    /// Adds a metric.
    ///
    /// # Errors
    /// If the name is invalid, or the name or one of its keys is taken.
    pub fn register_metric(&mut self, spec: &'static MetricSpec) -> Result<(), RegisterError> {
        Ok(self.metrics.register(spec)?)
    }

    /// Allows plug-ins in native code.
    #[must_use]
    pub fn allow_native(self) -> Registry {
        Registry { policies: self.policies.allow_native(), ..self }
    }

    /// Allows plug-ins that run as separate processes.
    #[must_use]
    pub fn allow_exec(self) -> Registry {
        Registry { policies: self.policies.allow_exec(), ..self }
    }

    /// Restricts which plug-ins are opened; specs of others choose a placeholder that cannot be replayed.
    #[must_use]
    pub fn opening(self, opens: Opens) -> Registry {
        Registry { policies: self.policies.opening(opens), ..self }
    }

    /// Takes these descriptions of commands in place of starting them.
    #[must_use]
    pub fn knowing(self, described: Vec<(String, About)>) -> Registry {
        Registry { policies: self.policies.knowing(described), ..self }
    }

    /// Refuses specs that set a plug-in's limit above these values; used for specs in files.
    #[must_use]
    pub fn within(self, ceilings: Ceilings) -> Registry {
        Registry { policies: self.policies.within(ceilings), ..self }
    }

    /// Makes the policies of a plug-in available without naming its file.
    ///
    /// # Errors
    /// As [`batchlab_policies::Registry::load`].
    pub fn load_plugin(&mut self, path: &str) -> Result<(), SpecError> {
        self.policies.load(path)
    }

    /// Adds a policy of the program that hosts this library.
    ///
    /// # Errors
    /// As [`batchlab_policies::Registry::host`].
    pub fn host_policy(&mut self, about: About, library: Arc<dyn Library>) -> Result<(), SpecError> {
        self.policies.host(about, library)
    }

    /// Returns the policies.
    pub fn policies(&self) -> &batchlab_policies::Registry {
        &self.policies
    }

    /// Returns the formats.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// Takes a catalogue of logs by name in the place of the present one, which has no cache at first.
    #[must_use]
    pub fn with_catalogue(self, catalogue: Catalogue) -> Registry {
        Registry { catalogue, ..self }
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
    ///
    /// # Errors
    /// As [`batchlab_policies::Registry::choose`].
    pub fn choose(&self, spec: &str) -> Result<Chosen, SpecError> {
        self.policies.choose(spec)
    }

    /// Chooses the policy that a predictor by itself stands for, EASY with this predictor.
    ///
    /// # Errors
    /// As [`batchlab_policies::Registry::choose_predictor`].
    pub fn choose_predictor(&self, value: &str) -> Result<Chosen, SpecError> {
        self.policies.choose_predictor(value)
    }
}
