//! Tests of `batchlab sweep`: response to load, and the load from which a criterion is no longer met.

use super::Folder;

const LUBLIN: [&str; 14] = [
    "sweep",
    "--model",
    "lublin",
    "--jobs",
    "200",
    "--procs",
    "64",
    "--policy",
    "easy",
    "--policy",
    "fcfs",
    "--replications",
    "8",
    "--quiet",
];

fn swept<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&LUBLIN[..], more].concat()
}

/// Returns the values of a column of a CSV table.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[at].to_owned()).collect()
}

#[test]
fn curves_and_crossings_are_printed_and_kept() {
    let folder = Folder::new();
    let done =
        folder.run(&swept(&["--load", "0.4,0.8,1.2,1.6", "--criterion", "mean_bsld <= 110", "--out", "r"]));
    let text = done.succeeded();
    assert_eq!(done.err, "");
    for words in [
        "Response of lublin to load",
        "The load at which mean bounded slowdown reaches 110",
        "8 replications",
        "offered",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let csv = folder.read("r/tables/crossing-mean_bsld-110.csv");
    assert_eq!(column(&csv, "policy"), ["easy", "fcfs"]);
    assert_eq!(column(&csv, "reached"), ["within", "within"], "{csv}");
    let numbers =
        |name: &str| -> Vec<f64> { column(&csv, name).iter().map(|value| value.parse().unwrap()).collect() };
    let (easy, fcfs) = (numbers("crossing")[0], numbers("crossing")[1]);
    assert!(0.4 < fcfs && fcfs < easy && easy < 1.6, "{csv}");
    assert!(numbers("utilization").iter().all(|used| (0.05..1.0).contains(used)), "{csv}");
    for plot in ["mean_bsld-load", "mean_bsld-utilization"] {
        assert!(folder.read(&format!("r/plots/{plot}.svg")).starts_with("<svg"), "{plot}");
    }
}

#[test]
fn threads_change_nothing_and_run_goes_on_with_the_folder() {
    let folder = Folder::new();
    let load = ["--load", "0.5:1.1:0.3", "--jobs", "100"];
    let at = |threads, out| {
        folder.run(&[&LUBLIN[..3], &LUBLIN[5..], &load, &["--threads", threads, "--out", out]].concat())
    };
    let (one, two) = (at("1", "one"), at("2", "two"));
    assert_eq!(one.succeeded(), two.succeeded());
    for file in ["results.csv", "experiment.toml", "tables/curves.txt", "plots/mean_bsld-load.svg"] {
        assert_eq!(folder.read(&format!("one/{file}")), folder.read(&format!("two/{file}")), "{file}");
    }
    at("1", "one").failed(2, "--resume continues with them");
    let again = folder.run(&["run", "one/experiment.toml", "--out", "one", "--resume"]);
    again.succeeded();
    assert!(again.err.contains("0 replays to run"), "{}", again.err);
    assert_eq!(folder.run(&["table", "one"]).succeeded(), two.out);
}

#[test]
fn a_log_is_seen_from_the_folder_and_has_no_interval_without_windows() {
    let folder = Folder::with_log();
    let plain = ["sweep", "week.swf", "--policy", "easy", "--load", "0.5,1,1.5", "--estimate", "actual"];
    let whole = folder.run(&[&plain[..], &["-q"]].concat());
    let text = whole.succeeded();
    assert!(text.contains("week: one replay") && text.contains("there is one replay only"), "{text}");
    assert!(
        folder
            .read("sweep-week/experiment.toml")
            .contains("trace = \"../week.swf\"\nestimate = \"actual\"\n")
    );
    folder.run(&["run", "sweep-week/experiment.toml", "--out", "sweep-week", "--resume", "-q"]).succeeded();
    let windows = folder.run(&[&plain[..], &["--windows", "6h", "--out", "w"]].concat());
    assert!(windows.succeeded().contains("windows of 6 h, each replayed by itself"), "{}", windows.out);
    let printed = folder.run(&[&plain[..], &["--print-experiment"]].concat());
    assert!(printed.succeeded().contains("trace = \"week.swf\"\n"), "{}", printed.out);
    folder.write("printed.toml", &printed.out);
    folder.run(&["run", "printed.toml", "--dry-run"]).succeeded();
    let dry = folder.run(&[&plain[..], &["--dry-run", "--out", "d"]].concat());
    assert!(dry.succeeded().contains("3 points"), "{}", dry.out);
    assert!(!folder.path("d").exists());
}

#[test]
fn errors_are_reported_before_anything_runs() {
    let cases: [(&[&str], &str); 8] = [
        (&["--load", "0.5,0.9"], "a curve needs at least 3 loads"),
        (&["--criterion", "mean_bsld > 20"], "METRIC <= BOUND"),
        (&["--criterion", "mean_bsdl <= 20"], "mean_bsdl"),
        (&["--policy", "esay"], "no policy is called `esay` (did you mean `easy`?)"),
        (&["--policy", "easy"], "--policy easy is given twice"),
        (&["--windows", "7d"], "cannot be used with"),
        (&["--set", "lod=1"], "has no parameter `lod`"),
        (&["--format", "xml"], "unknown format `xml`"),
    ];
    let folder = Folder::new();
    for (more, expected) in cases {
        let done = folder.run(&swept(more));
        assert!(matches!(done.code, 2 | 3) && done.out.is_empty(), "{more:?}: {} {}", done.code, done.err);
        assert!(done.err.contains(expected), "{more:?}: {}", done.err);
        assert!(folder.files().is_empty(), "{more:?}: nothing is left behind");
    }
    folder.run(&["sweep", "-", "--policy", "easy"]).failed(2, "save it to a file");
    folder.run(&["sweep", "--policy", "easy"]).failed(2, "<TRACE>");
}
