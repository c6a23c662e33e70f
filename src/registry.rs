//! What the program has to choose from, and what a user's crate adds to it.

use batchlab_parsers::{FormatError, FormatSpec, Formats};
use batchlab_policies::PolicySpec;
use batchlab_policies::external::{Ceilings, Opens};
use batchlab_policies::registry::{Chosen, NameTaken, SpecError};

use crate::metrics::{MetricError, MetricSpec, Metrics};

/// The policies, formats of logs and metrics of a program: the built-in ones, and those that it registers.
///
/// What is registered is like what is built in: listed, named in errors, told from a log's content, measured. A whole
/// program with one of each is `examples/site`.
#[derive(Clone, Debug)]
pub struct Registry {
    policies: batchlab_policies::Registry,
    formats: Formats,
    metrics: Metrics,
}

/// Why something cannot be registered.
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
    /// Returns what is built in.
    pub fn builtin() -> Registry {
        Registry {
            policies: batchlab_policies::Registry::builtin(),
            formats: Formats::builtin(),
            metrics: Metrics::builtin(),
        }
    }

    /// Adds a policy.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn register_policy(&mut self, spec: PolicySpec) -> Result<(), RegisterError> {
        Ok(self.policies.register(spec)?)
    }

    /// Adds a format of logs.
    ///
    /// # Errors
    /// When the name is taken, or is none.
    pub fn register_format(&mut self, spec: &'static FormatSpec) -> Result<(), RegisterError> {
        Ok(self.formats.register(spec)?)
    }

    /// Adds a metric.
    ///
    /// # Errors
    /// When the name is none, or the name or one of its keys is taken.
    pub fn register_metric(&mut self, spec: &'static MetricSpec) -> Result<(), RegisterError> {
        Ok(self.metrics.register(spec)?)
    }

    /// Allows plug-ins of native code.
    #[must_use]
    pub fn allow_native(self) -> Registry {
        Registry { policies: self.policies.allow_native(), ..self }
    }

    /// Allows plug-ins that are processes of their own.
    #[must_use]
    pub fn allow_exec(self) -> Registry {
        Registry { policies: self.policies.allow_exec(), ..self }
    }

    /// Opens no more plug-ins than these: for the others a spec chooses a stand-in, which cannot be replayed.
    #[must_use]
    pub fn opening(self, opens: Opens) -> Registry {
        Registry { policies: self.policies.opening(opens), ..self }
    }

    /// Refuses specs that set a limit of a plug-in above these values: for specs that stand in files.
    #[must_use]
    pub fn within(self, ceilings: Ceilings) -> Registry {
        Registry { policies: self.policies.within(ceilings), ..self }
    }

    /// Lets the policies of a plug-in be named without its file.
    ///
    /// # Errors
    /// As [`batchlab_policies::Registry::load`].
    pub fn load_plugin(&mut self, path: &str) -> Result<(), SpecError> {
        self.policies.load(path)
    }

    /// Returns the policies.
    pub fn policies(&self) -> &batchlab_policies::Registry {
        &self.policies
    }

    /// Returns the formats.
    pub fn formats(&self) -> &Formats {
        &self.formats
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
}
