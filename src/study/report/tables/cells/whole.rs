//! The value of the whole replay.

use super::{Asks, CellKind, Shown};

/// `whole`.
pub const KIND: CellKind = CellKind {
    name: "whole",
    heading: "whole",
    words: "value of the whole replay, where there is one replay, in blocks or not",
    asks: Asks::Value,
    shows: Shown::Other,
    is_text: false,
    format: |format| format,
    draw: |drawing| drawing.estimate.whole.into(),
    interval: None,
};
