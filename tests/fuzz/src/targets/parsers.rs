//! Logs of every format.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use batchlab_parsers::read::read_swf;
use batchlab_parsers::table::mapping_file;
use batchlab_parsers::{FORMATS, Input, Mapping, Options, ReadError, format, read_trace, swf as format_swf};
use batchlab_traces::Trace;
use batchlab_traces::trace::TraceBuilder;

pub fn swf(bytes: &[u8]) {
    check(read_plain(bytes.to_vec()));
}

pub fn sacct(bytes: &[u8]) {
    read_as("sacct", bytes);
}

pub fn slurm(bytes: &[u8]) {
    read_one_of(&["sacct-json", "slurm-jobcomp"], bytes);
}

pub fn queues(bytes: &[u8]) {
    read_one_of(&["squeue", "squeue-json", "slurm-show-job"], bytes);
}

pub fn pbs(bytes: &[u8]) {
    read_as("pbs", bytes);
}

pub fn lsf(bytes: &[u8]) {
    read_as("lsf", bytes);
}

/// Grid Engine; both formats share one reader.
pub fn sge(bytes: &[u8]) {
    read_as("sge", bytes);
}

/// Logs of the archive before their conversion.
pub fn archive(bytes: &[u8]) {
    read_one_of(&["nas", "sdsc-joblog", "sdsc-blue"], bytes);
}

pub fn tables(bytes: &[u8]) {
    const TABLES: [&str; 7] =
        ["gwf", "maui", "cerit", "cerit-walltime", "metacentrum", "slurmsim-swf", "openb"];
    read_one_of(&TABLES, bytes);
}

/// A mapping file, a line `%%`, and a table; a file without that line is used as both.
pub fn mapping(bytes: &[u8]) {
    const LINE: &[u8] = b"\n%%\n";
    let at = bytes.windows(LINE.len()).position(|window| window == LINE);
    let (file, table) = at.map_or((bytes, bytes), |at| (&bytes[..at], &bytes[at + LINE.len()..]));
    let Ok(mapping) = String::from_utf8_lossy(file).parse::<Mapping>() else { return };
    let options = Options { mapping: Some(mapping.into()), ..Options::default() };
    check(read_trace(Input::from_bytes("log", table.to_vec()), &options));
}

/// Any format that is detected from the content, including packed files.
pub fn detected(bytes: &[u8]) {
    for spec in FORMATS {
        assert!((spec.likeness)(bytes) <= 100, "{}", spec.name);
    }
    check(read_trace(Input::from_bytes("log", bytes.to_vec()), &Options::default()));
}

/// Reads a log as the format named in its first line; without a name, its length selects the format.
fn read_one_of(formats: &[&str], bytes: &[u8]) {
    let (first, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0));
    match formats.iter().find(|name| name.as_bytes() == first) {
        Some(name) => read_as(name, &rest[1..]),
        None => read_as(formats[bytes.len() % formats.len()], bytes),
    }
}

fn read_as(name: &str, bytes: &[u8]) {
    // With a mapping given, a table is not compared with other formats.
    static MAPPINGS: LazyLock<HashMap<&str, Arc<Mapping>>> = LazyLock::new(|| {
        let parsed = |name| Some((name, Arc::new(mapping_file(name)?.parse().ok()?)));
        FORMATS.iter().filter_map(|spec| parsed(spec.name)).collect()
    });
    let mapping = MAPPINGS.get(name).cloned();
    let options = Options { format: format(name), explain: 2, mapping, ..Options::default() };
    check(read_trace(Input::from_bytes("log", bytes.to_vec()), &options));
}

fn read_plain(bytes: Vec<u8>) -> Result<Trace, ReadError> {
    let mut builder = TraceBuilder::new();
    let log = read_swf(Input::from_bytes("log", bytes), false, &mut builder)?;
    Ok(builder.finish(log.header, log.source, log.findings)?)
}

/// Property of every log that can be read: written and read again, its rows are unchanged.
fn check(read: Result<Trace, ReadError>) {
    let trace = match read {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for finding in trace.findings.list() {
        assert!(!finding.to_string().is_empty());
    }
    let text = written(&trace);
    let again = read_plain(text.clone().into_bytes())
        .unwrap_or_else(|error| panic!("what was written is not read: {error}"));
    assert_eq!(again.len(), trace.len(), "jobs are lost by writing");
    assert!(rows(&written(&again)).eq(rows(&text)), "rows change by writing");
}

fn written(trace: &Trace) -> String {
    let mut bytes = Vec::new();
    format_swf::write(trace, &mut bytes).expect("memory takes all bytes");
    String::from_utf8(bytes).expect("what is written is text")
}

fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with(';'))
}
