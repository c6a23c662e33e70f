//! The standard deviation between units.

use super::{Asks, CellKind, Shown};

/// `sd`.
pub const KIND: CellKind = CellKind {
    name: "sd",
    heading: "sd",
    words: "standard deviation over units (divided by n - 1)",
    asks: Asks::Units,
    shows: Shown::Deviation,
    is_text: false,
    format: |format| format,
    draw: |drawing| drawing.estimate.sd.into(),
    interval: None,
};
