//! The units that numbers may carry.

use super::kind::ExprType;

/// A unit, written after a number.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExprUnit {
    /// The name used in printed expressions.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub kind: ExprType,
    pub meaning: &'static str,
    times: f64,
    per: f64,
}

const fn unit(
    name: &'static str,
    aliases: &'static [&'static str],
    kind: ExprType,
    meaning: &'static str,
    times: f64,
    per: f64,
) -> ExprUnit {
    ExprUnit { name, aliases, kind, meaning, times, per }
}

/// All units. Memory counts in powers of 1024, as SWF logs and sites do: a KB is a KiB.
#[rustfmt::skip]
pub static UNITS: &[ExprUnit] = &[
    unit("ms", &[], ExprType::TIME, "thousandths of a second", 1.0, 1000.0),
    unit("s", &["sec"], ExprType::TIME, "seconds", 1.0, 1.0),
    unit("min", &["m"], ExprType::TIME, "minutes", 60.0, 1.0),
    unit("h", &[], ExprType::TIME, "hours", 3600.0, 1.0),
    unit("d", &[], ExprType::TIME, "days of 24 hours", 86_400.0, 1.0),
    unit("w", &[], ExprType::TIME, "weeks", 604_800.0, 1.0),
    unit("B", &[], ExprType::MEMORY, "bytes", 1.0, 1024.0),
    unit("KB", &["KiB", "kB"], ExprType::MEMORY, "1024 bytes", 1.0, 1.0),
    unit("MB", &["MiB"], ExprType::MEMORY, "1024 KB", 1024.0, 1.0),
    unit("GB", &["GiB"], ExprType::MEMORY, "1024 MB", 1_048_576.0, 1.0),
    unit("TB", &["TiB"], ExprType::MEMORY, "1024 GB", 1_073_741_824.0, 1.0),
    unit("%", &[], ExprType::PLAIN, "hundredths", 1.0, 100.0),
];

impl ExprUnit {
    /// Returns the unit with a name or alias.
    pub fn find(name: &str) -> Option<&'static ExprUnit> {
        UNITS.iter().find(|unit| unit.name == name || unit.aliases.contains(&name))
    }

    /// Returns a number of this unit in seconds or KB. Times that a log could print are rounded to the
    /// microsecond, the resolution of logs, so that `1.1h` is exactly 3960 seconds.
    pub fn value(&self, number: f64) -> f64 {
        let value = number * self.times / self.per;
        let micro = (value * 1e6).round();
        let exact = self.kind == ExprType::TIME && micro.abs() <= (1u64 << 53) as f64;
        if exact { micro / 1e6 } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_with_units_are_exact() {
        let value = |number: f64, name| ExprUnit::find(name).unwrap().value(number);
        assert_eq!(value(1.1, "h"), 3960.0);
        assert_eq!(value(57.0, "%"), 0.57);
        assert_eq!(value(1.0, "TB"), 1024.0 * 1024.0 * 1024.0);
        assert_eq!(value(250.0, "ms"), 0.25);
        assert_eq!(value(512.0, "B"), 0.5);
    }
}
