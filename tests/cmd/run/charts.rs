//! Gantt charts of an experiment: notes on their windows before anything runs.

use super::*;

/// An experiment on `count` jobs of a minute each, one a minute, with a chart.
fn experiment(count: i64, chart: &str) -> Folder {
    let folder = Folder::new();
    let rows: Vec<(i64, i64, i64, i64, i64, i64)> =
        (0..count).map(|at| (at * 60, -1, 60, 1, 60, 1)).collect();
    folder.write("minutes.swf", &super::super::log(4, &rows));
    let text = format!(
        "[experiment]\nname = \"e\"\n[measure]\nmetrics = [\"mean_wait\"]\n[[workload]]\nname = \"minutes\"\n\
         trace = \"minutes.swf\"\n[[policy]]\nlabel = \"EASY\"\nspec = \"easy\"\n\
         [[plot]]\nname = \"chart\"\nkind = \"gantt\"\n{chart}\n"
    );
    folder.write("e.toml", &text);
    folder
}

#[test]
fn a_window_with_too_many_jobs_is_remarked_and_drawn_as_the_share_in_use() {
    let folder = experiment(6000, "");
    let told = folder.run(&["run", "e.toml", "--dry-run"]);
    // 6000 jobs in 100 hours are 5000 in 83 hours, 3.5 days.
    assert!(
        told.succeeded().contains(
            "plot `chart`: 6,000 jobs of `minutes` are submitted in its window, and rectangles are drawn for at most 5,000: \
             it will show the share of the machine in use; a window of about 3d (`from`, `to`) has as many"
        ),
        "{}",
        told.out
    );
    folder.run(&["run", "e.toml", "--out", "r", "-q"]).succeeded();
    assert!(
        folder.read("r/README.md").contains("EASY: 6000 jobs are too many for rectangles, 5000 are the most")
    );
    assert!(folder.read("r/plots/chart.svg").contains(">processors of the job</text>"));
}

#[test]
fn a_window_of_some_jobs_is_drawn_without_a_remark() {
    let folder = experiment(6000, "from = \"1h\"\nto = \"2h\"");
    assert!(!folder.run(&["run", "e.toml", "--dry-run"]).succeeded().contains("plot `chart`"));
    folder.run(&["run", "e.toml", "--out", "r", "-q"]).succeeded();
    // Jobs 61 to 120 begin in the second hour; the 60th ends as it begins.
    assert!(folder.read("r/README.md").contains("EASY: 60 jobs."));
    assert_eq!(folder.read("r/plots/chart.svg").matches("<title>job ").count(), 60);
}

#[test]
fn a_chart_shows_the_time_of_day_unless_a_load_factor_has_stretched_the_days() {
    let folder = experiment(300, "");
    let log = folder.read("minutes.swf");
    folder.write(
        "minutes.swf",
        &format!("; UnixStartTime: 843480000\n; TimeZoneString: Europe/Stockholm\n{log}"),
    );
    folder.run(&["run", "e.toml", "--out", "own", "-q"]).succeeded();
    let svg = folder.read("own/plots/chart.svg");
    assert!(svg.contains(">time of day from 23 Sep 1996, Europe/Stockholm</text>"), "{svg}");
    let text = folder.read("e.toml").replace("[[policy]]", "load = 0.5\n[[policy]]");
    folder.write("e.toml", &text);
    folder.run(&["run", "e.toml", "--out", "half", "-q"]).succeeded();
    let svg = folder.read("half/plots/chart.svg");
    assert!(svg.contains(">time since the first submission (h)</text>"), "{svg}");
}
