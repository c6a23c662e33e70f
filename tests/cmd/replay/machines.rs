//! Tests of the replayed machine: nodes, machine files, capacities in the header.

use serde_json::Value;

use super::{Folder, four_jobs, log, starts, with};

/// Jobs of three processors of partitions 1 and 2 and of no partition, on a log of 8 processors.
fn partitions() -> String {
    let row = |number, partition| format!("{number} 0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 -1 {partition} -1 -1\n");
    let head = "; MaxProcs: 8\n; Partition: 1 small nodes\n; Partition: 2 large\n";
    format!("{head}{}{}{}", row(1, 1), row(2, 2), row(3, 3))
}

/// Two jobs of two processors; a further column gives the amount of a resource that each holds.
fn declared(resource: &str, amounts: [i64; 2]) -> String {
    let row = |number, amount| format!("{number} 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 -1 -1 {amount}\n");
    let head = format!("; MaxNodes: 2\n; MaxProcs: 4\n; Resource: {resource}\n");
    format!("{head}{}{}", row(1, amounts[0]), row(2, amounts[1]))
}

/// Joins the output to one line.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn replay(folder: &Folder, options: &[&str]) -> super::super::Done {
    folder.run(&[&["replay", "a.swf", "--policy", "easy"], options].concat())
}

#[test]
fn tasks_are_whole_on_nodes_and_schedules_say_on_which() {
    // Two nodes of four processors. With tasks of three, the two jobs of three occupy both nodes and the
    // third job waits.
    let folder = with(&log(8, &[(0, -1, 10, 3, 10, 1), (0, -1, 20, 3, 20, 1), (1, -1, 5, 2, 5, 1)]));
    assert_eq!(starts(&folder, &[]), [0.0, 0.0, 1.0]);
    assert_eq!(starts(&folder, &["--nodes", "2"]), [0.0, 0.0, 1.0]);
    let rows = "1,0,0,10,3,0:3\n2,0,0,20,3,0:1+1:2\n3,1,1,6,2,1:2\n";
    assert_eq!(folder.read("easy.csv"), format!("job_id,submit,start,end,procs,nodes\n{rows}"));
    assert_eq!(starts(&folder, &["--nodes", "2", "--task-procs", "3"]), [0.0, 0.0, 10.0]);
    assert!(folder.read("easy.csv").ends_with("\n3,1,10,15,2,0:2\n"));
    assert_eq!(starts(&folder, &["--nodes", "1", "--task-procs", "3"]), [0.0, 0.0, 1.0], "a pool");
    assert!(folder.read("easy.csv").starts_with("job_id,submit,start,end,procs\n"));
}

#[test]
fn the_machine_is_stated_with_the_results() {
    let folder = with(&four_jobs());
    let done = replay(&folder, &["--nodes", "2", "--task-procs", "2"]);
    let words = "4 processors, 2 nodes (2 x 2 processors), tasks of 2 processors, place=first-fit unless";
    assert!(unwrapped(done.succeeded()).contains(words), "{}", done.out);
    let done = replay(&folder, &["--nodes", "2", "--format", "json", "-q"]);
    let json: Value = serde_json::from_str(done.succeeded()).unwrap();
    assert_eq!(
        (&json["trace"]["nodes"], &json["trace"]["node_kinds"]),
        (&2.into(), &"2 x 2 processors".into())
    );
    assert!(json["results"][0]["metrics"]["unfairness_all_consp"].is_number());
    assert!(json["results"][0]["metrics"]["unfairness_all_fcfs"].is_number());
    let text = json.to_string();
    assert!(text.contains("\"task_procs\":1") && text.contains("\"place\":\"first-fit\""), "{text}");
}

#[test]
fn nodes_divide_the_processors() {
    let folder = with(&four_jobs());
    replay(&folder, &["--nodes", "3"])
        .failed(2, "4 processors cannot be spread evenly over 3 nodes; 2 or 4 would do");
    replay(&folder, &["--nodes", "0"]).failed(2, "it must be a whole number from 1");
    replay(&folder, &["--nodes", "2", "--task-procs", "0"]).failed(2, "it must be a whole number from 1");
    replay(&folder, &["--task-procs", "2"]).failed(2, "--task-procs is about nodes");
    replay(&folder, &["--procs", "8000000", "--nodes", "2000000"]).failed(2, "2000000 nodes are too many");
}

#[test]
fn jobs_that_fit_no_node_are_dropped_and_counted() {
    let folder = with(&log(8, &[(0, -1, 10, 6, 10, 1), (0, -1, 10, 2, 10, 1), (0, -1, 10, 8, 10, 1)]));
    let task = |task| replay(&folder, &["--nodes", "2", "--task-procs", task]);
    let done = task("5");
    assert!(done.succeeded().contains("1 jobs used, 2 dropped"), "{}", done.out);
    for words in [
        "WARNING[job-task-oversized]: 2 jobs with tasks larger than every node that takes them: dropped",
        "job 1 in tasks of 5 processors",
        "help: make tasks smaller with --layout tasks:T",
    ] {
        assert!(done.err.contains(words), "`{words}` is not in {}", done.err);
    }
    let done = task("3");
    assert!(done.err.contains("[job-too-many-tasks]: 1 job with more tasks than"), "{}", done.err);
    assert!(
        done.err.contains("job 3 is 3 tasks of 3 processors, and the nodes hold 2 of them"),
        "{}",
        done.err
    );
    replay(&folder, &["--nodes", "2", "--task-procs", "5", "--strict"]).failed(3, "refused by --strict");
    replay(&folder, &["--nodes", "2", "--task-procs", "5", "--procs", "8"]).succeeded();
}

#[test]
fn a_machine_file_describes_nodes_and_their_partitions() {
    let folder = with(&partitions());
    folder.write(
        "m.toml",
        "[[nodes]]\nprocs = 4\npartitions = [\"small\"]\n[[nodes]]\nprocs = 4\npartitions = [2]\n",
    );
    let done = replay(&folder, &["--machine", "m.toml", "--schedule", "s.csv"]);
    assert!(
        unwrapped(done.succeeded()).contains("8 processors, 2 nodes (1 x 4 processors, partitions 1; 1 x 4"),
        "{}",
        done.out
    );
    assert!(done.err.contains("[job-no-partition]: 1 job of a partition"), "{}", done.err);
    assert!(done.err.contains("job 3 of partition 3"), "{}", done.err);
    assert_eq!(
        folder.read("s.csv").lines().skip(1).collect::<Vec<_>>(),
        ["1,0,0,10,3,0:3", "2,0,0,10,3,1:3"]
    );
    folder.write("m.toml", "task_procs = 2\n[[nodes]]\nprocs = 2\ncount = 2\n");
    let done = replay(&folder, &["--machine", "m.toml"]);
    assert!(unwrapped(done.succeeded()).contains("tasks of 2 processors"), "{}", done.out);
    let done = replay(&folder, &["--machine", "m.toml", "--task-procs", "1"]);
    assert!(unwrapped(done.succeeded()).contains("tasks of 1 processor,"), "{}", done.out);
}

#[test]
fn a_wrong_machine_file_is_reported_with_the_place() {
    let folder = with(&partitions());
    folder.write("m.toml", "[[nodes]]\nprocs = 4\nmemroy = 5\n[[resource]]\nname = \"memory\"\n");
    replay(&folder, &["--machine", "m.toml"])
        .failed(2, "m.toml:3:1: unknown key `memroy` (did you mean `memory`?); known are procs, memory");
    folder.write("m.toml", "[[nodes]]\nprocs = 4\npartitions = [\"lrage\"]\n");
    replay(&folder, &["--machine", "m.toml"]).failed(2, "no partition `lrage` (did you mean `large`?)");
    replay(&folder, &["--machine", "none.toml"]).failed(3, "none.toml");
    for other in [["--procs", "8"], ["--nodes", "2"]] {
        replay(&folder, &[&["--machine", "m.toml"], &other[..]].concat()).failed(2, "cannot be used with");
    }
}

#[test]
fn capacities_are_of_each_node_and_of_a_pool_the_total() {
    // Each job holds 5 of gpu for each of its two processors.
    let folder = with(&declared("1 gpu - scope=pool", [10, 10]));
    assert_eq!(starts(&folder, &["--capacity", "gpu=20"]), [0.0, 0.0]);
    assert_eq!(starts(&folder, &["--capacity", "gpu=19"]), [0.0, 10.0]);
    assert_eq!(starts(&folder, &["--nodes", "2", "--capacity", "gpu=10"]), [0.0, 0.0]);
    assert_eq!(starts(&folder, &["--nodes", "2", "--capacity", "gpu=9"]), [0.0, 10.0]);
    let done = replay(&folder, &["--nodes", "2", "--capacity", "gpu=4"]);
    done.failed(3, "no job is left to replay");
    let words = "[job-oversized]: 2 jobs larger than the machine";
    assert!(
        done.err.contains(words) && done.err.contains("job 1 needs 10 of gpu, and the machine has 8"),
        "{}",
        done.err
    );
    let done = replay(&folder, &["--nodes", "2", "--capacity", "gpu=9", "--task-procs", "2"]);
    assert!(done.err.contains("[job-task-oversized]"), "{}", done.err);
    assert!(done.err.contains("job 1 needs 10 of gpu for 2 processors, in tasks of 2"), "{}", done.err);
}

#[test]
fn capacities_of_the_header_hold_unless_another_is_given() {
    let pool = with(&declared("1 gpu - capacity=19 scope=pool", [10, 10]));
    assert_eq!(starts(&pool, &[]), [0.0, 10.0]);
    for other in ["gpu=20", "gpu=none"] {
        assert_eq!(starts(&pool, &["--capacity", other]), [0.0, 0.0], "{other}");
    }
    let node = with(&declared("1 memory KB capacity=9 scope=node", [10, 10]));
    assert_eq!(starts(&node, &["--nodes", "2"]), [0.0, 10.0]);
    assert_eq!(starts(&node, &[]), [0.0, 10.0], "18 on two nodes");
    assert_eq!(starts(&node, &["--capacity", "memory=0.02MB"]), [0.0, 0.0]);
    let done = replay(&node, &[]);
    assert!(done.succeeded().contains("4 processors, memory 18"), "{}", done.out);
}

#[test]
fn a_resource_without_a_capacity_is_reported() {
    let told = |resource: &str, options: &[&str], reason: &str| {
        let folder = with(&declared(resource, [10, 10]));
        let done = replay(&folder, options);
        done.succeeded();
        let words =
            "warning[resource-unconstrained]: 1 resource that the log gives for each job, without a capacity";
        assert!(done.err.contains(words) && done.err.contains(reason), "{}", done.err);
        replay(&folder, &[options, &["--strict"]].concat()).failed(3, "refused by --strict");
        for given in ["gpu=20", "gpu=none"] {
            let done = replay(&folder, &[options, &["--strict", "--capacity", given]].concat());
            assert!(!done.err.contains("resource-unconstrained"), "{}", done.err);
        }
    };
    told("1 gpu - scope=pool", &[], "gpu: the header gives it no capacity");
    told(
        "1 gpu - capacity=40 scope=pool",
        &["--nodes", "2"],
        "gpu: the header gives it a capacity of 40 for all nodes",
    );
    let folder = with(&declared("1 gpu - capacity=40 scope=node", [10, 10]).replace("; MaxNodes: 2\n", ""));
    let done = replay(&folder, &[]);
    assert!(
        done.err.contains("gpu: the header gives it a capacity of 40 per node, and no MaxNodes"),
        "{}",
        done.err
    );
    let done = replay(&folder, &["--nodes", "2"]);
    assert!(!done.err.contains("resource-unconstrained"), "{}", done.err);
    folder.write("m.toml", "[[nodes]]\nprocs = 4\n");
    let done = replay(&folder, &["--machine", "m.toml"]);
    assert!(done.err.contains("gpu: the machine file does not name it"), "{}", done.err);
}

#[test]
fn a_wrong_capacity_is_reported() {
    let folder = with(&declared("1 gpu cards capacity=19 scope=pool", [10, -1]));
    replay(&folder, &[])
        .failed(3, "1 of 2 jobs have no gpu; leave it out with --capacity gpu=none, or supply it");
    replay(&folder, &["--capacity", "gpu=none"]).succeeded();
    replay(&folder, &["--capacity", "gpu=1GB"]).failed(2, "--capacity gpu: it is counted in cards");
    replay(&folder, &["--capacity", "gup=none"]).failed(2, "neither log nor machine has a resource `gup`");
    replay(&folder, &["--capacity", "gpu=all"]).failed(2, "nor NAME=none");
}

#[test]
fn machines_of_other_simulators_are_read_and_what_they_cannot_be_is_said() {
    let folder = with(&four_jobs());
    let cluster = "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\"/>";
    folder.write(
        "platform.xml",
        &format!("<platform version=\"4.1\"><zone id=\"z\">{cluster}</zone></platform>"),
    );
    folder.write("accasim.config", r#"{"groups": {"g": {"core": 2, "mem": 8}}, "resources": {"g": 2}}"#);
    folder.write("alea.machines", "0\tone\t1\t4\t1\t1048576\n");
    // The log has no memory, which two of them count.
    let without = ["--capacity", "memory=none"];
    for (machine, said, more) in [
        ("platform.xml", "4 processors", &[][..]),
        ("accasim.config", "4 processors, 2 nodes (2 x 2 processors", &without[..]),
        ("alea.machines", "4 processors", &without[..]),
    ] {
        let done = replay(&folder, &[&["-q", "--machine", machine], more].concat());
        assert!(unwrapped(done.succeeded()).contains(said), "{machine}: {}", done.out);
    }
    folder.write("platform.xml", "<platform><include file=\"others.xml\"/></platform>");
    let done = replay(&folder, &["--machine", "platform.xml"]);
    done.failed(3, "platform.xml: the platform includes another file, `others.xml`");
}
