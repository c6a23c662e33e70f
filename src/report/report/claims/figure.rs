//! Numbers as they are written in reasons.

use batchlab_engine::table::{Format, Unit};

/// Formats numbers to be compared, all with the number of decimals that the smallest needs for four significant digits.
pub fn figures(values: &[f64]) -> Vec<String> {
    let format = Format { significant: 4, ..Format::PLAIN };
    let decimals = format.decimals(values.iter().copied());
    values.iter().map(|&value| format.print(value, decimals)).collect()
}

/// Returns two numbers with the digits that tell them apart: as [`figures`], or with more decimals if both would print alike.
pub(super) fn apart(values: [f64; 2]) -> [String; 2] {
    let format = Format { significant: 4, ..Format::PLAIN };
    let least = format.decimals(values.into_iter());
    let printed = |decimals: usize| values.map(|value| format.print(value, decimals));
    let differ = |[one, other]: &[String; 2]| one != other;
    let more = (least..=MOST_DECIMALS).map(printed).find(differ);
    more.filter(|_| values[0] != values[1]).unwrap_or_else(|| printed(least))
}

/// The most decimals with which two numbers are told apart: those of a float around 1.
const MOST_DECIMALS: usize = 16;

/// Returns the unit as a suffix; empty if there is none.
pub(super) fn unit(unit: Unit) -> String {
    match unit.words() {
        "" | "fraction" => String::new(),
        words => format!(" {words}"),
    }
}

/// Returns a factor, with three significant digits.
pub(super) fn factor(factor: f64) -> String {
    let format = Format { significant: 3, ..Format::PLAIN };
    format.print(factor, format.decimals([factor].into_iter()))
}

/// Returns a share of 1 in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", factor(share * 100.0))
}

/// Returns how many units would decide, in words: intervals shrink with the root of the number of units, so that one
/// whose half-width is now `half_width` reaches as far as the distance to the limit.
pub(super) fn enough(units: usize, half_width: f64, distance: f64) -> String {
    let factor = (half_width / distance).powi(2);
    let would = units as f64 * factor.max(1.0);
    let told = format!("{} do not decide", counted(units, "unit"));
    match would {
        would if would.is_finite() && would < 1e6 => format!("{told}, about {} would", rounded_up(would)),
        _ => format!("{told}, and more hardly would"),
    }
}

/// Returns a number of units rounded up to two digits.
fn rounded_up(number: f64) -> u64 {
    let step = 10_f64.powi((number.max(1.0).log10().floor() as i32 - 1).max(0));
    ((number / step).ceil() * step) as u64
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::{apart, enough};

    #[test]
    fn numbers_that_differ_are_told_apart() {
        assert_eq!(apart([1.2304, 1.2301]), ["1.2304", "1.2301"]);
        assert_eq!(apart([17.5, 12.25]), ["17.50", "12.25"]);
        assert_eq!(apart([1.25, 1.25]), ["1.25", "1.25"]);
    }

    #[test]
    fn half_the_distance_needs_four_times_the_units() {
        assert_eq!(enough(20, 2.0, 1.0), "20 units do not decide, about 80 would");
        assert_eq!(enough(20, 2.1, 1.0), "20 units do not decide, about 89 would");
        assert_eq!(enough(20, 8.0, 1.0), "20 units do not decide, about 1300 would");
        assert_eq!(enough(20, 1.0, 0.0), "20 units do not decide, and more hardly would");
    }
}
