//! The rank among the policies of the table.

use super::{CellKind, PLAIN, WHOLE};

pub const KIND: CellKind = CellKind {
    name: "rank",
    heading: "rank",
    words: "place by value among the policies of this table, equal values sharing the best of their places",
    format: |_| WHOLE,
    draw: |drawing| drawing.place.and_then(|place| place.rank).map(|rank| rank as f64).into(),
    ..PLAIN
};
