//! The result of the test, in a word.

use super::{Asks, CellKind, Drawn, Shown};
use crate::study::Verdict;
use crate::table::Cell;

/// `verdict`.
pub const KIND: CellKind = CellKind {
    name: "verdict",
    heading: "verdict",
    words: "what the adjusted test shows: better or worse than the baseline, or no difference shown, which \
        does not mean that there is none",
    asks: Asks::Inference,
    shows: Shown::Other,
    is_text: true,
    format: |format| format,
    draw: |drawing| {
        let Some(answer) = drawing.answer else { return Drawn::EMPTY };
        let reason = match answer.verdict {
            Verdict::NoTest(reason) => Some(reason),
            _ => None,
        };
        Drawn { cell: Cell::Text(answer.verdict.words().into()), reason }
    },
    interval: None,
};
