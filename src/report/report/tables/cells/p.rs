//! The p-value of the contrast with the baseline, adjusted for all tests of the family.

use super::{Asks, CellContent, CellKind, PLAIN, PROBABILITY};

pub const KIND: CellKind = CellKind {
    name: "p",
    heading: "p",
    words: "p-value of the test against the baseline, adjusted by Bonferroni's method for all \
        that are tested together",
    asks: Asks::Inference,
    format: |_| PROBABILITY,
    draw: |drawing| drawing.answer.map_or(CellContent::EMPTY, |answer| CellContent::number(answer.p)),
    ..PLAIN
};
