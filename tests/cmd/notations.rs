//! Lists of hosts with several brackets, in each file that a replay reads; all other cases are in `policies/slurm/tests`.

use super::Folder;

/// Returns the start of each job of a replay under `fcfs`.
fn starts(folder: &Folder, log: &str, options: &[&str]) -> Vec<String> {
    let replay = ["replay", log, "--policy", "fcfs", "--schedule", "s.csv", "-q"];
    folder.run(&[&replay[..], options].concat()).succeeded();
    let start = |line: &str| line.split(',').nth(2).unwrap_or_default().to_owned();
    folder.read("s.csv").lines().skip(1).map(start).collect()
}

#[test]
fn an_outage_of_nodes_with_two_numbers_takes_all_of_them() {
    let folder = Folder::new();
    let job = "100 4 -1 -1 4 100 -1 1 1 -1 -1 -1 -1 -1 -1\n";
    let header = "; UnixStartTime: 1767225600\n; TimeZoneString: UTC\n; MaxProcs: 4\n";
    folder.write("log.swf", &format!("{header}1 0 0 {job}2 10 0 {job}"));
    folder.write("m.toml", "[[nodes]]\ncount = 4\nprocs = 1\nnames = \"r[1-2]n[1-2]\"\n");
    folder.write(
        "slurm.conf",
        "NodeName=r[1-2]n[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE\n",
    );
    let event =
        "NodeName|TimeStart|TimeEnd|State\nr[1-2]n[1-2]|2026-01-01T00:00:00|2026-01-01T01:00:00|DOWN\n";
    folder.write("events.txt", event);
    for machine in [["--machine", "m.toml"], ["--slurm", "slurm.conf"]] {
        let options = [&machine[..], &["--calendar", "events.txt"]].concat();
        assert_eq!(starts(&folder, "log.swf", &options), ["3600", "3700"], "{machine:?}");
    }
}

#[test]
fn a_job_that_names_its_nodes_waits_for_them() {
    let folder = Folder::new();
    folder.write(
        "slurm.conf",
        "ClusterName=c\nNodeName=r[1-2]n[1-3] CPUs=1\nNodeName=z[1-2] CPUs=1\nPartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE\n",
    );
    let heading = "JobIDRaw|User|Submit|Start|End|TimelimitRaw|State|ReqNodes|NNodes|ReqCPUS|AllocCPUS|NodeList|SubmitLine";
    let day = "2026-01-01T";
    let log = |named: &str| {
        format!(
            "{heading}\n1|ann|{day}00:00:00|{day}00:00:00|{day}01:00:00|60|COMPLETED|6|6|6|6|r[1-2]n[1-3]|sbatch -N6 job.sh\n\
             3|ann|{day}00:00:10|{day}01:00:00|{day}02:00:00|60|COMPLETED|2|2|2|2|r[1-2]n[1]|sbatch -N2 -w {named} job.sh\n"
        )
    };
    for named in ["r[1-2]n[1]", "r1n1,r2n1"] {
        folder.write("log.txt", &log(named));
        let options = ["--slurm", "slurm.conf", "--zone", "UTC"];
        assert_eq!(starts(&folder, "log.txt", &options), ["0", "3600"], "{named}");
    }
    // All six nodes of a job of six are its constraint.
    folder.write("log.txt", &log("r[1-2]n[1]").replace("-N6", "-N6 -w r[1-2]n[1-3]"));
    let done = folder.run(&["convert", "log.txt", "-o", "out.swf", "--zone", "UTC"]);
    done.succeeded();
    assert!(!done.err.contains("slurm-partial-node-list"), "{}", done.err);
    assert!(folder.read("out.swf").contains("; Note: constraint 1: r[1-2]n[1-3]\n"));
}
