//! Settings files of real sites, and `slurm-check --settings`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Done, Folder};

/// Two jobs with memory.
const LOG: &str = "; UnixStartTime: 1700000000\n1 0 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n\
    2 10 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n";

/// Public files, each with the exit code of a replay and the findings about it.
const PUBLIC: &[(&str, i32, &str)] = &[];

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
    let found: Vec<(String, i32, String)> = PUBLIC
        .iter()
        .map(|(name, ..)| {
            let conf = shared.join(format!("{name}.conf"));
            let done = folder.run(&["replay", "a.swf", "--slurm", conf.to_str().unwrap()]);
            (name.to_string(), done.code, told(&done))
        })
        .collect();
    let expected: Vec<(String, i32, String)> =
        PUBLIC.iter().map(|(name, code, told)| (name.to_string(), *code, told.to_string())).collect();
    assert_eq!(found, expected);
    let files = std::fs::read_dir(&shared).unwrap().count();
    assert_eq!(PUBLIC.len(), files, "each file is in the list");
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
    for (name, ..) in PUBLIC {
        let conf = shared.join(format!("{name}.conf"));
        let done =
            folder.run(&["slurm-check", "--settings", "--slurm", conf.to_str().unwrap(), "--format", "csv"]);
        assert!(done.out.lines().count() > 20, "{name}: {}{}", done.out, done.err);
        for row in done.out.lines().filter(|row| row.contains(",unknown,")) {
            let cells: Vec<&str> = row.split(',').collect();
            unknown.push(format!("{name} {} {}", cells[2], cells[3]));
        }
    }
    assert_eq!(unknown, [""; 0]);
}

const CONF: &str = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSchedulerParameters=bf_window=60,bf_licenses\n\
    NodeName=n[1-2] CPUs=2\nPartitionName=low Nodes=ALL Default=YES REMARK\n";

#[test]
fn settings_are_listed_with_what_becomes_of_them() {
    let folder = Folder::new();
    folder.write("slurm.conf", CONF);
    let done = folder.run(&["slurm-check", "--settings", "--slurm", "slurm.conf", "--format", "csv"]);
    let rows: Vec<&str> = done.succeeded().lines().collect();
    assert_eq!(
        rows[..5],
        [
            "place,of,setting,value,in_the_replay,effect",
            "slurm.conf:1:1,,SlurmVersion,22.05.8,followed,",
            "slurm.conf:2:1,,SelectType,select/cons_tres,followed,",
            "slurm.conf:3:1,,SchedulerParameters,bf_window=60,followed,",
            "slurm.conf:3:1,,SchedulerParameters,bf_licenses,not followed,\"licences would be reserved, too\"",
        ]
    );
    assert_eq!(rows.len(), 11, "{rows:?}");
    let table = folder.run(&["slurm-check", "--settings", "--slurm", "slurm.conf"]);
    assert!(table.succeeded().contains("8 followed, 1 not followed, 1 not read"), "{}", table.out);
    let json = folder.run(&["slurm-check", "--settings", "--slurm", "slurm.conf", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(json.succeeded()).unwrap();
    assert_eq!(json["rows"].as_array().map_or(0, Vec::len), 10, "{json}");
    // Without nodes the settings are listed, and the error follows.
    folder.write("slurm.conf", "KillWait=30\n");
    let done = folder.run(&["slurm-check", "--settings", "--slurm", "slurm.conf"]);
    assert_eq!(done.code, 3);
    assert!(
        done.out.contains("KillWait") && done.err.contains("no NodeName line"),
        "{}{}",
        done.out,
        done.err
    );
    folder.run(&["slurm-check", "--settings"]).failed(2, "--slurm");
    folder.run(&["slurm-check", "--slurm", "slurm.conf"]).failed(2, "<TRACE>");
    folder.write("a.swf", LOG);
    folder
        .run(&["slurm-check", "a.swf", "--slurm", "slurm.conf", "--format", "csv"])
        .failed(2, "--format csv: table or json");
}
