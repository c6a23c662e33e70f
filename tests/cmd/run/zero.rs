//! Tests that windows keep the zero of their log: every reader of times sees the instants of the log.

use super::{Folder, Line, lines};

/// Six jobs, of which the last three are submitted from 100,007 s on.
const LOG: &str = include_str!("zero.swf");

/// Jobs 4 to 6 as the second window, by a step that cuts and by one that filters.
const EXPERIMENT: &str = include_str!("zero.toml");

/// Returns the rows of jobs 4 to 6 by policy under each workload, without what names the replay.
fn rows(folder: &Folder, options: &str, workload: &str) -> [Vec<Line>; 3] {
    let text = EXPERIMENT.replace("OPTIONS", options).replace("WORKLOAD", workload);
    folder.write("zero.toml", &text);
    let _ = std::fs::remove_dir_all(folder.path("r"));
    folder.run(&["run", "zero.toml", "--out", "r", "-q"]).succeeded();
    let all = lines(folder, "r/results.csv");
    ["key", "step", "filter"].map(|name| {
        let is_of = |line: &&Line| line["workload"] == name && (name != "key" || line["unit"] == "1");
        let plain = |line: &Line| {
            let mut line = line.clone();
            for key in ["key", "workload", "unit", "seed"] {
                line.remove(key);
            }
            line
        };
        all.iter().filter(is_of).map(plain).collect()
    })
}

#[test]
fn windows_keep_the_zero_for_every_reader_of_times() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let in_seconds = "[[event]]\nkind = \"maintenance\"\nfrom = 102000\nto = 150000\nknown = false\n";
    folder.write("seconds.toml", in_seconds);
    folder.write(
        "dates.toml",
        &in_seconds.replace("102000", "\"2026-12-02 04:20\"").replace("150000", "\"2026-12-02 17:40\""),
    );
    for (options, workload) in [
        ("", ""),
        ("prefix = \"10s\"", ""),
        ("warmup = \"5s\"", ""),
        ("", "calendar = \"seconds.toml\""),
        ("", "calendar = \"dates.toml\""),
        ("", "events = \"periodic:600\""),
        ("", "load = 2"),
    ] {
        // With a prefix the windows of the key begin later.
        let [key, step, filter] = rows(&folder, options, workload);
        // Gang scheduling takes no calendar.
        assert_eq!(filter.len(), if workload.contains("calendar") { 6 } else { 7 });
        assert_eq!(step, filter, "{options} {workload}");
        if options != "prefix = \"10s\"" {
            assert_eq!(key, filter, "{options} {workload}");
        }
    }
    let [key, ..] = rows(&folder, "", "calendar = \"seconds.toml\"");
    // Job 5 would end at 106007; the maintenance stops it at 102000, and it runs again from 150000 on.
    assert_eq!((key[0]["at"].as_str(), key[0]["late"].as_str()), ("100174.66666666667", "1"));
    assert_eq!(key[0]["ended"], "155010");
    let [key, ..] = rows(&folder, "", "");
    let waits: Vec<&str> = key.iter().map(|line| line["mean_wait"].as_str()).collect();
    assert_eq!(waits[0], waits[3], "F1 from the first submission serves in the order of submission here");
    assert_eq!(waits[1], waits[4], "F1 is its formula");
    assert_ne!(waits[0], waits[1]);
}
