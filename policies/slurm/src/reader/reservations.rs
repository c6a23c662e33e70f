use batchlab_traces::Findings;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::located::LocatedError;
use batchlab_traces::sorted::SortedMap;

use super::changes::{KNOWN, UNTIL};
use super::file::SystemError;
use super::grammar::{Pair, Statement};
use super::partitions::Hardware;
use crate::site::SlurmReservation;

pub(super) fn reservation(
    statement: &Statement,
    hardware: &mut Hardware,
    findings: &mut Findings,
) -> Result<SlurmReservation, SystemError> {
    let text = |key: &str| statement.get(key).map(|pair| pair.value.clone()).unwrap_or_default();
    let nodes = match statement.get("nodes") {
        Some(pair) => hardware.listed(pair, findings)?.into_iter().collect::<Vec<usize>>(),
        None => Vec::new(),
    };
    let flags = text("flags").to_ascii_uppercase();
    let cores = reserved_cores(statement, hardware, &nodes)?;
    Ok(SlurmReservation {
        name: text("reservationname"),
        start: text("starttime"),
        end: text("endtime"),
        nodes,
        cores,
        maintenance: flags.split(',').any(|flag| flag == "MAINT"),
        known: statement.get(KNOWN).map(|pair| pair.value.clone()),
        until: statement.get(UNTIL).map(|pair| pair.value.clone()),
        place: statement.place.clone(),
    })
}

/// Returns how many processors of each node a reservation of cores holds: by its `NodeName=… CoreIDs=…` lines, else as many on
/// each node. Empty if it holds whole nodes.
fn reserved_cores(
    statement: &Statement,
    hardware: &mut Hardware,
    nodes: &[usize],
) -> Result<Vec<(usize, i64)>, LocatedError> {
    let mut cores = hardware.cores_listed(statement)?;
    if cores.is_empty() {
        cores = spread_cores(statement, hardware, nodes);
    }
    let held: SortedMap<usize, i64> = cores.iter().copied().collect();
    let is_whole = |node: &usize| held.get(node).is_some_and(|&held| held >= hardware.nodes[*node].cpus);
    Ok(if nodes.iter().all(is_whole) { Vec::new() } else { cores })
}

/// Returns how many processors of each node a reservation without a list of cores holds, if it does not hold all: the same number on
/// each node, or all processors of a node with fewer.
fn spread_cores(statement: &Statement, hardware: &Hardware, nodes: &[usize]) -> Vec<(usize, i64)> {
    let of_tres =
        |pair: &Pair| pair.value.split(',').find_map(|part| part.strip_prefix("cpu=")?.parse().ok());
    let of_cores = |pair: &Pair| {
        let threads = nodes.first().map_or(1, |&node| hardware.threads(node));
        pair.value.parse::<i64>().ok()?.checked_mul(threads)
    };
    let given =
        statement.get("tres").and_then(of_tres).or_else(|| statement.get("corecnt").and_then(of_cores));
    let total = nodes.iter().fold(0, |sum: i64, &node| sum.saturating_add(hardware.nodes[node].cpus));
    let Some(held) = given.filter(|held| (1..total).contains(held)) else { return Vec::new() };
    let mut smallest_first = nodes.to_vec();
    smallest_first.arrange_by_key(|&node| hardware.nodes[node].cpus);
    let (mut left, mut among) = (held, nodes.len() as i64);
    let mut parts = Vec::with_capacity(nodes.len());
    for node in smallest_first {
        let part = (left / among + i64::from(left % among > 0)).min(hardware.nodes[node].cpus);
        parts.push((node, part));
        (left, among) = (left - part, among - 1);
    }
    parts.sort_unstable();
    parts
}
