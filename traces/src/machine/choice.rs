//! The choice of the machine on which a log is replayed: options, and the header for the rest.

use super::{Amount, Machine, MachineError, MachineFile, MachineFileError, Resource, Sharing, processors};
use crate::header::{ColumnScope, Header, ResourceDeclaration};
use crate::nearest::{meant, nearest};
use crate::workload::{ReadingError, machine_size};
use crate::{Example, Findings, Reading, Refusal, Trace, kinds};

/// The requested machine; everything not requested is taken from the log's header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineChoice {
    /// Processors, instead of the header's `MaxProcs`.
    pub procs: Option<i64>,
    /// Nodes, over which the processors are spread evenly; `None` is one node, a pool.
    pub nodes: Option<usize>,
    /// A description of the whole machine, instead of both.
    pub file: Option<MachineFile>,
    /// Capacities of resources by name: per node, which on a pool is the total.
    pub capacities: Vec<(String, ChosenCapacity)>,
}

/// The capacity of a resource, as it is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChosenCapacity {
    /// An amount.
    Of(Amount),
    /// Unlimited: jobs may hold any amount of it.
    LeftOut,
}

/// Why no machine can be made.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error(transparent)]
    Reading(#[from] ReadingError),
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error(transparent)]
    File(#[from] MachineFileError),
    #[error("{0}")]
    Capacity(String),
}

impl From<Refusal> for ChoiceError {
    fn from(refusal: Refusal) -> ChoiceError {
        ChoiceError::Reading(refusal.into())
    }
}

kinds! {
    UNCONSTRAINED: Warning "resource-unconstrained",
        "{resource|resources} that the log gives for each job, without a capacity on this machine",
        "not constrained: jobs may hold any amount of {it|them}",
        "give it with --capacity NAME=AMOUNT (on machines with nodes, per node), or leave it out with \
         --capacity NAME=none";
    PART_LEFT_OUT: Note "machine-part-left-out",
        "{part|parts} of the machine's description without a meaning here",
        "left out",
        "what jobs ask for is in a machine file, as `features` of its nodes (docs/MACHINES.md)";
}

/// A description of the whole machine, node by node.
pub trait Described {
    /// Returns the machine for a log.
    ///
    /// # Errors
    /// When the description does not match the log, or cannot be replayed.
    fn machine(&self, header: &Header) -> Result<Machine, ChoiceError>;

    /// Returns why a resource that no node has is not constrained; `None` if the description itself says so.
    fn lacks(&self, resource: &str) -> Option<&'static str>;
}

impl Described for MachineFile {
    fn machine(&self, header: &Header) -> Result<Machine, ChoiceError> {
        Ok(MachineFile::machine(self, header)?)
    }

    fn lacks(&self, _: &str) -> Option<&'static str> {
        Some("the machine file does not name it")
    }
}

impl MachineChoice {
    /// Returns the machine for a log.
    ///
    /// Capacities declared in the header hold unless others are requested: those of a node on every node, those of a pool on
    /// a pool. On a pool, the capacity of a node counts `MaxNodes` times. On a machine with nodes, every resource belongs to
    /// nodes, so that a resource of a whole pool is not constrained; nor is a resource without a capacity. Both are reported
    /// as findings. A machine file states the whole machine.
    pub fn machine(
        &self,
        trace: &Trace,
        reading: &Reading,
        findings: &mut Findings,
    ) -> Result<Machine, ChoiceError> {
        if let Some(file) = &self.file {
            if let Some(part) = &file.left_out {
                findings.report(&PART_LEFT_OUT, || Example::of(part))?;
            }
            return self.described(file, trace, findings);
        }
        let procs = match self.procs {
            Some(procs) => procs,
            None => machine_size(trace, reading, findings)?,
        };
        let machine = Machine::uniform(procs, self.nodes.unwrap_or(1))?;
        self.with_capacities(&machine, trace, findings, |declared| {
            Some(declared_capacity(declared, trace, &machine))
        })
    }

    /// Returns the machine of a description, with the requested capacities.
    pub fn described(
        &self,
        description: &dyn Described,
        trace: &Trace,
        findings: &mut Findings,
    ) -> Result<Machine, ChoiceError> {
        let machine = description.machine(&trace.header)?;
        self.with_capacities(&machine, trace, findings, |declared| {
            Some(Err(description.lacks(&declared.name)?.into()))
        })
    }

    /// Adds the further resources of the header, then the requested ones. `capacity` returns the capacity of each node for a
    /// resource of the header, or why there is none; `None` needs no finding.
    fn with_capacities(
        &self,
        machine: &Machine,
        trace: &Trace,
        findings: &mut Findings,
        capacity: impl Fn(&ResourceDeclaration) -> Option<Result<i64, String>>,
    ) -> Result<Machine, ChoiceError> {
        let mut parts = Parts::of(machine);
        let declared = trace.header.resources.iter().filter(|declared| declared.scope != ColumnScope::Job);
        for declared in declared.clone() {
            if parts.has(&declared.name) || self.capacities.iter().any(|(name, _)| *name == declared.name) {
                continue;
            }
            match capacity(declared) {
                None => {}
                Some(Ok(amount)) => parts.set(&declared.name, &declared.unit, amount),
                Some(Err(reason)) => {
                    findings
                        .report(&UNCONSTRAINED, || Example::of(format!("{}: {reason}", declared.name)))?;
                }
            }
        }
        for (index, (name, capacity)) in self.capacities.iter().enumerate() {
            if self.capacities[..index].iter().any(|(other, _)| other == name) {
                return Err(ChoiceError::Capacity(format!("--capacity names {name} twice")));
            }
            let declared = declared.clone().find(|declared| declared.name == *name);
            parts.choose(name, *capacity, declared)?;
        }
        Ok(parts.machine(machine)?)
    }
}

/// Returns the capacity of each node for a resource by the header, or why it is unknown.
fn declared_capacity(
    declared: &ResourceDeclaration,
    trace: &Trace,
    machine: &Machine,
) -> Result<i64, String> {
    let Some(capacity) = declared.capacity else { return Err("the header gives it no capacity".into()) };
    let nodes = trace.header.max_nodes.as_ref().map(|nodes| nodes.count).filter(|&nodes| nodes > 0);
    match (declared.scope, machine.is_pool(), nodes) {
        (ColumnScope::Node, true, None) => {
            Err(format!("the header gives it a capacity of {capacity} per node, and no MaxNodes"))
        }
        (ColumnScope::Node, true, Some(nodes)) => capacity
            .checked_mul(nodes)
            .ok_or_else(|| format!("{nodes} times {capacity} is beyond all measure")),
        (ColumnScope::Node, false, _) | (_, true, _) => Ok(capacity),
        (_, false, _) => Err(format!(
            "the header gives it a capacity of {capacity} for all nodes together, and here each resource is on a node"
        )),
    }
}

/// A machine under construction: its resources and the amounts on each node.
struct Parts {
    resources: Vec<Resource>,
    nodes: Vec<Vec<i64>>,
}

impl Parts {
    fn of(machine: &Machine) -> Parts {
        let nodes = (0..machine.nodes()).map(|node| machine.capacity(node).to_vec()).collect();
        Parts { resources: machine.resources().to_vec(), nodes }
    }

    fn has(&self, name: &str) -> bool {
        self.resources.iter().any(|resource| resource.name == name)
    }

    /// Sets the same amount of a resource on every node.
    fn set(&mut self, name: &str, unit: &str, amount: i64) {
        if let Some(at) = self.resources.iter().position(|resource| resource.name == name) {
            self.nodes.iter_mut().for_each(|amounts| amounts[at] = amount);
            return;
        }
        self.resources.push(Resource { name: name.into(), unit: unit.into(), sharing: Sharing::Space });
        self.nodes.iter_mut().for_each(|amounts| amounts.push(amount));
    }

    fn choose(
        &mut self,
        name: &str,
        capacity: ChosenCapacity,
        declared: Option<&ResourceDeclaration>,
    ) -> Result<(), ChoiceError> {
        if name == processors().name {
            return Err(ChoiceError::Capacity(
                "--capacity is of further resources; --procs gives the processors".into(),
            ));
        }
        let known = self.resources.iter().position(|resource| resource.name == name);
        let amount = match capacity {
            ChosenCapacity::Of(amount) => amount,
            ChosenCapacity::LeftOut => return self.leave_out(name, known, declared.is_some()),
        };
        let unit = match (known, declared) {
            (Some(at), _) => self.resources[at].unit.clone(),
            (None, Some(declared)) => declared.unit.clone(),
            (None, None) if name == "memory" || amount.has_unit() => "KB".into(),
            (None, None) => String::new(),
        };
        let amount = amount.in_units_of(&unit).ok_or_else(|| {
            ChoiceError::Capacity(format!("--capacity {name}: it is counted in {unit}; give a plain number"))
        })?;
        self.set(name, &unit, amount);
        Ok(())
    }

    fn leave_out(&mut self, name: &str, known: Option<usize>, declared: bool) -> Result<(), ChoiceError> {
        match known {
            Some(at) => {
                self.resources.remove(at);
                for amounts in &mut self.nodes {
                    amounts.remove(at);
                }
                Ok(())
            }
            None if declared => Ok(()),
            None => {
                let meant =
                    meant(nearest(name, self.resources.iter().skip(1).map(|known| known.name.as_str())));
                let what =
                    format!("--capacity {name}=none: neither log nor machine has a resource `{name}`{meant}");
                Err(ChoiceError::Capacity(what))
            }
        }
    }

    fn machine(self, model: &Machine) -> Result<Machine, MachineError> {
        let mut machine = Machine::new(self.resources, &self.nodes)?;
        let devices = model.devices();
        let named = devices.and_then(|devices| machine.resource(&model.resources()[devices.resource()].name));
        if let (Some(devices), Some(resource)) = (devices, named) {
            machine = machine.with_devices(resource, devices.size())?;
        }
        let nodes = 0..model.nodes();
        let partitions = nodes.clone().map(|node| model.partitions(node).to_vec()).collect();
        let features = nodes.map(|node| model.features(node).to_vec()).collect();
        machine.with_sums(model.sums().to_vec()).with_partitions(partitions)?.with_features(features)
    }
}
