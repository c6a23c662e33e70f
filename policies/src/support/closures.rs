//! What of a machine is out of service now and later, as far as a policy may know it.

use batchlab_traces::Time;

use crate::turn::Turn;

/// Amounts of a node that are out of service for an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Out {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant; [`Time::MAX`] if nothing is known about the end.
    pub to: Time,
    /// The node; 0 on a pool.
    pub node: usize,
    /// The amount of each resource.
    pub amounts: Vec<i64>,
}

/// Returns what is out of service now, and what is known to be so later.
pub fn out(turn: &Turn<'_>) -> Vec<Out> {
    let foreseen = turn.foreseen().iter();
    let mut out: Vec<Out> = foreseen
        .map(|closure| Out {
            from: closure.from,
            to: closure.to,
            node: closure.node,
            amounts: closure.amounts.clone(),
        })
        .collect();
    for node in 0..turn.machine().nodes() {
        let lost: Vec<i64> = turn
            .machine()
            .amounts(node)
            .iter()
            .zip(turn.coming_back(node))
            .map(|(all, left)| all - left)
            .collect();
        if lost.iter().any(|&amount| amount > 0) {
            out.push(Out { from: turn.now(), to: Time::MAX, node, amounts: lost });
        }
    }
    out
}

/// Whether two lists say the same of the present and the future.
pub fn same(one: &[Out], other: &[Out], now: Time) -> bool {
    let key = |out: &Out| (out.from.max(now), out.to, out.node, out.amounts.clone());
    let sorted = |list: &[Out]| {
        let mut keys: Vec<_> = list.iter().filter(|out| out.to > now).map(key).collect();
        keys.sort();
        keys
    };
    sorted(one) == sorted(other)
}
