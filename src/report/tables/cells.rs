//! What cells can say, one file and one line each.

mod difference;
mod effect;
mod first;
mod flips;
mod p;
mod p_raw;
mod percent;
mod range;
mod rank;
mod ratio;
mod sd;
mod superiority;
mod units;
mod value;
mod verdict;
mod whole;

use crate::study::{Answer, Estimate, Reason};
use crate::table::Cell;
use crate::table::number::Format;

/// All kinds of cells but `interval`, which stands beside every estimate: value, difference, percent, ratio.
pub static CELLS: &[CellKind] = &[
    value::KIND,
    whole::KIND,
    sd::KIND,
    range::KIND,
    difference::KIND,
    percent::KIND,
    ratio::KIND,
    p::KIND,
    p_raw::KIND,
    verdict::KIND,
    effect::KIND,
    superiority::KIND,
    flips::KIND,
    rank::KIND,
    first::KIND,
    units::KIND,
];

/// What cells say unless they are told: the value, with its interval.
pub const DEFAULT_CELL: &str = value::KIND.name;

/// What a cell says.
#[derive(Debug)]
pub struct CellKind {
    /// Name, as `cells` takes it.
    pub name: &'static str,
    /// Heading where a cell says several things.
    pub heading: &'static str,
    /// What it is, for those who read the table.
    pub words: &'static str,
    /// What it needs.
    pub asks: Asks,
    /// Whether it is text, not a number.
    pub is_text: bool,
    /// Returns how its numbers are printed, from how values of the metric are.
    pub format: fn(Format) -> Format,
    /// Returns what it says.
    pub draw: fn(&Drawing<'_>) -> Drawn,
    /// Returns the interval of what it says, where that is an estimate.
    pub interval: Option<fn(&Drawing<'_>) -> Drawn>,
}

/// What a cell needs to say anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A value.
    Value,
    /// Several units.
    Units,
    /// A baseline.
    Baseline,
    /// A baseline and several units.
    PairedUnits,
    /// A baseline, and units that something can be inferred from.
    Inference,
}

impl Asks {
    /// Whether it compares with a baseline.
    pub fn needs_baseline(self) -> bool {
        matches!(self, Asks::Baseline | Asks::PairedUnits | Asks::Inference)
    }

    /// Whether one replay is too little for it.
    pub fn needs_units(self) -> bool {
        matches!(self, Asks::Units | Asks::PairedUnits | Asks::Inference)
    }
}

/// What is known of the policy, design point and measure of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The policy by itself.
    pub estimate: &'a Estimate,
    /// The policy against the baseline; `None` for the baseline itself.
    pub answer: Option<&'a Answer>,
    /// Its place among the policies of the table.
    pub place: Option<PolicyPlace>,
}

/// A policy among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyPlace {
    /// Place by value, from 1.
    pub rank: Option<usize>,
    /// Share of units in which it comes first.
    pub first: Option<f64>,
}

/// What a cell says, or why it says nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The cell.
    pub cell: Cell,
    /// Why it is empty, where a reader would ask.
    pub reason: Option<Reason>,
}

impl From<Option<f64>> for Drawn {
    fn from(value: Option<f64>) -> Drawn {
        Drawn { cell: value.into(), reason: None }
    }
}

impl Drawn {
    /// A cell of which nobody asks why it is empty.
    pub const EMPTY: Drawn = Drawn { cell: Cell::Empty, reason: None };

    /// Returns a number, or why there is none.
    pub fn number(value: Result<f64, Reason>) -> Drawn {
        Drawn::cell(value.map(Cell::Number))
    }

    /// Returns an interval, or why there is none.
    pub fn interval(ends: Result<(f64, f64), Reason>) -> Drawn {
        Drawn::cell(ends.map(|(low, high)| Cell::Interval(low, high)))
    }

    fn cell(cell: Result<Cell, Reason>) -> Drawn {
        match cell {
            Ok(cell) => Drawn { cell, reason: None },
            Err(reason) => Drawn { cell: Cell::Empty, reason: Some(reason) },
        }
    }
}

/// How probabilities are printed.
const PROBABILITY: Format = Format { significant: 3, most_decimals: 3, least: Some(0.001), ..Format::PLAIN };
/// How shares of units are printed.
const SHARE: Format = Format { unit: "%", scale: 100.0, significant: 3, most_decimals: 0, ..Format::PLAIN };
/// How whole numbers are printed.
const WHOLE: Format = Format { most_decimals: 0, ..Format::PLAIN };

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_words_end_without_a_stop() {
        let names: BTreeSet<&str> = CELLS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), CELLS.len());
        assert!(CELLS.iter().all(|kind| !kind.words.ends_with('.') && kind.name != "interval"));
    }
}
