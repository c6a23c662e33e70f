//! `--calendar FILE`: events on the site's clock, findings, conditions, verification.

use super::Folder;

fn starts(folder: &Folder, calendar: &str, options: &[&str]) -> String {
    folder.write("c.toml", calendar);
    let replay = ["replay", "log.swf", "--calendar", "c.toml", "--schedule", "s.csv", "-q"];
    let policy: &[&str] = if options.contains(&"--policy") { &[] } else { &["--policy", "easy"] };
    folder.run(&[&replay[..], policy, options].concat()).succeeded();
    let starts = |line: &str| -> String { line.split(',').nth(2).unwrap_or_default().into() };
    folder.read("s.csv").lines().skip(1).map(starts).collect::<Vec<_>>().join(" ")
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
