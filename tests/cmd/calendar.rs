//! `--calendar FILE`: events on the site's clock, findings, conditions, verification.

use super::Folder;

/// Three jobs on 8 processors; the log's zero is 2026-12-01 00:00 in Stockholm.
const LOG: &str = "\
; MaxProcs: 8
; UnixStartTime: 1796079600
; TimeZoneString: Europe/Stockholm
1 0 -1 7200 8 -1 -1 8 7200 -1 1 1 1 -1 -1 1 -1 -1
2 60 -1 3600 8 -1 -1 8 3600 -1 1 1 1 -1 -1 1 -1 -1
3 9000 -1 60 8 -1 -1 8 60 -1 1 1 1 -1 -1 1 -1 -1
";

fn starts(folder: &Folder, calendar: &str, options: &[&str]) -> String {
    folder.write("c.toml", calendar);
    let replay = ["replay", "log.swf", "--calendar", "c.toml", "--schedule", "s.csv", "-q"];
    let policy: &[&str] = if options.contains(&"--policy") { &[] } else { &["--policy", "easy"] };
    folder.run(&[&replay[..], policy, options].concat()).succeeded();
    let starts = |line: &str| -> String { line.split(',').nth(2).unwrap_or_default().into() };
    folder.read("s.csv").lines().skip(1).map(starts).collect::<Vec<_>>().join(" ")
}

#[test]
fn events_are_on_the_sites_clock_and_foresight_is_an_option() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    assert_eq!(starts(&folder, "", &[]), "0 7200 10800");
    let hour = "[[event]]\nkind = \"maintenance\"\nfrom = \"2026-12-01 01:00\"\nto = \"2026-12-01 02:00\"\n";
    // Job 1 would run into the maintenance; job 2 ends before it begins, if it starts at 0 only.
    assert_eq!(starts(&folder, hour, &[]), "7200 14400 18000");
    assert_eq!(starts(&folder, hour, &["--foresight", "none"]), "7200 14400 18000");
    let later = hour.replace("01:00", "02:30").replace("02:00", "03:00");
    assert_eq!(starts(&folder, &later, &[]), "0 10800 14400");
    assert_eq!(starts(&folder, &later, &["--foresight", "none"]), "0 10800 14400");
    let schedule = ["verify", "log.swf", "s.csv", "--calendar", "c.toml"];
    folder.run(&schedule).succeeded();
    folder.write("c.toml", "[[event]]\nkind = \"outage\"\nfrom = 100\nto = 200\nprocs = 1\n");
    assert_eq!(folder.run(&schedule).code, 1);
}

#[test]
fn calendars_that_contradict_the_machine_or_themselves_are_named_with_their_place() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let run = |calendar: &str, options: &[&str]| {
        folder.write("c.toml", calendar);
        folder.run(&[&["replay", "log.swf", "--policy", "easy", "--calendar", "c.toml"], options].concat())
    };
    let outage = |more: &str| format!("[[event]]\nkind = \"outage\"\nfrom = 100\n{more}");
    run(&outage("to = 50\n"), &["-q"]).failed(2, "c.toml:4:6: the event ends before it begins");
    run(&outage("nodes = 3\n"), &["-q"]).failed(2, "c.toml:4:9: the machine is a pool, which has no nodes");
    run(&outage("nodes = 3\n"), &["-q", "--nodes", "2"]).failed(2, "c.toml:4:9: node 3 does not exist");
    run(&outage("procs = 9\n"), &["-q"]).failed(2, "c.toml:4:9: the machine has 8 procs, and 9 cannot");
    run(&outage("to = 900\nevery = \"5m\"\n"), &["-q"])
        .failed(2, "c.toml:1:1: the event recurs before it is over");
    run(&outage("to = 100\n"), &["-q"]).failed(2, "c.toml:4:6: the event ends when it begins");
    run(&outage("every = \"5m\"\n"), &["-q"]).failed(2, "c.toml:1:1: the event recurs and has no `to`");
    run(&outage("to = 200\nevery = \"5m\"\nuntil = 50\n"), &["-q"])
        .failed(2, "c.toml:6:9: `until` is before the event first begins");
    let twice = format!("{}{}", outage("to = 900\nprocs = 5\n"), outage("to = 800\nprocs = 5\n"));
    let told = run(&twice, &[]);
    told.succeeded();
    assert!(told.err.contains("warning[calendar-overlap]: 1 closure of more than"), "{}", told.err);
    assert!(told.err.contains("c.toml:6:1: from 100 s"), "{}", told.err);
    assert!(told.out.contains("calendar c.toml"), "{}", told.out);
    // Job 2 waits at 100, when all goes out of service for good.
    folder.write("c.toml", &outage(""));
    let gone = folder.run(&["explain", "log.swf", "2", "--calendar", "c.toml", "-q"]);
    let words = "turned away at 100 s: too large for what the calendar leaves of the machine";
    assert!(gone.succeeded().contains(words), "{}", gone.out);
    // Job 2 has to leave at 8000 and does not come back; job 3 is submitted later.
    let lost = run(&outage("procs = 1\n").replace("100", "8000"), &[]);
    lost.succeeded();
    assert!(
        lost.err.contains("warning[job-beyond-calendar]: 1 job submitted when less is left"),
        "{}",
        lost.err
    );
}

#[test]
fn each_policy_declares_what_it_does_about_a_calendar() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    folder.write("c.toml", "[[event]]\nkind = \"outage\"\nfrom = 100\nto = 200\n");
    for (policy, words) in [
        ("easy", "plans around the changes of --calendar"),
        ("fcfs", "decides by what is in service"),
        ("gs", "takes no --calendar"),
        ("limits", "as the policy within"),
    ] {
        let told = folder.run(&["list", "policies", policy]);
        assert!(told.succeeded().contains(words), "{policy}: {}", told.out);
    }
    let gang = folder.run(&["replay", "log.swf", "--policy", "gs", "--calendar", "c.toml", "-q"]);
    gang.failed(3, "policy `gs` suspends or moves jobs");
}

/// Eight processors, of which four are kept for user 2 from 100 s to 300 s.
const KEPT: &str = "[[event]]\nkind = \"reservation\"\nfrom = 100\nto = 300\nprocs = 4\nuser = 2\n";

const TWO_USERS: &str = "\
; MaxProcs: 8
1 0 -1 80 8 -1 -1 8 80 -1 1 1 1 -1 -1 1 -1 -1
2 10 -1 200 8 -1 -1 8 200 -1 1 1 1 -1 -1 1 -1 -1
3 120 -1 150 4 -1 -1 4 150 -1 1 2 1 -1 -1 1 -1 -1
4 130 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 1 -1 -1
5 140 -1 50 4 -1 -1 4 200 -1 1 2 1 -1 -1 1 -1 -1
";

#[test]
fn a_reservation_is_for_jobs_of_its_class_that_end_in_time() {
    let folder = Folder::new();
    folder.write("log.swf", TWO_USERS);
    // Job 2 would run into the reservation, so it waits until 300. Job 3 starts in the reservation; job 4 fits beside it.
    // Job 5 would not end by 300, and elsewhere it would delay job 2.
    for policy in ["easy", "conservative"] {
        assert_eq!(starts(&folder, KEPT, &["--policy", policy]), "0 300 120 130 500", "{policy}");
        folder.run(&["verify", "log.swf", "s.csv", "--calendar", "c.toml"]).succeeded();
    }
    folder.write("s.csv", &folder.read("s.csv").replace("2,10,300,500,8", "2,10,100,300,8"));
    let done = folder.run(&["verify", "log.swf", "s.csv", "--calendar", "c.toml"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("job 2 at 100 s: it needs 8 procs, and 4 are free"), "{}", done.err);
}

#[test]
fn a_reservation_recurs_on_nodes_and_says_whom_it_is_for() {
    let folder = Folder::new();
    folder.write("log.swf", TWO_USERS);
    let nodes = KEPT.replace("procs = 4", "nodes = \"2-3\"\nevery = 1000");
    let done = starts(&folder, &nodes, &["--nodes", "4"]);
    assert_eq!(done, "0 300 120 130 500");
    assert!(folder.read("s.csv").contains("3,120,120,270,4,2:2+3:2"), "{}", folder.read("s.csv"));
    let run = |calendar: &str| {
        folder.write("c.toml", calendar);
        folder.run(&["replay", "log.swf", "--policy", "easy", "--calendar", "c.toml"])
    };
    run(&KEPT.replace("user = 2\n", ""))
        .failed(2, "c.toml:1:1: the reservation is for certain jobs: give partition");
    run(&KEPT.replace("user = 2", "user = \"*\"")).failed(2, "c.toml:6:8: a reservation is for certain jobs");
    run(&KEPT.replace("to = 300\n", "")).failed(2, "c.toml:1:1: the reservation has no `to`");
    run(&KEPT.replace("reservation", "drain")).failed(2, "c.toml:6:8: only a reservation is for some jobs");
    let idle = run(&KEPT.replace("user = 2", "user = 7"));
    assert!(
        idle.err.contains("note[reservation-idle]: 1 reservation for jobs of which the log has none"),
        "{}",
        idle.err
    );
}

#[test]
fn explain_says_that_a_job_started_in_a_reservation() {
    let folder = Folder::new();
    folder.write("log.swf", TWO_USERS);
    folder.write("c.toml", KEPT);
    let done = folder.run(&["explain", "log.swf", "3", "--policy", "easy", "--calendar", "c.toml"]);
    assert!(
        done.succeeded().contains("it fitted into the reservation that the calendar keeps"),
        "{}",
        done.out
    );
}

#[test]
fn jobs_in_a_reservation_take_nothing_from_the_room_outside() {
    let folder = Folder::new();
    folder.write("log.swf", TWO_USERS);
    for (machine, part) in [(&["--procs", "8"], "procs = 4"), (&["--nodes", "4"], "nodes = \"2-3\"")] {
        let calendar = KEPT.replace("procs = 4", part);
        assert_eq!(starts(&folder, &calendar, machine), "0 300 120 130 500");
        // Job 3 runs in the reservation; four processors are free beside it.
        let done = folder.run(&[&["explain", "log.swf", "4", "--calendar", "c.toml"], &machine[..]].concat());
        let found = "on arrival: 1 job running, 4 processors free, 1 job with 8 processors waiting";
        assert!(done.succeeded().contains(found), "{}", done.out);
        let schedule = folder.read("s.csv");
        for (own, other, told) in [
            (
                "4,130,130,230",
                "4,130,200,300",
                "1 job running, 4 processors free, 2 jobs waiting\nhead: job 4, 4",
            ),
            (
                "3,120,120,270",
                "3,120,300,450",
                "0 jobs running, 4 processors free, 2 jobs waiting\nhead: job 3, 4",
            ),
        ] {
            folder.write("b.csv", &schedule.replace(own, other));
            let options = ["diff", "log.swf", "s.csv", "b.csv", "--calendar", "c.toml"];
            let done = folder.run(&[&options[..], &machine[..]].concat());
            assert!(done.out.contains(told), "{}", done.out);
            let rule =
                if own.starts_with('4') { "\nrule: head: it is first" } else { "\nrule: kept: it fits into" };
            assert!(done.out.contains(rule), "{}", done.out);
        }
    }
}

#[test]
fn a_failure_log_is_a_calendar_and_what_it_lacks_is_counted() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let machine = "[[nodes]]\ncount = 2\nprocs = 4\nnames = \"n[1-2]\"\n";
    folder.write("m.toml", machine);
    // Node n2 is down from 00:10 to 03:00 of the site's clock: job 1 is requeued, and starts again then.
    let events = "NodeName|TimeStart|TimeEnd|State\n\
                  n2|2026-12-01T00:10:00|2026-12-01T03:00:00|DOWN\n\
                  n9|2026-12-01T00:10:00|2026-12-01T03:00:00|DOWN\n\
                  n1|2026-12-01T04:00:00|2026-12-01T03:00:00|DRAIN\n";
    folder.write("events.txt", events);
    let options = ["log.swf", "--machine", "m.toml", "--calendar", "events.txt"];
    let replay = ["--policy", "easy", "--schedule", "s.csv"];
    let done = folder.run(&[&["replay"], &options[..], &replay[..]].concat());
    done.succeeded();
    assert!(folder.read("s.csv").contains("\n1,0,10800,18000,8"), "{}", folder.read("s.csv"));
    assert!(done.err.contains("warning[outage-unknown-node]: 1 outage"), "{}", done.err);
    assert!(done.err.contains("events.txt:3: node `n9`"), "{}", done.err);
    assert!(done.err.contains("note[outage-without-length]: 1 outage"), "{}", done.err);
    folder.run(&[&["verify", "log.swf", "s.csv"], &options[1..]].concat()).succeeded();
    // The outages beside SWF: the machine is announced to be out of service from 7,000 s on.
    folder.write("outages.txt", "; announced start end type nodes which\n0 7000 8000 1 2 0-1\n");
    let options = ["log.swf", "--machine", "m.toml", "--calendar", "outages.txt", "-q"];
    folder.run(&[&["replay"], &options[..], &replay[..]].concat()).succeeded();
    assert!(folder.read("s.csv").contains("\n1,0,8000,15200,8"), "{}", folder.read("s.csv"));
    // Alea's: machine 1 of the cluster `skirit` fails from 7,000 s on, and the log's zero is in 2026.
    folder.write("m.toml", "[[nodes]]\ncount = 2\nprocs = 4\nfeatures = [\"skirit\"]\n");
    let failures = "1796086600\tskirit\t1000\t1\n1796086600\tskirit\t1000\t2\n1796086600\tnympha\t1000\n";
    folder.write("a.failures", failures);
    let options = ["log.swf", "--machine", "m.toml", "--calendar", "a.failures"];
    let done = folder.run(&[&["replay"], &options[..], &replay[..]].concat());
    done.succeeded();
    assert!(folder.read("s.csv").contains("\n1,0,8000,15200,8"), "{}", folder.read("s.csv"));
    assert!(done.err.contains("warning[outage-unknown-node]: 2 outages"), "{}", done.err);
    assert!(done.err.contains("a.failures:2: node 2 of `skirit`"), "{}", done.err);
    folder.run(&["replay", "log.swf", "--nodes", "2", "--policy", "easy", "--calendar", "a.failures"]).failed(
        2,
        "a.failures:3: the failures are of several clusters, such as `skirit` and `nympha`: give the nodes of each its name",
    );
    // A pool has no nodes that could be out of service.
    let done = folder.run(&["replay", "log.swf", "--policy", "easy", "--calendar", "outages.txt", "-q"]);
    done.failed(2, "outages.txt:2: the machine is a pool");
}
