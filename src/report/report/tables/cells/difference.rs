//! The difference to the baseline.

use super::{Asks, CellKind, Shown};
use batchlab_engine::table::Format;
use batchlab_study::study::ComparedNumber;

pub const KIND: CellKind = CellKind {
    name: "difference",
    heading: "difference",
    words: "mean over units of the value less that of the baseline in the same unit",
    asks: Asks::Baseline,
    shows: Shown::Comparison(ComparedNumber::Difference),
    is_text: false,
    format: |format| Format {
        unit: if format.unit == "%" { "% points" } else { format.unit },
        signed: true,
        none: Some(0.0),
        ..format
    },
    draw: |drawing| drawing.compared(&KIND, |difference| difference),
    interval: Some(|drawing| drawing.interval(&KIND, |difference| difference)),
};
