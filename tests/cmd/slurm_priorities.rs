//! Tests of `batchlab priorities`: the priorities of waiting jobs with their factors, and what is said of differences from `sprio`.

use serde_json::Value;

use super::Folder;

/// Four nodes of eight processors; `high` has two of them.
const CONF: &str = "SLURM_VERSION=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
    PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityMaxAge=00:16:40\nPriorityWeightFairshare=10000\n\
    PriorityWeightJobSize=1000\nPriorityWeightPartition=1000\nPriorityWeightQOS=2000\nPriorityWeightAssoc=100\n\
    PriorityWeightTRES=CPU=400\nPriorityDecayHalfLife=0\nPriorityCalcPeriod=00:01:00\n\
    NodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=low Nodes=ALL Default=YES PriorityJobFactor=1\n\
    PartitionName=high Nodes=n[1-2] PriorityJobFactor=4\n";

const ASSOC: &str = "Cluster|Account|User|Partition|Share|Priority\nc|root|||1|\nc|a|||1|\nc|a|ann||1|\nc|b|||1|\nc|b|bob||1|5\n";
const QOS: &str = "Name|Priority\nnormal|0\nhigh|10\n";

/// `a` has half of the shares and 80 % of the usage.
const SSHARE: &str = "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare\n\
    root|||0.000000|1000||1.000000|\n a||1|0.500000|800|0.800000|0.800000|\n  a|ann|1|1.000000|800|0.800000|1.000000|0.500000\n \
    b||1|0.500000|200|0.200000|0.200000|\n  b|bob|1|1.000000|200|0.200000|1.000000|1.000000\n";

/// The queue at 00:10:00. The age of job 2 counts from 00:01:40 on; job 4 is held.
const QUEUE: &str = "JOBID|USER|ACCOUNT|PARTITION|QOS|STATE|REASON|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|NODELIST|PRIORITY|NICE|ACCRUE_TIME|LAST_SCHED_EVAL\n\
    1|ann|a|low|normal|RUNNING|None|2024-01-01T00:00:00|2024-01-01T00:00:00|10:00|1:00:00|8|1|n1|1000|0|N/A|2024-01-01T00:00:00\n\
    2|ann|a|low,high|normal|PENDING|Priority|2024-01-01T00:01:00|N/A|0:00|10:00|8|1||6920|0|2024-01-01T00:01:40|2024-01-01T00:10:00\n\
    3|bob|b|low|high|PENDING|Resources|2024-01-01T00:02:00|N/A|0:00|10:00|4|1||12937|100|N/A|2024-01-01T00:10:00\n\
    4|bob|b|low|high|PENDING|JobHeldUser|2024-01-01T00:03:00|N/A|0:00|10:00|4|1||0|0|N/A|2024-01-01T00:10:00\n";

const FILES: [&str; 8] =
    ["--slurm", "slurm.conf", "--slurm", "assoc.txt", "--slurm", "qos.txt", "--slurm", "sshare.txt"];

fn folder() -> Folder {
    let folder = Folder::new();
    let files = [
        ("slurm.conf", CONF),
        ("assoc.txt", ASSOC),
        ("qos.txt", QOS),
        ("sshare.txt", SSHARE),
        ("queue.txt", QUEUE),
    ];
    for (name, text) in files {
        folder.write(name, text);
    }
    folder
}

fn answer(folder: &Folder, more: &[&str]) -> Value {
    let args = [&["priorities", "queue.txt", "-q", "--format", "json"], &FILES[..], more].concat();
    serde_json::from_str(folder.run(&args).succeeded()).unwrap()
}

#[test]
fn each_factor_is_that_of_slurms_formula() {
    let found = answer(&folder(), &[]);
    // The last computation is where the priority of job 3 says it is: its age counted for 450 s then.
    assert_eq!((&found["at"], &found["computed"], &found["held"]), (&600.0.into(), &570.0.into(), &1.into()));
    assert_eq!(
        (&found["computed_by"], &found["usage_by"]),
        (&"the priorities of the queue".into(), &"sshare".into())
    );
    let rows = found["jobs"].as_array().unwrap();
    let row = |at: usize| {
        let row = &rows[at];
        let factor = |name: &str| row["factors"][name].as_f64().unwrap();
        let factors =
            ["age", "association", "fairshare", "size", "partition", "qos", "tres", "nice"].map(factor);
        (
            row["job"].as_i64().unwrap(),
            row["partition"].as_str().unwrap(),
            row["priority"].as_u64().unwrap(),
            factors,
        )
    };
    // Level of a: 0.5 / 0.8; of b: 0.5 / 0.2. So bob is first of two users. Sizes: (1/4 + 4/32) / 2 and (1/4 + 8/32) / 2.
    assert_eq!(rows.len(), 3);
    assert_eq!(row(0), (3, "low", 12_937, [450.0, 100.0, 10_000.0, 187.5, 250.0, 2000.0, 50.0, 100.0]));
    // Of the 16 processors of `high`, 8 are a half.
    assert_eq!(row(1), (2, "high", 6920, [470.0, 0.0, 5000.0, 250.0, 1000.0, 0.0, 200.0, 0.0]));
    assert_eq!(row(2), (2, "low", 6070, [470.0, 0.0, 5000.0, 250.0, 250.0, 0.0, 100.0, 0.0]));
    assert_eq!((&rows[0]["user"], &rows[0]["account"]), (&"bob".into(), &"b".into()));
}

#[test]
fn differences_from_sprio_have_a_reason() {
    let folder = folder();
    folder.write(
        "sprio.txt",
        "  JOBID PARTITION USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE TRES\n\
             2 low       ann      6070    0 470     0      5000     250       250   0    0 cpu=100\n\
             2 high      ann      6925    5 470     0      5000     250      1000   0    0 cpu=200\n\
             3 low       bob     12937    0 450   100     10000     188       250 2000  100 cpu=50\n\
             9 low       bob        17    0  17     0         0       0         0   0    0\n",
    );
    let found = answer(&folder, &["--sprio", "sprio.txt", "--sshare", "sshare.txt"]);
    assert_eq!(found["computed_by"], "the ages of sprio");
    let sprio = &found["sprio"];
    for (key, count) in [("compared", 3), ("equal", 2), ("within_1_percent", 3)] {
        assert_eq!(sprio[key], count, "{key} of {sprio}");
    }
    assert_eq!((&sprio["only_in_sprio"], &sprio["largest"]), (&vec![9].into(), &5.0.into()));
    assert_eq!(sprio["reasons"]["a plug-in of the site, or an operator, adds to it"], 1);
    assert_eq!(found["jobs"][1]["sprio"]["differs"][0]["factor"], "SITE");
    let shares = &found["sshare"];
    assert_eq!(
        (&shares["equal"], &shares["factors"], &shares["usage_within_1_percent"]),
        (&2.into(), &2.into(), &2.into())
    );

    let table =
        folder.run(&[&["priorities", "queue.txt", "-q", "--sprio", "sprio.txt"], &FILES[..]].concat());
    for words in [
        "of 3 priorities that sprio told, 2 are equal and 3 within 1 %; the largest difference is 5",
        "SITE: 2 of 3 equal; the largest difference is 5.0 (job 2)",
        "SITE 0 for 5: a plug-in of the site, or an operator, adds to it",
        "at 2024-01-01 00:10: 2 waiting jobs, 1 held; usage by sshare",
    ] {
        let flat = table.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {}", table.out);
    }
    let csv = folder.run(&[&["priorities", "queue.txt", "-q", "--format", "csv"], &FILES[..]].concat());
    assert!(csv.out.contains("3,low,bob,b,12937,0,450,100,10000,188,250,2000,100,cpu=50"), "{}", csv.out);
}

/// The same queue as `squeue --json` and `scontrol show job` write it.
const JSON: &str = r#"{"last_update": {"set": true, "infinite": false, "number": 1704067800}, "jobs": [
{"job_id": 1, "user_name": "ann", "account": "a", "partition": "low", "qos": "normal", "job_state": "RUNNING", "state_reason": "None",
 "submit_time": 1704067200, "start_time": 1704067200, "time_limit": 60, "cpus": 8, "node_count": 1, "nodes": "n1", "name": "x"},
{"job_id": 2, "user_name": "ann", "account": "a", "partition": "low,high", "qos": "normal", "job_state": "PENDING",
 "state_reason": "Priority", "submit_time": 1704067260, "eligible_time": 1704067260, "accrue_time": 1704067300, "time_limit": 10,
 "cpus": 8, "node_count": 1, "nodes": "", "priority": 6920, "nice": null, "name": "x"},
{"job_id": 3, "user_name": "bob", "account": "b", "partition": "low", "qos": "high", "job_state": ["PENDING"],
 "state_reason": "Resources", "submit_time": 1704067320, "accrue_time": 1704067320, "time_limit": 10, "cpus": 4, "node_count": 1,
 "nodes": "", "priority": {"set": true, "infinite": false, "number": 12937}, "nice": 100, "name": "x"},
{"job_id": 4, "user_name": "bob", "account": "b", "partition": "low", "qos": "high", "job_state": "PENDING",
 "state_reason": "JobHeldUser", "submit_time": 1704067380, "accrue_time": 0, "time_limit": 10, "cpus": 4, "node_count": 1,
 "nodes": "", "priority": 0, "nice": 0, "name": "x"}]}"#;

/// Returns a job as `scontrol show job` writes it.
fn shown(job: u32, of: [&str; 6], times: &str, size: &str) -> String {
    let [user, account, qos, state, partition, priority] = of;
    format!(
        "JobId={job} JobName=x\n   UserId={user}(1) GroupId=users(100) MCS_label=N/A\n   {priority} Account={account} QOS={qos}\n   \
         JobState={state} Dependency=(null)\n   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n   {times}\n   \
         Partition={partition} AllocNode:Sid=a:1\n   {size}\n\n"
    )
}

#[test]
fn every_form_of_a_queue_tells_the_same() {
    let folder = folder();
    let expected = answer(&folder, &[])["jobs"].clone();
    folder.write("queue.json", JSON);
    let size = |nodes: &str, procs: u32| {
        format!("NodeList={nodes}\n   NumNodes=1 NumCPUs={procs} NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*")
    };
    let times = |run: &str, limit: &str, submit: &str, accrue: &str, start: &str| {
        format!(
            "RunTime={run} TimeLimit={limit} TimeMin=N/A\n   SubmitTime=2024-01-01T{submit} EligibleTime=2024-01-01T{submit}\n   \
             AccrueTime={accrue}\n   StartTime={start} EndTime=Unknown Deadline=N/A\n   LastSchedEval=2024-01-01T00:10:00"
        )
    };
    folder.write(
        "queue.show",
        &[
            shown(
                1,
                ["ann", "a", "normal", "RUNNING Reason=None", "low", "Priority=1000 Nice=0"],
                &times("00:10:00", "01:00:00", "00:00:00", "2024-01-01T00:00:00", "2024-01-01T00:00:00"),
                &size("n1", 8),
            ),
            shown(
                2,
                ["ann", "a", "normal", "PENDING Reason=Priority", "low,high", "Priority=6920 Nice=0"],
                &times("00:00:00", "00:10:00", "00:01:00", "2024-01-01T00:01:40", "Unknown"),
                &size("", 8),
            ),
            shown(
                3,
                ["bob", "b", "high", "PENDING Reason=Resources", "low", "Priority=12937 Nice=100"],
                &times("00:00:00", "00:10:00", "00:02:00", "2024-01-01T00:02:00", "Unknown"),
                &size("", 4),
            ),
            shown(
                4,
                ["bob", "b", "high", "PENDING Reason=JobHeldUser", "low", "Priority=0 Nice=0"],
                &times("00:00:00", "00:10:00", "00:03:00", "Unknown", "Unknown"),
                &size("", 4),
            ),
        ]
        .concat(),
    );
    for queue in ["queue.json", "queue.show"] {
        let args = [&["priorities", queue, "-q", "--format", "json"], &FILES[..]].concat();
        let found: Value = serde_json::from_str(folder.run(&args).succeeded()).unwrap();
        assert_eq!((&found["computed"], &found["jobs"]), (&570.0.into(), &expected), "{queue}");
    }
}

#[test]
fn foretold_starts_know_the_usage_of_sshare() {
    // When job 1 ends, one of jobs 2 and 3 is first, which need all nodes; by sshare bob has used nearly all, so that it is job 2.
    let folder = folder();
    let wide = QUEUE
        .replace("|8|1||6920", "|32|4||6920")
        .replace("|4|1||12937|100", "|32|4||12937|0")
        .replace("low,high", "low");
    folder.write("queue.txt", &wide.replace("|high|PENDING|Resources", "|normal|PENDING|Resources"));
    folder.write("assoc.txt", &ASSOC.replace("|1|5\n", "|1|\n"));
    folder.write("sshare.txt", &SSHARE.replace("|800|", "|1|").replace("|200|", "|800000|"));
    let first = |files: &[&str]| {
        let args = ["when", "queue.txt", "-q", "--calibrate", "0", "--draws", "10", "--format", "json"];
        let done = folder.run(&[&args, files].concat());
        let found: Value = serde_json::from_str(done.succeeded()).unwrap();
        let start = |at: usize| found["jobs"][at]["start_as_requested_in"].as_f64().unwrap();
        assert_eq!((&found["jobs"][0]["job"], &found["jobs"][1]["job"]), (&2.into(), &3.into()));
        if start(0) < start(1) { 2 } else { 3 }
    };
    assert_eq!((first(&FILES[..6]), first(&FILES)), (3, 2));
    // A minute before the queue, which is a PriorityCalcPeriod, sshare would have shown the same; two minutes before, it would not.
    let at = |instant: &'static str| first(&[&FILES[..], &["--at", instant]].concat());
    assert_eq!((at("540"), at("480")), (2, 3));
    let done = folder.run(&[&["when", "queue.txt", "--calibrate", "0", "--at", "480"], &FILES[..]].concat());
    done.succeeded();
    assert!(
        done.err.contains("warning[when-usage-later]: 1 output of sshare among the files"),
        "{}",
        done.err
    );
    assert!(done.err.contains("at 2024-01-01 00:08"), "{}", done.err);
}

#[test]
fn of_a_log_that_has_ended_sshare_is_taken_for_the_instant() {
    let past = "\
JobIDRaw|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|NodeList
1|ann|a|low|normal|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|3600|60|COMPLETED|8|8|1|n1
2|ann|a|low|normal|2024-01-01T00:01:00|2024-01-01T01:00:00|2024-01-01T01:10:00|600|10|COMPLETED|32|32|4|n[1-4]
3|bob|b|low|normal|2024-01-01T00:01:00|2024-01-01T01:10:00|2024-01-01T01:20:00|600|10|COMPLETED|32|32|4|n[1-4]
";
    let folder = folder();
    folder.write("sacct.txt", past);
    folder.write("assoc.txt", &ASSOC.replace("|1|5\n", "|1|\n"));
    // Priorities of the past follow from the log: the output of sshare is of a later instant.
    let args = ["priorities", "sacct.txt", "--at", "600", "--format", "json"];
    let done = folder.run(&[&args, &FILES[..]].concat());
    let found: Value = serde_json::from_str(done.succeeded()).unwrap();
    assert_eq!(found["usage_by"], "the jobs of the log");
    assert!(done.err.contains("warning[when-usage-later]"), "{}", done.err);
    let starts = |ann: &str, bob: &str| {
        folder.write("sshare.txt", &SSHARE.replace("|800|", ann).replace("|200|", bob));
        let args =
            ["when", "sacct.txt", "--at", "600", "--calibrate", "0", "--draws", "10", "--format", "json"];
        let done = folder.run(&[&args, &FILES[..]].concat());
        let found: Value = serde_json::from_str(done.succeeded()).unwrap();
        assert!(done.err.contains("note[when-usage-undated]"), "{}", done.err);
        let start = |at: usize| found["jobs"][at]["start_as_requested_in"].as_f64().unwrap();
        start(0) < start(1)
    };
    // Whose account has used nearly all goes last.
    assert_eq!((starts("|1|", "|800000|"), starts("|800000|", "|1|")), (true, false));
}
