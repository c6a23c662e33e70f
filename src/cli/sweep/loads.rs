use std::str::FromStr;

use crate::lab::settings::parse::not_a_number;

#[derive(Clone, Debug, PartialEq)]
pub struct Loads(pub Vec<f64>);

/// The least number of loads: two would make the curve a straight line.
const LEAST: usize = 3;
/// The most loads of a range; more mean that the step is a typing error.
const MOST: f64 = 1000.0;

impl FromStr for Loads {
    type Err = String;

    fn from_str(text: &str) -> Result<Loads, String> {
        let loads = match text.split(':').collect::<Vec<_>>()[..] {
            [from, to, step] => range(from, to, step)?,
            [list] => list.split(',').map(number).collect::<Result<_, _>>()?,
            _ => {
                return Err(
                    "loads are from:to:step, such as 0.6:1.2:0.1, or a list such as 0.7,0.9,1.1".into()
                );
            }
        };
        if !loads.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err("loads increase".into());
        }
        if loads.len() < LEAST {
            return Err(format!("a curve needs at least {LEAST} loads, and this makes {}", loads.len()));
        }
        Ok(Loads(loads))
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| not_a_number(text))?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("loads and steps are above zero".into()) }
}

/// Returns the loads of a range, rounded to the decimals of its beginning and step, so that rounding errors do
/// not add up.
fn range(from: &str, to: &str, step: &str) -> Result<Vec<f64>, String> {
    let decimals =
        [from, step].map(|text| text.trim().split_once('.').map_or(0, |(_, decimals)| decimals.len()));
    let decimals = decimals[0].max(decimals[1]);
    let [from, to, step] = [number(from)?, number(to)?, number(step)?];
    let count = ((to - from) / step + 1e-9).floor();
    if count > MOST {
        return Err(format!("that makes more than {MOST} loads"));
    }
    // A range that ends before it begins is empty.
    let steps = if count < 0.0 { 0..0 } else { 0..count as u32 + 1 };
    steps.map(|at| number(&format!("{:.decimals$}", from + f64::from(at) * step))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_round_loads_and_both_ends() {
        assert_eq!("0.5:1.1:0.1".parse(), Ok(Loads(vec![0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1])));
        assert_eq!("1:2:0.25".parse(), Ok(Loads(vec![1.0, 1.25, 1.5, 1.75, 2.0])));
        assert_eq!("0.7, 0.9,1.3".parse(), Ok(Loads(vec![0.7, 0.9, 1.3])));
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        let cases = [
            ("0.7,0.9", "at least 3 loads"),
            ("1:0.5:0.1", "at least 3 loads"),
            ("0.9,0.7,0.5", "increase"),
            ("0:1:0.1", "above zero"),
            ("0.5:x:0.1", "`x` is not a number"),
            ("0.5:1", "from:to:step"),
            ("0.5:9:0.00001", "more than 1000"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Loads>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
