//! What Slurm's accounting keeps of nodes and reservations: events and reservations of `sacctmgr`, given with `--slurm`.

use super::Folder;

/// Two nodes of 4 processors.
const CONF: &str = "\
SlurmVersion=24.05.1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=7-0
";

const COLUMNS: &str = "JobID|User|Account|QOS|Partition|Reservation|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|\
                       AllocCPUS|NNodes|ReqTRES|NodeList|SubmitLine\n";

/// What `scontrol` shows of a maintenance of both nodes, planned from 12:00 to 18:00.
const SHOWN: &str = "\
ReservationName=upgrade StartTime=2026-03-02T12:00:00 EndTime=2026-03-02T18:00:00 Duration=06:00:00
   Nodes=n[1-2] NodeCnt=2 CoreCnt=8 Features=(null) PartitionName=(null) Flags=MAINT,SPEC_NODES
   TRES=cpu=8
   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE
";

/// A job of 4 processors with a limit of an hour that runs for half an hour: number, submission, start, node.
fn job(id: u32, submit: &str, start: &str, node: &str) -> String {
    format!(
        "{id}|ann|lab|normal|main||2026-03-02T{submit}|2026-03-02T{start}|2026-03-02T23:00:00|1800|60|COMPLETED|4|4|1|\
         cpu=4,node=1|{node}|sbatch a.sh\n"
    )
}

fn folder(jobs: &[String]) -> Folder {
    let folder = Folder::new();
    folder.write("slurm.conf", CONF);
    folder.write("sacct.txt", &format!("{COLUMNS}{}", jobs.concat()));
    folder
}

/// Replays the log with a further file of the installation; returns job, start and node of each row, and what was printed.
fn replayed(folder: &Folder, files: &[(&str, &str)], options: &[&str]) -> (Vec<String>, String) {
    let mut args = vec!["replay", "sacct.txt", "--slurm", "slurm.conf", "--schedule", "s.csv"];
    for (name, text) in files {
        folder.write(name, text);
        args.extend(["--slurm", name]);
    }
    args.extend(options);
    let done = folder.run(&args);
    done.succeeded();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{} at {} on {}", cells[0], cells[2], cells[5])
    };
    (folder.read("s.csv").lines().skip(1).map(row).collect(), done.err)
}

/// Three jobs, for two of which there is room.
fn three() -> Folder {
    folder(&[
        job(1, "11:30:00", "11:30:01", "n1"),
        job(2, "11:45:00", "11:45:01", "n2"),
        job(3, "11:50:00", "12:00:01", "n1"),
    ])
}

#[test]
fn a_drained_node_runs_its_job_to_the_end_and_takes_no_other() {
    let heading =
        "NodeName|TimeStart|TimeEnd|State|Reason\n|2026-03-02T09:00:00|Unknown||Cluster Registered TRES\n";
    let event = |state: &str, end: &str| format!("{heading}n1|2026-03-02T11:40:00|{end}|{state}|disk\n");
    let rows = |text: &str| replayed(&three(), &[("events.txt", text)], &[]).0;
    assert_eq!(rows(heading), ["1 at 0.5 on 0:4", "2 at 900 on 1:4", "3 at 1800.5 on 0:4"]);
    // Job 3 waits for n2, though job 1 leaves n1 before.
    let drained = rows(&event("DRAIN", "2026-03-02T12:40:00"));
    assert_eq!(drained, ["1 at 0.5 on 0:4", "2 at 900 on 1:4", "3 at 2700 on 1:4"]);
    assert_eq!(rows(&event("DRAIN", "Unknown")), drained, "still out");
    // The default form of sacctmgr, without -P.
    let fixed = "\
   Cluster        NodeName           TimeStart             TimeEnd  State                         Reason       User 
---------- --------------- ------------------- ------------------- ------ ------------------------------ ---------- 
         c                 2026-03-02T09:00:00             Unknown        Cluster Registered TRES                   
         c n1              2026-03-02T11:40:00             Unknown  DRAIN                           disk       root 
";
    assert_eq!(rows(fixed), drained);
}

#[test]
fn a_node_that_is_down_loses_its_job() {
    let text =
        "NodeName|TimeStart|TimeEnd|State|Reason\nn1|2026-03-02T11:40:00|2026-03-02T12:40:00|DOWN*|psu\n";
    // Job 1 loses its node at 600 s. It may start again 121 s later, on n2; n1 is back at 4200 s.
    let (rows, said) = replayed(&three(), &[("events.txt", text)], &[]);
    assert_eq!(rows, ["1 at 721 on 1:4", "2 at 2521 on 1:4", "3 at 4200 on 0:4"], "{said}");
    // As a calendar, the same.
    let folder = three();
    folder.write("failures.txt", text);
    let (given, _) = replayed(&folder, &[], &["--calendar", "failures.txt"]);
    assert_eq!(given, rows);
}

#[test]
fn events_and_a_calendar_both_count() {
    let folder = three();
    folder.write("more.toml", "[[event]]\nkind = \"drain\"\nfrom = \"2026-03-02 11:40\"\nto = \"2026-03-02 13:00\"\nnodes = \"1\"\n");
    let event =
        "NodeName|TimeStart|TimeEnd|State|Reason\nn1|2026-03-02T11:40:00|2026-03-02T12:40:00|DRAIN|disk\n";
    let (rows, _) = replayed(&folder, &[("events.txt", event)], &["--calendar", "more.toml"]);
    // n1 comes back after 70 minutes, n2 after 90.
    assert_eq!(rows[1], "2 at 4200 on 0:4");
}

#[test]
fn a_reservation_has_the_times_that_it_came_to_have() {
    let one = folder(&[job(1, "11:30:00", "13:00:01", "n1")]);
    let starts = |files: &[(&str, &str)]| replayed(&one, files, &[]).0[0].clone();
    let shown = ("resv.txt", SHOWN);
    assert_eq!(starts(&[shown]), "1 at 23400 on 0:4");
    // It ended at 13:00.
    let early = "Cluster|Name|TRES|TimeStart|TimeEnd|UnusedWall\n\
                 c|upgrade|cpu=8|2026-03-02T12:00:00|2026-03-02T13:00:00|0.000000\n";
    assert_eq!(starts(&[shown, ("history.txt", early)]), "1 at 5400 on 0:4");
    // From 12:30 on it held n1 only; scontrol shows it no more.
    let smaller = "Cluster|Name|TRES|TimeStart|TimeEnd|NodeName|Flags\n\
                   c|upgrade|cpu=8|2026-03-02T12:00:00|2026-03-02T12:30:00|n[1-2]|MAINT,SPEC_NODES\n\
                   c|upgrade|cpu=4|2026-03-02T12:30:00|2026-03-02T14:00:00|n1|MAINT,SPEC_NODES\n";
    assert_eq!(starts(&[("history.txt", smaller)]), "1 at 3600 on 1:4");
    // In seconds since 1970.
    let unix =
        smaller.replace("2026-03-02T12:00:00", "1772452800").replace("2026-03-02T12:30:00", "1772454600");
    let unix = unix.replace("2026-03-02T14:00:00", "1772460000");
    assert_eq!(starts(&[("history.txt", &unix)]), "1 at 3600 on 1:4");
    // As the script of slurm-collect asks for it, from a database of two clusters: both nodes, then n1, then n2.
    let changed = "\
Cluster|Name|TRES|TimeStart|TimeEnd|UnusedWall|NodeName|Flags|ID|Assocs
c|upgrade|cpu=8|2026-03-02T12:00:00|2026-03-02T12:30:00|1800.000000|n[1-2]|MAINT,SPEC_NODES|7|
c|other|cpu=4|2026-03-02T12:10:00|2026-03-02T12:20:00|600.000000|n1|MAINT,OVERLAP,SPEC_NODES|8|
c|upgrade|cpu=4|2026-03-02T12:30:00|2026-03-02T13:00:00|1800.000000|n1|MAINT,SPEC_NODES|7|
c|upgrade|cpu=4|2026-03-02T13:00:00|2026-03-02T14:00:00|3600.000000|n2|MAINT,SPEC_NODES|7|
d|upgrade|cpu=8|2026-03-02T11:00:00|2026-03-03T12:00:00|9.000000|n[1-2]|MAINT,SPEC_NODES|3|
";
    let named = ("more.conf", "ClusterName=c\n");
    let (rows, said) = replayed(&one, &[named, ("history.txt", changed)], &[]);
    assert_eq!(rows, ["1 at 5400 on 0:4"], "{said}");
    assert!(said.contains("note[slurm-other-cluster]: 1 row of sacctmgr show reservation"), "{said}");
    assert!(said.contains("`upgrade` of `d`, and ClusterName=`c`"), "{said}");
    // A row without nodes says nothing of where it was.
    let (rows, said) = replayed(&one, &[("history.txt", early)], &[]);
    assert_eq!(rows, ["1 at 0.5 on 0:4"]);
    assert!(said.contains("slurm-reservation-nodes"), "{said}");
}

#[test]
fn a_reservation_is_known_after_the_last_job_that_runs_into_it() {
    // The limit of job 1 lies in the maintenance: it was made after 11:20.
    let folder = folder(&[job(1, "11:20:00", "11:20:00", "n1"), job(2, "11:30:00", "18:00:00", "n2")]);
    let (rows, said) = replayed(&folder, &[("resv.txt", SHOWN)], &[]);
    assert_eq!(rows, ["1 at 0.5 on 0:4", "2 at 24000 on 0:4"]);
    assert!(said.contains("slurm-reservation-announced"), "{said}");
    assert!(said.contains("known from 1 s of the log on"), "{said}");
}

#[test]
fn a_reservation_that_was_moved_and_removed_has_all_its_times_from_the_log_of_slurmctld() {
    // Job 1 started after the maintenance was moved, and job 2 when it was removed: without the log it is taken for as it is shown.
    let folder = folder(&[job(1, "11:30:00", "11:30:01", "n1"), job(2, "13:30:00", "14:30:01", "n1")]);
    let shown = ("resv.txt", SHOWN);
    assert_eq!(replayed(&folder, &[shown], &[]).0, ["1 at 0.5 on 0:4", "2 at 23400 on 0:4"]);
    let log = "\
[2026-03-02T11:10:00.253] sched: Created reservation=upgrade users=root nodes=n[1-2] cores=8 licenses=(null) tres=cpu=8 watts=42 start=2026-03-02T12:00:00 end=2026-03-02T18:00:00 MaxStartDelay=
[2026-03-02T11:20:00.001] sched: Updated reservation=upgrade users=root nodes=n[1-2] cores=8 licenses=(null) tres=cpu=8 watts=42 start=2026-03-02T14:00:00 end=2026-03-02T15:00:00 MaxStartDelay=
[2026-03-02T14:30:00.100] _slurm_rpc_delete_reservation complete for upgrade usec=185
";
    let (rows, said) = replayed(&folder, &[shown, ("changes.txt", log)], &[]);
    assert_eq!(rows, ["1 at 0.5 on 0:4", "2 at 10800 on 0:4"], "{said}");
    assert!(!said.contains("slurm-reservation-announced"), "{said}");
    // Removed before it began.
    let removed = log.replace("14:30:00.100", "13:00:00.100");
    let (rows, _) = replayed(&folder, &[shown, ("changes.txt", &removed)], &[]);
    assert_eq!(rows, ["1 at 0.5 on 0:4", "2 at 7200 on 0:4"]);
}

#[test]
fn a_node_drains_from_the_instant_at_which_its_state_was_set() {
    let event =
        "NodeName|TimeStart|TimeEnd|State|Reason\nn2|2026-03-02T11:48:00|2026-03-02T12:40:00|DRAIN|disk\n";
    // The accounting has it from the end of the last job on: job 2 starts before.
    let rows = |files: &[(&str, &str)]| replayed(&three(), files, &[]).0;
    assert_eq!(rows(&[("events.txt", event)])[1], "2 at 900 on 1:4");
    let log = "\
[2026-03-02T11:40:00.253] update_node: node n2 reason set to: disk
[2026-03-02T11:40:00.253] update_node: node n2 state set to DRAINING
[2026-03-02T12:40:00.248] update_node: node n2 state set to IDLE
";
    let drained = ["1 at 0.5 on 0:4", "2 at 1800.5 on 0:4", "3 at 3600.5 on 0:4"];
    assert_eq!(rows(&[("events.txt", event), ("changes.txt", log)]), drained);
    assert_eq!(rows(&[("changes.txt", log)]), drained, "the accounting had no row");
}

#[test]
fn a_planned_start_may_reach_into_a_maintenance_that_the_search_began_before() {
    // Job 2 needs both nodes for half an hour, and can have them when the limit of job 1 is over, at 11:40. At 11:06 nothing of
    // this half hour is reserved, so that slurmctld plans it for 11:40, though n2 is under maintenance from 12:00 on: job 3 does not
    // start on n2 before.
    let row = |id: u32, submit: &str, procs: i64, nodes: i64, minutes: i64| {
        format!(
            "{id}|ann|lab|normal|main||2026-03-02T{submit}|2026-03-02T13:00:00|2026-03-02T23:00:00|{}|{minutes}|COMPLETED|\
             {procs}|{procs}|{nodes}|cpu={procs},node={nodes}|n1|sbatch a.sh\n",
            60 * minutes
        )
    };
    let folder =
        folder(&[row(1, "11:00:00", 4, 1, 40), row(2, "11:05:00", 8, 2, 30), row(3, "11:06:00", 4, 1, 40)]);
    let of_one = SHOWN.replace("Nodes=n[1-2] NodeCnt=2 CoreCnt=8", "Nodes=n2 NodeCnt=1 CoreCnt=4");
    let (rows, said) = replayed(&folder, &[("resv.txt", &of_one)], &[]);
    assert_eq!(rows[2], "3 at 2400.5 on 0:4", "{rows:?} {said}");
}
