use super::conf;
use super::file::SystemFile;
use super::recognise::SlurmFileKind;

/// The part of an installation that a file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Configuration,
    /// Nodes alone, as files have that `slurm.conf` includes.
    Nodes,
    Partitions,
    /// Switches: `topology.conf`, or the switches in force.
    Topology,
    /// `scontrol show config`.
    Settings,
    /// `scontrol show partition`.
    PartitionsInForce,
    /// `scontrol show reservation`.
    Reservations,
    /// `scontrol show node`.
    NodesInForce,
    /// Accounts and users: `sacctmgr show assoc` or `sacctmgr dump`.
    Accounts,
    /// `sshare`.
    Usage,
    /// `sacctmgr show qos`.
    Qos,
    /// `sacctmgr show event`.
    Events,
    /// `sacctmgr show reservation`.
    PastReservations,
    /// Lines of slurmctld's log.
    Changes,
    /// A file that is not read: what it is.
    Unread(&'static str),
}

/// Whether a file describes the same part of an installation as another file, and replaces it: a `slurm.conf` replaces another one
/// and its parts, a table of associations another one, and so on.
pub fn replaces(new: &SystemFile, old: &SystemFile) -> bool {
    let (new, old) = (Part::of(new), Part::of(old));
    new == old || new == Part::Configuration && matches!(old, Part::Nodes | Part::Partitions)
}

impl Part {
    pub(super) fn of(file: &SystemFile) -> Part {
        match SlurmFileKind::of(&file.text) {
            SlurmFileKind::Associations | SlurmFileKind::Dump => Part::Accounts,
            SlurmFileKind::Usage => Part::Usage,
            SlurmFileKind::Qos => Part::Qos,
            SlurmFileKind::Nodes => Part::NodesInForce,
            SlurmFileKind::Events => Part::Events,
            SlurmFileKind::PastReservations => Part::PastReservations,
            SlurmFileKind::Changes => Part::Changes,
            SlurmFileKind::Settings => Part::Settings,
            SlurmFileKind::Records => match heads(file)[..] {
                [.., "reservationname"] => Part::Reservations,
                ["switchname"] => Part::Topology,
                _ => Part::PartitionsInForce,
            },
            SlurmFileKind::Unread(what) => Part::Unread(what),
            SlurmFileKind::Nothing | SlurmFileKind::Foreign(_) => Part::Unread(""),
            SlurmFileKind::Configuration => match heads(file)[..] {
                ["nodename"] | ["nodename", "nodeset"] => Part::Nodes,
                ["partitionname"] => Part::Partitions,
                ["switchname"] => Part::Topology,
                _ => Part::Configuration,
            },
        }
    }
}

/// Returns the different first keys of the statements of a file, sorted; lines that include others count as `include`.
fn heads(file: &SystemFile) -> Vec<&'static str> {
    let known = ["nodename", "nodeset", "partitionname", "reservationname", "switchname"];
    let head = |line: &str| {
        let key = line.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
        known.into_iter().find(|known| *known == key).unwrap_or("another")
    };
    let mut heads: Vec<&str> = conf::heads(&file.text).map(|line| head(&line)).collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SystemFile {
        SystemFile { name: "a".into(), text: text.into() }
    }

    #[test]
    fn a_file_takes_the_place_of_its_own_kind() {
        let conf = file("ClusterName=c\nNodeName=n1 CPUs=2\nPartitionName=p Nodes=ALL\n");
        let other = file("# new\nSelectType=select/linear\nInclude nodes.conf\n");
        let nodes = file("NodeName=n[1-2] CPUs=2\\\n  RealMemory=10\nNodeName=n3\n");
        let partitions = file("PartitionName=p Nodes=ALL\n");
        let topology = file("SwitchName=s1 Nodes=n1\n");
        let config = file("Configuration data as of 2026\nBOOT_TIME = x\n");
        let assoc = file("Cluster|Account|User\nc|root|\n");
        let dump = file("# To edit\nCluster - 'c'\n");
        let qos = file("Name|Priority\nnormal|0\n");
        let reservation = file("ReservationName=r StartTime=2026-01-01T00:00:00\n   Nodes=n1\n");
        let all = [conf, other, nodes, partitions, topology, config, assoc, dump, qos, reservation];
        let replaced = |new: usize| -> Vec<usize> {
            (0..all.len()).filter(|&old| replaces(&all[new], &all[old])).collect()
        };
        assert_eq!(replaced(0), [0, 1, 2, 3]);
        assert_eq!(replaced(1), [0, 1, 2, 3]);
        assert_eq!((replaced(2), replaced(3), replaced(4)), (vec![2], vec![3], vec![4]));
        assert_eq!((replaced(5), replaced(6), replaced(7)), (vec![5], vec![6, 7], vec![6, 7]));
        assert_eq!((replaced(8), replaced(9)), (vec![8], vec![9]));
    }
}
