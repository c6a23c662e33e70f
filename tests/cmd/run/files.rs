//! A walk over all options that a workload may have: what they name is found, refused, hashed and read as it should be.
//!
//! The options are the rows in which the program declares them. A new option has no line in [`OPTIONS`] and fails the walk.

use std::collections::BTreeSet;

use batchlab::lab::options::{Caller, Decides, Files, OptionSpec, of_scenario};

use super::super::Folder;

/// An option of a workload: a value other than the default, and the log that it is about.
#[derive(Clone, Copy)]
struct Sample {
    name: &'static str,
    value: &'static str,
    log: &'static str,
    /// Of an option that names a file: the text of the file, and another text that changes the jobs.
    texts: Option<(&'static str, &'static str)>,
}

const fn plain(name: &'static str, value: &'static str) -> Sample {
    Sample { name, value, log: "week.swf", texts: None }
}

const fn file(
    name: &'static str,
    value: &'static str,
    log: &'static str,
    texts: (&'static str, &'static str),
) -> Sample {
    Sample { name, value, log, texts: Some(texts) }
}

const NODES: &str = "[[nodes]]\ncount = 8\nprocs = 8\n";
const MORE_NODES: &str = "[[nodes]]\ncount = 16\nprocs = 8\n";
const RULES: &str = "[[rule]]\nid = \"few\"\nbecause = \"a test\"\ndrop = \"procs > 32\"\n";
const OTHER_RULES: &str = "[[rule]]\nid = \"few\"\nbecause = \"a test\"\ndrop = \"procs > 16\"\n";
const CONF: &str = "NodeName=n[1-8] CPUs=8\nPartitionName=main Nodes=ALL Default=YES\n";
const OTHER_CONF: &str = "NodeName=n[1-9] CPUs=8\nPartitionName=main Nodes=ALL Default=YES\n";
const COLUMNS: &str = "\nheading = true\ncolumn = [\n  { name = \"began\", to = \"submit\" },\n  \
    { name = \"took\", to = \"run\", unit = \"UNIT\" },\n  { name = \"cpus\", to = \"requested\" },\n]\n";

const OPTIONS: &[Sample] = &[
    plain("from", "swf"),
    file("mapping", "site.toml", "jobs.csv", ("separator = \";\"", "separator = \";\" # UNIT=h")),
    Sample { log: "rows.txt", ..plain("log-columns", "JobID,User,Submit,Start,End,State,ReqCPUS") },
    Sample { log: "sacct.txt", ..plain("zone", "+02:00") },
    plain("procs", "80"),
    plain("nodes", "8"),
    plain("layout", "pool"),
    plain("task-procs", "2"),
    file("machine", "site.toml", "week.swf", (NODES, MORE_NODES)),
    Sample { log: "memory.swf", ..plain("capacity", "memory=64GB") },
    Sample { log: "memory.swf", ..plain("memory", "used") },
    plain("size", "allocated"),
    Sample { log: "sacct.txt", ..plain("queue-from", "submit") },
    Sample { log: "chain.swf", ..plain("dependencies", "log") },
    Sample { log: "chain.swf", ..plain("cancel", "log") },
    plain("requeues", "last"),
    Sample { log: "sacct.txt", ..plain("feedback", "ends") },
    plain("estimate", "actual"),
    plain("overrun", "kill"),
    plain("status", "1"),
    plain("running", "all"),
    plain("drop-zero-run", "true"),
    plain("interactive", "queue = 1"),
    plain("load", "1.5"),
    plain("scale-run", "1.5"),
    plain("events", "submit-first"),
    plain("cost", "switch=0.05"),
    plain("stop", "last:procs > 1"),
    file(
        "limits",
        "site.toml",
        "week.swf",
        ("[[limit]]\nuser = \"*\"\nrunning_jobs = 1\n", "[[limit]]\nuser = \"*\"\nrunning_jobs = 2\n"),
    ),
    file(
        "priorities",
        "site.toml",
        "week.swf",
        ("[[class]]\nuser = 1\npriority = 1\n", "[[class]]\nuser = 2\npriority = 1\n"),
    ),
    file(
        "calendar",
        "site.toml",
        "week.swf",
        (
            "[[event]]\nkind = \"drain\"\nfrom = 0\nto = 90\nprocs = 8\n",
            "[[event]]\nkind = \"drain\"\nfrom = 0\nto = 9000\nprocs = 8\n",
        ),
    ),
    plain("foresight", "none"),
    Sample { log: "sacct.txt", ..plain("slurm-version", "22.05") },
    file("slurm", "site.conf", "sacct.txt", (CONF, OTHER_CONF)),
    plain("strict", "true"),
    file("rules", "site.toml", "week.swf", (RULES, OTHER_RULES)),
    file(
        "steps",
        "site.toml",
        "week.swf",
        (
            "[[step]]\nkind = \"filter\"\nkeep = \"procs > 1\"\n",
            "[[step]]\nkind = \"filter\"\nkeep = \"procs > 2\"\n",
        ),
    ),
];

const OWN: [&str; 12] = [
    "name",
    "trace",
    "model",
    "jobs",
    "set",
    "log",
    "sha256",
    "substitute",
    "windows",
    "units",
    "blocks",
    "replications",
];

/// Logs: one of a model, a table with a mapping, and accounting of Slurm whose submit lines ask for nodes, with and without
/// heading.
fn folder() -> Folder {
    let folder = Folder::with_log();
    std::fs::create_dir(folder.path("exp")).unwrap();
    std::fs::rename(folder.path("week.swf"), folder.path("exp/week.swf")).unwrap();
    folder.write("exp/jobs.csv", "began;took;cpus\n0;60;4\n30;90;8\n40;5;8\n");
    let job = |job: i64| format!("{job} {job} -1 50 8 -1 500 8 60 1000 1 1 1 -1 -1 -1 -1 -1\n");
    folder.write("exp/memory.swf", &(1..20).map(job).collect::<String>());
    let chained = |job: i64| format!("{job} {job} 0 50 8 -1 -1 8 60 -1 1 1 1 -1 -1 -1 {} 5\n", job - 1);
    let cancelled = "1 1 9 -1 -1 -1 -1 8 60 -1 5 1 1 -1 -1 -1 -1 -1\n";
    folder.write("exp/chain.swf", &(2..20).map(chained).fold(cancelled.to_owned(), |log, job| log + &job));
    let head = "JobID|User|Submit|Start|End|State|ReqCPUS|Eligible|NodeList|SubmitLine\n";
    let row = |job: i64, minute: i64, end: i64| {
        let at = |minute: i64| format!("2026-01-02T0{}:{:02}:00", 1 + minute / 60, minute % 60);
        let (submit, start, end) = (at(minute), at(minute + 1), at(minute + end));
        // The first job was not held.
        let eligible = if job == 1 { &submit } else { &start };
        format!("{job}|u{job}|{submit}|{start}|{end}|COMPLETED|8|{eligible}|n{job}|sbatch -w n1 j.sh\n")
    };
    let rows: String = (1..8).map(|job| row(job, 2 * job, 30)).collect();
    folder.write("exp/sacct.txt", &format!("{head}{rows}"));
    let short = |row: &str| row.split('|').take(7).collect::<Vec<_>>().join("|") + "\n";
    folder.write("exp/slurm.conf", CONF);
    folder.write("exp/rows.txt", &rows.lines().map(short).collect::<String>());
    folder
}

fn experiment(name: &str, log: &str, keys: &str, further: &str) -> String {
    let machine = if log == "week.swf" || keys.contains("slurm") { "" } else { "procs = 64\n" };
    format!(
        "[experiment]\nname = \"{name}\"\n[measure]\nmetrics = [\"mean_wait\", \"makespan\"]\n[[workload]]\n\
         name = \"log\"\ntrace = \"{log}\"\n{machine}{keys}\n{further}[[policy]]\nspec = \"fcfs\"\n"
    )
}

/// Returns the options that the program says a workload may have.
fn known(folder: &Folder) -> BTreeSet<String> {
    folder.write("exp/e.toml", &experiment("e", "week.swf", "no-such-key = 1", ""));
    let done = folder.run(&["run", "exp/e.toml"]);
    let (_, list) = done.err.trim().split_once("known are ").unwrap();
    list.split(", ").map(str::to_owned).collect()
}

fn write(folder: &Folder, sample: &Sample, text: &str) {
    let text = match sample.name {
        "mapping" if text.contains("UNIT=h") => format!("{text}{}", COLUMNS.replace("UNIT", "h")),
        "mapping" => format!("{text}{}", COLUMNS.replace("UNIT", "min")),
        _ => text.to_owned(),
    };
    folder.write(&format!("exp/{}", sample.value), &text);
}

fn rows() -> impl Iterator<Item = &'static OptionSpec> {
    let is_key = |option: &&OptionSpec| {
        ["rules", "steps"].contains(&option.name) || !option.withheld.contains(&Caller::Workload)
    };
    of_scenario().filter(is_key)
}

#[test]
fn every_option_of_a_workload_is_in_the_walk() {
    let walked: BTreeSet<String> = OPTIONS.iter().map(|sample| sample.name.to_owned()).collect();
    let declared: BTreeSet<String> = rows().map(|option| option.name.to_owned()).collect();
    assert_eq!(walked, declared, "give each option of a workload a line in OPTIONS");
    let keys: BTreeSet<String> = walked.into_iter().chain(OWN.map(String::from)).collect();
    assert_eq!(keys, known(&folder()));
    for option in rows() {
        let sample = OPTIONS.iter().find(|sample| sample.name == option.name).unwrap();
        let is_file = option.files != Files::No;
        assert_eq!(sample.texts.is_some(), is_file, "--{} names a file: it needs two texts", option.name);
    }
}

/// The options that are not stated: the format stands with the log, strict reading refuses or changes nothing, and what policies
/// know of a calendar is stated with the calendar.
const UNSTATED: [&str; 3] = ["from", "foresight", "strict"];

#[test]
fn every_option_that_decides_results_is_stated() {
    let folder = folder();
    let mut unstated = Vec::new();
    for option in rows().filter(|option| option.decides != Decides::Nothing) {
        let sample = OPTIONS.iter().find(|sample| sample.name == option.name).unwrap();
        sample.texts.iter().for_each(|(text, _)| write(&folder, sample, text));
        let value =
            if sample.texts.is_some() { format!("exp/{}", sample.value) } else { sample.value.into() };
        let given = match &*value {
            "true" => format!("--{}", sample.name),
            value => format!("--{}={value}", sample.name),
        };
        let log = format!("exp/{}", sample.log);
        let head = |more: &[&str]| {
            let done = folder.run(&[&["replay", &log, "--policy", "fcfs", "-q"], more].concat());
            let lines = done.out.lines().take_while(|line| !line.trim().is_empty());
            (done.code, lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "))
        };
        let machine: &[&str] = match (sample.name, sample.log) {
            ("layout" | "task-procs", _) => &["--nodes=8"],
            ("slurm-version", _) => &["--slurm=exp/slurm.conf"],
            ("memory", _) => &["--procs=64", "--capacity=memory=64GB"],
            (_, "week.swf") => &[],
            _ => &["--procs=64"],
        };
        let of_files: &[&str] = if sample.name == "slurm" { &[] } else { machine };
        let format: &[&str] = if sample.name == "log-columns" { &["--from=sacct"] } else { &[] };
        let (code, with) = head(&[of_files, format, &[&given]].concat());
        assert_eq!(code, 0, "{given}");
        match head(machine) {
            (0, without) if with == without => unstated.push(sample.name),
            (0, _) => {}
            // Without it the log cannot be read.
            _ => assert!(with.contains(&format!("{} {value}", sample.name)), "{given}: {with}"),
        }
    }
    assert_eq!(unstated, UNSTATED);
}

#[test]
fn files_are_beside_the_experiment_and_a_changed_one_is_replayed_again() {
    for sample in OPTIONS {
        let Some((text, other)) = sample.texts else { continue };
        let (folder, name) = (folder(), sample.name);
        let keys = |value: &str| experiment("e", sample.log, &format!("{name} = \"{value}\""), "");
        folder.write("exp/e.toml", &keys(sample.value));
        let run = |resume: &[&str]| folder.run(&[&["run", "exp/e.toml", "--out", "r"], resume].concat());
        run(&[]).failed(3, "exp/e.toml:");
        run(&[]).failed(3, &format!("exp/{}", sample.value));
        write(&folder, sample, text);
        run(&["-q"]).succeeded();
        let again = run(&["--resume"]);
        assert!(again.err.contains("0 replays to run"), "{name}: {}", again.err);
        write(&folder, sample, other);
        let changed = run(&["--resume"]);
        assert!(changed.succeeded().contains("fcfs"), "{name}");
        assert!(changed.err.contains("1 replay to run"), "{name}: {}", changed.err);
    }
}

/// Files are named relative to the experiment, wherever it is run: results and conditions are the same bytes.
#[test]
fn an_experiment_is_the_same_from_any_folder() {
    for option in rows() {
        let sample = OPTIONS.iter().find(|sample| sample.name == option.name).unwrap();
        let folder = folder();
        sample.texts.iter().for_each(|(text, _)| write(&folder, sample, text));
        let more = match sample.name {
            "layout" | "task-procs" => "nodes = 8\n",
            "log-columns" => "from = \"sacct\"\n",
            "slurm-version" => "slurm = \"slurm.conf\"\n",
            _ => "",
        };
        let keys = format!("{more}{} = \"{}\"", sample.name, sample.value);
        folder.write("exp/e.toml", &experiment("e", sample.log, &keys, ""));
        let above = folder.run(&["run", "exp/e.toml", "--out", "above", "-q"]);
        let beside = folder.run_in("exp", &["run", "e.toml", "--out", "../beside", "-q"]);
        assert_eq!(above.succeeded(), beside.succeeded(), "{}", sample.name);
        for file in ["results.csv", "manifest.json", "plan.csv"] {
            let [above, beside] = ["above", "beside"].map(|of| folder.read(&format!("{of}/{file}")));
            assert_eq!(above, beside, "{}: {file}", sample.name);
        }
    }
}

#[cfg(unix)]
#[test]
fn no_option_waits_for_a_pipe() {
    let folder = folder();
    std::process::Command::new("mkfifo").arg(folder.path("exp/pipe")).status().unwrap();
    for sample in OPTIONS.iter().filter(|sample| sample.texts.is_some()) {
        for key in [format!("{} = \"pipe\"", sample.name), format!("{} = \"/dev/zero\"", sample.name)] {
            folder.write("exp/e.toml", &experiment("e", sample.log, &key, ""));
            folder
                .run(&["run", "exp/e.toml", "--dry-run"])
                .failed(2, "is no file; an experiment reads files");
        }
    }
}

/// `sweep` finds files where they are named, and its experiment finds them from its own folder.
#[test]
fn a_sweep_reads_files_where_they_are_named() {
    for sample in OPTIONS {
        let Some((text, _)) = sample.texts else { continue };
        let folder = folder();
        write(&folder, sample, text);
        let (log, file) = (format!("exp/{}", sample.log), format!("exp/{}", sample.value));
        let option = format!("--{}", sample.name);
        let mut args = vec![
            "sweep",
            &log,
            &option,
            &file,
            "--policy",
            "fcfs",
            "--load",
            "0.8,1,1.2",
            "--out",
            "s",
            "-q",
        ];
        if sample.log == "jobs.csv" {
            args.extend(["--procs", "64"]);
        }
        folder.run(&args).succeeded();
        folder.run(&["run", "s/experiment.toml", "--out", "s", "--resume", "-q"]).succeeded();
    }
}

/// Returns the options of a reading that has an option, and of one that has it not, or has another value if the log cannot be
/// read without it.
fn two_readings(folder: &Folder, sample: &Sample) -> [String; 2] {
    let (name, value) = (sample.name, sample.value);
    let with = format!("{name} = \"{value}\"");
    match name {
        "mapping" => {
            let (_, other) = sample.texts.unwrap();
            write(folder, &Sample { value: "other.toml", ..*sample }, other);
            [with, "mapping = \"other.toml\"".into()]
        }
        "log-columns" => {
            let other = value.replace("ReqCPUS", "AllocCPUS");
            [with, other].map(|columns| {
                let columns = columns.trim_start_matches("log-columns = ").trim_matches('"');
                format!("from = \"sacct\", log-columns = \"{columns}\"")
            })
        }
        "slurm" => [with, "procs = 64".into()],
        "slurm-version" => [format!("slurm = \"slurm.conf\", {with}"), "procs = 64".into()],
        "foresight" => [with, "load = 1".into()],
        "layout" | "task-procs" => [format!("nodes = 8, {with}"), "foresight = \"reservations\"".into()],
        _ => [with, "foresight = \"reservations\"".into()],
    }
}

/// Two readings of one log, in either order: what one option says must not reach the reading without it.
#[test]
fn readings_do_not_share_what_an_option_changes() {
    let folder = folder();
    let mut walked = 0;
    // No reading can set rules and steps.
    for sample in OPTIONS.iter().filter(|sample| !["rules", "steps"].contains(&sample.name)) {
        sample.texts.iter().for_each(|(text, _)| write(&folder, sample, text));
        let [with, without] = two_readings(&folder, sample);
        let reading = |name: &str, set: &str| format!("[[reading]]\nname = \"{name}\"\nset = {{ {set} }}\n");
        let (with, without) = (reading("with", &with), reading("without", &without));
        let values = |readings: String| {
            let text = experiment("e", sample.log, "", &readings);
            let text =
                if sample.name.starts_with("slurm") { text.replace("\nprocs = 64\n", "\n") } else { text };
            folder.write("exp/e.toml", &text);
            let done = folder.run(&["run", "exp/e.toml", "--out", "r", "-q", "--format", "csv"]);
            let mut rows: Vec<String> = done.succeeded().lines().map(str::to_owned).collect();
            rows.sort();
            std::fs::remove_dir_all(folder.path("r")).unwrap();
            rows
        };
        let first = values(format!("{with}{without}"));
        assert_eq!(first, values(format!("{without}{with}")), "{}", sample.name);
        walked += 1;
    }
    assert_eq!(walked + 2, rows().count());
}

/// The file of a plug-in determines results as a parameter does, on its own or within a policy.
#[cfg(feature = "wasm")]
#[test]
fn a_changed_plug_in_is_replayed_again() {
    let folder = folder();
    let order = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat/sjf.wat");
    let order = std::fs::read_to_string(order).unwrap();
    for spec in ["wasm:order.wat", "easy:order=(wasm:order.wat)"] {
        let policy = format!("spec = \"{spec}\"");
        folder.write("exp/e.toml", &experiment("e", "week.swf", "", "").replace("spec = \"fcfs\"", &policy));
        let run = |comment: &str| {
            folder.write("order.wat", &format!("{order}\n;; {comment}\n"));
            folder.run(&["run", "exp/e.toml", "--out", "r", "--resume"]).err
        };
        for (comment, expected) in
            [("one", "1 replay to run"), ("one", "0 replays"), ("two", "1 replay to run")]
        {
            let told = run(comment);
            assert!(told.contains(expected), "{spec}, {comment}: {told}");
        }
    }
}

/// `--stream` follows an option as a replay of the whole log does, table and conditions, or refuses it.
#[test]
fn a_stream_follows_an_option_or_refuses_it() {
    let folder = folder();
    let mut followed = BTreeSet::new();
    for sample in OPTIONS.iter().filter(|sample| ["week.swf", "memory.swf"].contains(&sample.log)) {
        sample.texts.iter().for_each(|(text, _)| write(&folder, sample, text));
        let log = format!("exp/{}", sample.log);
        let value =
            if sample.texts.is_some() { format!("exp/{}", sample.value) } else { sample.value.into() };
        let option = match (sample.name, &*value) {
            (name, "true") => format!("--{name}"),
            (name, value) => format!("--{name}={value}"),
        };
        let mut args = vec!["replay", &log, &option, "--policy", "fcfs", "-q"];
        if sample.log == "memory.swf" {
            args.extend(["--procs", "64"]);
        }
        let streamed = folder.run(&[&args[..], &["--stream"]].concat());
        if streamed.code == 2 {
            assert!(streamed.err.contains(sample.name) || streamed.err.contains("nodes"), "{}", streamed.err);
            continue;
        }
        let whole = folder.run(&args);
        assert_eq!((streamed.code, &streamed.out), (whole.code, &whole.out), "{option}");
        followed.insert(sample.name);
    }
    for name in ["running", "scale-run", "cost", "estimate", "status", "procs"] {
        assert!(followed.contains(name), "{name}");
    }
}
