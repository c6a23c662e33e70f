//! When advance reservations became known.
//!
//! Neither slurmctld nor its database keeps when a reservation was made. But slurmctld starts no job that would run into a
//! reservation by its limit, unless the job names it. So a reservation was made after the last start of such a job, if the log has
//! one, and counts as made before the log begins otherwise.
//!
//! Source: `job_test_resv` of Slurm 22.05.

use batchlab_traces::asked::{RAN_ON, RESERVATION};
use batchlab_traces::header::Named;
use batchlab_traces::trace::TimeLimits;
use batchlab_traces::{Column, Field, Time, Trace};

use super::machine::places;
use super::{SlurmReservation, SlurmSystem};

/// A reservation on the time of a log.
struct Dated<'a> {
    at: usize,
    from: Time,
    nodes: &'a [usize],
    numbers: Vec<i64>,
}

/// Returns for each reservation when it became known, if slurmctld's log tells, or jobs of the log show that. O(jobs × reservations).
pub(super) fn announced(system: &SlurmSystem, trace: &Trace) -> Vec<Option<Time>> {
    let of_log = |one: &SlurmReservation| Some(one.known(trace.calendar.as_ref()?)?.0);
    let mut known: Vec<Option<Time>> = system.reservations.iter().map(of_log).collect();
    let all = dated(system, trace);
    if all.is_empty() {
        return known;
    }
    let places = places(system, &trace.header);
    let (ran_on, named) = (trace.resource(RAN_ON), trace.resource(RESERVATION));
    let whole = |column: Option<&Column>, row: usize| column.map(|column| column.whole(row));
    let limits = TimeLimits::of(trace);
    for row in 0..trace.len() {
        let [submit, wait] = [Field::Submit, Field::Wait].map(|field| trace.time(row, field));
        let Some(limit) = limits.get(row).filter(|_| wait >= Time::ZERO) else { continue };
        let limit = limit.most().unwrap_or(Time::FARTHEST);
        let start = submit.saturating_add(wait);
        let nodes = whole(ran_on, row).and_then(|number| places.get(&number));
        let is_on = |one: &Dated<'_>| match nodes {
            Some(nodes) => nodes.iter().any(|node| one.nodes.binary_search(node).is_ok()),
            None => one.nodes.len() == system.nodes.len(),
        };
        for one in &all {
            let runs_into = start < one.from && start.saturating_add(limit) > one.from;
            let is_inside = whole(named, row).is_some_and(|number| one.numbers.contains(&number));
            if runs_into && !is_inside && is_on(one) {
                // The log has whole seconds: the job started within this one.
                let after = start.saturating_add(Time::SECOND).min(one.from);
                if let Some(known) = known.get_mut(one.at) {
                    *known = (*known).max(Some(after));
                }
            }
        }
    }
    known
}

/// Returns the reservations of whole nodes with times that can be read: beside reserved cores, jobs may run.
fn dated<'a>(system: &'a SlurmSystem, trace: &Trace) -> Vec<Dated<'a>> {
    let Some(calendar) = trace.calendar else { return Vec::new() };
    let numbers = |name: &str| {
        let is_named = |named: &Named| named.name == name;
        trace.header.noted(RESERVATION).filter(is_named).map(|named| named.number).collect()
    };
    let dated = |(at, one): (usize, &'a SlurmReservation)| {
        let (from, to) = one.times(&calendar)?;
        let is_whole = one.cores.is_empty() && !one.nodes.is_empty() && from < to && one.known.is_none();
        is_whole.then(|| Dated { at, from, nodes: &one.nodes, numbers: numbers(&one.name) })
    };
    system.reservations.iter().enumerate().filter_map(dated).collect()
}
