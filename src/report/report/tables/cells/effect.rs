//! The difference in standard deviations.

use super::{Asks, CellKind, PLAIN};
use batchlab_engine::table::Format;

pub const KIND: CellKind = CellKind {
    name: "effect",
    heading: "effect",
    words: "mean of what is compared (logarithms of the ratios to the baseline, or differences) in its standard deviations over \
        units, corrected for small samples (d_z with the factor of Hedges)",
    asks: Asks::Inference,
    format: |_| Format { significant: 3, most_decimals: 2, signed: true, ..Format::PLAIN },
    draw: |drawing| drawing.answer.and_then(|answer| answer.compared().effect).into(),
    ..PLAIN
};
