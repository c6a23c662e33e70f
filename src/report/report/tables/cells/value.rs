//! The policy's value.

use super::{CellContent, CellKind, PLAIN, Shown};

pub const KIND: CellKind = CellKind {
    name: "value",
    heading: "value",
    words: "mean over units of the unit's value; of one replay that is not in blocks, its value",
    shows: Shown::Value,
    draw: |drawing| drawing.estimate.value.into(),
    interval: Some(|drawing| {
        let interval = drawing.estimate.interval.as_ref();
        CellContent::interval(interval.map(|of| (of.low, of.high)).map_err(|reason| *reason))
    }),
    ..PLAIN
};
