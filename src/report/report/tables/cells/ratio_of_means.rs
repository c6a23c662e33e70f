//! The ratio of the mean to that of the baseline.

use super::{Asks, CellKind, Shown};
use batchlab_engine::table::Format;
use batchlab_study::study::ComparedNumber;

pub const KIND: CellKind = CellKind {
    name: "ratio_of_means",
    heading: "ratio of means",
    words: "mean over units divided by that of the baseline",
    asks: Asks::Baseline,
    shows: Shown::Comparison(ComparedNumber::RatioOfMeans),
    is_text: false,
    format: |_| Format { significant: 4, most_decimals: 3, none: Some(1.0), ..Format::PLAIN },
    draw: |drawing| drawing.compared(&KIND, |ratio| ratio),
    interval: Some(|drawing| drawing.interval(&KIND, |ratio| ratio)),
};
