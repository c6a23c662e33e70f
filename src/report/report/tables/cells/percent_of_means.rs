//! The ratio of the mean to that of the baseline, in per cent of change.

use super::percent::{CHANGE, change};
use super::{Asks, CellKind, Shown};
use batchlab_study::study::ComparedNumber;

pub const KIND: CellKind = CellKind {
    name: "percent_of_means",
    heading: "change of means",
    words: "mean over units divided by that of the baseline, less 1",
    asks: Asks::Baseline,
    shows: Shown::Comparison(ComparedNumber::RatioOfMeans),
    is_text: false,
    format: |_| CHANGE,
    draw: |drawing| drawing.compared(&KIND, change),
    interval: Some(|drawing| drawing.interval(&KIND, change)),
};
