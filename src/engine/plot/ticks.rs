//! The positions and labels of an axis's ticks.

use batchlab_traces::number::group_digits;

use super::scale::Scale;

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub label: String,
}

/// Times at which an axis may have ticks, in seconds.
const LENGTHS: [(f64, &str); 10] = [
    (1.0, "1 s"),
    (10.0, "10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3600.0, "1 h"),
    (86_400.0, "1 d"),
    (864_000.0, "10 d"),
    (8_640_000.0, "100 d"),
    (86_400_000.0, "1,000 d"),
    (864_000_000.0, "10,000 d"),
];

/// Returns about `about` ticks at multiples of 1, 2 or 5 times a power of ten.
pub fn linear(scale: &Scale, about: usize) -> Vec<Tick> {
    let (step, exponent) = nice_step((scale.to() - scale.from()) / about.max(1) as f64);
    multiples(scale, step, (-exponent).max(0) as usize)
}

pub fn multiples(scale: &Scale, step: f64, decimals: usize) -> Vec<Tick> {
    // The slack keeps rounding from losing the last tick.
    let slack = 1e-9;
    let (first, last) = ((scale.from() / step - slack).ceil(), (scale.to() / step + slack).floor());
    let count = (last - first).clamp(-1.0, 1000.0) as i64;
    (0..=count).map(|at| tick((first + at as f64) * step, decimals)).collect()
}

/// Returns about `about` ticks at the powers of ten of a logarithmic scale; if there are fewer than three,
/// also at 2 and 5 times these.
pub fn decades(scale: &Scale, about: usize) -> Vec<Tick> {
    let (low, high) = (scale.from().log10(), scale.to().log10());
    let powers = (high + 1e-9).floor() - (low - 1e-9).ceil() + 1.0;
    let between: &[f64] = if powers < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = ((high - low) / about.max(1) as f64).ceil().max(1.0) as i32;
    let exponents = (low.floor() as i32..=high.ceil() as i32).filter(|exponent| exponent % every == 0);
    let values = exponents.flat_map(|exponent| {
        between.iter().map(move |&digit| (digit * power(exponent), (-exponent).max(0) as usize))
    });
    let inside = |value: f64| value >= scale.from() * (1.0 - 1e-9) && value <= scale.to() * (1.0 + 1e-9);
    values.filter(|&(value, _)| inside(value)).map(|(value, decimals)| tick(value, decimals)).collect()
}

/// Returns ticks at times: 1 s, 10 s, 1 min, ...
pub fn lengths(scale: &Scale) -> Vec<Tick> {
    let inside = LENGTHS.iter().filter(|(value, _)| (scale.from()..=scale.to()).contains(value));
    inside.map(|&(value, label)| Tick { value, label: label.into() }).collect()
}

/// Returns the smallest number of at least `least` that is 1, 2 or 5 times a power of ten, and the exponent.
fn nice_step(least: f64) -> (f64, i32) {
    let exponent = least.log10().floor() as i32;
    for (digit, exponent) in [(1.0, exponent), (2.0, exponent), (5.0, exponent), (1.0, exponent + 1)] {
        let step = digit * power(exponent);
        if step >= least * (1.0 - 1e-9) {
            return (step, exponent);
        }
    }
    (least, exponent)
}

/// Returns a power of ten; divides by an exact power if the exponent is negative, so that 0.1 is exactly the number written so.
fn power(exponent: i32) -> f64 {
    if exponent < 0 { 1.0 / 10_f64.powi(-exponent) } else { 10_f64.powi(exponent) }
}

fn tick(value: f64, decimals: usize) -> Tick {
    let plain = format!("{value:.decimals$}");
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let is_zero = plain.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    let sign = if is_zero { whole.trim_start_matches('-') } else { whole };
    Tick { value, label: group_digits(sign) + rest }
}
