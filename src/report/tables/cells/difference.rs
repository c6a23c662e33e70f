//! The difference to the baseline.

use super::{Asks, CellKind, Drawn};
use crate::study::Quantity;
use crate::table::Format;

/// `difference`.
pub const KIND: CellKind = CellKind {
    name: "difference",
    heading: "difference",
    words: "mean over units of the value less that of the baseline in the same unit",
    asks: Asks::Baseline,
    is_text: false,
    format: |format| Format {
        unit: if format.unit == "%" { "% points" } else { format.unit },
        signed: true,
        ..format
    },
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.difference).into(),
    interval: Some(|drawing| {
        let Some(answer) = drawing.answer else { return Drawn::EMPTY };
        Drawn::interval(answer.interval(Quantity::Difference).map(|of| (of.low, of.high)))
    }),
};
