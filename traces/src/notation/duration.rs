//! Parses durations.

use crate::time::Time;

use super::{number, whole};

/// Parses `[[days-]hours:]minutes:seconds[.decimals]` or `days:hours:minutes:seconds`: the durations of
/// Slurm, PBS and LSF. `None` for any other text, plain numbers included.
pub fn clock(token: &[u8]) -> Option<Time> {
    let (days, rest) = match token.iter().position(|&byte| byte == b'-') {
        Some(at) => (whole(&token[..at])?, &token[at + 1..]),
        None => (0, token),
    };
    let mut parts = rest.rsplit(|&byte| byte == b':');
    let seconds = parts.next().filter(|part| part.first().is_some_and(u8::is_ascii_digit))?;
    let mut total = match whole(seconds) {
        Some(seconds) => seconds.checked_mul(1_000_000)?,
        None => number(seconds)?.to_micro(),
    };
    let mut found = 0;
    for (unit, part) in [60, 3600, 86_400].into_iter().zip(parts.by_ref()) {
        let part = whole(part).filter(|&part| part >= 0)?;
        total = total.checked_add(part.checked_mul(unit * 1_000_000)?)?;
        found += 1;
    }
    let complete = parts.next().is_none() && found > 0;
    total = total.checked_add(days.checked_mul(86_400_000_000)?)?;
    (complete && days >= 0).then_some(Time::from_ticks(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_from_the_seconds() {
        let shown = |text: &str| clock(text.as_bytes()).map(|time| time.to_string());
        assert_eq!(shown("7-20:39:39").as_deref(), Some("679179"));
        assert_eq!(shown("00:00.010").as_deref(), Some("0.01"));
        assert_eq!(shown("22:32:22").as_deref(), Some("81142"));
        assert_eq!(shown("144:00:00").as_deref(), Some("518400"));
        assert_eq!(shown("1:00:00:00").as_deref(), Some("86400"));
    }

    #[test]
    fn anything_else_is_none() {
        for no in
            ["", "60", "UNLIMITED", "1:2:3:4:5", "::", "1-", "-1:00", "1:-2:00", "99999999999999999:00:00"]
        {
            assert_eq!(clock(no.as_bytes()), None, "{no}");
        }
    }
}
