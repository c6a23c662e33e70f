//! Tests of `--slurm` and `batchlab slurm-check` on small installations and logs.

use serde_json::Value;

use super::Folder;

const CONF: &str = "\
SlurmVersion=22.05.8
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=2
PartitionName=low Nodes=ALL Default=YES
PartitionName=high Nodes=n1 PriorityTier=2 MaxTime=60
";

/// A log of partitions 1, `low`, and 2, `high`: submission, wait, run time and limit, processors, partition.
fn log(jobs: &[(i64, i64, i64, i64, i64, i64)]) -> String {
    let row = |(at, &(submit, wait, run, limit, procs, partition)): (
        usize,
        &(i64, i64, i64, i64, i64, i64),
    )| {
        let number = at + 1;
        format!(
            "{number} {submit} {wait} {run} {procs} -1 -1 {procs} {limit} -1 1 1 1 -1 {partition} {partition} -1 -1\n"
        )
    };
    let rows: String = jobs.iter().enumerate().map(row).collect();
    format!("; MaxProcs: 4\n; Queue: 1 low\n; Queue: 2 high\n; Partition: 1 low\n; Partition: 2 high\n{rows}")
}

/// Job 1 fills the machine until 100. Job 2 of `low` is before jobs 3 and 4 of `high`, whose tier is higher.
const JOBS: [(i64, i64, i64, i64, i64, i64); 4] =
    [(0, 0, 100, 120, 4, 1), (10, 190, 50, 60, 4, 1), (20, 80, 100, 120, 2, 2), (30, 170, 10, 60, 2, 2)];

fn folder(jobs: &[(i64, i64, i64, i64, i64, i64)]) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", &log(jobs));
    folder.write("slurm.conf", CONF);
    folder
}

#[test]
fn drawn_seconds_tell_how_far_chance_moves_the_waits() {
    let folder = folder(&[JOBS[0], (10, 200, 50, 60, 4, 1), JOBS[2], JOBS[3]]);
    let check = ["slurm-check", "a.swf", "--slurm", "slurm.conf", "-q", "--format", "json", "--draws"];
    let drawn = |draws: &str| -> Value {
        serde_json::from_str(folder.run(&[&check[..], &[draws]].concat()).succeeded()).unwrap()
    };
    let (some, again, none) = (drawn("8"), drawn("8"), drawn("0"));
    assert_eq!(some, again);
    assert_eq!((&some["draws"], &some["drawn_within_60s"]), (&8.into(), &1.0.into()));
    // Each start is up to 2 s late, and so are all behind it; the log itself has starts without delay. Runs are drawn up to a second
    // shorter or longer, so that one draw of eight has waits below the real ones.
    let (wait, spread) =
        (some["drawn_mean_wait"].as_f64().unwrap(), some["drawn_mean_wait_sd"].as_f64().unwrap());
    assert!((112.5..116.5).contains(&wait) && spread > 0.0, "{some}");
    assert_eq!(some["drawn_below_real"], 0.125);
    assert!(none.get("draws").is_none() && none["within_1s"] == some["within_1s"], "{none}");
}

#[test]
fn jobs_that_may_be_preempted_delay_no_reservation() {
    // Job 1 of `high` and job 2 of `low` hold a node each of three. Job 3 of `high` needs all nodes.
    let folder = folder(&[
        (0, 0, 100, 120, 1, 2),
        (0, 0, 600, 600, 1, 1),
        (5, 0, 50, 60, 3, 2),
        (10, 0, 170, 180, 1, 1),
        (10, 0, 50, 60, 1, 1),
    ]);
    let conf = CONF.replace("n[1-2] CPUs=2", "n[1-3] CPUs=1");
    let conf = conf.replace("Nodes=n1 PriorityTier=2", "Nodes=ALL PriorityTier=2 PreemptMode=OFF");
    folder.write("slurm.conf", &format!("PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n{conf}"));
    let replay = ["replay", "a.swf", "--slurm", "slurm.conf", "--slurm-delays", "react=0", "-q"];
    folder.run(&[&replay[..], &["--schedule", "s.csv"]].concat()).succeeded();
    let cells = |row: &str| row.split(',').skip(2).take(2).collect::<Vec<_>>().join("-");
    let runs = folder.read("s.csv").lines().skip(1).map(cells).collect::<Vec<_>>().join(" ");
    // Its reservation begins at 120, at the limit of job 1, whatever the limit of job 2 is: job 5 ends before it, job 4 would not.
    // When job 1 has ended, job 3 preempts job 2.
    assert_eq!(runs, "0-100 221-821 100-150 150-320 30-80");
}

#[test]
fn cut_off_files_are_errors_with_a_place() {
    let fails = |name: &str, text: &str, what: &str| {
        let folder = folder(&JOBS);
        folder.write(name, text);
        let mut args = vec!["replay", "a.swf", "--slurm", "slurm.conf"];
        if name != "slurm.conf" {
            args.extend(["--slurm", name]);
        }
        folder.run(&args).failed(3, what);
    };
    fails("slurm.conf", "NodeName=n1\nParti", "slurm.conf:2:1: `Parti` is not Key=Value");
    fails("slurm.conf", "ClusterName=x\n", "no NodeName line: a twin needs the nodes");
    fails(
        "qos.psv",
        "Name|Priority|UsageFactor\nnormal|0|1\nhig",
        "qos.psv:3: 1 of 3 columns: the table is cut off",
    );
    fails(
        "dump.cfg",
        "Cluster - 'a':Fairshare=1\nParent - 'gone'\n",
        "dump.cfg:2:1: no line before this one defines",
    );
}

#[test]
fn defaults_are_those_of_the_stated_version() {
    // Until 23.02 nodes are allocated as a whole, and later processors: job 3 fits beside another one.
    let folder = folder(&[(0, 0, 100, 120, 1, 1), (1, 2, 100, 120, 1, 1), (2, 98, 100, 120, 1, 1)]);
    for (version, third) in [("23.02.1", "100"), ("23.11.1", "3")] {
        folder.write(
            "slurm.conf",
            &format!("SlurmVersion={version}\nNodeName=n[1-2] CPUs=2\nPartitionName=low Nodes=ALL\n"),
        );
        let options = ["--slurm", "slurm.conf", "--slurm-delays", "react=0", "--schedule", "s.csv", "-q"];
        folder.run(&[&["replay", "a.swf"], &options[..]].concat()).succeeded();
        let schedule = folder.read("s.csv");
        let start = schedule.lines().nth(3).unwrap().split(',').nth(2).unwrap();
        assert_eq!(start, third, "{version}: {schedule}");
    }
}

/// What sacct says of jobs of user ann on nodes of two processors: identity, start and end in seconds, limit in minutes, QOS, and
/// the submit line's options. All are submitted in the order of the rows within two seconds.
fn accounting(jobs: &[(&str, i64, i64, i64, &str, &str)]) -> String {
    let mut text = "JobID|JobIDRaw|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|TimelimitRaw|ReqCPUS|NCPUS|NNodes|SubmitLine\n"
        .to_owned();
    for (at, (job, start, end, limit, qos, options)) in jobs.iter().enumerate() {
        let clock = |seconds: i64| format!("2024-01-01T00:{:02}:{:02}", seconds / 60, seconds % 60);
        let procs = if options.contains("--cpus-per-task=2") { 2 } else { 1 };
        let submit = clock(i64::from(at > 1));
        let (number, start, end) = (at + 1, clock(*start), clock(*end));
        let row = format!(
            "{job}|{number}|ann|lab|low|{qos}|COMPLETED|{submit}|{submit}|{start}|{end}|{limit}|{procs}|{procs}|1|sbatch {options} a.sh\n"
        );
        text.push_str(&row);
    }
    text
}

/// Replays what sacct says of jobs under the twin; returns their starts in seconds.
fn starts(conf: &str, more: &[(&str, &str)], jobs: &[(&str, i64, i64, i64, &str, &str)]) -> Vec<i64> {
    let folder = Folder::new();
    folder.write("sacct.txt", &accounting(jobs));
    folder.write("slurm.conf", conf);
    let mut args = vec![
        "replay",
        "sacct.txt",
        "-q",
        "--dependencies",
        "log",
        "--slurm",
        "slurm.conf",
        "--schedule",
        "out.csv",
    ];
    for (name, text) in more {
        folder.write(name, text);
        args.extend(["--slurm", name]);
    }
    args.extend(["--policy", "slurm:react=0,phase=0"]);
    folder.run(&args).succeeded();
    let text = folder.read("out.csv");
    let mut lines = text.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "start").unwrap();
    lines.map(|line| line.split(',').nth(column).unwrap().parse::<f64>().unwrap() as i64).collect()
}

#[test]
fn tasks_that_a_throttle_holds_have_reservations() {
    // Half of each node is busy until 120. One task of two processors may run at a time, yet both nodes are reserved for tasks
    // from then on, so that the last job is in the way on either node. Of a single job with as much, only on one.
    let conf = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerParameters=bf_resolution=1\n\
                NodeName=n[1-2] CPUs=2\nPartitionName=low Nodes=ALL Default=YES\n";
    let jobs = |tasks: &[&'static str], options: &'static str| {
        let mut jobs =
            vec![("1", 0, 120, 2, "normal", "-n1"), ("2", 0, 120, 2, "normal", "-n1 --nodelist=n2")];
        jobs.extend(tasks.iter().map(|task| (*task, 200, 260, 1, "normal", options)));
        jobs.push(("9", 30, 630, 10, "normal", "-n1"));
        jobs
    };
    let several = starts(conf, &[], &jobs(&["3_0", "3_1", "3_2"], "-n1 --cpus-per-task=2 --array=0-2%1"));
    let single = starts(conf, &[], &jobs(&["3"], "-n1 --cpus-per-task=2"));
    assert_eq!((several, single), (vec![0, 0, 120, 180, 240, 120], vec![0, 0, 120, 30]));
}

#[test]
fn a_limit_of_the_qos_takes_the_place_of_that_of_the_association() {
    // The account may use one processor, and jobs of the QOS fast three of its own: jobs 2 and 3 start beside job 1, which
    // counts. Then job 4 waits until all have ended, as they count towards the account.
    let conf = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
                AccountingStorageEnforce=associations,limits,qos\nNodeName=n[1-2] CPUs=2\nPartitionName=low Nodes=ALL Default=YES\n";
    let assoc = "Cluster|Account|User|Share|GrpTRES|QOS\nc|root||1||fast,normal\nc|lab||1|cpu=1|fast,normal\nc|lab|ann|1||fast,normal\n";
    let qos = "Name|Priority|GrpTRES|UsageFactor\nnormal|0||1\nfast|0|cpu=3|1\n";
    let jobs = [
        ("1", 0, 100, 2, "normal", "-n1"),
        ("2", 0, 200, 4, "fast", "-n1"),
        ("3", 3, 303, 5, "fast", "-n1"),
        ("4", 400, 410, 1, "normal", "-n1"),
    ];
    assert_eq!(starts(conf, &[("assoc.txt", assoc), ("qos.txt", qos)], &jobs), [0, 0, 3, 303]);
}

/// One node of eight processors, with users ann and bob in accounts of equal shares; priorities are fairshare alone.
const SHARED: [(&str, &str); 3] = [
    (
        "slurm.conf",
        "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\n\
         PriorityWeightFairshare=1000\nPriorityCalcPeriod=1\nNodeName=n1 CPUs=8\nPartitionName=low Nodes=ALL Default=YES\n",
    ),
    ("assoc.txt", "Cluster|Account|User|Share\nc|root||1\nc|a||1\nc|a|ann|1\nc|b||1\nc|b|bob|1\n"),
    ("qos.txt", "Name|Priority|UsageFactor\nnormal|0|1\n"),
];

#[test]
fn the_priorities_of_a_log_tell_when_they_are_computed() {
    // Ann's priority falls between 10 and 20 s, as she has used what bob has not. So bob's job, which is submitted after hers, is first
    // when job 1 ends. Without the column `Priority`, priorities are computed at 0 s, before any use, and at 60 s.
    let log = |priorities: bool| {
        let mut text =
            "JobID|User|Account|Partition|QOS|State|Submit|Start|End|TimelimitRaw|ReqCPUS|NCPUS|NNodes"
                .to_owned();
        text.push_str(if priorities { "|Priority\n" } else { "\n" });
        let jobs = [
            ("ann|a", 0, 0, 50, 6, 1000),
            ("ann|a", 10, 10, 11, 1, 1000),
            ("ann|a", 20, 20, 21, 1, 500),
            ("ann|a", 30, 80, 90, 8, 500),
            ("bob|b", 31, 50, 80, 8, 1000),
        ];
        for (number, (user, submit, start, end, procs, priority)) in (1..).zip(jobs) {
            let clock = |seconds: i64| format!("2024-01-01T00:{:02}:{:02}", seconds / 60, seconds % 60);
            let (submit, start, end) = (clock(submit), clock(start), clock(end));
            let told = if priorities { format!("|{priority}") } else { String::new() };
            let job = format!("{number}|{user}|low|normal|COMPLETED|{submit}|{start}|{end}");
            text.extend([job, format!("|1|{procs}|{procs}|1{told}\n")]);
        }
        text
    };
    let starts = |priorities: bool| {
        let folder = Folder::new();
        folder.write("sacct.txt", &log(priorities));
        for (name, text) in SHARED {
            folder.write(name, text);
        }
        let files = ["--slurm", "slurm.conf", "--slurm", "assoc.txt", "--slurm", "qos.txt"];
        let replay =
            ["replay", "sacct.txt", "-q", "--schedule", "out.csv", "--policy", "slurm:react=0,phase=0"];
        folder.run(&[&replay[..], &files].concat()).succeeded();
        let text = folder.read("out.csv");
        let start = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
        text.lines().skip(4).map(start).collect::<Vec<_>>()
    };
    assert_eq!(starts(true), [80.0, 50.0]);
    assert_eq!(starts(false), [50.0, 60.0]);
}

#[test]
fn foretold_starts_know_what_users_have_used() {
    // Ann has used the node for 10 min, bob one processor for half a minute. When the running job ends, bob's job is first, although
    // ann's is older.
    let folder = Folder::new();
    for (name, text) in SHARED {
        folder.write(name, text);
    }
    folder.write(
        "sacct.txt",
        "JobID|User|Account|Partition|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|NCPUS|NNodes|NodeList\n\
         1|ann|a|low|normal|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:10:00|600|10|8|8|1|n1\n\
         2|bob|b|low|normal|RUNNING|2024-01-01T00:05:00|2024-01-01T00:10:00|Unknown|30|10|1|1|1|n1\n\
         3|ann|a|low|normal|PENDING|2024-01-01T00:10:20|Unknown|Unknown|0|10|8|8|1|None assigned\n\
         4|bob|b|low|normal|PENDING|2024-01-01T00:10:25|Unknown|Unknown|0|10|8|8|1|None assigned\n",
    );
    let done = folder.run(&[
        "when",
        "sacct.txt",
        "-q",
        "--slurm",
        "slurm.conf",
        "--slurm",
        "assoc.txt",
        "--slurm",
        "qos.txt",
        "--calibrate",
        "0",
        "--draws",
        "10",
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(done.succeeded()).unwrap();
    let starts: Vec<_> =
        answer["jobs"].as_array().unwrap().iter().map(|job| &job["start_as_requested_in"]).collect();
    assert!(starts[1].as_f64() < starts[0].as_f64(), "{answer}");
}

/// Replays accounting with a heading of its own under the twin; returns the starts in seconds.
fn starts_of(conf: &str, more: &[(&str, &str)], sacct: &str) -> Vec<i64> {
    let folder = Folder::new();
    folder.write("sacct.txt", sacct);
    folder.write("slurm.conf", conf);
    let mut args = vec!["replay", "sacct.txt", "-q", "--slurm", "slurm.conf", "--schedule", "out.csv"];
    for (name, text) in more {
        folder.write(name, text);
        args.extend(["--slurm", name]);
    }
    args.extend(["--policy", "slurm:react=0,phase=0"]);
    folder.run(&args).succeeded();
    let text = folder.read("out.csv");
    let mut lines = text.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "start").unwrap();
    lines.map(|line| line.split(',').nth(column).unwrap().parse::<f64>().unwrap() as i64).collect()
}

/// Two nodes of four processors.
const FOUR: &str = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
                    NodeName=n[1-2] CPUs=4\nPartitionName=low Nodes=ALL Default=YES\n";

#[test]
fn a_reservation_of_cores_leaves_the_others() {
    // Half of each node is reserved: of four jobs of two processors without the reservation, two run at a time, and of three with
    // it, too.
    const HEAD: &str =
        "JobID|User|Account|Partition|State|Submit|Start|End|TimelimitRaw|ReqCPUS|NCPUS|NNodes|Reservation\n";
    let row = |at: usize, reservation: &str| {
        format!(
            "{at}|ann|lab|low|COMPLETED|2024-01-01T00:00:0{at}|2024-01-01T00:01:00|2024-01-01T00:11:00|30|2|2|1|{reservation}\n"
        )
    };
    let jobs: String = (1..=7).map(|at| row(at, if at > 4 { "course" } else { "" })).collect();
    let head = "ReservationName=course StartTime=2024-01-01T00:00:00 EndTime=2024-01-01T06:00:00 Duration=06:00:00\n   \
                Nodes=n[1-2] NodeCnt=2 CoreCnt=4 Features=(null) PartitionName=low Flags=\n";
    let cores = "     NodeName=n1 CoreIDs=0-1\n     NodeName=n2 CoreIDs=0-1\n";
    let tail = "   TRES=cpu=4\n   Users=(null) Accounts=ops State=ACTIVE\n";
    for text in [format!("{head}{cores}{tail}"), format!("{head}{tail}")] {
        let starts = starts_of(FOUR, &[("resv.txt", &text)], &format!("{HEAD}{jobs}"));
        assert_eq!(starts, [0, 3, 600, 603, 6, 6, 606], "{text}");
    }
    // Without a reservation, four run at a time.
    let starts = starts_of(FOUR, &[], &format!("{HEAD}{jobs}"));
    assert_eq!(starts, [0, 3, 3, 3, 600, 603, 603]);
}

#[test]
fn shards_and_gpus_come_from_the_same_devices() {
    const HEAD: &str =
        "JobIDRaw|User|Partition|State|Submit|Start|End|TimelimitRaw|ReqCPUS|NCPUS|NNodes|ReqTRES\n";
    let row = |at: usize, gres: &str| {
        format!(
            "{at}|ann|low|COMPLETED|2024-01-01T00:00:0{at}|2024-01-01T00:01:00|2024-01-01T00:11:00|30|1|1|1|cpu=1,gres/{gres},node=1\n"
        )
    };
    let conf = FOUR.replace("CPUs=4", "CPUs=4 Gres=gpu:a100:4,shard:a100:16").replace("n[1-2]", "n1");
    // Three of four GPUs are taken: eight shards are two GPUs, and jobs behind them would delay them.
    let jobs = [row(1, "gpu:a100=3"), row(2, "shard=8"), row(3, "shard=4"), row(4, "gpu=1")].concat();
    assert_eq!(starts_of(&conf, &[], &format!("{HEAD}{jobs}")), [0, 600, 600, 600]);
    // Four shards are the last GPU, and another one is not free then.
    let alone = [row(1, "gpu=3"), row(2, "shard=4"), row(3, "gpu=1")].concat();
    assert_eq!(starts_of(&conf, &[], &format!("{HEAD}{alone}")), [0, 3, 600]);
}

#[test]
fn what_a_job_asks_for_on_each_node_is_held_and_counted_on_each() {
    const HEAD: &str = "JobIDRaw|User|Account|Partition|State|Submit|Start|End|TimelimitRaw|ReqCPUS|NCPUS|NNodes|ReqTRES|SubmitLine\n";
    // Without a requested number of nodes, accounting counts the amounts of one node.
    let row = |at: usize, procs: i64, tres: &str, options: &str| {
        format!(
            "{at}|ann|lab|low|COMPLETED|2024-01-01T00:00:0{at}|2024-01-01T00:01:00|2024-01-01T00:11:00|30|{procs}|{procs}|1|\
             cpu={procs}{tres},node=1|sbatch {options} run.sh\n"
        )
    };
    let conf = FOUR.replace("CPUs=4", "CPUs=4 RealMemory=8000 Gres=gpu:2");
    let gpus = |at: usize, procs: i64, each: i64| {
        row(at, procs, &format!(",gres/gpu={each}"), &format!("-n{procs} --gres=gpu:{each}"))
    };
    // Six processors are on both nodes, of which one has a GPU left; four are on the other one.
    let starts = |second: String| starts_of(&conf, &[], &format!("{HEAD}{}{second}", gpus(1, 1, 1)));
    assert_eq!([starts(gpus(2, 6, 2)), starts(gpus(2, 4, 2))], [[0, 600], [0, 3]]);
    // Memory of each node is as that of GPUs: of 8000 MB, 5000 are left.
    let of_memory = FOUR.replace("CR_Core", "CR_Core_Memory").replace("CPUs=4", "CPUs=4 RealMemory=8000");
    let megabytes = |at: usize, procs: i64, each: i64| {
        row(at, procs, &format!(",mem={each}M"), &format!("-n{procs} --mem={each}"))
    };
    let starts =
        |second: String| starts_of(&of_memory, &[], &format!("{HEAD}{}{second}", megabytes(1, 1, 3000)));
    assert_eq!([starts(megabytes(2, 6, 6000)), starts(megabytes(2, 6, 5000))], [[0, 600], [0, 3]]);
    // The account may have two GPUs. A job on two nodes has one on each, so that a third is too much. One that would get two nodes
    // beside a job with a GPU is passed over, and a job behind it starts.
    let limited = format!("{conf}AccountingStorageEnforce=associations,limits,qos\n");
    let assoc = "Cluster|Account|User|Share|GrpTRES\nc|root||1|\nc|lab||1|gres/gpu=2\nc|lab|ann|1|\n";
    let starts =
        |jobs: [String; 3]| starts_of(&limited, &[("assoc.txt", assoc)], &format!("{HEAD}{}", jobs.concat()));
    let plain = || row(3, 1, "", "-n1");
    assert_eq!(starts([gpus(1, 6, 1), gpus(2, 1, 1), plain()]), [0, 600, 3]);
    assert_eq!(starts([gpus(1, 1, 1), gpus(2, 6, 1), plain()]), [0, 600, 3]);
}

#[test]
fn files_that_are_no_part_of_an_installation_are_told() {
    let folder = folder(&JOBS);
    folder.write("gres.conf", "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1]\n");
    let args = ["replay", "a.swf", "--slurm", "slurm.conf", "--schedule", "s.csv"];
    folder.run(&args).succeeded();
    let without = folder.read("s.csv");
    let with = folder.run(&[&args[..], &["--slurm", "gres.conf"]].concat());
    with.succeeded();
    assert_eq!(folder.read("s.csv"), without);
    assert!(
        with.err.contains("slurm-file-unread") && with.err.contains("gres.conf: the GPUs"),
        "{}",
        with.err
    );
    folder.write("sacct.txt", &accounting(&[("1", 0, 120, 2, "normal", "-n1")]));
    let what = "sacct.txt: this is a log of jobs (sacct";
    folder.run(&[&args[..], &["--slurm", "sacct.txt"]].concat()).failed(3, what);
}
