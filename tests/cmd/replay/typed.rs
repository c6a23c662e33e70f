//! Tests of resources with a colon in their names, such as the types of a GRES: `gpu:a100` beside `gpu`.

use crate::cmd::Folder;

/// Four jobs of one processor on a machine of four; the types of their GPUs are in the second column.
const LOG: &str = "\
; MaxProcs: 4
; Resource: 1 gpu units capacity=4 scope=pool
; Resource: 2 gpu:a100 units capacity=2 scope=pool
1 0 -1 30 1 -1 -1 1 30 -1 1 1 1 1 1 -1 -1 -1 1 1
2 1 -1 40 1 -1 -1 1 40 -1 1 1 1 1 1 -1 -1 -1 2 2
3 2 -1 50 1 -1 -1 1 50 -1 1 2 1 1 1 -1 -1 -1 1 0
4 3 -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 -1 -1 -1 1 1
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    folder
}

/// Job and start of each job under a policy.
fn starts(folder: &Folder, policy: &str, options: &[&str]) -> Vec<String> {
    let command = ["replay", "a.swf", "--policy", policy, "--schedule", "s.csv", "-q"];
    folder.run(&[&command, options].concat()).succeeded();
    let row = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(" ");
    folder.read("s.csv").lines().skip(1).map(row).collect()
}

#[test]
fn names_in_backquotes_are_columns_of_expressions() {
    let folder = folder();
    // The other jobs arrive while job 1 runs; at 30 s jobs 2, 3 and 4 wait.
    let by = |order: &str| starts(&folder, &format!("fcfs:order=expr({order})"), &["--procs", "1"]);
    assert_eq!(by("`gpu:a100`"), ["1 0 0", "2 1 90", "3 2 30", "4 3 80"]);
    assert_eq!(by("-`gpu:a100`"), ["1 0 0", "2 1 30", "3 2 80", "4 3 70"]);
    let classes = ["--classes", "typed=`gpu:a100` > 0", "--metrics", "jobs", "--format", "csv", "-q"];
    let done = folder.run(&[&["replay", "a.swf", "--policy", "fcfs"], &classes[..]].concat());
    assert!(done.succeeded().contains("\ntyped,fcfs,3,"), "{}", done.out);
    let stopped = ["--stop", "last:`gpu:a100` = 0", "--metrics", "jobs", "--format", "csv", "-q"];
    let done = folder.run(&[&["replay", "a.swf", "--policy", "easy"], &stopped[..]].concat());
    // Job 3 ends at 52 s, job 2 at 70 s.
    assert!(done.succeeded().contains("\neasy,3,"), "{}", done.out);

    let rows = |file: &str| {
        let text = folder.read(file);
        text.lines().filter(|row| !row.starts_with(';')).map(str::to_owned).collect::<Vec<_>>()
    };
    folder.write("rules.toml", "[[rule]]\nid = \"one\"\nbecause = \"a test\"\nwhen = \"`gpu:a100` > 1\"\nmend = { \"gpu:a100\" = \"1\" }\n");
    folder.run(&["clean", "a.swf", "--rules", "rules.toml", "-o", "clean.swf", "-q"]).succeeded();
    assert!(rows("clean.swf")[1].ends_with(" 2 1"), "{:?}", rows("clean.swf"));
    let steps = "[[step]]\nkind = \"filter\"\nkeep = \"`gpu:a100` > 0\"\n[[step]]\nkind = \"resource\"\nname = \"gpu:h100\"\nlaw = \"expression\"\nexpr = \"2 * `gpu:a100`\"\ncapacity = 8\n";
    folder.write("steps.toml", steps);
    folder.run(&["shape", "a.swf", "--steps", "steps.toml", "-o", "shaped.swf", "-q"]).succeeded();
    let ends: Vec<String> = rows("shaped.swf").iter().map(|row| row[row.len() - 6..].to_owned()).collect();
    assert_eq!(ends, [" 1 1 2", " 2 2 4", " 1 1 2"]);
}

#[test]
fn experiments_sweep_measure_and_claim_by_such_names() {
    let folder = folder();
    folder.write(
        "x.toml",
        r#"
[experiment]
name = "x"
baseline = "EASY"
[measure]
metrics = ["mean_wait", "utilization_gpu:a100"]
classes = ["typed=`gpu:a100` > 0"]
[[workload]]
trace = "a.swf"
capacity = "gpu:a100={cap}"
[sweep]
cap = [2, 3, 4]
[[policy]]
spec = "easy"
label = "EASY"
[[policy]]
spec = "fcfs:order=expr(`gpu:a100`)"
label = "few first"
[[table]]
name = "main"
metrics = ["utilization_gpu:a100", "mean_wait"]
[[crossing]]
metric = "mean_wait@typed"
along = "cap"
bound = 5
[[plot]]
name = "use"
kind = "lines"
metric = "utilization_gpu:a100"
x = "cap"
[[claim]]
name = "more"
says = "more of them are used less"
metric = "utilization_gpu:a100"
falls_with = "cap"
"#,
    );
    let done = folder.run(&["run", "x.toml", "--out", "r", "-q"]);
    let said = done.succeeded().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("gpu:a100 2 to 4") && said.contains("utilization mean gpu:a100 wait"), "{said}");
    assert!(said.contains("holds: more"), "{said}");
    let head = folder.read("r/results.csv").lines().next().unwrap().to_owned();
    assert!(head.contains(",mean_wait@typed,utilization_gpu:a100,"), "{head}");
    assert!(folder.read("r/plots/use.svg").contains("gpu:a100"));
}
