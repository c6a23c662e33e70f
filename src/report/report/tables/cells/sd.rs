//! The standard deviation between units.

use super::{Asks, CellKind, PLAIN, Shown};

pub const KIND: CellKind = CellKind {
    name: "sd",
    heading: "sd",
    words: "standard deviation over units (divided by n - 1)",
    asks: Asks::Units,
    shows: Shown::Deviation,
    draw: |drawing| drawing.estimate.sd.into(),
    ..PLAIN
};
