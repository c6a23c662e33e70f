//! The least and the greatest value of a unit.

use super::{Asks, CellContent, CellKind, PLAIN, Shown};
use batchlab_engine::table::Cell;

pub const KIND: CellKind = CellKind {
    name: "range",
    heading: "range",
    words: "least and greatest value of a unit",
    asks: Asks::Units,
    shows: Shown::Range,
    draw: |drawing| match drawing.estimate.range {
        Some((least, greatest)) => CellContent { cell: Cell::Interval(least, greatest), reason: None },
        None => CellContent::EMPTY,
    },
    ..PLAIN
};
