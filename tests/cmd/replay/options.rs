//! Tests that options for jobs, machine and events change the starts as they should.

use super::{Folder, four_jobs, log, metrics, near, same_instant_ends, starts, with};

#[test]
fn load_moves_submissions_together_and_scale_run_stretches_jobs() {
    let folder = with(&four_jobs());
    // Submissions at 0, 0.5, 1 and 100: at 100, job 2 occupies the machine, and job 4 waits.
    assert_eq!(starts(&folder, &["--load", "2"]), [0.0, 100.0, 1.0, 150.0]);
    let row = folder.read("easy.csv").lines().nth(2).unwrap().to_owned();
    assert_eq!(row, "2,0.5,100,150,4");
    // Job 2 starts when job 1 ends, at 200, and runs for 100 s.
    assert_eq!(starts(&folder, &["--scale-run", "2"]), [0.0, 200.0, 2.0, 300.0]);
    let note = folder.run(&["replay", "a.swf", "--policy", "easy", "-q", "--load", "2"]);
    assert!(note.succeeded().contains("offered load \u{d7} 2"), "{}", note.out);
    assert!(note.out.contains("no row for the log's own schedule"), "{}", note.out);
}

#[test]
fn estimates_decide_which_job_is_backfilled() {
    // Job 3 runs for 20 s and asks for 200 s: too long for the hole before job 2.
    let folder = with(&log(4, &[(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 20, 2, 200, 1)]));
    let by = |estimate: &str| starts(&folder, &["--estimate", estimate]);
    assert_eq!(by("requested"), [0.0, 100.0, 150.0]);
    assert_eq!(by("actual"), [0.0, 100.0, 2.0]);
    assert_eq!(by("factor:2"), [0.0, 100.0, 2.0]);
    assert_eq!(by("phi:0.999999999"), [0.0, 100.0, 2.0], "almost surely exact");
    let told = |options: &[&str]| {
        let done = folder.run(&[&["explain", "a.swf", "3", "--estimate"], options].concat());
        let words = done.succeeded().split("estimate ").nth(1).unwrap().to_owned();
        words.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert_eq!((told(&["requested"]), told(&["actual"]), told(&["factor:2"])), (200.0, 20.0, 40.0));
    let drawn: Vec<f64> = ["1", "2", "3", "4"].map(|seed| told(&["phi:0.2", "--seed", seed])).to_vec();
    assert!(drawn.iter().all(|&estimate| estimate >= 20.0), "{drawn:?}");
    assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]), "{drawn:?}");
    assert_eq!(told(&["phi:0.2", "--seed", "2"]), drawn[1]);
    // The three jobs use the two most frequent values: an hour, which is the smallest maximum, and another
    // round one.
    let told = told(&["tsafrir:1h"]);
    assert!((300.0..=3600.0).contains(&told) && told % 300.0 == 0.0, "{told}");
    let done = folder.run(&["replay", "a.swf", "--policy", "easy", "--estimate", "tsafrir"]);
    assert!(done.succeeded().contains("estimates tsafrir"), "{}", done.out);
    assert!(done.err.contains("the longest is 3600 s, the longest requested time"), "{}", done.err);
}

#[test]
fn events_of_one_instant_come_in_the_order_asked_for() {
    let folder = with(&same_instant_ends());
    let by = |order: &str| starts(&folder, &["--events", order]);
    assert_eq!(by("batch"), [0.0, 0.0, 100.0, 150.0]);
    assert_eq!(by("submit-first"), [0.0, 0.0, 140.0, 100.0]);
    assert_eq!(by("pyss"), by("submit-first"));
    assert_eq!(by("finish-first"), [0.0, 0.0, 140.0, 100.0]);
    assert_eq!(by("periodic:30"), [0.0, 0.0, 120.0, 180.0]);
    assert_eq!(by("periodic:1m"), [0.0, 0.0, 120.0, 180.0]);
}

/// Two jobs of two processors; each asks for 40 KB and uses 10 KB per processor.
fn with_memory() -> Folder {
    let row = |number| format!("{number} 0 -1 10 2 -1 10 2 10 40 1 1 1 -1 -1 -1 -1 -1\n");
    with(&format!("; MaxProcs: 4\n{}{}", row(1), row(2)))
}

#[test]
fn memory_is_held_when_the_machine_is_given_some() {
    let folder = with_memory();
    assert_eq!(starts(&folder, &[]), [0.0, 0.0]);
    for capacity in ["memory=159", "mem=100KB", "memory=0.1MB"] {
        assert_eq!(starts(&folder, &["--capacity", capacity]), [0.0, 10.0], "{capacity}");
    }
    for capacity in ["memory=160", "memory=1GB"] {
        assert_eq!(starts(&folder, &["--capacity", capacity]), [0.0, 0.0], "{capacity}");
    }
    assert_eq!(starts(&folder, &["--capacity", "memory=100", "--memory", "used"]), [0.0, 0.0]);
    let used = metrics(&folder, &["utilization_memory", "utilization"], &["--capacity", "memory=100"]);
    assert!(near(used[0], 0.8) && near(used[1], 0.5), "{used:?}");
}

#[test]
fn classes_are_presets_or_conditions() {
    let folder = Folder::with_log();
    let replay = |classes: &[&str]| {
        let classes = classes.iter().flat_map(|class| ["--classes", class]);
        let args = ["replay", "week.swf", "--policy", "easy", "--metrics", "jobs", "--format", "json", "-q"];
        folder.run(&args.into_iter().chain(classes).collect::<Vec<_>>())
    };
    let done = replay(&["narrow=procs <= 8", "wide = procs > 8"]);
    let json: serde_json::Value = serde_json::from_str(done.succeeded()).unwrap();
    let classes = json["results"][0]["classes"].as_array().unwrap();
    let jobs: Vec<f64> = classes.iter().map(|class| class["metrics"]["jobs"].as_f64().unwrap()).collect();
    assert_eq!((classes[0]["class"].as_str(), classes[1]["class"].as_str()), (Some("narrow"), Some("wide")));
    assert_eq!(jobs.iter().sum::<f64>(), json["results"][0]["metrics"]["jobs"].as_f64().unwrap());
    replay(&["wide=prcs > 8"]).failed(2, "--classes wide:\nprcs > 8\n^^^^\n");
    replay(&["procs > 8"])
        .failed(2, "unknown classes `procs > 8`; known are zhang, zhang-runtime, zhang-accuracy");
    replay(&["a=procs > 8", "a=procs > 9"]).failed(2, "--classes defines a twice");
}
