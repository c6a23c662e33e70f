//! The parameters that name a queue order and its options.

use crate::spec::{ParamKind, ParamSpec};

/// The parameter that names the queue order.
pub const ORDER: ParamSpec = ParamSpec {
    name: "order",
    kind: ParamKind::Order,
    default: "fcfs",
    help: "queue order: which job is served, or gets a reservation, first",
};

/// The parameter that says where F1 to F4 count submit times from.
pub const ORIGIN: ParamSpec = ParamSpec {
    name: "origin",
    kind: ParamKind::Choice(&["zero", "first"]),
    default: "zero",
    help: "f1 to f4 count s from the trace's zero, or from the first submission",
};

/// The parameter that says what log10(s) is at s = 0.
pub const LOG0: ParamSpec = ParamSpec {
    name: "log0",
    kind: ParamKind::Choice(&["one", "tenth", "plus-one"]),
    default: "one",
    help: "f1 to f4 take log10 of max(s, 1), of max(s, 0.1), or of s + 1",
};

/// The parameter that says how fast fairshare forgets: by default as Slurm's `PriorityDecayHalfLife`.
pub const HALF_LIFE: ParamSpec = ParamSpec {
    name: "half-life",
    kind: ParamKind::Duration,
    default: "7d",
    help: "fairshare: the time after which what a user has used counts half; none forgets nothing",
};

/// The parameter that adds the remaining work to tetris (this project's variant of the paper's combination).
///
/// Jobs are then served by ascending ε·work − alignment, a job's work being r times the mean of q/c, and ε this option times the mean
/// alignment over the mean work of the waiting jobs, taken at every ranking. The paper weighs the remaining work of a
/// job of many tasks; a rigid job that waits has all of its work before it.
pub const SRTF: ParamSpec = ParamSpec {
    name: "srtf",
    kind: ParamKind::NumberOr { least: 0.0, words: &[] },
    default: "0",
    help: "tetris: weight of the shortest remaining work beside the alignment; at 1 their means weigh alike",
};
