//! The outage format that accompanies the Standard Workload Format (Chapin et al. 1999).
//!
//! Blank-separated fields, -1 for unknown values, comments with `;`: announcement, start and end of the outage (seconds from the
//! log's zero), its type, the number of affected nodes, and their numbers, such as `0-3,7`.

use batchlab_traces::Time;
use batchlab_traces::capacity::{Evicted, Instant, LoggedNodes, LoggedOutage, NodeName};
use batchlab_traces::notation::hosts::ranges;
use nom::character::complete::{i64 as integer, multispace0, space1};
use nom::combinator::rest;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::{LineReader, OutageFormat, Told};

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: "swf-outages",
    summary: "outages beside the Standard Workload Format: announced, start, end, type, nodes, which",
    cite: "Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999",
    is_first: |line| fields(line).is_ok(),
    reader: |_| Ok(Box::new(Outages)),
};

struct Outages;

impl LineReader for Outages {
    fn line(&mut self, number: u32, line: &str) -> Told {
        let Ok((_, ([announced, start, end], _, count, components))) = fields(line) else {
            return Told::Unread(line.into());
        };
        let instant =
            |seconds: i64| (seconds >= 0).then(|| Instant::Log(Time::from_secs(seconds.min(FARTHEST))));
        let Some(from) = instant(start) else { return Told::Unread(line.into()) };
        let components =
            components.split_whitespace().filter(|part| *part != "-1").collect::<Vec<_>>().join(",");
        let nodes = match (components.as_str(), count) {
            ("", count) if count > 0 => LoggedNodes::Count(count),
            ("", 0) => return Told::Other,
            ("", _) => LoggedNodes::All,
            (list, _) => match numbered(list) {
                Some(list) => LoggedNodes::Listed(list),
                None => return Told::Unread(components),
            },
        };
        let announced = instant(announced).filter(|_| announced < start);
        let (to, evicted) = (instant(end), Evicted::Requeued);
        Told::Outage(LoggedOutage { line: number, nodes, from, to, announced, evicted })
    }
}

/// Returns the nodes of a list of numbers such as `0-3,7`; `None` for another text, or more than 100,000 nodes.
fn numbered(list: &str) -> Option<Vec<NodeName>> {
    let ranges = ranges(list)?;
    let count = ranges.iter().try_fold(0_u64, |sum, range| sum.checked_add(range.count()))?;
    let named = |number| NodeName { name: String::new(), number: usize::try_from(number).ok() };
    (count <= 100_000).then(|| ranges.iter().flat_map(|range| range.first..=range.last).map(named).collect())
}

/// The latest second of a log.
const FARTHEST: i64 = 1_000_000_000_000;

/// Announced, start and end; type; number of nodes; the rest of the line.
type Fields<'a> = ([i64; 3], i64, i64, &'a str);

fn fields(line: &str) -> IResult<&str, Fields<'_>> {
    let mut number = terminated(integer, space1);
    let (line, _) = multispace0(line)?;
    let (line, announced) = number.parse(line)?;
    let (line, start) = number.parse(line)?;
    let (line, end) = number.parse(line)?;
    let (line, kind) = number.parse(line)?;
    let (line, nodes) = integer(line)?;
    let (line, components) = nom::branch::alt((preceded(space1, rest), nom::combinator::eof)).parse(line)?;
    Ok((line, ([announced, start, end], kind, nodes, components)))
}
