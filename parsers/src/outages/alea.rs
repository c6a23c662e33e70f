//! Failures beside the data sets of the simulator Alea (files `.failures`).
//!
//! Fields separated by tabs: the beginning, the cluster, the length in seconds, and the machines of the cluster, numbered
//! from 0 and separated by blanks; without machines the whole cluster fails. The beginning is in seconds since 1970 UTC, or
//! from the log's zero if the data set has no epoch. Failures shorter than a minute count; Alea leaves them out.

use batchlab_traces::Time;
use batchlab_traces::capacity::{Instant, LoggedNodes, LoggedOutage};

use super::{LineReader, OutageFormat, Told};

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: "alea",
    summary: "failures of machines beside the data sets of the simulator Alea",
    cite: "Klusáček and Rudová, Alea 2, SIMUTools 2010; FailureLoaderNew.java of github.com/aleasimulator/alea",
    is_first: |line| failure(line).is_some(),
    reader: |_| Ok(Box::new(Failures)),
};

/// Beginnings from here on are in seconds since 1970: 3 March 1973, or three years of a log without an epoch.
const EPOCH: i64 = 100_000_000;

/// The latest second that is distinguished.
const FARTHEST: i64 = 1_000_000_000_000;

struct Failures;

impl LineReader for Failures {
    fn line(&mut self, number: u32, line: &str) -> Told {
        let Some((start, cluster, length, numbers)) = failure(line) else { return Told::Unread(line.into()) };
        let instant = |seconds: i64| match start {
            ..EPOCH => Instant::Log(Time::from_secs(seconds)),
            _ => Instant::Unix(seconds),
        };
        let nodes = LoggedNodes::OfCluster { name: cluster.into(), numbers };
        Told::Outage(LoggedOutage::unannounced(number, nodes, instant(start), Some(instant(start + length))))
    }
}

/// Parses beginning, cluster, length and machines.
fn failure(line: &str) -> Option<(i64, &str, i64, Vec<usize>)> {
    let separators: &[char] = if line.contains('\t') { &['\t'] } else { &[' '] };
    let mut cells = line.trim().splitn(4, separators);
    let seconds = |text: &str| text.trim().parse().ok().filter(|seconds| (0..FARTHEST).contains(seconds));
    let (start, cluster, length) = (seconds(cells.next()?)?, cells.next()?.trim(), seconds(cells.next()?)?);
    let numbers = cells.next().unwrap_or_default().split_whitespace().map(|text| text.parse().ok());
    // A number is not a name: such lines are of other formats.
    let is_name = cluster.contains(|letter: char| letter.is_alphabetic());
    Some((start, cluster, length, numbers.collect::<Option<_>>()?)).filter(|_| is_name)
}
