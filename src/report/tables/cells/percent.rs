//! The ratio to the baseline, as a change in per cent.

use super::{Asks, CellKind, Drawn};
use crate::study::Quantity;
use crate::table::Format;

/// `percent`.
pub const KIND: CellKind = CellKind {
    name: "percent",
    heading: "change",
    words: "ratio of the mean over units to that of the baseline, less 1",
    asks: Asks::Baseline,
    is_text: false,
    format: |_| Format {
        unit: "%",
        scale: 100.0,
        significant: 3,
        most_decimals: 1,
        signed: true,
        ..Format::PLAIN
    },
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.ratio).map(|ratio| ratio - 1.0).into(),
    interval: Some(|drawing| {
        let Some(answer) = drawing.answer else { return Drawn::EMPTY };
        Drawn::interval(answer.interval(Quantity::Ratio).map(|of| (of.low - 1.0, of.high - 1.0)))
    }),
};
