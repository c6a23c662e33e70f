//! The p-value of the contrast with the baseline, unadjusted.

use super::{Asks, CellContent, CellKind, PLAIN, PROBABILITY};

pub const KIND: CellKind = CellKind {
    name: "p_raw",
    heading: "raw p",
    words: "p-value of the test against the baseline, as if it were the only one",
    asks: Asks::Inference,
    format: |_| PROBABILITY,
    draw: |drawing| {
        let Some(answer) = drawing.answer else { return CellContent::EMPTY };
        CellContent::number(answer.test.as_ref().map(|test| test.p).map_err(|reason| *reason))
    },
    ..PLAIN
};
