//! `info` on logs of the Parallel Workloads Archive beside their headers and independent computations.

use std::path::Path;

use roxmltree::{Document, Node};
use serde_json::Value;

use crate::cmd::Folder;

/// Returns the output for a log in `../shared/traces`, or prints why it is skipped and returns `None` if it is not present.
fn info(name: &str) -> Option<Value> {
    let folder = Folder::new();
    let done = folder.run(&["info", &log(name)?, "-q", "--format", "json"]);
    let mut infos: Value = serde_json::from_str(done.succeeded()).unwrap();
    Some(infos[0].take())
}

fn log(name: &str) -> Option<String> {
    let path = format!("{}/../shared/traces/{name}.swf.gz", env!("CARGO_MANIFEST_DIR"));
    if Path::new(&path).exists() {
        return Some(path);
    }
    eprintln!("skipped: {name} is not in ../shared/traces");
    None
}

fn count(info: &Value, code: &str) -> u64 {
    let findings = info["findings"].as_array().unwrap();
    findings
        .iter()
        .find(|finding| finding["code"] == code)
        .map_or(0, |finding| finding["count"].as_u64().unwrap())
}

#[track_caller]
fn near(value: &Value, expected: f64, within: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= within, "{value} is not {expected}");
}

#[test]
fn kth_sp2_matches_its_header_and_an_independent_computation() {
    let Some(kth) = info("KTH-SP2-1996-2.1-cln") else { return };
    assert_eq!((kth["jobs"]["jobs"].as_u64(), kth["machine"]["procs"].as_i64()), (Some(28_476), Some(100)));
    assert_eq!(kth["jobs"]["users"], 214);
    assert_eq!(kth["period"]["zone"], "Europe/Stockholm");
    // Computed from the file independently, with awk.
    near(&kth["usage"]["utilization"], 0.701_057, 5e-7);
    near(&kth["replay"]["load"]["offered_load"], 0.699_238, 5e-7);
    near(&kth["arrivals"]["gaps"]["mean"], 1010.14, 0.005);
    near(&kth["arrivals"]["cv"], 3.297_92, 5e-6);
    near(&kth["arrivals"]["autocorrelation"], 0.137_808, 5e-7);
    near(&kth["estimates"]["accuracy"]["mean"], 0.471_784, 5e-7);
    near(&kth["estimates"]["exact"], 0.001_334_46, 5e-9);
    assert_eq!(kth["estimates"]["cover_90"], 41);
    // Users ask for round times and work during the day.
    near(&kth["estimates"]["most_used"][0]["seconds"], 4.0 * 3600.0, 0.0);
    assert!(kth["arrivals"]["cycle"]["hours"][14].as_u64() > kth["arrivals"]["cycle"]["hours"][4].as_u64());
    let total = |part: &str| -> u64 {
        kth["arrivals"]["cycle"][part].as_array().unwrap().iter().map(|jobs| jobs.as_u64().unwrap()).sum()
    };
    assert_eq!((total("hours"), total("days")), (28_476, 28_476));
    assert_eq!(
        (count(&kth, "log-overrun"), count(&kth, "log-zero-run"), count(&kth, "log-no-size")),
        (475, 8, 1)
    );
    assert_eq!(count(&kth, "header-max-jobs"), 1);
}

#[test]
fn nasa_ipsc_records_no_waits_and_only_powers_of_two() {
    let Some(nasa) = info("NASA-iPSC-1993-3.1-cln") else { return };
    // 42,264 jobs, of which the archive's filter removes 24,025.
    assert_eq!(nasa["jobs"]["jobs"], 42_264 - 24_025);
    assert_eq!(
        (&nasa["usage"], &nasa["estimates"], &nasa["times"]["wait"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    near(&nasa["sizes"]["powers_of_two"], 1.0, 0.0);
    for class in nasa["size_classes"].as_array().unwrap() {
        assert_eq!(class["jobs"], class["powers_of_two"]);
    }
}

#[test]
fn lanl_cm5_shares_processors_among_small_jobs() {
    let Some(lanl) = info("LANL-CM5-1994-4.1-cln") else { return };
    // 201,387 jobs, of which the archive's filters remove three flurries.
    assert_eq!(lanl["jobs"]["jobs"], 201_387 - 33_452 - 34_307 - 11_568);
    assert!(count(&lanl, "log-above-machine") > 0);
    assert!(lanl["usage"]["peak"].as_i64().unwrap() > 1024);
}

#[test]
fn logs_stand_side_by_side_as_in_table_1_of_a_paper() {
    let names = ["KTH-SP2-1996-2.1-cln", "LANL-CM5-1994-4.1-cln", "NASA-iPSC-1993-3.1-cln"];
    let Some(logs) = names.map(log).into_iter().collect::<Option<Vec<_>>>() else { return };
    let mut args =
        vec!["info", "-q", "--format", "csv", "--columns", "log,site,procs,jobs,users,start,end,months"];
    args.extend(logs.iter().map(String::as_str));
    let done = Folder::new().run(&args);
    let rows: Vec<Vec<&str>> = done.succeeded().lines().skip(1).map(|row| row.split(',').collect()).collect();
    let expected = [
        [
            "KTH-SP2",
            "Swedish Royal Institute of Technology (KTH)",
            "100",
            "28476",
            "214",
            "1996-09-30",
            "1997-08-29",
        ],
        ["LANL-CM5", "Los Alamos National Lab (LANL)", "1024", "122060", "213", "1994-10-04", "1996-09-24"],
        ["NASA-iPSC", "NASA Ames Research Center", "128", "18239", "69", "1993-10-01", "1993-12-31"],
    ];
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row[..7], expected);
    }
    let months: Vec<f64> = rows.iter().map(|row| row[7].parse().unwrap()).collect();
    assert_eq!(months.iter().map(|months| months.round()).collect::<Vec<_>>(), [11.0, 24.0, 3.0]);
}

#[test]
fn plots_of_real_logs_are_well_formed_and_small() {
    for name in ["KTH-SP2-1996-2.1-cln", "LANL-CM5-1994-4.1-cln", "RICC-2010-2"] {
        let Some(log) = log(name) else { return };
        let done = Folder::new().run(&["info", &log, "-q", "--plot", "-"]);
        let document = Document::parse(done.succeeded()).unwrap();
        // Patterns are definitions and are not drawn.
        let is_drawn = |node: &Node<'_, '_>| !node.ancestors().any(|above| above.has_tag_name("defs"));
        let drawn = || document.descendants().filter(is_drawn);
        let count = |tag: &str| drawn().filter(|node| node.has_tag_name(tag)).count();
        // The paths: two curves of load, three of times, two of gaps, two of users, the line of equality, and
        // that of all jobs.
        assert_eq!(count("path"), 11, "{name}");
        assert!(count("text") > 60 && done.out.len() < 100_000, "{name}: {} bytes", done.out.len());
    }
}
