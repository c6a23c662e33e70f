//! Share of units in which the policy is better than the baseline.

use super::{Asks, CellKind, PLAIN, SHARE};

pub const KIND: CellKind = CellKind {
    name: "superiority",
    heading: "superior in",
    words: "share of units in which the policy is better than the baseline, ties counting half",
    asks: Asks::PairedUnits,
    format: |_| SHARE,
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.superiority).into(),
    ..PLAIN
};
