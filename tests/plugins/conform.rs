//! Every carrier's policies pass the conformance suite for authors of plug-ins.

use crate::cmd::Folder;
use crate::plugins::{exec, native};

const ABI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi");
/// Numbers of cases: for policies in the program's own process, and for those that start a process per replay.
const CASES: (&str, &str) = ("60", "4");

pub fn conforms(spec: &str, like: Option<&str>, cases: &str, more: &[&str]) {
    let like = like.map_or(vec![], |like| vec!["--like", like]);
    let args = [&["conform", spec, "--allow-native", "--cases", cases], &like[..], more].concat();
    let done = Folder::new().run(&args);
    assert_eq!(done.code, 0, "{spec}: {}{}", done.out, done.err);
    assert!(done.out.contains(" conforms: "), "{}", done.out);
}

#[test]
#[cfg(feature = "wasm")]
fn modules_in_wat() {
    conforms(&format!("wasm:({ABI}/wat/fcfs.wat)"), Some("fcfs"), CASES.0, &[]);
    conforms(&format!("easy:order=(wasm:({ABI}/wat/sjf.wat))"), Some("easy:order=sjf"), CASES.0, &[]);
}

#[test]
fn plug_ins_in_c() {
    let Some(built) = native::built() else { return };
    for (carrier, end) in [("so", "so"), ("wasm", "wasm")] {
        if end == "wasm" && !(cfg!(feature = "wasm") && built.join("fcfs.wasm").exists()) {
            eprintln!("skipped: there are no modules in C here");
            continue;
        }
        let spec = |name: &str| format!("{carrier}:({}/{name}.{end})", built.display());
        conforms(&spec("fcfs"), Some("fcfs"), CASES.0, &[]);
        conforms(&spec("easy"), Some("easy"), CASES.0, &["--seed", "1"]);
        conforms(&spec("easy"), Some("easy"), "300", &["--seed", "2", "--check", "agrees"]);
        conforms(&spec("round_robin"), None, CASES.0, &[]);
        conforms(
            &format!("conservative:order=({})", spec("sjf")),
            Some("conservative:order=sjf"),
            CASES.0,
            &[],
        );
    }
}

#[test]
fn child_processes_in_python() {
    if !exec::python() {
        return;
    }
    // Each replay starts a Python process: one policy runs the whole suite, the others only the most relevant checks.
    let processors = ["--resources", "1", "--check", "legal", "--check", "agrees"];
    conforms(&exec::shipped("fcfs"), Some("fcfs"), CASES.1, &["--events", "batch"]);
    for seed in ["1", "2"] {
        conforms(&exec::shipped("easy"), Some("easy"), "12", &[&processors[..], &["--seed", seed]].concat());
    }
    let processors = [&["--events", "batch"][..], &processors].concat();
    conforms(&exec::shipped("raw_fcfs"), Some("fcfs"), CASES.1, &processors);
    conforms(&format!("easy:order=({})", exec::shipped("sjf")), Some("easy:order=sjf"), CASES.1, &processors);
}
