//! Tests of the command line: output, exit codes, files.

mod cite;
mod conform;
mod convert;
mod fetch;
mod foreign;
mod generate;
mod help;
mod info;
mod interrupt;
mod limits;
mod list;
mod logs;
mod misbehaving;
mod nodes;
mod notes;
mod open;
mod outputs;
mod paper;
mod redact;
mod registered;
mod replay;
mod report;
pub mod run;
mod script_text;
mod scripts;
mod shape;
#[cfg(unix)]
mod slurm;
mod slurm_collect;
mod slurm_lines;
mod slurm_runs;
mod slurm_settings;
mod venues;
mod what_if;
mod when;

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use assert_cmd::Command;
use batchlab::Registry;
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

/// The result of a run of the program.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with a log of 200 jobs, `week.swf`.
    fn with_log() -> Folder {
        let folder = Folder::new();
        let options = ["--jobs", "200", "--procs", "64", "--set", "estimates=phi:0.2", "--set", "users=9"];
        let done = folder.run(&[&["generate", "lublin", "-o", "week.swf", "-q"], &options[..]].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names of all files, including hidden ones, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("batchlab").unwrap();
        command.current_dir(self.0.path()).env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs the program and closes its standard output after the first byte.
    fn run_and_leave(&self, args: &[&str]) -> Done {
        let mut child = std::process::Command::new(self.command().get_program())
            .args(args)
            .current_dir(self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0]).unwrap();
        drop(out);
        Done::of(child.wait_with_output().unwrap())
    }

    pub(crate) fn run(&self, args: &[&str]) -> Done {
        Done::of(self.command().args(args).output().unwrap())
    }

    pub(crate) fn run_in(&self, folder: &str, args: &[&str]) -> Done {
        Done::of(self.command().current_dir(self.path(folder)).args(args).output().unwrap())
    }

    /// Runs a test that is a program, see [`program`], in a separate process.
    fn run_test(&self, name: &str, arguments: &str) -> Done {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(ARGUMENTS, format!("batchlab {arguments}"))
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let mut done = Done::of(output);
        // The test harness first prints that it runs one test, and which.
        let (_, out) = done.out.split_once("running 1 test\n").unwrap();
        done.out = out.strip_prefix(&format!("test {name} ... ")).unwrap_or(out).to_owned();
        done
    }

    fn run_with_input(&self, args: &[&str], input: impl Into<Vec<u8>>) -> Done {
        Done::of(self.command().args(args).write_stdin(input).output().unwrap())
    }
}

/// The environment variable with the command line of a program that is a test of this binary.
const ARGUMENTS: &str = "BATCHLAB_TEST_ARGUMENTS";

/// Runs the program with a registry of its own. A test that [`Folder::run_test`] starts calls it; when the
/// harness runs that test directly, it does nothing.
fn program(registry: &Registry) {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    let arguments = arguments.into_string().unwrap();
    let code = batchlab::cli::run(registry, arguments.split(' ').map(OsString::from));
    std::process::exit(code.into());
}

/// Sends a signal such as `-TERM`, by the shell: not every system has a program `kill`.
pub(crate) fn send(child: &std::process::Child, signal: &str) {
    let sent =
        std::process::Command::new("sh").args(["-c", &format!("kill {signal} {}", child.id())]).status();
    assert!(sent.unwrap().success());
}

impl Done {
    pub(crate) fn of(output: Output) -> Done {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().expect("ended by itself");
        Done { code, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts that the program ended with this code, printed nothing, and gave a reason with these words.
    pub(crate) fn failed(&self, code: i32, words: &str) {
        assert_eq!(self.code, code, "{}", self.err);
        assert_eq!(self.out, "");
        assert!(self.err.contains(words), "`{words}` is not in: {}", self.err);
    }

    pub(crate) fn succeeded(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.err);
        &self.out
    }
}

/// Returns a log of a machine of `procs` processors: rows of (submit, wait, run, processors, request,
/// status), numbered from 1.
pub(crate) fn log(procs: i64, rows: &[(i64, i64, i64, i64, i64, i64)]) -> String {
    let row = |(index, &(submit, wait, run, procs, request, status)): (usize, &(_, _, _, _, _, _))| {
        let number = index + 1;
        format!(
            "{number} {submit} {wait} {run} {procs} -1 -1 {procs} {request} -1 {status} 1 1 -1 -1 -1 -1 -1\n"
        )
    };
    format!("; MaxProcs: {procs}\n{}", rows.iter().enumerate().map(row).collect::<String>())
}

/// Four jobs on four processors. Under EASY job 3 is backfilled and only job 2 waits, for 99 s as recorded in
/// the log; under FCFS job 3 waits for 148 s.
pub(crate) fn four_jobs() -> String {
    log(4, &[(0, 0, 100, 2, 100, 1), (1, 99, 50, 4, 60, 1), (2, 0, 20, 2, 20, 5), (200, 0, 10, 1, 10, 1)])
}
