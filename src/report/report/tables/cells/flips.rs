//! Share of units in which the order of policy and baseline is reversed.

use super::{Asks, CellKind, PLAIN, SHARE};

pub const KIND: CellKind = CellKind {
    name: "flips",
    heading: "flips",
    words: "share of units in which the order of policy and baseline is not that of their means",
    asks: Asks::PairedUnits,
    format: |_| SHARE,
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.flips).into(),
    ..PLAIN
};
