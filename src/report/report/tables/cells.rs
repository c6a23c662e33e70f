//! The kinds of cells, one file and one line each.

mod difference;
mod effect;
mod first;
mod flips;
mod p;
mod p_raw;
mod p_signs;
pub mod percent;
mod percent_of_means;
mod range;
mod rank;
mod ratio;
mod ratio_of_means;
mod sd;
mod superiority;
mod units;
mod value;
mod verdict;
mod whole;

use batchlab_engine::table::{Cell, Format};
use batchlab_study::study::{Answer, ComparedNumber, Comparison, Estimate, Reason};

/// All kinds of cells except `interval`, which accompanies every estimate: value, difference, percent and ratio, and percent and
/// ratio of means.
pub static CELLS: &[CellKind] = &[
    value::KIND,
    whole::KIND,
    sd::KIND,
    range::KIND,
    difference::KIND,
    percent::KIND,
    percent_of_means::KIND,
    ratio::KIND,
    ratio_of_means::KIND,
    p::KIND,
    p_raw::KIND,
    p_signs::KIND,
    verdict::KIND,
    effect::KIND,
    superiority::KIND,
    flips::KIND,
    rank::KIND,
    first::KIND,
    units::KIND,
];

/// The default content of a cell: the value, with its interval.
pub const DEFAULT_CELL: &str = value::KIND.name;

#[derive(Debug)]
pub struct CellKind {
    /// Name, as `cells` takes it.
    pub name: &'static str,
    /// Heading if a cell has several parts.
    pub heading: &'static str,
    /// Its meaning, for readers of the table.
    pub words: &'static str,
    /// What it requires.
    pub asks: Asks,
    /// What it shows.
    pub shows: Shown,
    /// Whether it is text rather than a number.
    pub is_text: bool,
    /// Returns the format of its numbers, given the format of the metric's values.
    pub format: fn(Format) -> Format,
    pub draw: fn(&Drawing<'_>) -> CellContent,
    /// Returns its interval, if it is an estimate.
    pub interval: Option<fn(&Drawing<'_>) -> CellContent>,
}

/// Most kinds: a kind states what differs from this.
const PLAIN: CellKind = CellKind {
    name: "",
    heading: "",
    words: "",
    asks: Asks::Value,
    shows: Shown::Other,
    is_text: false,
    format: |format| format,
    draw: |_| CellContent::EMPTY,
    interval: None,
};

impl CellKind {
    /// Returns the quantity that the cell prints, if it compares two policies.
    pub fn compares(&self) -> Option<ComparedNumber> {
        match self.shows {
            Shown::Comparison(quantity) => Some(quantity),
            _ => None,
        }
    }

    pub fn is_value(&self) -> bool {
        self.shows == Shown::Value
    }
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Value,
    /// How values differ between units.
    Deviation,
    /// The least and the greatest value of a unit.
    Range,
    /// The value beside that of the baseline.
    Comparison(ComparedNumber),
    /// What follows from values: places, tests, counts.
    Other,
}

/// What a kind of cell requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Value,
    Units,
    Baseline,
    PairedUnits,
    /// A baseline, and units from which something can be inferred.
    Inference,
}

impl Asks {
    /// Whether it compares with a baseline.
    pub fn needs_baseline(self) -> bool {
        matches!(self, Asks::Baseline | Asks::PairedUnits | Asks::Inference)
    }

    pub fn needs_units(self) -> bool {
        matches!(self, Asks::Units | Asks::PairedUnits | Asks::Inference)
    }
}

/// The inputs of a cell: its policy, design point and measure.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    pub estimate: &'a Estimate,
    /// The contrast with the baseline; `None` for the baseline itself.
    pub answer: Option<&'a Answer>,
    /// The rank of the policy among those of the table.
    pub place: Option<PolicyPlace>,
}

impl Drawing<'_> {
    /// Returns the number of the comparison that a cell prints, transformed by `shown`. Without a geometric mean of ratios
    /// it is the ratio of means.
    fn compared(&self, kind: &CellKind, shown: fn(f64) -> f64) -> CellContent {
        self.comparison(kind).and_then(|of| of.value).map(shown).into()
    }

    /// Returns the interval of this comparison, with both ends transformed by `shown`.
    fn interval(&self, kind: &CellKind, shown: fn(f64) -> f64) -> CellContent {
        let Some(of) = self.comparison(kind) else { return CellContent::EMPTY };
        let ends = of.interval.as_ref().map(|of| (shown(of.low), shown(of.high)));
        CellContent::interval(ends.map_err(|reason| *reason))
    }

    fn comparison(&self, kind: &CellKind) -> Option<&Comparison> {
        let contrast = &self.answer?.contrast;
        Some(match kind.compares()? {
            ComparedNumber::Ratio => contrast.as_ratio(),
            quantity => contrast.by(quantity),
        })
    }
}

/// The rank of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyPlace {
    /// Rank by value, from 1.
    pub rank: Option<usize>,
    /// Share of units in which the policy is best.
    pub first: Option<f64>,
}

/// The content of a cell, or the reason why it is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct CellContent {
    pub cell: Cell,
    /// The reason why it is empty, if a reader would ask.
    pub reason: Option<Reason>,
}

impl From<Option<f64>> for CellContent {
    fn from(value: Option<f64>) -> CellContent {
        CellContent { cell: value.into(), reason: None }
    }
}

impl CellContent {
    /// An empty cell that needs no explanation.
    pub const EMPTY: CellContent = CellContent { cell: Cell::Empty, reason: None };

    /// Returns a number, or an empty cell with the reason.
    pub fn number(value: Result<f64, Reason>) -> CellContent {
        CellContent::cell(value.map(Cell::Number))
    }

    /// Returns an interval, or an empty cell with the reason.
    pub fn interval(ends: Result<(f64, f64), Reason>) -> CellContent {
        CellContent::cell(ends.map(|(low, high)| Cell::Interval(low, high)))
    }

    fn cell(cell: Result<Cell, Reason>) -> CellContent {
        match cell {
            Ok(cell) => CellContent { cell, reason: None },
            Err(reason) => CellContent { cell: Cell::Empty, reason: Some(reason) },
        }
    }
}

/// Format of probabilities.
const PROBABILITY: Format = Format { significant: 3, most_decimals: 3, least: Some(0.001), ..Format::PLAIN };
/// Format of shares of units.
const SHARE: Format = Format { unit: "%", scale: 100.0, significant: 3, most_decimals: 0, ..Format::PLAIN };
const WHOLE: Format = Format { most_decimals: 0, ..Format::PLAIN };

#[cfg(test)]
mod tests {
    use batchlab_traces::sorted::SortedSet;

    use super::*;

    #[test]
    fn names_are_unique_and_words_end_without_a_stop() {
        let names: SortedSet<&str> = CELLS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), CELLS.len());
        assert!(CELLS.iter().all(|kind| !kind.words.ends_with('.') && kind.name != "interval"));
    }
}
