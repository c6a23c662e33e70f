//! Tests of schedules and summaries in files.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Folder, four_jobs, with};

/// All files of a folder inside the test's folder, by name.
fn files(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path(name)).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

const EASY: &str = "job_id,submit,start,end,procs\n1,0,0,100,2\n2,1,100,150,4\n3,2,2,22,2\n4,200,200,210,1\n";
const FCFS: &str =
    "job_id,submit,start,end,procs\n1,0,0,100,2\n2,1,100,150,4\n3,2,150,170,2\n4,200,200,210,1\n";

#[test]
fn the_schedule_of_one_policy_goes_into_a_file_packed_or_not_or_to_standard_output() {
    let folder = with(&four_jobs());
    let replay = |file| folder.run(&["replay", "a.swf", "--policy", "easy", "-q", "--schedule", file]);
    replay("easy.csv").succeeded();
    replay("easy.csv.gz").succeeded();
    assert_eq!(folder.read("easy.csv"), EASY);
    let packed = std::fs::read(folder.path("easy.csv.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    assert!(replay("-").succeeded().starts_with(&format!("{EASY}Replay of a\n")));
    assert_eq!(folder.files(), ["a.swf", "easy.csv", "easy.csv.gz"]);
}

#[test]
fn all_schedules_and_the_summary_go_into_a_folder() {
    let folder = with(&four_jobs());
    let policies = ["--policy", "easy", "--policy", "fcfs", "--policy", "easy:order=sjf,extra=first"];
    let out = ["--clairvoyant", "--out", "results/first"];
    folder.run(&[&["replay", "a.swf", "-q"], &policies[..], &out].concat()).succeeded();
    let written = files(&folder, "results/first");
    let names: Vec<&String> = written.keys().collect();
    let expected = [
        "easy--clairvoyant.csv",
        "easy-order=sjf,extra=first--clairvoyant.csv",
        "easy-order=sjf,extra=first.csv",
        "easy.csv",
        "fcfs--clairvoyant.csv",
        "fcfs.csv",
        "summary.json",
    ];
    assert_eq!(names, expected);
    assert_eq!((&written["easy.csv"][..], &written["fcfs.csv"][..]), (EASY.as_bytes(), FCFS.as_bytes()));
    let summary: Value = serde_json::from_slice(&written["summary.json"]).unwrap();
    assert_eq!(summary["results"].as_array().unwrap().len(), 7, "with the log's own row");
    assert_eq!(summary["results"][2]["metrics"]["mean_wait"], 61.75);
}

#[test]
fn the_summary_is_whole_whatever_stands_in_the_table() {
    let folder = with(&four_jobs());
    let replay = |form| {
        let command = ["replay", "a.swf", "--policy", "easy", "--policy", "fcfs", "--out", form, "-q"];
        folder.run(&[&command[..], &["--format", form]].concat()).succeeded().to_owned()
    };
    let (table, json) = (replay("table"), replay("json"));
    assert!(table.contains("utilization") && !table.contains("loss"), "{table}");
    assert_eq!(folder.read("table/summary.json"), json);
    assert_eq!(files(&folder, "table"), files(&folder, "json"));
    assert!(json.contains("\"loss_of_capacity\": 0."), "{json}");
}

#[test]
fn a_refused_log_leaves_older_results_as_they_were() {
    let folder = with(&four_jobs());
    let replay = |log: &str, more: &[&str]| {
        folder.run(&[&["replay", log, "--policy", "easy", "-q", "--out", "o"], more].concat())
    };
    replay("a.swf", &[]).succeeded();
    let before = files(&folder, "o");
    replay("none.swf", &[]).failed(3, "none.swf");
    replay("a.swf", &["--procs", "3", "--strict"]).failed(3, "refused by --strict");
    assert_eq!(files(&folder, "o"), before);
    assert_eq!(before.len(), 2);
}

#[test]
fn threads_change_no_byte() {
    let folder = Folder::with_log();
    let specs = ["fcfs", "easy", "easy:order=sjf", "conservative", "depth:k=3", "first-fit"];
    let policies: Vec<&str> = specs.iter().flat_map(|spec| ["--policy", spec]).collect();
    let options = ["--bounds", "--clairvoyant", "--classes", "zhang", "--estimate", "phi:0.2"];
    let replay = |threads: &str, form: &str, out: &str| {
        let where_to = ["--threads", threads, "--format", form, "--out", out, "-q"];
        folder
            .run(&[&["replay", "week.swf"], &policies[..], &options, &where_to].concat())
            .succeeded()
            .to_owned()
    };
    for form in ["table", "csv", "json"] {
        let [one, two] = ["1", "2"].map(|threads| {
            let out = format!("{form}-{threads}");
            (replay(threads, form, &out), files(&folder, &out))
        });
        assert!(one == two, "{form}: one thread and two differ");
        assert_eq!(one.1.len(), 2 * specs.len() + 1);
    }
}
