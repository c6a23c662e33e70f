//! Plug-ins in Rust: the module to copy, and the policies beside it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::conform::conforms;
use crate::cmd::Folder;

/// The target of the compiler that makes WebAssembly modules.
pub const TARGET: &str = "wasm32-unknown-unknown";

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/rust");

/// A policy that panics at its first decision, or as it begins where it is told to.
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

/// Whether the compiler has the target; `false` where there is no compiler.
pub fn has_target() -> bool {
    let printed = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    printed.is_ok_and(|done| {
        done.status.success() && Path::new(String::from_utf8_lossy(&done.stdout).trim()).exists()
    })
}

/// Compiles a source to a library or a module beside it; `None`, with the reason printed, where that cannot be done here.
fn compiled(source: &Path, end: &str) -> Option<PathBuf> {
    if Command::new("rustc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Rust compiler, `rustc`");
        return None;
    }
    let target: &[&str] = match end {
        "wasm" if !(cfg!(feature = "wasm") && has_target()) => {
            eprintln!("skipped: rustc has no target {TARGET} here (rustup target add {TARGET})");
            return None;
        }
        "wasm" => &["--target", TARGET],
        _ => &[],
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins-in-rust");
    std::fs::create_dir_all(&folder).unwrap();
    let made = folder.join(source.file_stem().unwrap()).with_extension(end);
    let fixed = ["--edition", "2024", "-O", "-D", "warnings", "--crate-type", "cdylib"];
    let done =
        Command::new("rustc").args(fixed).args(target).arg("-o").arg(&made).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(made)
}

/// Compiles a policy that stands beside the module.
fn shipped(name: &str, end: &str) -> Option<String> {
    let made = compiled(&Path::new(SOURCES).join(name).with_extension("rs"), end)?;
    Some(format!("{end}:({})", made.display()))
}

#[test]
fn the_policies_are_the_built_in_ones_as_libraries_and_as_modules() {
    for end in ["so", "wasm"] {
        let Some((fcfs, sjf)) = shipped("fcfs", end).zip(shipped("sjf", end)) else { continue };
        conforms(&fcfs, Some("fcfs"), "40", &[]);
        conforms(&format!("easy:order=({sjf})"), Some("easy:order=sjf"), "40", &[]);
    }
}

#[test]
fn the_message_of_a_panic_is_the_error() {
    let folder = Folder::new();
    folder.write("panics.rs", PANICS);
    folder.write("batchlab.rs", &std::fs::read_to_string(format!("{SOURCES}/batchlab.rs")).unwrap());
    folder.write("a.swf", &crate::cmd::four_jobs());
    for end in ["so", "wasm"] {
        let Some(made) = compiled(&folder.path("panics.rs"), end) else { continue };
        let fails = |option: &str, words: &str| {
            let spec = format!("{end}:({}){option}", made.display());
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
            assert_eq!(done.err.lines().count(), 1, "{}", done.err);
            assert!(done.out.contains("fcfs"), "{}", done.out);
        };
        fails("", "no model for job 1");
        fails(",when=begin", "no model for 4 processors");
    }
}

/// The constants of the module are those of the header.
#[test]
fn the_module_has_the_numbers_of_the_header() {
    let module = std::fs::read_to_string(format!("{SOURCES}/batchlab.rs")).unwrap();
    let header = std::fs::read_to_string(format!("{SOURCES}/../batchlab.h")).unwrap();
    let events =
        header.split("/* What happened. */").nth(1).and_then(|rest| rest.split("};").next()).unwrap();
    let mut compared = 0;
    for line in events.lines().filter_map(|line| line.trim().strip_prefix("BATCHLAB_")) {
        let (name, rest) = line.split_once(" = ").unwrap();
        let number = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap();
        assert!(module.contains(&format!("pub const {name}: u32 = {number};")), "{name} = {number}");
        compared += 1;
    }
    assert_eq!(compared, 8);
    let verbs = header.split("/* What a policy wants done, in order. */").nth(1).unwrap();
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
