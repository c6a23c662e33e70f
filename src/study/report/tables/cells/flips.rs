//! Share of units in which the order of policy and baseline is reversed.

use super::{Asks, CellKind, SHARE, Shown};

/// `flips`.
pub const KIND: CellKind = CellKind {
    name: "flips",
    heading: "flips",
    words: "share of units in which the order of policy and baseline is not that of their means",
    asks: Asks::PairedUnits,
    shows: Shown::Other,
    is_text: false,
    format: |_| SHARE,
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.flips).into(),
    interval: None,
};
