//! Mean and spread of a sample.

use super::NoInterval;

pub(super) struct Moments {
    pub(super) count: usize,
    pub(super) mean: f64,
    /// With n − 1; 0 if all values are equal, or if there is only one.
    pub(super) sd: f64,
}

/// Returns mean and standard deviation. O(n).
///
/// Two passes with the correction of Chan, Golub and `LeVeque` ("Algorithms for computing the sample variance", The American
/// Statistician 37, 1983), on values scaled by a power of two if squares would overflow or underflow.
///
/// # Errors
/// No value, or one that is not finite.
pub(super) fn moments(values: &[f64]) -> Result<Moments, NoInterval> {
    let count = values.len();
    let Some(&first) = values.first() else { return Err(NoInterval::TooFew { units: 0, needed: 1 }) };
    check_finite(values)?;
    if values.iter().all(|&value| value == first) {
        return Ok(Moments { count, mean: first, sd: 0.0 });
    }
    let scale = scale(values);
    let n = count as f64;
    let rough = values.iter().map(|value| value * scale).sum::<f64>() / n;
    let (mut sum, mut squares) = (0.0, 0.0);
    for value in values {
        let deviation = value * scale - rough;
        sum += deviation;
        squares += deviation * deviation;
    }
    let variance = ((squares - sum * sum / n) / (n - 1.0)).max(0.0);
    Ok(Moments { count, mean: (rough + sum / n) / scale, sd: variance.sqrt() / scale })
}

/// Refuses values that are infinite or not numbers.
pub(super) fn check_finite(values: &[f64]) -> Result<(), NoInterval> {
    if values.iter().all(|value| value.is_finite()) { Ok(()) } else { Err(NoInterval::NotFinite) }
}

/// Refuses samples of different lengths, and values that are not finite.
pub(super) fn check_paired(a: &[f64], b: &[f64]) -> Result<(), NoInterval> {
    if a.len() != b.len() {
        return Err(NoInterval::Mismatch);
    }
    check_finite(a)?;
    check_finite(b)
}

pub(super) fn check_units(units: usize, needed: usize) -> Result<(), NoInterval> {
    if units < needed { Err(NoInterval::TooFew { units, needed }) } else { Ok(()) }
}

/// A power of two that scales the values so that their squares are representable.
fn scale(values: &[f64]) -> f64 {
    let greatest = values.iter().fold(0.0_f64, |greatest, value| greatest.max(value.abs()));
    match greatest {
        huge if huge > 1e120 => 2.0_f64.powi(-600),
        tiny if tiny < 1e-120 => 2.0_f64.powi(600),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_survives_a_far_origin_and_a_far_scale() {
        // Like NIST's NumAcc3: values around 1e6 that differ in the first decimal; certified deviation 0.1.
        let shifted: Vec<f64> = (0..1001)
            .map(|at| [1_000_000.2, 1_000_000.1, 1_000_000.3][(at != 0) as usize * (1 + at % 2)])
            .collect();
        let of = moments(&shifted).unwrap();
        assert!((of.mean - 1_000_000.2).abs() < 1e-9 && (of.sd - 0.1).abs() < 1e-9, "{} {}", of.mean, of.sd);
        for scale in [1e-300, 1.0, 1e300] {
            let of = moments(&[scale, 2.0 * scale, 6.0 * scale]).unwrap();
            assert!((of.mean / scale - 3.0).abs() < 1e-14 && (of.sd / scale - 7.0_f64.sqrt()).abs() < 1e-14);
        }
        let same = moments(&[0.1; 7]).unwrap();
        assert_eq!((same.mean, same.sd), (0.1, 0.0));
    }
}
