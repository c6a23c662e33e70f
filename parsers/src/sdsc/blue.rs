//! Accounting log of SDSC's Blue Horizon: 23 columns separated by blanks, 144 nodes of 8 processors.
//!
//! Mapped as by the archive: user 0, queue 1, CPU time 2, nodes 6 (eight processors each), submit 16, start
//! 17, end 18, requested time 19, requested nodes 21, status 22. The recorded wait, 13, is only compared. The
//! dates are Greenwich time although they look local. Their form is not published: a date may be one token or
//! two, epoch seconds, `2000-04-01T12:00:00` or `04/01/00 12:00:00`. A line is therefore read from both ends,
//! 16 columns at the front and 4 at the back, and three dates are searched between them.

use batchlab_traces::calendar::Zone;
use batchlab_traces::notation::instant::{Stamp, iso, us, us_apart};
use batchlab_traces::notation::{Bound, number, whole};
use batchlab_traces::{Header, Kind, Time};

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
    name: "sdsc-blue",
    summary: "SDSC Blue Horizon accounting: 23 columns between blanks",
    cite: "Parallel Workloads Archive, log SDSC-BLUE-2000",
    looks_like: "lines of 16 columns, three dates and 4 columns between blanks",
    likeness: |beginning| match share_of_lines(beginning, fits) {
        share @ 80.. => share.min(95),
        share => share / 2,
    },
    read,
};

const FRONT: usize = 16;
const BACK: usize = 4;
const FIELDS: usize = FRONT + 3 + BACK;
const PROCS_PER_NODE: i64 = 8;

const COLUMNS: [(&str, &str); FIELDS] = [
    ("user", "user"),
    ("queue", "queue"),
    ("CPU time", "average CPU time"),
    ("wall-clock", "not used"),
    ("service units", "not used"),
    ("nodes", "not used"),
    ("max nodes", "allocated processors"),
    ("number of jobs", "not used"),
    ("max memory", "not used"),
    ("memory", "not used"),
    ("I/O", "not used"),
    ("disk", "not used"),
    ("connect", "not used"),
    ("wait time", "check of the wait time"),
    ("slowdown", "not used"),
    ("priority", "not used"),
    ("submit", "submit time"),
    ("start", "start"),
    ("end", "end"),
    ("requested wall-clock", "requested time"),
    ("requested memory", "not used"),
    ("requested nodes", "requested processors"),
    ("completion status", "status"),
];

/// The text of every column of a line, and the dates.
struct Row<'a> {
    values: [&'a [u8]; FIELDS],
    dates: [Option<Stamp>; 3],
}

/// The most tokens of a line, reached if every date is two tokens.
const TOKENS: usize = FIELDS + 3;

/// Splits a line; `None` unless there are three dates between the columns at its ends.
fn row(line: &[u8]) -> Option<Row<'_>> {
    let (mut tokens, mut count) = ([&b""[..]; TOKENS], 0);
    for token in line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
        *tokens.get_mut(count)? = token;
        count += 1;
    }
    let tokens = tokens.get(..count).filter(|tokens| tokens.len() >= FIELDS)?;
    let (front, rest) = tokens.split_at(FRONT);
    let (mut middle, back) = rest.split_at(rest.len() - BACK);
    let mut row = Row { values: [b""; FIELDS], dates: [None; 3] };
    row.values[..FRONT].copy_from_slice(front);
    row.values[FRONT + 3..].copy_from_slice(back);
    for at in 0..3 {
        let (date, text, taken) = date(line, middle)?;
        (row.dates[at], row.values[FRONT + at]) = (date, text);
        middle = &middle[taken..];
    }
    middle.is_empty().then_some(row)
}

/// Parses a date at the first one or two tokens; returns it, unless it is marked unknown, with its text and the number of its tokens.
fn date<'a>(line: &'a [u8], tokens: &[&'a [u8]]) -> Option<(Option<Stamp>, &'a [u8], usize)> {
    let (&first, second) = (tokens.first()?, tokens.get(1));
    if let Some(&second) = second {
        let day = || iso(first).filter(|_| first.len() == 10);
        let hours = || us_apart(b"01/01/1970", second);
        let both = us_apart(first, second)
            .or_else(|| Some(Stamp { micros: day()?.micros + hours()?.micros, offset: None }));
        if both.is_some() {
            let from = first.as_ptr() as usize - line.as_ptr() as usize;
            let to = second.as_ptr() as usize - line.as_ptr() as usize + second.len();
            return Some((both, &line[from..to], 2));
        }
    }
    let stamp = match whole(first) {
        Some(..=0) => None,
        Some(seconds) => Some(Stamp { micros: seconds.checked_mul(1_000_000)?, offset: Some(0) }),
        None if first == b"-" => None,
        None => Some(iso(first).or_else(|| us(first))?),
    };
    Some((stamp, first, 1))
}

fn fits(line: &[u8]) -> bool {
    row(line).is_some_and(|row| {
        row.dates.iter().any(Option::is_some)
            && [2, 6, 13, 19, 21].iter().all(|&at| number(row.values[at]).is_some())
            && number(row.values[0]).is_none()
    })
}

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    let zone = LocalClock::new(None, "America/Los_Angeles".parse().ok()).zone();
    let plan = LogPlan { header: machine(), zone: Some(zone), queues: QUEUES, ..LogPlan::default() };
    // The default of the clock is not the site's zone.
    let clock = LocalClock::new(pass.options.zone, Some(Zone::UTC));
    let mut log = Blue { normaliser: Normaliser::new(plan), clock };
    pass.lines(&mut log)?;
    pass.finish(log.normaliser, Some(&log.clock), &SPEC, "no line has three dates between 16 columns and 4")
}

fn machine() -> Header {
    Header {
        computer: Some("IBM SP (Blue Horizon)".into()),
        installation: Some("San Diego Supercomputer Center (SDSC)".into()),
        max_nodes: counted(144),
        max_procs: counted(144 * PROCS_PER_NODE),
        ..Header::default()
    }
}

struct Blue {
    normaliser: Normaliser,
    clock: LocalClock,
}

impl LineReader for Blue {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::FIELD_COUNT];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(row) = row(line.bytes) else {
            return Ok(reporter.report(&kinds::FIELD_COUNT, line, line.bytes, |text| text)?);
        };
        let mut times: [Option<Time>; 3] = [None; 3];
        for (time, date) in times.iter_mut().zip(row.dates) {
            if let Some(stamp) = date {
                let instant = self.clock.instant(stamp, line.number, reporter)?;
                *time = Some(instant).filter(|&time| time < Time::FARTHEST);
            }
        }
        let [submit, start, end] = times;
        let fields = SdscFields { line, columns: &COLUMNS, values: &row.values };
        let procs = |nodes: Option<i64>| nodes.and_then(|nodes| nodes.checked_mul(PROCS_PER_NODE));
        let allocated = procs(fields.count(6, reporter)?);
        let entry = AccountingEntry {
            line: line.number,
            submit,
            start,
            end,
            allocated,
            cpu: per_processor(fields.seconds(2, reporter)?, allocated),
            requested: procs(fields.count(21, reporter)?),
            requested_time: fields.seconds(19, reporter)?.map(Bound::Most),
            status: fields.status(22, reporter)?,
            user: fields.name(0),
            queue: fields.name(1),
            ..AccountingEntry::default()
        };
        fields.finish(entry, 13, &mut self.normaliser, reporter, explained)
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Field;

    use crate::{Input, Options, read_trace};

    const FRONT_PART: &str = "User7 normal 28800 3600 8 1 1 1 -1 -1 -1 -1 -1 600 1.16 2";
    const BACK_PART: &str = "7200 -1 1 1";

    #[test]
    fn dates_are_found_from_both_ends_however_they_are_written() {
        let dates = [
            "04/01/00 12:00:00 04/01/00 12:10:00 04/01/00 13:10:00",
            "2000-04-01T12:00:00 2000-04-01T12:10:00 2000-04-01T13:10:00",
            "2000-04-01 12:00:00 2000-04-01 12:10:00 2000-04-01 13:10:00",
            "04/01/2000@12:00:00 04/01/2000@12:10:00 04/01/2000@13:10:00",
            "954590400 954591000 954594600",
        ];
        for dates in dates {
            let log = Input::from_bytes("blue", format!("{FRONT_PART} {dates} {BACK_PART}\n"));
            let trace = read_trace(log, &Options { strict: true, ..Options::default() }).unwrap();
            assert_eq!(trace.header.unix_start_time, Some(954_590_400), "{dates}");
            assert_eq!(trace.findings.list(), [], "{dates}");
            let fields =
                [Field::Wait, Field::Run, Field::Allocated, Field::Cpu, Field::Requested, Field::Queue];
            assert_eq!(fields.map(|field| trace.get(0, field).truncated()), [600, 3600, 8, 3600, 8, 3]);
        }
    }

    #[test]
    fn unknown_dates_are_one_token_and_other_counts_are_left_out() {
        let log = format!(
            "{FRONT_PART} 04/01/00 12:00:00 -1 04/01/00 13:10:00 7200 -1 2 2\n{FRONT_PART} 1 2 3 4 5 6 7 8\nx\n"
        );
        let options = Options { format: crate::format("sdsc-blue"), ..Options::default() };
        let trace = read_trace(Input::from_bytes("blue", log), &options).unwrap();
        assert_eq!((trace.len(), trace.findings.count("sdsc-field-count")), (1, 2));
        assert_eq!([Field::Run, Field::Status].map(|field| trace.get(0, field).truncated()), [-1, 5]);
    }
}
