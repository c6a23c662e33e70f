//! The ratio to the baseline in a typical unit.

use super::{Asks, CellKind, Shown};
use batchlab_engine::table::Format;
use batchlab_study::study::ComparedNumber;

pub const KIND: CellKind = CellKind {
    name: "ratio",
    heading: "ratio",
    words: "geometric mean over units of the value divided by that of the baseline in the same unit",
    asks: Asks::Baseline,
    shows: Shown::Comparison(ComparedNumber::Ratio),
    is_text: false,
    format: |_| Format { significant: 4, most_decimals: 3, none: Some(1.0), ..Format::PLAIN },
    draw: |drawing| drawing.compared(&KIND, |ratio| ratio),
    interval: Some(|drawing| drawing.interval(&KIND, |ratio| ratio)),
};
