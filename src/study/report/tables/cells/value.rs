//! The policy's value.

use super::{Asks, CellContent, CellKind, Shown};

/// `value`.
pub const KIND: CellKind = CellKind {
    name: "value",
    heading: "value",
    words: "mean over units of the unit's value; of one replay that is not in blocks, its value",
    asks: Asks::Value,
    shows: Shown::Value,
    is_text: false,
    format: |format| format,
    draw: |drawing| drawing.estimate.value.into(),
    interval: Some(|drawing| {
        let interval = drawing.estimate.interval.as_ref();
        CellContent::interval(interval.map(|of| (of.low, of.high)).map_err(|reason| *reason))
    }),
};
