//! Numbers as they are written in findings.

use batchlab_traces::number::group_digits;

/// Returns a share of 1 in per cent: with one decimal near 0 and 1, without decimals in between.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let is_fine = percent.abs() < 10.0 || (90.0..100.0).contains(&percent);
    let shown = format!("{percent:.*}", usize::from(is_fine));
    format!("{} %", shown.strip_suffix(".0").unwrap_or(&shown))
}

/// Returns a number with three significant digits, or whole.
pub(super) fn number(value: f64) -> String {
    let decimals = match value.abs() {
        _ if value.fract() == 0.0 => 0,
        large if large >= 100.0 => 0,
        large if large >= 10.0 => 1,
        _ => 2,
    };
    match format!("{value:.decimals$}").split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", group_digits(whole)),
        None => group_digits(&format!("{value:.0}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_numbers_have_as_many_digits_as_are_read() {
        assert_eq!(
            [0.934, 0.9961, 1.0, 0.5, 0.061, 0.0, 0.9, 0.99].map(percent).join(" "),
            "93.4 % 99.6 % 100 % 50 % 6.1 % 0 % 90 % 99 %"
        );
        assert_eq!([1.25, 12.34, 5_000.4, 30.0, 0.953].map(number).join(" "), "1.25 12.3 5,000 30 0.95");
    }
}
