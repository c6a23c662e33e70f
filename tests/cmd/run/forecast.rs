//! Tests of the forecast of `--dry-run`: its words, and what it does not do.

use super::small;
#[cfg(feature = "wasm")]
use crate::plugins::wasm::{POLICY, decide, module};

const BASIS: &str = " of processor time, estimated from up to 3 units of each workload under each policy (of a unit that \
                     takes long, from its first jobs)\n";

#[test]
fn a_forecast_tells_threads_and_processor_time_and_writes_nothing() {
    let folder = small();
    let plan = |threads: &str| {
        folder
            .run(&["run", "small.toml", "--out", "r", "--dry-run", "--threads", threads])
            .succeeded()
            .to_owned()
    };
    let one = plan("1");
    let forecast = one.strip_suffix(BASIS).unwrap_or_else(|| panic!("{one}")).lines().last().unwrap();
    let (time, processor_time) = forecast.split_once(" on 1 thread, ").unwrap();
    // One thread takes the processor time.
    assert_eq!(time, format!("about {processor_time}"));
    let several = plan("2");
    assert!(several.contains(" on 2 threads, ") && several.ends_with(BASIS), "{several}");
    assert!(!folder.path("r").exists());
}

/// A policy that fails on the unit that is replayed for the forecast fails there, before the run.
#[test]
#[cfg(feature = "wasm")]
fn a_policy_that_fails_is_found_by_the_forecast() {
    let folder = small();
    folder.write("bad.wat", &module(POLICY, &[("decide", &decide("unreachable"))]));
    folder.write("bad.toml", &super::SMALL.replace("spec = \"fcfs\"", "spec = \"wasm:bad.wat\""));
    let done = folder.run(&["run", "bad.toml", "--out", "r", "--dry-run"]);
    done.failed(4, "trapped in `batchlab_decide`");
    assert!(!folder.path("r").exists());
}

/// Processes are not started for a forecast, so that their replays count nothing.
#[test]
#[cfg(unix)]
fn plug_ins_that_are_not_opened_are_left_out_and_told() {
    let folder = small();
    folder.write("out.toml", &super::SMALL.replace("spec = \"fcfs\"", "spec = \"exec:(touch started)\""));
    let done = folder.run(&["run", "out.toml", "--out", "r", "--dry-run", "--allow-exec"]);
    let told = done.succeeded();
    // "... in N replays" is the first line, "without N replays of plug-ins ..." the last: half of them, of two policies.
    let number = |line: &str, before: &str| -> usize {
        let word = line.split(before).last().unwrap().split(' ').next().unwrap();
        word.parse().unwrap_or_else(|_| panic!("`{word}` in {told}"))
    };
    let all = number(told.lines().next().unwrap(), " in ");
    let last = told.lines().last().unwrap();
    assert!(
        last.ends_with(" replays of plug-ins (exec:, so:): a dry run starts no process and loads no library"),
        "{last}"
    );
    assert_eq!(number(last, "without ") * 2, all);
    assert!(!folder.path("started").exists());
}
