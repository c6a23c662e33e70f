//! Files of a Slurm installation, and states of its nodes.

use batchlab_slurm::reader::nodes::unavailable_nodes;
use batchlab_slurm::reader::{SystemFile, read_system};
use batchlab_slurm::site::SlurmSystem;
use batchlab_traces::{Findings, Header, Trace};

/// Files divided by lines `%%`, of which each may include the next ones by their numbers: what is read is of the nodes that are
/// there.
pub fn installations(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parts = text.split("\n%%\n").enumerate();
    let files: Vec<SystemFile> =
        parts.map(|(at, text)| SystemFile { name: at.to_string().into(), text: text.into() }).collect();
    let mut includes = |_: &str, path: &str| files.iter().find(|file| *file.name == *path).cloned();
    for mut findings in [Findings::lenient(), Findings::strict()] {
        if let Ok(system) = read_system(&files, &[], &mut includes, &mut findings) {
            check(&system);
        }
    }
}

fn check(system: &SlurmSystem) {
    let nodes = system.nodes.len();
    assert!(nodes > 0, "an installation has nodes");
    for partition in &system.partitions {
        assert!(partition.nodes.is_sorted(), "{partition:?}");
        assert!(partition.nodes.iter().all(|&node| node < nodes), "{partition:?}");
    }
    for reservation in &system.reservations {
        assert!(reservation.nodes.iter().all(|&node| node < nodes), "{reservation:?}");
        for &(node, held) in &reservation.cores {
            assert!((0..=system.nodes[node].cpus).contains(&held), "{reservation:?}");
        }
    }
    for (at, association) in system.associations.iter().enumerate() {
        assert!(association.parent.is_none_or(|parent| parent < system.associations.len() && parent != at));
    }
    let _ = system.machine(&Header::default());
    let _ = system.calendar(&Trace::default());
}

/// The output of `sinfo` or `scontrol show node`: the nodes have names.
pub fn node_states(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(nodes) = unavailable_nodes(&text, "sinfo.txt", &mut Findings::lenient()) {
        assert!(nodes.iter().all(|node| !node.name.is_empty()), "{nodes:?}");
    }
}
