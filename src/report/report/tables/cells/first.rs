//! Share of units in which the policy is best.

use super::{Asks, CellKind, PLAIN, SHARE};

pub const KIND: CellKind = CellKind {
    name: "first",
    heading: "first in",
    words: "share of units in which the policy is the best of this table, shared places counting in parts",
    asks: Asks::Units,
    format: |_| SHARE,
    draw: |drawing| drawing.place.and_then(|place| place.first).into(),
    ..PLAIN
};
