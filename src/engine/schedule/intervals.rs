//! The intervals of jobs between start and end, as a CSV file that accompanies a schedule: `job_id,from,to,rate,place,kind`.
//!
//! Each row is an interval of a job: it ran (`run`), its processors switched to it (`switch`), it waited for
//! a checkpoint or restart (`migrate`), it was swapped out or in (`swap`), or it was resident but not running
//! (`paused`). The rate is the share of full speed at which it had its processors. The place is processors by
//! number (`0-3+7`), nodes (`0:8+3:4`), or empty on a pool.

use std::fmt;
use std::io::{self, Write};

use batchlab_support::Share;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Workload};

use super::read::{ScheduleError, job_number, seconds};
use super::sheet::{cells, is_missing, unnamed};
use super::{NodeList, nodes};
use crate::outcome::{Interval, IntervalKind, LostRun, Outcome, Places};

const HEADER: [&str; 6] = ["job_id", "from", "to", "rate", "place", "kind"];

/// Writes the intervals of an outcome by job, then by time; on numbered processors also those of jobs of zero length, which state
/// where these were. O(slices × log jobs).
pub fn write_intervals(workload: &Workload, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = io::BufWriter::with_capacity(1 << 16, out);
    writeln!(buffer, "{}", HEADER.join(","))?;
    outcome.each_job(&outcome.epochs, |job, mut own| {
        if own.is_empty() && is_brief(outcome, job) {
            let at = outcome.start(job);
            own.push(Interval { job, from: at, to: at, rate: 1.0, kind: IntervalKind::Run });
        }
        own.into_iter().try_for_each(|interval| write_interval(workload, outcome, &interval, &mut buffer))
    })?;
    buffer.flush()
}

fn write_interval(
    workload: &Workload,
    outcome: &Outcome,
    interval: &Interval,
    out: &mut impl Write,
) -> io::Result<()> {
    let Interval { job, from, to, rate, kind } = *interval;
    write!(out, "{},{from},{to},{rate},", workload.number(job))?;
    let shares = outcome.places.at(job, from);
    if outcome.by_processor && outcome.places.is_empty() {
        // A machine of one processor records no places.
        write!(out, "0")?;
    } else if outcome.by_processor {
        write!(out, "{}", Processors(&shares))?;
    } else {
        write!(out, "{}", NodeList(&shares))?;
    }
    writeln!(out, ",{}", kind.name())
}

/// Whether a job of zero length was on numbered processors.
fn is_brief(outcome: &Outcome, job: JobId) -> bool {
    let at = outcome.start(job);
    outcome.by_processor
        && outcome.took_part(job)
        && at == outcome.end(job)
        && !outcome.places.at(job, at).is_empty()
}

/// Whether a text begins as a file of intervals that this program wrote.
pub fn are_intervals(text: &[u8]) -> bool {
    text.strip_prefix(HEADER.join(",").as_bytes()).is_some_and(|rest| rest.starts_with(b"\n"))
}

/// Reads intervals into the outcome of their schedule; their places replace the schedule's nodes. A job without intervals,
/// such as one of zero length, keeps its nodes.
pub fn read_intervals(workload: &Workload, text: &str, outcome: &mut Outcome) -> Result<(), ScheduleError> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let header = cells(lines.next().map_or("", |(_, line)| line));
    let mut columns = [0; HEADER.len()];
    for (column, name) in columns.iter_mut().zip(HEADER) {
        let at = header.iter().position(|known| known == name);
        *column = at.ok_or(ScheduleError::Column(name))?;
    }
    let jobs = by_number(workload);
    let mut places: Vec<(JobId, Interval, Vec<Share>)> = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells = cells(line);
        let first = unnamed(header.len(), line, cells.len());
        let cell = |column: usize| cells.get(first + columns[column]).map_or("", |cell| cell.as_ref());
        let wrong =
            |column: usize, what| ScheduleError::Value { line: index + 1, text: cell(column).into(), what };
        let number = job_number(cell(0)).ok_or_else(|| wrong(0, "job number"))?;
        let job = jobs.get(&number).copied().flatten();
        let job = job.ok_or_else(|| wrong(0, "number of one job that is replayed"))?;
        let time = |column: usize| seconds(cell(column)).ok_or_else(|| wrong(column, "time in seconds"));
        let (from, to) = (time(1)?, time(2)?);
        let rate: Option<f64> = cell(3).parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
        let rate = rate.ok_or_else(|| wrong(3, "rate from 0 to 1"))?;
        let kind = IntervalKind::of_name(cell(5));
        let kind = kind.ok_or_else(|| wrong(5, "kind: run, switch, migrate, swap or paused"))?;
        let place = if is_missing(cell(4)) { "" } else { cell(4) };
        let shares = if place.contains(':') {
            nodes::parse(place)
        } else {
            let shares = processors(place);
            outcome.by_processor |= shares.as_ref().is_some_and(|shares| !shares.is_empty());
            shares
        };
        let shares = shares.ok_or_else(|| wrong(4, "place such as 0-3+7 or 0:8+3:4"))?;
        places.push((job, Interval { job, from, to, rate, kind }, shares));
    }
    places.arrange_by_key(|(job, interval, _)| (*job, interval.from, interval.to));
    take(places, outcome);
    Ok(())
}

fn take(places: Vec<(JobId, Interval, Vec<Share>)>, outcome: &mut Outcome) {
    let moved: SortedSet<JobId> = places.iter().map(|(job, ..)| *job).collect();
    if outcome.by_processor {
        // Nodes of a schedule are not processors.
        outcome.places = Places::default();
    }
    outcome.places.retain(|job| !moved.contains(&job));
    let mut last: Option<(JobId, Vec<Share>)> = None;
    for (job, interval, shares) in places {
        let here = Some((job, shares));
        if let Some((job, shares)) = here.as_ref().filter(|(_, shares)| !shares.is_empty() && last != here) {
            outcome.places.push(*job, interval.from, shares);
        }
        outcome.intervals.push(interval);
        last = here;
    }
    outcome.places = std::mem::take(&mut outcome.places).settle();
    outcome.lost = lost(outcome);
}

/// Returns the runs of jobs before their starts: their work was lost. Runs without a gap count as one.
fn lost(outcome: &Outcome) -> Vec<LostRun> {
    let mut stays: Vec<(LostRun, bool)> = Vec::new();
    let before_start =
        |interval: &&Interval| outcome.took_part(interval.job) && interval.to <= outcome.start(interval.job);
    for interval in outcome.intervals.iter().filter(before_start) {
        let ran = interval.kind == IntervalKind::Run && interval.to > interval.from;
        match stays.last_mut() {
            Some((stay, has_run)) if (stay.job, stay.to) == (interval.job, interval.from) => {
                stay.to = interval.to;
                *has_run |= ran;
            }
            _ => stays.push((LostRun { job: interval.job, from: interval.from, to: interval.to }, ran)),
        }
    }
    let mut lost: Vec<LostRun> =
        stays.into_iter().filter(|(_, has_run)| *has_run).map(|(stay, _)| stay).collect();
    lost.arrange_by_key(|run| (run.to, run.job));
    lost
}

/// Jobs by number; `None` if several jobs have the number.
fn by_number(workload: &Workload) -> SortedMap<i64, Option<JobId>> {
    let mut jobs = SortedMap::new();
    for job in workload.jobs() {
        jobs.entry(workload.number(job)).and_modify(|known| *known = None).or_insert(Some(job));
    }
    jobs
}

/// Processors by number: `0-3+7`.
struct Processors<'a>(&'a [Share]);

impl fmt::Display for Processors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut plus = "";
        while let Some(first) = rest.first() {
            let run = rest.iter().zip(first.node..).take_while(|(share, node)| share.node == *node).count();
            write!(f, "{plus}{}", first.node)?;
            if run > 1 {
                write!(f, "-{}", rest[run - 1].node)?;
            }
            (rest, plus) = (&rest[run..], "+");
        }
        Ok(())
    }
}

/// Reads processors by number; empty text means no processors.
fn processors(text: &str) -> Option<Vec<Share>> {
    let mut shares = Vec::new();
    for part in text.split('+').filter(|_| !text.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last < first || i64::from(last) > batchlab_traces::Machine::MOST_PROCS {
            return None;
        }
        shares.extend((first..=last).map(|node| Share::new(node, 1)));
    }
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_read_as_they_are_written() {
        for text in ["", "7", "0-3", "0-3+7", "1+3+5-9"] {
            assert_eq!(Processors(&processors(text).unwrap()).to_string(), text);
        }
        for wrong in ["-", "3-1", "0-", "a", "0,1", "0-3+"] {
            assert_eq!(processors(wrong), None, "{wrong}");
        }
    }
}
