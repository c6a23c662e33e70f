//! Nodes, their processors, and the cores of reservations.

use super::*;

/// Returns the names, processors and memory of the nodes, with how many partitions there are.
pub(super) fn nodes_of(text: &str) -> (Vec<(String, i64, i64)>, usize) {
    let system = read(&[("slurm.conf", text)]).0.unwrap();
    let nodes = system.nodes.iter().map(|node| (node.name.clone(), node.cpus, node.memory));
    (nodes.collect(), system.partitions.len())
}

/// Returns the processors of the first node, and whether its line has a value that Slurm would not accept.
fn cpus_of(keys: &str) -> (i64, bool) {
    let (system, findings) = read(&[("slurm.conf", &format!("NodeName=n1 {keys}\n"))]);
    (system.unwrap().nodes[0].cpus, findings.count("slurm-setting-value") > 0)
}

#[test]
fn cores_have_threads_where_processors_are_threads() {
    let blocks = |keys: &str| {
        let system = read(&[("slurm.conf", &format!("NodeName=n1 {keys}\n"))]).0.unwrap();
        (system.nodes[0].threads, system.nodes[0].socket)
    };
    assert_eq!(blocks("CPUs=8"), (1, 1));
    assert_eq!(blocks("CPUs=8 ThreadsPerCore=2"), (2, 2));
    assert_eq!(blocks("Sockets=2 CoresPerSocket=8 ThreadsPerCore=2"), (2, 16));
    assert_eq!(blocks("CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2"), (1, 8));
    assert_eq!(blocks("CPUs=2 Sockets=2 CoresPerSocket=8"), (1, 1));
    let unit = |select: &str| {
        let text = format!("SelectType=select/cons_tres\n{select}\nNodeName=n1 CPUs=8\n");
        let select = read(&[("slurm.conf", &text)]).0.unwrap().select;
        (select.unit, select.one_task)
    };
    assert_eq!(unit(""), (SelectUnit::Core, false));
    assert_eq!(unit("SelectTypeParameters=CR_CPU_Memory"), (SelectUnit::Cpu, false));
    assert_eq!(unit("SelectTypeParameters=cr_socket,CR_ONE_TASK_PER_CORE"), (SelectUnit::Socket, true));
}

#[test]
fn processors_are_counted_as_slurmctld_does() {
    for (keys, cpus) in cases("processors") {
        assert_eq!(cpus_of(keys.trim_end()), (cpus.parse().unwrap(), false), "{keys}");
    }
    assert_eq!(cpus_of("CPUs=40 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2"), (32, true));
    assert_eq!(cpus_of("CPUs=10 CoresPerSocket=4"), (4, true), "one socket, as 10 are not of sockets of 4");
    let memory = |keys: &str| nodes_of(&format!("NodeName=n1 {keys}\n")).0[0].2;
    assert_eq!(
        (memory("RealMemory=16000 MemSpecLimit=4000"), memory("RealMemory=16G MemSpecLimit=1G")),
        (12_000, 15_360)
    );
}

#[test]
fn nodes_that_are_down_or_planned_are_left_out() {
    for text in [
        "NodeName=n[1-2] CPUs=8\nNodeName=n[3-4] CPUs=8 State=FUTURE\nPartitionName=main Nodes=n[1-4]\n",
        "NodeName=n[1-2] CPUs=8\nNodeName=n[3-4] CPUs=8 State=DOWN Reason=\"bad ram\"\nPartitionName=main Nodes=n[1-4]\n",
        "DownNodes=n[3-4] State=DOWN Reason=x\nNodeName=n[1-4] CPUs=8 State=UNKNOWN\nPartitionName=main Nodes=n[1-4]\n",
        "NodeName=n[1-4] CPUs=8\nPartitionName=main Nodes=n[1-4]\nDownNodes=n[3-4] State=DRAIN\n",
    ] {
        let (system, findings) = read(&[("slurm.conf", text)]);
        let system = system.unwrap();
        assert_eq!((system.nodes.len(), system.partitions[0].nodes.as_slice()), (2, &[0, 1][..]), "{text}");
        assert_eq!(
            (findings.count("slurm-node-out"), findings.count("slurm-node-undefined")),
            (2, 0),
            "{text}"
        );
    }
}

#[test]
fn a_reservation_may_hold_cores() {
    let cores = |nodes: &str, text: &str| {
        let conf =
            format!("SelectType=select/cons_tres\nNodeName=n[1-2] {nodes}\nPartitionName=main Nodes=ALL\n");
        let head =
            "ReservationName=c StartTime=2025-03-03T12:00:00 EndTime=2025-03-03T18:00:00 Duration=06:00:00";
        let (system, findings) = read(&[("slurm.conf", &conf), ("resv.txt", &format!("{head}{text}"))]);
        let system = system.unwrap();
        assert_eq!((system.nodes.len(), findings.count("slurm-setting-twice")), (2, 0));
        assert_eq!(system.reservations[0].nodes, [0, 1]);
        system.reservations[0].cores.clone()
    };
    let nodes = "\n   Nodes=n[1-2] NodeCnt=2 CoreCnt=3 PartitionName=main Flags=\n";
    let listed = format!("{nodes}     NodeName=n1 CoreIDs=0-1\n     NodeName=n2 CoreIDs=5\n   TRES=cpu=3\n");
    assert_eq!(cores("CPUs=8", &listed), [(0, 2), (1, 1)]);
    assert_eq!(cores("CPUs=8", &format!("{nodes}   TRES=cpu=3\n")), [(0, 2), (1, 1)]);
    assert_eq!(cores("CPUs=8", nodes), [(0, 2), (1, 1)]);
    assert_eq!(cores("CPUs=8", &listed.replace('\n', " ")), [(0, 2), (1, 1)], "on one line");
    let threads = "Sockets=1 CoresPerSocket=4 ThreadsPerCore=2";
    assert_eq!(cores(threads, &listed), [(0, 4), (1, 2)]);
    assert_eq!(cores(threads, nodes), [(0, 3), (1, 3)], "6 processors of 3 cores");
    assert_eq!(cores("CPUs=8", "\n   Nodes=n[1-2] CoreCnt=16 Flags=SPEC_NODES\n   TRES=cpu=16\n"), []);
    assert_eq!(cores("CPUs=8", "\n   Nodes=n[1-2] CoreCnt=16 Flags=SPEC_NODES\n"), []);
}

/// Found by mutated inputs: node `n2` held four of its two processors.
#[test]
fn a_reservation_holds_no_more_cores_of_a_node_than_it_has() {
    let conf = "NodeName=n1 CPUs=8\nNodeName=n2 CPUs=2\nPartitionName=main Nodes=ALL\n";
    let head = "ReservationName=c StartTime=2025-03-03T12:00:00 EndTime=2025-03-03T18:00:00 Nodes=n[1-2]";
    let cores = |held: i64| {
        let (system, _) = read(&[("slurm.conf", conf), ("resv.txt", &format!("{head} CoreCnt={held}\n"))]);
        system.unwrap().reservations[0].cores.clone()
    };
    assert_eq!(cores(8), [(0, 6), (1, 2)]);
    assert_eq!(cores(3), [(0, 1), (1, 2)]);
    assert_eq!(cores(10), [], "whole nodes");
}
