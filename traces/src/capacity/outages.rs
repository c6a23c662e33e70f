use std::collections::HashMap;
use std::sync::Arc;

use super::table::{MOST, PAST_EVENT, Unsuited, too_many};
use super::{CalendarError, Closure, EventTime, Evicted, StatedEvent};
use crate::located::values::{number, value_of_toml};
use crate::notation::instant::{Stamp, iso};
use crate::notation::whole;
use crate::{Calendar, Example, Findings, Machine, SourcePlace, Time, kinds};

kinds! {
    UNKNOWN_NODE: Warning "outage-unknown-node",
        "{outage|outages} of nodes that the machine does not have",
        "left out",
        "give the nodes their names in the machine file (`names = \"n[1-16]\"`); nodes without names are numbered \
         from 0";
    NO_LENGTH: Note "outage-without-length",
        "{outage that ends|outages that end} when or before {it begins|they begin}",
        "left out",
        "correct the times of the failure log if the outage matters";
    WHICH_NODES: Note "outage-nodes-untold",
        "{outage that tells|outages that tell} how many nodes were out of service, and not which",
        "the first nodes of the machine count; on a pool, a processor for each node",
        "add the nodes as the sixth field of the outage";
}

/// Outages as a failure log states them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutageLog {
    /// The name of the file.
    pub file: Arc<str>,
    /// The outages, in the order of the file.
    pub outages: Vec<LoggedOutage>,
}

/// One outage of a failure log.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedOutage {
    /// Line in the file, from 1.
    pub line: u32,
    pub nodes: LoggedNodes,
    pub from: Instant,
    /// The end; `None` if it lasted until the log was written.
    pub to: Option<Instant>,
    pub announced: Option<Instant>,
    pub evicted: Evicted,
}

impl LoggedOutage {
    /// Returns an outage that came unannounced, and whose jobs were put back into the queue.
    pub fn unannounced(line: u32, nodes: LoggedNodes, from: Instant, to: Option<Instant>) -> LoggedOutage {
        LoggedOutage { line, nodes, from, to, announced: None, evicted: Evicted::Requeued }
    }
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedNodes {
    All,
    /// This number of nodes; it is unknown which.
    Count(i64),
    Listed(Vec<NodeName>),
    /// Nodes of a cluster, numbered from 0 within it; all of them without numbers.
    OfCluster {
        name: String,
        numbers: Vec<usize>,
    },
}

/// A node as a failure log names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeName {
    /// The name; empty if the log has only numbers.
    pub name: String,
    /// The number from 0, if it has one; for machines without names.
    pub number: Option<usize>,
}

/// An instant of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instant {
    /// From the log's zero.
    Log(Time),
    /// Seconds since 1970-01-01 00:00 on the site's clock.
    Clock(i64),
    /// Seconds since 1970-01-01 00:00 UTC.
    Unix(i64),
}

value_of_toml!(Instant, Instant::TAKES, |value| match value {
    toml::Value::String(text) => iso(text.trim().as_bytes()).map(Instant::of),
    other => {
        let seconds = number(other).filter(|seconds| (0.0..=1e12).contains(seconds))?;
        Some(Instant::Log(Time::from_secs_f64(seconds)))
    }
});

impl Instant {
    /// What a TOML value of an instant is.
    pub(crate) const TAKES: &str = "a text such as \"2026-12-01 08:00\" (on the site's clock), or a number of seconds \
                                    from the log's zero";

    /// Returns the instant of a date: on the site's clock, unless the date gives the offset of its clock.
    pub fn of(stamp: Stamp) -> Instant {
        match stamp.offset {
            None => Instant::Clock(stamp.secs()),
            Some(offset) => Instant::Unix(stamp.secs() - offset),
        }
    }

    /// Parses an instant as Slurm writes it: a date, or seconds since 1970 with `SLURM_TIME_FORMAT=%s`.
    pub fn of_slurm(text: &str) -> Option<Instant> {
        let text = text.trim().as_bytes();
        whole(text).map(Instant::Unix).or_else(|| iso(text).map(Instant::of))
    }

    /// Returns the time of the log `later` seconds after this instant, on the same clock; `None` if it needs the log's
    /// calendar, which is unknown.
    pub fn in_log(self, later: i64, calendar: Option<&Calendar>) -> Option<Time> {
        match (self, calendar) {
            (Instant::Log(time), _) => Some(time.saturating_add(Time::from_secs(later))),
            (Instant::Clock(seconds), Some(calendar)) => {
                Some(calendar.time_of(seconds.saturating_add(later)))
            }
            (Instant::Unix(seconds), Some(calendar)) => {
                let since = seconds.saturating_sub(calendar.unix_start());
                Some(Time::from_secs(since.saturating_add(later).clamp(-FAR, FAR)))
            }
            (Instant::Clock(_) | Instant::Unix(_), None) => None,
        }
    }

    /// Returns the time of the log `later` seconds after this instant, on the same clock. Fails when the log's calendar is
    /// unknown and the instant needs it.
    pub(super) fn time(
        self,
        later: i64,
        calendar: Option<&Calendar>,
        place: &SourcePlace,
    ) -> Result<Time, CalendarError> {
        let what = "the log's header has no UnixStartTime, so that its clock is unknown: give seconds from the log's zero";
        self.in_log(later, calendar).ok_or_else(|| CalendarError { place: place.clone(), what: what.into() })
    }
}

/// The farthest instant from the log's zero that is distinguished, seconds.
const FAR: i64 = 1_000_000_000_000;

impl OutageLog {
    /// Returns the closures of the outages on a machine, for a log between two instants, and adds the outages to the events of
    /// the calendar. Fails when the log's clock is unknown, there are too many outages, or strict reading refuses a finding.
    pub(super) fn closures(
        &self,
        machine: &Machine,
        calendar: Option<&Calendar>,
        (first, last): (Time, Time),
        events: &mut Vec<StatedEvent>,
        findings: &mut Findings,
    ) -> Result<Vec<(Closure, SourcePlace)>, Unsuited> {
        let named = Named::of(machine);
        self.expect_clusters(&named)?;
        let mut all = Vec::new();
        for outage in &self.outages {
            let place = SourcePlace { file: Arc::clone(&self.file), line: outage.line, column: 0 };
            let at = |instant: Instant| instant.time(0, calendar, &place);
            let from = at(outage.from)?;
            let to = outage.to.map_or(Ok(Time::MAX), at)?;
            if to <= from {
                findings.report(&NO_LENGTH, || Example::at(&place, format!("from {from} s to {to} s")))?;
                continue;
            }
            let known = outage.announced.map_or(Ok(Time::MAX), at)?;
            let parts = named.parts(&outage.nodes, machine, &place, findings)?;
            if !parts.is_empty() && (to <= first || from > last) {
                findings.report(&PAST_EVENT, || Example::at(&place, format!("from {from} s")))?;
            }
            let event = EventTime { index: events.len(), from, to };
            for (node, amounts) in parts {
                let evicted = outage.evicted;
                let closure = Closure { from, to, node, amounts, evicted, known, kept_for: None, event };
                all.push((closure, place.clone()));
            }
            let kind = if outage.evicted == Evicted::Drained { "drain" } else { "outage" };
            events.push(StatedEvent { kind, place: place.clone() });
            if all.len() > MOST {
                return Err(CalendarError { place, what: too_many() }.into());
            }
        }
        Ok(all)
    }

    /// Checks that the machine distinguishes clusters if the log does.
    fn expect_clusters(&self, named: &Named<'_>) -> Result<(), CalendarError> {
        let mut clusters = self.outages.iter().filter_map(|outage| match &outage.nodes {
            LoggedNodes::OfCluster { name, .. } => Some((name, outage.line)),
            _ => None,
        });
        let Some((first, _)) = clusters.next().filter(|_| named.0.is_empty()) else { return Ok(()) };
        match clusters.find(|(name, _)| *name != first) {
            None => Ok(()),
            Some((other, line)) => Err(CalendarError {
                place: SourcePlace { file: Arc::clone(&self.file), line, column: 0 },
                what: format!(
                    "the failures are of several clusters, such as {} and {}: give the nodes of each its name as a \
                     feature in the machine file (`features = [\"NAME\"]`)",
                    crate::foreign::quoted(first, 40),
                    crate::foreign::quoted(other, 40)
                ),
            }),
        }
    }
}

/// The nodes of a machine by their names and features, in the order of the machine file.
struct Named<'a>(HashMap<&'a str, Vec<usize>>);

impl Named<'_> {
    fn of(machine: &Machine) -> Named<'_> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for node in 0..machine.nodes() {
            for name in machine.features(node) {
                named.entry(name).or_default().push(node);
            }
        }
        Named(named)
    }

    /// Returns what an outage takes out of service on each node.
    fn parts(
        &self,
        nodes: &LoggedNodes,
        machine: &Machine,
        place: &SourcePlace,
        findings: &mut Findings,
    ) -> Result<Vec<(usize, Vec<i64>)>, Unsuited> {
        let whole = |node: usize| (node, machine.capacity(node).to_vec());
        match nodes {
            LoggedNodes::All => Ok((0..machine.nodes()).map(whole).collect()),
            LoggedNodes::Count(count) => {
                findings.report(&WHICH_NODES, || Example::at(place, format!("{count} nodes")))?;
                let count = usize::try_from(*count).unwrap_or(0);
                if machine.is_pool() {
                    // Without nodes of its own, a pool has one for each processor.
                    let mut amounts = vec![0; machine.kinds()];
                    amounts[0] = (count as i64).min(machine.procs());
                    return Ok(vec![(0, amounts)]);
                }
                Ok((0..count.min(machine.nodes())).map(whole).collect())
            }
            LoggedNodes::Listed(_) | LoggedNodes::OfCluster { .. } if machine.is_pool() => Err(CalendarError {
                place: place.clone(),
                what: "the machine is a pool, and the outage is of certain nodes: give nodes with --nodes N or --machine \
                       FILE"
                    .into(),
            }
            .into()),
            LoggedNodes::Listed(list) => {
                Ok(self.listed(list, machine, place, findings)?.into_iter().map(whole).collect())
            }
            LoggedNodes::OfCluster { name, numbers } => {
                // A machine whose nodes have no names is one cluster.
                let all: Vec<usize> = (0..machine.nodes()).collect();
                let known = if self.0.is_empty() { Some(&all) } else { self.0.get(name.as_str()) };
                let nodes = known.map_or(&[][..], Vec::as_slice);
                if numbers.is_empty() && !nodes.is_empty() {
                    return Ok(nodes.iter().copied().map(whole).collect());
                }
                for number in numbers.iter().filter(|&&number| number >= nodes.len()) {
                    let detail = || Example::at(place, format!("node {number} of `{name}`"));
                    findings.report(&UNKNOWN_NODE, detail)?;
                }
                let mut found: Vec<usize> =
                    numbers.iter().filter_map(|&number| nodes.get(number).copied()).collect();
                if numbers.is_empty() {
                    findings.report(&UNKNOWN_NODE, || Example::at(place, format!("cluster `{name}`")))?;
                }
                found.sort_unstable();
                found.dedup();
                Ok(found.into_iter().map(whole).collect())
            }
        }
    }

    /// Returns the nodes that a list names, in the order of the machine file; reports those that are unknown.
    fn listed(
        &self,
        list: &[NodeName],
        machine: &Machine,
        place: &SourcePlace,
        findings: &mut Findings,
    ) -> Result<Vec<usize>, Unsuited> {
        let mut found = Vec::new();
        for NodeName { name, number } in list {
            match (self.0.get(name.as_str()), number.filter(|&number| number < machine.nodes())) {
                (Some(nodes), _) => found.extend_from_slice(nodes),
                (None, Some(number)) => found.push(number),
                (None, None) => {
                    let number = number.map(|number| number.to_string());
                    let shown = if name.is_empty() { number.unwrap_or_default() } else { name.clone() };
                    findings.report(&UNKNOWN_NODE, || Example::at(place, format!("node `{shown}`")))?;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
