//! The parameters that name a queue order and its options.

use super::ORDERS;
use super::subject::Log0;
use crate::names::names;
use crate::needs::Needs;
use crate::spec::{ParamKind, ParamSpec, Words};

pub const NAMES: &[&str] = names!(ORDERS);

pub const ORDER: ParamSpec = ParamSpec {
    name: "order",
    kind: ParamKind::Order(NAMES),
    default: "fcfs",
    help: "queue order: which job is served, or gets a reservation, first",
    needs: |value| {
        let named = ORDERS.iter().find(|order| order.name == value);
        named.map_or(Needs::NONE, |order| Needs { facts: order.facts, ..Needs::NONE })
    },
};

pub const ORIGIN: ParamSpec = ParamSpec {
    name: "origin",
    kind: ParamKind::Choice(&["zero", "first"]),
    default: "zero",
    help: "f1 to f4 count s from the trace's zero, or from the first submission",
    ..ParamSpec::PLAIN
};

pub const LOG0: ParamSpec = ParamSpec {
    name: "log0",
    kind: ParamKind::Choice(Log0::WORDS),
    default: "one",
    help: "f1 to f4 take log10 of max(s, 1), of max(s, 0.1), or of s + 1",
    ..ParamSpec::PLAIN
};

/// The parameter that sets how fast fairshare usage decays; the default is that of Slurm's `PriorityDecayHalfLife`.
pub const HALF_LIFE: ParamSpec = ParamSpec {
    name: "half-life",
    kind: ParamKind::Duration,
    default: "7d",
    help: "fairshare: the time in which a user's usage decays to half; with none, usage never decays",
    ..ParamSpec::PLAIN
};

/// The parameter that adds the remaining work to tetris (this project's variant of the paper's combination).
///
/// Jobs are then served by ascending ε·work − alignment. A job's work is r times the mean of q/c; ε is this option times the mean
/// alignment divided by the mean work of the waiting jobs, updated at every ranking. The paper weighs the remaining work of a job
/// of many tasks; for a rigid waiting job this is all of its work.
pub const SRTF: ParamSpec = ParamSpec {
    name: "srtf",
    kind: ParamKind::NumberOr { least: 0.0, words: &[] },
    default: "0",
    help: "tetris: weight of the remaining work relative to the alignment; at 1 their means count equally",
    ..ParamSpec::PLAIN
};
