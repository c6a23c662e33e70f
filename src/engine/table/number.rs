//! The format of numbers for readers: enough digits to compare, and no more.

use batchlab_traces::number::group_digits;
use serde::Deserialize;

use crate::table::{Cell, Unit};

/// The unit in which a table prints times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum TimeUnit {
    /// Seconds.
    #[default]
    #[serde(rename = "s")]
    Seconds,
    /// Minutes.
    #[serde(rename = "min")]
    Minutes,
    /// Hours.
    #[serde(rename = "h")]
    Hours,
}

/// The decimals of a column's numbers: the same in all rows, or those of each row if the column spans magnitudes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimals {
    format: Format,
    /// The decimals of the column, which all rows have unless each has its own.
    common: usize,
    is_of_rows: bool,
}

/// The ratio of the greatest to the least number of a column from which each row has the decimals that it needs: three
/// magnitudes, at which the greatest number would have three digits more than the least one.
const SPAN: f64 = 1000.0;

impl Decimals {
    /// Returns the decimals of a column with these numbers.
    pub fn of_column(format: Format, numbers: &[f64]) -> Decimals {
        let sizes = numbers.iter().map(|number| number.abs()).filter(|size| *size > 0.0 && size.is_finite());
        let (least, most) =
            sizes.fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
        let common = format.decimals(numbers.iter().copied());
        let is_of_rows = common > 0 && format.least.is_none() && most >= SPAN * least;
        Decimals { format, common, is_of_rows }
    }

    /// Whether each row has its own decimals.
    pub fn is_of_rows(&self) -> bool {
        self.is_of_rows
    }

    /// Returns the decimals if another column of the table has those of each row. Whole numbers stay whole.
    #[must_use]
    pub fn of_rows(self) -> Decimals {
        Decimals { is_of_rows: self.common > 0, ..self }
    }

    /// Returns the decimals of a row, given its cell in the column of the estimates. A whole number has those of its size, and 0
    /// those of the column: "0.0" stands beside "0.1".
    pub fn of(&self, cell: Option<&Cell>) -> usize {
        let own = |number: f64| match (number * self.format.scale).abs() {
            size if size > 0.0 && size.is_finite() => self.format.needed(size),
            _ => self.common,
        };
        match cell {
            _ if !self.is_of_rows => self.common,
            Some(Cell::Number(number)) => own(*number),
            Some(Cell::Interval(low, high)) => own(low.abs().max(high.abs())),
            Some(Cell::Text(_) | Cell::Empty) | None => 0,
        }
    }
}

/// The format of a column's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Unit as printed; empty if there is none.
    pub unit: &'static str,
    /// Factor that converts a value to this unit.
    pub scale: f64,
    /// Significant digits of the smallest number of the column.
    pub significant: usize,
    /// The most decimals, whatever the numbers.
    pub most_decimals: usize,
    /// Whether a plus sign is printed, as for differences.
    pub signed: bool,
    /// Bound below which a value is printed as less than the bound, as for probabilities.
    pub least: Option<f64>,
    /// The value of no difference, as which no other end of an interval may be read: 1 of ratios, 0 of changes.
    pub none: Option<f64>,
}

/// The most decimals that an end of an interval gets to differ from the value of no difference.
const MORE_DECIMALS: usize = 4;

impl Format {
    /// The format of numbers about which nothing is known.
    pub const PLAIN: Format = Format {
        unit: "",
        scale: 1.0,
        significant: 6,
        most_decimals: 6,
        signed: false,
        least: None,
        none: None,
    };

    /// Returns the format with the given number of significant digits for the smallest number of the column.
    #[must_use]
    pub const fn digits(self, digits: usize) -> Format {
        let most_decimals = if digits > 4 { digits } else { self.most_decimals };
        Format { significant: digits, most_decimals, ..self }
    }

    /// Returns the format for values of a unit.
    pub const fn of(unit: Unit, time: TimeUnit) -> Format {
        let (printed, scale, most_decimals) = match unit {
            Unit::Seconds => match time {
                TimeUnit::Seconds => ("s", 1.0, 1),
                TimeUnit::Minutes => ("min", 1.0 / 60.0, 2),
                TimeUnit::Hours => ("h", 1.0 / 3600.0, 3),
            },
            Unit::SecondsSquared => ("s\u{b2}", 1.0, 1),
            Unit::Ratio => ("", 1.0, 3),
            Unit::Fraction => ("%", 100.0, 2),
            Unit::Count => ("", 1.0, 0),
            Unit::Jobs => ("jobs", 1.0, 2),
            Unit::JobsPerHour => ("jobs/h", 1.0, 2),
            Unit::ProcSeconds => match time {
                TimeUnit::Seconds => ("proc s", 1.0, 1),
                TimeUnit::Minutes => ("proc min", 1.0 / 60.0, 2),
                TimeUnit::Hours => ("proc h", 1.0 / 3600.0, 3),
            },
        };
        Format { unit: printed, scale, most_decimals, significant: 4, ..Format::PLAIN }
    }

    /// Returns the number of decimals for a column of values: none if all are whole, else as many as the smallest needs.
    pub fn decimals(&self, values: impl Iterator<Item = f64>) -> usize {
        let scaled = values.map(|value| (value * self.scale).abs()).filter(|value| value.is_finite());
        let (whole, smallest) = scaled.fold((true, f64::INFINITY), |(whole, smallest), value| {
            (whole && value.fract() == 0.0, if value > 0.0 { smallest.min(value) } else { smallest })
        });
        if whole { 0 } else { self.needed(smallest) }
    }

    /// Returns the decimals that a number of this size in the printed unit needs.
    fn needed(&self, smallest: f64) -> usize {
        // If the smallest value is at least one (slowdowns), hundredths suffice.
        let read = if self.significant > 4 { self.most_decimals } else { self.most_decimals.min(2) };
        let most = if smallest >= 1.0 { read } else { self.most_decimals };
        let before_point = smallest.log10().floor() as i64 + 1;
        (self.significant as i64 - before_point).clamp(0, most as i64) as usize
    }

    /// Prints an end of an interval, with more decimals where it would read as the value of no difference and is another one.
    pub fn print_end(&self, value: f64, decimals: usize) -> String {
        let is_apart = |&decimals: &usize| {
            self.none
                .is_none_or(|none| none == value || self.print(none, decimals) != self.print(value, decimals))
        };
        let told = (decimals..=decimals + MORE_DECIMALS).find(is_apart);
        self.print(value, told.unwrap_or(decimals))
    }

    /// Prints a value with the given number of decimals, and commas between thousands.
    pub fn print(&self, value: f64, decimals: usize) -> String {
        if let Some(least) = self.least.filter(|&least| value < least) {
            return format!("<{least}");
        }
        let plain = format!("{:.decimals$}", value * self.scale);
        let (sign, digits) = match plain.strip_prefix('-') {
            Some(digits) if digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) => ("-", digits),
            Some(digits) => ("", digits),
            None if self.signed && plain.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) => {
                ("+", plain.as_str())
            }
            None => ("", plain.as_str()),
        };
        let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        format!("{sign}{}{rest}", group_digits(whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(unit: Unit, values: &[f64]) -> Vec<String> {
        let format = Format::of(unit, TimeUnit::Seconds);
        let decimals = format.decimals(values.iter().copied());
        values.iter().map(|&value| format.print(value, decimals)).collect()
    }

    #[test]
    fn a_column_has_the_decimals_that_its_smallest_number_needs() {
        assert_eq!(column(Unit::Seconds, &[6836.872, 353_776.409]), ["6,837", "353,776"]);
        assert_eq!(column(Unit::Seconds, &[262_194.0, 0.0]), ["262,194", "0"]);
        assert_eq!(column(Unit::Seconds, &[12.25, 6836.872]), ["12.2", "6,836.9"]);
        assert_eq!(column(Unit::Ratio, &[92.57654, 1.0]), ["92.58", "1.00"]);
        assert_eq!(column(Unit::Ratio, &[92.57654, 6814.973]), ["92.58", "6,814.97"]);
        assert_eq!(column(Unit::Fraction, &[0.687_72, 0.712_3]), ["68.77", "71.23"]);
        assert_eq!(column(Unit::Count, &[28_481.0]), ["28,481"]);
    }

    #[test]
    fn an_end_of_an_interval_that_is_not_1_does_not_read_as_1() {
        let ratio = Format { most_decimals: 3, none: Some(1.0), ..Format::PLAIN };
        assert_eq!(
            [1.003, 1.0, 0.998, 1.32].map(|end| ratio.print_end(end, 2)),
            ["1.003", "1.00", "0.998", "1.32"]
        );
        let change = Format { unit: "%", signed: true, none: Some(0.0), ..Format::PLAIN };
        assert_eq!(
            [0.02, 0.0, -0.004, 3.0].map(|end| change.print_end(end, 1)),
            ["+0.02", "0.0", "-0.004", "+3.0"]
        );
        // Too near for any number of decimals.
        assert_eq!(ratio.print_end(1.0 + 1e-12, 2), "1.00");
    }

    #[test]
    fn a_column_that_spans_magnitudes_has_the_decimals_of_each_row() {
        let printed = |values: &[f64]| {
            let format = Format::of(Unit::Seconds, TimeUnit::Seconds);
            let decimals = Decimals::of_column(format, values);
            let print = |value: &f64| format.print(*value, decimals.of(Some(&Cell::Number(*value))));
            values.iter().map(print).collect::<Vec<String>>()
        };
        assert_eq!(printed(&[5.41, 91.34, 25_128.2]), ["5.4", "91.3", "25,128"]);
        assert_eq!(printed(&[12.25, 6836.87]), ["12.2", "6,836.9"], "less than three magnitudes");
        assert_eq!(printed(&[0.0, 262_194.0]), ["0", "262,194"]);
        assert_eq!(printed(&[0.0, 0.04, 5.0, 25_128.0]), ["0.0", "0.0", "5.0", "25,128"]);
    }

    #[test]
    fn minus_nothing_is_nothing() {
        assert_eq!(column(Unit::Seconds, &[-0.001, -1234.5]), ["0.0", "-1,234.5"]);
    }

    #[test]
    fn differences_have_a_sign_and_probabilities_a_least() {
        let signed = Format { signed: true, ..Format::PLAIN };
        assert_eq!([1.5, -1.5, 0.01].map(|value| signed.print(value, 1)), ["+1.5", "-1.5", "0.0"]);
        let p = Format { least: Some(0.001), ..Format::PLAIN };
        assert_eq!([0.0004, 0.0123].map(|value| p.print(value, 3)), ["<0.001", "0.012"]);
        assert_eq!(Format::PLAIN.digits(6).decimals([92.576_541].into_iter()), 4);
    }

    #[test]
    fn time_units_scale() {
        let format = Format::of(Unit::Seconds, TimeUnit::Minutes);
        assert_eq!(format.print(6836.872, format.decimals([6836.872].into_iter())), "113.9");
        assert_eq!(Format::of(Unit::Seconds, TimeUnit::Hours).print(9000.0, 3), "2.500");
    }
}
