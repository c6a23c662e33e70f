//! What Batsim accepts and tells, its schedulers may say and know here; what a job never had stands in no file.

use super::SCHEDULER;
use crate::cmd::{Folder, four_jobs};
use crate::plugins::exec::python;

fn scheduler(folder: &Folder, lines: &str) -> String {
    folder.write("own.py", &format!("{SCHEDULER}{lines}\n"));
    format!("batsim:(python3 '{}' {{endpoint}}),timeout=60s", folder.path("own.py").display())
}

/// Executes each job on the hosts with the highest numbers, in two intervals that overlap if it has two hosts or more, and says of
/// each how many jobs wait behind it. User, group and queue of each are known, and its partition is not.
const HIGHEST: &str = include_str!("highest.py");

fn log(jobs: &[(i64, i64, i64)], procs: i64) -> String {
    let job = |(number, &(submit, run, procs)): (usize, &(i64, i64, i64))| {
        format!("{} {submit} -1 {run} {procs} -1 -1 {procs} {run} -1 1 7 1 1 2 -1 -1 -1\n", number + 1)
    };
    let jobs: String = jobs.iter().enumerate().map(job).collect();
    format!("; MaxProcs: {procs}\n{jobs}")
}

/// Returns a file of `--evalys out` by the end of its name.
fn evalys(folder: &Folder, ending: &str) -> String {
    let mut files = std::fs::read_dir(folder.path("out")).unwrap().flatten().map(|file| file.path());
    std::fs::read_to_string(files.find(|path| path.to_string_lossy().ends_with(ending)).unwrap()).unwrap()
}

/// Returns columns of a file by their positions, without its head.
fn columns(text: &str, at: &[usize]) -> Vec<String> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        at.iter().map(|&at| cells[at]).collect::<Vec<_>>().join(",")
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn files_have_the_hosts_and_the_words_of_a_scheduler() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("two.swf", &log(&[(0, 100, 2), (10, 99, 3)], 8));
    let spec = scheduler(&folder, HIGHEST);
    for machine in [&[][..], &["--nodes", "4"]] {
        let replay = ["replay", "two.swf", "-q", "--policy", &spec, "--evalys", "out", "--schedule", "s.csv"];
        folder.run(&[&replay[..], &["--schedule-columns", "processors"], machine].concat()).succeeded();
        let jobs = columns(&evalys(&folder, "_jobs.csv"), &[0, 14, 16]);
        assert_eq!(jobs, ["1,6-7,\"\"\"0\"\" wait\"", "2,3-5,\"\"\"0\"\" wait\""]);
        let schedule = folder.read("s.csv");
        let last: Vec<&str> = schedule.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(last, ["6-7", "3-5"]);
    }
}

/// The second job is rejected at its arrival, and counts in no mean: the first waits 0 s.
#[test]
fn a_rejected_job_has_no_times() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("one.swf", &log(&[(0, 100, 3), (1, 100, 4), (2, 50, 4)], 4));
    let reject = HIGHEST.replace(
        "            queue.append(data['job'])\n",
        "            queue.append(data['job'])\n            rejected = [queue.pop()] if data['job_id'] == 'w0!2' else []\n",
    );
    let reject = reject.replace(
        "    starts = []\n",
        "    starts = [('REJECT_JOB', {'job_id': job['id']}) for job in locals().get('rejected', [])]\n    rejected = []\n",
    );
    let spec = scheduler(&folder, &reject);
    let replay =
        ["replay", "one.swf", "-q", "--policy", &spec, "--metrics", "jobs,mean_wait", "--format", "csv"];
    let done = folder.run(&[&replay[..], &["--evalys", "out", "--schedule", "s.csv"]].concat());
    let table = done.succeeded();
    // (0 + 98) / 2.
    assert!(table.contains(",timeout=60s\",2,49,"), "{table}");
    let fates = std::fs::read_to_string(folder.path("s.csv")).unwrap();
    assert_eq!(
        fates.lines().skip(1).collect::<Vec<_>>(),
        ["1,0,0,100,3,finished", "2,1,,,4,rejected", "3,2,100,150,4,finished"]
    );
    let jobs = evalys(&folder, "_jobs.csv");
    assert!(jobs.lines().any(|line| line.starts_with("2,") && line.contains(",REJECTED,,,,,,,,")), "{jobs}");
    let sums = evalys(&folder, "_schedule.csv");
    let names: Vec<&str> = sums.lines().next().unwrap().split(',').collect();
    let wanted = ["mean_waiting_time", "nb_jobs_rejected"];
    let at = wanted.map(|wanted| names.iter().position(|name| *name == wanted).unwrap());
    assert_eq!(columns(&sums, &at), ["49.000000,1"]);
}

/// Writes the jobs and profiles of which a scheduler hears to a file.
const TOLD: &str = include_str!("told.py");

const WORKLOAD: &str = include_str!("fields.json");

/// Batsim sends the object of a job as the workload has it, and its profile if it is forwarded. A copy of the workload has them,
/// too.
#[test]
fn a_scheduler_hears_of_all_fields_of_a_job() {
    if !python() {
        return;
    }
    let told = |spec: &str, log: &str| -> Vec<serde_json::Value> {
        let folder = Folder::new();
        folder.write("w.json", WORKLOAD);
        let spec = scheduler(&folder, TOLD) + spec;
        folder.run(&["convert", "w.json", "--to", "batsim", "-q", "-o", "copy.json"]).succeeded();
        folder.run(&["convert", "w.json", "-q", "-o", "copy.swf"]).succeeded();
        folder.run(&["replay", log, "-q", "--policy", &spec]).succeeded();
        folder.read("told").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let first = |user: serde_json::Value, group: i64| {
        serde_json::json!([{
            "id": "w0!1", "subtime": 0.0, "res": 2, "walltime": 10.0, "profile": "delay", "user": user, "group": group,
            "priority": 5, "data": { "files": ["a b", 7] } }, null])
    };
    let jobs = told("", "w.json");
    assert_eq!((&jobs[0], &jobs[1][0]["id"]), (&first("eva".into(), 30), &"w0!reaper".into()));
    // Copies have numbers in the place of names.
    assert_eq!(told("", "copy.json")[0], first(1.into(), 30));
    assert_eq!(told("", "copy.swf")[0], first(1.into(), 1));
    for log in ["w.json", "copy.json", "copy.swf"] {
        let forwarded = told(",profiles=forward", log);
        let profile = serde_json::json!({ "type": "delay", "delay": 9.0, "power": 4 });
        assert_eq!((&forwarded[0][1], forwarded[1][1].get("power")), (&profile, None));
    }
}

/// The parts of a checkpointed job are one job, and each id is of one job.
#[test]
fn a_workload_has_whole_jobs_with_ids_of_their_own() {
    let folder = Folder::new();
    let lines = [(1, 0, 60, 1), (1, 0, 20, 2), (1, 30, 40, 3), (2, 5, 7, 2), (2, 50, 8, 3), (1, 9, 4, 1)];
    let lines = lines.map(|(number, submit, run, status)| {
        format!("{number} {submit} 0 {run} 2 -1 -1 2 100 -1 {status} -1 -1 -1 -1 -1 -1 -1\n")
    });
    folder.write("parts.swf", &format!("; MaxProcs: 4\n{}", lines.concat()));
    folder.run(&["convert", "parts.swf", "--to", "batsim", "-q", "-o", "w.json"]).succeeded();
    let workload: serde_json::Value = serde_json::from_str(&folder.read("w.json")).unwrap();
    let of = |job: &serde_json::Value| {
        let profile = job["profile"].as_str().unwrap();
        (job["id"].as_str().unwrap().to_owned(), workload["profiles"][profile]["delay"].as_f64().unwrap())
    };
    let jobs: Vec<(String, f64)> = workload["jobs"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(jobs, [("1".into(), 60.0), ("2".into(), 15.0), ("3".into(), 4.0)]);
}

/// `{endpoint}` and the variables of a shell are the command's own; what is swept is filled in.
#[test]
fn an_experiment_names_a_scheduler() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    let script = format!("{SCHEDULER}Line().begin().fcfs()\n");
    folder.write("fcfs.py", &script);
    let path = folder.path("fcfs.py").display().to_string();
    let experiment = |command: &str| {
        format!(
            "[experiment]\nname = \"guests\"\n[[workload]]\nname = \"a\"\ntrace = \"a.swf\"\n\
             [sweep]\nload = [0.8, 0.9, 1.0, 1.1]\nlimit = [\"9s\", \"10s\"]\n\
             [[policy]]\nlabel = \"theirs\"\nspec = \"batsim:({command}),timeout={{limit}}\"\n\
             [[policy]]\nlabel = \"ours\"\nspec = \"fcfs\"\n\
             [[policy]]\nspec = \"batsim:(python3 '{path}' {{endpoint}})\"\n[measure]\nmetrics = [\"mean_wait\"]\n"
        )
    };
    folder.write("e.toml", &experiment(&format!("sh -c 'at={{endpoint}}; exec python3 {path} ${{at}}'")));
    folder.run(&["run", "e.toml", "--out", "out", "-q", "--allow-exec"]).succeeded();
    let results = std::fs::read_to_string(folder.path("out/results.csv")).unwrap();
    let values = |label: &str| -> Vec<&str> {
        let rows = results.lines().filter(|row| row.contains(&format!(",{label},")));
        // Behind the spec stand unit, seed and the mean wait.
        rows.map(|row| row.split_once(",0,1,").unwrap().1.split(',').next().unwrap()).collect()
    };
    assert_eq!((values("theirs").len(), values("theirs")), (8, values("ours")));
    // Without a label it is called by its command.
    assert!(results.contains(",python3 fcfs.py,"), "{results}");
    folder.write(
        "wrong.toml",
        &experiment("python3 x").replace("spec = \"fcfs\"", "spec = \"easy:order={what}\""),
    );
    let refused = folder.run(&["run", "wrong.toml", "--out", "wrong", "-q", "--allow-exec"]);
    assert!(
        refused.err.contains("`{what}` names nothing that is swept; swept is load, limit"),
        "{}",
        refused.err
    );
}

/// What ends the program ends the processes that it started, also where it cannot do so itself.
#[test]
fn a_scheduler_ends_with_a_program_that_is_killed() {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    // A length of sleep that no other process has.
    let mark = format!("1{:07}", std::process::id());
    // `timeout` leaves the process group.
    let spec =
        format!("batsim:(sh -c 'timeout 9999 sleep {mark} & sleep {mark}; true' {{endpoint}}),timeout=60s");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_batchlab"));
    let arguments = ["replay", "a.swf", "-q", "--policy", spec.as_str()];
    let mut child = program.args(arguments).current_dir(folder.path(".")).spawn().unwrap();
    let runs = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        lines
            .filter(|line| line.starts_with(b"sleep") && line.windows(8).any(|part| part == mark.as_bytes()))
            .count()
    };
    let within = |wanted: usize| {
        let begun = std::time::Instant::now();
        while runs() != wanted && begun.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        runs()
    };
    assert_eq!(within(2), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(within(0), 0);
}
