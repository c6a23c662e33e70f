//! Runs the stored corpora of the fuzz targets through the fuzzed functions.

#[path = "fuzz/mutated.rs"]
mod mutated;
#[path = "fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus");

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/parsers/tests/samples");

struct About<'a>(&'a str, &'a Path);

impl Drop for About<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("fuzz target {}: {}", self.0, self.1.display());
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn run(target: &str, file: &Path, before: &[u8]) {
    let _about = About(target, file);
    targets::run(target, &[before, &fs::read(file).unwrap()].concat());
}

#[test]
fn kept_inputs_of_every_target_hold() {
    let mut corpora: Vec<String> = files(Path::new(CORPUS))
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().into())
        .collect();
    let mut names: Vec<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    corpora.sort_unstable();
    assert_eq!(corpora, names);
    for name in names {
        let kept = files(&Path::new(CORPUS).join(name));
        assert!(!kept.is_empty(), "{name} has no corpus");
        for file in kept {
            run(name, &file, b"");
        }
    }
}

#[test]
fn every_target_has_its_binary_and_is_no_member_of_the_workspace() {
    let manifest = include_str!("fuzz/Cargo.toml");
    assert!(manifest.contains("\n[workspace]\n"));
    for (name, _) in targets::TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")),
            "{name}"
        );
    }
}

#[test]
fn samples_of_the_formats_hold() {
    for format in files(Path::new(SAMPLES)) {
        let name = format.file_name().unwrap().to_str().unwrap();
        let target = match name {
            "sacct-json" | "slurm-jobcomp" => "slurm",
            "squeue" | "squeue-json" | "slurm-show-job" => "queues",
            "sge" | "uge" => "sge",
            "nas" | "sdsc-joblog" | "sdsc-blue" => "archive",
            "swf" | "sacct" | "pbs" | "lsf" => name,
            "mapping" | "sdsc-paragon" => continue,
            _ => "tables",
        };
        let several = ["slurm", "queues", "archive", "tables"].contains(&target);
        let before = if several { format!("{name}\n") } else { String::new() };
        let is_log = |file: &&PathBuf| !file.to_str().unwrap().contains("expected");
        for file in files(&format).iter().filter(is_log) {
            run(target, file, before.as_bytes());
            run("detected", file, b"");
        }
    }
}
