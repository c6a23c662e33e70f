//! Tests of libraries on the command line: correct ones work, wrong ones are reported.

use super::built;
use crate::cmd::{Folder, four_jobs};

pub fn folder() -> Option<Folder> {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    for name in ["sjf", "fcfs", "easy", "round_robin"] {
        let name = format!("{name}.so");
        std::fs::copy(built()?.join(&name), folder.path(&name)).unwrap();
    }
    Some(folder)
}

/// A replay with native code allowed, with as few options as possible.
pub const REPLAY: [&str; 8] =
    ["replay", "a.swf", "-q", "--allow-native", "--format", "csv", "--metrics", "mean_wait"];

fn refused(folder: &Folder, spec: &str, code: i32, words: &str) {
    folder.run(&[&REPLAY[..], &["--policy", spec]].concat()).failed(code, words);
}

#[test]
fn a_library_is_a_policy_like_any_other() {
    let Some(folder) = folder() else { return };
    let specs =
        ["so:easy.so", "so:./fcfs.so", "easy", "so:round_robin.so,slice=10", "limits:policy=(so:easy.so)"];
    let policies = specs.iter().flat_map(|spec| ["--policy", spec]);
    let done = folder.run(&REPLAY.into_iter().chain(policies).collect::<Vec<_>>());
    let rows: Vec<&str> =
        done.succeeded().lines().skip(1).map(|line| line.split(",a.swf,").next().unwrap()).collect();
    // No job fits beside job 2: its first slice begins 10 s after it started to wait in the other row, and
    // later jobs find an empty machine.
    let expected = [
        "so:easy.so,24.75",
        "so:./fcfs.so,61.75",
        "easy,24.75",
        "\"so:round_robin.so,slice=10\",2.5",
        "limits:policy=(so:easy.so),24.75",
        "log,24.75",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_plug_in_is_named_as_the_built_in_ones_are() {
    let Some(folder) = folder() else { return };
    let named = ["--plugin", "round_robin.so", "--policy", "round-robin:slice=10"];
    assert!(folder.run(&[&REPLAY[..], &named].concat()).succeeded().contains(",2.5,"));
    let taken = ["--plugin", "easy.so", "--policy", "easy"];
    folder.run(&[&REPLAY[..], &taken].concat()).failed(2, "easy.so holds a policy called `easy`");
    let story = ["explain", "a.swf", "2", "--policy", "so:easy.so", "--allow-native"];
    assert!(folder.run(&story).succeeded().contains("promised"), "the plug-in promises a start");
}

#[test]
fn native_code_wants_to_be_allowed() {
    let Some(folder) = folder() else { return };
    for naming in [&["--policy", "so:easy.so"][..], &["--plugin", "easy.so", "--policy", "fcfs"]] {
        folder.run(&[&["replay", "a.swf"], naming].concat()).failed(
            2,
            "easy.so is native code, which can do anything that you can; allow it with --allow-native",
        );
    }
}

#[test]
fn missing_names_are_reported_with_the_existing_ones() {
    let Some(folder) = folder() else { return };
    refused(&folder, "so:esay.so", 3, "esay.so: there is no such file; this folder holds easy.so, fcfs.so, ");
    refused(&folder, "so:no/a.so", 3, "no/a.so: there is no such file; no is no folder");
    refused(&folder, "so:libc.so.6", 3, "libc.so.6: there is no such file");
    refused(
        &folder,
        "so:easy.so#esay",
        2,
        "holds no policy called `esay` (did you mean `easy`?); it holds: easy",
    );
    refused(&folder, "so:round_robin.so,slize=3", 2, "no parameter `slize` (did you mean `slice`?)");
    refused(&folder, "so:round_robin.so,slice=soon", 2, "slice takes");
}

#[test]
fn files_that_are_not_libraries_are_refused() {
    let Some(folder) = folder() else { return };
    folder.write("text.so", "This is no library, and longer than the head of one would be at least.");
    folder.write("empty.so", "");
    folder.write("module.so", "\0asm\x01\0\0\0");
    std::fs::create_dir(folder.path("folder.so")).unwrap();
    let no = |spec, words: &str| refused(&folder, spec, 3, words);
    no("so:text.so", "text.so is no plug-in for `so`: invalid ELF header");
    no("so:empty.so", "empty.so is no plug-in for `so`: file too short");
    no("so:module.so", "it is a WebAssembly module, which is named wasm:module.so");
    no("so:folder.so", "it is a folder, a pipe or a device, and no file");
    refused(&folder, "so:/dev/zero", 3, "it is a folder, a pipe or a device, and no file");
}

/// A policy reports itself what it cannot work with.
#[test]
fn the_message_of_a_plug_in_is_repeated() {
    let Some(folder) = folder() else { return };
    for slice in ["0", "none"] {
        let spec = format!("so:round_robin.so,slice={slice}");
        let done = folder.run(&[&REPLAY[..], &["--policy", &spec]].concat());
        let words = "the plug-in gave up: slice must be longer than nothing";
        assert_eq!((done.code, done.err), (4, format!("error: policy `{spec}`: {words}\n")));
    }
    let done = folder.run(&[&REPLAY[..], &["--policy", "so:easy.so", "--nodes", "2"]].concat());
    assert_eq!(done.code, 2);
    assert!(done.err.contains("places jobs on a pool; this machine has 2 nodes"), "{}", done.err);
}
