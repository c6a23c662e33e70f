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
