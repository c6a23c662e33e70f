//! Policy specs as text, `name:key=value,key=value`, and the registry entries of policies.

mod chosen;
mod param;
mod params;
mod text;
mod words;

use std::any::Any;

use batchlab_traces::Citation;
use batchlab_traces::Machine;
use batchlab_traces::reading::Overrun;
use batchlab_traces::workload::Meanings;

use crate::costs::Costs;
use crate::needs::Needs;
use crate::plugin::Fault;
use crate::policy::Policy;
pub use chosen::Chosen;
pub use param::{ParamKind, ParamQuantity, ParamSpec, share_of};
pub use params::{ParamError, Params};
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

/// An installation of a batch system, of any type.
pub type Installed = dyn Any + Send + Sync;

/// The environment that a policy is created for.
#[expect(clippy::struct_excessive_bools, reason = "each is a condition of its own")]
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// How jobs that outlive their estimate are read.
    pub overrun: Overrun,
    /// Whether decisions come only at multiples of a cycle.
    pub periodic: bool,
    /// Whether nodes are chosen individually: on every machine that is not a pool.
    pub by_node: bool,
    /// Whether some changes of the capacity are known in advance.
    pub foresees: bool,
    /// Whether the capacity changes, known in advance or not.
    pub changes: bool,
    /// Whether jobs are of several tiers.
    pub tiers: bool,
    /// The number of jobs that will arrive, if it is known: a simulator informs its scheduler after the last arrival.
    pub jobs: Option<usize>,
    /// What switching, migrating and swapping cost.
    pub costs: Costs,
    /// The names that the log gives to the values of its jobs' fields, for expressions.
    pub meanings: Option<&'a Meanings>,
    /// The installation of the batch system, resolved for the jobs of the log; the crate of the policy that needs it knows its type.
    pub installation: Option<&'a Installed>,
}

impl<'a> Setting<'a> {
    /// Returns the setting of a machine, with decisions at every event and plain overruns.
    pub fn new(machine: &'a Machine) -> Setting<'a> {
        let by_node = !machine.is_pool();
        let (overrun, costs) = (Overrun::default(), Costs::default());
        Setting {
            machine,
            overrun,
            periodic: false,
            by_node,
            foresees: false,
            changes: false,
            tiers: false,
            jobs: None,
            costs,
            meanings: None,
            installation: None,
        }
    }
}

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
