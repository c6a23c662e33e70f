//! The policies that specs can name: the built-in ones, and those that a user's crate registers.

use batchlab_traces::nearest::{meant, nearest};

use crate::policy::{Needs, Policy};
use crate::spec::{
    Bound, BuildError, ParamError, ParamKind, ParamSpec, Params, PolicySpec, Setting, SpecText, TextError,
};

/// The built-in policies: one line each.
const POLICIES: &[PolicySpec] = &[
    crate::queue::fcfs::SPEC,
    crate::queue::first_fit::SPEC,
    crate::backfill::easy::SPEC,
    crate::backfill::depth::SPEC,
    crate::backfill::conservative::SPEC,
    crate::leinberger::ff_easy::SPEC,
    crate::leinberger::ff_cons::SPEC,
    crate::leinberger::bl_easy::SPEC,
    crate::leinberger::bb_easy::SPEC,
    crate::sheikhalishahi::mcbp::SPEC,
    crate::sheikhalishahi::bkfl::SPEC,
    crate::limits::SPEC,
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
    /// Policies within policies without end.
    #[error("policies within policies go {DEEPEST} deep")]
    Depth,
}

/// How deep policies may be nested.
const DEEPEST: usize = 8;

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
        self.choose_at(text, 1)
    }

    fn choose_at(&self, text: &str, depth: usize) -> Result<Chosen, SpecError> {
        let text: SpecText = text.parse()?;
        let Some(spec) = self.specs.iter().find(|spec| spec.name == text.name) else {
            let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).collect();
            return Err(SpecError::Unknown {
                nearest: nearest(&text.name, names.iter().copied()).map(str::to_owned),
                given: text.name,
            });
        };
        let mut params = Params::check(spec.name, spec.params, &text.pairs)?;
        for param in spec.params.iter().filter(|param| param.kind == ParamKind::Policy) {
            if depth == DEEPEST {
                return Err(SpecError::Depth);
            }
            let policy = self.choose_at(bare(params.text(param.name)), depth + 1)?;
            params.set_policy(param.name, policy);
        }
        Ok(Chosen { spec: *spec, params })
    }
}

/// Takes the parentheses off that protect a spec within another.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// Policies of one name in one registry are the same.
impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.spec.name == other.spec.name && self.params == other.params
    }
}

impl Eq for Chosen {}

impl Chosen {
    /// Returns the spec in canonical form.
    pub fn canonical(&self) -> String {
        self.params.canonical(self.spec.name, self.spec.params)
    }

    /// Returns what the policy says about itself.
    pub fn spec(&self) -> &PolicySpec {
        &self.spec
    }

    /// Returns its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns what the policy needs with these parameters: for its orders, its limits, the policy within it.
    pub fn needs(&self) -> Needs {
        self.spec.needs.and(self.params.needs(self.spec.params))
    }

    /// Returns the limits on processors that a job alone may exceed: with each its parameter. Such a job would never
    /// start.
    pub fn job_limits(&self) -> Vec<(&'static str, i64)> {
        let bounds = |param: &ParamSpec| match param.kind {
            ParamKind::Limit(_, Bound::Procs) => {
                self.params.count(param.name).map(|most| (param.name, most as i64))
            }
            _ => None,
        };
        let own = self.spec.params.iter().filter_map(bounds);
        own.chain(self.params.policies().flat_map(Chosen::job_limits)).collect()
    }

    /// Makes the policy for one replay.
    ///
    /// # Errors
    /// When it cannot work in the setting.
    pub fn build(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        if self.spec.needs.pool && !setting.machine.is_pool() {
            return Err(BuildError::Unfit(format!(
                "`{}` places jobs on a pool; this machine has {} nodes: leave --nodes out",
                self.spec.name,
                setting.machine.nodes()
            )));
        }
        (self.spec.build)(&self.params, setting)
    }
}
