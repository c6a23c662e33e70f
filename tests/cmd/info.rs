use serde_json::Value;

use super::{Folder, SHORT_LINE};

#[test]
fn a_generated_log_is_described_the_same_before_and_after_conversion() {
    let folder = Folder::with_log();
    folder.run(&["convert", "week.swf", "-o", "copy.swf.gz"]).succeeded();
    let read = |name: &str| -> Value {
        let done = folder.run(&["info", name, "--format", "json"]);
        let mut infos: Value = serde_json::from_str(done.succeeded()).unwrap();
        assert_eq!(done.err, "");
        infos[0]["source"].take();
        infos[0].take()
    };
    let info = read("week.swf");
    assert_eq!(info, read("copy.swf.gz"));
    assert_eq!(info["machine"]["procs"], 64);
    assert_eq!(info["jobs"]["jobs"], 200);
    assert_eq!(info["times"]["overruns"], 0);
    assert_eq!(info["times"]["wait"], Value::Null);
    assert_eq!(info["replay"]["load"]["jobs"], 200);
    assert!(info["jobs"]["users"].as_u64().unwrap() <= 9);
    assert!(info["sizes"]["procs"]["max"].as_f64().unwrap() <= 64.0);
    assert_eq!(info["findings"], Value::Array(vec![]));
}

#[test]
fn the_page_holds_facts_tables_and_anomalies() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    let done = folder.run(&["info", "a.swf"]);
    let page = done.succeeded();
    for line in [
        "Machine     8 processors",
        "Period      submitted day 0.0 to day 0.0 (9 s); from the log's zero: its date is unknown",
        "Jobs        3",
        "Status      1 unknown (-1) 33.3 %, 2 completed (1) 66.7 %",
        "Load        offered 1.667: 0 processor-hours of 3 jobs on 8",
        "Recorded    no waits, no requested memory, no used memory",
        "run/requested      2  0.50  0.50    0.50  0.50  0.50  0.50  0.50  0.50",
        "1                 2  66.7 %       66.7 %",
        "          1 lines with too few fields: the missing fields count as unknown [swf-short-line]",
        "            a.swf:3: 8 fields, 18 expected",
    ] {
        assert!(page.lines().any(|printed| printed == line), "`{line}` is not in:\n{page}");
    }
    assert_eq!(done.err, "");
}

#[test]
fn several_logs_follow_one_another() {
    let folder = Folder::with_log();
    folder.write("a.swf", SHORT_LINE);
    let done = folder.run(&["info", "a.swf", "week.swf"]);
    let page = done.succeeded();
    assert!(page.starts_with("a.swf (swf, "));
    assert!(page.contains("\n\nweek.swf (swf, "));
    let infos: Value =
        serde_json::from_str(folder.run(&["info", "--format=json", "a.swf", "week.swf"]).succeeded())
            .unwrap();
    assert_eq!(infos.as_array().map(Vec::len), Some(2));
}

#[test]
fn what_cannot_be_read_is_named_and_what_came_before_it_is_printed() {
    let folder = Folder::with_log();
    folder.run(&["info"]).failed(2, "<TRACE>...");
    folder.run(&["info", "none.swf"]).failed(3, "cannot read none.swf: ");
    folder.run(&["info", "week.swf", "--format", "xml"]).failed(2, "[possible values: table, json]");
    let done = folder.run(&["info", "week.swf", "none.swf"]);
    assert_eq!((done.code, done.out.starts_with("week.swf")), (3, true));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::with_log();
    let done = folder.run_and_leave(&["info", "week.swf", "week.swf", "week.swf"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}
