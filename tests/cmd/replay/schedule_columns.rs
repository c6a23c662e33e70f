//! Tests of `--schedule-columns`: further columns of schedules.

use crate::cmd::Folder;

/// Four jobs on four processors. Job 2 was held for 50 s, so it enters the queue at 51 s; the user of job 4 is unknown.
const LOG: &str = "\
; MaxProcs: 4
; UnixStartTime: 0
; Resource: 1 eligible s scope=job
1 0 0 30 4 -1 -1 4 30 -1 1 1 1 1 1 -1 -1 -1 -1
2 1 79 40 4 -1 -1 4 45 -1 1 1 1 1 1 -1 -1 -1 50
3 2 28 50 2 -1 -1 2 50 -1 1 2 1 1 3 -1 -1 -1 0
4 60 60 10 4 -1 -1 4 10 -1 1 -1 1 1 1 -1 -1 -1 -1
";

fn replayed(options: &[&str]) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let command = ["replay", "a.swf", "--policy", "fcfs", "--schedule", "s.csv", "-q"];
    folder.run(&[&command, options].concat()).succeeded();
    let schedule = folder.read("s.csv");
    (folder, schedule)
}

#[test]
fn further_columns_follow_the_first_five_in_the_order_asked_for() {
    let columns = "bsld,user,queue,estimate,eligible,wait,response,class,bsld";
    let options =
        ["--schedule-columns", columns, "--classes", "wide=procs > 2", "--classes", "long=run > 35"];
    let (_, schedule) = replayed(&options);
    // FCFS: job 1 from 0 to 30, job 3 to 80, job 2 to 120, job 4 to 130. Bounded slowdowns: 30/30, 69/40, 78/50, 70/10.
    assert_eq!(
        schedule,
        "\
job_id,submit,start,end,procs,bsld,user,queue,estimate,eligible,wait,response,class
1,0,0,30,4,1,1,1,30,0,0,30,wide
2,1,80,120,4,1.725,1,1,45,51,29,69,wide+long
3,2,30,80,2,1.56,2,3,50,2,28,78,long
4,60,120,130,4,7,,1,10,60,60,70,wide
"
    );
}

#[test]
fn without_them_a_schedule_is_as_before_and_with_them_it_reads_alike() {
    let (folder, plain) = replayed(&[]);
    assert_eq!(plain.lines().next(), Some("job_id,submit,start,end,procs"));
    folder.write("plain.csv", &plain);
    let command = ["replay", "a.swf", "--policy", "fcfs", "--schedule", "more.csv", "-q"];
    folder.run(&[&command[..], &["--schedule-columns", "fate,nodes,group,slowdown"]].concat()).succeeded();
    let more = folder.read("more.csv");
    // On a pool there are no nodes.
    assert!(more.starts_with("job_id,submit,start,end,procs,fate,nodes,group,slowdown\n"), "{more}");
    assert!(more.contains("\n3,2,30,80,2,finished,,1,1.56\n"), "{more}");
    folder.run(&["diff", "a.swf", "plain.csv", "more.csv"]).succeeded();
    folder.run(&["verify", "a.swf", "more.csv"]).succeeded();
}

#[test]
fn processors_of_a_pool_are_the_lowest_that_are_free() {
    // On six processors: job 1 has 0 to 3 until 30 s, job 3 has 4 and 5 until 52 s, and job 2 those of job 1 until 91 s; job 4 takes
    // the two of job 3 and waits for no others.
    let log = LOG.replace("MaxProcs: 4", "MaxProcs: 6").replace("10 4 -1 -1 4 10", "10 2 -1 -1 2 10");
    let folder = Folder::new();
    folder.write("a.swf", &log);
    let command = ["replay", "a.swf", "--policy", "fcfs", "--schedule", "s.csv", "-q"];
    folder.run(&[&command[..], &["--schedule-columns", "processors"]].concat()).succeeded();
    assert_eq!(
        folder.read("s.csv"),
        "\
job_id,submit,start,end,procs,processors
1,0,0,30,4,0-3
2,1,51,91,4,0-3
3,2,2,52,2,4-5
4,60,60,70,2,4-5
"
    );
    // Three processors on each of two nodes: node 1 has those from 3 on. A job that shares time has none of its own.
    let of_nodes = ["--nodes", "2", "--schedule-columns", "processors"];
    folder.run(&[&command[..], &of_nodes].concat()).succeeded();
    assert_eq!(
        folder.read("s.csv"),
        "\
job_id,submit,start,end,procs,nodes,processors
1,0,0,30,4,0:3+1:1,0-3
2,1,51,91,4,0:3+1:1,0-3
3,2,2,52,2,1:2,4-5
4,60,60,70,2,1:2,4-5
"
    );
}

#[test]
fn columns_of_nodes_and_fates_stand_once() {
    let options =
        ["--nodes", "2", "--stop", "last:run >= 50", "--schedule-columns", "fate,wait,response,nodes"];
    let (_, schedule) = replayed(&options);
    // The replay stops at the end of job 3, the only one that runs for 50 s: jobs 2 and 4 have not started.
    assert_eq!(
        schedule,
        "\
job_id,submit,start,end,procs,nodes,fate,wait,response
1,0,0,30,4,0:2+1:2,finished,0,30
2,1,80,80,4,,unfinished,29,
3,2,30,80,2,0:2,finished,28,78
4,60,80,80,4,,unfinished,20,
"
    );
}

#[test]
fn an_unknown_column_names_the_nearest_and_all() {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let command =
        ["replay", "a.swf", "--policy", "fcfs", "--schedule", "s.csv", "--schedule-columns", "user,estimat"];
    let done = folder.run(&command);
    assert_eq!(done.code, 2);
    assert!(
        done.err
            .contains("unknown column `estimat` of schedules; did you mean estimate? known are user, group,"),
        "{}",
        done.err
    );
    let done = folder.run(&["replay", "a.swf", "--policy", "fcfs", "--schedule-columns", "user"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("--schedule-columns needs --schedule FILE.csv or --out DIR"), "{}", done.err);
    let listed = folder.run(&["list", "schedule-columns", "estimate"]);
    assert!(listed.succeeded().contains("estimate of the run time that policies see, in s"));
}
