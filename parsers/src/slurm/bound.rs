//! Bounds as Slurm writes them, in options of a job as in the files of a site.

use batchlab_traces::Time;

/// A bound as Slurm writes it: a number, or a word such as `UNLIMITED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound<T> {
    /// There is no bound.
    Unlimited,
    /// The bound.
    Most(T),
}

impl<T> Bound<T> {
    /// Returns the number; `None` without a bound.
    pub fn most(self) -> Option<T> {
        match self {
            Bound::Unlimited => None,
            Bound::Most(most) => Some(most),
        }
    }
}

/// Reads a limit on time: minutes, `minutes:seconds`, `hours:minutes:seconds`, `days-hours[:minutes[:seconds]]`.
pub fn limit(text: &str) -> Option<Bound<Time>> {
    // scontrol show config prints a unit behind some of them.
    let text = text.trim().trim_end_matches(" min");
    if ["unlimited", "infinite", "none", "-1"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(Bound::Unlimited);
    }
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<i64>().ok()?), rest),
        None => (None, text),
    };
    let parts: Vec<i64> = rest.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let units: &[i64] = match (days.is_some(), parts.len()) {
        (true, 1..=3) | (false, 3) => &[3600, 60, 1],
        (false, 1..=2) => &[60, 1],
        _ => return None,
    };
    let mut seconds = days.unwrap_or(0).checked_mul(86_400)?;
    for (part, unit) in parts.iter().zip(units) {
        seconds = seconds.checked_add(part.checked_mul(*unit)?)?;
    }
    let time = Time::from_secs(seconds.min(1 << 40));
    (seconds >= 0).then_some(Bound::Most(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_six_forms() {
        let is = |text: &str, seconds: i64| {
            assert_eq!(limit(text), Some(Bound::Most(Time::from_secs(seconds))), "{text}");
        };
        is("90", 5400);
        is("90:30", 5430);
        is("1:30:00", 5400);
        is("7-0", 604_800);
        is("1-12:30", 131_400);
        is("00:05:00", 300);
        assert_eq!(
            (limit("UNLIMITED"), limit("soon"), limit("1:2:3:4")),
            (Some(Bound::Unlimited), None, None)
        );
    }
}
