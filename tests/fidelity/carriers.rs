//! The same policy from every carrier gives the same starts and ends, job for job on KTH-SP2.

use batchlab::traces::reading::{Estimate, Overrun};

use crate::lab::{Log, play};
use crate::plugins::{exec, native};

/// Built-in policies, and the equivalent plug-ins: `ABI` is the folder of the sources, `BUILT` that of the compiled ones.
const SAME: [(&str, &[&str]); 3] = [
    (
        "fcfs",
        &[
            "wasm:(ABI/wat/fcfs.wat)",
            "wasm:(BUILT/fcfs.wasm)",
            "so:(BUILT/fcfs.so)",
            "exec:(python3 'ABI/python/fcfs.py')",
        ],
    ),
    ("easy", &["wasm:(BUILT/easy.wasm)", "so:(BUILT/easy.so)", "exec:(python3 'ABI/python/easy.py')"]),
    (
        "easy:order=sjf",
        &[
            "easy:order=expr(estimate)",
            "easy:order=(wasm:(ABI/wat/sjf.wat))",
            "easy:order=(wasm:(BUILT/sjf.wasm))",
            "easy:order=(so:(BUILT/sjf.so))",
            "easy:order=(exec:(python3 'ABI/python/sjf.py'))",
        ],
    ),
];

#[test]
fn a_policy_is_the_same_from_every_carrier() {
    let Some(scene) = Log::KTH_CLEANED.play(Estimate::Requested, Overrun::Raise) else { return };
    for (builtin, forms) in SAME {
        let expected = play(&scene, builtin).0;
        for form in forms {
            let Some(spec) = at_hand(form) else { continue };
            let given = play(&scene, &spec).0;
            let differ =
                scene.scenario.workload.jobs().find(|&job| {
                    (given.start(job), given.end(job)) != (expected.start(job), expected.end(job))
                });
            assert_eq!(differ, None, "{spec} differs from {builtin}");
        }
    }
}

/// Returns the spec with its folders filled in, or prints why it is skipped and returns `None` if its tools are missing.
fn at_hand(form: &str) -> Option<String> {
    if form.contains("exec:") && !exec::python() {
        return None;
    }
    let spec = form.replace("ABI", concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi"));
    if !spec.contains("BUILT") {
        return Some(spec);
    }
    let built = native::built()?;
    let file = spec.split("BUILT/").nth(1)?.split(')').next()?;
    if !built.join(file).exists() {
        eprintln!("skipped: {file} could not be built here");
        return None;
    }
    Some(spec.replace("BUILT", &built.display().to_string()))
}
