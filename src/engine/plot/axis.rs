//! An axis: what it measures, its scale and its ticks.

use super::scale::Scale;
use super::ticks::{Tick, decades, lengths, linear, multiples};

#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    pub scale: Scale,
    pub ticks: Vec<Tick>,
    /// Whether lines run from the ticks across the panel.
    pub has_grid: bool,
    /// Whether an x axis stands above the panel; it has rows then.
    pub is_on_top: bool,
}

const TICKS: usize = 6;
/// The most ticks of which both ends of an axis are one.
const CLOSE: usize = 9;
/// The least number of ticks on a readable logarithmic axis.
const FEWEST: usize = 3;
/// The most names that fit next to each other legibly.
const NAMES: usize = 12;

impl Axis {
    /// Returns an axis with ticks at multiples of 1, 2 or 5 times a power of ten.
    pub fn linear(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::linear(from, to);
        Axis { label: label.into(), ticks: linear(&scale, TICKS), scale, has_grid: true, is_on_top: false }
    }

    /// Returns an axis with ticks at the multiples of one of several steps, which are whole numbers and ascend: of the
    /// least that has a tick at both ends and at most `CLOSE` in all, or else of the least that has about `TICKS`.
    pub fn in_steps(label: impl Into<String>, from: f64, to: f64, steps: &[f64]) -> Axis {
        let scale = Scale::linear(from, to);
        let count = |step: f64| (scale.to() - scale.from()) / step;
        let is_whole = |value: f64, step: f64| (value / step - (value / step).round()).abs() < 1e-6;
        let fits = |step: &&f64| {
            count(**step) < CLOSE as f64 && is_whole(scale.from(), **step) && is_whole(scale.to(), **step)
        };
        // A step must leave room for two ticks.
        let closed = steps.iter().find(fits).filter(|step| count(**step) >= 2.0);
        let step = closed.or_else(|| steps.iter().find(|step| count(**step) <= TICKS as f64 + 1.0));
        let ticks = match step.filter(|step| count(**step) >= 2.0) {
            Some(step) => multiples(&scale, *step, 0),
            None => linear(&scale, TICKS),
        };
        Axis { label: label.into(), ticks, scale, has_grid: true, is_on_top: false }
    }

    /// Returns a logarithmic axis with ticks at the powers of ten; at further round numbers if the axis is too short for that.
    pub fn log(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::log(from, to);
        let ticks = decades(&scale, TICKS);
        let more = || (FEWEST + 1..=2 * TICKS).map(|about| linear(&scale, about));
        let readable = || more().find(|ticks| ticks.len() >= FEWEST);
        let ticks = if ticks.len() < FEWEST { readable().unwrap_or(ticks) } else { ticks };
        Axis { label: label.into(), ticks, scale, has_grid: true, is_on_top: false }
    }

    /// Returns a logarithmic axis of times in seconds, with ticks at 1 s, 10 s, 1 min, ...
    pub fn lengths(label: impl Into<String>, from: f64, to: f64) -> Axis {
        let scale = Scale::log(from, to);
        Axis { label: label.into(), ticks: lengths(&scale), scale, has_grid: true, is_on_top: false }
    }

    /// Returns an axis of named items: the first from 0 to 1, the second from 1 to 2, ... If there are too
    /// many, only some names are written.
    pub fn names<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Axis {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let every = names.len().div_ceil(NAMES).max(1);
        let scale = Scale::linear(0.0, names.len() as f64);
        let labels = names.into_iter().enumerate().step_by(every);
        let ticks = labels.map(|(at, label)| Tick { value: at as f64 + 0.5, label }).collect();
        Axis { label: label.into(), scale, ticks, has_grid: false, is_on_top: false }
    }

    /// Returns an axis for a number of rows, whose names stand beside the frame.
    pub(super) fn rows(count: usize) -> Axis {
        let scale = Scale::linear(0.0, count as f64);
        Axis { label: String::new(), scale, ticks: Vec::new(), has_grid: false, is_on_top: false }
    }

    pub fn categories<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Axis {
        let names = names.into_iter().map(Into::into);
        let tick = |(at, label): (usize, String)| Tick { value: at as f64 + 0.5, label };
        let ticks: Vec<Tick> = names.enumerate().map(tick).collect();
        let scale = Scale::linear(0.0, ticks.len() as f64);
        Axis { label: label.into(), scale, ticks, has_grid: false, is_on_top: false }
    }
}
