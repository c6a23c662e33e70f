//! Settings files of real sites, and `slurm-check --settings`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Done, Folder};

const LOG: &str = "; UnixStartTime: 1700000000\n1 0 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n\
    2 10 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n";

/// Returns the public files, each with the exit code of a replay and the findings about it.
fn public() -> Vec<(&'static str, i32, &'static str)> {
    let lines = include_str!("slurm_settings/public.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let (name, rest) = line.split_once(' ').unwrap();
        let (code, told) = rest.split_once(' ').unwrap_or((rest, ""));
        (name, code.parse().unwrap(), told)
    };
    lines.map(row).collect()
}

/// Returns the number of findings of each kind about the files of an installation.
fn told(done: &Done) -> String {
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    for line in done.err.lines() {
        let Some((kind, rest)) = line.split_once('[').and_then(|(_, rest)| rest.split_once("]: ")) else {
            continue;
        };
        if let Some(kind) = kind.strip_prefix("slurm-") {
            kinds.insert(kind, rest.split(' ').next().unwrap());
        }
    }
    kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn public_settings_files_are_read() {
    let shared = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/logs/slurm/confs"));
    if !shared.exists() {
        eprintln!("skipped: logs/slurm/confs is not in ../shared");
        return;
    }
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    for (name, code, findings) in public() {
        let conf = shared.join(format!("{name}.conf"));
        let done = folder.run(&["replay", "a.swf", "--slurm", conf.to_str().unwrap()]);
        assert_eq!((done.code, told(&done).as_str()), (code, findings), "{name}");
    }
    let files = std::fs::read_dir(&shared).unwrap().count();
    assert_eq!(public().len(), files, "each file is in the list");
}

#[test]
fn each_key_of_public_settings_files_has_a_fate() {
    let shared = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/logs/slurm/confs"));
    if !shared.exists() {
        eprintln!("skipped: logs/slurm/confs is not in ../shared");
        return;
    }
    let folder = Folder::new();
    let mut unknown = Vec::new();
    for (name, ..) in public() {
        let conf = shared.join(format!("{name}.conf"));
        let done =
            folder.run(&["slurm-check", "--settings", "--slurm", conf.to_str().unwrap(), "--format", "csv"]);
        assert!(done.out.lines().count() > 20, "{name}: {}{}", done.out, done.err);
        for row in done.out.lines().filter(|row| row.contains(",unknown,")) {
            let cells: Vec<&str> = row.split(',').collect();
            unknown.push(format!("{name} {} {}", cells[2], cells[3]));
        }
    }
    assert_eq!(
        unknown,
        [
            "archer2 SchedulerParameters max_prc_cnt=150",
            "romxero SchedulerParameters rl_enable",
            "romxero SchedulerParameters rl_bucket_size=60",
            "ufmg SlurmGroup ddcr",
            "ufmg SchedulerParameters interval=30",
            "ufmg SlurmEventHandler /usr/lib/clustmngt/slurm/slurmevent",
            "umcg MaxNodes x",
        ]
    );
}
