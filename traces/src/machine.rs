//! The machine that jobs run on: nodes with capacities of resources.

mod amount;
mod choice;
mod devices;
mod file;
mod fit;

pub use amount::{Amount, AmountError};
pub use choice::{ChoiceError, ChosenCapacity, Described, MachineChoice};
pub use devices::{DeviceSet, Devices, members};
pub use file::{MachineFile, MachineFileError};
pub use fit::{Fit, Misfit, has_room, take_room};

use serde::Deserialize;

/// How a resource is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sharing {
    /// Held as long as a job is resident, running or not: memory, licences, burst buffer.
    #[default]
    Space,
    /// Used in proportion to the rate at which a job runs: processors, bandwidth.
    Time,
}

/// A kind of resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name in expressions and tables.
    pub name: String,
    /// Unit of every amount of it, empty for a plain count.
    pub unit: String,
    /// How it is shared.
    pub sharing: Sharing,
}

/// A machine: N nodes with K resources. A pool is a machine with one node.
///
/// The first resource is the processors. Amounts are whole numbers of the resource's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    resources: Vec<Resource>,
    nodes: usize,
    /// `nodes × K` amounts, node by node.
    capacity: Vec<i64>,
    /// Partitions of each node; empty if all nodes take every job.
    partitions: Vec<Vec<i64>>,
    /// Features of each node, its name among them; empty if no node has any.
    features: Vec<Vec<String>>,
    devices: Option<Devices>,
    sums: Vec<DemandSum>,
}

/// A resource of which a job demands a weighted sum of its demands of other resources: GPUs and shards of GPUs come from the
/// same devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandSum {
    /// The name of the resource.
    pub name: String,
    /// The names of the summed resources, with their weights.
    pub of: Vec<(String, i64)>,
}

/// Why a machine is invalid; the message of each variant says what it is. Nodes are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say what each is.
pub enum MachineError {
    #[error("a machine needs at least one node and one resource")]
    Empty,
    #[error("node {node} has a capacity of {amount} {resource}; it must be above zero")]
    Capacity { node: usize, resource: String, amount: i64 },
    #[error("the machine has too much {resource}: at most {most} can be replayed")]
    TooMuch { resource: String, most: i64 },
    #[error("partitions of {given} nodes on a machine of {nodes}")]
    Partitions { given: usize, nodes: usize },
    #[error("features of {given} nodes on a machine of {nodes}")]
    Features { given: usize, nodes: usize },
    #[error("{resource} cannot come in devices of {size}: {why}")]
    Devices { resource: String, size: i64, why: String },
    #[error("{0} nodes are too many: at most {most} can be replayed", most = Machine::MOST_NODES)]
    TooManyNodes(usize),
    #[error("{procs} processors cannot be spread evenly over {nodes} nodes; {} would do", divisors(*procs, *nodes))]
    Uneven { procs: i64, nodes: usize },
}

impl Machine {
    /// The most processors of a machine: the sum over all jobs of the largest workload fits in 64 bits.
    pub const MOST_PROCS: i64 = i32::MAX as i64;
    /// The most of any other resource, over all nodes.
    pub const MOST: i64 = i64::MAX / 8;
    /// The most nodes.
    pub const MOST_NODES: usize = 1_000_000;
    /// The partition of nodes that take no job of the log.
    pub const NOWHERE: i64 = i64::MAX;
    /// What is added to the number of a list of partitions: nodes of any of them take jobs of the sum.
    pub const LISTS: i64 = 1 << 40;

    /// Returns a pool of `procs` processors: one node, one resource.
    ///
    /// # Errors
    /// [`MachineError::Capacity`] when there is no processor, [`MachineError::TooMuch`] beyond [`Machine::MOST_PROCS`].
    pub fn pool(procs: i64) -> Result<Machine, MachineError> {
        Machine::new(vec![processors()], &[vec![procs]])
    }

    /// Returns a machine of equal nodes.
    ///
    /// # Errors
    /// [`MachineError::Uneven`] when the nodes do not divide the processors, [`MachineError::TooMuch`] beyond
    /// [`Machine::MOST_PROCS`].
    pub fn uniform(procs: i64, nodes: usize) -> Result<Machine, MachineError> {
        if nodes == 0 {
            return Err(MachineError::Empty);
        }
        if nodes > Machine::MOST_NODES {
            return Err(MachineError::TooManyNodes(nodes));
        }
        // Checked before another size is proposed: there are too many to search.
        if procs > Machine::MOST_PROCS {
            return Err(MachineError::TooMuch { resource: processors().name, most: Machine::MOST_PROCS });
        }
        if procs % nodes as i64 != 0 {
            return Err(MachineError::Uneven { procs, nodes });
        }
        Machine::new(vec![processors()], &vec![vec![procs / nodes as i64]; nodes])
    }

    /// Returns a machine from its resources and the capacity of each node.
    ///
    /// # Errors
    /// When there is no node or resource, a node lists a different number of resources, a capacity is negative (zero is allowed
    /// for all resources except processors), or the total exceeds [`Machine::MOST_PROCS`] or [`Machine::MOST`].
    pub fn new(resources: Vec<Resource>, nodes: &[Vec<i64>]) -> Result<Machine, MachineError> {
        if resources.is_empty() || nodes.is_empty() || nodes.iter().any(|node| node.len() != resources.len())
        {
            return Err(MachineError::Empty);
        }
        for (node, amounts) in nodes.iter().enumerate() {
            for (index, (&amount, resource)) in amounts.iter().zip(&resources).enumerate() {
                if amount < 0 || index == 0 && amount == 0 {
                    return Err(MachineError::Capacity { node, resource: resource.name.clone(), amount });
                }
            }
        }
        for (index, resource) in resources.iter().enumerate() {
            let total: i128 = nodes.iter().map(|amounts| i128::from(amounts[index])).sum();
            let most = if index == 0 { Machine::MOST_PROCS } else { Machine::MOST };
            if total > i128::from(most) {
                return Err(MachineError::TooMuch { resource: resource.name.clone(), most });
            }
        }
        Ok(Machine {
            nodes: nodes.len(),
            capacity: nodes.concat(),
            resources,
            partitions: Vec::new(),
            features: Vec::new(),
            devices: None,
            sums: Vec::new(),
        })
    }

    /// Returns the machine with the partitions (numbers of the log's field 16) of each node; a node without
    /// partitions takes every job.
    ///
    /// # Errors
    /// [`MachineError::Partitions`] unless there is one list per node.
    pub fn with_partitions(self, partitions: Vec<Vec<i64>>) -> Result<Machine, MachineError> {
        if partitions.len() != self.nodes {
            return Err(MachineError::Partitions { given: partitions.len(), nodes: self.nodes });
        }
        // If no node has partitions, nodes do not differ.
        let named = partitions.iter().any(|named| !named.is_empty());
        Ok(Machine { partitions: if named { partitions } else { Vec::new() }, ..self })
    }

    /// Returns the machine with the features of each node, its name among them.
    ///
    /// # Errors
    /// [`MachineError::Features`] unless there is one list per node.
    pub fn with_features(self, features: Vec<Vec<String>>) -> Result<Machine, MachineError> {
        if features.len() != self.nodes {
            return Err(MachineError::Features { given: features.len(), nodes: self.nodes });
        }
        let named = features.iter().any(|named| !named.is_empty());
        Ok(Machine { features: if named { features } else { Vec::new() }, ..self })
    }

    /// Returns the machine with a resource that comes in devices of `size` units.
    ///
    /// # Errors
    /// [`MachineError::Devices`] if the resource is shared in time, as processors are, if the machine is a pool, if the
    /// capacity of a node is not a whole number of devices, or if a node has more than [`Devices::MOST`] of them.
    pub fn with_devices(self, resource: usize, size: i64) -> Result<Machine, MachineError> {
        let wrong = |why: String| {
            let resource = self.resources[resource].name.clone();
            Err(MachineError::Devices { resource, size, why })
        };
        if self.resources[resource].sharing == Sharing::Time {
            return wrong("it is shared in time, and jobs hold devices".into());
        }
        if self.is_pool() {
            return wrong("a machine of one node is a pool, which has no devices".into());
        }
        let amounts = || (0..self.nodes).map(|node| self.capacity(node)[resource]);
        if let Some((node, amount)) = amounts().enumerate().find(|(_, amount)| size < 1 || amount % size != 0)
        {
            return wrong(format!("node {node} has {amount}"));
        }
        let most = amounts().max().unwrap_or(0) / size;
        if most > Devices::MOST as i64 {
            return wrong(format!("a node has {most} of them; at most {} can be replayed", Devices::MOST));
        }
        let devices = Devices::new(resource, size, self.kinds(), most as usize);
        Ok(Machine { devices: Some(devices), ..self })
    }

    /// Returns the machine with resources whose demand is a sum; resources that it does not have are ignored.
    #[must_use]
    pub fn with_sums(self, sums: Vec<DemandSum>) -> Machine {
        Machine { sums, ..self }
    }

    /// Returns the resources whose demand is a sum of other demands.
    pub fn sums(&self) -> &[DemandSum] {
        &self.sums
    }

    /// Returns the same machine with a node for each processor: it has an equal part, rounded down, of every other resource of
    /// its node, and takes the jobs of its node's partitions. It has neither features nor devices.
    #[must_use]
    pub fn by_processor(&self) -> Machine {
        let (mut capacity, mut partitions) = (Vec::new(), Vec::new());
        for node in 0..self.nodes {
            let amounts = self.capacity(node);
            let procs = amounts[0];
            for _ in 0..procs {
                capacity.extend(amounts.iter().map(|amount| amount / procs));
                partitions.push(self.partitions(node).to_vec());
            }
        }
        let nodes = partitions.len();
        partitions.retain(|_| self.is_partitioned());
        Machine { nodes, capacity, partitions, features: Vec::new(), devices: None, ..self.clone() }
    }

    /// Returns the same machine with several times as many processors on each node.
    #[must_use]
    pub fn with_procs_times(&self, times: i64) -> Machine {
        let mut more = self.clone();
        for procs in more.capacity.iter_mut().step_by(self.kinds()) {
            *procs = procs.saturating_mul(times.max(1)).min(Machine::MOST_PROCS);
        }
        more
    }

    /// Returns a pool with the capacities of all nodes together; it takes every job.
    #[must_use]
    pub fn as_pool(&self) -> Machine {
        let capacity = (0..self.kinds()).map(|kind| self.total(kind)).collect();
        let (partitions, features) = (Vec::new(), Vec::new());
        Machine { nodes: 1, capacity, partitions, features, devices: None, ..self.clone() }
    }

    /// Returns the kinds of resources; the first is the processors.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// Returns K, the number of kinds of resources.
    pub fn kinds(&self) -> usize {
        self.resources.len()
    }

    /// Returns the index of the resource with a name.
    pub fn resource(&self, name: &str) -> Option<usize> {
        self.resources.iter().position(|resource| resource.name == name)
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Whether the machine is a pool: one node.
    pub fn is_pool(&self) -> bool {
        self.nodes == 1
    }

    /// Returns the capacities of a node, one amount per resource.
    pub fn capacity(&self, node: usize) -> &[i64] {
        let kinds = self.kinds();
        &self.capacity[node * kinds..(node + 1) * kinds]
    }

    /// Returns the devices that a resource comes in.
    #[inline]
    pub fn devices(&self) -> Option<Devices> {
        self.devices
    }

    /// Returns the number of amounts of a node: of its resources and of its devices.
    #[inline]
    pub fn width(&self) -> usize {
        self.kinds() + self.devices.map_or(0, |devices| devices.most())
    }

    /// Returns the capacities of a node in devices: of each resource, then of each device.
    pub fn amounts(&self, node: usize) -> Vec<i64> {
        let capacity = self.capacity(node);
        self.devices.map_or_else(|| capacity.to_vec(), |devices| devices.amounts(capacity))
    }

    /// Whether a node takes jobs of a partition. A job of an unknown partition (below zero) may run anywhere.
    #[inline]
    pub fn admits(&self, node: usize, partition: i64) -> bool {
        let Some(named) = self.partitions.get(node) else { return true };
        partition < 0 || named.is_empty() || named.contains(&partition)
    }

    /// Whether nodes differ in the jobs that they take.
    pub fn is_partitioned(&self) -> bool {
        !self.partitions.is_empty()
    }

    /// Whether a number is that of a partition of the log, and not one of the machine's own.
    pub fn is_partition_of_log(number: i64) -> bool {
        number != Machine::NOWHERE && !(Machine::LISTS..2 * Machine::LISTS).contains(&number)
    }

    /// Returns the partitions of a node; empty if it takes every job.
    pub fn partitions(&self, node: usize) -> &[i64] {
        self.partitions.get(node).map_or(&[], Vec::as_slice)
    }

    /// Whether any node has features.
    pub fn has_features(&self) -> bool {
        !self.features.is_empty()
    }

    /// Returns the features of a node, its name among them.
    pub fn features(&self, node: usize) -> &[String] {
        self.features.get(node).map_or(&[], Vec::as_slice)
    }

    /// Returns the name of the resource to which an amount belongs, by its index in [`Machine::amounts`].
    pub fn name_of(&self, amount: usize) -> &str {
        let of_device = || self.devices.map_or(0, |devices| devices.resource());
        &self.resources.get(amount).unwrap_or_else(|| &self.resources[of_device()]).name
    }

    /// Returns the capacity of a resource over all nodes.
    pub fn total(&self, resource: usize) -> i64 {
        self.capacity.iter().skip(resource).step_by(self.kinds()).sum()
    }

    /// Returns an amount of a resource with its unit, for display.
    pub fn shown(&self, resource: usize, amount: i64) -> impl std::fmt::Display + '_ {
        amount::Shown(amount, &self.resources[resource].unit)
    }

    /// Returns the processors of the whole machine.
    pub fn procs(&self) -> i64 {
        self.total(0)
    }
}

/// Returns the numbers of nodes, nearest below and above the given one, that divide the processors.
fn divisors(procs: i64, nodes: usize) -> String {
    let nodes = nodes as i64;
    let small = (1..=procs.max(1).isqrt()).filter(|small| procs % small == 0);
    let all = small.flat_map(|small| [small, procs / small]);
    let (below, above): (Vec<i64>, Vec<i64>) = all.partition(|&divisor| divisor < nodes);
    let near = [below.into_iter().max(), above.into_iter().min()];
    near.into_iter().flatten().map(|near| near.to_string()).collect::<Vec<_>>().join(" or ")
}

/// Returns the description of the first resource of every machine.
pub fn processors() -> Resource {
    Resource { name: "procs".into(), unit: String::new(), sharing: Sharing::Time }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_a_machine_with_one_node() {
        let pool = Machine::pool(100).unwrap();
        assert!(pool.is_pool());
        assert_eq!((pool.procs(), pool.kinds(), pool.capacity(0)), (100, 1, &[100][..]));
    }

    #[test]
    fn a_processor_has_its_part_of_its_node() {
        let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
        let machine = Machine::new(vec![processors(), memory], &[vec![2, 9], vec![1, 5]]).unwrap();
        let apart = machine.with_partitions(vec![vec![7], vec![]]).unwrap().by_processor();
        assert_eq!((apart.nodes(), apart.procs()), (3, 3));
        assert_eq!([apart.capacity(0), apart.capacity(1), apart.capacity(2)], [[1, 4], [1, 4], [1, 5]]);
        assert_eq!([apart.partitions(1), apart.partitions(2)], [&[7][..], &[]]);
    }

    #[test]
    fn what_cannot_be_summed_is_refused() {
        let most = Machine::MOST_PROCS;
        assert_eq!(Machine::pool(most).unwrap().procs(), most);
        let too_much = Err(MachineError::TooMuch { resource: "procs".into(), most });
        assert_eq!(Machine::pool(i64::MAX), too_much);
        assert_eq!(Machine::new(vec![processors()], &[vec![most], vec![1]]), too_much);
        let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
        let nodes = [vec![1, Machine::MOST], vec![1, i64::MAX]];
        assert!(Machine::new(vec![processors(), memory], &nodes).is_err());
    }

    #[test]
    fn equal_nodes_must_divide_the_processors() {
        assert_eq!(Machine::uniform(1152, 144).unwrap().capacity(143), &[8]);
        assert_eq!(Machine::uniform(100, 3), Err(MachineError::Uneven { procs: 100, nodes: 3 }));
        let said = |procs, nodes| Machine::uniform(procs, nodes).unwrap_err().to_string();
        assert!(said(100, 3).ends_with("over 3 nodes; 2 or 4 would do"), "{}", said(100, 3));
        assert!(said(100, 101).ends_with("; 100 would do"), "{}", said(100, 101));
        assert!(said(7, 2).ends_with("; 1 or 7 would do"), "{}", said(7, 2));
    }
}
