//! Libraries that misbehave detectably: one clear error, code 4, and the other policies are reported.

use std::process::Command;

use super::usage::{REPLAY, folder};
use crate::cmd::{Done, Folder};

/// Builds `hostile.c` into the folder; `None` if there is no C compiler.
fn hostile(defines: &[&str]) -> Option<Folder> {
    let folder = folder()?;
    let root = env!("CARGO_MANIFEST_DIR");
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "hostile.so"])
        .args([format!("-I{root}/policies/abi"), format!("-I{root}/policies/abi/c")])
        .args(defines.iter().map(|define| format!("-D{define}")))
        .arg(format!("{root}/tests/plugins/hostile.c"))
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(folder)
}

fn between(folder: &Folder, spec: &str) -> Done {
    let policies = ["--policy", "easy", "--policy", spec, "--policy", "fcfs", "--out", "o"];
    folder.run(&[&REPLAY[..], &policies].concat())
}

/// The plug-in's error is the only line, and the results contain nothing of the plug-in.
fn fails(folder: &Folder, spec: &str, error: &str) {
    let done = between(folder, spec);
    assert_eq!((done.code, done.err.as_str()), (4, format!("error: {error}\n").as_str()), "{spec}");
    let rows: Vec<&str> = done.out.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(rows, ["easy", "fcfs", "log"], "{spec}");
    let entries = std::fs::read_dir(folder.path("o")).unwrap();
    let mut written: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    written.sort();
    assert_eq!(written, ["easy.csv", "fcfs.csv", "summary.json"], "{spec}");
    std::fs::remove_dir_all(folder.path("o")).unwrap();
}

#[test]
fn an_error_of_a_library_ends_only_its_own_replay() {
    let Some(folder) = hostile(&[]) else { return };
    for row in include_str!("hostile.txt").lines() {
        let (how, error) = row.split_once(" -> ").unwrap();
        let spec = format!("so:hostile.so,how={how}");
        fails(&folder, &spec, &format!("policy `{spec}` {error}"));
    }
    let idle = "policy `so:hostile.so` leaves 4 jobs waiting for ever; the first is job 1";
    fails(&folder, "so:hostile.so", idle);
    let null = "the plug-in's answer to `batchlab_init` cannot be used: it is NULL";
    for (how, error) in
        [("null at once", null), ("fault at once", "the plug-in gave up: I have no luck \\u{1b}[31mtoday")]
    {
        let spec = format!("so:hostile.so,how={how}");
        fails(&folder, &spec, &format!("policy `{spec}`: {error}"));
    }
}

#[test]
fn an_error_before_a_replay_is_also_an_error_of_the_plug_in() {
    let version = "the plug-in speaks version 2 of the interface, and this program version 1; \
                   rebuild it with this program's header or module";
    let lacks =
        |name: &str, has: &str| format!("the plug-in has no usable `{name}`: it is missing; there are {has}");
    let cases = [
        (vec!["SPEAKS=2"], version.to_owned()),
        (vec!["SPEAKS=2", "WITHOUT_INIT"], version.to_owned()),
        (
            vec!["WITHOUT_INIT"],
            lacks(
                "batchlab_init",
                "batchlab_version, batchlab_describe, batchlab_fault, batchlab_order, batchlab_decide, batchlab_deinit",
            ),
        ),
        (
            vec!["WITHOUT_DECIDE"],
            lacks(
                "batchlab_decide",
                "batchlab_version, batchlab_describe, batchlab_init, batchlab_fault, batchlab_order, batchlab_deinit",
            ),
        ),
    ];
    for (defines, error) in cases {
        let Some(folder) = hostile(&defines) else { return };
        fails(&folder, "so:hostile.so", &format!("hostile.so: {error}"));
    }
    let descriptions = [
        ("0", "batchlab_describe returns NULL"),
        (r#""{\"name\": \"a\"}""#, "missing field `kind` at line 1 column 13"),
        (r#""[]""#, "it describes no policy"),
        (r#""\xff""#, "its description is not UTF-8: invalid utf-8 sequence of 1 bytes from index 0"),
        (
            r#""{\"name\": \"a\", \"kind\": \"policy\", \"needs\": [\"luck\"]}""#,
            "it needs `luck`; known are clairvoyance, time-sharing, pool, memory, user, group, partition, capacity, foresight, layout, dependencies, devices",
        ),
    ];
    for (description, error) in descriptions {
        let Some(folder) = hostile(&[&format!("DESCRIPTION={description}")]) else { return };
        fails(&folder, "so:hostile.so", &format!("hostile.so describes itself wrongly: {error}"));
    }
}

#[test]
fn an_order_that_fails_ends_the_replay_that_asks_it() {
    let description = r#""{\"name\": \"a\", \"kind\": \"order\", \"columns\": [\"procs\"], \"params\": [{\"name\": \"how\", \"kind\": \"text\", \"default\": \"well\"}]}""#;
    let Some(folder) = hostile(&[&format!("DESCRIPTION={description}")]) else { return };
    for (how, error) in [
        ("null", "at 0 s: the plug-in's answer to `batchlab_order` cannot be used: it is NULL"),
        ("fault", "at 0 s: the plug-in gave up: no idea who is first"),
        ("null at once", ": the plug-in's answer to `batchlab_init` cannot be used: it is NULL"),
    ] {
        let done = between(&folder, &format!("easy:order=(so:hostile.so,how={how})"));
        assert_eq!(done.code, 4, "{}", done.err);
        assert!(done.err.contains(error) && done.err.lines().count() == 1, "{}", done.err);
        assert_eq!(done.out.lines().count(), 4, "the others are reported: {}", done.out);
    }
}

#[test]
fn a_library_that_cannot_be_loaded_is_not_a_plug_in() {
    let Some(folder) = hostile(&["NEEDS_MORE"]) else { return };
    let words = "hostile.so is no plug-in for `so`: undefined symbol: nobody_has_this";
    between(&folder, "so:hostile.so").failed(3, words);
}

/// Output of a library goes to standard output among the results, but not into files.
#[test]
fn output_of_a_library_goes_to_standard_output() {
    let Some(folder) = hostile(&[]) else { return };
    let policy = ["--policy", "so:hostile.so,how=print", "--procs", "64", "--out", "o"];
    let done = folder.run(&[&REPLAY[..], &policy].concat());
    let told = done.succeeded();
    let (said, results): (Vec<&str>, Vec<&str>) =
        told.lines().partition(|line| *line == "hello from the plug-in");
    assert!(!said.is_empty());
    assert_eq!(results.len(), 3, "a head and two rows: {told}");
    assert!(!folder.read("o/summary.json").contains("hello"));
}
