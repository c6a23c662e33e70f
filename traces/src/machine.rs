//! What jobs run on: nodes with capacities of resources.

/// How a resource is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Held as long as a job is resident, running or not: memory, licences, burst buffer.
    Space,
    /// Used in proportion to the rate at which a job runs: processors, bandwidth.
    Time,
}

/// A kind of resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name as expressions and tables use it.
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
}

/// Why a machine cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// No node, or no resource.
    #[error("a machine needs at least one node and one resource")]
    Empty,
    /// A capacity below zero, or a whole node without any.
    #[error("node {node} has a capacity of {amount} {resource}; it must be above zero")]
    Capacity {
        /// The node, from 0.
        node: usize,
        /// The resource.
        resource: String,
        /// The amount given.
        amount: i64,
    },
    /// `nodes` does not divide the processors.
    #[error("{procs} processors cannot be spread evenly over {nodes} nodes; give a number that divides them")]
    Uneven {
        /// Processors in all.
        procs: i64,
        /// Nodes asked for.
        nodes: usize,
    },
}

impl Machine {
    /// Returns a pool of so many processors: one node, one resource.
    ///
    /// # Errors
    /// [`MachineError::Capacity`] when there is no processor.
    pub fn pool(procs: i64) -> Result<Machine, MachineError> {
        Machine::new(vec![processors()], &[vec![procs]])
    }

    /// Returns a machine of equal nodes.
    ///
    /// # Errors
    /// [`MachineError::Uneven`] when the nodes do not divide the processors.
    pub fn uniform(procs: i64, nodes: usize) -> Result<Machine, MachineError> {
        if nodes == 0 {
            return Err(MachineError::Empty);
        }
        if procs % nodes as i64 != 0 {
            return Err(MachineError::Uneven { procs, nodes });
        }
        Machine::new(vec![processors()], &vec![vec![procs / nodes as i64]; nodes])
    }

    /// Returns a machine from its resources and the capacity of each node.
    ///
    /// # Errors
    /// When there is no node or resource, a node lists another number of resources, or a capacity is
    /// below zero (zero is allowed for all resources but the processors).
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
        Ok(Machine { nodes: nodes.len(), capacity: nodes.concat(), resources })
    }

    /// Returns the kinds of resources; the first is the processors.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// Returns K, the number of kinds of resources.
    pub fn kinds(&self) -> usize {
        self.resources.len()
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

    /// Returns the capacity of a resource over all nodes.
    pub fn total(&self, resource: usize) -> i64 {
        self.capacity.iter().skip(resource).step_by(self.kinds()).sum()
    }

    /// Returns the processors of the whole machine.
    pub fn procs(&self) -> i64 {
        self.total(0)
    }
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
    fn equal_nodes_must_divide_the_processors() {
        assert_eq!(Machine::uniform(1152, 144).unwrap().capacity(143), &[8]);
        assert_eq!(Machine::uniform(100, 3), Err(MachineError::Uneven { procs: 100, nodes: 3 }));
    }
}
