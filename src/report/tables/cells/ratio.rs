//! The ratio to the baseline.

use super::{Asks, CellKind, Drawn};
use crate::study::Quantity;
use crate::table::Format;

/// `ratio`.
pub const KIND: CellKind = CellKind {
    name: "ratio",
    heading: "ratio",
    words: "mean over units divided by that of the baseline",
    asks: Asks::Baseline,
    is_text: false,
    format: |_| Format { significant: 4, most_decimals: 3, ..Format::PLAIN },
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.ratio).into(),
    interval: Some(|drawing| {
        let Some(answer) = drawing.answer else { return Drawn::EMPTY };
        Drawn::interval(answer.interval(Quantity::Ratio).map(|of| (of.low, of.high)))
    }),
};
