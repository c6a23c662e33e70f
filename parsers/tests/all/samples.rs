//! Tests of the samples beside the tests: the exact records that every format gives.
//!
//! `samples/FORMAT/NAME.EXT` is a log of the format, and `samples/FORMAT/NAME.expected.swf` (or
//! `expected.swf` if the folder has one log) is the expected result. Its lines that begin with `;#` are
//! instructions to the test: `;# zone Europe/Stockholm` is the zone to read with, `;# findings code*2
//! other-code` the findings in order, and `;# named` says that the format cannot be detected from the content
//! and must be named. If there are other header lines, the header is compared as well, else only the rows.
//! A log with another kind of expectation, `NAME.expected`, is compared by another test; it is not one of
//! these samples if it cannot be read without options. A table that only a mapping describes has its mapping
//! beside it, `NAME.toml`; its format cannot be detected from its content.
//! `UPDATE_SAMPLES=1 cargo test -p batchlab-parsers samples` rewrites the expectations; check the difference.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use batchlab_parsers::{FORMATS, FormatSpec, Input, Mapping, Options, detect, format, read_trace, swf};
use batchlab_traces::Trace;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");

pub struct Sample {
    pub format: &'static FormatSpec,
    pub path: PathBuf,
    /// The content.
    pub bytes: Vec<u8>,
    expected: PathBuf,
    /// The mapping, if only a mapping describes the columns.
    mapping: Option<Arc<Mapping>>,
}

impl Sample {
    pub fn options(&self) -> Options {
        let zone = self.said("zone").and_then(|zone| zone.parse().ok());
        let format = self.is_named().then_some(self.format);
        Options { zone, format, mapping: self.mapping.clone(), ..Options::default() }
    }

    /// Whether the format cannot be detected from the content.
    pub fn is_named(&self) -> bool {
        self.mapping.is_some() || self.said("named").is_some()
    }

    /// Whether another test compares the result.
    fn is_kept_elsewhere(&self) -> bool {
        self.path.with_extension("expected").exists()
    }

    fn reads_without_ado(&self) -> bool {
        let input = Input::from_bytes("log", self.bytes.clone());
        read_trace(input, &Options::default())
            .is_ok_and(|read| read.provenance.source.format == self.format.name)
    }

    pub fn name(&self) -> String {
        self.path.strip_prefix(FOLDER).unwrap().to_str().unwrap().to_owned()
    }

    fn expectation(&self) -> String {
        std::fs::read_to_string(&self.expected).unwrap_or_default()
    }

    fn said(&self, word: &str) -> Option<String> {
        let text = self.expectation();
        let mut said =
            text.lines().filter_map(|line| line.strip_prefix(";#")?.trim_start().strip_prefix(word));
        said.next().map(|rest| rest.trim().to_owned())
    }

    fn update(&self, trace: &Trace) {
        let kept =
            |word| self.said(word).map(|said| format!(";# {word} {said}").trim_end().to_owned() + "\n");
        let zone = [kept("zone"), kept("named")].into_iter().flatten().collect::<String>();
        let findings = format!(";# findings {}", findings(trace));
        let text = format!("{zone}{}\n{}", findings.trim_end(), written(trace));
        std::fs::write(&self.expected, text).unwrap();
    }
}

pub fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for folder in entries(Path::new(FOLDER)) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let format = format(name).unwrap_or_else(|| panic!("samples/{name}: no format of that name"));
        let beside = ["expected.swf", ".expected", ".toml"];
        let is_log = |path: &PathBuf| !beside.iter().any(|end| path.to_str().unwrap().ends_with(end));
        let logs: Vec<PathBuf> = entries(&folder).into_iter().filter(is_log).collect();
        let only = logs.len() == 1;
        for path in logs {
            let own = path.with_extension("expected.swf");
            let shared = folder.join("expected.swf");
            let expected = if only && shared.exists() { shared } else { own };
            let mapping = std::fs::read_to_string(path.with_extension("toml")).ok();
            let mapping = mapping.map(|text| Arc::new(text.parse().unwrap()));
            let sample = Sample { format, bytes: std::fs::read(&path).unwrap(), path, expected, mapping };
            if !sample.is_kept_elsewhere() || sample.reads_without_ado() {
                samples.push(sample);
            }
        }
    }
    samples
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'));
    paths.sort();
    paths
}

/// Formats findings as expectations write them: `code` or `code*count`, in order.
pub fn findings(trace: &Trace) -> String {
    let each = trace.findings.list().iter().map(|finding| match finding.count {
        1 => finding.kind.code.to_owned(),
        count => format!("{}*{count}", finding.kind.code),
    });
    each.collect::<Vec<_>>().join(" ")
}

pub fn written(trace: &Trace) -> String {
    let mut bytes = Vec::new();
    swf::write(trace, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn rows(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with(';')).collect()
}

#[test]
fn every_sample_is_known_by_its_content_and_read_as_expected() {
    for sample in samples() {
        let name = sample.name();
        if sample.mapping.is_none() {
            let told = (!sample.is_named()).then_some(sample.format.name);
            assert_eq!(detect(&sample.bytes).map(|spec| spec.name), told, "{name}");
        }
        let trace = read_trace(Input::from_bytes(&name, sample.bytes.clone()), &sample.options())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        if sample.is_kept_elsewhere() {
            continue;
        }
        if std::env::var_os("UPDATE_SAMPLES").is_some() {
            sample.update(&trace);
        }
        let (expected, got) = (sample.expectation(), written(&trace));
        assert_eq!(rows(&got), rows(&expected), "rows of {name}");
        if let Some(said) = sample.said("findings") {
            assert_eq!(findings(&trace), said, "findings of {name}");
        }
        let header: Vec<&str> =
            expected.lines().filter(|line| line.starts_with(';') && !line.starts_with(";#")).collect();
        if !header.is_empty() {
            let own: Vec<&str> = got.lines().filter(|line| line.starts_with(';')).collect();
            assert_eq!(own, header, "header of {name}");
        }
    }
}

#[test]
fn every_format_has_a_sample() {
    let samples = samples();
    for spec in FORMATS {
        let there = samples.iter().any(|sample| sample.format.name == spec.name);
        assert!(there, "put a log and its expected.swf into samples/{}", spec.name);
    }
}
