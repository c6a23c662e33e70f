//! Misbehaving schedulers: one clear error each, the other policies are reported, and nothing is left behind.

use std::time::{Duration, Instant};

use super::SCHEDULER;
use crate::cmd::{Folder, four_jobs};
use crate::plugins::exec::{none_left, python, run, together};

/// An upper bound for each test, with room for a busy machine.
const BOUND: Duration = Duration::from_secs(60);

fn misbehaves_within(timeout: &str, scheduler: &str, words: &str) {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.write("child.py", &format!("{SCHEDULER}{scheduler}"));
    let spec = format!("batsim:(python3 child.py {{endpoint}}),timeout={timeout}");
    let policies = ["--policy", "easy", "--policy", &spec, "--policy", "fcfs"];
    let form = ["-q", "--format", "csv", "--metrics", "mean_wait"];
    let begun = Instant::now();
    let done = run(&folder, &[&["replay", "a.swf"], &policies[..], &form].concat());
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
    assert_eq!(done.code, 4, "{}", done.err);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(done.err.contains(words), "`{words}` is not in: {}", done.err);
    let rows: Vec<&str> =
        done.out.lines().skip(1).map(|line| line.split(",a.swf,").next().unwrap()).collect();
    assert_eq!(rows, ["easy,24.75", "fcfs,61.75", "log,24.75"]);
    none_left(&folder);
}

fn misbehaves(scheduler: &str, words: &str) {
    misbehaves_within("30s", scheduler, words);
}

/// Says something about the first job, which needs all four hosts.
fn says(event: &str, words: &str) {
    misbehaves(&format!("line = Line().begin()\nline.hear()\nline.say(0, {event})\nline.hear()"), words);
}

fn silent(limit: &str, scheduler: &str, during: &str) {
    let words = format!("did not come to an end in `{during}` within {limit}; timeout= allows more\n");
    misbehaves_within(limit, scheduler, &words);
}

pub fn silence() {
    // On a busy machine, a scheduler takes some time to start before it falls silent.
    together(&[
        &|| silent("1s", "time.sleep(1000)", "connect"),
        &|| silent("8s", "line = Line()\ntime.sleep(1000)", "SIMULATION_BEGINS"),
        &|| silent("8s", "line = Line().begin()\nline.hear()\ntime.sleep(1000)", "a decision"),
        &|| silent("8s", "Line().begin().fcfs()\ntime.sleep(1000)", "SIMULATION_ENDS"),
    ]);
}

pub fn floods() {
    together(&[&a_flood_of_commands, &a_flood_of_noise]);
}

#[test]
fn dead() {
    misbehaves("sys.exit('no luck')", "in the middle of `connect`: it ended with code 1; it said: no luck\n");
    misbehaves("line = Line().begin()\nline.hear()\nsys.exit(3)", "`a decision`: it ended with code 3\n");
    misbehaves("Line().begin().fcfs()\nsys.exit(5)", "`SIMULATION_ENDS`: it ended with code 5\n");
    let closes = "line = Line().begin()\nline.hear()\nline.socket.close()\ntime.sleep(1000)";
    misbehaves(closes, "it closed its socket and went on");
    let killed = "line = Line().begin()\nline.hear()\nos.kill(os.getpid(), signal.SIGKILL)";
    misbehaves(killed, "it was ended by signal 9 (SIGKILL)");
}

#[test]
fn what_is_not_the_protocol() {
    misbehaves("Line(b'HTTP/1.1 400 Bad Request\\r\\n' * 9)", "`HTTP/1.1 400 Bad Req…` is not ZeroMQ");
    misbehaves("Line(opening(b'PUB'))\ntime.sleep(1000)", "its socket is a PUB, where a REP is wanted");
    let raw = |body: &str| format!("line = Line().begin()\nline.hear()\nline.raw({body})\nline.hear()");
    misbehaves(&raw("b'3 jobs wait'"), "`3 jobs wait` is not JSON");
    misbehaves(&raw("b'{}'"), "there is no number `now`");
    misbehaves(&raw("b'{\"now\": 1e300, \"events\": []}'"), "`now` is a time beyond");
    misbehaves(&raw("b'{\"now\": 0}'"), "it has no list of `events`");
    // The second answer comes with the first.
    let early = "line = Line().begin()\nline.hear()\nanswer = frame(1, b'') + frame(0, b'{\"now\": 0, \"events\": []}')\n\
                 line.socket.sendall(2 * answer)\ntime.sleep(1000)";
    misbehaves(early, "cannot be used: `{\"now\": 0");
}

#[test]
fn a_message_without_end() {
    let huge = "line = Line().begin()\nline.hear()\nline.socket.sendall(frame(1, b'') + b'\\x02' + b'\\x7f' * 8)\n\
                time.sleep(1000)";
    misbehaves(huge, "bytes, where 64 MiB are the most");
}

fn a_flood_of_commands() {
    let commands =
        "line = Line().begin()\nline.hear()\nwhile True: line.socket.sendall(frame(4, b'x' * 200) * 999)";
    misbehaves_within("8s", commands, "did not come to an end in `a decision` within 8s");
}

fn a_flood_of_noise() {
    let noise = "line = Line().begin()\nline.hear()\n\
                 while True: os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)";
    misbehaves_within("8s", noise, "did not come to an end in `a decision` within 8s");
}

#[test]
fn lies_about_hosts() {
    let execute =
        |job: &str, hosts: &str| format!("('EXECUTE_JOB', {{'job_id': '{job}', 'alloc': '{hosts}'}})");
    says(&execute("w0!1", "0-2"), "it executes w0!1 on 3 hosts, and w0!1 needs");
    says(&execute("w0!99", "0"), "no job `w0!99` has been submitted");
    says(&execute("w0!1", "3-4"), "host 4 does not exist: there are 4, counted from 0");
    says(&execute("w0!1", "3-1"), "EXECUTE_JOB: 3-1 is no range of hosts");
    let twice = [execute("w0!1", "0-1"), execute("w0!1", "2-3")].join(", ");
    let shared = [execute("w0!1", "0-1"), execute("w0!2", "1-4")].join(", ");
    says(&shared, "no job `w0!2` has been submitted");
    says(&twice, "it executes w0!1, which runs already");
}

#[test]
fn lies_about_time() {
    says("('CALL_ME_LATER', {'timestamp': 0})", "it wants to be called at 0 s, which is not after 0 s");
    let past = "line = Line().begin()\nline.hear()\nline.say(-5, ('NOTIFY', {'type': 'x'}))\nline.hear()";
    misbehaves(past, "it wants something at -5 s, and it is 0 s");
    let silent = "line = Line().begin()\nline.hear()\nline.say(-5)\nline.hear()";
    misbehaves(silent, "its `now` is -5 s, and it is 0 s");
    let order = "line = Line().begin()\nline.hear()\nline.raw(b'{\"now\": 9, \"events\": [{\"timestamp\": 10, \
                 \"type\": \"NOTIFY\", \"data\": {\"type\": \"x\"}}]}')\nline.hear()";
    misbehaves(order, "an event of 10 s is in a message of 9 s");
}

#[test]
fn what_a_replay_does_not_have() {
    says(
        "('SET_RESOURCE_STATE', {'resources': '0', 'state': '1'})",
        "SET_RESOURCE_STATE: it needs a model of power",
    );
    says("('QUERY', {'requests': {'consumed_energy': {}}})", "QUERY: it needs a model of power");
    says("('REGISTER_JOB', {'job_id': 'dyn!1'})", "REGISTER_JOB: a replay has the jobs of its log");
    says("('DANCE', {})", "DANCE: no such message is known");
    let mapped = "('EXECUTE_JOB', {'job_id': 'w0!1', 'alloc': '0-1', 'mapping': {'0': '0', '1': '0'}})";
    says(mapped, "EXECUTE_JOB: it needs a model of the tasks within a job");
}

#[test]
fn descendants_end_with_it() {
    let leaves = "subprocess.Popen(['sleep', '1000'], start_new_session=True)\nline = Line().begin()\nline.hear()\n\
                  sys.exit(4)";
    misbehaves(leaves, "it ended with code 4");
}

#[test]
fn a_command_of_a_file_is_not_started() {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    let spec = "batsim:(touch started)";
    folder.write(
        "e.toml",
        &format!(
            "[experiment]\nname = \"e\"\n[[workload]]\ntrace = \"a.swf\"\n[[policy]]\nspec = \"{spec}\"\n"
        ),
    );
    let done = run(&folder, &["run", "e.toml", "-q"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("allow it with --allow-exec"), "{}", done.err);
    assert!(!folder.path("started").exists());
}
