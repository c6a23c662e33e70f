//! Cores with several threads: they are allocated as a whole (`select/cons_tres`).

use super::Folder;

/// Nodes of four cores with two threads each.
const CONF: &str = "\
SlurmVersion=24.05.1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=1-0
PartitionName=one Nodes=n1 MaxTime=1-0
";

const COLUMNS: &str = "JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|\
                       ReqTRES|AllocTRES|SubmitLine\n";

/// A job of an hour: its number, partition, minute of submission, processors asked for and allocated, and options.
fn job(number: usize, partition: &str, minute: usize, (asked, given): (i64, i64), line: &str) -> String {
    format!(
        "{number}|ann|lab|{partition}|normal|2026-03-02T10:{minute:02}:00|2026-03-02T11:00:00|2026-03-02T12:00:00|3600|120|\
         COMPLETED|{asked}|{given}|1|cpu={asked},mem=1000M,node=1|cpu={given},node=1|sbatch {line} a.sh\n"
    )
}

/// Replays jobs; returns the rows of the schedule, and what was printed.
fn replayed(conf: &str, jobs: &[String], options: &[&str]) -> (Vec<String>, String) {
    let folder = Folder::new();
    folder.write("slurm.conf", conf);
    folder.write("sacct.txt", &format!("{COLUMNS}{}", jobs.concat()));
    let replay = ["replay", "sacct.txt", "--slurm", "slurm.conf", "--schedule", "s.csv"];
    let done = folder.run(&[&replay[..], options].concat());
    done.succeeded();
    let size = if options.contains(&"--size") { options } else { &[] };
    let verify = ["verify", "sacct.txt", "s.csv", "--slurm", "slurm.conf"];
    folder.run(&[&verify[..], size].concat()).succeeded();
    (folder.read("s.csv").lines().skip(1).map(str::to_owned).collect(), done.err)
}

/// Returns a column of rows.
fn column(rows: &[String], at: usize) -> Vec<&str> {
    rows.iter().map(|row| row.split(',').nth(at).unwrap_or_default()).collect()
}

#[test]
fn a_job_of_one_processor_holds_a_core() {
    let jobs: Vec<String> = (0..5).map(|at| job(at + 1, "one", at, (1, 2), "-n1")).collect();
    let (rows, said) = replayed(CONF, &jobs, &[]);
    assert_eq!(column(&rows, 2), ["0.5", "60", "120", "180", "3600.5"], "four cores serve four jobs");
    assert_eq!(column(&rows, 4), ["2"; 5]);
    assert!(!said.contains("job-given-more"), "{said}");
    let cores = CONF.replace("Sockets=1", "CPUs=4 Sockets=1");
    let (rows, said) = replayed(&cores, &jobs, &[]);
    assert_eq!(column(&rows, 4), ["1"; 5], "CPUs counts cores");
    assert!(said.contains("job-given-more"), "{said}");
    // Other policies on the same nodes.
    let (rows, _) = replayed(CONF, &jobs, &["--policy", "easy"]);
    assert_eq!(column(&rows, 2), ["0", "60", "120", "180", "3600"]);
}

/// Returns the processors that jobs hold that ask for some on a line.
fn held(conf: &str, asked: &[(i64, i64, &str)], options: &[&str]) -> Vec<String> {
    let jobs = asked.iter().enumerate();
    let jobs: Vec<String> =
        jobs.map(|(at, (asked, given, line))| job(at + 1, "main", at, (*asked, *given), line)).collect();
    let (rows, _) = replayed(conf, &jobs, options);
    column(&rows, 4).into_iter().map(str::to_owned).collect()
}

/// Processors asked for and allocated, as real runs of 22.05 had them.
const LINES: [(i64, i64, &str); 11] = [
    (3, 4, "-n3"),
    (3, 6, "-n3 --hint=nomultithread"),
    (3, 6, "-n3 --threads-per-core=1"),
    (3, 6, "-n3 --ntasks-per-core=1"),
    (3, 4, "-c3"),
    (3, 4, "-n1 -c3 --ntasks-per-core=1"),
    (6, 6, "-n2 -c3"),
    (8, 8, "-n2 -c4"),
    (3, 6, "-N3 -n3"),
    (6, 8, "-N2 --ntasks-per-node=3"),
    (4, 8, "-n4 -B 1:4:1"),
];

#[test]
fn what_a_job_holds_follows_from_its_submit_line() {
    let given: Vec<String> = LINES.iter().map(|(_, given, _)| given.to_string()).collect();
    assert_eq!(held(CONF, &LINES, &[]), given);
    assert_eq!(held(CONF, &LINES, &["--size", "allocated"]), given, "whole cores are not rounded twice");
    assert_eq!(held(&CONF.replace("CR_Core", "CR_CPU"), &LINES, &[]), given, "no core serves two jobs");
    assert_eq!(held(&CONF.replace("CR_Core", "CR_Socket"), &LINES[..2], &[]), ["8", "8"]);
    let one_task = CONF.replace("CR_Core", "CR_Core,CR_ONE_TASK_PER_CORE");
    assert_eq!(held(&one_task, &LINES[..1], &[]), ["6"]);
    let linear = CONF.replace("select/cons_tres", "select/linear");
    assert_eq!(held(&linear, &LINES[..1], &[]), ["3"], "nodes are whole, and jobs are what they ask for");
}

#[test]
fn memory_for_each_processor_is_for_those_of_the_cores() {
    // A node has 4,000 MB: with 1,000 for each processor two jobs of a core run at a time, with 1,000 for the job four.
    let starts = |conf: &str, line: &str| {
        let conf = conf.replace("CR_Core", "CR_Core_Memory");
        let jobs: Vec<String> = (0..4).map(|at| job(at + 1, "one", at, (1, 2), line)).collect();
        let (rows, _) = replayed(&conf, &jobs, &[]);
        column(&rows, 2).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let (two, four) = (["0.5", "60", "3600.5", "3660"], ["0.5", "60", "120", "180"]);
    assert_eq!(starts(CONF, "--mem-per-cpu=1000"), two);
    assert_eq!(starts(CONF, "--mem=1000"), four);
    assert_eq!(starts(CONF, ""), four);
    assert_eq!(starts(&format!("DefMemPerCPU=1000\n{CONF}"), ""), two);
    assert_eq!(starts(&CONF.replace("Nodes=n1", "Nodes=n1 DefMemPerCPU=1000"), ""), two);
}

#[test]
fn more_memory_than_a_processor_may_have_takes_more_processors() {
    // `_valid_pn_min_mem`: 1,000 MB for a processor that may have 300 at most are the memory of four.
    let conf = CONF.replace("ThreadsPerCore=2", "ThreadsPerCore=1").replace("CR_Core", "CR_Core_Memory");
    let run = |conf: &str, given: i64, line: &str| {
        let jobs: Vec<String> = (0..3).map(|at| job(at + 1, "one", at, (1, given), line)).collect();
        let (rows, _) = replayed(conf, &jobs, &[]);
        [2, 4].map(|at| column(&rows, at).into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let bounded = format!("MaxMemPerCPU=300\n{conf}");
    let one_by_one = ["0.5", "3600.5", "7200.5"];
    assert_eq!(run(&bounded, 4, "--mem-per-cpu=1000"), [one_by_one, ["4"; 3]]);
    assert_eq!(run(&conf, 1, "--mem-per-cpu=1000"), [["0.5", "60", "120"], ["1"; 3]]);
    // A partition's bound counts before that of the whole: two processors for each job.
    let of_partition = bounded.replace("Nodes=n1", "Nodes=n1 MaxMemPerCPU=600");
    assert_eq!(run(&of_partition, 2, "--mem-per-cpu=1000"), [["0.5", "60", "3600.5"], ["2"; 3]]);
    assert_eq!(
        run(&bounded, 1, "--mem=1000")[1],
        ["1"; 3],
        "asked for by node: a finding tells that it is not followed"
    );
}

#[test]
fn a_job_that_no_node_holds_by_cores_is_dropped() {
    let jobs = [job(1, "one", 0, (5, 8), "-n5 --hint=nomultithread"), job(2, "one", 1, (8, 8), "-n8")];
    let (rows, said) = replayed(CONF, &jobs, &[]);
    assert_eq!(column(&rows, 0), ["2"]);
    assert!(said.contains("slurm-job-oversized"), "{said}");
}

#[test]
fn nodes_with_other_cores_in_a_partition_are_reported() {
    let conf = CONF
        .replace("Nodes=n[1-4]", "Nodes=n[1-4],m1")
        .replace("PartitionName=one", "NodeName=m1 CPUs=4\nPartitionName=one");
    let (rows, said) =
        replayed(&conf, &[job(1, "main", 0, (1, 2), "-n1"), job(2, "one", 1, (1, 2), "-n1")], &[]);
    assert_eq!(column(&rows, 4), ["1", "2"]);
    assert!(
        said.contains("slurm-cores-differ]: 1 partition")
            && said.contains("main: 1 processors on m1, 2 processors on n1"),
        "{said}"
    );
}

#[test]
fn with_cr_cpu_a_job_is_charged_for_what_it_asked_for() {
    // Ann ran three jobs of one processor, each with a core to itself, bob one of four on two cores. The user with less usage is first.
    let folder = Folder::new();
    let row = |id: i64, user: &str, submit: &str, cpus: i64| {
        format!(
            "{id}|{user}|{user}|main|normal|2026-03-02T{submit}|2026-03-02T10:00:01|2026-03-02T10:10:01|600|20|COMPLETED|{cpus}|\
             {cpus}|1|cpu={cpus},node=1||sbatch -n{cpus} a.sh\n"
        )
    };
    let mut log = COLUMNS.to_owned();
    for id in 1..4 {
        log += &row(id, "ann", "10:00:00", 1);
    }
    for (id, user, submit, cpus) in
        [(4, "bob", "10:00:00", 4), (6, "bob", "10:05:00", 16), (7, "ann", "10:05:00", 16)]
    {
        log += &row(id, user, submit, cpus);
    }
    folder.write("sacct.txt", &log);
    folder.write(
        "assoc.txt",
        "Cluster|Account|User|Share\nc|root||1\nc|ann||1\nc|ann|ann|1\nc|bob||1\nc|bob|bob|1\n",
    );
    let first = |parameters: &str| {
        let conf = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nPriorityType=priority/multifactor\n\
                    PriorityWeightFairshare=1000\nPriorityCalcPeriod=1\n\
                    NodeName=n1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2\nPartitionName=main Nodes=ALL Default=YES\n";
        folder.write("slurm.conf", &format!("SelectTypeParameters={parameters}\n{conf}"));
        let replay =
            ["replay", "sacct.txt", "--slurm", "slurm.conf", "--slurm", "assoc.txt", "--schedule", "s.csv"];
        folder.run(&replay).succeeded();
        let rows: Vec<String> = folder.read("s.csv").lines().skip(1).map(str::to_owned).collect();
        let mut last: Vec<(f64, String)> = rows[4..]
            .iter()
            .map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                (cells[2].parse().unwrap(), cells[0].to_owned())
            })
            .collect();
        last.sort_by(|one, other| one.0.total_cmp(&other.0));
        last[0].1.clone()
    };
    assert_eq!(first("CR_CPU"), "7", "3 processors of ann are less than 4 of bob");
    assert_eq!(first("CR_Core"), "6", "6 processors of ann are more than 4 of bob");
}
