//! The policies that specs can name: the built-in ones, and those that a user's crate registers.

use batchlab_traces::nearest::{meant, nearest};

use crate::policy::{Needs, Policy};
use crate::spec::{BuildError, ParamError, Params, PolicySpec, Setting, SpecText, TextError};

/// The built-in policies: one line each.
const POLICIES: &[PolicySpec] = &[
    crate::queue::fcfs::SPEC,
    crate::queue::first_fit::SPEC,
    crate::backfill::easy::SPEC,
    crate::backfill::depth::SPEC,
    crate::backfill::conservative::SPEC,
];

/// A set of policies by name.
#[derive(Clone, Debug)]
pub struct Registry {
    specs: Vec<PolicySpec>,
}

/// A policy chosen by a spec, checked, not yet built.
#[derive(Clone, Debug)]
pub struct Chosen {
    spec: PolicySpec,
    params: Params,
}

/// Why a spec names no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text is malformed.
    #[error(transparent)]
    Text(#[from] TextError),
    /// No policy of this name.
    #[error("no policy is called `{given}`{}; see `batchlab list policies`", meant(nearest.as_deref()))]
    Unknown {
        /// What was given.
        given: String,
        /// The nearest name.
        nearest: Option<String>,
    },
    /// A parameter is wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
}

/// The name is in use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a policy called `{0}` is registered already")]
pub struct NameTaken(pub &'static str);

impl Default for Registry {
    fn default() -> Registry {
        Registry::builtin()
    }
}

impl Registry {
    /// Returns the built-in policies.
    pub fn builtin() -> Registry {
        Registry { specs: POLICIES.to_vec() }
    }

    /// Adds a policy.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn register(&mut self, spec: PolicySpec) -> Result<(), NameTaken> {
        if self.specs.iter().any(|known| known.name == spec.name) {
            return Err(NameTaken(spec.name));
        }
        self.specs.push(spec);
        Ok(())
    }

    /// Returns all policies in the order of registration.
    pub fn specs(&self) -> &[PolicySpec] {
        &self.specs
    }

    /// Chooses the policy that a spec names and checks its parameters.
    ///
    /// # Errors
    /// When the text is malformed, or a name or a parameter is unknown; the nearest right one is named.
    pub fn choose(&self, text: &str) -> Result<Chosen, SpecError> {
        let text: SpecText = text.parse()?;
        let Some(spec) = self.specs.iter().find(|spec| spec.name == text.name) else {
            let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).collect();
            return Err(SpecError::Unknown {
                nearest: nearest(&text.name, names.iter().copied()).map(str::to_owned),
                given: text.name,
            });
        };
        let params = Params::check(spec.name, spec.params, &text.pairs)?;
        Ok(Chosen { spec: *spec, params })
    }
}

impl Chosen {
    /// Returns the spec in canonical form.
    pub fn canonical(&self) -> String {
        self.params.canonical(self.spec.name, self.spec.params)
    }

    /// Returns what the policy says about itself.
    pub fn spec(&self) -> &PolicySpec {
        &self.spec
    }

    /// Returns what the policy needs.
    pub fn needs(&self) -> Needs {
        self.spec.needs
    }

    /// Makes the policy for one replay.
    ///
    /// # Errors
    /// When it cannot work in the setting.
    pub fn build(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        if self.spec.needs.pool && !setting.machine.is_pool() {
            return Err(BuildError::Unfit(format!(
                "`{}` places jobs on a pool; this machine has {} nodes: leave --nodes or --machine out",
                self.spec.name,
                setting.machine.nodes()
            )));
        }
        (self.spec.build)(&self.params, setting)
    }
}
