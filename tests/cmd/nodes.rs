//! Tests of `verify`, `diff` and `explain` on machines with nodes.

use super::{Done, Folder, log};

/// Three jobs on two nodes of four: 3, 3 and 2 processors.
fn three_jobs() -> String {
    log(8, &[(0, -1, 10, 3, 10, 1), (0, -1, 20, 3, 20, 1), (1, -1, 5, 2, 5, 1)])
}

/// The columns, and the schedule of single processors.
const SINGLE: &str =
    "job_id,submit,start,end,procs,nodes\n1,0,0,10,3,0:3\n2,0,0,20,3,0:1+1:2\n3,1,1,6,2,1:2\n";

/// The schedule with tasks of three.
const WHOLE: &str = "job_id,submit,start,end,procs,nodes\n1,0,0,10,3,0:3\n2,0,0,20,3,1:3\n3,1,10,15,2,0:2\n";

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
fn schedules_of_every_rule_of_host_selection_are_legal_on_each_node() {
    let folder = Folder::with_log();
    for spec in ["fcfs:place=worst-fit", "easy:place=best-fit", "depth:k=3,place=dot", "first-fit:place=l2"] {
        for options in [&["--nodes", "8", "--task-procs", "4"][..], &["--nodes", "16", "--events", "pyss"]] {
            let replay = ["replay", "week.swf", "--policy", spec, "--schedule", "s.csv.gz", "-q"];
            folder.run(&[&replay, options].concat()).succeeded();
            let done = folder.run(&[&["verify", "week.swf", "s.csv.gz"], options].concat());
            done.succeeded();
            assert!(done.err.contains(" jobs checked on each of "), "{}", done.err);
        }
    }
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

#[test]
fn the_nodes_of_a_job_are_checked() {
    let two = ["--nodes", "2"];
    illegal(
        &SINGLE.replace(",1:2\n", ",1:1\n"),
        &two,
        &["job 3 at 1 s: its nodes have 1 of its 2 processors"],
    );
    illegal(&SINGLE.replace("6,2,1:2", "6,2,"), &two, &["job 3 at 1 s: it is on no node"]);
    illegal(
        &SINGLE.replace("6,2,1:2", "6,2,7:2"),
        &two,
        &["job 3 at 1 s: it is on node 7, and the machine has 2, counted from 0"],
    );
    illegal(
        SINGLE,
        &["--nodes", "2", "--task-procs", "3"],
        &[
            "job 2 at 0 s: 1 of its processors are on node 0: no whole tasks of 3",
            "job 2 at 0 s: 2 of its processors are on node 1: no whole tasks of 3",
        ],
    );
    verify(&SINGLE.replace("6,2,1:2", "6,2,n7"), &two)
        .failed(3, "s.csv: line 4 of the schedule: `n7` is not a list of nodes such as 0:8+3:4");
}

#[test]
fn nodes_take_jobs_of_their_partitions() {
    let folder = with(&[("s.csv", SINGLE)]);
    folder.write("a.swf", &three_jobs().replace(" -1 -1 -1 -1 -1\n", " -1 -1 1 -1 -1\n"));
    folder.write("m.toml", "[[nodes]]\nprocs = 4\n[[nodes]]\nprocs = 4\npartitions = [2]\n");
    let done = folder.run(&["verify", "a.swf", "s.csv", "--machine", "m.toml"]);
    for (job, at) in [(2, 0), (3, 1)] {
        let words = format!("job {job} at {at} s: it is of partition 1, and node 1 takes no jobs of that\n");
        assert!(done.err.contains(&words), "{}", done.err);
    }
    assert!(done.err.ends_with("s.csv is not legal: 2 violations among 3 jobs\n"), "{}", done.err);
}

#[test]
fn schedules_part_over_nodes() {
    let folder = with(&[("a.csv", SINGLE), ("b.csv", &SINGLE.replace("0:1+1:2", "1:3")), ("c.csv", WHOLE)]);
    let diff = |b: &str, options: &[&str]| {
        let done = folder.run(&[&["diff", "a.swf", "a.csv", b, "--nodes", "2"], options].concat());
        (done.code, done.out)
    };
    assert_eq!(diff("a.csv", &[]), (0, "all 3 starts, ends and nodes agree\n".into()));
    let (code, page) = diff("b.csv", &[]);
    assert_eq!(code, 1);
    for line in [
        "0 starts and 0 ends differ; the schedules part at 0 s",
        "its nodes (node:processors): 0:1+1:2 in A, 1:3 in B",
        "rule: place: it is a matter of nodes: the schedules choose others, or what is free is on nodes that cannot \
         take its tasks",
    ] {
        assert!(page.lines().any(|printed| printed == line), "`{line}` is not in:\n{page}");
    }
    // Job 3 may start at 1 only where job 2 is split between the nodes.
    let (code, page) = diff("c.csv", &[]);
    assert_eq!(code, 1);
    for line in [
        "its nodes (node:processors): 1:2 in A, 0:2 in B",
        "before that, job 2, started at 0 s, is on other nodes: 0:1+1:2 in A, 1:3 in B",
    ] {
        assert!(page.lines().any(|printed| printed == line), "`{line}` is not in:\n{page}");
    }
}

#[test]
fn a_wait_for_nodes_is_distinguished_from_a_wait_for_processors() {
    let folder = with(&[]);
    let options = ["--policy", "fcfs", "--nodes", "2", "--task-procs", "3"];
    let done = folder.run(&[&["explain", "a.swf", "3"], &options[..]].concat());
    for line in [
        "on nodes (node:processors) 0:2",
        "on arrival: 2 jobs running, 2 processors free, 0 jobs with 0 processors waiting",
        "9 s: enough was free for it, and not on nodes that could take its tasks",
    ] {
        assert!(done.succeeded().lines().any(|printed| printed == line), "`{line}` is not in:\n{}", done.out);
    }
}

/// The machine of the openb trace as a machine file, from its table of nodes: `sn,cpu_milli,memory_mib,gpu,model`.
#[test]
fn each_node_has_the_same_memory_where_the_log_says_so() {
    let folder = Folder::new();
    let log = "\
; MaxProcs: 12
; Resource: 1 memory KB scope=pool
; Resource: 2 nodes scope=job
; Resource: 3 even_memory scope=job
1 0 -1 100 7 -1 -1 7 100 -1 1 1 -1 -1 -1 -1 -1 -1 30 3 1
2 1 -1 100 1 -1 -1 1 100 -1 1 1 -1 -1 -1 -1 -1 -1 1 1 -1
3 2 -1 100 1 -1 -1 1 100 -1 1 1 -1 -1 -1 -1 -1 -1 0 1 -1
";
    folder.write("a.swf", log);
    let memory = "[[resource]]\nname = \"memory\"\nunit = \"KB\"\n";
    folder.write("m.toml", &format!("{memory}[[nodes]]\ncount = 3\nprocs = 4\nmemory = 10\n"));
    // Job 1 has 3, 2 and 2 processors, and 10 KB on each node: nothing is left for job 2.
    let policies = [
        "fcfs",
        "easy",
        "first-fit",
        "depth:k=2",
        "conservative",
        "conservative:variant=replan",
        "conservative:variant=fixed",
        "selective",
        "slack",
        "mcbp",
        "bkfl",
    ];
    for policy in policies {
        let replay = ["replay", "a.swf", "--machine", "m.toml", "--schedule", "s.csv", "--policy", policy];
        folder.run(&replay).succeeded();
        let schedule = folder.read("s.csv");
        let starts: Vec<&str> = schedule.lines().skip(1).filter_map(|row| row.split(',').nth(2)).collect();
        let third = if policy == "fcfs" { "100" } else { "2" };
        assert_eq!(starts, ["0", "100", third], "{policy}");
        folder.run(&["verify", "a.swf", "s.csv", "--machine", "m.toml"]).succeeded();
    }
    // In proportion to processors its first node would need 12.9 KB.
    folder.write("a.swf", &log.replace("30 3 1\n", "30 3 -1\n"));
    let done = folder.run(&["replay", "a.swf", "--machine", "m.toml", "--policy", "easy"]);
    assert!(done.err.contains("1 job"), "{}", done.err);
    assert!(done.err.contains("job 1 needs 30 KB of memory for 7 processors, in tasks of 3"), "{}", done.err);
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
