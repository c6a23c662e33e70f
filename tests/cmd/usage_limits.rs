//! `--limits FILE`: limits by name and number, findings, conditions, experiments.

use super::Folder;

/// Six jobs on 8 processors: partition 2 is `gpu`, `qos` 1 is high; job 4 is wide, job 5 asks for three hours.
const LOG: &str = "\
; MaxProcs: 8
; Partition: 2 gpu
; Note: qos 1: high
; Resource: 1 qos scope=job
1 0 -1 100 2 -1 -1 2 100 -1 1 1 3 -1 -1 2 -1 -1 1
2 1 -1 100 2 -1 -1 2 100 -1 1 1 3 -1 -1 2 -1 -1 1
3 2 -1 100 2 -1 -1 2 100 -1 1 2 3 -1 -1 1 -1 -1 -1
4 3 -1 100 8 -1 -1 8 100 -1 1 2 4 -1 -1 1 -1 -1 -1
5 4 -1 100 1 -1 -1 1 10800 -1 1 2 4 -1 -1 1 -1 -1 -1
6 5 -1 100 2 -1 -1 2 100 -1 1 3 4 -1 -1 2 -1 -1 1
";

fn starts(folder: &Folder, limits: &str) -> String {
    folder.write("limits.toml", limits);
    let options = ["--policy", "first-fit", "--limits", "limits.toml", "--schedule", "s.csv"];
    folder.run(&[&["replay", "log.swf"], &options[..]].concat()).succeeded();
    let starts = |line: &str| -> String { line.split(',').nth(2).unwrap_or_default().into() };
    folder.read("s.csv").lines().skip(1).map(starts).collect::<Vec<_>>().join(" ")
}

#[test]
fn partitions_and_service_classes_are_limited_by_name_or_by_number() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let free = starts(&folder, "");
    assert_eq!(free, "0 1 2 200 4 100");
    for key in ["partition = \"gpu\"", "partition = 2", "qos = \"high\"", "qos = 1"] {
        let limited = starts(&folder, &format!("[[limit]]\n{key}\nrunning_jobs = 1\n"));
        assert_eq!(limited, "0 100 2 200 4 300", "{key}");
    }
    assert_eq!(starts(&folder, "[[limit]]\naccount = 3\nuser = \"*\"\nprocs = 2\n"), "0 100 2 200 4 5");
}

#[test]
fn jobs_above_a_limit_are_dropped_with_their_place_and_the_remedy() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let limits =
        "[[limit]]\nuser = \"*\"\nprocs = 4\nwall_time = \"2h\"\n[[limit]]\nqueue = 7\nrunning_jobs = 1\n";
    folder.write("limits.toml", limits);
    let run = folder.run(&["replay", "log.swf", "--policy", "easy", "--limits", "limits.toml"]);
    run.succeeded();
    for words in [
        "warning[job-above-limit]: 1 job that alone exceeds a limit of the file of --limits, and could never start",
        "limits.toml:3:9: job 4: 8 processors, above procs = 4 (user = \"*\")",
        "warning[job-above-wall-time]: 1 job with an estimate above the wall_time of a limit",
        "limits.toml:1:1: job 5: 10800 s, and 7200 s are allowed",
        "note[limit-idle]: 1 limit about jobs of which the log has none",
    ] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
    assert!(run.out.contains("limits limits.toml"), "{}", run.out);
    folder
        .run(&["replay", "log.swf", "--policy", "easy", "--limits", "limits.toml", "--strict"])
        .failed(3, "job 5");
}

#[test]
fn a_schedule_beyond_a_limit_is_not_legal() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    assert_eq!(starts(&folder, ""), "0 1 2 200 4 100");
    folder.write("limits.toml", "[[limit]]\npartition = \"gpu\"\nrunning_jobs = 1\n");
    let checked = folder.run(&["verify", "log.swf", "s.csv", "--limits", "limits.toml"]);
    assert_eq!(checked.code, 1);
    assert!(checked.err.contains("2 violations among 6 jobs"), "{}", checked.err);
    folder.run(&["verify", "log.swf", "s.csv"]).succeeded();
}

#[test]
fn names_and_keys_that_the_log_or_the_file_lacks_are_refused_with_their_place() {
    let folder = Folder::with_log();
    let refused = |limits: &str, words: &str| {
        folder.write("limits.toml", limits);
        folder
            .run(&["replay", "week.swf", "--policy", "easy", "--limits", "limits.toml", "-q"])
            .failed(2, words);
    };
    refused(
        "[[limit]]\npartition = \"gpu\"\nprocs = 4\n",
        "limits.toml:2:13: the log's header has no partition `gpu`",
    );
    refused("[[limit]]\nqos = \"*\"\nprocs = 4\n", "limits.toml:1:1: the log has no column `qos`");
    refused("[[limit]]\nuser = 1\nproc = 4\n", "limits.toml:3:1: unknown key `proc` (did you mean `procs`?)");
    folder.write("limits.toml", "[[limit]]\nprocs = 64\nrunning_jobs = 4\n");
    let replay =
        |spec: &str| folder.run(&["replay", "week.swf", "--policy", spec, "--limits", "limits.toml", "-q"]);
    replay("gs").failed(3, "write count = \"eligible\" in the file of --limits");
    replay("selective-suspension").succeeded();
}

#[test]
fn an_experiment_sweeps_limit_files() {
    let folder = Folder::with_log();
    folder.write("none.toml", "");
    folder.write("one.toml", "[[limit]]\nrunning_jobs = 1\n");
    folder.write(
        "e.toml",
        "[experiment]\nname = \"e\"\n[[workload]]\ntrace = \"week.swf\"\nlimits = \"{limits}.toml\"\n\
         [sweep]\nlimits = [\"none\", \"one\"]\n[[policy]]\nspec = \"easy\"\n",
    );
    folder.run(&["run", "e.toml", "--out", "out", "-q"]).succeeded();
    let results = folder.read("out/results.csv");
    assert_eq!(results.lines().count(), 3, "{results}");
}
