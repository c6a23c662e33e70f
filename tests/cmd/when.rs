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
