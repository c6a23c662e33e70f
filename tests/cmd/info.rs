mod plot;
mod real;

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
fn the_pages_of_several_logs_follow_one_another() {
    let folder = Folder::with_log();
    folder.write("a.swf", SHORT_LINE);
    let done = folder.run(&["info", "a.swf", "week.swf", "--full"]);
    let page = done.succeeded();
    assert!(page.starts_with("a.swf (swf, "));
    assert!(page.contains("\n\nweek.swf (swf, "));
    let infos: Value =
        serde_json::from_str(folder.run(&["info", "--format=json", "a.swf", "week.swf"]).succeeded())
            .unwrap();
    assert_eq!(infos.as_array().map(Vec::len), Some(2));
}

#[test]
fn an_unreadable_log_is_named_and_the_logs_before_it_are_printed() {
    let folder = Folder::with_log();
    folder.run(&["info"]).failed(2, "<TRACE>...");
    folder.run(&["info", "none.swf"]).failed(3, "cannot read none.swf: ");
    folder.run(&["info", "week.swf", "--format", "xml"]).failed(2, "unknown format `xml`");
    let done = folder.run(&["info", "--full", "week.swf", "none.swf"]);
    assert_eq!((done.code, done.out.starts_with("week.swf")), (3, true));
    folder.run(&["info", "week.swf", "none.swf"]).failed(3, "cannot read none.swf: ");
    folder.run(&["info", "week.swf", "--columns", "log,jobz"]).failed(2, "did you mean `jobs`?");
    folder.run(&["info", "week.swf", "--columns", "log", "--full"]).failed(2, "cannot be used with");
    folder.run(&["info", "week.swf", "--full", "--format", "csv"]).failed(2, "--format table or json only");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::with_log();
    let done = folder.run_and_leave(&["info", "--full", "week.swf", "week.swf", "week.swf"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}

#[test]
fn several_logs_stand_side_by_side_in_every_form() {
    let folder = Folder::with_log();
    folder
        .write("SITE_A-SP2-1996-1.swf", &DATED.replace("; Installation: Site A", "; Installation: A & B_C"));
    let run = |format: &str| {
        let columns = "log,site,procs,jobs,start,end,load,utilization";
        let done = folder.run(&[
            "info",
            "SITE_A-SP2-1996-1.swf",
            "week.swf",
            "--columns",
            columns,
            "--format",
            format,
        ]);
        assert_eq!(done.err, "");
        done.succeeded().to_owned()
    };
    let table = run("table");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let first = ["SITE_A-SP2", "A", "&", "B_C", "8", "2", "1996-09-23", "1996-09-23", "125.0", "62.5"];
    assert!(rows.contains(&first.to_vec()), "{table}");
    assert!(table.contains("* SITE_A-SP2: SITE_A-SP2-1996-1, sha256 "), "{table}");
    assert!(table.contains("* not recorded in week: "), "{table}");
    assert!(
        run("markdown")
            .contains("| SITE\\_A-SP2 | A & B\\_C | 8 | 2 | 1996-09-23 | 1996-09-23 | 125.0 | 62.5 |")
    );
    let latex = run("latex");
    assert!(
        latex.contains("SITE\\_A-SP2 & A \\& B\\_C & 8 & 2 & 1996-09-23 & 1996-09-23 & 125.0 & 62.5 \\\\"),
        "{latex}"
    );
    assert_eq!(latex.matches('{').count(), latex.matches('}').count());
    let csv = run("csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "log,site,procs,jobs,start,end,load,utilization,tool");
    assert!(lines[1].starts_with("SITE_A-SP2,A & B_C,8,2,1996-09-23,1996-09-23,1.25,0.625,batchlab "));
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["rows"][0]["jobs"], 2);
    assert_eq!(json["rows"][1]["utilization"], Value::Null);
}

#[test]
fn all_columns_can_be_shown_and_each_alone() {
    let folder = Folder::new();
    folder.write("a.swf", DATED);
    let all = folder.run(&["info", "a.swf", "--columns", "all", "--format", "csv"]);
    let (keys, values) = all.succeeded().split_once('\n').unwrap();
    let [keys, values] = [keys, values.trim_end()].map(|line| line.split(',').collect::<Vec<_>>());
    assert_eq!(keys.len(), values.len());
    for (key, value) in keys.iter().zip(&values).filter(|(key, _)| **key != "tool") {
        let alone = folder.run(&["info", "a.swf", "--columns", key, "--format", "csv"]);
        assert!(alone.succeeded().lines().nth(1).unwrap().starts_with(&format!("{value},")), "{key}");
    }
    let value = |key: &str| values[keys.iter().position(|shown| *shown == key).unwrap()];
    assert_eq!((value("peak_procs"), value("mean_run"), value("requests")), ("8", "45", "2"));
    assert_eq!(
        (value("start"), value("site"), value("exact"), value("groups")),
        ("1996-09-23", "Site A", "0.5", "")
    );
}

/// Two jobs with a date and 600 processor-seconds on 8 processors: submitted within 60 s, ended within 120 s.
const DATED: &str = "\
; Installation: Site A
; UnixStartTime: 843480031
; TimeZoneString: Europe/Stockholm
; MaxProcs: 8
1   0  0  30 4 -1 -1 4 30 -1 1 1 -1 -1 -1 -1 -1 -1
2  60  0  60 8 -1 -1 8 90 -1 1 2 -1 -1 -1 -1 -1 -1
";
