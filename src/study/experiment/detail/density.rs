//! Which part of the machine was busy at which time, for replays of any number of jobs.

use batchlab_traces::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::used::{Bins, Edges, for_each_use};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::Measurement;

/// A grid of at most [`COLUMNS`] × [`ROWS`] shares.
pub static DENSITY: DetailSpec = DetailSpec {
    name: "density",
    what: "share of the machine in use over time, by nodes or by size of the jobs",
    reads_journal: false,
    make,
};

/// The most columns: bins of time.
pub const COLUMNS: usize = 200;
/// The most rows: groups of nodes. Size classes need at most 63 rows, one for each power of two.
pub const ROWS: usize = 64;

/// The utilization of the machine by part and time, for one replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Density {
    /// Edges of the columns, in seconds since the first submission; one more than there are columns.
    pub edges: Vec<f64>,
    pub by: By,
    /// The rows from the bottom up.
    pub rows: Vec<DensityRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Groups of nodes; values are shares of the group's processors.
    Nodes,
    /// Jobs by size; values are shares of the machine's processors.
    Sizes,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DensityRow {
    /// The first node (from 0), or the smallest size.
    pub from: i64,
    /// The last node, or the largest size.
    pub to: i64,
    /// The mean share of processors in use, one for each column.
    pub values: Vec<f64>,
}

fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    if measurement.workload().is_empty() {
        return None;
    }
    let window = measurement.window();
    recorded(within(measurement, (window.first_submit, window.last_end)))
}

/// Returns the grid of a part of the replay. O(n log n + nodes held).
pub(super) fn within(measurement: &Measurement<'_>, window: (Time, Time)) -> Result<Density, String> {
    let edges = Edges::within(measurement, COLUMNS, window).ok_or("no time passes in the replay")?;
    let outcome = measurement.outcome();
    // For jobs that share time, the service received is known by job, not by node.
    let placed = !outcome.places.is_empty() && !outcome.shares_time();
    let (by, rows) = if placed {
        (By::Nodes, nodes(measurement, &edges))
    } else {
        (By::Sizes, sizes(measurement, &edges))
    };
    Ok(Density { edges: edges.seconds(measurement.window().first_submit), by, rows })
}

/// Returns rows for job sizes by powers of two: 1, 2, 3 to 4, 5 to 8, ... processors, up to the largest job.
fn sizes(measurement: &Measurement<'_>, edges: &Edges) -> Vec<DensityRow> {
    let (workload, capacity) = (measurement.workload(), measurement.machine().procs().max(1) as f64);
    let class = |procs: i64| procs.max(1).unsigned_abs().next_power_of_two().ilog2() as usize;
    let largest = measurement.replayed().map(|job| class(job.procs)).max().unwrap_or(0);
    let mut bins: Vec<Bins<'_>> = (0..=largest).map(|_| Bins::new(edges)).collect();
    for_each_use(measurement, 0, edges, &mut |job, from, to, share| {
        let procs = workload.procs(job);
        bins[class(procs)].add(from, to, procs as f64 * share);
    });
    let to = |class: usize| 1_i64 << class.min(62);
    let row = |(class, bins): (usize, &Bins<'_>)| DensityRow {
        from: if class == 0 { 1 } else { to(class - 1) + 1 },
        to: to(class),
        values: bins.means().into_iter().map(|procs| procs / capacity).collect(),
    };
    bins.iter().enumerate().map(row).collect()
}

/// Returns rows for groups of nodes, with an equal number of nodes each.
fn nodes(measurement: &Measurement<'_>, edges: &Edges) -> Vec<DensityRow> {
    let (outcome, machine) = (measurement.outcome(), measurement.machine());
    let known = measurement.replayed().flat_map(|job| outcome.places.stays(job.job));
    let last = known.flat_map(|(_, shares)| shares.into_iter().map(|share| share.node as usize)).max();
    let count = last.map_or(0, |last| last + 1).max(if outcome.by_processor { 0 } else { machine.nodes() });
    let each = count.div_ceil(ROWS).max(1);
    let mut bins: Vec<Bins<'_>> = (0..count.div_ceil(each)).map(|_| Bins::new(edges)).collect();
    for job in measurement.replayed() {
        let mut stays = outcome.places.stays(job.job).peekable();
        while let Some((from, shares)) = stays.next() {
            let until = stays.peek().map_or(job.end, |next| next.0);
            for share in shares {
                bins[share.node as usize / each].add(from.max(job.start), until, share.procs as f64);
            }
        }
    }
    let capacity = |node: usize| {
        if outcome.by_processor { 1 } else { machine.capacity(node).first().copied().unwrap_or(0) }
    };
    let row = |(at, bins): (usize, &Bins<'_>)| {
        let nodes = at * each..((at + 1) * each).min(count);
        let procs = nodes.clone().map(capacity).sum::<i64>().max(1) as f64;
        DensityRow {
            from: nodes.start as i64,
            to: nodes.end as i64 - 1,
            values: bins.means().into_iter().map(|busy| busy / procs).collect(),
        }
    };
    bins.iter().enumerate().map(row).collect()
}
