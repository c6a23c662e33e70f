//! Tests of `verify`, `diff` and `explain` on machines with nodes.

use super::{Done, Folder, log};

/// Three jobs on two nodes of four: 3, 3 and 2 processors.
fn three_jobs() -> String {
    log(8, &[(0, -1, 10, 3, 10, 1), (0, -1, 20, 3, 20, 1), (1, -1, 5, 2, 5, 1)])
}

/// The columns, and the schedule of single processors.
const SINGLE: &str =
    "job_id,submit,start,end,procs,nodes\n1,0,0,10,3,0:3\n2,0,0,20,3,0:1+1:2\n3,1,1,6,2,1:2\n";

fn with(schedules: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", &three_jobs());
    for (name, text) in schedules {
        folder.write(name, text);
    }
    folder
}

fn verify(schedule: &str, options: &[&str]) -> Done {
    let folder = with(&[("s.csv", schedule)]);
    folder
        .write("m.toml", "[[nodes]]\nprocs = 4\npartitions = [1]\n[[nodes]]\nprocs = 4\npartitions = [2]\n");
    folder.run(&[&["verify", "a.swf", "s.csv"], options].concat())
}

/// Asserts that a schedule is illegal for exactly these reasons.
fn illegal(schedule: &str, options: &[&str], reasons: &[&str]) {
    let done = verify(schedule, options);
    assert_eq!(done.code, 1, "{}", done.err);
    let lines: Vec<&str> = done.err.lines().filter(|line| line.starts_with("job ")).collect();
    assert_eq!(lines, reasons);
}

#[test]
fn every_node_is_checked_by_itself_where_the_schedule_names_nodes() {
    let done = verify(SINGLE, &["--nodes", "2"]);
    done.succeeded();
    assert!(done.err.ends_with("legal: 3 jobs checked on each of 2 nodes\n"), "{}", done.err);
    let moved = SINGLE.replace("1,6,2,1:2", "1,6,2,0:2");
    illegal(&moved, &["--nodes", "2"], &["job 3 at 1 s: it needs 2 procs on node 0, and 0 are free"]);
    verify(&moved, &[]).succeeded();
    let without: String =
        SINGLE.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    let done = verify(&without, &["--nodes", "2"]);
    done.succeeded();
    let words = "legal: 3 jobs checked against 2 nodes together: the schedule has no column `nodes`\n";
    assert!(done.err.ends_with(words), "{}", done.err);
}

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
