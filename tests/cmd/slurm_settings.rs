//! Settings files of real sites, and `slurm-check --settings`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Done, Folder};

/// Two jobs with memory.
const LOG: &str = "; UnixStartTime: 1700000000\n1 0 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n\
    2 10 0 60 1 -1 1024 1 100 1024 1 1 1 -1 1 1 -1 -1\n";

/// Public files, each with the exit code of a replay and the findings about it.
const PUBLIC: &[(&str, i32, &str)] = &[
    (
        "aalto",
        0,
        "no-associations 1, no-qos 1, no-switches 1, scripts 2, setting-unsupported 2, version-assumed 1",
    ),
    (
        "archer2",
        0,
        "no-associations 1, no-qos 1, no-switches 1, scripts 2, setting-unknown 1, setting-unsupported 7, template 19, version-assumed 1",
    ),
    ("au", 0, "no-associations 1, scripts 3, setting-unsupported 1, version-assumed 1"),
    ("barkla", 0, "version-assumed 1"),
    ("bestla", 0, "line-refused 1, version-assumed 1"),
    ("bologna", 0, "version-assumed 1"),
    (
        "cirrus",
        0,
        "no-associations 1, no-qos 1, no-switches 1, scripts 2, setting-unsupported 17, version-assumed 1",
    ),
    ("dcbase", 0, "version-assumed 1"),
    ("diku", 0, "no-associations 1, setting-unsupported 1, version-assumed 1"),
    (
        "fasrc",
        0,
        "cores-differ 3, no-associations 1, no-qos 1, scripts 2, setting-unsupported 2, version-assumed 1",
    ),
    ("fiuba", 0, "scripts 1, setting-unsupported 1, version-assumed 1"),
    // Its nodes are in a file that it includes.
    ("griz", 3, ""),
    ("gsi", 0, "no-associations 1, setting-unsupported 1, version-assumed 1"),
    ("harrier", 0, "version-assumed 1"),
    ("idia", 0, "version-assumed 1"),
    ("iztakat", 0, "version-assumed 1"),
    ("kaya", 0, "version-assumed 1"),
    ("llmjp", 0, "scripts 1, version-assumed 1"),
    ("maxime", 0, "no-associations 1, no-qos 1, setting-unsupported 1, version-assumed 1"),
    ("neurosysmed", 0, "version-assumed 1"),
    ("pal", 0, "cores-differ 1, no-associations 1, setting-unsupported 7, version-assumed 1"),
    ("radon", 0, "version-assumed 1"),
    (
        "romxero",
        0,
        "no-associations 1, no-qos 1, node-undefined 2, scripts 2, setting-unknown 2, setting-unsupported 5, version-assumed 1",
    ),
    ("taltech", 0, "no-associations 1, version-assumed 1"),
    ("toolset", 0, "scripts 2, version-assumed 1"),
    ("turaga", 0, "node-out 1, setting-unsupported 1, version-assumed 1"),
    ("ubmedium", 0, "limit-unsupported 2, no-associations 1, no-qos 1, no-switches 1, version-assumed 1"),
    ("ucmerced", 0, "version-assumed 1"),
    ("uco", 0, "version-assumed 1"),
    ("ufmg", 0, "setting-unknown 3, setting-unsupported 1, version-assumed 1"),
    // It is a part without nodes.
    ("umcg", 3, ""),
];

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
