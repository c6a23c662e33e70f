//! Axes of measured quantities: unit and range.

use batchlab_engine::plot::Axis;
use batchlab_engine::table::Unit;

/// The unit and scale in which values are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaled {
    /// The factor applied to values.
    pub by: f64,
    /// The resulting unit; empty if there is none.
    pub unit: &'static str,
}

/// Factor of room above the greatest value, and on logarithmic axes below the smallest.
const ROOM: f64 = 1.06;

impl Scaled {
    /// Returns the scale for values up to `greatest`: long times are drawn in minutes or hours.
    pub fn of(unit: Unit, greatest: f64) -> Scaled {
        let (by, unit) = match unit {
            Unit::Seconds if greatest >= 6.0 * 3600.0 => (1.0 / 3600.0, "h"),
            Unit::Seconds if greatest >= 600.0 => (1.0 / 60.0, "min"),
            Unit::Fraction => (100.0, "%"),
            unit => (1.0, unit.words()),
        };
        Scaled { by, unit }
    }

    /// Returns a name followed by the unit.
    pub fn label(&self, name: &str) -> String {
        if self.unit.is_empty() { name.into() } else { format!("{name} ({})", self.unit) }
    }
}

/// Returns an axis with room for scaled values. A linear axis begins at 0 unless there are negative values; a logarithmic axis
/// leaves out values that are not positive.
pub(super) fn axis(label: String, values: impl Iterator<Item = f64>, is_log: bool) -> Axis {
    let values: Vec<f64> = values.filter(|value| value.is_finite() && (!is_log || *value > 0.0)).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match (values.is_empty(), is_log) {
        (true, true) => Axis::log(label, 1.0, 10.0),
        (true, false) => Axis::linear(label, 0.0, 1.0),
        (false, true) => {
            // Keeps the axis at least a factor of two wide: on a narrower one small differences look large.
            let widen = (2.0 / (high / low)).sqrt().max(ROOM);
            Axis::log(label, low / widen, high * widen)
        }
        (false, false) => Axis::linear(label, low.min(0.0) * ROOM, high.max(0.0) * ROOM),
    }
}

/// Prints a value with about four significant digits, for labels and tooltips.
pub(super) fn short(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 1000.0 || size == 0.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_room_for_all_values() {
        let linear = axis(String::new(), [2.0, 5.0, f64::NAN].into_iter(), false);
        assert_eq!((linear.scale.from(), linear.scale.to()), (0.0, 5.0 * ROOM));
        let log = axis(String::new(), [0.0, 40.0, 50.0].into_iter(), true);
        assert!(log.scale.from() > 30.0 && log.scale.from() < 40.0 && log.scale.to() > 50.0);
        assert!(log.ticks.len() >= 2, "{:?}", log.ticks);
        assert!(axis(String::new(), [0.0, -1.0].into_iter(), true).scale.is_log());
        assert_eq!(Scaled::of(Unit::Seconds, 7200.0).label("mean_wait"), "mean_wait (min)");
        assert_eq!([0.0, 12_345.6, 0.1234, 5.678].map(short), ["0", "12346", "0.123", "5.68"]);
    }
}
