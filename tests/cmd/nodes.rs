//! Tests of `verify`, `diff` and `explain` on machines with nodes.

use super::Folder;

fn openb_machine(nodes: &str) -> String {
    let mut file =
        "[[resource]]\nname = \"memory\"\n[[resource]]\nname = \"gpu_milli\"\ndevice = 1000\n".to_owned();
    let kind = |line: &str| line.split_once(',').map(|(_, kind)| kind.to_owned()).unwrap();
    let kinds: Vec<String> = nodes.lines().skip(1).map(kind).collect();
    for group in kinds.chunk_by(|one, other| one == other) {
        let cells: Vec<&str> = group[0].split(',').collect();
        let number = |at: usize| cells[at].parse::<i64>().unwrap();
        let (count, memory, gpus) = (group.len(), number(1) * 1024, number(2) * 1000);
        let node = format!(
            "[[nodes]]\ncount = {count}\nprocs = {}\nmemory = {memory}\ngpu_milli = {gpus}\n",
            cells[0]
        );
        file.push_str(&node);
        if !cells[3].is_empty() {
            let features = format!("features = [\"{}\"]\n", cells[3]);
            file.push_str(&features);
        }
    }
    file
}

/// Each pod is on one node, and on one GPU if it asks for a part of one.
#[test]
fn pods_of_a_gpu_cluster_are_neither_torn_nor_over_several_devices() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/logs/gpu");
    let Ok(nodes) = std::fs::read_to_string(format!("{logs}/openb_node_list_all_node.csv")) else {
        eprintln!("skipped: {logs} is not there");
        return;
    };
    let folder = Folder::new();
    folder.write("m.toml", &openb_machine(&nodes));
    let log = format!("{logs}/openb_pod_list_default.csv");
    let machine = ["--machine", "m.toml"];
    let replay = ["replay", &log, "--policy", "first-fit:place=best-fit", "--schedule", "s.csv", "-q"];
    folder.run(&[&replay[..], &machine[..]].concat()).succeeded();
    folder.run(&[&["verify", &log, "s.csv"], &machine[..]].concat()).succeeded();
    let schedule = folder.read("s.csv");
    let (mut parts, mut lines) = (0, schedule.lines());
    let at = lines.next().unwrap().split(',').position(|name| name == "nodes").unwrap();
    for line in lines {
        let nodes = line.split(',').nth(at).unwrap();
        assert!(!nodes.contains('+'), "{line}");
        parts += usize::from(nodes.contains('@') && !nodes.contains('.'));
    }
    assert!(parts > 6000, "{parts} pods on one device");
}
