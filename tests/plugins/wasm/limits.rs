use super::{POLICY, ROOMY, decide, folder, misbehaves, module, works};

const ENDLESS: &str = "(loop $again (br $again)) unreachable";

/// Grows the memory by a page until it cannot be grown.
const GREEDY: &str = "(loop $again (br_if $again (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))";

#[test]
fn a_loop_without_end_in_decide() {
    let words =
        "did not come to an end in `batchlab_decide` within 500000000 units of fuel; fuel= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(ENDLESS))]), words);
}

#[test]
fn a_loop_without_end_in_start() {
    let start = format!("(start $start) (func $start {ENDLESS})");
    let words = "did not come to an end in `start` within 50000 units of fuel";
    misbehaves("wasm:bad.wat,fuel=50000", &module(POLICY, &[("start", &start)]), words);
}

#[test]
fn each_call_starts_with_full_fuel() {
    let busy = "(local $i i32)
        (loop $again
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $again (i32.ne (local.get $i) (i32.const 2000))))";
    let init = format!(r#"(func (export "batchlab_init") (param i32) (result i32) {busy} (i32.const 1))"#);
    let deinit = format!(r#"(func (export "batchlab_deinit") (param i32) {busy})"#);
    let module = module(POLICY, &[("init", &init), ("deinit", &deinit)]);
    works("wasm:bad.wat,fuel=20000", &module);
    misbehaves("wasm:bad.wat,fuel=2000", &module, "did not come to an end in `batchlab_init`");
}

#[test]
fn recursion_without_end() {
    let down = "(call $down (i32.const 0)))
        (func $down (param i32) (result i32)
          (i32.add (i32.const 1) (call $down (local.get 0)))";
    let words = "trapped in `batchlab_decide`: its calls are nested more than 10000 deep";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(down))]), words);
}

#[test]
fn allocation_without_end() {
    let fails = decide(&format!("{GREEDY} unreachable"));
    let words = "the plug-in wants more memory than 256 MiB; memory= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &fails)]), words);
    let words = "the plug-in wants more memory than 2 MiB";
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("decide", &fails)]), words);
    let gives_up = decide(&format!("{GREEDY} (i32.const 0)"));
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("decide", &gives_up)]), words);
    let tables = r"(table $t 1 funcref) (start $start) (func $start
        (drop (table.grow $t (ref.null func) (i32.const 0x100000))) unreachable)";
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("start", tables)]), words);
}

#[test]
fn memory_that_is_wanted_from_the_start() {
    let memory = r#"(memory (export "memory") 5000)"#;
    let words = "error: bad.wat: the plug-in wants more memory than 256 MiB; memory= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("memory", memory)]), words);
    works("wasm:bad.wat,memory=313", &module(POLICY, &[("memory", memory)]));
}

/// A module that is refused more memory may continue without it.
#[test]
fn a_module_may_go_on_without_more_memory() {
    let init = format!(r#"(func (export "batchlab_init") (param i32) (result i32) {GREEDY} (i32.const 1))"#);
    works("wasm:bad.wat,memory=2", &module(POLICY, &[("init", &init)]));
    // A trap in a later call is not attributed to the refused memory.
    let module = module(POLICY, &[("init", &init), ("decide", &decide("unreachable"))]);
    misbehaves("wasm:bad.wat,memory=2", &module, "it came to an `unreachable` instruction");
}

/// Requests wake-ups at 1,048,576 instants, one microsecond apart, from 1,000 s from now.
const FLOOD: &str = include_str!("flood.wat");

/// Requests a wake-up a microsecond from now.
const RESTLESS: &str = "(i64.store (i32.const 4104) (i64.const 9))
    (i64.store (i32.const 4112) (i64.add (i64.load (local.get $state)) (i64.const 1)))
    (call $answer (i32.const 1))";

#[test]
fn a_flood_of_wake_ups() {
    // 300 pages are 18.75 MiB; a pending wake-up takes 16 bytes, 1,048,576 of them 16 MiB.
    let memory = r#"(memory (export "memory") 300)"#;
    let module = module(POLICY, &[("memory", memory), ("decide", &decide(FLOOD))]);
    // The instants requested at 0 s and at 5 s differ.
    let words = "at 5 s: the plug-in wants to be woken at more than 1048576 instants to come";
    misbehaves("wasm:bad.wat", &module, words);
    misbehaves("wasm:bad.wat,memory=20", &module, "at 0 s: the plug-in wants more memory than 20 MiB");
}

#[test]
fn a_wake_up_every_microsecond() {
    let restless = module(POLICY, &[("decide", &decide(RESTLESS))]);
    let folder = folder(ROOMY, &restless);
    let limited = ["--limit", "decisions=1000"];
    let replay =
        ["replay", "a.swf", "-q", "--format", "csv", "--metrics", "mean_wait", "--policy", "wasm:bad.wat"];
    let done = folder.run(&[&replay[..], &["--policy", "fcfs"], &limited].concat());
    let words = "error: policy `wasm:bad.wat` at 0.001001 s: it was asked 1001 times in a row while no job arrived, started, \
                 ended or changed its rate; --limit decisions=N allows more; the first waiting job is job 1\n";
    assert_eq!((done.code, done.err.as_str()), (4, words));
    let rows: Vec<&str> = done.out.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(rows, ["fcfs"], "{}", done.out);
    // The first check that exceeds the limit fails on the case as drawn; the other checks are skipped.
    let done = folder.run(&[&["conform", "wasm:bad.wat", "--cases", "20"][..], &limited].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("it was asked 1001 times in a row"), "{}", done.out);
    assert!(done.out.contains("a replay exceeded its budget in the check `legal`"), "{}", done.out);
    assert!(
        done.out.contains("--limit decisions=1000"),
        "the command that shows it has the limit: {}",
        done.out
    );
    // An experiment is run within the limits of the command line, and cannot set limits itself.
    let experiment = |more: &str| {
        format!(
            "[experiment]\nname = \"e\"\n[[workload]]\nname = \"a\"\ntrace = \"a.swf\"\n{more}\
             [[policy]]\nlabel = \"restless\"\nspec = \"wasm:bad.wat\"\n"
        )
    };
    folder.write("e.toml", &experiment(""));
    let done = folder.run(&[&["run", "e.toml", "-q"][..], &limited].concat());
    assert_eq!(done.code, 4, "{}", done.err);
    assert!(done.err.contains("it was asked 1001 times in a row"), "{}", done.err);
    folder.write("e.toml", &experiment("limit = \"decisions=1000\"\n"));
    let done = folder.run(&["run", "e.toml", "-q"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("unknown key `limit`"), "{}", done.err);
}

/// The work of calls counts, so that a guest that is called for nothing ends after seconds, not after ten million calls.
#[test]
fn calls_for_nothing_are_work() {
    let replay = |decide: &str, options: &[&str]| {
        let memory = r#"(memory (export "memory") 300)"#;
        let folder = folder(ROOMY, &module(POLICY, &[("memory", memory), ("decide", decide)]));
        folder.run(&[&["replay", "a.swf", "-q", "--policy", "wasm:bad.wat"], options].concat())
    };
    // A call counts two.
    let done = replay(&decide(RESTLESS), &["--limit", "work=1000"]);
    let words = "it was asked 501 times in a row, and answers and wake-ups took more than 1000 units of work, while no job \
                 arrived, started, ended or changed its rate; --limit work=N allows more\n";
    assert!(
        done.err.starts_with("error: policy `wasm:bad.wat` at ") && done.err.ends_with(words),
        "{}",
        done.err
    );
    assert_eq!(done.code, 4);
    // An answer with a million verbs is as much work as a hundred thousand empty ones.
    let again = FLOOD.replace("(i64.const 1000000000)", "(i64.const 1)");
    let done = replay(&decide(&again), &["--limit", "work=1000000"]);
    assert_eq!(done.code, 4, "{}", done.err);
    assert!(done.err.contains("took more than 1000000 units of work"), "{}", done.err);
}

#[test]
fn a_flood_of_promises() {
    // Only `explain` records promises: 1,048,576 of them take 48 MiB, in addition to a memory of 18.75 MiB.
    let memory = r#"(memory (export "memory") 300)"#;
    let flood = FLOOD.replace("(i32.const 9)", "(i32.const 11)");
    let folder = folder(ROOMY, &module(POLICY, &[("memory", memory), ("decide", &decide(&flood))]));
    let explain = |policy| folder.run(&["explain", "a.swf", "1", "--policy", policy]).err;
    assert!(explain("wasm:bad.wat,memory=50").contains("the plug-in wants more memory than 50 MiB"));
    assert!(
        explain("wasm:bad.wat").contains("leaves 3 jobs waiting for ever"),
        "{}",
        explain("wasm:bad.wat")
    );
}

/// Each spec of a file, the option that allows it on the command line, the exit code, and the words of the error.
#[test]
fn a_file_raises_no_limit() {
    let folder = folder(ROOMY, &module(POLICY, &[]));
    let refused = |carrier: &str, key: &str, most: &str, given: &str| {
        format!(
            "a file may set {key}= of `{carrier}` to {most} at most, and this is {given}; --allow-limit {key}={given} on the \
             command line allows it\n"
        )
    };
    let memory = refused("wasm", "memory", "256", "257");
    let fuel = refused("wasm", "fuel", "500000000", "500000001");
    let timeout = refused("exec", "timeout", "10s", "none");
    for (spec, allowed, code, words) in [
        ("wasm:bad.wat,fuel=500000000,memory=256", "", 0, ""),
        ("wasm:bad.wat,memory=257", "", 2, memory.as_str()),
        ("wasm:bad.wat,memory=257", "memory=256", 2, memory.as_str()),
        ("wasm:bad.wat,memory=257", "memory=257", 0, ""),
        ("wasm:bad.wat,fuel=500000001", "", 2, fuel.as_str()),
        ("easy:order=(wasm:bad.wat,fuel=500000001)", "", 2, fuel.as_str()),
        // The command is refused without being started.
        ("exec:(false),timeout=none", "", 2, timeout.as_str()),
        ("exec:(false),timeout=none", "timeout=none", 0, ""),
    ] {
        let experiment = format!(
            "[experiment]\nname = \"e\"\n[[workload]]\nname = \"a\"\ntrace = \"a.swf\"\n[[policy]]\nspec = \"{spec}\"\n"
        );
        folder.write("e.toml", &experiment);
        let allow: &[&str] = if allowed.is_empty() { &[] } else { &["--allow-limit", allowed] };
        let done = folder.run(&[&["run", "e.toml", "-q", "--dry-run"], allow].concat());
        assert_eq!(done.code, code, "{spec} {allowed}: {}", done.err);
        assert!(done.err.ends_with(words), "{spec} {allowed}: {}", done.err);
        let place = if code == 0 { "" } else { "error: e.toml:7:8: " };
        assert!(done.err.starts_with(place), "{spec} {allowed}: {}", done.err);
        // The script passes on the options that allow it.
        if !allowed.is_empty() && code == 0 && spec.starts_with("wasm") {
            let done = folder.run(&["slurm", "e.toml", "-q", "--tasks", "1", "--allow-limit", allowed]);
            assert!(done.succeeded().contains(&format!("--allow-limit '{allowed}'")), "{}", done.out);
        }
    }
    // A file of steps is a file too; a typed spec is the user's own.
    let spec = "wasm:bad.wat,memory=257";
    folder.write("steps.toml", &format!("[[step]]\nkind = \"arrivals\"\nqueue = 1\npolicy = \"{spec}\"\n"));
    let replay = ["replay", "a.swf", "-q", "--policy", spec];
    folder.run(&[&replay[..], &["--steps", "steps.toml"]].concat()).failed(3, memory.trim_end());
    folder.run(&replay).succeeded();
    folder.run(&["sweep", "a.swf", "-q", "--load", "0.8,1,1.2", "--policy", spec, "--dry-run"]).succeeded();
    let wrong = folder.run(&["run", "e.toml", "--allow-limit", "fule=7"]);
    wrong.failed(2, "plug-ins have no limit `fule` (did you mean `fuel`?); known are fuel, memory, timeout");
}
