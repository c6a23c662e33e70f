//! Policy specs as text, `name:key=value,key=value`, and the registry entries of policies.

mod chosen;
mod param;
mod params;
mod setting;
mod text;
mod words;

use batchlab_traces::Citation;

use crate::needs::Needs;
use crate::plugin::Fault;
use crate::policy::Policy;
pub use chosen::Chosen;
pub use param::{ParamKind, ParamQuantity, ParamSpec, share_of};
pub use params::{ParamError, Params};
pub use setting::{Installed, Setting};
pub use text::{CARRIED, HOST, SpecText, TextError, bare, is_carried};
pub use words::Words;

/// A policy's entry in the registry: name, texts, parameters and constructor; one constant per policy.
#[derive(Clone, Copy, Debug)]
pub struct PolicySpec {
    /// Name in specs and tables.
    pub name: &'static str,
    /// Group in listings.
    pub family: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The publication that defines it.
    pub cite: Citation,
    /// Its rule in a few sentences; the exact rule is in the doc comment.
    pub rule: &'static str,
    /// Its parameters.
    pub params: &'static [ParamSpec],
    /// What it needs.
    pub needs: Needs,
    /// Creates the policy for one replay.
    pub build: Build,
}

/// Creates a policy for one replay.
pub type Build = fn(&Params, &Setting<'_>) -> Result<Box<dyn Policy>, BuildError>;

/// Why a policy cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A parameter is wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// It cannot work in this setting.
    #[error("{0}")]
    Unfit(String),
    /// It comes from a plug-in that misbehaved.
    #[error("policy `{policy}`: {fault}")]
    Fault {
        /// The policy's spec.
        policy: String,
        /// The fault.
        fault: Fault,
    },
}
