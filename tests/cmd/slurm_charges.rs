//! What Slurm charges jobs for, by which fair share ranks the next ones: what they hold.

use serde_json::Value;

use super::Folder;

/// Four nodes of eight processors, 1,000 MB and two GPUs; usage does not decay, and is charged to the second.
const CONF: &str = "SLURM_VERSION=25.05.1\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
    AccountingStorageEnforce=limits\nPriorityType=priority/multifactor\nPriorityWeightFairshare=1000\n\
    PriorityDecayHalfLife=0\nPriorityCalcPeriod=00:01:00\nGresTypes=gpu\n\
    NodeName=n[1-4] CPUs=8 RealMemory=1000 Gres=gpu:2\nPartitionName=main Nodes=ALL Default=YES MaxTime=60";

const ASSOC: &str = "Account|User|Partition|Share\nroot|||1\na|||1\na|u1||1\na|u2||1\n";

const COLUMNS: &str = "JobID|User|Account|Partition|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NNodes|ReqCPUS|AllocCPUS|ReqTRES|NodeList|SubmitLine\n";

/// u1 held two whole nodes for 600 s, and asked for a processor on each; u2 had eight processors. Then both ask for all nodes.
const LOG: &str = "\
1|u1|a|main|normal|COMPLETED|2026-03-02T10:00:00|2026-03-02T10:00:00|2026-03-02T10:10:00|600|10|2|2|16|cpu=2,node=2,gres/gpu=2|n[1-2]|sbatch -N2 --gres=gpu:1 --exclusive a.sh
2|u2|a|main|normal|COMPLETED|2026-03-02T10:00:00|2026-03-02T10:00:00|2026-03-02T10:10:00|600|10|1|8|8|cpu=8,node=1|n3|sbatch -N1 -n8 a.sh
";

/// Returns the order in which the waiting jobs stand, and the usage of u1, with some words behind the line of the partition and some
/// flags of priorities.
fn waiting(partition: &str, flags: &str, told: f64) -> (Vec<i64>, f64) {
    let folder = Folder::new();
    folder.write("slurm.conf", &format!("{CONF} {partition}\nPriorityFlags={flags}\n"));
    folder.write("assoc.txt", ASSOC);
    let waits = |id: i64, user: &str| {
        format!(
            "{id}|{user}|a|main|normal|PENDING|2026-03-02T10:11:40|Unknown|Unknown|0|10|4|4|4|cpu=4,node=4||sbatch -N4 --exclusive b.sh\n"
        )
    };
    folder.write("sacct.txt", &format!("{COLUMNS}{LOG}{}{}", waits(3, "u1"), waits(4, "u2")));
    folder.write("sshare.txt", &format!("Account|User|RawShares|RawUsage|FairShare\na|u1|1|{told}|\n"));
    let args = ["priorities", "sacct.txt", "--slurm", "slurm.conf", "--slurm", "assoc.txt"];
    let done = folder.run(&[&args[..], &["--sshare", "sshare.txt", "-q", "--format", "json"]].concat());
    let found: Value = serde_json::from_str(done.succeeded()).unwrap();
    let jobs = found["jobs"].as_array().unwrap().iter().map(|job| job["job"].as_i64().unwrap());
    (jobs.collect(), found["sshare"]["largest_usage"].as_f64().unwrap())
}

#[test]
fn jobs_of_whole_nodes_are_charged_for_all_that_these_have() {
    // 16 processors for 600 s against 8.
    assert_eq!(waiting("", "", 9600.0), (vec![4, 3], 0.0));
    assert_eq!(waiting("OverSubscribe=EXCLUSIVE", "", 9600.0), (vec![4, 3], 0.0));
    // Per second 16 processors, two nodes at 4 and four GPUs at 10; memory is not allocated. u2 has 12.
    let weights = "TRESBillingWeights=CPU=1.0,Mem=1.0,Node=4.0,GRES/gpu=10.0";
    assert_eq!(waiting(weights, "", 600.0 * (16.0 + 8.0 + 40.0)), (vec![4, 3], 0.0));
    // The largest of these; GPUs beside the largest of the others.
    assert_eq!(waiting(weights, "MAX_TRES", 600.0 * 40.0), (vec![4, 3], 0.0));
    assert_eq!(waiting(weights, "MAX_TRES_GRES", 600.0 * (16.0 + 40.0)), (vec![4, 3], 0.0));
}

#[test]
fn replays_charge_whole_nodes_to_the_jobs_that_hold_them() {
    let folder = Folder::new();
    folder.write("slurm.conf", CONF);
    folder.write("assoc.txt", &format!("{ASSOC}root|root||1\n"));
    let job = |id: i64, user: &str, submit: &str| {
        format!(
            "{id}|{user}|a|main|normal|COMPLETED|2026-03-02T{submit}|2026-03-02T10:20:00|2026-03-02T10:21:00|60|10|4|4|32|cpu=4,node=4|n[1-4]|sbatch -N4 --exclusive b.sh\n"
        )
    };
    // Job 5 has all nodes until jobs 3 and 4 wait.
    let last = [job(5, "root", "10:10:50"), job(3, "u1", "10:11:00"), job(4, "u2", "10:11:00")].concat();
    folder.write("sacct.txt", &format!("{COLUMNS}{LOG}{last}"));
    let args =
        ["replay", "sacct.txt", "--slurm", "slurm.conf", "--slurm", "assoc.txt", "--schedule", "s.csv"];
    folder.run(&args).succeeded();
    let rows = folder.read("s.csv");
    let head: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let at = |name: &str| head.iter().position(|known| *known == name).unwrap();
    let of = |id: &str| {
        let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
        let row = rows.iter().find(|row| row[at("job_id")] == id).unwrap();
        row[at("start")].parse::<f64>().unwrap()
    };
    assert!(of("4") < of("3"), "u2 has used half of what u1 has: {rows}");
}
