//! What an experiment says of its logs: all that `replay` says.

use super::Folder;
use crate::cmd::log;

/// A log of 120 jobs that queue up on four processors, of which so many in a hundred have no request; and a damaged line.
fn text(without: usize) -> String {
    let row = |job: usize| {
        let at = job as i64;
        let request = if job % 100 < without { -1 } else { 900 };
        (at * 200, 0, 300 + at * at % 7 * 60, 1 + at % 4, request, 1)
    };
    log(4, &(0..120).map(row).collect::<Vec<_>>()) + "121 24000 -1 10 4\n"
}

fn experiment(further: &str) -> String {
    format!(
        "[experiment]\nname = \"logs\"\nbaseline = \"FCFS\"\n[measure]\nmetrics = [\"mean_wait\"]\n[[workload]]\n\
         name = \"SITE\"\ntrace = \"a.swf\"\n{further}\n[[policy]]\nlabel = \"FCFS\"\nspec = \"fcfs\"\n[[policy]]\n\
         label = \"EASY\"\nspec = \"easy\"\n"
    )
}

/// The codes of the findings that `replay` prints about the log.
fn codes(err: &str) -> Vec<String> {
    let line = |line: &str| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned());
    let pitfalls = ["machine-size", "saturated", "one-replay", "perfect-estimates"];
    err.lines()
        .filter(|line| ["note[", "warning[", "WARNING["].iter().any(|start| line.starts_with(start)))
        .filter_map(line)
        .filter(|code| !pitfalls.contains(&code.as_str()))
        .collect()
}

#[test]
fn what_replay_says_of_a_log_stands_in_findings_page_and_terminal() {
    let folder = Folder::new();
    folder.write("a.swf", &text(16));
    folder.write("e.toml", &experiment(""));
    let replayed = folder.run(&["replay", "a.swf", "--policy", "easy"]);
    let codes = codes(&replayed.err);
    assert!(codes.iter().any(|code| code == "trace-no-estimates"), "{}", replayed.err);
    assert!(codes.iter().any(|code| code == "swf-short-line"), "{}", replayed.err);
    let run = folder.run(&["run", "e.toml", "--out", "r"]);
    run.succeeded();
    for file in ["r/findings.txt", "r/findings.json", "r/README.md"] {
        let found = folder.read(file);
        for code in &codes {
            let is_told = found.contains(&format!("[{code}]")) || found.contains(&format!("\\[{code}\\]"));
            assert!(is_told, "{code} is not in {file}:\n{found}");
        }
    }
    let words = "  SITE: 33 jobs without a requested time (field 9): their run time is the estimate: a scheduler sees them \
                 clairvoyantly";
    assert!(folder.read("r/findings.txt").contains(words), "{}", folder.read("r/findings.txt"));
    assert!(
        run.err.contains("warning[log-warnings]: warnings about the log\n") && run.err.contains(words),
        "{}",
        run.err
    );
    // The row of the log, without the folder in which it lies.
    assert!(
        folder.read("r/findings.txt").contains("(first at a.swf:122"),
        "{}",
        folder.read("r/findings.txt")
    );
    folder.run(&["report", "r", "-o", "page.html"]).succeeded();
    assert!(folder.read("page.html").contains("33 jobs without a requested time"));
}

/// Where no job has a request, requested and actual estimates are one: a finding says so, and the verdict counts one point.
#[test]
fn a_sweep_over_estimates_of_a_log_without_requests_is_one_result() {
    let folder = Folder::new();
    folder.write("a.swf", &text(100));
    let sweep = "estimate = \"{estimate}\"\n[sweep]\nestimate = [\"requested\", \"actual\", \"factor:5\"]";
    folder.write("e.toml", &experiment(sweep));
    folder.run(&["run", "e.toml", "--out", "r"]).succeeded();
    let findings = folder.read("r/findings.txt");
    let words = "warning[equal-points]: points of the sweep with the same results\n  SITE: estimate=actual has the results of \
                 estimate=requested, each value of each replay: 121 of 121 jobs have no request\n";
    assert!(findings.contains(words), "{findings}");
    let page = folder.read("r/README.md");
    assert!(page.contains(" at both points") && !page.contains(" 3 points"), "{page}");
}
