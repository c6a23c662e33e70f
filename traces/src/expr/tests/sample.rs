//! A small log for the tests.

use crate::expr::{Expr, ExprError, Program, Vocabulary};
use crate::header::{ColumnScope, Header, Named, ResourceDeclaration};
use crate::provenance::Source;
use crate::trace::TraceBuilder;
use crate::{Field, Findings, Record, RecordSink, Trace};

#[rustfmt::skip]
const TOLD: [Field; 11] = [
    Field::Job, Field::Submit, Field::Wait, Field::Run, Field::Allocated, Field::Requested, Field::RequestedTime,
    Field::UsedMemory, Field::RequestedMemory, Field::User, Field::Queue,
];

#[rustfmt::skip]
const JOBS: [[i64; 12]; 4] = [
    // job submit wait   run alloc  req  time  used  requested user queue gpus
    [1,      0,   10,  3600,    4,   4, 7200, 2048,      4096,  17,    0,    0],
    [2, 25_200,    0,    60,    1,  -1,   -1,  512,        -1,  18,    1,    2],
    [3, 90_000,   -1,    -1,   -1,   8,  600,   -1, 1_048_576,  17,    1,   -1],
    [4, 90_000,    5, 18_000,  16,  32, 14_400, -1,        -1,  -1,   -1,    4],
];

/// Returns the sample, whose zero is Monday 2006-12-18 at 00:00 in Stockholm.
pub(super) fn trace() -> Trace {
    let named = |number, name: &str| Named { number, name: name.into() };
    let column = |name: &str, unit: &str| ResourceDeclaration::new(name, unit, ColumnScope::Node);
    let header = Header {
        unix_start_time: Some(1_166_396_400),
        time_zone_string: Some("Europe/Stockholm".into()),
        queue: vec![named(0, "interactive"), named(1, "normal (up to 4 h)")],
        resources: vec![column("gpu", ""), column("scratch space", "MB")],
        ..Header::default()
    };
    let mut builder = TraceBuilder::new();
    let mut record = Record::default();
    for (line, job) in (10..).zip(JOBS) {
        for (field, value) in TOLD.into_iter().zip(job) {
            record.set_whole(field, value);
        }
        record.extra = vec![job[11], job[11]];
        record.line = line;
        builder.record(&record);
    }
    builder.finish(header, Source::default(), Findings::lenient()).unwrap()
}

pub(super) fn compiled(text: &str) -> Result<Program, ExprError> {
    Expr::parse(text)?.compile(&Vocabulary::trace(&trace()))
}

pub(super) fn values(text: &str) -> Vec<f64> {
    compiled(text).unwrap_or_else(|error| panic!("{error}")).numbers(&trace())
}

/// Returns the value of an expression that reads no rows.
pub(super) fn value(text: &str) -> f64 {
    let program = compiled(text).unwrap_or_else(|error| panic!("{error}"));
    program.constant().unwrap_or_else(|| panic!("`{text}` is no constant"))
}

/// Returns the numbers of the jobs of a trace for which a condition holds.
pub(super) fn jobs(text: &str, trace: &Trace) -> String {
    let program = Expr::parse(text).and_then(|expr| expr.condition(&Vocabulary::trace(trace)));
    let holds = program.unwrap_or_else(|error| panic!("{error}")).bools(trace);
    let chosen = (0..trace.len()).filter(|row| holds[*row]);
    chosen.map(|row| trace.get(row, Field::Job).to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the error of a wrong expression, as printed.
pub(super) fn error(text: &str) -> String {
    compiled(text).map(|program| panic!("`{text}` gives {}", program.kind())).unwrap_err().to_string()
}

/// Returns the rows of a section of `rows.txt`: a text, and what is expected of it.
pub(super) fn rows(section: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut sections = include_str!("rows.txt").split("\n== ");
    let rows = sections.find_map(|rows| rows.strip_prefix(section)?.strip_prefix('\n')).unwrap();
    let rows = rows.lines().filter(|row| !row.is_empty() && !row.starts_with("# "));
    rows.map(|row| row.split_once(" ->").unwrap()).map(|(text, expected)| (text, expected.trim_start()))
}
