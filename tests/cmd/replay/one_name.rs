//! Tests on accounting logs of a site with one partition, one user and several accounts.

use crate::cmd::Folder;

/// Four jobs on a machine of four processors, in the columns of `sacct` 26.05 on a cluster with the partition
/// `batch`.
const SACCT: &str = "\
JobID|JobIDRaw|JobName|User|Group|UID|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|ReqCPUS|AllocCPUS|NNodes|ReqTRES|AllocTRES|NodeList|Cluster
2|2|job 1|bob|bob|1002|physics|batch|normal|2026-11-21T01:26:40|2026-11-21T01:26:40|2026-11-21T01:26:40|2026-11-21T01:27:40|60|2|COMPLETED|0:0|4|4|1|cpu=4,mem=800M,node=1|cpu=4,mem=800M,node=1|n9|virt
3|3|job 2|bob|bob|1002|physics|batch|normal|2026-11-21T01:26:41|2026-11-21T01:26:41|2026-11-21T01:27:40|2026-11-21T01:28:10|30|2|COMPLETED|0:0|4|4|1|cpu=4,mem=800M,node=1|cpu=4,mem=800M,node=1|n9|virt
4|4|job 3|bob|bob|1002|chem|batch|normal|2026-11-21T01:26:42|2026-11-21T01:26:42|2026-11-21T01:28:10|2026-11-21T01:28:40|30|2|COMPLETED|0:0|4|4|1|cpu=4,mem=800M,node=1|cpu=4,mem=800M,node=1|n9|virt
5|5|job 4|bob|bob|1002|industry|batch|normal|2026-11-21T01:26:43|2026-11-21T01:26:43|2026-11-21T01:28:40|2026-11-21T01:29:10|30|2|COMPLETED|0:0|4|4|1|cpu=4,mem=800M,node=1|cpu=4,mem=800M,node=1|n9|virt
";

const MACHINE: &str = "[[nodes]]\nprocs = 4\npartitions = [\"batch\"]\n\n[[nodes]]\ncount = 8\nprocs = 4\npartitions = [\"gpu\"]\n";

/// The log itself, and the output of `convert`.
fn logs() -> (Folder, [&'static str; 2]) {
    let folder = Folder::new();
    folder.write("sacct.txt", SACCT);
    folder.run(&["convert", "sacct.txt", "-o", "a.swf", "-q"]).succeeded();
    (folder, ["sacct.txt", "a.swf"])
}

/// Job and start of each job under a policy.
fn starts(folder: &Folder, log: &str, policy: &str, options: &[&str]) -> Vec<String> {
    let command = ["replay", log, "--policy", policy, "--schedule", "s.csv", "-q"];
    folder.run(&[&command, options].concat()).succeeded();
    let rows = folder.read("s.csv");
    let row = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        format!("{} {}", cells[0], cells[2])
    };
    rows.lines().skip(1).map(row).collect()
}

#[test]
fn a_single_user_has_a_fair_share_and_accounts_are_distinguished() {
    let (folder, logs) = logs();
    let in_turn = ["2 0", "3 60", "4 90", "5 120"];
    for log in logs {
        let of = |policy: &str| starts(&folder, log, policy, &["--procs", "4"]);
        // All usage is by one user: equal jobs run in turn, and backfilling changes nothing.
        assert_eq!(of("fcfs:order=fairshare"), in_turn, "{log}");
        assert_eq!(of("easy:order=fairshare"), in_turn, "{log}");
        // Accounts are numbered by first appearance: industry, the third, goes first, physics last.
        assert_eq!(of("fcfs:order=expr(-group)"), ["2 0", "3 120", "4 90", "5 60"], "{log}");
        assert_eq!(of("limits:policy=(easy:order=fairshare)"), in_turn, "{log}");
    }
}

#[test]
fn the_nodes_of_a_machine_file_take_the_only_partition_by_its_name() {
    let (folder, logs) = logs();
    // The jobs' partition has one of nine nodes.
    folder.write("machine.toml", MACHINE.split("\n\n").next().unwrap());
    for log in logs {
        let of = |policy: &str| starts(&folder, log, policy, &["--machine", "machine.toml"]);
        assert_eq!(of("easy"), ["2 0", "3 60", "4 90", "5 120"], "{log}");
        assert_eq!(of("easy:order=fairshare"), ["2 0", "3 60", "4 90", "5 120"], "{log}");
    }
    // The partition can also be given by number; nodes of another partition stay free.
    folder.write("numbers.toml", &MACHINE.replace("\"batch\"", "1").replace("\"gpu\"", "2"));
    for log in logs {
        let of = |policy: &str| starts(&folder, log, policy, &["--machine", "numbers.toml"]);
        assert_eq!(of("easy:order=fairshare"), ["2 0", "3 60", "4 90", "5 120"], "{log}");
    }
    // A name that the log does not have is refused, with a list of the log's names.
    folder.write("other.toml", MACHINE);
    let refused = folder.run(&["replay", "a.swf", "--policy", "easy", "--machine", "other.toml"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("the log's header has no partition `gpu`"), "{}", refused.err);
}

#[test]
fn output_about_such_a_log_has_its_names() {
    let (folder, logs) = logs();
    for log in logs {
        let said = folder.run(&["info", log]);
        let said = said.succeeded();
        assert!(said.contains("1 user, 3 groups") && said.contains("Partitions  1 batch: 4"), "{said}");
    }
    let swf = folder.read("a.swf");
    assert!(swf.contains("; Partition: 1 batch\n") && swf.contains("; Queue: 1 batch\n"), "{swf}");
    let classes =
        ["--classes", "chem=group = 2", "--classes", "here=partition = \"batch\"", "--metrics", "jobs"];
    let done = folder.run(
        &[&["replay", "a.swf", "--policy", "fcfs", "--procs", "4", "-q", "--format", "csv"], &classes[..]]
            .concat(),
    );
    let rows: Vec<String> =
        done.succeeded().lines().map(|row| row.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert!(
        rows.iter().any(|row| row == "chem,fcfs,1") && rows.iter().any(|row| row == "here,fcfs,4"),
        "{rows:?}"
    );
}
