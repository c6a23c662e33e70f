//! The result of the test, in a word.

use super::{Asks, CellContent, CellKind, PLAIN};
use batchlab_engine::table::Cell;
use batchlab_study::study::ContrastResult;

pub const KIND: CellKind = CellKind {
    name: "verdict",
    heading: "verdict",
    words: "what the adjusted test shows: better or worse than the baseline, or no difference shown, which \
        does not mean that there is none",
    asks: Asks::Inference,
    is_text: true,
    draw: |drawing| {
        let Some(answer) = drawing.answer else { return CellContent::EMPTY };
        let reason = match answer.verdict {
            ContrastResult::NoTest(reason) => Some(reason),
            _ => None,
        };
        CellContent { cell: Cell::Text(answer.verdict.words().into()), reason }
    },
    ..PLAIN
};
