//! Amounts used over intervals of time, and their means over bins.

use batchlab_traces::machine::Sharing;
use batchlab_traces::{JobId, Time};

use batchlab_engine::metrics::Measurement;
use batchlab_engine::outcome::{IntervalKind, turns_of};

/// Edges of bins in ticks, ascending; one more than there are bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edges(Vec<i64>);

/// Sums of amount × ticks over bins. Adding an interval is O(log bins), however many bins it covers.
#[derive(Clone, Debug)]
pub(super) struct Bins<'a> {
    edges: &'a Edges,
    /// Contributions of intervals to bins that they cover only in part.
    parts: Vec<f64>,
    /// Changes in the amount that covers whole bins, from bin to bin.
    changes: Vec<f64>,
}

impl Edges {
    /// Returns the instants at which something changes if they are at most `most`; otherwise edges at equal distances. `None` if
    /// no time passes. O(n log n).
    pub fn of(measurement: &Measurement<'_>, most: usize) -> Option<Edges> {
        let window = measurement.window();
        Edges::within(measurement, most, (window.first_submit, window.last_end))
    }

    pub fn within(measurement: &Measurement<'_>, most: usize, (from, to): (Time, Time)) -> Option<Edges> {
        let (from, to) = (from.ticks(), to.ticks());
        let equal = || {
            let at = |bin: usize| from + (i128::from(to - from) * bin as i128 / most as i128) as i64;
            let mut edges: Vec<i64> = (0..=most).map(at).collect();
            edges.dedup();
            edges
        };
        // With time sharing, something changes at every slice.
        let shares_time = measurement.outcome().shares_time();
        let instants = measurement.replayed().flat_map(|job| [job.submit, job.start, job.end]);
        let mut edges: Vec<i64> = if shares_time { Vec::new() } else { instants.map(Time::ticks).collect() };
        let is_whole = edges.iter().all(|&edge| from <= edge && edge <= to);
        if !is_whole {
            edges.retain(|&edge| from < edge && edge < to);
            edges.extend([from, to]);
        }
        edges.sort_unstable();
        edges.dedup();
        let exact = !shares_time && edges.len() <= most + 1;
        (from < to).then(|| Edges(if exact { edges } else { equal() }))
    }

    pub fn bins(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns the edges in seconds after a time.
    pub fn seconds(&self, zero: Time) -> Vec<f64> {
        self.0.iter().map(|&edge| (Time::from_ticks(edge) - zero).secs()).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (Time, Time)> + '_ {
        self.0.windows(2).map(|pair| (Time::from_ticks(pair[0]), Time::from_ticks(pair[1])))
    }
}

impl<'a> Bins<'a> {
    pub fn new(edges: &'a Edges) -> Bins<'a> {
        Bins { edges, parts: vec![0.0; edges.bins()], changes: vec![0.0; edges.bins() + 1] }
    }

    pub fn add(&mut self, from: Time, to: Time, amount: f64) {
        let edges = &self.edges.0;
        let bins = self.edges.bins();
        let (from, to) = (from.ticks().max(edges[0]), to.ticks().min(edges[bins]));
        if from >= to {
            return;
        }
        let first = edges.partition_point(|&edge| edge <= from) - 1;
        let last = edges.partition_point(|&edge| edge < to) - 1;
        if first == last {
            self.parts[first] += amount * (to - from) as f64;
            return;
        }
        self.parts[first] += amount * (edges[first + 1] - from) as f64;
        self.parts[last] += amount * (to - edges[last]) as f64;
        self.changes[first + 1] += amount;
        self.changes[last] -= amount;
    }

    /// Returns the mean amount of each bin.
    pub fn means(&self) -> Vec<f64> {
        let mut covering = 0.0;
        let bins = self.parts.iter().zip(&self.changes).zip(self.edges.0.windows(2));
        bins.map(|((part, change), edges)| {
            covering += change;
            covering + part / (edges[1] - edges[0]) as f64
        })
        .collect()
    }
}

/// Calls a function for every interval in which a job used a resource, with the job, the beginning, the end, and the share of
/// its demand that was in use (below 1 only for jobs that do not run at full speed). For rows that share time, an interval is a
/// bin and the share is the job's share of it.
///
/// A resource that is shared in space is in use as long as the job is resident. O(n), plus O(jobs in rows) for each epoch and bin.
pub(super) fn for_each_use(
    measurement: &Measurement<'_>,
    resource: usize,
    edges: &Edges,
    call: &mut dyn FnMut(JobId, Time, Time, f64),
) {
    let outcome = measurement.outcome();
    if !outcome.shares_time() {
        for job in measurement.replayed() {
            call(job.job, job.start, job.end, 1.0);
        }
        return;
    }
    let kind = measurement.machine().resources().get(resource);
    let is_held = kind.is_some_and(|kind| kind.sharing == Sharing::Space);
    for interval in &outcome.intervals {
        let share = match interval.kind {
            _ if is_held => 1.0,
            IntervalKind::Run => interval.rate,
            _ => 0.0,
        };
        call(interval.job, interval.from, interval.to, share);
    }
    let mut epochs = outcome.epochs.iter();
    for (from, to) in edges.pairs() {
        for got in turns_of(&mut epochs, from, to) {
            let ticks = if is_held { got.present } else { got.ran }.ticks();
            call(got.job, from, to, ticks as f64 / (to - from).ticks() as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_bins_are_those_of_what_was_added() {
        let edges = Edges(vec![0, 10, 20, 40]);
        let mut bins = Bins::new(&edges);
        let time = Time::from_ticks;
        bins.add(time(5), time(30), 2.0);
        bins.add(time(12), time(14), 5.0);
        bins.add(time(-5), time(50), 1.0);
        bins.add(time(7), time(7), 9.0);
        assert_eq!(bins.means(), [1.0 + 1.0, 1.0 + 2.0 + 1.0, 1.0 + 1.0]);
    }
}
