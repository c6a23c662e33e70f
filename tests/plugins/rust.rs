//! Tests of plug-ins in Rust: the module to copy, and the policies beside it.

use std::path::Path;
use std::process::Command;

use super::conform::conforms;
use crate::cmd::Folder;

pub const TARGET: &str = "wasm32-unknown-unknown";

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/rust");

/// A policy that panics at its first decision, or at its beginning if the parameter says so.
const PANICS: &str = r###"
mod batchlab;
use batchlab::{Answer, Policy, Setup, State};

struct Panics;

impl Policy for Panics {
    const ABOUT: &'static str = r##"{"name": "panics", "kind": "policy", "params": [
        {"name": "when", "kind": "choice", "choices": ["begin", "decide"], "default": "decide"}]}"##;

    fn begin(setup: &Setup<'_>) -> Result<Panics, String> {
        assert!(setup.param("when") == "decide", "no model for {} processors", setup.capacity()[0]);
        Ok(Panics)
    }

    fn decide(&mut self, state: &State<'_>, _: &mut Answer) {
        let number = state.jobs()[0].number;
        panic!("no model for job {number}");
    }
}

export!(Panics);
"###;

/// The kinds of builds and their compilers: the toolchain's own, and the system's, which may be as old as Rust 1.63.
const BUILDS: [(&str, &str); 3] = [("so", "rustc"), ("wasm", "rustc"), ("wasm", "/usr/bin/rustc")];

fn has_target(compiler: &str) -> bool {
    let printed = Command::new(compiler).args(["--print", "target-libdir", "--target", TARGET]).output();
    printed.is_ok_and(|done| {
        done.status.success() && Path::new(String::from_utf8_lossy(&done.stdout).trim()).exists()
    })
}

/// Returns the first compiler that has the target; `None` if there is none.
pub fn compiler_to_wasm() -> Option<&'static str> {
    let mut builds = BUILDS.into_iter().filter(|&(end, _)| end == "wasm");
    builds.find_map(|(_, compiler)| has_target(compiler).then_some(compiler))
}

/// Compiles a source into a folder; returns its name in a spec, or `None`, with the reason printed, if it
/// cannot be compiled here.
fn compiled(folder: &Folder, source: &Path, (end, compiler): (&str, &str)) -> Option<String> {
    let target: &[&str] = if end == "wasm" { &["--target", TARGET] } else { &[] };
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {compiler} here");
        return None;
    }
    if end == "wasm" && !(cfg!(feature = "wasm") && has_target(compiler)) {
        eprintln!("skipped: {compiler} has no target {TARGET} (rustup target add {TARGET})");
        return None;
    }
    let made = folder.path("").join(source.file_stem().unwrap()).with_extension(end);
    let fixed = ["--edition", "2021", "-O", "-D", "warnings", "--crate-type", "cdylib"];
    let done =
        Command::new(compiler).args(fixed).args(target).arg("-o").arg(&made).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(format!("{end}:({})", made.display()))
}

/// Compiles the policies beside the module: fcfs, and sjf as an order of easy.
fn shipped(folder: &Folder, build: (&str, &str)) -> Option<(String, String)> {
    let source = |name: &str| Path::new(SOURCES).join(name);
    let fcfs = compiled(folder, &source("fcfs.rs"), build)?;
    let sjf = compiled(folder, &source("sjf.rs"), build)?;
    Some((fcfs, format!("easy:order=({sjf})")))
}

#[test]
fn the_policies_are_the_built_in_ones_as_libraries_and_as_modules() {
    for build in BUILDS {
        let folder = Folder::new();
        let Some((fcfs, sjf)) = shipped(&folder, build) else { continue };
        conforms(&fcfs, Some("fcfs"), "40", &[]);
        conforms(&sjf, Some("easy:order=sjf"), "40", &[]);
    }
}

#[test]
fn the_schedules_of_a_log_are_those_of_the_built_in_ones() {
    const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/data/harbour-128.swf.gz");
    for build in BUILDS {
        let folder = Folder::new();
        let Some((fcfs, sjf)) = shipped(&folder, build) else { continue };
        let schedule = |policy: &str| {
            let file = ["--policy", policy, "--schedule", "schedule.csv"];
            folder.run(&[&["replay", LOG, "-q", "--allow-native"], &file[..]].concat()).succeeded();
            folder.read("schedule.csv")
        };
        assert!(schedule("fcfs").lines().count() > 1000);
        assert!(schedule("fcfs") != schedule("easy:order=sjf"));
        for (guest, built_in) in [(&*fcfs, "fcfs"), (&*sjf, "easy:order=sjf")] {
            assert!(schedule(guest) == schedule(built_in), "{guest} by {} is another", build.1);
        }
    }
}

#[test]
fn the_message_of_a_panic_is_the_error() {
    let folder = Folder::new();
    folder.write("panics.rs", PANICS);
    folder.write("batchlab.rs", &std::fs::read_to_string(format!("{SOURCES}/batchlab.rs")).unwrap());
    folder.write("a.swf", &crate::cmd::four_jobs());
    for build in BUILDS {
        let Some(guest) = compiled(&folder, &folder.path("panics.rs"), build) else { continue };
        let fails = |option: &str, words: &str| {
            let spec = format!("{guest}{option}");
            let done = folder.run(&[
                "replay",
                "a.swf",
                "-q",
                "--allow-native",
                "--policy",
                &spec,
                "--policy",
                "fcfs",
            ]);
            assert_eq!(done.code, 4, "{}", done.err);
            assert!(
                done.err.contains(words) && done.err.contains("panics.rs:"),
                "`{words}` is not in: {}",
                done.err
            );
            assert!(!done.err.contains("unreachable"), "{}", done.err);
            assert_eq!(done.err.lines().count(), 1, "{}", done.err);
            assert!(done.out.contains("fcfs"), "{}", done.out);
        };
        fails("", "no model for job 1");
        fails(",when=begin", "no model for 4 processors");
    }
}

#[test]
fn the_module_has_the_numbers_of_the_header() {
    let module = std::fs::read_to_string(format!("{SOURCES}/batchlab.rs")).unwrap();
    let header = std::fs::read_to_string(format!("{SOURCES}/../batchlab.h")).unwrap();
    let events =
        header.split("/* Kinds of events. */").nth(1).and_then(|rest| rest.split("};").next()).unwrap();
    let mut compared = 0;
    for line in events.lines().filter_map(|line| line.trim().strip_prefix("BATCHLAB_")) {
        let (name, rest) = line.split_once(" = ").unwrap();
        let number = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap();
        assert!(module.contains(&format!("pub const {name}: u32 = {number};")), "{name} = {number}");
        compared += 1;
    }
    assert_eq!(compared, 9);
    let verbs = header.split("/* Kinds of verbs; they are applied in order. */").nth(1).unwrap();
    for (name, method) in [
        ("START", "start"),
        ("PLACE", "place"),
        ("RATE", "rate"),
        ("RUN_ONLY", "run_only"),
        ("DISPLACE", "displace"),
        ("KILL", "kill"),
        ("WAKE", "wake"),
        ("EXPECT", "expect"),
        ("PROMISE", "promise"),
    ] {
        let (_, rest) = verbs.split_once(&format!("BATCHLAB_{name} = ")).unwrap();
        let number = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap();
        let (_, body) = module.split_once(&format!("pub fn {method}(&mut self")).unwrap();
        let said = body.split("self.say(").nth(1).unwrap().split(',').next().unwrap();
        assert_eq!(said, number, "{name}");
    }
}

type Fields = Vec<(String, String)>;

fn of_header(header: &str, name: &str) -> Fields {
    let (before, _) = header.split_once(&format!("}} {name};")).unwrap();
    let (_, body) = before.rsplit_once("typedef struct {").unwrap();
    let kind = |kind: &str| match kind {
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "int64_t" => "i64",
        other => panic!("{other} is no type of a record"),
    };
    let field = |line: &str| {
        let (kind_of, rest) = line.trim().split_once(' ').unwrap();
        (rest.split(';').next().unwrap().to_owned(), kind(kind_of).to_owned())
    };
    body.trim().lines().map(field).collect()
}

fn of_module(module: &str, name: &str) -> Fields {
    let (before, rest) = module.split_once(&format!("pub struct {name} {{")).unwrap();
    assert!(before.rsplit("\n\n").next().unwrap().contains("#[repr(C)]"), "{name} has a layout of Rust's");
    let (body, _) = rest.split_once('}').unwrap();
    let field = |line: &str| {
        let (field, kind) = line.trim().strip_prefix("pub ").unwrap().split_once(": ").unwrap();
        (field.to_owned(), kind.trim_end_matches(',').to_owned())
    };
    body.trim().lines().map(field).collect()
}

/// Fields of the same types in the same order have the same offsets: both are laid out as in C. The tests of
/// `policies/external/src/abi` compare the program's records with the header.
#[test]
fn the_records_of_the_module_are_those_of_the_header() {
    let module = std::fs::read_to_string(format!("{SOURCES}/batchlab.rs")).unwrap();
    let header = std::fs::read_to_string(format!("{SOURCES}/../batchlab.h")).unwrap();
    for (record, structure, fields) in [
        ("SetupRecord", "batchlab_setup", 10),
        ("Event", "batchlab_event", 3),
        ("Job", "batchlab_job", 14),
        ("StateRecord", "batchlab_state", 12),
        ("VerbRecord", "batchlab_verb", 3),
    ] {
        let ours = of_module(&module, record);
        assert_eq!(ours, of_header(&header, structure), "{record}");
        assert_eq!(ours.len(), fields, "{record}");
    }
    for (constant, define) in
        [("VERSION: u32", "VERSION"), ("SECOND: i64", "TICKS_PER_SECOND"), ("FULL_SPEED: i64", "FULL_SPEED")]
    {
        let (_, rest) = module.split_once(&format!("pub const {constant} = ")).unwrap();
        let ours = rest.split(';').next().unwrap().replace('_', "");
        let (_, rest) = header.split_once(&format!("#define BATCHLAB_{define} ")).unwrap();
        assert_eq!(Some(ours.as_str()), rest.split_whitespace().next(), "{define}");
    }
    // Verbs that only follow others: a share of a placement, a job of a row.
    for (name, said) in [("SHARE", "self.say(3, node, procs)"), ("ROW", "self.say(6, job, 0)")] {
        let (_, rest) = header.split_once(&format!("BATCHLAB_{name} = ")).unwrap();
        let number = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap();
        assert!(said.contains(&format!("say({number},")) && module.contains(said), "{name} = {number}");
    }
}
