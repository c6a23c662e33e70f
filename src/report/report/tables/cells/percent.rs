//! The ratio to the baseline in a typical unit, in per cent of change.

use super::{Asks, CellKind, Shown};
use batchlab_engine::table::Format;
use batchlab_study::study::ComparedNumber;

pub const KIND: CellKind = CellKind {
    name: "percent",
    heading: "change",
    words: "geometric mean over units of the value divided by that of the baseline in the same unit, less 1",
    asks: Asks::Baseline,
    shows: Shown::Comparison(ComparedNumber::Ratio),
    is_text: false,
    format: |_| CHANGE,
    draw: |drawing| drawing.compared(&KIND, change),
    interval: Some(|drawing| drawing.interval(&KIND, change)),
};

/// How changes in per cent are written.
pub const CHANGE: Format =
    Format { unit: "%", significant: 3, most_decimals: 1, signed: true, none: Some(0.0), ..Format::PLAIN };

/// Returns the change that a ratio is, in per cent.
pub fn change(ratio: f64) -> f64 {
    100.0 * (ratio - 1.0)
}
