//! The choices that the paper leaves open, by name; the same for both policies.

use crate::spec::{ParamKind, ParamSpec};
use crate::support::hosts::PLACE;

/// How many reservations "intermediate backfilling" (section 4.3) makes.
pub const RESERVATIONS: ParamSpec = ParamSpec {
    name: "reservations",
    kind: ParamKind::Count { least: 0, infinite: true },
    default: "1",
    help: "how many jobs that cannot start hold a reservation; with 0 every job that fits starts",
    ..ParamSpec::PLAIN
};

/// The rule of host selection: the paper's own "in all experiments".
pub const HOST: ParamSpec = ParamSpec {
    default: "mcbp",
    help: "on machines with nodes: which of the nodes with room a task goes to; `host` is another name",
    ..PLACE
};

/// The period of "periodically evaluates the queue" (section 4.3).
pub const CYCLE: ParamSpec = ParamSpec {
    name: "cycle",
    kind: ParamKind::Duration,
    default: "none",
    help: "decide at multiples of this time only, if something has happened since; none is at every event. Reservations may \
        begin between these instants: their jobs start at the next one",
    ..ParamSpec::PLAIN
};

pub const KEEP: ParamSpec = ParamSpec {
    name: "keep",
    kind: ParamKind::Choice(&["false", "true"]),
    default: "false",
    help: "reservations are recomputed at every decision, or stay with their jobs: they move up, and back only if running jobs \
        stay longer than expected or a start waits for the next cycle (slipped_reservations counts those)",
    ..ParamSpec::PLAIN
};

pub const PER: ParamSpec = ParamSpec {
    name: "per",
    kind: ParamKind::Choice(&["task", "job"]),
    default: "task",
    help: "the queue score uses the requests of one task, or of all tasks of a job; on a pool a job is one task",
    ..ParamSpec::PLAIN
};
