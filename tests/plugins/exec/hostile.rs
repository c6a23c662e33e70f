//! Misbehaving children: one clear error each, other policies are reported, nothing is left behind.

use std::time::{Duration, Instant};

use super::{folder, none_left, python, run, together};

/// An upper bound for each test, with room for a busy machine.
const BOUND: Duration = Duration::from_secs(60);

fn misbehaves(child: &str, words: &str) {
    misbehaves_as("python3 child.py", "timeout=30s", child, words);
}

fn misbehaves_as(command: &str, options: &str, child: &str, words: &str) {
    if !python() {
        return;
    }
    let folder = folder(child);
    let spec = format!("exec:({command}),{options}");
    let policies = ["--policy", "easy", "--policy", &spec, "--policy", "fcfs"];
    let form = ["-q", "--format", "csv", "--metrics", "mean_wait", "--out", "o"];
    let begun = Instant::now();
    let done = run(&folder, &[&["replay", "a.swf"], &policies[..], &form].concat());
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
    assert_eq!(done.code, 4, "{}", done.err);
    assert!(done.err.starts_with("error: "), "{}", done.err);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(done.err.contains(words), "`{words}` is not in: {}", done.err);
    let rows: Vec<&str> =
        done.out.lines().skip(1).map(|line| line.split(",a.swf,").next().unwrap()).collect();
    assert_eq!(rows, ["easy,24.75", "fcfs,61.75", "log,24.75"]);
    let mut written: Vec<String> = std::fs::read_dir(folder.path("o"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, ["easy.csv", "fcfs.csv", "summary.json"]);
    none_left(&folder);
}

fn behaves(command: &str, options: &str, child: &str) {
    if !python() {
        return;
    }
    let folder = folder(child);
    let spec = format!("exec:({command}),{options}");
    let form = ["-q", "--format", "csv", "--metrics", "mean_wait"];
    let done = run(&folder, &[&["replay", "a.swf", "--policy", &spec], &form[..]].concat());
    assert!(done.succeeded().contains(",61.75,a.swf,"), "{}", done.out);
    assert_eq!(done.err, "");
    none_left(&folder);
}

pub fn silence() {
    // On a busy machine, the child takes some time to start before it falls silent.
    let silent = |child: &str, during: &str, limit: &str| {
        let words = format!("did not come to an end in `{during}` within {limit}; timeout= allows more\n");
        misbehaves_as("python3 child.py", &format!("timeout={limit}"), child, &words);
    };
    together(&[
        &|| silent("time.sleep(1000)", "hello", "1s"),
        &|| silent("greet()\ntime.sleep(1000)", "init", "10s"),
        &|| silent("begin()\nhear()\ntime.sleep(1000)", "decide", "10s"),
        &an_end_that_is_none,
        &an_input_that_is_never_read,
    ]);
}

#[test]
fn output_without_end() {
    let flood = "begin()\nhear()\nwhile True: sys.stdout.write('x' * 65536)";
    misbehaves_as("python3 child.py", "timeout=30s", flood, "a line of more than 64 MiB");
}

#[test]
fn garbage() {
    misbehaves("begin()\nhear()\nprint('3 jobs wait', flush=True)\nhear()", "`3 jobs wait` is not a message");
    misbehaves("begin()\nhear()\nos.write(1, bytes(range(128, 256)) + b'\\n')\nhear()", "is not a message");
    misbehaves("begin()\nhear()\nos.write(1, b'\\n')\nhear()", "`` is not a message");
    misbehaves("begin()\nhear()\nsay({'verb': []})\nhear()", "unknown variant `verb`");
    misbehaves("begin()\nhear()\nsay({'scores': []})\nhear()", "it says `scores`, where `verbs` is wanted");
    misbehaves("begin()\nhear()\nsay({'verbs': [['strat', 0]]})\nhear()", "unknown variant `strat`");
}

#[test]
fn a_truncated_answer() {
    let truncated = "begin()\nhear()\nos.write(1, b'{\"verbs\": [[\"start\", ')\n";
    misbehaves(truncated, "ended in the middle of `decide`: it ended with code 0");
}

#[test]
fn death_in_the_middle() {
    misbehaves("begin()\nhear()\nsys.exit(3)", "ended in the middle of `decide`: it ended with code 3\n");
    misbehaves(
        "begin()\nhear()\nsys.exit('no luck\\ntoday')",
        "it ended with code 1; it said: no luck / today\n",
    );
    let killed = "begin()\nhear()\nos.kill(os.getpid(), signal.SIGKILL)";
    misbehaves(killed, "ended in the middle of `decide`: it was ended by signal 9 (SIGKILL)");
    misbehaves("import no_such_module", "ended in the middle of `hello`: it ended with code 1; it said: ");
    misbehaves("begin()\nhear()\nos.close(1)\ntime.sleep(1000)", "it closed its standard output and went on");
    misbehaves("begin()\nhear()\nsay({'error': 'no model'})", "the plug-in gave up: no model\n");
}

/// The input is more than a pipe holds, and the child does not read it.
fn an_input_that_is_never_read() {
    if !python() {
        return;
    }
    let folder = folder("begin()\ntime.sleep(1000)");
    let row = |job: usize| format!("{job} 0 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 -1 -1 -1 -1\n");
    folder.write("many.swf", &format!("; MaxProcs: 4\n{}", (1..=5000).map(row).collect::<String>()));
    let spec = "exec:(python3 child.py),timeout=10s";
    let done = run(&folder, &["replay", "many.swf", "-q", "--policy", spec, "--policy", "fcfs"]);
    assert_eq!(done.code, 4);
    assert!(done.err.contains("did not come to an end in `decide` within 10s"), "{}", done.err);
    none_left(&folder);
    folder.write("child.py", &format!("{}begin()\nfcfs()\n", super::CHILD));
    let done = run(&folder, &["replay", "many.swf", "-q", "--policy", &spec.replace("10s", "60s")]);
    done.succeeded();
}

#[test]
fn answers_without_a_request() {
    let eager = "begin()\nos.write(1, b'{\"verbs\": []}\\n' * 1000)\nhear()";
    misbehaves(
        eager,
        "; standard output is for messages, one to an answer, and standard error for everything else",
    );
    let twice = "begin()\nhear()\nos.write(1, b'{\"verbs\": []}\\n{\"verbs\": []}\\n')\nhear()";
    misbehaves(
        twice,
        "cannot be used: `{\"verbs\": []}` has another line behind it; standard output is for messages",
    );
}

#[test]
fn verbs_that_are_refused() {
    let verbs = |verbs: &str| format!("begin()\nhear()\nsay({{'verbs': {verbs}}})\nhear()");
    misbehaves(&verbs("[['start', 99]]"), "at 0 s: cannot place job 99 at 0 s: it ");
    misbehaves(&verbs("[['start', 1]]"), "at 0 s: cannot place job 2 at 0 s: it ");
    misbehaves(
        &verbs("[['start', 0], ['start', 0]]"),
        "at 0 s: cannot place job 1 at 0 s: it is on the machine already",
    );
    misbehaves(
        &verbs("[['promise', 4294967295, 9]]"),
        "cannot promise a start to job 4294967295 at 0 s: it ",
    );
    misbehaves(
        &verbs("[['wake', -1]]"),
        "cannot wake job 0 at 0 s: a wake-up must lie after now, not at -1 s",
    );
    misbehaves(
        &verbs("[['expect', 0, -1]]"),
        "at 0 s: the plug-in's answer to `decide` cannot be used: `{\"verbs\": [[\"expect\", 0, -1]]}`: a verb has a \
         length of time below 0, -1 s",
    );
    misbehaves(&verbs("[['promise', 0, -1e13]]"), "a verb has a time beyond 2305843009213.693951 s");
    misbehaves(
        &verbs("[['promise', 0, -1]]"),
        "cannot promise a start to job 1 at 0 s: a promised start must not lie before now, at -1 s",
    );
    misbehaves(&verbs("[['rate', 0, 0.5]]"), "the policy has not declared `time sharing` among its needs");
    let greedy = "begin()\nwhile True:\n    events = hear()[1]['events']\n    \
                  say({'verbs': [['start', event[1]['job']] for event in events if event[0] == 'submitted']})";
    misbehaves(greedy, "at 1 s: cannot place job 2 at 1 s: it needs 4 procs on node 0, where 2 are free");
}

#[test]
fn refusals_without_end() {
    let stubborn =
        "begin(**{'told-of-refusals': True})\nwhile hear()[0] != 'bye': say({'verbs': [['start', 99]]})";
    let words =
        "verbs of the plug-in were refused 1000 times in one decision; the last refusal: cannot place job 99";
    misbehaves_as("python3 child.py", "timeout=30s", stubborn, words);
}

#[test]
fn another_version() {
    let other = "hear()\nsay({'hello': {'version': 2, 'who': 'knows'}})\nhear()";
    misbehaves(other, "the plug-in speaks version 2 of the interface, and this program version 1");
    misbehaves("hear()\nsay({'ready': True})\nhear()", "it says `ready`, where `hello` is wanted");
    let changed =
        "greeting = {'summary': str(os.path.exists('once'))}\nopen('once', 'w').close()\nbegin(**greeting)";
    misbehaves(changed, "it describes itself otherwise than before");
}

#[test]
fn a_huge_answer() {
    let huge = "begin()\nhear()\nsay({'verbs': [['kill', 0]] * 1048577})\nhear()";
    misbehaves_as("python3 child.py", "timeout=30s", huge, "more than 1048576 verbs");
}

#[test]
fn output_on_the_wrong_stream() {
    misbehaves("print('loading')\nbegin()\nfcfs()", "answer to `hello` cannot be used: `loading` ");
    behaves("python3 child.py", "timeout=60s", "begin()\nos.write(2, b'x' * 100_000_000)\nfcfs()");
    let last = "begin()\nhear()\nos.write(2, b'x' * 1_000_000 + b'\\nlast words\\n')\nsys.exit(1)";
    misbehaves(last, "xxx… / last words\n");
    misbehaves("begin()\nfcfs()\nprint('done')", "answer to `bye` cannot be used: `done` is not a message");
}

#[test]
fn memory_without_end() {
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let hungry = "begin()\nhear()\nheap = []\nwhile True: heap.append(bytearray(1 << 24))";
    let words = "it ended with code 1; it said: ";
    misbehaves_as("python3 child.py", "timeout=30s,memory=256", hungry, words);
    misbehaves_as("python3 child.py", "timeout=30s,memory=256", hungry, "MemoryError\n");
    behaves("python3 child.py", "timeout=60s,memory=inf", "begin()\nfcfs()");
}

/// A process that the child started ends with the child, and does not hide that the child has ended.
#[test]
fn a_grandchild_that_stays() {
    let grandchild = "subprocess.Popen(['sleep', '1000'])\n";
    behaves("python3 child.py", "timeout=60s", &format!("{grandchild}begin()\nfcfs()"));
    behaves("sh -c 'sleep 1000 & python3 child.py'", "timeout=60s", "begin()\nfcfs()");
    let dies = format!("begin()\nhear()\n{grandchild}sys.exit(3)");
    misbehaves_as("python3 child.py", "timeout=30s", &dies, "it ended with code 3\n");
    misbehaves_as("sh -c 'sleep 1000 & echo x; wait'", "timeout=30s", "", "cannot be used: `x` ");
    misbehaves_as(
        "sh -c 'sleep 1000 & wait'",
        "timeout=1s",
        "",
        "did not come to an end in `hello` within 1s",
    );
}

fn an_end_that_is_none() {
    let deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nbegin()\nfcfs()\ntime.sleep(1000)";
    misbehaves_as("python3 child.py", "timeout=10s", deaf, "did not come to an end in `bye` within 10s");
    misbehaves("begin()\nfcfs()\nsys.exit(3)", "ended in the middle of `bye`: it ended with code 3");
    misbehaves("begin()\nfcfs()\nraise ValueError('at last')", "it ended with code 1; it said: ");
}
