//! What files of an installation may hold at most.

use batchlab_slurm::reader::{SystemError, SystemFile, read_system};
use batchlab_slurm::site::SlurmSystem;
use batchlab_traces::Findings;

const SMALL: &str = "NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL\n";

fn read(files: &[(&str, &str)]) -> Result<SlurmSystem, SystemError> {
    let file = |(name, text): &(&str, &str)| SystemFile { name: (*name).into(), text: (*text).into() };
    let files: Vec<SystemFile> = files.iter().map(file).collect();
    read_system(&files, &[], &mut |_, _| None, &mut Findings::lenient())
}

fn error(files: &[(&str, &str)]) -> String {
    read(files).unwrap_err().to_string()
}

#[test]
fn files_that_would_fill_the_memory_are_refused() {
    let partitions: String =
        (0..1000).map(|at| format!("PartitionName=p{at} Nodes=ALL")).collect::<Vec<_>>().join("\n");
    let many = error(&[("slurm.conf", &format!("NodeName=n[1-999999] CPUs=4\n{partitions}"))]);
    assert!(
        many.starts_with("slurm.conf:6:") && many.contains("more than 5000000 nodes in the lists"),
        "{many}"
    );
    for lines in [
        "NodeSet=s Nodes=ALL\n",
        "NodeSet=s Feature=x\n",
        "PartitionName=p Nodes=ghost[1-250000]\n",
        "DownNodes=g[1-250000]\n",
        "ReservationName=r StartTime=x EndTime=x Nodes=ALL\n",
    ] {
        let text = format!("NodeName=n[1-250000] CPUs=4\n{}", lines.repeat(20));
        assert!(error(&[("slurm.conf", &text)]).contains("more than 5000000 nodes in the lists"), "{lines}");
    }
    let features = "f".repeat(5000);
    assert!(
        error(&[("slurm.conf", &format!("NodeName=n[1-999999] Feature={features}\n"))])
            .contains("512 MiB of nodes")
    );
    assert!(error(&[("slurm.conf", "NodeName=n[1-9999999]\n")]).contains("is no list of hosts"));
    let many = error(&[("slurm.conf", &format!("NodeName=n1 {}\n", "a=1 ".repeat(1_000_001)))]);
    assert!(many.contains("more than 1000000 settings in all files"), "{many}");
    let deep = |levels: usize| {
        let accounts =
            (0..levels).map(|at| format!("Parent - 'a{at}'\nAccount - 'a{}':Fairshare=1\n", at + 1));
        format!(
            "Cluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'a0'\n{}",
            accounts.collect::<String>()
        )
    };
    assert!(read(&[("slurm.conf", SMALL), ("d.cfg", &deep(150))]).is_ok());
    let below = error(&[("slurm.conf", SMALL), ("d.cfg", &deep(8000))]);
    assert!(below.starts_with("d.cfg:") && below.contains("below more than 200 others"), "{below}");
    let circle = "Account|User|Par Name|Share\nroot|||1\na||b|1\nb||a|1\n";
    assert!(
        error(&[("slurm.conf", SMALL), ("assoc.txt", circle)])
            .starts_with("assoc.txt:3: account `a` is below itself")
    );
}

#[test]
fn files_of_switches_need_bounded_memory() {
    let conf = "TopologyPlugin=topology/tree\nNodeName=n[1-20000]\nPartitionName=p Nodes=ALL\n";
    let error = |tree: String| error(&[("slurm.conf", conf), ("topology.conf", &tree)]);
    let line = |at: usize| format!("SwitchName=s{at} Nodes=n[1-20000]\n");
    let leaves: Vec<String> = (1..=201).map(line).collect();
    assert_eq!(
        error(leaves.concat()),
        "topology.conf:201:1: more than 4,000,000 nodes below all switches together"
    );
    let above: Vec<String> = (1..=200).map(|at| format!("SwitchName=t{at} Switches=s1\n")).collect();
    let both = leaves[0].clone() + &above.concat();
    assert!(error(both).ends_with("more than 4,000,000 nodes below all switches together"));
}
