//! Tests of `batchlab diff`: the first instant at which two schedules differ, and the rule that explains it.

use super::{Done, Folder, log};

/// A folder with the log and the schedules that two commands produce from it.
fn schedules(log: &str, a: &[&str], b: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", log);
    for (name, options) in [("a.csv", a), ("b.csv", b)] {
        folder
            .run(&[&["replay", "a.swf", "-q", "--schedule", name, "--policy"], options].concat())
            .succeeded();
    }
    folder
}

fn diff(folder: &Folder) -> Done {
    folder.run(&["diff", "a.swf", "a.csv", "b.csv"])
}

/// Asserts that two schedules differ because of `rule`, and that the output has these lines.
fn part(done: &Done, rule: &str, lines: &[&str]) {
    assert_eq!((done.code, done.err.as_str()), (1, "error: the schedules differ\n"));
    assert!(done.out.contains(&format!("\nrule: {rule}: ")), "{}", done.out);
    for line in lines {
        assert!(done.out.lines().any(|printed| printed == *line), "`{line}` is not in:\n{}", done.out);
    }
}

#[test]
fn extra_processors_that_are_not_used_and_a_head_that_waits_are_named() {
    let log = log(5, &[(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 200, 1, 200, 1)]);
    let folder = schedules(&log, &["easy"], &["fcfs"]);
    part(
        &diff(&folder),
        "extra",
        &["job 3 (1 processors, estimate 200 s): start 2 s in A, 100 s in B; end 202 s in A, 300 s in B"],
    );
    let late = folder.read("a.csv").replace("2,1,100,150", "2,1,101,151");
    folder.write("b.csv", &late);
    part(&diff(&folder), "head", &["1 start and 1 end differ; the schedules part at 100 s"]);
    folder.write("b.csv", &folder.read("a.csv").replace("2,1,100,150", "2,1,100,151"));
    part(&diff(&folder), "run time", &["0 starts and 1 end differ; the schedules part at 150 s"]);
}
