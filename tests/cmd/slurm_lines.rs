//! Submit lines that an installation may or may not hold: what it cannot hold is dropped, and no replay ends in an error.

use proptest::prelude::*;
use proptest::sample::select;

use super::Folder;

const COLUMNS: &str = "JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|\
                       ReqTRES|SubmitLine\n";

struct Row<'a> {
    partition: &'a str,
    cpus: i64,
    nodes: i64,
    tres: &'a str,
    line: &'a str,
}

fn job(cpus: i64, nodes: i64, line: &str) -> Row<'_> {
    Row { partition: "main", cpus, nodes, tres: "", line }
}

/// Returns a log of jobs that are submitted a minute apart and run for half an hour.
fn log(jobs: &[Row<'_>]) -> String {
    let row = |(at, Row { partition, cpus, nodes, tres, line }): (usize, &Row<'_>)| {
        let memory = if tres.contains("mem=") { "" } else { ",mem=100M" };
        format!(
            "{number}|u{user}|lab|{partition}|2026-03-02T10:{at:02}:00|2026-03-02T11:00:00|2026-03-02T11:30:00|1800|60|\
             COMPLETED|{cpus}|{cpus}|{nodes}|cpu={cpus},node={nodes}{memory}{tres}|sbatch {line} job.sh\n",
            number = at + 1,
            user = at % 3
        )
    };
    format!("{COLUMNS}{}", jobs.iter().enumerate().map(row).collect::<String>())
}

/// Returns nodes, memory or not, weights or not, switches or not.
fn conf() -> impl Strategy<Value = (String, String)> {
    let select = select(vec![
        ("cons_tres", "CR_Core"),
        ("cons_tres", "CR_Core_Memory"),
        ("cons_tres", "CR_Core_Memory,CR_LLN"),
        ("linear", "CR_Memory"),
    ]);
    (select, 1_usize..4, 1_usize..3, 1_i64..9, 0_i64..3, any::<bool>()).prop_map(
        |((plugin, parameters), small, large, cpus, weight, has_tree)| {
            let tree = if has_tree { "TopologyPlugin=topology/tree\n" } else { "" };
            let conf = format!(
                "SelectType=select/{plugin}\nSelectTypeParameters={parameters}\nGresTypes=gpu\n{tree}\
                 NodeName=a[1-{small}] CPUs={cpus} RealMemory=8000 Weight={weight}\n\
                 NodeName=b[1-{large}] CPUs={} RealMemory=32000 Weight=1 Gres=gpu:2\n\
                 PartitionName=main Nodes=ALL Default=YES MaxTime=1-0\nPartitionName=one Nodes=b1 MaxTime=1-0\n",
                2 * cpus
            );
            let switches = format!(
                "SwitchName=s1 Nodes=a[1-{small}]\nSwitchName=s2 Nodes=b[1-{large}]\nSwitchName=top Switches=s[1-2]\n"
            );
            (conf, if has_tree { switches } else { String::new() })
        },
    )
}

/// Returns a partition, tasks, processors of each, nodes, and further words of a submit line with what they ask.
fn line() -> impl Strategy<Value = (&'static str, i64, i64, i64, String, String)> {
    let nodes = select(vec!["", "-N 1", "-N 2", "-N 3", "-N 2-4", "--nodes=1-3", "-N 5"]);
    let per_node = select(vec!["", "", "--ntasks-per-node=1", "--ntasks-per-node=2", "--ntasks-per-node=5"]);
    let memory = select(vec![
        ("", ""),
        ("--mem=4G", ",mem=4G"),
        ("--mem=20G", ",mem=20G"),
        ("--mem-per-cpu=3000M", ",mem=12000M"),
    ]);
    let gres = select(vec![("", ""), ("", ""), ("--gres=gpu:1", ",gres/gpu=1"), ("--gpus=3", ",gres/gpu=3")]);
    let alone = select(vec!["", "", "", "--exclusive"]);
    (select(vec!["main", "one"]), 1_i64..9, 1_i64..5, 1_i64..4, (nodes, per_node, memory, gres, alone))
        .prop_map(|(partition, tasks, each, got, (nodes, per_node, memory, gres, alone))| {
            let line = format!("-n {tasks} -c {each} {nodes} {per_node} {} {} {alone}", memory.0, gres.0);
            (partition, tasks, each, got, line, format!("{}{}", memory.1, gres.1))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever jobs ask for, each policy replays those that the machine can hold, and the schedule is legal.
    #[test]
    fn no_submit_line_ends_a_replay(
        (conf, switches) in conf(),
        lines in proptest::collection::vec(line(), 1..12),
    ) {
        let folder = Folder::new();
        folder.write("slurm.conf", &conf);
        folder.write("topology.conf", &switches);
        let mut jobs = vec![job(1, 1, "")];
        jobs.extend(lines.iter().map(|(partition, tasks, each, got, line, tres)| {
            Row { partition, cpus: tasks * each, nodes: *got, tres, line }
        }));
        folder.write("sacct.txt", &log(&jobs));
        let mut options = vec!["--slurm", "slurm.conf"];
        if !switches.is_empty() {
            options.extend(["--slurm", "topology.conf"]);
        }
        for policy in ["slurm", "easy", "fcfs", "conservative"] {
            let replay = ["replay", "sacct.txt", "--schedule", "s.csv", "--policy", policy];
            let done = folder.run(&[&replay[..], &options].concat());
            prop_assert_eq!(done.code, 0, "{}\n{}\n{}\n{}", policy, conf, log(&jobs), done.err);
            let done = folder.run(&[&["verify", "sacct.txt", "s.csv"][..], &options].concat());
            prop_assert_eq!(done.code, 0, "{}\n{}\n{}\n{}", policy, conf, log(&jobs), done.err);
        }
    }
}
