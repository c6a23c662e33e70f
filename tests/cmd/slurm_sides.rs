//! The policy that `--slurm` implies in every verb, and what a side of `what-if` changes of an installation.

use super::Folder;
use super::what_if::{number, value};

/// One node of four processors, with the default window of backfilling.
const CONF: &str = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
    SchedulerParameters=bf_resolution=1\nAccountingStorageEnforce=associations,limits,qos\n\
    NodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

const QOS: &str = "Name|Priority|MaxJobsPU\nnormal|0|1\n";
const FREE: &str = "Name|Priority|MaxJobsPU\nnormal|0|\n";
const ASSOC: &str = "Cluster|Account|User|Share|QOS\nc|root||1|normal\nc|lab||1|normal\nc|lab|ann|1|normal\nc|lab|bob|1|normal\n";

/// Job 2 needs the whole node, which job 1 leaves after 100 minutes. Job 3 is short enough to run before it, job 4 is not.
const JOBS: [(i64, i64, i64, i64); 4] = [(0, 2, 100, 110), (1, 4, 10, 20), (2, 1, 5, 10), (3, 1, 300, 310)];

fn folder() -> Folder {
    let folder = Folder::new();
    let head = "JobID|User|Account|Partition|QOS|State|Submit|Start|End|TimelimitRaw|ReqCPUS|NNodes\n";
    let row = |(at, &(minute, cpus, run, limit)): (usize, &(i64, i64, i64, i64))| {
        let clock = |minute: i64| format!("2026-01-02T{:02}:{:02}:00", minute / 60, minute % 60);
        let (job, submit, end) = (at + 1, clock(minute), clock(minute + run));
        format!("{job}|ann|lab|p|normal|COMPLETED|{submit}|{submit}|{end}|{limit}|{cpus}|1\n")
    };
    let rows: String = JOBS.iter().enumerate().map(row).collect();
    folder.write("sacct.txt", &format!("{head}{rows}"));
    folder.write("slurm.conf", CONF);
    folder.write("qos.psv", QOS);
    folder.write("free.psv", FREE);
    folder.write("assoc.psv", ASSOC);
    folder
}

fn what_if(folder: &Folder, options: &[&str]) -> (String, String) {
    let plain = ["what-if", "sacct.txt", "--copies", "2", "--format", "csv", "--metrics", "mean_wait"];
    let done = folder.run(&[&plain[..], options].concat());
    (done.succeeded().to_owned(), done.err)
}

/// Returns the mean wait of a replay under the policy that the files imply.
fn waits(folder: &Folder, files: &[&str]) -> f64 {
    let files = files.iter().flat_map(|file| ["--slurm", file]);
    let args =
        ["replay", "sacct.txt", "-q", "--format", "csv", "--metrics", "mean_wait"].into_iter().chain(files);
    let done = folder.run(&args.collect::<Vec<_>>());
    let mut reader = csv::Reader::from_reader(done.succeeded().as_bytes());
    let at = reader.headers().unwrap().iter().position(|column| column == "mean_wait").unwrap();
    reader.records().next().unwrap().unwrap()[at].parse().unwrap()
}

#[test]
fn every_verb_replays_the_policy_that_its_help_promises() {
    let folder = folder();
    for verb in ["replay", "explain", "what-if", "when", "sweep"] {
        let help = folder.run(&[verb, "--help"]).succeeded().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("without --policy, the policy is slurm"), "{verb}");
    }
    let explained = |options: &[&str]| {
        let args = [&["explain", "sacct.txt", "2", "-q", "--slurm", "slurm.conf"], options].concat();
        folder.run(&args).succeeded().split(": job").next().unwrap().to_owned()
    };
    assert_eq!(explained(&[]), "slurm");
    assert_eq!(explained(&["--policy", "easy"]), "easy");
    assert!(explained(&["--slurm-delays", "react=2s"]).starts_with("slurm:react=2"));
    let (csv, _) = what_if(&folder, &["--slurm", "slurm.conf", "--after", "plain: --policy fcfs"]);
    assert_eq!(number(&csv, "before", "mean_wait"), waits(&folder, &["slurm.conf"]));
    let fcfs = folder.run(&[
        "replay",
        "sacct.txt",
        "-q",
        "--slurm",
        "slurm.conf",
        "--policy",
        "fcfs",
        "--format",
        "csv",
        "--metrics",
        "mean_wait",
    ]);
    assert!(fcfs.succeeded().contains(&value(&csv, "plain", "mean_wait")), "{}", fcfs.out);
    // Without files the policy is EASY, as ever.
    let plain = ["explain", "sacct.txt", "2", "-q", "--procs", "4"];
    assert!(folder.run(&plain).succeeded().starts_with("easy: job 2"));
    let sweep =
        ["sweep", "sacct.txt", "--slurm", "slurm.conf", "--slurm-delays", "react=0", "--print-experiment"];
    let text = folder.run(&sweep).succeeded().to_owned();
    assert!(
        text.contains("[[policy]]\nspec = \"slurm:react=0\"") && !text.contains("slurm-delays"),
        "{text}"
    );
}

#[test]
fn a_file_takes_the_place_of_its_own_kind_only() {
    let folder = folder();
    let files = ["--slurm", "slurm.conf", "--slurm", "assoc.psv", "--slurm", "qos.psv"];
    let (csv, told) = what_if(
        &folder,
        &[&files[..], &["--after", "same: --slurm slurm.conf", "--after", "free: --slurm free.psv"]].concat(),
    );
    let limited = waits(&folder, &["slurm.conf", "assoc.psv", "qos.psv"]);
    let free = waits(&folder, &["slurm.conf", "assoc.psv", "free.psv"]);
    assert!(free < limited, "{free} {limited}");
    assert_eq!(number(&csv, "before", "mean_wait"), limited);
    assert_eq!((number(&csv, "same", "mean_wait"), number(&csv, "same", "mean_wait_change")), (limited, 0.0));
    assert_eq!(number(&csv, "free", "mean_wait"), free);
    assert!(
        told.contains("after same: --slurm assoc.psv, qos.psv, slurm.conf (slurm.conf replaced)"),
        "{told}"
    );
    assert!(
        told.contains("after free: --slurm slurm.conf, assoc.psv, free.psv (qos.psv replaced)"),
        "{told}"
    );
}

/// A file that slurm.conf includes is replaced by one of its name, and slurm.conf stays.
#[test]
fn an_included_file_is_replaced_by_name() {
    let folder = folder();
    let (head, _) = CONF.split_once("NodeName").unwrap();
    folder.write("slurm.conf", &format!("{head}Include nodes.conf\nPartitionName=p Nodes=ALL Default=YES\n"));
    folder.write("nodes.conf", "NodeName=n1 CPUs=4\n");
    std::fs::create_dir(folder.path("new")).unwrap();
    folder.write("new/nodes.conf", "NodeName=n1 CPUs=8\n");
    let (csv, _) = what_if(&folder, &["--slurm", "slurm.conf", "--after", "more: --slurm new/nodes.conf"]);
    assert!(number(&csv, "more", "mean_wait") < number(&csv, "before", "mean_wait"), "{csv}");
    let (again, told) = what_if(
        &folder,
        &["--slurm", "slurm.conf", "--slurm", "nodes.conf", "--after", "more: --slurm new/nodes.conf"],
    );
    assert_eq!(value(&again, "more", "mean_wait"), value(&csv, "more", "mean_wait"));
    assert!(told.contains("--slurm slurm.conf, new/nodes.conf (nodes.conf replaced)"), "{told}");
}

#[test]
fn a_single_setting_is_overlaid() {
    let folder = folder();
    folder.write("window.conf", &CONF.replace("bf_resolution=1", "bf_resolution=1,bf_window=1"));
    folder.write("builtin.conf", &format!("SchedulerType=sched/builtin\n{CONF}"));
    let (csv, _) = what_if(
        &folder,
        &[
            "--slurm",
            "slurm.conf",
            "--after",
            "window: --set bf_window=1",
            "--after",
            "builtin: --set schedulertype=sched/builtin",
            "--after",
            "back: --set bf_window=1 --set bf_window=1440",
            "--before",
            "--set bf_resolution=1",
        ],
    );
    let [plain, window, builtin] =
        ["slurm.conf", "window.conf", "builtin.conf"].map(|file| waits(&folder, &[file]));
    assert!(window != plain && builtin != plain && window != builtin, "{plain} {window} {builtin}");
    for (change, expected) in [("before", plain), ("window", window), ("builtin", builtin), ("back", plain)] {
        assert_eq!(number(&csv, change, "mean_wait"), expected, "{change}");
    }
    // One key of one side leaves the others of both.
    let both = ["--slurm", "slurm.conf", "--set", "bf_window=1", "--after", "x: --set PriorityWeightAge=0"];
    let (csv, _) = what_if(&folder, &both);
    assert_eq!((number(&csv, "before", "mean_wait"), number(&csv, "x", "mean_wait")), (window, window));
    let refused = |set: &str, words: &str| {
        let after = format!("x: --set {set}");
        folder.run(&["what-if", "sacct.txt", "--slurm", "slurm.conf", "--after", &after]).failed(2, words);
    };
    refused("bf_windwo=3", "unknown setting `bf_windwo` (did you mean bf_window");
    refused("PriorityWeigthAge=3", "did you mean PriorityWeightAge");
    refused("bf_window=none", "bf_window=none: from 1 to 43200");
    refused("bf_window", "write bf_window=VALUE");
    folder
        .run(&["what-if", "sacct.txt", "--procs", "4", "--after", "x: --set bf_window=3"])
        .failed(2, "--set is about the files of --slurm");
    let help = folder.run(&["what-if", "--help"]);
    assert!(help.succeeded().contains("--set <KEY[=VALUE]>"), "{}", help.out);
}
