//! Units that make a value as a mean, a geometric mean, or by their jobs.

use super::{Folder, lines};

/// Three jobs at the beginning of the first day and one at that of the second, each 60 s long on one processor: waits of
/// 0, 60 and 120 s in one window, and of 0 s in the other. The job of the third day fills no window.
fn two_days(tables: &str, metrics: &str) -> Folder {
    let folder = Folder::new();
    let job = |(at, submit): (usize, &u32)| {
        format!("{} {submit} -1 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n", at + 1)
    };
    let log: String = [0, 0, 0, 86_400, 172_800].iter().enumerate().map(job).collect();
    folder.write("days.swf", &format!("; MaxProcs: 1\n{log}"));
    folder.write(
        "pooled.toml",
        &format!(
            "[experiment]\nname = \"pooled\"\n[measure]\nmetrics = {metrics}\n[[workload]]\ntrace = \"days.swf\"\n\
             windows = \"1d\"\n[[policy]]\nspec = \"fcfs\"\n{tables}"
        ),
    );
    folder
}

const MEASURED: &str = "[\"mean_wait\", \"var_wait\", \"mean_response\", \"sd_response\", \"p95_wait\"]";

#[test]
fn jobs_weigh_units_and_deviate_from_the_mean_of_all() {
    let table = |name: &str, metrics: &str, rest: &str| {
        format!("[[table]]\nname = \"{name}\"\nmetrics = {metrics}\n{rest}\n")
    };
    let both = "[\"mean_wait\", \"var_wait\", \"mean_response\"]";
    let means = "[\"mean_wait\", \"mean_response\"]";
    let tables = [
        table("units", both, "cells = [\"value\"]"),
        table("jobs", both, "pool = \"jobs\""),
        table("deviations", means, "pool = \"jobs\"\ncells = [\"value\", \"sd\"]"),
        table("geometric", "[\"mean_response\"]", "pool = \"geometric\""),
    ];
    let folder = two_days(&tables.concat(), MEASURED);
    folder.run(&["run", "pooled.toml", "--out", "r", "-q"]).succeeded();
    let column = |table: &str, name: &str| -> Vec<f64> {
        let lines = lines(&folder, &format!("r/tables/{table}.csv"));
        lines
            .iter()
            .map(|line| line[name].parse::<f64>().unwrap())
            .map(|of| (of * 100.0).round() / 100.0)
            .collect()
    };
    // The mean of 60 and 0 s; one job has no variance; the mean of 120 and 60 s.
    assert_eq!(column("units", "value"), [30.0, 3600.0, 90.0]);
    // 180 s of four jobs. Squares of 45, 15, 75 and 45 s over three. Waits and 60 s more.
    assert_eq!(column("jobs", "value"), [45.0, 3300.0, 105.0]);
    assert_eq!(column("deviations", "sd"), [57.45, 57.45]);
    assert!(!folder.read("r/tables/jobs.md").contains("left out"), "the job of the second window counts");
    // The root of 120 · 60.
    assert_eq!(column("geometric", "value"), [84.85]);
    let page = folder.read("r/README.md");
    assert!(
        page.contains("values are over the jobs of all units, each job weighing alike, and have no interval"),
        "{page}"
    );
    assert!(page.contains(
        "values are geometric means over units; intervals at 95 % by Student t over units, on logarithms"
    ));
}

#[test]
fn what_cannot_be_pooled_is_refused_with_what_it_needs() {
    let refused = |metrics: &str, table: &str, why: &str| {
        let folder = two_days(&format!("[[table]]\nname = \"t\"\npool = \"jobs\"\n{table}\n"), metrics);
        folder.run(&["run", "pooled.toml", "--out", "r", "-q"]).failed(2, why);
    };
    refused(MEASURED, "metrics = [\"p95_wait\"]", "`p95_wait` is no mean, sd or var over jobs");
    refused(
        MEASURED,
        "metrics = [\"mean_wait\"]\ncells = [\"value\", \"interval\"]",
        "has no interval of its own",
    );
    refused(
        MEASURED,
        "metrics = [\"mean_wait\"]\ncells = [\"value\", \"range\"]",
        "there is no `range` over the jobs",
    );
    refused("[\"sd_wait\"]", "", "`sd_wait` over the jobs of all units needs the metric `mean_wait` too");
    refused("[\"mean_wait\"]", "cells = [\"value\", \"sd\"]", "needs the metric `var_wait` too");
    refused(
        MEASURED,
        "metrics = [\"var_wait\"]\ncells = [\"value\", \"sd\"]",
        "there is no `sd` of var_wait over jobs",
    );
    refused("[\"mean_slowdown\"]", "", "not every job has a slowdown");
    refused("[\"utilization\"]", "", "`utilization` is no mean, sd or var over jobs");
}
