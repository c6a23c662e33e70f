use batchlab_traces::notation::decimal::decimal;
use batchlab_traces::notation::size::{self, SizeDialect};
use batchlab_traces::notation::whole;

/// Parses a number as millionths; `comma` selects a decimal comma.
pub(super) fn micro(text: &[u8], comma: bool) -> Option<i128> {
    if let Some(value) = whole(text) {
        return Some(i128::from(value) * 1_000_000);
    }
    if comma {
        let mut point = [0; 40];
        let copy = point.get_mut(..text.len())?;
        copy.copy_from_slice(text);
        copy.iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = b'.');
        return decimal(copy).ok().map(|decimal| decimal.number.to_micro().into());
    }
    decimal(text).ok().map(|decimal| decimal.number.to_micro().into())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryUnit {
    /// A unit, by its size in bytes.
    Bytes(i64),
    /// The number has its own unit, such as `4gb`; a plain number is in KB.
    Suffixed,
}

impl MemoryUnit {
    /// Parses the name of a unit; K, M, G and T are powers of 1024, as batch systems count.
    pub(super) fn named(name: &str) -> Result<MemoryUnit, String> {
        let bytes = match name {
            "suffixed" => return Ok(MemoryUnit::Suffixed),
            "bytes" => Some(1),
            // Other spellings, such as kB, mean powers of 1000 to some.
            "B" | "KB" | "MB" | "GB" | "TB" => size::unit(name),
            _ => None,
        };
        let error = || {
            format!(
                "`{name}` is not a unit of memory; give B, KB, MB, GB, TB, or suffixed for numbers such as 4gb"
            )
        };
        bytes.map(MemoryUnit::Bytes).ok_or_else(error)
    }

    /// Reads an amount, in millionths of a KB.
    pub(super) fn read(self, text: &[u8], comma: bool) -> Option<i128> {
        match self {
            MemoryUnit::Bytes(unit) => Some((micro(text, comma)?.checked_mul(unit.into())? + 512) / 1024),
            MemoryUnit::Suffixed => {
                Some(i128::from(SizeDialect::Binary(1024).read(text)?) * 1_000_000 / 1024)
            }
        }
    }
}

/// A factor for numbers, exact to the billionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor(i64);

impl Factor {
    pub(super) const ONE: Factor = Factor(NANO);

    /// Returns a factor; `None` unless it is above zero and below a billion.
    pub(super) fn new(factor: f64) -> Option<Factor> {
        (factor > 0.0 && factor < 1e9).then(|| Factor((factor * NANO as f64).round() as i64))
    }

    /// Multiplies and rounds to the nearest millionth.
    pub(super) fn apply(self, micro: i128) -> Option<i128> {
        if self == Factor::ONE {
            return Some(micro);
        }
        Some((micro.checked_mul(self.0.into())? + i128::from(NANO / 2)).div_euclid(NANO.into()))
    }
}

const NANO: i64 = 1_000_000_000;

/// Returns whole units, rounded up: a job never gets less than it asked for.
pub(super) fn whole_up(micro: i128) -> i128 {
    // Nearly all values fit 64 bits, whose division is far faster.
    if let Ok(micro) = i64::try_from(micro) {
        return (micro.div_euclid(1_000_000) + i64::from(micro.rem_euclid(1_000_000) > 0)).into();
    }
    micro.div_euclid(1_000_000) + i128::from(micro.rem_euclid(1_000_000) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_with_a_point_or_a_comma() {
        assert_eq!(micro(b"1.5", false), Some(1_500_000));
        assert_eq!(micro(b"1,5", true), Some(1_500_000));
        assert_eq!(micro(b"1,5", false), None);
        assert_eq!(micro(b"17592186044416", false), Some(17_592_186_044_416_000_000));
        assert_eq!(micro(&[b'1'; 60], true), None);
    }

    #[test]
    fn memory_is_kept_in_kb() {
        let kb = |unit: &str, text: &str| MemoryUnit::named(unit).unwrap().read(text.as_bytes(), false);
        assert_eq!(kb("B", "68719476736"), Some(67_108_864_000_000));
        assert_eq!(kb("MB", "0.5"), Some(512_000_000));
        assert_eq!(kb("suffixed", "4gb"), Some(4_194_304_000_000));
        assert_eq!(kb("suffixed", "4gbx"), None);
        assert!(MemoryUnit::named("kB").is_err());
    }

    #[test]
    fn factors_are_exact_where_decimals_are() {
        let times = |factor: f64, micro| Factor::new(factor).unwrap().apply(micro);
        assert_eq!(times(0.001, 12_000_000_000), Some(12_000_000));
        assert_eq!(times(8.0, 3_000_000), Some(24_000_000));
        assert_eq!((Factor::new(0.0), Factor::new(f64::NAN)), (None, None));
        assert_eq!([0, 1, 1_000_000].map(whole_up), [0, 1, 1]);
    }
}
