use std::any::Any;

use batchlab_traces::Machine;
use batchlab_traces::reading::Overrun;
use batchlab_traces::workload::Meanings;

use crate::costs::Costs;

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
