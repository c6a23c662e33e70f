//! Tests of how jobs lie on nodes: what the log states of each job, and the rules that overrule it.

use std::fmt::Write as _;

use super::{Folder, with};

/// Jobs with their processors, nodes, processors per node and whether they are alone; -1 is unknown.
fn laid_out(procs: i64, jobs: &[(i64, [i64; 3])]) -> String {
    let declared =
        "; Resource: 1 nodes scope=job\n; Resource: 2 ppn scope=job\n; Resource: 3 exclusive scope=job\n";
    let mut log = format!("; MaxProcs: {procs}\n{declared}");
    for ((size, [nodes, ppn, alone]), number) in jobs.iter().zip(1..) {
        let rest = format!("-1 10 {size} -1 -1 {size} 10 -1 1 1 1 -1 -1 -1 -1 -1 {nodes} {ppn} {alone}");
        writeln!(log, "{number} {number} {rest}").unwrap();
    }
    log
}

/// The nodes of each job: `node:processors`, joined by `+`.
fn places(folder: &Folder, options: &[&str]) -> Vec<String> {
    let given = ["replay", "a.swf", "--policy", "easy", "--schedule", "s.csv", "-q"];
    folder.run(&[&given[..], options].concat()).succeeded();
    let schedule = folder.read("s.csv");
    schedule.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_owned()).collect()
}

#[test]
fn each_job_lies_as_its_record_tells() {
    let told = [(6, [3, 2, -1]), (7, [3, -1, -1]), (2, [-1, 1, -1]), (2, [-1, -1, -1])];
    let folder = with(&laid_out(32, &told));
    let nodes = ["--nodes", "8"];
    assert_eq!(places(&folder, &nodes), ["0:2+1:2+2:2", "0:2+1:2+3:3", "2:1+3:1", "2:1+4:1"]);
    assert_eq!(
        places(&folder, &["--nodes", "8", "--layout", "tasks:1"]),
        ["0:4+1:2", "1:2+2:4+3:1", "3:2", "3:1+4:1"]
    );
    assert_eq!(
        places(&folder, &["--nodes", "8", "--layout", "whole-node"]),
        ["0:2+1:2+2:2", "3:3+4:2+5:2", "6:1+7:1", "0:2"]
    );
}

#[test]
fn a_job_alone_on_its_nodes_keeps_others_away() {
    // Job 1 has 1 of 4 processors on node 0 and all of it; job 2 finds room for its other task only when job 1 has ended.
    let folder = with(&laid_out(8, &[(1, [1, 1, 1]), (6, [2, 3, -1]), (3, [1, 3, -1])]));
    let replay = ["replay", "a.swf", "--policy", "easy", "--nodes", "2", "--schedule", "s.csv"];
    folder.run(&replay).succeeded();
    let expected = "1,1,1,11,1,0:1\n2,2,11,21,6,0:3+1:3\n3,3,21,31,3,0:3\n";
    assert_eq!(folder.read("s.csv"), format!("job_id,submit,start,end,procs,nodes\n{expected}"));
    folder.run(&["verify", "a.swf", "s.csv", "--nodes", "2"]).succeeded();
    // Another job beside it is a fault, and so are two tasks of a job on a node of which it asked for two.
    folder.write(
        "s.csv",
        "job_id,submit,start,end,procs,nodes\n1,1,1,11,1,0:1\n2,2,11,21,6,0:3+1:3\n3,3,3,13,3,0:3\n",
    );
    let done = folder.run(&["verify", "a.swf", "s.csv", "--nodes", "2"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("job 3 at 3 s: it needs 3 procs on node 0, and 0 are free"), "{}", done.err);
    let wide = "job_id,submit,start,end,procs,nodes\n1,1,1,11,1,0:1\n2,2,11,21,6,0:2+1:4\n3,3,21,31,3,0:3\n";
    folder.write("s.csv", wide);
    let done = folder.run(&["verify", "a.swf", "s.csv", "--nodes", "2"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("2 of its processors are on node 0: no whole tasks of 3"), "{}", done.err);
}

#[test]
fn what_the_log_does_not_tell_is_counted() {
    let folder = with(&laid_out(8, &[(2, [3, -1, -1]), (2, [-1, -1, -1])]));
    let done = folder.run(&["replay", "a.swf", "--policy", "easy", "--nodes", "2"]);
    done.succeeded();
    for words in [
        "note[job-layout-untold]: 1 job whose record does not tell how it lies on nodes: its processors may be on any nodes",
        "a.swf:6: job 2",
        "warning[job-more-nodes-than-procs]: 1 job on more nodes than it has processors: it has a node for each processor",
    ] {
        assert!(done.err.contains(words), "`{words}` is not in {}", done.err);
    }
    let said = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("tasks and nodes as the record of each job tells"), "{said}");
    let plain = with("; MaxProcs: 4\n1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 -1 -1\n");
    let done = plain.run(&["replay", "a.swf", "--policy", "easy", "--nodes", "2"]);
    assert!(!done.err.contains("job-layout-untold"), "{}", done.err);
    let done = plain.run(&["replay", "a.swf", "--policy", "easy", "--nodes", "2", "--layout", "log"]);
    assert!(done.err.contains("note[job-layout-untold]: 1 job whose record"), "{}", done.err);
}

#[test]
fn a_pool_of_all_nodes_and_wrong_rules() {
    let folder = with(&laid_out(8, &[(6, [2, 3, -1]), (2, [2, 1, -1])]));
    let replay = ["replay", "a.swf", "--policy", "easy", "--schedule", "s.csv", "-q"];
    folder.run(&[&replay[..], &["--nodes", "4", "--layout", "pool"]].concat()).succeeded();
    assert_eq!(folder.read("s.csv"), "job_id,submit,start,end,procs\n1,1,1,11,6\n2,2,2,12,2\n");
    folder.run(&[&replay[..], &["--layout", "log"]].concat()).failed(2, "--layout is about nodes");
    let wrong = "`tasks:0` is not one of log, tasks:T with T from 1, whole-node, pool";
    folder.run(&[&replay[..], &["--nodes", "4", "--layout", "tasks:0"]].concat()).failed(2, wrong);
}

/// Jobs of two processors with their constraints by number; the header's notes say what the numbers mean.
fn constrained(constraints: &[&str], jobs: &[i64]) -> String {
    let mut log = String::from("; MaxProcs: 12\n; Resource: 1 constraint scope=job\n");
    for (text, number) in constraints.iter().zip(1..) {
        writeln!(log, "; Note: constraint {number}: {text}").unwrap();
    }
    for (constraint, number) in jobs.iter().zip(1..) {
        writeln!(log, "{number} 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 -1 -1 {constraint}").unwrap();
    }
    log
}

const NODES: &str = "\
[[nodes]]
procs = 4
names = \"n1\"
[[nodes]]
count = 2
procs = 4
features = [\"v100\", \"ib\"]
names = \"g[1-2]\"
";

#[test]
fn a_job_is_on_nodes_that_meet_its_constraint() {
    let asked = ["v100", "!v100", "g2|n1", "v100&!g1", "old"];
    let folder = with(&constrained(&asked, &[1, 2, 3, 4, 5, -1]));
    folder.write("m.toml", NODES);
    let done =
        folder.run(&["replay", "a.swf", "--policy", "easy", "--machine", "m.toml", "--schedule", "s.csv"]);
    done.succeeded();
    assert!(done.err.contains("note[feature-unknown]: 1 feature that constraints name"), "{}", done.err);
    let schedule = folder.read("s.csv");
    let places: Vec<&str> = schedule.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(places, ["1:2", "0:2", "0:2", "2:2", "1:2", "2:2"]);
    folder.run(&["verify", "a.swf", "s.csv", "--machine", "m.toml"]).succeeded();
    folder.write("s.csv", &schedule.replacen(",1:2", ",0:2", 1));
    let done = folder.run(&["verify", "a.swf", "s.csv", "--machine", "m.toml"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("job 1 at 0 s: node 0 does not meet its constraint"), "{}", done.err);
}

#[test]
fn jobs_that_depend_on_others_keep_their_constraints() {
    // Job 2 enters when job 1 has ended, and may only be on the node g2.
    let log = constrained(&["g2"], &[-1, 1]).replace(
        "2 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 -1 -1",
        "2 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 1 -1",
    );
    let folder = with(&log);
    folder.write("m.toml", NODES);
    let options = ["--policy", "easy", "--machine", "m.toml", "--dependencies", "log", "--schedule", "s.csv"];
    folder.run(&[&["replay", "a.swf"], &options[..]].concat()).succeeded();
    let schedule = folder.read("s.csv");
    assert!(schedule.lines().nth(2).unwrap().ends_with(",2:2"), "{schedule}");
}

#[test]
fn constraints_that_say_nothing_or_too_much_are_counted() {
    let folder = with(&constrained(&["v100&n1", "ib", "a&&b"], &[1, 2, 3]));
    folder.write("m.toml", NODES);
    let done = folder.run(&["replay", "a.swf", "--policy", "easy", "--machine", "m.toml"]);
    assert!(done.succeeded().contains("2 jobs used, 1 dropped"), "{}", done.out);
    for words in [
        "WARNING[job-no-node]: 1 job whose constraint no node of its partition meets: dropped",
        "warning[job-constraint-unread]: 1 job whose constraint cannot be read: it may be on any node",
    ] {
        assert!(done.err.contains(words), "`{words}` is not in {}", done.err);
    }
    let done = folder.run(&["replay", "a.swf", "--policy", "easy", "--nodes", "3"]);
    done.succeeded();
    let words = "note[job-constraint-ignored]: 3 jobs with a constraint on their nodes, and the machine has no features";
    assert!(done.err.contains(words), "{}", done.err);
    // Policies that place each processor by itself decline constraints.
    let dhc = ["replay", "a.swf", "--policy", "dhc:order=fcfs", "--machine", "m.toml"];
    assert_eq!(folder.run(&dhc).code, 3);
}
