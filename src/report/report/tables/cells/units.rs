//! The number of units.

use super::{CellKind, PLAIN, WHOLE};

pub const KIND: CellKind = CellKind {
    name: "units",
    heading: "units",
    words: "units that have a value",
    format: |_| WHOLE,
    draw: |drawing| Some(drawing.estimate.units as f64).into(),
    ..PLAIN
};
