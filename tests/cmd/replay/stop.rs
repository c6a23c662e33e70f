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

const STOPPED: &str = "job_id,submit,start,end,procs,fate\n1,0,0,10,2,finished\n2,0,22,22,4,unfinished\n\
    3,2,2,22,2,finished\n4,3,10,22,2,unfinished\n5,200,,,1,unfinished\n";

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
fn classes_of_interactive_and_batch_jobs_are_measured_apart() {
    let folder = with(LOG);
    let options = ["--policy", "fcfs", "--classes", "interactive", "--metrics", "jobs,mean_response", "-q"];
    let page = replay(&folder, &[&options[..], &STOP].concat()).succeeded().to_owned();
    let table = "
class        policy     jobs       (s)
──────────────────────────────────────
interactive  first-fit     2        15
interactive  fcfs          2        69
interactive  log           2        15
batch        first-fit     0         -
batch        fcfs          1       110
batch        log           0         -
";
    assert!(page.contains(table), "{page}");
    let whole =
        replay(&folder, &["--classes", "interactive", "--interactive", "run < 50 and submit < 9", "-q"]);
    assert!(whole.succeeded().contains("interactive run < 50 and submit"), "{}", whole.out);
}

#[test]
fn the_schedule_of_a_stopped_replay_goes_to_verify_diff_and_explain() {
    let folder = with(LOG);
    let schedule = |policy, file, more: &[&str]| {
        let command = ["replay", "a.swf", "-q", "--metrics", "jobs", "--policy", policy, "--schedule", file];
        folder.run(&[&command, more].concat()).succeeded();
    };
    schedule("first-fit", "stopped.csv", &STOP);
    schedule("first-fit", "whole.csv", &[]);
    schedule("fcfs", "fcfs.csv", &STOP);
    assert_eq!(folder.read("stopped.csv"), STOPPED);

    // The part after the stop is cut off: both schedules are the same.
    for file in ["stopped.csv", "whole.csv"] {
        let verify = ["verify", "a.swf", file, "--format", "csv", "--metrics", "jobs,makespan", "--quiet"];
        let done = folder.run(&[&verify[..], &STOP].concat());
        assert!(done.succeeded().contains(&format!("\n{file},2,22,")), "{}", done.out);
    }
    let unstopped = folder.run(&["verify", "a.swf", "stopped.csv", "--quiet"]);
    assert_eq!(unstopped.code, 1);
    assert!(unstopped.err.contains("job 2 at 22 s: it starts and never ends"), "{}", unstopped.err);
    assert!(unstopped.err.contains("job 5 at 200 s: it is submitted and never starts"), "{}", unstopped.err);
    let late = STOPPED.replace("4,3,10,22,2,unfinished", "4,3,10,20,2,unfinished");
    folder.write("late.csv", &late);
    let done = folder.run(&[&["verify", "a.swf", "late.csv", "--quiet"], &STOP[..]].concat());
    assert!(done.err.contains("job 4 at 10 s: its end is 20 s, and the replay ends at 22 s"), "{}", done.err);

    let diff = |b: &str| folder.run(&[&["diff", "a.swf", "stopped.csv", b, "--quiet"], &STOP[..]].concat());
    assert_eq!(diff("whole.csv").succeeded(), "all 5 starts and ends agree\n");
    let differ = diff("fcfs.csv");
    assert_eq!(differ.code, 1);
    assert!(
        differ.out.starts_with("3 starts and 2 ends differ; the schedules part at 2 s\njob 3 "),
        "{}",
        differ.out
    );
    let explain = |job: &str, policy: &str| {
        let command = ["explain", "a.swf", job, "--policy", policy, "--quiet"];
        folder.run(&[&command, &STOP[..]].concat()).succeeded().to_owned()
    };
    let waiting = explain("2", "first-fit");
    assert!(waiting.contains("still waiting after 22 s, when the replay was stopped at 22 s\n"), "{waiting}");
    assert!(waiting.contains("\n22 s: too little was free for it\n"), "{waiting}");
    let later = explain("5", "first-fit");
    assert_eq!(
        later,
        "first-fit: job 5: 1 processor, estimate 5 s; submitted at 200 s, after the stop of the replay\n"
    );
    assert!(explain("4", "first-fit").contains("started at 10 s after a wait of 7 s"));
}

#[test]
fn a_whole_schedule_on_nodes_is_cut_off_with_its_places() {
    let folder = with(LOG);
    let nodes = ["--nodes", "2", "-q"];
    let replay = ["replay", "a.swf", "--policy", "first-fit", "--schedule", "whole.csv"];
    folder.run(&[&replay[..], &nodes].concat()).succeeded();
    assert!(folder.read("whole.csv").starts_with("job_id,submit,start,end,procs,nodes\n"));
    folder.run(&[&["verify", "a.swf", "whole.csv"], &nodes[..], &STOP].concat()).succeeded();
    let stopped = ["replay", "a.swf", "--policy", "first-fit", "--schedule", "stopped.csv"];
    folder.run(&[&stopped[..], &nodes, &STOP].concat()).succeeded();
    assert!(
        folder.read("stopped.csv").contains("\n2,0,22,22,4,,unfinished\n"),
        "{}",
        folder.read("stopped.csv")
    );
    folder.run(&[&["verify", "a.swf", "stopped.csv"], &nodes[..], &STOP].concat()).succeeded();
}

#[test]
fn rules_that_cannot_be_are_wrong_usage() {
    let folder = with(&LOG.replace(" -1 0 -1 -1 -1\n", " -1 2 -1 -1 -1\n"));
    let failed = |options: &[&str], words: &str| replay(&folder, options).failed(2, words);
    failed(
        &STOP,
        "none of the 5 jobs is interactive by the rule `queue = 0`; say which are with --interactive",
    );
    failed(&["--stop", "last:procs > 9"], "holds for none of the 5 jobs");
    failed(&["--stop", "soon"], "`soon` is not one of all, last-interactive, last:CONDITION");
    failed(&["--stop", "last:wait > 9"], "--stop last:\nwait > 9");
    failed(&["--interactive", "wait > 9"], "--interactive:\nwait > 9");
    failed(&["--interactive", "shortest:42"], "shortest:SHARE with a share of the jobs from 0 to 1");
    failed(&["--stop", "last:run < 50", "--bounds"], "--bounds holds for replays in which every job ends");
    replay(&folder, &[&STOP[..], &["--interactive", "queue = 2", "-q"]].concat()).succeeded();
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
