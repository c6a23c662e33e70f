//! Tests of WebAssembly modules: the guests of the repository, and hostile ones.

mod answers;
mod descriptions;
mod files;
mod guests;
mod limits;
mod predictors;
mod traps;

use std::time::{Duration, Instant};

use crate::cmd::{Done, Folder};

/// A well-formed module: it starts each job when it is submitted. Its answer is at 4096, its buffer at 8192.
const PARTS: [(&str, &str); 10] = [
    ("memory", r#"(memory (export "memory") 1)"#),
    ("start", ""),
    ("version", r#"(func (export "batchlab_version") (result i32) (i32.const 1))"#),
    ("describe", r#"(func (export "batchlab_describe") (result i32) (i32.const 8))"#),
    ("init", r#"(func (export "batchlab_init") (param i32) (result i32) (i32.const 1))"#),
    ("fault", ""),
    ("order", r#"(func (export "batchlab_order") (param i32 i32 i32) (result i32) (local.get 1))"#),
    ("decide", include_str!("wasm/decide.wat")),
    ("deinit", r#"(func (export "batchlab_deinit") (param i32))"#),
    (
        "room",
        r#"(func (export "batchlab_room") (param i32) (result i32)
             (select (i32.const 8192) (i32.const 0) (i32.le_u (local.get 0) (i32.const 49152))))"#,
    ),
];

/// Helpers for function bodies: `$verb INDEX VERB JOB` writes a verb, `$answer COUNT` ends the answer.
const HELPERS: &str = include_str!("wasm/helpers.wat");

pub const POLICY: &str = r#"{"name": "eager", "kind": "policy"}"#;

const ORDER: &str = r#"{"name": "rank", "kind": "order", "columns": ["estimate"]}"#;

/// Three jobs that fit on the machine together.
const ROOMY: &[(i64, i64, i64, i64, i64, i64)] =
    &[(0, -1, 10, 2, 10, 1), (0, -1, 20, 2, 20, 1), (5, -1, 10, 2, 10, 1)];

pub fn module(about: &str, replaced: &[(&str, &str)]) -> String {
    let part = |&(name, text): &(&str, &'static str)| {
        let found = replaced.iter().find(|(replaced, _)| *replaced == name);
        found.map_or(text.to_owned(), |(_, text)| (*text).to_owned())
    };
    assert!(replaced.iter().all(|(name, _)| PARTS.iter().any(|(part, _)| part == name)));
    let parts: Vec<String> = PARTS.iter().map(part).collect();
    let about = about.escape_default();
    format!("(module\n{}\n{HELPERS}\n(data (i32.const 8) \"{about}\\00\"))\n", parts.join("\n"))
}

/// A `decide` function with this body, exported.
pub fn decide(body: &str) -> String {
    format!(r#"(func (export "batchlab_decide") (param $policy i32) (param $state i32) (result i32) {body})"#)
}

/// Replays `fcfs` and another policy in a folder that has the log `a.swf` and a module `bad.wat`.
fn replay(folder: &Folder, policy: &str) -> Done {
    let fixed = ["replay", "a.swf", "-q", "--format", "csv", "--metrics", "mean_wait", "--out", "o"];
    let began = Instant::now();
    let done = folder.run(&[&fixed[..], &["--policy", "fcfs", "--policy", policy]].concat());
    // The limit is a second of fuel; the bound leaves room for other load on the machine.
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    done
}

fn folder(jobs: &[(i64, i64, i64, i64, i64, i64)], module: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", &crate::cmd::log(8, jobs));
    folder.write("bad.wat", module);
    folder
}

/// Asserts that a module misbehaves on a log: one error line with these words, `fcfs` has its row and its
/// schedule nevertheless, and the module has no files.
fn misbehaves_on(jobs: &[(i64, i64, i64, i64, i64, i64)], policy: &str, module: &str, words: &str) {
    let folder = folder(jobs, module);
    let done = replay(&folder, policy);
    assert_eq!(done.code, 4, "{}{}", done.out, done.err);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(done.err.starts_with("error: ") && done.err.contains(words), "`{words}` is not in: {}", done.err);
    let rows: Vec<&str> = done.out.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(rows, ["fcfs"], "{}", done.out);
    let mut written: Vec<_> = std::fs::read_dir(folder.path("o")).unwrap().collect();
    written.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    let names: Vec<_> = written.iter().map(|entry| entry.as_ref().unwrap().file_name()).collect();
    assert_eq!(names, ["fcfs.csv", "summary.json"]);
    assert_eq!(folder.files(), ["a.swf", "bad.wat", "o"]);
}

/// The same with jobs that fit on the machine together.
fn misbehaves(policy: &str, module: &str, words: &str) {
    misbehaves_on(ROOMY, policy, module, words);
}

fn works(policy: &str, module: &str) {
    let folder = folder(ROOMY, module);
    let done = replay(&folder, policy);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(done.out.lines().count(), 3, "{}", done.out);
}

#[test]
fn the_module_that_the_others_are_made_of_works() {
    works("wasm:bad.wat", &module(POLICY, &[]));
    works("easy:order=(wasm:bad.wat)", &module(ORDER, &[]));
}
