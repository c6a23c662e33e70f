//! Tests of `--follow`: the table of a log that grows.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::cmd::Folder;

const HEADING: &str = "JobIDRaw|Submit|Start|End|State|ReqCPUS|AllocCPUS\n";

/// A job of 60 s that came and started in the given minute.
fn job(number: u32) -> String {
    let at = |second: u32| format!("2024-03-04T08:{number:02}:{second:02}");
    format!("{number}|{0}|{0}|{1}|COMPLETED|4|4\n", at(0), at(59))
}

/// A job that runs.
fn running(number: u32) -> String {
    format!("{number}|2024-03-04T08:{number:02}:00|2024-03-04T08:{number:02}:00|Unknown|RUNNING|4|4\n")
}

/// A replay that follows `log`.
struct Following {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Following {
    fn start(folder: &Folder) -> Following {
        let args = [
            "replay",
            "log",
            "--procs",
            "4",
            "--policy",
            "fcfs",
            "--metrics",
            "jobs",
            "--format",
            "csv",
            "-q",
        ];
        let mut child = Command::new(folder.command().get_program())
            .args(args)
            .args(["--follow", "--every", "1s"])
            .current_dir(folder.0.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Following { child, lines }
    }

    fn jobs(&mut self) -> u32 {
        let mut lines = self.lines.by_ref().map(Result::unwrap);
        let row = lines.find(|line| line.starts_with("fcfs,")).unwrap();
        row.split(',').nth(1).unwrap().parse().unwrap()
    }
}

fn append(folder: &Folder, text: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(folder.path("log")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn the_table_follows_a_log_that_is_appended_to_rotated_cut_short_and_written_anew() {
    let folder = Folder::new();
    folder.write("log", &format!("{HEADING}{}{}", job(1), &job(2)[..30]));
    let mut following = Following::start(&folder);
    assert_eq!(following.jobs(), 1, "the second line has no end");
    append(&folder, &job(2)[30..]);
    assert_eq!(following.jobs(), 2);
    std::fs::rename(folder.path("log"), folder.path("log.1")).unwrap();
    folder.write("log", &format!("{HEADING}{}", job(3)));
    assert_eq!(following.jobs(), 3, "the next file goes on");
    folder.write("log", &job(4));
    assert_eq!(following.jobs(), 4, "as after copytruncate");
    folder.write("log", &[HEADING, &job(4), &job(5), &job(6)].concat());
    assert_eq!(following.jobs(), 6, "job 4 is not there twice");
    following.child.kill().unwrap();
    following.child.wait().unwrap();
}

#[test]
fn a_log_without_a_job_is_waited_for_and_exports_may_overlap() {
    let folder = Folder::new();
    folder.write("log", "");
    let mut following = Following::start(&folder);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    append(&folder, HEADING);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    append(&folder, &running(1));
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(following.child.try_wait().unwrap(), None, "it waits");
    append(&folder, &[job(1), job(2), job(3)].concat());
    assert_eq!(following.jobs(), 3);
    std::fs::rename(folder.path("log"), folder.path("log.1")).unwrap();
    folder.write("log", &[HEADING, &job(3), &job(4)].concat());
    assert_eq!(following.jobs(), 4, "job 3 is there once, and jobs 1 and 2 stay");
    following.child.kill().unwrap();
    following.child.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_it_with_its_code() {
    let folder = Folder::new();
    folder.write("log", &format!("{HEADING}{}", job(1)));
    let mut following = Following::start(&folder);
    assert_eq!(following.jobs(), 1);
    crate::cmd::send(&following.child, "-TERM");
    assert_eq!(following.child.wait().unwrap().code(), Some(143));
}

#[test]
fn rounds_without_news_print_nothing() {
    let folder = Folder::new();
    folder.write("log", &format!("{HEADING}{}", job(1)));
    let replay = ["replay", "log", "--procs", "4", "--policy", "fcfs", "--follow", "--every", "1s"];
    let done = folder.run(&[&replay[..], &["--rounds", "2"]].concat());
    assert_eq!(done.succeeded().matches("Replay of log").count(), 1, "{}", done.out);
    let refused = |args: &[&str], words: &str| folder.run(args).failed(2, words);
    refused(&["replay", "-", "--policy", "fcfs", "--follow"], "--follow reads a file again and again");
    refused(&["replay", "log", "--policy", "fcfs", "--rounds", "2"], "--follow");
    refused(&[&replay[..], &["--stream"]].concat(), "cannot be used with");
    let absent = ["replay", "no.txt", "--policy", "fcfs", "--follow"];
    folder.run(&absent).failed(3, "no.txt");
    folder.run(&["convert", "log", "-o", "log.swf.gz"]).succeeded();
    folder.run(&["replay", "log.swf.gz", "--policy", "fcfs", "--follow"]).failed(3, "packed");
}
