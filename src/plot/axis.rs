//! An axis: what it measures, its scale and its ticks.

use super::scale::Scale;
use super::ticks::{Tick, decades, lengths, linear};

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// The scale that maps values to positions.
    pub scale: Scale,
    /// Its ticks.
    pub ticks: Vec<Tick>,
    /// Whether lines run from the ticks across the panel.
    pub has_grid: bool,
}

/// The desired number of ticks.
const TICKS: usize = 6;
/// The least number of ticks on a readable logarithmic axis.
const FEWEST: usize = 3;
/// The most names that fit next to each other legibly.
const NAMES: usize = 12;

impl Axis {
    /// Returns an axis with ticks at multiples of 1, 2 or 5 times a power of ten.
    pub fn linear(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::linear(from, to);
        Axis { label: label.into(), ticks: linear(&scale, TICKS), scale, has_grid: true }
    }

    /// Returns a logarithmic axis with ticks at the powers of ten; at further round numbers if the axis is
    /// too short for that.
    pub fn log(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::log(from, to);
        let ticks = decades(&scale, TICKS);
        let ticks = if ticks.len() < FEWEST { linear(&scale, FEWEST + 1) } else { ticks };
        Axis { label: label.into(), ticks, scale, has_grid: true }
    }

    /// Returns a logarithmic axis of times in seconds, with ticks at 1 s, 10 s, 1 min, ...
    pub fn lengths(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::log(from, to);
        Axis { label: label.into(), ticks: lengths(&scale), scale, has_grid: true }
    }

    /// Returns an axis of named items: the first from 0 to 1, the second from 1 to 2, ... If there are too
    /// many, only some names are written.
    pub fn names<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Axis {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let every = names.len().div_ceil(NAMES).max(1);
        let scale = Scale::linear(0.0, names.len() as f64);
        let labels = names.into_iter().enumerate().step_by(every);
        let ticks = labels.map(|(at, label)| Tick { value: at as f64 + 0.5, label }).collect();
        Axis { label: label.into(), scale, ticks, has_grid: false }
    }

    /// Returns an axis for a number of rows, whose names stand beside the frame.
    pub(super) fn rows(count: usize) -> Axis {
        let scale = Scale::linear(0.0, count as f64);
        Axis { label: String::new(), scale, ticks: Vec::new(), has_grid: false }
    }

    /// Returns an axis of a few categories, all of whose names are written.
    pub fn categories<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Axis {
        let names = names.into_iter().map(Into::into);
        let tick = |(at, label): (usize, String)| Tick { value: at as f64 + 0.5, label };
        let ticks: Vec<Tick> = names.enumerate().map(tick).collect();
        let scale = Scale::linear(0.0, ticks.len() as f64);
        Axis { label: label.into(), scale, ticks, has_grid: false }
    }
}
