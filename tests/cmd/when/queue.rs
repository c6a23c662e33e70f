//! Forecasts of what waits in a queue that Slurm prints.

use super::*;

/// At 09:00 job 1 had run on node n1 for 30 min of its hour. Job 2 waited for a node, job 3 was held, job 4 waited for
/// job 2, and job 5 was an array of two tasks of 2 processors.
const QUEUE: &str = "\
JOBID|USER|STATE|REASON|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|DEPENDENCY|NODELIST|NAME|
1|ann|RUNNING|None|2024-03-04T08:00:00|2024-03-04T08:30:00|30:00|1:00:00|4|1|(null)|n1|a|b|
2|ann|PENDING|Priority|2024-03-04T08:40:00|2024-03-04T09:30:00|0:00|10:00|4|1|(null)||b|
3|bob|PENDING|JobHeldUser|2024-03-04T08:41:00|N/A|0:00|10:00|4|1|(null)||c\x1b[2J|
4|bob|PENDING|Dependency|2024-03-04T08:42:00|N/A|0:00|10:00|4|1|afterok:2(unfulfilled)||d|
5_[0-1]|bob|PENDING|Priority|2024-03-04T08:50:00|N/A|0:00|20:00|2|1|(null)||e|
";

/// Two nodes of 4 processors, of which the second is drained.
const TWO_NODES: &str = "[[nodes]]\ncount = 2\nprocs = 4\nnames = \"n[1-2]\"\n";
const SINFO: &str = "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nmain* up infinite 1 drain* n2\nmain* up infinite 1 alloc n1\n";

fn queue() -> Folder {
    let folder = Folder::new();
    folder.write("squeue.txt", QUEUE);
    folder.write("machine.toml", TWO_NODES);
    folder.write("sinfo.txt", SINFO);
    folder
}

#[test]
fn a_queue_of_slurm_is_foretold_but_for_jobs_that_are_held() {
    let folder = queue();
    let asked = ["squeue.txt", "--machine", "machine.toml"];
    let done = folder.run(&[&["when"], &asked[..]].concat());
    done.succeeded();
    for finding in [
        "note[when-held]: 1 job that is held: not foretold",
        "job 3: JobHeldUser",
        "note[slurm-bars-in-text]: 1 row",
    ] {
        assert!(done.err.contains(finding), "{finding}: {}", done.err);
    }
    assert!(!done.err.contains('\x1b') && !done.out.contains('\x1b'), "{}", done.err);
    let answer = json(&folder, &[&asked[..], &["-q"]].concat());
    assert_eq!((&answer["running"], &answer["waiting"]), (&1.into(), &4.into()));
    // n2 is free for job 2. The two tasks fit beside each other when it has ended, and job 4 comes behind them.
    assert_eq!(column(&answer, "start_in"), [Some(0.0), Some(1800.0), Some(600.0), Some(600.0)]);
    // On a machine without n2 they wait for job 1, and job 2 for 30 minutes, too.
    let answer = json(&folder, &[&asked[..], &["-q", "--sinfo", "sinfo.txt"]].concat());
    assert_eq!(column(&answer, "start_in"), [Some(1800.0), Some(3600.0), Some(2400.0), Some(2400.0)]);
    folder
        .run(&[&["when"], &asked[..], &["-q", "--job", "3"]].concat())
        .failed(3, "job 3 is not foretold: it waits for JobHeldUser");
}

/// At 09:00 job 1 had run on all of 4 processors for 30 min of its hour. Job 2 waits for it, job 3 for 09:50, and job 4 is an array of
/// three tasks, one at a time. The jobs before job 5 are unknown, job 6 is held, job 7 waits for job 6, and job 8 for a failure
/// that did not happen.
const NOT_ELIGIBLE: &str = "\
JOBID|USER|STATE|REASON|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|DEPENDENCY|NODELIST|NAME|
1|ann|RUNNING|None|2024-03-04T08:00:00|2024-03-04T08:30:00|30:00|1:00:00|4|1|(null)|n1|a|
2|bob|PENDING|Dependency|2024-03-04T08:41:00|N/A|0:00|10:00|4|1|afterany:1(unfulfilled)||b|
3|bob|PENDING|BeginTime|2024-03-04T08:42:00|2024-03-04T09:50:00|0:00|10:00|2|1|(null)||c|
4_[0-2%1]|bob|PENDING|JobArrayTaskLimit|2024-03-04T08:50:00|N/A|0:00|20:00|2|1|(null)||d|
5|bob|PENDING|Dependency|2024-03-04T08:51:00|N/A|0:00|10:00|4|1|afterok:77(unfulfilled)||e|
6|bob|PENDING|JobHeldUser|2024-03-04T08:52:00|N/A|0:00|10:00|4|1|(null)||f|
7|bob|PENDING|Dependency|2024-03-04T08:53:00|N/A|0:00|10:00|4|1|afterok:6(unfulfilled)||g|
8|bob|PENDING|DependencyNeverSatisfied|2024-03-04T08:54:00|N/A|0:00|10:00|4|1|afternotok:1(failed)||h|
";

#[test]
fn jobs_that_are_not_eligible_yet_come_when_the_queue_says() {
    let folder = Folder::new();
    folder.write("squeue.txt", NOT_ELIGIBLE);
    let asked = ["squeue.txt", "--procs", "4"];
    let answer = json(&folder, &[&asked[..], &["-q"]].concat());
    assert_eq!((&answer["running"], &answer["waiting"]), (&1.into(), &5.into()));
    let jobs = answer["jobs"].as_array().unwrap();
    let of = |job: &Value| (job["job"].as_i64().unwrap().min(9), job["start_in"].as_f64().unwrap());
    let mut starts: Vec<_> = jobs.iter().map(of).collect();
    starts.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    // Job 1 ends at 09:30: the first task, which has waited, starts. At its end the second one comes behind job 2, which needs all
    // processors, and starts beside job 3 when job 2 has ended; the third one starts at the end of the second.
    assert_eq!(starts, [(4, 1800.0), (2, 3000.0), (3, 3600.0), (9, 3600.0), (9, 4800.0)]);
    let done = folder.run(&[&["when"], &asked[..]].concat());
    for finding in ["note[when-held]: 1 job", "job 6: JobHeldUser", "note[when-not-eligible]: 3 jobs"] {
        assert!(done.err.contains(finding), "{finding}: {}", done.err);
    }
    for (job, why) in [
        ("5", "it waits for Dependency"),
        ("7", "it waits for job 6, which is not foretold"),
        ("8", "it waits for DependencyNeverSatisfied"),
    ] {
        let asked = [&["when"], &asked[..], &["-q", "--job", job]].concat();
        folder.run(&asked).failed(3, &format!("job {job} is not foretold: {why}"));
    }
    let explained = folder.run(&[&["when"], &asked[..], &["-q", "--explain", "2"]].concat());
    assert!(explained.succeeded().contains("job 2: 4 processors"), "{}", explained.out);
}

#[test]
fn accounting_as_a_queue_tells_where_jobs_run_and_what_their_arrays_are() {
    // Jobs 1 and 2 run on n2, until 09:30 and 09:10. Job 3 needs 8 processors of one node, which only n2 has. The tasks of job 4
    // fit on n1, one at a time.
    const SACCT: &str = "\
JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|ReqCPUS|AllocCPUS|NodeList|SubmitLine
1|1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|1800|60|RUNNING|1|4|4|n2|sbatch a
2|2|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|1800|40|RUNNING|1|4|4|n2|sbatch a
3|3|bob|2024-03-04T08:50:00|Unknown|Unknown|0|10|PENDING|1|8|0|None assigned|sbatch --cpus-per-task=8 a
4_[0-1%1]|4|bob|2024-03-04T08:51:00|Unknown|Unknown|0|20|PENDING|1|4|0|None assigned|sbatch --array=0-1%1 -c4 a
";
    let folder = Folder::new();
    folder.write("sacct.txt", SACCT);
    folder.write(
        "slurm.conf",
        "ClusterName=c\nSchedulerType=sched/backfill\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         NodeName=n1 CPUs=4\nNodeName=n2 CPUs=8\nPartitionName=main Nodes=ALL Default=YES\n",
    );
    let answer = json(&folder, &["sacct.txt", "--slurm", "slurm.conf", "--policy", "easy", "-q"]);
    assert_eq!(answer["waiting"], 3);
    assert_eq!(column(&answer, "start_in"), [Some(1800.0), Some(0.0), Some(1200.0)]);
}

#[test]
fn accounting_of_the_past_beside_a_queue_tells_how_long_jobs_run() {
    // Ann's jobs of an hour took half an hour and 40 min. Jobs that run according to the history are read from the queue.
    const HISTORY: &str = "\
JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|600|60|RUNNING|4|4|n1
7|eve|2024-03-04T08:10:00|Unknown|Unknown|0|60|PENDING|4|0|None assigned
8|ann|2024-03-04T07:00:00|2024-03-04T07:00:00|2024-03-04T07:40:00|2400|60|COMPLETED|1|1|n1
9|ann|2024-03-04T07:05:00|2024-03-04T07:05:00|2024-03-04T07:45:00|2400|60|COMPLETED|1|1|n1
";
    let folder = queue();
    folder.write("sacct.txt", HISTORY);
    let asked = ["squeue.txt", "--machine", "machine.toml", "--sinfo", "sinfo.txt", "--history", "sacct.txt"];
    let done = folder.run(&[&["when"], &asked[..], &["--predictor", "last2"]].concat());
    done.succeeded();
    assert!(done.err.contains("note[slurm-history-open]: 2 jobs of the history"), "{}", done.err);
    assert!(done.out.contains("1 running and 4 waiting jobs"), "{}", done.out);
    let answer = json(&folder, &[&asked[..], &["-q", "--predictor", "last2"]].concat());
    // Job 1 is expected to end at 09:10.
    assert_eq!(answer["jobs"][0]["start_in"], 600.0);
}

#[test]
fn what_is_no_queue_or_no_state_of_nodes_is_refused_with_a_remedy() {
    let folder = queue();
    let machine = ["--machine", "machine.toml", "-q"];
    let failed = |args: &[&str], code: i32, why: &str| {
        folder.run(&[&["when"], args, &machine[..]].concat()).failed(code, why);
    };
    folder.write(
        "fixed.txt",
        "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n1 main a ann PD 0:00 1 (Priority)\n",
    );
    failed(&["fixed.txt"], 3, "write it with squeue -a --json");
    folder.write("few.txt", "JOBID|USER|STATE\n1|ann|PENDING\n");
    failed(&["few.txt"], 3, "it has no column SUBMIT_TIME");
    folder.write("hello.txt", "hello\n");
    failed(&["squeue.txt", "--sinfo", "hello.txt"], 3, "hello.txt:1: no heading with NODELIST and STATE");
    failed(&["squeue.txt", "--history", "hello.txt"], 3, "write it with sacct -a -P -D");
    folder.write("week.swf", "1 0 0 10 1 -1 -1 1 10 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    failed(&["week.swf", "--at", "5", "--history", "squeue.txt"], 3, "leave --history out");
    folder.write("other.txt", "NODELIST STATE\nn7 down\n");
    let done = folder.run(&["when", "squeue.txt", "--machine", "machine.toml", "--sinfo", "other.txt"]);
    assert!(
        done.err.contains("warning[when-unknown-node]") && done.err.contains("other.txt:2: n7"),
        "{}",
        done.err
    );
    // A row that is cut off is left out, and so is the last line of a file that broke off.
    folder.write("cut.txt", &QUEUE[..QUEUE.len() - 20]);
    let done = folder.run(&["when", "cut.txt", "--machine", "machine.toml"]);
    assert!(done.err.contains("warning[slurm-short-row]: 1 row that breaks off"), "{}", done.err);
    assert!(done.succeeded().contains("1 running and 2 waiting jobs"), "{}", done.out);
}

/// The queue of a real cluster with four nodes, one drained and one draining, in each form that Slurm prints; the accounting
/// of the past beside it; and when the jobs really started, by their numbers, in seconds from the snapshot.
#[test]
fn a_real_queue_is_foretold_from_each_form_in_which_slurm_prints_it() {
    let path = |name: &str| format!("{}/tests/slurm/queue/{name}", env!("CARGO_MANIFEST_DIR"));
    // The snapshot is of 14:28:20. Job 31 is an array of six tasks.
    let started =
        [(27, 2), (28, 2), (29, 123), (30, 74), (31, 74), (35, 164), (36, 74), (37, 189), (38, 104)];
    let folder = Folder::new();
    let (history, sinfo, conf) = (path("sacct.txt.gz"), path("sinfo-nodes.txt"), path("slurm.conf"));
    for form in ["squeue.txt", "squeue.json.gz", "scontrol-job.txt.gz"] {
        let queue = path(form);
        let asked = [&*queue, "--history", &history, "--sinfo", &sinfo, "--slurm", &conf, "--draws", "50"];
        let done = folder.run(&[&["when"], &asked[..]].concat());
        done.succeeded();
        // The caption is broken into lines at other places for other folders.
        let told = format!("{}{}", done.err, done.out).split_whitespace().collect::<Vec<_>>().join(" ");
        for finding in ["note[when-held]: 1 job", "job 33: JobHeldUser", "(2 nodes out of"] {
            assert!(told.contains(finding), "{form}: {finding}: {told}");
        }
        let answer = json(&folder, &[&asked[..], &["-q"]].concat());
        assert_eq!((&answer["running"], &answer["waiting"]), (&2.into(), &16.into()), "{form}");
        let told = |number: i64| {
            let jobs = answer["jobs"].as_array().unwrap();
            jobs.iter().find(|job| job["job"] == number).unwrap().clone()
        };
        for (number, start) in started {
            let (job, start) = (told(number), f64::from(start));
            let of = |key: &str| job[key].as_f64().unwrap();
            // Both clocks show whole seconds, and Slurm looks at its queue every few seconds.
            let (earliest, as_requested) = (of("earliest_in") - 3.0, of("start_as_requested_in") + 3.0);
            assert!(earliest <= start && start <= as_requested, "{form}: {number}: {job}");
        }
        // For these there is room on n2 at once; the others wait for jobs that run on n1 and n3.
        for number in [27, 28] {
            assert!(told(number)["start_in"].as_f64().unwrap() <= 2.0, "{form}: {}", told(number));
        }
        let array: Vec<i64> = (39..44).filter(|&number| told(number)["procs"] == 2).collect();
        assert_eq!(array.len(), 5, "{form}: the other tasks of job 31");
        // Job 34 begins at 15:28:13. Job 32 needs 8 processors when job 27 has ended, which requested 3 min.
        let begin = told(34)["start_as_requested_in"].as_f64().unwrap();
        assert!((3592.0..=3593.0).contains(&begin), "{form}: {begin}");
        assert!(told(32)["start_as_requested_in"].as_f64().unwrap() >= 180.0, "{form}: {}", told(32));
        // If n4 were not drained, job 30 would start there.
        let all = [&*queue, "--history", &history, "--slurm", &conf, "--draws", "10", "-q", "--job", "30"];
        let soon = json(&folder, &all)["jobs"][0]["start_as_requested_in"].as_f64().unwrap();
        let late = told(30)["start_as_requested_in"].as_f64().unwrap();
        assert!(soon < 60.0 && late > 240.0, "{form}: {soon} {late}");
    }
}

/// Accounting of the same machine that was written at 09:20: job 1 ended and job 2 started after the queue was written, a task of
/// array 5 ran under a number of its own, and job 20 was submitted. Job 9 had ended before.
const LATER: &str = "\
JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
9|9|ann|2024-03-04T07:05:00|2024-03-04T07:05:00|2024-03-04T07:45:00|2400|60|COMPLETED|1|1|n1
1|1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|2024-03-04T09:10:00|2400|60|COMPLETED|4|4|n1
2|2|ann|2024-03-04T08:40:00|2024-03-04T09:05:00|Unknown|900|10|RUNNING|4|4|n2
5_0|10|bob|2024-03-04T08:50:00|2024-03-04T09:10:00|2024-03-04T09:12:00|120|20|COMPLETED|2|2|n1
5_1|5|bob|2024-03-04T08:50:00|Unknown|Unknown|0|20|PENDING|2|0|None assigned
20|20|eve|2024-03-04T09:05:00|Unknown|Unknown|0|20|PENDING|2|0|None assigned
";

#[test]
fn what_happened_after_the_queue_was_written_is_not_known_to_it() {
    let folder = queue();
    folder.write("later.txt", LATER);
    let earlier: Vec<&str> = LATER.lines().take(2).collect();
    folder.write("earlier.txt", &(earlier.join("\n") + "\n"));
    let asked = ["squeue.txt", "--machine", "machine.toml", "--predictor", "none", "--history"];
    let done = folder.run(&[&["when"], &asked[..], &["later.txt"]].concat());
    assert!(done.succeeded().contains("at 2024-03-04 09:00: 1 running and 4 waiting jobs"), "{}", done.out);
    for finding in
        ["warning[history-later]: 4 records of the history", "note[slurm-history-open]: 1 job of the history"]
    {
        assert!(done.err.contains(finding), "{finding}: {}", done.err);
    }
    let answer = |history: &str| json(&folder, &[&asked[..], &[history, "-q"]].concat());
    assert_eq!(answer("later.txt")["jobs"], answer("earlier.txt")["jobs"]);
    assert_eq!(names(&answer("later.txt")), ["2", "4", "5_0", "5_1"]);
    // What the controller knows is a history, too, and no second queue.
    folder.write(
        "controller.txt",
        "JobId=21 JobName=x\n   UserId=eve(7) GroupId=g(7)\n   JobState=PENDING Reason=None Dependency=(null)\n   \
         RunTime=00:00:00 TimeLimit=00:20:00\n   SubmitTime=2024-03-04T08:55:00 EligibleTime=2024-03-04T08:55:00\n   \
         StartTime=Unknown EndTime=Unknown\n   NodeList=(null)\n   NumNodes=1 NumCPUs=2\n",
    );
    let beside = answer("controller.txt");
    assert_eq!((&beside["running"], &beside["waiting"]), (&1.into(), &4.into()));
}

/// A queue as JSON at 100 s after 1,700,000,000: job 2 was submitted at 0 s and waits. Job 1 ran before, if it has a start.
fn json_queue(start: i64, further: &str) -> String {
    let zero = 1_700_000_000_i64;
    let job = |number: i64, state: &str, start: i64| {
        let nodes = if start > 0 { "n1" } else { "" };
        format!(
            r#"{{"job_id":{number},"job_state":"{state}","state_reason":"Priority","user_name":"ann","account":"lab","name":"a","partition":"main","submit_time":{zero},"eligible_time":{zero},"start_time":{start},"end_time":0,"time_limit":10,"cpus":4,"node_count":1,"nodes":"{nodes}","tres_req_str":"cpu=4,node=1","last_sched_evaluation":{}}}"#,
            zero + 40
        )
    };
    let running = if start > 0 { job(1, "RUNNING", zero + start) + "," } else { String::new() };
    format!("{{\"jobs\":[{running}{}]{further}}}", job(2, "PENDING", 0))
}

#[test]
fn a_queue_as_json_tells_when_it_was_written() {
    let folder = Folder::new();
    let told = |start: i64, further: &str| {
        folder.write("squeue.json", &json_queue(start, further));
        let answer = json(&folder, &["squeue.json", "--procs", "4", "-q"]);
        let job = &answer["jobs"][0];
        (answer["running"].as_i64(), job["waited"].as_f64(), job["start_as_requested_in"].as_f64())
    };
    let written = r#","last_update":{"set":true,"infinite":false,"number":1700000100}"#;
    // By the controller's own clock, else by when the scheduler last considered a job, else by what happened last.
    assert_eq!(told(0, written), (Some(0), Some(100.0), Some(0.0)));
    assert_eq!(told(0, ""), (Some(0), Some(40.0), Some(0.0)));
    assert_eq!(told(10, written), (Some(1), Some(100.0), Some(510.0)));
    assert_eq!(told(10, ""), (Some(1), Some(40.0), Some(570.0)));
    // A job that started within the last second runs.
    assert_eq!(told(60, ""), (Some(1), Some(60.0), Some(600.0)));
}

#[test]
fn a_job_for_which_too_little_is_in_service_is_named_and_the_others_are_foretold() {
    let folder = queue();
    // Job 6 needs both nodes, and job 7 waits for it.
    let more = "\
6|bob|PENDING|Resources|2024-03-04T08:51:00|N/A|0:00|10:00|8|2|(null)||f|
7|bob|PENDING|Dependency|2024-03-04T08:52:00|N/A|0:00|10:00|1|1|afterok:6(unfulfilled)||g|
";
    folder.write("squeue.txt", &(QUEUE.to_owned() + more));
    let asked = ["squeue.txt", "--machine", "machine.toml", "--sinfo", "sinfo.txt"];
    let done = folder.run(&[&["when"], &asked[..]].concat());
    assert!(done.succeeded().contains("1 running and 6 waiting jobs"), "{}", done.out);
    assert!(!done.out.contains("9,223,372"), "{}", done.out);
    assert!(done.err.contains("warning[when-never-starts]: 2 jobs that start in none"), "{}", done.err);
    let answer = json(&folder, &[&asked[..], &["-q"]].concat());
    let starts = [Some(1800.0), Some(3600.0), Some(2400.0), Some(2400.0), None, None];
    assert_eq!(column(&answer, "start_in"), starts);
    for key in ["earliest_in", "latest_in", "start_as_requested_in"] {
        assert_eq!(column(&answer, key)[4..], [None, None], "{key}");
    }
    let reason = |at: usize| answer["jobs"][at]["reason"].as_str();
    assert_eq!(reason(3), None);
    assert_eq!(
        reason(4),
        Some("too little is in service: it requests 8 processors, and 4 that it may use are in service")
    );
    assert_eq!(reason(5), Some("it waits for job 6, which does not start"));
    let explained = [&["when"], &asked[..], &["-q", "--explain", "6"]].concat();
    folder.run(&explained).failed(3, "job 6 is not foretold: it does not start");
    // With all nodes out of service none is foretold, and that is an answer.
    folder.write("down.txt", "NODELIST STATE\nn[1-2] down\n");
    let down = ["squeue.txt", "--machine", "machine.toml", "--sinfo", "down.txt", "-q"];
    assert_eq!(column(&json(&folder, &down), "start_in"), [None; 6]);
}

#[test]
fn each_task_of_an_array_and_each_component_of_a_heterogeneous_job_is_foretold_once() {
    // Two of six tasks may run: 5_0 runs and 5_1 has ended. Job 7 has two components.
    const TASKS: &str = "\
JOBID|USER|STATE|REASON|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|DEPENDENCY|NODELIST|NAME|
5_0|bob|RUNNING|None|2024-03-04T08:00:00|2024-03-04T08:30:00|30:00|1:00:00|1|1|(null)|n1|a|
5_[2-5%2]|bob|PENDING|JobArrayTaskLimit|2024-03-04T08:00:00|N/A|0:00|1:00:00|1|1|(null)||a|
7+0|ann|PENDING|Priority|2024-03-04T08:50:00|N/A|0:00|20:00|2|1|(null)||b|
7+1|ann|PENDING|Priority|2024-03-04T08:50:00|N/A|0:00|20:00|1|1|(null)||b|
";
    const PAST: &str = "\
JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
5_0|10|bob|2024-03-04T08:00:00|2024-03-04T08:30:00|Unknown|1800|60|RUNNING|1|1|n1
5_1|11|bob|2024-03-04T08:00:00|2024-03-04T08:30:00|2024-03-04T08:40:00|600|60|COMPLETED|1|1|n1
5_[2-5%2]|5|bob|2024-03-04T08:00:00|Unknown|Unknown|0|60|PENDING|1|0|None assigned
7+0|7|ann|2024-03-04T08:50:00|Unknown|Unknown|0|20|PENDING|2|0|None assigned
7+1|8|ann|2024-03-04T08:50:00|Unknown|Unknown|0|20|PENDING|1|0|None assigned
";
    let folder = Folder::new();
    folder.write("squeue.txt", TASKS);
    folder.write("sacct.txt", PAST);
    let answer = json(&folder, &["squeue.txt", "--procs", "8", "--history", "sacct.txt", "-q"]);
    assert_eq!((&answer["running"], &answer["waiting"]), (&1.into(), &6.into()));
    assert_eq!(names(&answer), ["5_2", "5_3", "5_4", "5_5", "7+0", "7+1"]);
}
