//! `batchlab slurm`: the script, with a stand-in for Slurm, and with Slurm itself if it is installed.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run::{SMALL, small, tree};
use super::{Done, Folder};

/// An `sbatch` for one machine: it runs the script at once, one task after the other, and records its
/// options. An array with a failed task counts as failed: jobs that depend on it do not run.
const SBATCH: &str = include_str!("slurm/sbatch");

/// A `squeue` that prints the content of a file.
const SQUEUE: &str = "#!/bin/sh\ncat queue 2>/dev/null\n";

/// A program that fails once for one shard or island, and otherwise runs batchlab.
const FAILING: &str = include_str!("slurm/failing");

fn program(folder: &Folder, name: &str, text: &str) {
    folder.write(name, text);
    std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(0o755)).unwrap();
}

/// Returns a folder with a small experiment, a stand-in for Slurm, and a program that fails once.
fn cluster() -> Folder {
    let folder = small();
    std::fs::create_dir(folder.path("bin")).unwrap();
    program(&folder, "bin/sbatch", SBATCH);
    program(&folder, "bin/squeue", SQUEUE);
    program(&folder, "failing", FAILING);
    folder
}

fn batchlab() -> PathBuf {
    assert_cmd::cargo::cargo_bin("batchlab")
}

fn submit(folder: &Folder, script: &str) -> Done {
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .arg(script)
        .current_dir(folder.path(""))
        .env("PATH", path)
        .env("BATCHLAB", folder.path("failing"))
        .env("REAL_BATCHLAB", batchlab())
        .output()
        .unwrap();
    Done::of(output)
}

#[test]
fn the_script_is_the_recorded_one() {
    let folder = small();
    let options = ["--partition", "short", "--time", "30:00", "--account", "me & you", "--sbatch=--mem=2G"];
    let words =
        ["slurm", "small.toml", "--tasks", "16", "--cpus", "2", "--baseline", "FCFS", "--out", "my results"];
    let done = folder.run(&[&words[..], &options].concat());
    let version = concat!("batchlab ", env!("CARGO_PKG_VERSION"));
    assert_eq!(done.succeeded().replace(version, "batchlab VERSION"), include_str!("../slurm/small.sh"));
    assert_eq!(done.err, "");
}

#[test]
fn shells_find_nothing_wrong_with_it() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm");
    for script in ["small.sh", "real.sh"] {
        let read = Command::new("bash").arg("-n").arg(scripts.join(script)).status().unwrap();
        assert!(read.success(), "{script}");
        match Command::new("shellcheck").arg(scripts.join(script)).output() {
            Ok(found) => assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout)),
            Err(error) => eprintln!("{script} is only read: there is no shellcheck ({error})"),
        }
    }
}

#[test]
fn a_task_that_fails_is_run_again_and_nothing_else() {
    let folder = cluster();
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    folder
        .run(&["slurm", "small.toml", "--tasks", "3", "--out", "my results", "-o", "submit.sh", "-q"])
        .succeeded();
    let first = submit(&folder, "submit.sh");
    assert_eq!(
        first.succeeded(),
        "array job 101: 3 of 3 shards\nmerge job 102: into my results\n",
        "{}",
        first.err
    );
    assert!(!folder.path("my results/results.csv").exists(), "{}", folder.read("log"));
    assert_eq!(
        submit(&folder, "submit.sh").succeeded(),
        "array job 103: 1 of 3 shards\nmerge job 104: into my results\n"
    );
    std::fs::rename(folder.path("my results/shards"), folder.path("shards")).unwrap();
    assert_eq!(tree(&folder, "my results"), tree(&folder, "whole"));
    std::fs::rename(folder.path("shards"), folder.path("my results/shards")).unwrap();
    // All results exist: only a merge is submitted.
    assert_eq!(submit(&folder, "submit.sh").succeeded(), "merge job 105: into my results\n");
    let submitted = folder.read("submitted");
    let logs = "my results/shards/logs";
    let lines = [
        format!(
            "101 --parsable --job-name=batchlab-small --cpus-per-task=1 --array=1,2,3 --output={logs}/%A-%a.log"
        ),
        format!(
            "102 --parsable --job-name=batchlab-small --dependency=afterok:101 --kill-on-invalid-dep=yes \
             --output={logs}/merge-%j.log"
        ),
        format!(
            "103 --parsable --job-name=batchlab-small --cpus-per-task=1 --array=2 --output={logs}/%A-%a.log"
        ),
        format!(
            "104 --parsable --job-name=batchlab-small --dependency=afterok:103 --kill-on-invalid-dep=yes \
             --output={logs}/merge-%j.log"
        ),
        format!("105 --parsable --job-name=batchlab-small --output={logs}/merge-%j.log"),
    ];
    assert_eq!(submitted.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn nothing_is_submitted_twice_and_a_changed_experiment_is_run_again() {
    let folder = cluster();
    folder.write("failed-once", "");
    folder.run(&["slurm", "small.toml", "--tasks", "3", "-o", "submit.sh", "-q"]).succeeded();
    submit(&folder, "submit.sh").succeeded();
    folder.write("queue", "102 long batchlab-small\n");
    submit(&folder, "submit.sh")
        .failed(1, "jobs 101,102 are still in the queue; wait for them, or scancel them");
    std::fs::remove_file(folder.path("queue")).unwrap();
    folder.write("small.toml", &SMALL.replace("replications = 5", "replications = 6"));
    assert!(submit(&folder, "submit.sh").succeeded().starts_with("array job 103: 3 of 3 shards\n"));
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    assert_eq!(folder.read("small-results/results.csv"), folder.read("whole/results.csv"));
    std::fs::rename(folder.path("small.toml"), folder.path("other.toml")).unwrap();
    submit(&folder, "submit.sh").failed(2, "small.toml is not here; run this script in the folder in which");
}

#[test]
fn islands_of_a_search_are_tasks_whose_last_job_judges_as_one_run_would() {
    let folder = cluster();
    let (head, rest) = SMALL.split_once("[[workload]]\nname = \"log\"").unwrap();
    let policies = &rest[rest.find("[[policy]]").unwrap()..];
    let search = format!("{head}[sweep]\nload = [0.9]\n\n{policies}\n")
        .replace("replications = 5", "replications = 12")
        + "[tune]\nspec = \"fcfs:order=expr({f})\"\nobjective = \"mean_bsld\"\nbudget = 20\nislands = 3\nrobust = false\n\
           [space]\nf = \"tree(procs, estimate; 5)\"\n";
    folder.write("small.toml", &search);
    let whole = folder.run(&["tune", "small.toml", "--out", "whole", "-q"]);
    assert!(matches!(whole.code, 0 | 1), "{}", whole.err);
    folder.run(&["slurm", "small.toml", "--out", "found", "-o", "submit.sh", "-q"]).succeeded();
    let first = submit(&folder, "submit.sh");
    assert_eq!(first.succeeded(), "array job 101: 3 of 3 islands\njudgement job 102: into found\n");
    assert!(!folder.path("found/tuned.md").exists(), "{}", folder.read("log"));
    let second = submit(&folder, "submit.sh");
    assert_eq!(second.succeeded(), "array job 103: 1 of 3 islands\njudgement job 104: into found\n");
    for file in ["tuned.md", "candidates.csv", "search.svg", "judged/results.csv"] {
        assert_eq!(folder.read(&format!("found/{file}")), folder.read(&format!("whole/{file}")), "{file}");
    }
    let words = folder.read("whole/tuned.md");
    for said in ["20 candidates", "on 3 islands"] {
        assert!(words.contains(said), "{words}");
    }
    folder
        .run(&["slurm", "small.toml", "--tasks", "2"])
        .failed(2, "--tasks is for experiments: a search has a task for each island of its [tune]");
    folder.run(&["tune", "small.toml", "--island", "4"]).failed(2, "--island 4: [tune] has 3 islands");
}

#[test]
fn slurm_itself_recovers_a_failed_task() {
    let is_there = |name: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]).any(|at| at.join(name).is_file())
    };
    let wanted = ["slurmctld", "slurmd", "sbatch", "munged"];
    if let Some(missing) = wanted.into_iter().find(|name| !is_there(name)) {
        return eprintln!("skipped: there is no {missing}, so no Slurm to run jobs with");
    }
    let folder = small();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/real.sh");
    let output =
        Command::new("bash").arg(script).arg(batchlab()).current_dir(folder.path("")).output().unwrap();
    let done = Done::of(output);
    match done.code {
        0 => eprint!("{}", done.out),
        77 => eprintln!("skipped: {}", done.err.trim_end()),
        code => panic!("ended with {code}\n{}\n{}", done.out, done.err),
    }
}
