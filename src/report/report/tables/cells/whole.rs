//! The value of the whole replay.

use super::{CellKind, PLAIN};

pub const KIND: CellKind = CellKind {
    name: "whole",
    heading: "whole",
    words: "value of the whole replay, where there is one replay, in blocks or not",
    draw: |drawing| drawing.estimate.whole.into(),
    ..PLAIN
};
