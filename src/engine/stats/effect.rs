//! The size of a difference, as opposed to its significance.

use statrs::function::gamma::ln_gamma;

use super::sample::{check_paired, moments};

/// Returns the mean difference in standard deviations of the differences, corrected for small samples; `None`
/// for fewer than three differences, no spread, or a value that is not finite. O(n).
///
/// Cohen's `d_z` ("Statistical Power Analysis", 2nd ed. 1988, §2.3.5) times Γ(df/2)/(√(df/2) Γ((df − 1)/2)), which removes its
/// upward bias (Hedges, "Distribution theory for Glass's estimator of effect size", Journal of Educational Statistics 6, 1981).
/// It grows with the correlation within pairs, so it does not measure the gain; the difference itself does.
pub fn standardised(differences: &[f64]) -> Option<f64> {
    let of = moments(differences).ok()?;
    if of.count < 3 || of.sd == 0.0 {
        return None;
    }
    let half = (of.count - 1) as f64 / 2.0;
    let correction = (ln_gamma(half) - ln_gamma(half - 0.5)).exp() / half.sqrt();
    Some(of.mean / of.sd * correction)
}

/// Returns the share of units in which `a` is less than `b`, ties counting one half; `None` for empty input,
/// different lengths, or a value that is not finite. O(n).
///
/// The probability of superiority within pairs, for values of which less is better (Grissom and Kim, "Effect
/// Sizes for Research", 2nd ed. 2012, ch. 5).
pub fn superiority(a: &[f64], b: &[f64]) -> Option<f64> {
    check_paired(a, b).ok().filter(|()| !a.is_empty())?;
    let half_wins: usize = a.iter().zip(b).map(|(a, b)| usize::from(a < b) + usize::from(a <= b)).sum();
    Some(half_wins as f64 / (2 * a.len()) as f64)
}
