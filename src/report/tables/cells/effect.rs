//! The difference in standard deviations.

use super::{Asks, CellKind};
use crate::table::Format;

/// `effect`.
pub const KIND: CellKind = CellKind {
    name: "effect",
    heading: "effect",
    words: "mean difference to the baseline in standard deviations of the differences, corrected for small samples (d_z with the factor of Hedges)",
    asks: Asks::Inference,
    is_text: false,
    format: |_| Format { significant: 3, most_decimals: 2, signed: true, ..Format::PLAIN },
    draw: |drawing| drawing.answer.and_then(|answer| answer.contrast.effect).into(),
    interval: None,
};
