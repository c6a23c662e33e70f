//! `batchlab when`: when waiting jobs start.

mod queue;
mod record;

use serde_json::Value;

use super::Folder;

/// At the export at 09:00 on a machine of 4 processors, job 1 had run on all of them for 30 min of its hour; job 2 of 10
/// min on 4 processors waited, and jobs 3 of 10 min and 4 of 90 min on 2 processors.
const EXPORT: &str = "\
JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|1800|60|RUNNING|4|4|n1
2|ann|2024-03-04T08:40:00|Unknown|Unknown|0|10|PENDING|4|0|None assigned
3|bob|2024-03-04T08:50:00|Unknown|Unknown|0|10|PENDING|2|0|None assigned
4|bob|2024-03-04T08:55:00|Unknown|Unknown|0|90|PENDING|2|0|None assigned
";

fn json(folder: &Folder, args: &[&str]) -> Value {
    let done = folder.run(&[&["when"], args, &["--format", "json"]].concat());
    serde_json::from_str(done.succeeded()).unwrap()
}

fn column(answer: &Value, key: &str) -> Vec<Option<f64>> {
    answer["jobs"].as_array().unwrap().iter().map(|job| job[key].as_f64()).collect()
}

/// Returns the jobs of an answer by the batch system's names, in order.
fn names(answer: &Value) -> Vec<String> {
    let name = |job: &Value| job["id"].as_str().map_or_else(|| job["job"].to_string(), str::to_owned);
    let mut names: Vec<String> = answer["jobs"].as_array().unwrap().iter().map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn without_history_jobs_are_taken_to_run_as_long_as_requested() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let done = folder.run(&["when", "sacct.txt", "--procs", "4"]);
    assert!(done.err.contains("warning[when-no-history]: 3 jobs to foretell"), "{}", done.err);
    assert!(done.succeeded().contains("at 2024-03-04 09:00: 1 running and 3 waiting jobs"), "{}", done.out);
    let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q"]);
    // Job 1 ends at 09:30, job 2 ten minutes later.
    assert_eq!(column(&answer, "start_in"), [Some(1800.0), Some(2400.0), Some(2400.0)]);
    assert_eq!(column(&answer, "start_as_requested_in"), [Some(1800.0), Some(2400.0), Some(2400.0)]);
    assert_eq!(column(&answer, "waited"), [Some(1200.0), Some(600.0), Some(300.0)]);
    assert_eq!(answer["jobs"][0]["start"], "2024-03-04 09:30");
    // Under another order the others go first.
    let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q", "--policy", "easy:order=sqf"]);
    assert_eq!(column(&answer, "start_in"), [Some(7200.0), Some(1800.0), Some(1800.0)]);
}

#[test]
fn run_times_may_be_predicted() {
    // Ann's jobs of an hour's request took 40 and 50 min. Job 1 has run since 08:30, and jobs 3 and 4 start ten minutes
    // after job 2.
    const ENDED: &str = "\
8|ann|2024-03-04T07:00:00|2024-03-04T07:00:00|2024-03-04T07:40:00|2400|60|COMPLETED|1|1|n1
9|ann|2024-03-04T07:05:00|2024-03-04T07:05:00|2024-03-04T07:55:00|3000|60|COMPLETED|1|1|n1
";
    let folder = Folder::new();
    let (heading, rows) = EXPORT.split_once('\n').unwrap();
    folder.write("sacct.txt", &format!("{heading}\n{ENDED}{rows}"));
    let module = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat/predictor.wat");
    let module = cfg!(feature = "wasm").then(|| (format!("wasm:({module})"), 1125.0));
    for (predictor, start) in [
        ("none", 1800.0),
        ("last2", 900.0),
        ("user-mean", 900.0),
        // Two ended jobs are few.
        ("quantile:0.5", 1800.0),
        ("expr(last)", 1200.0),
        // Outlived: it runs as long as requested.
        ("expr(20min)", 1800.0),
    ]
    .map(|(predictor, start)| (predictor.to_owned(), start))
    .into_iter()
    .chain(module)
    {
        let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q", "--predictor", &predictor]);
        assert_eq!(column(&answer, "start_in")[..2], [Some(start), Some(start + 600.0)], "{predictor}");
        assert_eq!(column(&answer, "start_as_requested_in")[0], Some(1800.0));
        let said = if predictor.starts_with("wasm") { predictor.replace(['(', ')'], "") } else { predictor };
        assert_eq!((&answer["predictor"], &answer["draws"]), (&said.into(), &1.into()));
    }
    let done = folder.run(&["when", "sacct.txt", "--procs", "4", "-q", "--predictor", "last2"]);
    assert!(done.succeeded().contains("run times predicted by last2; "), "{}", done.out);
    let refused = |args: &[&str], words: &str| {
        let done = folder.run(&[&["when", "sacct.txt", "--procs", "4", "-q"], args].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(words), "{args:?}: {}", done.err);
    };
    refused(&["--predictor", "last3"], "(did you mean `last2`?)");
    refused(&["--predictor", "expr(wait)"], "a prediction does not change as a job waits");
    refused(&["--predictor", "last2", "--draws", "50"], "cannot be used with");
}

#[test]
fn waiting_jobs_keep_the_wait_that_they_have() {
    // Job 5 comes at the export. By its expansion factor, (wait + request) / request, job 3 goes first at the end of job 1:
    // (40 + 10) / 10 against (45 + 30) / 30 and (30 + 60) / 60. If jobs waited from 09:00 on only, the order were the same as of
    // requests, so job 2 is made to have waited longest relative to its request.
    let folder = Folder::new();
    let rows = EXPORT.replace("|10|PENDING|4|", "|30|PENDING|4|").replace("|10|PENDING|2|", "|60|PENDING|4|");
    folder.write("sacct.txt", &rows.replace("|90|PENDING|2|", "|5|PENDING|4|"));
    let order = |order: &str| {
        let policy = format!("fcfs:order={order}");
        let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q", "--policy", &policy]);
        column(&answer, "start_in")
    };
    // At 09:30 waits are 50, 40 and 35 min, requests 30, 60 and 5 min: job 4, then job 2, then job 3.
    assert_eq!(order("expr(-wait/estimate)"), [Some(2100.0), Some(3900.0), Some(1800.0)]);
    // By waits alone the order is that of submissions.
    assert_eq!(order("expr(-wait)"), [Some(1800.0), Some(3600.0), Some(7200.0)]);
}

#[test]
fn a_log_is_asked_at_an_instant_and_judged_at_many() {
    let folder = Folder::with_log();
    let asked = ["week.swf", "-q", "--load", "500", "--state", "replay", "--draws", "40", "--calibrate", "6"];
    let one = folder.run(&[&["when"], &asked[..], &["--at", "5m", "--threads", "1"]].concat());
    let table = one.succeeded();
    assert!(table.contains("40 replays with drawn run times; calibrated at"), "{table}");
    let two = folder.run(&[&["when"], &asked[..], &["--at", "5m", "--threads", "2"]].concat());
    assert_eq!(table, two.succeeded());
    let judged = json(&folder, &[&asked[..], &["--evaluate", "10"]].concat());
    let value = |key: &str| judged[key].as_f64().unwrap();
    assert!(value("instants") >= 5.0, "{judged}");
    assert!(value("jobs") > 20.0 && (0.0..=1.0).contains(&value("coverage")), "{judged}");
    assert!(value("coverage") >= value("coverage_without_margins"), "{judged}");
    assert!(value("mean_length") > 0.0, "{judged}");
}

#[test]
fn a_foretold_start_is_explained() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let done = folder.run(&["when", "sacct.txt", "--procs", "4", "-q", "--explain", "id:3"]);
    let text = done.succeeded();
    assert!(text.starts_with("easy, if all jobs run as long as requested: job 3: 2 processors"), "{text}");
    assert!(text.contains("meanwhile job 1 held 4 processors"), "{text}");
    let done = folder.run(&["when", "sacct.txt", "--procs", "4", "-q", "--explain", "1"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("job 1 is not among the 3 jobs that wait at 2024-03-04 09:00"), "{}", done.err);
}

#[test]
fn some_jobs_may_be_asked_for() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q", "--job", "id:4", "--job", "2"]);
    assert_eq!(
        (answer["waiting"].as_u64(), column(&answer, "start_in")),
        (Some(3), vec![Some(1800.0), Some(2400.0)])
    );
    let done = folder.run(&["when", "sacct.txt", "--procs", "4", "-q", "--job", "1"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::with_log();
    let refused = |args: &[&str], code: i32, words: &str| {
        let done = folder.run(&[&["when", "week.swf", "-q"], args].concat());
        assert_eq!((done.code, done.out.as_str()), (code, ""), "{args:?}");
        assert!(done.err.contains(words), "{args:?}: {}", done.err);
    };
    refused(&["--at", "6h"], 3, "the log records no waits: --state replay takes the starts of a replay");
    refused(&["--state", "replay"], 2, "all jobs of the log have ended: say the instant with --at");
    refused(
        &["--state", "replay", "--at", "soon"],
        2,
        "--at soon: an instant is a time such as 20d, or a date",
    );
    refused(&["--state", "replay", "--at", "2024-01-01"], 2, "the log does not tell the time of its zero");
    refused(&["--level", "1"], 2, "it is a share between 0 and 1, such as 0.9");
}

#[test]
fn nobody_waits_is_an_answer_too() {
    let folder = Folder::new();
    folder.write("sacct.txt", &EXPORT.lines().take(2).collect::<Vec<_>>().join("\n"));
    let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q"]);
    assert_eq!((answer["running"].as_u64(), answer["jobs"].as_array().unwrap().len()), (Some(1), 0));
}

#[test]
fn a_past_that_the_policy_does_not_explain_is_told_and_intervals_stay_within_what_it_shows() {
    use std::fmt::Write as _;
    // On each of 30 days a job of one processor waited 10 h on an empty machine, and job 1 half an hour.
    let mut log = String::from(
        "JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList\n",
    );
    for day in 1..=30 {
        let at = |time: &str| format!("2024-01-{day:02}T{time}");
        let (submit, start, end) = (at("08:00:00"), at("18:00:00"), at("18:10:00"));
        writeln!(log, "{}|bob|{submit}|{start}|{end}|600|60|COMPLETED|1|1|n1", 100 + day).unwrap();
    }
    log += "1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|1800|60|RUNNING|4|4|n1\n\
            2|ann|2024-03-04T08:40:00|Unknown|Unknown|0|10|PENDING|4|0|None assigned\n";
    let folder = Folder::new();
    folder.write("sacct.txt", &log);
    let asked = ["sacct.txt", "--procs", "4", "--predictor", "none"];
    let done = folder.run(&[&["when"], &asked[..]].concat());
    done.succeeded();
    assert!(done.err.contains("warning[when-past-disagrees]: 31 jobs of the past"), "{}", done.err);
    assert!(done.err.contains("was to start within 0 s and started after 36,000 s"), "{}", done.err);
    // Job 1 ends in 1,800 s. Starts of the past lay 36,000 s behind their forecast, which was at once: 600 times its scale of a minute.
    // Of job 2 the scale is 3,660 s, but no start lay farther behind than 36,000 s.
    let answer = json(&folder, &[&asked[..], &["-q"]].concat());
    assert_eq!(column(&answer, "start_in"), [Some(1800.0)]);
    assert_eq!(column(&answer, "latest_in"), [Some(37800.0)]);
}

#[test]
fn the_number_of_replays_is_bounded() {
    let folder = Folder::with_log();
    let refused = |args: &[&str], words: &str| {
        let done = folder.run(&[&["when", "week.swf", "-q", "--state", "replay"], args].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(words), "{args:?}: {}", done.err);
    };
    refused(&["--evaluate", "100000000"], "100000000 is not in 1..=10000");
    refused(&["--at", "6h", "--calibrate", "100000000"], "100000000 is not in 0..=10000");
    refused(
        &["--evaluate", "10000", "--draws", "1000"],
        "--evaluate 10000 and --calibrate 40 with --draws 1000 ask for 10,040,000 replays, and at most 2,000,000 are made",
    );
    refused(
        &["--at", "6h", "--draws", "100000"],
        "--calibrate 40 with --draws 100000 ask for 4,100,000 replays",
    );
}

#[test]
fn an_interval_that_is_too_wide_to_use_says_why() {
    use std::fmt::Write as _;
    // Ann's jobs of an hour took a second or an hour, so job 2 waits for a second or an hour, more often the former.
    let mut log = String::from(
        "JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList\n",
    );
    for hour in 0..20 {
        let (end, run) = if hour % 3 == 0 { ("59:59", 3599) } else { ("00:01", 1) };
        let at = |time: &str| format!("2024-03-01T{hour:02}:{time}");
        let row = format!(
            "{}|ann|{}|{}|{}|{run}|60|COMPLETED|4|4|n1",
            100 + hour,
            at("00:00"),
            at("00:00"),
            at(end)
        );
        writeln!(log, "{row}").unwrap();
    }
    log += "1|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|Unknown|0|60|RUNNING|4|4|n1\n\
            2|ann|2024-03-04T08:00:00|Unknown|Unknown|0|10|PENDING|4|0|None assigned\n";
    let folder = Folder::new();
    folder.write("sacct.txt", &log);
    let asked = ["sacct.txt", "--procs", "4", "-q", "--calibrate", "0"];
    let answer = json(&folder, &asked);
    assert_eq!(answer["jobs"][0]["too_wide"], "run times", "{answer}");
    let table = folder.run(&[&["when"], &asked[..]].concat());
    assert!(table.succeeded().contains("run times"), "{}", table.out);
    // A run time that is certain leaves nothing to say.
    let certain = json(&folder, &[&asked[..], &["--predictor", "none"]].concat());
    assert!(certain["jobs"][0].get("too_wide").is_none(), "{certain}");
}

#[test]
fn one_job_that_waits_long_does_not_end_the_calibration() {
    use std::fmt::Write as _;
    // Each 10 min a job comes that runs on all processors for 10 min of its hour, once it has waited for 10 min. Something that the log
    // does not tell holds job 1, which has waited since the beginning.
    let mut log = String::from(
        "JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList\n\
         1|ann|2024-03-01T00:00:00|Unknown|Unknown|0|60|PENDING|4|0|None assigned\n",
    );
    let at = |minutes: i64| {
        format!("2024-03-{:02}T{:02}:{:02}:00", 1 + minutes / 1440, minutes / 60 % 24, minutes % 60)
    };
    for job in 0..100 {
        let (submit, start) = (at(10 * job + 1), 10 * job + 11);
        let (start, end) = (at(start), at(start + 10));
        writeln!(log, "{}|bob|{submit}|{start}|{end}|600|60|COMPLETED|4|4|n1", 100 + job).unwrap();
    }
    writeln!(log, "300|bob|{}|{}|Unknown|60|60|RUNNING|4|4|n1", at(1001), at(1011)).unwrap();
    writeln!(log, "301|bob|{}|Unknown|Unknown|0|60|PENDING|4|0|None assigned", at(1011)).unwrap();
    let folder = Folder::new();
    folder.write("sacct.txt", &log);
    let answer = json(&folder, &["sacct.txt", "--procs", "4", "-q"]);
    // Half of the past, each second of 50 submissions, though job 1 has waited since its beginning.
    assert_eq!(answer["calibrated_at"], 25, "{answer}");
    // Job 301 starts as the others did, after 9 min more; that job 1 goes first was foretold at each instant, and did not come true.
    let [earliest, latest] = ["earliest_in", "latest_in"].map(|key| column(&answer, key)[1].unwrap());
    assert!((earliest..=latest).contains(&540.0) && latest < 3600.0, "{answer}");
}
