//! The number of units.

use super::{Asks, CellKind, Shown, WHOLE};

/// `units`.
pub const KIND: CellKind = CellKind {
    name: "units",
    heading: "units",
    words: "units that have a value",
    asks: Asks::Value,
    shows: Shown::Other,
    is_text: false,
    format: |_| WHOLE,
    draw: |drawing| Some(drawing.estimate.units as f64).into(),
    interval: None,
};
