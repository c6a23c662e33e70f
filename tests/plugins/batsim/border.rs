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
const HIGHEST: &str = "
line, free, queue, held = Line().begin(), None, [], {}
free = set(range(line.hosts))
while True:
    message = line.hear()
    for event in message['events']:
        data = event['data']
        if event['type'] == 'JOB_SUBMITTED':
            queue.append(data['job'])
            assert [data['job'].get(key) for key in ('user', 'group', 'queue', 'partition')] == [7, 1, 2, None], data
        elif event['type'] == 'JOB_COMPLETED':
            free |= held.pop(data['job_id'])
        elif event['type'] == 'SIMULATION_ENDS':
            line.say(message['now'])
            sys.exit()
    starts = []
    while queue and queue[0]['res'] <= len(free):
        job = queue.pop(0)
        hosts = sorted(free)[-job['res']:]
        held[job['id']] = set(hosts)
        free -= set(hosts)
        twice = f'{hosts[0]}-{hosts[-1]} {hosts[0]}' if hosts[-1] - hosts[0] + 1 == len(hosts) else ' '.join(map(str, hosts))
        starts.append(('EXECUTE_JOB', {'job_id': job['id'], 'alloc': twice}))
        starts.append(('SET_JOB_METADATA', {'job_id': job['id'], 'metadata': f'\"{len(queue)}\" wait'}))
    line.say(message['now'], *starts)
";

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
    let at = sums.lines().next().unwrap().split(',').position(|name| name == "nb_jobs_rejected").unwrap();
    assert_eq!(columns(&sums, &[at]), ["1"]);
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
    let experiment = |command: &str| {
        format!(
            "[experiment]\nname = \"guests\"\n[[workload]]\nname = \"a\"\ntrace = \"a.swf\"\n\
             [sweep]\nload = [0.8, 0.9, 1.0, 1.1]\nlimit = [\"9s\", \"10s\"]\n\
             [[policy]]\nlabel = \"theirs\"\nspec = \"batsim:({command}),timeout={{limit}}\"\n\
             [[policy]]\nlabel = \"ours\"\nspec = \"fcfs\"\n[measure]\nmetrics = [\"mean_wait\"]\n"
        )
    };
    let path = folder.path("fcfs.py").display().to_string();
    folder.write("e.toml", &experiment(&format!("sh -c 'at={{endpoint}}; exec python3 {path} ${{at}}'")));
    folder.run(&["run", "e.toml", "--out", "out", "-q", "--allow-exec"]).succeeded();
    let results = std::fs::read_to_string(folder.path("out/results.csv")).unwrap();
    let values = |label: &str| -> Vec<&str> {
        let rows = results.lines().filter(|row| row.contains(&format!(",{label},")));
        // Behind the spec stand unit, seed and the mean wait.
        rows.map(|row| row.split_once(",0,1,").unwrap().1.split(',').next().unwrap()).collect()
    };
    assert_eq!((values("theirs").len(), values("theirs")), (8, values("ours")));
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
