//! `--stream` prints what a replay of the whole log prints.

use super::{Folder, four_jobs, with};

/// A log of the lublin model with 3,000 jobs.
fn generated() -> Folder {
    let folder = with(&four_jobs());
    let generate = [
        "generate", "lublin", "--jobs", "3000", "--procs", "64", "--set", "load=1.1", "--set", "users=9",
        "-o", "b.swf", "-q",
    ];
    folder.run(&generate).succeeded();
    folder
}

#[test]
fn a_log_may_come_from_standard_input_and_may_be_packed() {
    let folder = generated();
    let whole =
        folder.run(&["replay", "b.swf", "--policy", "easy", "-q", "--format", "csv"]).succeeded().to_owned();
    let log = folder.read("b.swf");
    let replay = ["replay", "-", "--policy", "easy", "-q", "--format", "csv", "--stream"];
    let piped = folder.run_with_input(&replay, log).succeeded().to_owned();
    assert_eq!(piped, whole.replace("b.swf", "-"));
    folder.run(&["convert", "b.swf", "-o", "c.swf.gz", "-q"]).succeeded();
    let packed = ["replay", "c.swf.gz", "--policy", "easy", "-q", "--format", "csv"];
    let whole = folder.run(&packed).succeeded().to_owned();
    assert_eq!(folder.run(&[&packed[..], &["--stream"]].concat()).succeeded(), whole);
}

#[test]
fn what_needs_the_whole_log_is_refused() {
    let folder = generated();
    let stream =
        |more: &[&str]| folder.run(&[&["replay", "b.swf", "--policy", "easy", "--stream"], more].concat());
    for option in [
        &["--bounds"][..],
        &["--clairvoyant"],
        &["--schedule", "s.csv"],
        &["--out", "s"],
        &["--format", "json"],
        &["--classes", "zhang"],
        &["--warmup", "1%"],
        &["--nodes", "4"],
        &["--load", "2"],
        &["--steps", "s.toml"],
        &["--rules", "sc15"],
        &["--stop", "last-interactive"],
        &["--estimate", "phi:.2"],
    ] {
        stream(option).failed(2, " needs the whole log at once: leave it or --stream out");
    }
    stream(&["--metrics", "mean_queue_length"])
        .failed(2, "mean_queue_length needs the whole schedule at once");
    stream(&["--policy", "gs"]).failed(2, "gs shares time, and --stream replays policies that do not");
    let unsized_log =
        folder.read("a.swf").lines().filter(|line| !line.contains("MaxProcs")).collect::<Vec<_>>().join("\n");
    folder.write("d.swf", &unsized_log);
    folder
        .run(&["replay", "d.swf", "--policy", "easy", "--stream"])
        .failed(2, "the header has no MaxProcs; give it with --procs");
    folder.run(&["replay", "d.swf", "--policy", "easy", "--stream", "--procs", "64", "-q"]).succeeded();
    let twice = ["replay", "-", "--policy", "easy", "--policy", "fcfs", "--stream"];
    folder.run(&twice).failed(2, "standard input can be read once");
    assert_eq!(folder.files(), ["a.swf", "b.swf", "d.swf"]);
}
