//! Policies in child processes: they agree with the built-in ones, and a child harms no other process.

#![cfg(unix)]

mod agree;
mod allowed;
mod capacity;
#[cfg(target_os = "linux")]
mod descendants;
pub mod hostile;
mod nodes;
mod session;
mod signals;
mod usage;

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::cmd::{Done, Folder, four_jobs};

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/python");

/// The environment variable that marks a test's program and all its children with the test's folder.
const MARK: &str = "BATCHLAB_TEST_FOLDER";

const CHILD: &str = include_str!("exec/child.py");

/// The interpreter that `python3` leads to: a manager of versions puts a script before it, which takes five times as long to start.
static INTERPRETER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let told = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(told.stdout).ok()?.trim_end())).filter(|_| told.status.success())
});

/// Whether Python is installed to run children; prints the reason if not.
pub fn python() -> bool {
    if INTERPRETER.is_none() {
        eprintln!("skipped: there is no python3 here");
    }
    INTERPRETER.is_some()
}

/// The folders of programs, that of the interpreter first.
pub fn paths() -> OsString {
    let folder = INTERPRETER.as_deref().and_then(Path::parent).map(Path::to_owned);
    let known = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(folder.into_iter().chain(std::env::split_paths(&known))).unwrap()
}

/// The command that runs a script without what the interpreter's site adds.
fn command(script: impl Display) -> String {
    let interpreter = INTERPRETER.as_deref().unwrap_or(Path::new("python3"));
    format!("'{}' -S '{script}'", interpreter.display())
}

fn child(script: impl Display) -> String {
    format!("exec:({}),timeout=60s", command(script))
}

pub fn shipped(name: &str) -> String {
    child(format_args!("{PYTHON}/{name}.py"))
}

fn folder(child: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.write("child.py", &format!("{CHILD}{child}"));
    folder
}

fn program(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_batchlab"));
    command.current_dir(folder.path("")).env(MARK, folder.path("")).env("PATH", paths());
    command
}

pub fn run<A: AsRef<OsStr>>(folder: &Folder, args: &[A]) -> Done {
    let output = program(folder).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs tests that wait for a time-out at the same time: the wait is that of the longest.
pub fn together(tests: &[&(dyn Fn() + Sync)]) {
    std::thread::scope(|scope| tests.iter().for_each(|test| _ = scope.spawn(test)));
}

/// Asserts that all processes with a test's mark are gone or end within a moment.
pub fn none_left(folder: &Folder) {
    let gone = until(Duration::from_secs(5), || marked(folder).is_empty());
    assert!(gone, "processes are left: {:?}", marked(folder));
}

/// The processes with a test's mark; empty if there is no /proc to read.
fn marked(folder: &Folder) -> Vec<String> {
    let mark = format!("{MARK}={}", folder.path("").display()).into_bytes();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let processes = entries.flatten().filter(|entry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark)
    });
    let command = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
    processes.map(|entry| String::from_utf8_lossy(&command(entry)).replace('\0', " ")).collect()
}

pub fn until(patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
