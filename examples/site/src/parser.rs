//! A log format: the lines that the epilogue of the machine Harbour writes, one for each ended job.
//!
//! ```text
//! job=101 user=ann cores=48 limit=02:30:00 submit=1709251200 start=1709251200 end=1709258400 exit=0
//! ```
//!
//! The words may be in any order. Times are seconds since 1970; a job that was deleted in the queue has no
//! `start` and no `exit`.
//! (A table with one column per value needs no parser: `--mapping` describes it.)

use batchlab::parsers::entry::{AccountingEntry, Name};
use batchlab::parsers::format::share_of_lines;
use batchlab::parsers::lines::Line;
use batchlab::parsers::normal::{LogPlan, Normaliser, counted};
use batchlab::parsers::pass::LineReader;
use batchlab::parsers::reporter::Reporter;
use batchlab::parsers::{Explanation, FormatSpec, Pass, ReadError};
use batchlab::traces::notation::{Bound, duration, whole};
use batchlab::traces::{Header, Kind, Level, Time};

/// The format's description; `list formats harbour` prints it.
pub static SPEC: FormatSpec = FormatSpec {
    name: "harbour",
    summary: "epilogue log of Harbour: words such as user=ann, one job a line",
    cite: "the epilogue script of Harbour",
    looks_like: "lines with job=, cores= and submit=",
    // 100 if every line is a job; from 50 on, a file is read as a log of this format.
    likeness: |beginning| share_of_lines(beginning, |line| entry(line).is_some()),
    read,
};

static NO_JOB: Kind = Kind {
    code: "harbour-no-job",
    level: Level::Warning,
    what: "{line|lines} without job, cores or submit time",
    done: "left out",
    advice: "look whether the disk was full when the epilogue ran",
};

/// Keys with their destinations.
const KEYS: [(&str, &str); 8] = [
    ("job", "job number"),
    ("user", "user"),
    ("cores", "allocated and requested processors"),
    ("limit", "requested time"),
    ("submit", "submit time"),
    ("start", "wait time"),
    ("end", "run time"),
    ("exit", "status"),
];

fn read(pass: &mut Pass<'_>) -> Result<Header, ReadError> {
    let header = Header { computer: Some("Harbour".into()), max_procs: counted(64), ..Header::default() };
    let mut log = Harbour { normaliser: Normaliser::new(LogPlan { header, ..LogPlan::default() }) };
    pass.lines(&mut log)?;
    pass.finish(log.normaliser, None, &SPEC, "no line is a job")
}

struct Harbour {
    normaliser: Normaliser,
}

impl LineReader for Harbour {
    // If more lines than not are of this kind, the log is refused as another format.
    const NO_RECORD: &'static [&'static Kind] = &[&NO_JOB];

    fn line(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        explanation: &mut Explanation,
    ) -> Result<(), ReadError> {
        if line.bytes.starts_with(b"#") {
            return Ok(());
        }
        let Some(entry) = entry(line.bytes) else {
            return Ok(reporter.report(&NO_JOB, line, line.bytes, |text| text)?);
        };
        // The normaliser sorts, counts and corrects by the rules of the Parallel Workloads Archive.
        self.normaliser.entry(&AccountingEntry { line: line.number, ..entry }, reporter)?;
        if let Some(explained) = explanation.line(line.number) {
            for (key, to) in KEYS {
                explained.cell(key, value(line.bytes, key).unwrap_or_default(), to);
            }
        }
        Ok(())
    }
}

/// Returns the job of a line; `None` if the line is not a record.
fn entry(line: &[u8]) -> Option<AccountingEntry<'_>> {
    let seconds = |key| value(line, key).and_then(whole).map(Time::from_secs);
    let cores = value(line, "cores").and_then(whole)?;
    Some(AccountingEntry {
        number: Some(value(line, "job").and_then(whole)?),
        submit: Some(seconds("submit")?),
        start: seconds("start"),
        end: seconds("end"),
        never_started: value(line, "start").is_none(),
        allocated: Some(cores),
        requested: Some(cores),
        requested_time: value(line, "limit").and_then(duration::clock).map(Bound::Most),
        // As in SWF: 1 completed, 0 failed, 5 cancelled.
        status: match value(line, "exit") {
            Some(b"0") => Some(1),
            Some(_) => Some(0),
            None => Some(5),
        },
        user: value(line, "user").map_or(Name::Unknown, Name::of),
        ..AccountingEntry::default()
    })
}

/// Returns the value of a key: `16` of `cores` where a word is `cores=16`.
fn value<'a>(line: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let mut words = line.split(u8::is_ascii_whitespace);
    words.find_map(|word| word.strip_prefix(key.as_bytes())?.strip_prefix(b"="))
}
