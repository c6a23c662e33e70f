//! Rules of an installation that decide when jobs start, and findings about those that are not followed.

use super::Folder;

/// Two nodes of 4 processors.
const CONF: &str = "\
SlurmVersion=24.05.1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=7-0
PartitionName=high Nodes=n[1-2] PriorityTier=9 MaxTime=7-0
";

const COLUMNS: &str = "JobID|User|Account|QOS|Partition|Reservation|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|\
                       AllocCPUS|NNodes|ReqTRES|SubmitLine\n";

/// A job of 4 processors: its identity, partition, reservation, and the times of its submission and its start.
fn job(id: &str, partition: &str, reservation: &str, times: [&str; 2], run: i64, line: &str) -> String {
    let [submit, start] = times;
    format!(
        "{id}|ann|lab|normal|{partition}|{reservation}|2026-03-02T{submit}|2026-03-02T{start}|2026-03-02T23:00:00|{run}|60|\
         COMPLETED|4|4|1|cpu=4,node=1|{line}\n"
    )
}

fn maintenance(from: &str) -> String {
    format!(
        "ReservationName=upgrade StartTime={from} EndTime=2026-03-02T18:00:00 Duration=06:00:00\n   Nodes=n[1-2] NodeCnt=2 \
         CoreCnt=8 Features=(null) PartitionName=(null) Flags=MAINT,SPEC_NODES\n   TRES=cpu=8\n   Users=root Groups=(null) \
         Accounts=(null) Licenses=(null) State=INACTIVE\n"
    )
}

fn folder(jobs: &[String]) -> Folder {
    let folder = Folder::new();
    folder.write("slurm.conf", CONF);
    folder.write("resv.txt", &maintenance("2026-03-02T12:00:00"));
    folder.write("sacct.txt", &format!("{COLUMNS}{}", jobs.concat()));
    folder
}

/// Replays the log with further options; returns the rows of the schedule, and what was printed.
fn replayed(folder: &Folder, options: &[&str]) -> (Vec<String>, String) {
    let replay = ["replay", "sacct.txt", "--slurm", "slurm.conf", "--schedule", "s.csv"];
    let done = folder.run(&[&replay[..], options].concat());
    done.succeeded();
    (folder.read("s.csv").lines().skip(1).map(str::to_owned).collect(), done.err)
}

/// Job 1 would run into the maintenance of 12:00 to 18:00; job 2 is submitted during it.
fn around_maintenance(reservation: &str) -> Folder {
    folder(&[
        job("1", "main", "", ["11:30:00", "18:00:00"], 1800, "sbatch a.sh"),
        job("2", "main", reservation, ["12:10:00", "12:10:02"], 1800, "sbatch --reservation=upgrade b.sh"),
    ])
}

#[test]
fn times_of_reservations_that_cannot_be_read_have_a_file_and_a_line() {
    let folder = around_maintenance("");
    folder.write("resv.txt", &maintenance("12:00:00"));
    let (rows, said) = replayed(&folder, &["--slurm", "resv.txt"]);
    assert_eq!(rows[0], "1,0,0.5,1800.5,4,0:4");
    assert!(
        said.contains("slurm-reservation-undated") && said.contains("resv.txt:1:1: `upgrade` from 12:00:00"),
        "{said}"
    );
}

#[test]
fn a_calendar_is_beside_the_maintenance_of_the_installation() {
    let folder = around_maintenance("");
    let event = "[[event]]\nkind = \"maintenance\"\nfrom = \"2026-03-02 18:00\"\nto = \"2026-03-02 20:00\"\nnodes = \"0-1\"\n";
    folder.write("more.toml", event);
    let starts = |options: &[&str]| replayed(&folder, options).0[0].split(',').nth(2).unwrap().to_owned();
    assert_eq!(starts(&["--slurm", "resv.txt"]), "23400");
    assert_eq!(
        starts(&["--slurm", "resv.txt", "--calendar", "more.toml"]),
        "30600",
        "closed from 12:00 to 20:00"
    );
    assert_eq!(starts(&["--calendar", "more.toml"]), "0.5");
}

#[test]
fn a_preempted_job_is_requeued_if_it_may_be() {
    let fates = [
        ("JobRequeue=0", "sbatch a.sh", "killed"),
        ("JobRequeue=0", "sbatch --requeue a.sh", "requeued"),
        ("JobRequeue=1", "sbatch --no-requeue a.sh", "killed"),
        ("", "srun a", "killed"),
        ("", "sbatch a.sh", "requeued"),
    ];
    for (setting, line, fate) in fates {
        let folder = folder(&[
            job("1", "main", "", ["10:00:00", "10:00:01"], 3600, line),
            job("2", "main", "", ["10:00:00", "10:00:01"], 7200, "sbatch --requeue b.sh"),
            job("3", "high", "", ["10:30:00", "10:30:01"], 1800, "sbatch c.sh"),
        ]);
        let preempts = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n";
        folder.write("slurm.conf", &format!("{CONF}{preempts}{setting}\n"));
        let (rows, _) = replayed(&folder, &[]);
        let end = if fate == "killed" { "1,0,0.5,1800,4,0:4,killed" } else { "1,0,3600,7200,4,0:4" };
        assert!(rows[0].starts_with(end), "{setting} {line}: {rows:?}");
    }
}

#[test]
fn the_controller_tells_which_jobs_may_be_requeued() {
    // Jobs 1 and 2 hold both nodes, job 3 preempts the one that started last.
    let show = |requeue: i64, batch: i64| {
        let row = |id: i64, partition: &str, at: &str, [requeue, batch]: [i64; 2]| {
            format!(
                "JobId={id} JobName=a\n   UserId=ann(501) GroupId=staff(20)\n   Priority=1 Nice=0 Account=lab QOS=normal\n   \
                 JobState=COMPLETED Reason=None Dependency=(null)\n   Requeue={requeue} Restarts=0 BatchFlag={batch} Reboot=0\n   \
                 RunTime=01:00:00 TimeLimit=01:00:00\n   SubmitTime=2026-03-02T{at} EligibleTime=2026-03-02T{at}\n   \
                 StartTime=2026-03-02T{at} EndTime=2026-03-02T14:00:00\n   Partition={partition}\n   NodeList=n1\n   \
                 NumNodes=1 NumCPUs=4\n\n"
            )
        };
        [
            row(1, "main", "10:00:00", [requeue, batch]),
            row(2, "main", "10:00:00", [requeue, batch]),
            row(3, "high", "10:30:00", [1, 1]),
        ]
        .concat()
    };
    let json = |requeue: i64, batch: i64| {
        let zero = 1_772_445_600;
        let row = |id: i64, partition: &str, at: i64, [requeue, batch]: [i64; 2]| {
            format!(
                "{{\"job_id\": {id}, \"user_name\": \"ann\", \"account\": \"lab\", \"nodes\": \"n1\", \"cpus\": 4, \
                 \"job_state\": \"COMPLETED\", \"submit_time\": {at}, \"eligible_time\": {at}, \"start_time\": {at}, \
                 \"end_time\": {end}, \"time_limit\": 60, \"partition\": \"{partition}\", \"tres_req_str\": \"cpu=4\", \
                 \"state_reason\": \"None\", \"requeue\": {requeue}, \"batch_flag\": {batch}}}",
                end = at + 3600,
                requeue = requeue == 1,
                batch = batch == 1,
            )
        };
        let rows = [
            row(1, "main", zero, [requeue, batch]),
            row(2, "main", zero, [requeue, batch]),
            row(3, "high", zero + 1800, [1, 1]),
        ];
        format!("{{\"jobs\": [{}]}}", rows.join(",\n"))
    };
    for (requeue, batch, killed) in [(1, 1, 0), (0, 1, 1), (1, 0, 1)] {
        for (format, text) in
            [("slurm-show-job", show(requeue, batch)), ("squeue-json", json(requeue, batch))]
        {
            let folder = folder(&[]);
            folder.write("sacct.txt", &text);
            // By default jobs may not be requeued; the controller's record of a job takes precedence.
            let preempts = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nJobRequeue=0\n";
            folder.write("slurm.conf", &format!("{CONF}{preempts}"));
            let (rows, _) = replayed(&folder, &["--from", format]);
            let count = rows.iter().filter(|row| row.ends_with("killed")).count();
            assert_eq!(count, killed, "{format} {requeue} {batch}: {rows:?}");
        }
    }
}

#[test]
fn components_of_a_heterogeneous_job_start_together() {
    // Job 1 holds the node of partition b; job 2 has a component there and one in partition a, whose two nodes are free. Job 4
    // takes what is left of a, and job 5 would delay the component there.
    let conf = "SlurmVersion=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerParameters=bf_resolution=1\n\
                NodeName=a[1-2] CPUs=4\nNodeName=b1 CPUs=4\nPartitionName=a Nodes=a[1-2] Default=YES MaxTime=7-0\n\
                PartitionName=b Nodes=b1 MaxTime=7-0\n";
    let folder = folder(&[
        job("1", "b", "", ["10:00:00", "10:00:01"], 1800, "sbatch a.sh"),
        job("2+0", "a", "", ["10:01:00", "10:30:03"], 600, "sbatch b.sh : b.sh"),
        job("2+1", "b", "", ["10:01:00", "10:30:03"], 600, "sbatch b.sh : b.sh"),
        job("4", "a", "", ["10:02:00", "10:02:03"], 600, "sbatch c.sh"),
        job("5", "a", "", ["10:03:00", "10:12:03"], 600, "sbatch d.sh"),
    ]);
    folder.write("slurm.conf", conf);
    let starts = |options: &[&str]| -> Vec<f64> {
        let (rows, _) = replayed(&folder, options);
        rows.iter().map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect()
    };
    let twin = starts(&[]);
    assert_eq!((twin[1], twin[2]), (1800.5, 1800.5), "{twin:?}");
    assert_eq!(twin[3], 120.5, "beside the component that waits, in a cycle");
    let easy = starts(&["--policy", "easy"]);
    assert_eq!((easy[1], easy[2]), (60.0, 1800.0), "{easy:?}");
    // Without cycles Slurm refuses them.
    folder.write("slurm.conf", &format!("SchedulerType=sched/builtin\n{conf}"));
    let (builtin, _) = replayed(&folder, &[]);
    let refused: Vec<&str> =
        builtin.iter().filter(|row| row.ends_with(",rejected")).map(|row| &row[..2]).collect();
    assert_eq!((refused, builtin.len()), (vec!["2,", "6,"], 5), "{builtin:?}");
}

#[test]
fn a_start_that_is_missed_names_the_job_that_it_waits_behind() {
    // Slurm starts job 4 before job 3, which waits for both nodes. Job 1 is first in the log and enters the queue last.
    let columns = "JobID|User|Account|QOS|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|\
                   ReqTRES|NodeList|SubmitLine";
    let job = |id: i64,
               [submit, eligible, start, end]: [&str; 4],
               run: i64,
               procs: i64,
               at: &str,
               line: &str| {
        let (day, nodes) = ("2026-03-02T", (procs + 3) / 4);
        format!(
            "{id}|ann|lab|normal|main|{day}{submit}|{day}{eligible}|{day}{start}|{day}{end}|{run}|120|COMPLETED|{procs}|{procs}|{nodes}|\
             cpu={procs},node={nodes}|{at}|{line}\n"
        )
    };
    let folder = Folder::new();
    folder.write("slurm.conf", &CONF.replace("SelectType=", "SchedulerType=sched/builtin\nSelectType="));
    let jobs = [
        job(
            1,
            ["10:00:00", "11:30:00", "11:40:01", "11:41:01"],
            60,
            4,
            "n1",
            "sbatch -n 4 --dependency=afterany:3 a.sh",
        ),
        job(2, ["10:01:00", "10:01:00", "10:01:01", "11:00:01"], 3540, 4, "n1", "sbatch -n 4 b.sh"),
        job(3, ["10:02:00", "10:02:00", "11:00:02", "11:30:00"], 1798, 8, "n[1-2]", "sbatch -n 8 c.sh"),
        job(4, ["10:03:00", "10:03:00", "10:03:01", "10:50:01"], 2820, 4, "n2", "sbatch -n 4 d.sh"),
    ];
    folder.write("sacct.txt", &format!("{columns}\n{}", jobs.concat()));
    let check =
        ["slurm-check", "sacct.txt", "--slurm", "slurm.conf", "--dependencies", "log", "--jobs", "jobs.csv"];
    folder.run(&check).succeeded();
    let told = folder.read("jobs.csv");
    let row = told.lines().find(|row| row.starts_with("4,")).unwrap();
    assert!(row.contains(",missed,behind,3,"), "{told}");
}
