use super::*;

/// A tree of two leaves under a root.
const TREE: &str = "SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n[3-4] LinkSpeed=2\nSwitchName=root Switches=leaf[1-2]\n";

#[test]
fn switches_form_a_tree() {
    let conf =
        "SlurmVersion=22.05.8\nTopologyPlugin=topology/tree\nNodeName=n[1-4]\nPartitionName=p Nodes=ALL\n";
    let (system, findings) = read(&[("slurm.conf", conf), ("topology.conf", TREE)]);
    let topology = system.unwrap().topology.unwrap();
    let shown: Vec<_> = topology
        .switches
        .iter()
        .map(|one| (one.name.as_str(), one.level, one.nodes.as_slice(), one.below.as_slice()))
        .collect();
    let (leaf1, leaf2) = (("leaf1", 0, &[0, 1][..], &[][..]), ("leaf2", 0, &[2, 3][..], &[][..]));
    assert_eq!(shown, [leaf1, leaf2, ("root", 1, &[0, 1, 2, 3][..], &[0, 1][..])]);
    assert!(!topology.optional && findings.list().is_empty(), "{findings:?}");

    // What scontrol shows has the nodes of each switch.
    let shown = "SwitchName=root Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=leaf[1-2]\nSwitchName=leaf1 Level=0 LinkSpeed=1 \
        Nodes=n[1-2]\nSwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n";
    let optional = format!("{conf}TopologyParam=TopoOptional\n");
    let topology = read(&[("slurm.conf", &optional), ("shown", shown)]).0.unwrap().topology.unwrap();
    assert_eq!(
        (topology.optional, topology.switches[0].level, topology.switches[0].below.len()),
        (true, 1, 2)
    );

    let plain = conf.replace("topology/tree", "topology/none");
    assert_eq!(read(&[("slurm.conf", &plain), ("topology.conf", TREE)]).0.unwrap().topology, None);
}

#[test]
fn what_is_odd_about_switches_is_told() {
    let conf =
        "SlurmVersion=22.05.8\nTopologyPlugin=topology/tree\nNodeName=n[1-4]\nPartitionName=p Nodes=ALL\n";
    let of = |tree: &str| {
        let (system, findings) = read(&[("slurm.conf", conf), ("topology.conf", tree)]);
        let told: Vec<(&str, u64)> =
            findings.list().iter().map(|finding| (finding.kind.code, finding.count)).collect();
        (system.map(|system| system.topology.is_some()).map_err(|error| error.to_string()), told)
    };
    assert_eq!(of("# nothing\n"), (Ok(false), vec![("slurm-no-switches", 1)]));
    assert_eq!(of("SwitchName=a Nodes=n[1-4,9]\n"), (Ok(true), vec![("slurm-node-undefined", 1)]));
    assert_eq!(
        of("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[2-3]\n"),
        (Ok(true), vec![("slurm-two-leaves", 1), ("slurm-no-leaf", 1), ("slurm-no-root", 1)])
    );
    let error = |tree: &str| of(tree).0.unwrap_err();
    assert_eq!(
        error("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
        "topology.conf:2:1: switch `a` is defined twice"
    );
    assert_eq!(error("SwitchName=a\n"), "topology.conf:1:1: switch `a` has neither Nodes nor Switches");
    assert_eq!(
        error("SwitchName=a Nodes=n1 Switches=b\n"),
        "topology.conf:1:1: switch `a` has both Nodes and Switches"
    );
    assert_eq!(
        error("SwitchName=a Switches=a\n"),
        "topology.conf:1:14: switch `a` cannot have the switch `a` below it"
    );
    assert_eq!(
        error("SwitchName=a Nodes=n1\nSwitchName=b Switches=c\nSwitchName=c Switches=b\n"),
        "topology.conf:2:1: switch `b` is in no tree: it is below itself, or under more than 20 levels of switches"
    );
}
