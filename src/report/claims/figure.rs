//! Numbers as they are written in reasons.

use crate::table::Format;
use crate::table::Unit;

/// Formats numbers to be compared, all with the number of decimals that the smallest needs for four
/// significant digits.
pub(super) fn figures(values: &[f64]) -> Vec<String> {
    let format = Format { significant: 4, ..Format::PLAIN };
    let decimals = format.decimals(values.iter().copied());
    values.iter().map(|&value| format.print(value, decimals)).collect()
}

/// Returns the unit as a suffix; empty if there is none.
pub(super) fn unit(unit: Unit) -> String {
    match unit.words() {
        "" | "fraction" => String::new(),
        words => format!(" {words}"),
    }
}

/// Returns a share of 1 in per cent.
pub(super) fn percent(share: f64) -> String {
    let (percent, format) = (share * 100.0, Format { significant: 3, ..Format::PLAIN });
    format!("{} %", format.print(percent, format.decimals([percent].into_iter())))
}
