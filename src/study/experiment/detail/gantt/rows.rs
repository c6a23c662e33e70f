//! The processors on which jobs, and closures of capacity, are drawn.

use batchlab_support::Share;
use batchlab_traces::Time;
use batchlab_traces::capacity::Closure;
use batchlab_traces::sorted::SortedMap;

use super::{Piece, Stay};
use crate::experiment::detail::pack::{Free, ProcRange};
use batchlab_engine::metrics::Measurement;
use batchlab_engine::outcome::Outcome;

type Taken = (usize, Vec<ProcRange>);

/// A closure on its way through the chart.
struct Shut<'a> {
    closure: &'a Closure,
    /// The node among those that are drawn.
    node: usize,
    /// Processors that running jobs still hold.
    owed: i64,
    /// What it has taken, and since when.
    taken: Vec<(Time, Vec<ProcRange>)>,
}

/// The processors of the machine over time.
struct Course<'a> {
    nodes: Vec<Free>,
    /// The running jobs by end.
    held: SortedMap<(Time, usize), Vec<Taken>>,
    /// The closures that have not begun, the next one last.
    coming: Vec<&'a Closure>,
    shut: Vec<Shut<'a>>,
    /// What was out of service: from, to, processors.
    closed: Vec<(Time, Time, Vec<ProcRange>)>,
}

/// Returns the processor ranges of each interval, and of what was out of service; ranges at the same time do not overlap.
///
/// `stays` are in the order of their beginnings. A closure takes what is free, and what jobs leave that still hold a part of
/// it. `seconds` converts instants for the chart, which ends at `until` and has at most `most` ranges.
pub(super) fn rows(
    measurement: &Measurement<'_>,
    stays: &[Stay],
    (until, most): (Time, usize),
    seconds: impl Fn(Time) -> f64,
) -> Result<(Vec<Vec<ProcRange>>, Vec<Piece>), String> {
    let (outcome, workload) = (measurement.outcome(), measurement.workload());
    if outcome.by_processor {
        let rows = stays.iter().map(|stay| numbered(&outcome.places.at(stay.job, stay.from)));
        return Ok((bounded(rows.collect(), most)?, Vec::new()));
    }
    if let Some(rows) = named(outcome, stays) {
        return Ok((bounded(rows, most)?, Vec::new()));
    }
    let closures = measurement.capacity().map_or(&[][..], |calendar| &calendar.closures);
    let mut course = Course {
        nodes: nodes(measurement),
        held: SortedMap::new(),
        coming: closures.iter().rev().filter(|closure| closure.from < until).collect(),
        shut: Vec::new(),
        closed: Vec::new(),
    };
    let mut rows = Vec::with_capacity(stays.len());
    for (at, stay) in stays.iter().enumerate() {
        course.go_to(stay.from);
        let whole = || vec![Share::new(0, workload.procs(stay.job))];
        let shares = outcome.places.at(stay.job, stay.from);
        let mut taken = Vec::new();
        for share in if shares.is_empty() { whole() } else { shares } {
            let node = share.node as usize;
            let ranges = course.nodes.get_mut(node).and_then(|free| free.take(share.procs));
            taken.push((node, ranges.ok_or("several jobs are on the same processors at a time")?));
        }
        rows.push(joined(taken.iter().flat_map(|(_, ranges)| ranges.clone()).collect()));
        course.held.insert((stay.to, at), taken);
    }
    course.go_to(until);
    for shut in std::mem::take(&mut course.shut) {
        course.closed.extend(shut.taken.into_iter().map(|(from, ranges)| (from, until, ranges)));
    }
    course.closed.retain(|(from, to, _)| from < to);
    course.closed.sort();
    let piece = |(from, to, rows)| Piece { from: seconds(from), to: seconds(to), rows: joined(rows) };
    Ok((bounded(rows, most)?, course.closed.into_iter().map(piece).collect()))
}

/// Returns the processors that the policy named, if it named those of all jobs and each ran once on a machine that nothing closed.
fn named(outcome: &Outcome, stays: &[Stay]) -> Option<Vec<Vec<ProcRange>>> {
    let range = |&(first, last): &(u32, u32)| (i64::from(first), i64::from(last - first) + 1);
    let row = |stay: &Stay| Some(outcome.processors.get(&stay.job)?.iter().map(range).collect());
    if outcome.processors.is_empty() || !outcome.lost.is_empty() {
        return None;
    }
    stays.iter().map(row).collect()
}

impl Course<'_> {
    /// Handles what happens up to an instant, the ends of jobs and of closures before the beginnings of closures.
    fn go_to(&mut self, until: Time) {
        loop {
            let end = self.held.first_key_value().map(|((at, _), _)| *at);
            let opens = self.shut.iter().map(|shut| shut.closure.to).min();
            let closes = self.coming.last().map(|closure| closure.from);
            let next = [end, opens, closes].into_iter().flatten().min();
            let Some(now) = next.filter(|next| *next <= until) else { return };
            if end == Some(now) {
                let Some(entry) = self.held.first_entry() else { return };
                for (node, ranges) in entry.remove() {
                    self.nodes[node].give(&ranges);
                }
            } else if opens == Some(now) {
                self.open(now);
            } else if let Some(closure) = self.coming.pop() {
                let node = closure.node.min(self.nodes.len().saturating_sub(1));
                let owed = closure.amounts.first().copied().unwrap_or(0);
                self.shut.push(Shut { closure, node, owed, taken: Vec::new() });
            }
            // Several jobs and closures may end at an instant; what they leave is taken when the last of them has ended.
            if self.held.first_key_value().is_none_or(|((at, _), _)| *at > now) {
                self.collect(now);
            }
        }
    }

    /// Returns the processors of the closures that end now.
    fn open(&mut self, now: Time) {
        let shut = std::mem::take(&mut self.shut).into_iter();
        let (ended, shut): (Vec<_>, Vec<_>) = shut.partition(|shut| shut.closure.to <= now);
        self.shut = shut;
        for Shut { node, taken, .. } in ended {
            for (from, ranges) in taken {
                self.nodes[node].give(&ranges);
                self.closed.push((from, now, ranges));
            }
        }
    }

    /// Gives closures what they still lack, as far as it is free.
    fn collect(&mut self, now: Time) {
        for shut in self.shut.iter_mut().filter(|shut| shut.owed > 0) {
            let free = &mut self.nodes[shut.node];
            let amount = shut.owed.min(free.total());
            if let Some(ranges) = free.take(amount).filter(|_| amount > 0) {
                shut.owed -= amount;
                shut.taken.push((now, ranges));
            }
        }
    }
}

/// Joins ranges that follow each other, as those of a job with all processors of several nodes do.
fn joined(mut ranges: Vec<ProcRange>) -> Vec<ProcRange> {
    ranges.sort_unstable();
    let mut joined: Vec<ProcRange> = Vec::with_capacity(ranges.len());
    for (first, count) in ranges {
        match joined.last_mut() {
            Some(last) if last.0 + last.1 == first => last.1 += count,
            _ => joined.push((first, count)),
        }
    }
    joined
}

fn bounded(rows: Vec<Vec<ProcRange>>, most: usize) -> Result<Vec<Vec<ProcRange>>, String> {
    let ranges: usize = rows.iter().map(Vec::len).sum();
    if ranges > most {
        return Err(format!(
            "jobs are scattered over more than {most} ranges of processors, which is too many for rectangles"
        ));
    }
    Ok(rows)
}

/// Returns the processors of each node, numbered consecutively; for jobs without a placement, those of all nodes as one group.
fn nodes(measurement: &Measurement<'_>) -> Vec<Free> {
    let machine = measurement.machine();
    if measurement.outcome().places.is_empty() {
        return vec![Free::new(0, machine.procs())];
    }
    let mut first = 0;
    let free = |node: usize| {
        let count = machine.capacity(node).first().copied().unwrap_or(0);
        first += count;
        Free::new(first - count, count)
    };
    (0..machine.nodes()).map(free).collect()
}

fn numbered(shares: &[Share]) -> Vec<ProcRange> {
    let mut numbers: Vec<i64> = shares.iter().map(|share| i64::from(share.node)).collect();
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    runs.map(|run| (run[0], run.len() as i64)).collect()
}
