use batchlab_traces::finding::SourcePlace;

/// The switches of the network as a tree (`topology.conf` of `topology/tree`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// The switches, in the order of the file: the order in which slurmctld numbers them.
    pub switches: Vec<Switch>,
    /// Whether only jobs that ask for a number of switches are placed by the tree (`TopologyParam=TopoOptional`).
    pub optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// `SwitchName`.
    pub name: String,
    /// How many switches lie between it and the nodes: 0 for a leaf.
    pub level: usize,
    /// The nodes below it, as indices, ascending.
    pub nodes: Vec<usize>,
    /// The switches right below it, as indices.
    pub below: Vec<usize>,
    pub place: SourcePlace,
}

/// The number of leaf switches that a job asks for (`--switches=1@5`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchWish {
    /// The most leaf switches on which its nodes may be.
    pub most: i64,
    /// How long after its submission it waits for such nodes; `None` for as long as the installation allows.
    pub patience: Option<batchlab_traces::time::Time>,
}
