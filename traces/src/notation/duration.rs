//! Durations, and limits on them.

use super::decimal::LARGEST;
use super::{Bound, number, whole};
use crate::expr::ExprType;
use crate::expr::unit::ExprUnit;
use crate::time::Time;

const MINUTE: i64 = 60;
const HOUR: i64 = 3600;
const DAY: i64 = 86_400;

/// The system by whose rule a text is a duration, where systems read one text differently: `90` is 90 minutes as a limit of Slurm,
/// and 90 seconds elsewhere; `1:30` is 90 minutes for LSF, and 90 seconds elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationDialect {
    /// A limit of Slurm: `minutes`, `minutes:seconds`, `hours:minutes:seconds`, `days-hours[:minutes[:seconds]]`, or `UNLIMITED`,
    /// `INFINITE`, `NONE` or `-1` in either case. `scontrol show config` prints ` min` behind some of them. Longer limits than
    /// 2^40 s (34,800 years) are this limit.
    ///
    /// Source: `time_str2secs` in Slurm's `src/common/parse_time.c`; `--time` in sbatch(1).
    SlurmLimit,
    /// What [`clock`] reads, else seconds: durations of `sacct` and `squeue`, limits of PBS (`[[hours:]minutes:]seconds[.decimals]`)
    /// and of Grid Engine, where `INFINITY` is no limit. `scontrol show config` prints ` sec` behind some of them.
    ///
    /// Source: sacct(1), Elapsed; `pbs_resources(7)`, time; `sge_types(1)`, `time_specifier`.
    Seconds,
    /// A run limit of LSF: `[hours:]minutes`. Source: bsub(1), `-W`.
    LsfLimit,
    /// Whole minutes: the delay of `after:12+5`. Source: `--dependency` in sbatch(1).
    Minutes,
    /// An option or a file of this program: seconds, or a number with a unit (`90s`, `15m`, `1.5h`), at most
    /// [`Time::FARTHEST`]. Source: the units of [expressions](crate::expr).
    Unit,
}

impl DurationDialect {
    /// Reads a duration or a limit; `None` for another text, and for a negative duration.
    pub fn read(self, text: &[u8]) -> Option<Bound<Time>> {
        match self {
            DurationDialect::SlurmLimit => slurm_limit(text),
            DurationDialect::Seconds if text.eq_ignore_ascii_case(b"infinity") => Some(Bound::Unlimited),
            DurationDialect::Seconds => clock(text).or_else(|| seconds(text)).map(Bound::Most),
            DurationDialect::LsfLimit => lsf_limit(text).map(Bound::Most),
            DurationDialect::Minutes => {
                Some(Bound::Most(Time::from_secs(natural(text)?.checked_mul(MINUTE)?)))
            }
            DurationDialect::Unit => with_unit(std::str::from_utf8(text).ok()?).map(Bound::Most),
        }
    }

    /// Reads a duration; `None` for another text, and for the word that there is no limit.
    pub fn length(self, text: &[u8]) -> Option<Time> {
        self.read(text)?.most()
    }
}

fn slurm_limit(text: &[u8]) -> Option<Bound<Time>> {
    let text = text.trim_ascii();
    let text = text.strip_suffix(b" min").unwrap_or(text);
    if [&b"unlimited"[..], b"infinite", b"none", b"-1"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(Bound::Unlimited);
    }
    let (days, clock) = match text.iter().position(|&byte| byte == b'-') {
        Some(at) => (Some(natural(&text[..at])?), &text[at + 1..]),
        None => (None, text),
    };
    let (mut parts, mut count) = ([0; 3], 0);
    for part in clock.split(|&byte| byte == b':') {
        *parts.get_mut(count)? = natural(part)?;
        count += 1;
    }
    let units = if days.is_some() || count == 3 { [HOUR, MINUTE, 1] } else { [MINUTE, 1, 0] };
    let mut seconds = days.unwrap_or(0).checked_mul(DAY)?;
    for (part, unit) in parts.into_iter().zip(units) {
        seconds = seconds.checked_add(part.checked_mul(unit)?)?;
    }
    Some(Bound::Most(Time::from_secs(seconds.min(1 << 40))))
}

fn lsf_limit(text: &[u8]) -> Option<Time> {
    let (hours, minutes) = match text.iter().position(|&byte| byte == b':') {
        Some(at) => (natural(&text[..at])?, natural(&text[at + 1..])?),
        None => (0, natural(text)?),
    };
    Some(Time::from_secs(hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(MINUTE)?))
}

fn seconds(text: &[u8]) -> Option<Time> {
    let text = text.strip_suffix(b" sec").unwrap_or(text);
    if !text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    match whole(text) {
        Some(seconds) => (seconds <= LARGEST).then_some(Time::from_secs(seconds)),
        None => Some(Time::from_ticks(number(text)?.to_micro())),
    }
}

fn with_unit(text: &str) -> Option<Time> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = Some(&text[number.len()..]).filter(|unit| !unit.is_empty()).unwrap_or("s");
    let unit = ExprUnit::find(unit).filter(|unit| unit.kind == ExprType::TIME)?;
    let number: f64 = number.parse().ok()?;
    let time = Some(Time::from_secs_f64(unit.value(number))).filter(|&time| time <= Time::FARTHEST);
    time.filter(|_| number >= 0.0)
}

/// Parses a duration whose form tells its units: `[[days-]hours:]minutes:seconds[.decimals]` or `days:hours:minutes:seconds` of
/// Slurm, PBS and LSF; `1 days 02:03:04.5` of pandas, which LANL's log of Mustang has, too, and `1 day, 2:03:04` of Python; and
/// `P1DT2H3M4.5S` of ISO 8601, with weeks, without months and years. `None` for any other text, plain numbers included.
pub fn clock(token: &[u8]) -> Option<Time> {
    colons(token).or_else(|| match token.split_first()? {
        (b'P', rest) => iso(rest),
        _ => days_in_words(token),
    })
}

fn colons(token: &[u8]) -> Option<Time> {
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
    for (unit, part) in [MINUTE, HOUR, DAY].into_iter().zip(parts.by_ref()) {
        let part = whole(part).filter(|&part| part >= 0)?;
        total = total.checked_add(part.checked_mul(unit * 1_000_000)?)?;
        found += 1;
    }
    let complete = parts.next().is_none() && found > 0;
    total = total.checked_add(days.checked_mul(DAY * 1_000_000)?)?;
    (complete && days >= 0).then_some(Time::from_ticks(total))
}

/// Source: `Timedelta.__str__` of pandas, `timedelta.__str__` of Python.
fn days_in_words(token: &[u8]) -> Option<Time> {
    let mut words = token.splitn(3, |&byte| byte == b' ');
    let days = natural(words.next()?)?.checked_mul(DAY * 1_000_000)?;
    if !matches!(words.next()?, b"day" | b"days" | b"day," | b"days,") {
        return None;
    }
    let rest =
        words.next().map_or(Some(Time::ZERO), |rest| colons(rest).filter(|_| !rest.contains(&b'-')))?;
    Some(Time::from_ticks(days.checked_add(rest.ticks())?))
}

/// Parses what follows the `P` of a duration of ISO 8601-1:2019, section 5.5.2.
fn iso(text: &[u8]) -> Option<Time> {
    let (days, clock) = match text.iter().position(|&byte| byte == b'T') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &text[..0]),
    };
    let sum = |mut rest: &[u8], units: &[(u8, i64)]| {
        let (mut units, mut sum) = (units.iter(), 0_i64);
        while !rest.is_empty() {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
            let amount = number(&rest[..digits])?.to_micro();
            let (_, unit) = units.find(|(letter, _)| rest.get(digits) == Some(letter))?;
            sum = sum.checked_add(amount.checked_mul(*unit)?)?;
            rest = &rest[digits + 1..];
        }
        Some(sum)
    };
    let ends = text.last().is_some_and(|&last| last != b'T');
    let days = sum(days, &[(b'W', 7 * DAY), (b'D', DAY)])?;
    let total = days.checked_add(sum(clock, &[(b'H', HOUR), (b'M', MINUTE), (b'S', 1)])?)?;
    ends.then_some(Time::from_ticks(total))
}

fn natural(text: &[u8]) -> Option<i64> {
    whole(text).filter(|_| text[0].is_ascii_digit())
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
        for of_pandas in
            ["0 days 08:00:00", "0 days 08:00:00.000000000", "0 day, 8:00:00", "P0DT8H0M0S", "PT8H", "PT480M"]
        {
            assert_eq!(shown(of_pandas).as_deref(), Some("28800"), "{of_pandas}");
        }
        assert_eq!(shown("1 days 02:03:04.005000").as_deref(), Some("93784.005"));
        assert_eq!(
            [shown("2 days"), shown("P1W"), shown("P1DT0.5S")].map(Option::unwrap),
            ["172800", "604800", "86400.5"]
        );
    }

    #[test]
    fn anything_else_is_none() {
        for no in "|60|UNLIMITED|1:2:3:4:5|::|1-|-1:00|1:-2:00|99999999999999999:00:00|-1 days +23:00:00|\
                  1 days 1-00:00:00|1 weeks 00:00:01|days|P|PT|P1DT|P1M|P1Y|PT1|PTS|PT1M1H|P9999999999D"
            .split('|')
        {
            assert_eq!(clock(no.as_bytes()), None, "{no}");
        }
    }

    #[test]
    fn a_plain_number_counts_what_the_system_counts() {
        let of = |dialect: DurationDialect, text: &str| {
            dialect.length(text.as_bytes()).map(|time| time.to_string())
        };
        use DurationDialect::{LsfLimit, Minutes, Seconds, SlurmLimit, Unit};
        let all = |text: &str| {
            [SlurmLimit, Seconds, LsfLimit, Unit].map(|dialect| of(dialect, text).unwrap_or_default())
        };
        assert_eq!(all("90"), ["5400", "90", "5400", "90"]);
        assert_eq!(all("90:30"), ["5430", "5430", "325800", ""]);
        assert_eq!(all("1:30:00"), ["5400", "5400", "", ""]);
        assert_eq!(all("1-12:30"), ["131400", "87150", "", ""]);
        assert_eq!(all("7-0"), ["604800", "", "", ""]);
        assert_eq!(all("90m"), ["", "", "", "5400"]);
        assert_eq!(all("90.5"), ["", "90.5", "", "90.5"]);
        assert_eq!(all("5 min"), ["300", "", "", ""]);
        assert_eq!(all("30 sec"), ["", "30", "", ""]);
        for no in ["", "soon", "1:2:3:4:5", "-5", "5:-3", "5 apples"] {
            assert_eq!(all(no), [""; 4], "{no}");
        }
        assert_eq!(of(SlurmLimit, "99999999999999").as_deref(), Some("1099511627776"));
        for unlimited in ["UNLIMITED", "infinite", "NONE", "-1"] {
            assert_eq!(SlurmLimit.read(unlimited.as_bytes()), Some(Bound::Unlimited), "{unlimited}");
        }
        assert_eq!(
            ["5", "5:00", "+5", ""].map(|text| of(Minutes, text)),
            [Some("300".into()), None, None, None]
        );
        assert_eq!((Seconds.read(b"INFINITY"), Unit.read(b"unlimited")), (Some(Bound::Unlimited), None));
    }
}
