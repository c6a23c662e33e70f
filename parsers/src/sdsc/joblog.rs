//! The NPACI JOBLOG of the SDSC SP2: 29 comma-separated fields, without quotation.
//!
//! Mapped as by the archive: submit 2, start 3 (0: never), end 4, processors 10, CPU time 6 divided by 10,
//! memory 12, requested processors 27, time 25 and memory 26, status 28 (1 success, 2 cancelled, any other
//! unknown), user 0, group 1, application 20, queue 5 with the archive's numbers. The recorded wait, 17, is
//! only compared. -1 marks a value that the log could not record.
//!
//! Two differences from the archive: a job that never started and did not succeed has no run time (the
//! archive's rules would count its time in the queue), and a line whose last field is empty has 29 fields
//! here and an unknown status.

use batchlab_traces::notation::{Bound, number};
use batchlab_traces::{Header, Kind};
use nom::bytes::complete::{tag, take_till};
use nom::combinator::all_consuming;
use nom::multi::fill;
use nom::sequence::terminated;
use nom::{IResult, Parser};

use super::kinds;
use super::values::{QUEUES, SdscFields, per_processor};
use crate::clock::LocalClock;
use crate::entry::AccountingEntry;
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::{FormatSpec, share_of_lines};
use crate::lines::Line;
use crate::normal::{LogPlan, Normaliser, counted};
use crate::pass::{LineReader, Pass};
use crate::reporter::Reporter;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "sdsc-joblog",
    summary: "SDSC SP2 accounting: NPACI JOBLOG, 29 fields between commas",
    cite: "Parallel Workloads Archive, log SDSC-SP2-1998 and its description of the JOBLOG",
    looks_like: "lines of 29 fields between commas, three epoch seconds from the third on",
    likeness: |beginning| match share_of_lines(beginning, fits) {
        share @ 80.. => share,
        share => share / 2,
    },
    read,
};

const FIELDS: usize = 29;

const COLUMNS: [(&str, &str); FIELDS] = [
    ("login name", "user"),
    ("account", "group"),
    ("queue date", "submit time"),
    ("start date", "start"),
    ("end date", "end"),
    ("queue", "queue"),
    ("CPU time", "average CPU time"),
    ("wall-clock processor seconds", "not used"),
    ("seconds charged", "not used"),
    ("sum of nodes", "not used"),
    ("max nodes", "allocated processors"),
    ("number of steps", "not used"),
    ("memory high-water mark", "used memory"),
    ("memory KB-hours", "not used"),
    ("I/O MB", "not used"),
    ("disk charge", "not used"),
    ("connect time", "not used"),
    ("wait time", "check of the wait time"),
    ("slowdown", "not used"),
    ("priority", "not used"),
    ("application", "executable"),
    ("job id", "not used"),
    ("queueing system's job id", "not used"),
    ("submit, readable", "not used"),
    ("end, readable", "not used"),
    ("requested wall-clock", "requested time"),
    ("requested memory", "requested memory"),
    ("requested nodes", "requested processors"),
    ("completion status", "status"),
];

fn fits(line: &[u8]) -> bool {
    let is_time = |text: &[u8]| {
        number(text).is_some_and(|number| number.value <= 0 || number.truncated() > 100_000_000)
    };
    fields(line).is_some_and(|fields| {
        fields[2..5].iter().all(|field| is_time(field))
            && [6, 10, 17, 25, 27].iter().all(|&at| number(fields[at]).is_some())
    })
}

/// Splits a line; `None` unless it has exactly 29 fields.
fn fields(line: &[u8]) -> Option<[&[u8]; FIELDS]> {
    let mut fields = [&b""[..]; FIELDS];
    let (last, front) = fields.split_last_mut()?;
    let rest = fill(terminated(field, tag(",")), front).parse(line.trim_ascii()).ok()?.0;
    *last = all_consuming(field).parse(rest).ok()?.1;
    Some(fields)
}

/// Parses one field between commas, without the blanks around it.
fn field(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_till(|byte| byte == b',').map(<[u8]>::trim_ascii).parse(input)
}

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    let zone = LocalClock::new(pass.options.zone, "America/Los_Angeles".parse().ok()).zone();
    let plan = LogPlan { header: machine(), zone: Some(zone), queues: QUEUES, ..LogPlan::default() };
    let mut log = Joblog { normaliser: Normaliser::new(plan) };
    pass.lines(&mut log)?;
    pass.finish(log.normaliser, None, &SPEC, "no line has 29 fields between commas")
}

fn machine() -> Header {
    Header {
        computer: Some("IBM SP2".into()),
        installation: Some("San Diego Supercomputer Center (SDSC)".into()),
        acknowledge: vec![
            "the JOBLOG data is Copyright 2000 The Regents of the University of California, \
             free for educational, research and non-profit purposes, with this notice kept"
                .into(),
        ],
        max_nodes: counted(128),
        max_procs: counted(128),
        ..Header::default()
    }
}

struct Joblog {
    normaliser: Normaliser,
}

impl LineReader for Joblog {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::FIELD_COUNT];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(values) = fields(line.bytes) else {
            return Ok(reporter.report(&kinds::FIELD_COUNT, line, line.bytes, |text| text)?);
        };
        let fields = SdscFields { line, columns: &COLUMNS, values: &values };
        let allocated = fields.count(10, reporter)?;
        let entry = AccountingEntry {
            line: line.number,
            submit: fields.seconds(2, reporter)?,
            start: fields.seconds(3, reporter)?.filter(|start| start.ticks() > 0),
            end: fields.seconds(4, reporter)?,
            allocated,
            cpu: per_processor(fields.seconds(6, reporter)?, allocated),
            used_memory: fields.number(12, reporter)?,
            requested: fields.count(27, reporter)?,
            requested_time: fields.seconds(25, reporter)?.map(Bound::Most),
            requested_memory: fields.number(26, reporter)?,
            status: fields.status(28, reporter)?,
            user: fields.name(0),
            group: fields.name(1),
            executable: fields.name(20),
            queue: fields.name(5),
            ..AccountingEntry::default()
        };
        fields.finish(entry, 17, &mut self.normaliser, reporter, explained)
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::{Field, Trace};

    use super::SPEC;
    use crate::{Input, Options, read_trace};

    const LINE: &str = "a1B2,Zx9,894049200,894052800,894060000,normal,57600,57600,57600,8,8,1,-1,-1,-1,-1,-1,3600,1.5,\
                        -1,-1,1234,567,19:00:00,22:00:00,7200,-1,8,1";

    fn read(log: String, strict: bool) -> Trace {
        let options = Options { strict, format: Some(&SPEC), ..Options::default() };
        read_trace(Input::from_bytes("joblog", log), &options).unwrap()
    }

    fn row(trace: &Trace, row: usize) -> Vec<i64> {
        use Field::{Allocated, Cpu, Queue, Requested, RequestedTime, Run, Status, Wait};
        let fields = [Wait, Run, Allocated, Cpu, Requested, RequestedTime, Status, Queue];
        fields.map(|field| trace.get(row, field).truncated()).to_vec()
    }

    #[test]
    fn the_line_of_the_description_is_read_exactly() {
        let trace = read(format!("{LINE}\n\n"), true);
        assert_eq!((trace.len(), row(&trace, 0)), (1, vec![3600, 7200, 8, 7200, 8, 7200, 1, 3]));
        assert_eq!(trace.findings.list(), []);
        assert_eq!(trace.header.unix_start_time, Some(894_049_200));
    }

    #[test]
    fn other_lines_are_checked_counted_and_kept_where_they_have_29_fields() {
        let cancelled = LINE.replace("894052800,", "0,").replace(",8,1", ",8,2");
        let log = [
            cancelled.as_str(),
            &LINE.replace(",3600,", ",3599,"),
            &LINE.replace(",3600,", ",3601,"),
            &LINE.replace("894052800,", "0,"),
            &LINE.replace(",8,1", ",8,9"),
            &LINE.replace(",8,1", ",8,"),
            &LINE.replace(",8,1", ""),
            &LINE.replace("57600,57600", "x,57600"),
            &LINE.replace("normal", "interactive2"),
        ];
        let trace = read(log.join("\n"), false);
        assert_eq!(trace.len(), 8);
        assert_eq!(row(&trace, 0), [-1, -1, 8, 7200, 8, 7200, 5, 3]);
        assert_eq!(row(&trace, 3), [-1, 10_800, 8, 7200, 8, 7200, 1, 3]);
        assert_eq!(row(&trace, 5)[6], -1);
        assert_eq!(row(&trace, 7)[7], 0);
        for code in
            ["wait-short", "wait-long", "unstarted-success", "unknown-status", "field-count", "bad-field"]
        {
            assert_eq!(trace.findings.count(&format!("sdsc-{code}")), 1, "{code}");
        }
    }
}
