//! Tests of interactive jobs, and of replays that end with the last job of a class.

use serde_json::Value;

use super::{Folder, with};

/// Two interactive jobs (queue 0), 1 and 3, and three batch jobs on four processors; the log's own schedule
/// is that of first fit.
const LOG: &str = "; MaxProcs: 4\n\
    1 0 0 10 2 -1 -1 2 10 -1 1 1 1 -1 0 -1 -1 -1\n\
    2 0 70 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n\
    3 2 0 20 2 -1 -1 2 20 -1 1 1 1 -1 0 -1 -1 -1\n\
    4 3 7 60 2 -1 -1 2 60 -1 1 1 1 -1 1 -1 -1 -1\n\
    5 200 0 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1\n";

const STOP: [&str; 2] = ["--stop", "last-interactive"];

fn replay(folder: &Folder, options: &[&str]) -> super::super::Done {
    folder.run(&[&["replay", "a.swf", "--policy", "first-fit"], options].concat())
}

#[test]
fn the_biased_rule_and_the_fair_one_tell_what_they_are() {
    let folder = with(LOG);
    let options = ["--metrics", "jobs,mean_response,utilization,makespan", "--format", "csv", "-q"];
    let rows = |more: &[&str]| -> Vec<String> {
        let done = replay(&folder, &[&options[..], more].concat());
        done.succeeded().lines().skip(1).map(|row| row.split(",a.swf,").next().unwrap().into()).collect()
    };
    let digits = |rows: Vec<String>| -> Vec<String> {
        rows.into_iter()
            .map(|row| row.replace("0.9545454545454546", "21/22").replace("0.7134146341463414", "117/164"))
            .collect()
    };
    assert_eq!(digits(rows(&[])), ["first-fit,5,54.4,117/164,205", "log,5,54.4,117/164,205"]);
    assert_eq!(digits(rows(&STOP)), ["first-fit,2,15,21/22,22", "log,2,15,21/22,22"]);
    let done = replay(&folder, &STOP);
    let words = [
        "stop last-interactive;",
        "interactive queue = 0",
        "* first-fit: stopped at 22 s; 2 of 5 jobs had not ended, 1 of them not started: not measured; 1 job",
    ];
    for words in words {
        assert!(done.succeeded().contains(words), "`{words}` is not in:\n{}", done.out);
    }
    let words = ["note[replay-stopped]: 3 jobs", "Setia et al. 1999, section 4.2", "help: --stop all"];
    for words in words {
        assert!(done.err.contains(words), "`{words}` is not in:\n{}", done.err);
    }
    let fair = replay(&folder, &[]);
    assert!(
        !fair.succeeded().contains("interactive") && !fair.err.contains("replay-stopped"),
        "{}",
        fair.out
    );
}

#[test]
fn the_summary_says_when_the_replay_ends_and_which_jobs_are_interactive() {
    let folder = with(LOG);
    let done = replay(
        &folder,
        &["--stop", "last:run<15", "--interactive", "shortest:0.4", "--format", "json", "-q"],
    );
    let summary: Value = serde_json::from_str(done.succeeded()).unwrap();
    let conditions = &summary["provenance"]["conditions"];
    assert_eq!(
        (&conditions["stop"], &conditions["interactive"]),
        (&"last:run < 15".into(), &"shortest:0.4".into())
    );
    let steps = summary["provenance"]["steps"].as_array().unwrap();
    let step = |name: &str| steps.iter().find(|step| step["name"] == name).unwrap();
    assert_eq!(step("stop")["count"], 2);
    assert_eq!(step("interactive")["count"], 2);
}

#[test]
fn fair_starts_are_those_of_the_whole_log_whenever_the_replay_ends() {
    let folder = with(LOG);
    let unfairness = |more: &[&str]| {
        let options = ["--metrics", "unfairness_all_fcfs,share_hit_fcfs", "--format", "csv", "-q"];
        let done = replay(&folder, &[&options[..], more].concat());
        done.succeeded().lines().nth(1).unwrap().split(",a.swf,").next().unwrap().to_owned()
    };
    // Under FCFS the starts are 0, 10, 110, 110 and 200: first fit delays only job 2, by 60 s, and job 2 is
    // not measured.
    assert_eq!(unfairness(&[]), "first-fit,12,0.2");
    assert_eq!(unfairness(&STOP), "first-fit,0,0");
}
