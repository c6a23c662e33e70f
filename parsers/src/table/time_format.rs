use std::sync::Arc;

use batchlab_traces::Time;
use batchlab_traces::notation::duration::clock;
use batchlab_traces::notation::instant::{Stamp, iso, us};
use batchlab_traces::notation::zones::Abbreviation;
use chrono::format::{Fixed, Item, Parsed, StrftimeItems, parse, parse_and_remainder};

use super::amount::micro;

#[derive(Clone, Debug)]
pub(super) enum InstantFormat {
    /// A number of units; the value is the length of one in microseconds.
    Number(i64),
    /// `2020-06-09 18:41:01`, with a blank or a `T`.
    Iso,
    /// `10/19/93 18:06:10`.
    UsDate,
    Pattern(Arc<[Item<'static>]>),
    /// A strftime pattern with the abbreviation of a zone (`%Z`) between these parts.
    Zoned(Arc<[Item<'static>]>, Arc<[Item<'static>]>),
}

/// The value that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instant {
    /// Microseconds from the log's zero.
    Counted(i64),
    Read(Stamp),
    /// A reading of a clock in a zone, in microseconds.
    Zoned(i64, Abbreviation),
}

impl InstantFormat {
    /// Seconds: the usual form.
    pub(super) const EPOCH: InstantFormat = InstantFormat::Number(1_000_000);

    pub(super) fn named(name: &str) -> Result<InstantFormat, String> {
        Ok(match name {
            "epoch" | "seconds" => InstantFormat::EPOCH,
            "epoch_ms" => InstantFormat::Number(1000),
            "epoch_us" => InstantFormat::Number(1),
            "iso" => InstantFormat::Iso,
            "us_date" => InstantFormat::UsDate,
            pattern if pattern.contains('%') => {
                let items = StrftimeItems::new(pattern).parse_to_owned();
                let items = items.map_err(|_| format!("`{pattern}` is not a pattern of strftime"))?;
                let zones = |item: &Item<'_>| *item == Item::Fixed(Fixed::TimezoneName);
                match items.iter().position(zones) {
                    Some(at) if items[at + 1..].iter().any(zones) => {
                        return Err(format!("`{pattern}` has `%Z` twice"));
                    }
                    Some(at) => InstantFormat::Zoned(items[..at].into(), items[at + 1..].into()),
                    None => InstantFormat::Pattern(items.into()),
                }
            }
            other => {
                return Err(format!(
                    "`{other}` is not a form of instants; give epoch, epoch_ms, epoch_us, iso, us_date or a \
                     pattern such as %d.%m.%Y %H:%M:%S"
                ));
            }
        })
    }

    pub(super) fn is_date(&self) -> bool {
        !matches!(self, InstantFormat::Number(_))
    }

    pub(super) fn read(&self, text: &[u8], comma: bool) -> Option<Instant> {
        match self {
            InstantFormat::Number(unit) => {
                let micros = in_micros(micro(text, comma)?, *unit);
                let bounded =
                    i64::try_from(micros).ok().filter(|micros| micros.abs() < Time::FARTHEST.ticks());
                bounded.map(Instant::Counted)
            }
            InstantFormat::Iso => one_blank(text, iso).map(Instant::Read),
            InstantFormat::UsDate => one_blank(text, us).map(Instant::Read),
            InstantFormat::Pattern(items) => stamp(text, items).map(Instant::Read),
            InstantFormat::Zoned(before, after) => zoned(text, before, after),
        }
    }
}

/// Parses a text after reducing consecutive blanks to one.
fn one_blank(text: &[u8], parse: fn(&[u8]) -> Option<Stamp>) -> Option<Stamp> {
    if !text.windows(2).any(|pair| pair == b"  ") && !text.contains(&b'\t') {
        return parse(text);
    }
    let mut short = [0; 40];
    let mut len = 0;
    for &byte in text {
        let byte = if byte == b'\t' { b' ' } else { byte };
        if byte == b' ' && len > 0 && short[len - 1] == b' ' {
            continue;
        }
        *short.get_mut(len)? = byte;
        len += 1;
    }
    parse(&short[..len])
}

fn stamp(text: &[u8], items: &[Item<'static>]) -> Option<Stamp> {
    let text = std::str::from_utf8(text).ok()?;
    let mut parsed = Parsed::new();
    parse(&mut parsed, text, items.iter()).ok()?;
    reading(&parsed)
}

/// Reads an instant around the abbreviation of a zone; an offset beside it (`%z`) counts instead.
fn zoned(text: &[u8], before: &[Item<'static>], after: &[Item<'static>]) -> Option<Instant> {
    let text = std::str::from_utf8(text).ok()?;
    let mut parsed = Parsed::new();
    let rest = parse_and_remainder(&mut parsed, text, before.iter()).ok()?;
    let (zone, rest) = Abbreviation::of(rest.trim_start())?;
    parse(&mut parsed, rest, after.iter()).ok()?;
    let stamp = reading(&parsed)?;
    Some(if stamp.offset.is_some() { Instant::Read(stamp) } else { Instant::Zoned(stamp.micros, zone) })
}

fn reading(parsed: &Parsed) -> Option<Stamp> {
    let offset = parsed.offset().map(i64::from);
    let local = match parsed.to_naive_datetime_with_offset(offset.unwrap_or(0) as i32) {
        Ok(local) => local,
        Err(_) => parsed.to_naive_date().ok()?.and_hms_opt(0, 0, 0)?,
    };
    let micros = local.and_utc().timestamp_micros();
    // chrono accepts dates that a trace cannot represent.
    (micros.abs() < Time::FARTHEST.ticks()).then_some(Stamp { micros, offset })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DurationFormat {
    /// A number of units; the value is the length of one in microseconds.
    Number(i64),
    /// `[[days-]hours:]minutes:seconds`.
    Clock,
}

impl DurationFormat {
    /// Parses the name of a unit or form.
    pub(super) fn named(name: &str) -> Result<DurationFormat, String> {
        Ok(match name {
            "us" => DurationFormat::Number(1),
            "ms" => DurationFormat::Number(1000),
            "s" => DurationFormat::Number(1_000_000),
            "min" => DurationFormat::Number(60_000_000),
            "h" => DurationFormat::Number(3_600_000_000),
            "d" => DurationFormat::Number(86_400_000_000),
            "clock" => DurationFormat::Clock,
            other => {
                return Err(format!(
                    "`{other}` is not a unit of time; give us, ms, s, min, h, d, or clock for \
                        [[days-]hours:]minutes:seconds"
                ));
            }
        })
    }

    /// Reads a duration, in microseconds.
    pub(super) fn read(self, text: &[u8], comma: bool) -> Option<i128> {
        match self {
            DurationFormat::Number(unit) => Some(in_micros(micro(text, comma)?, unit)),
            DurationFormat::Clock => clock(text).map(|time| time.ticks().into()),
        }
    }
}

/// Converts a number of units, given in millionths, to microseconds; `unit` is in microseconds.
fn in_micros(micro: i128, unit: i64) -> i128 {
    if unit == 1_000_000 { micro } else { micro * i128::from(unit) / 1_000_000 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::notation::zones;

    fn seconds(form: &str, text: &str) -> Option<i64> {
        match InstantFormat::named(form).unwrap().read(text.as_bytes(), false)? {
            Instant::Counted(micros) | Instant::Read(Stamp { micros, .. }) => Some(micros / 1_000_000),
            Instant::Zoned(micros, zone) => Some(micros / 1_000_000 - zone.offset()?),
        }
    }

    #[test]
    fn instants_are_numbers_or_dates() {
        assert_eq!(seconds("epoch", "1356996147"), Some(1_356_996_147));
        assert_eq!(seconds("epoch_ms", "1356996147500"), Some(1_356_996_147));
        assert_eq!(seconds("iso", "2016-12-21   21:43:34"), Some(1_482_356_614));
        assert_eq!(seconds("us_date", "10/19/93 18:06:10"), Some(751_053_970));
        assert_eq!(seconds("%d.%m.%Y %H:%M", "21.12.2016 21:43"), Some(1_482_356_580));
        assert_eq!(seconds("%a %b %e %Y", "Wed Dec 21 2016"), Some(1_482_278_400));
        assert_eq!(seconds("%d.%m.%Y %H:%M", "21.13.2016 21:43"), None);
        assert_eq!(seconds("epoch", "9999999999999999999"), None);
        let offset =
            InstantFormat::named("%Y-%m-%d %H:%M:%S %z").unwrap().read(b"1970-01-01 02:00:01 +0200", false);
        assert_eq!(offset, Some(Instant::Read(Stamp { micros: 7_201_000_000, offset: Some(7200) })));
        assert_eq!(seconds("%Y-%m-%d %H:%M %Z", "1970-01-01 02:00 CEST"), Some(0));
        assert_eq!(seconds("%a %b %e %H:%M:%S %Z %Y", "Thu Jan  1 00:00:01 PST 1970"), Some(8 * 3600 + 1));
        assert_eq!(seconds("%Y-%m-%d %H:%M %Z", "1970-01-01 02:00"), None);
        assert!(InstantFormat::named("%Z %Z").unwrap_err().contains("twice"));
        assert!(InstantFormat::named("epock").unwrap_err().contains("us_date"));
    }

    #[test]
    fn lengths_have_units() {
        let read = |unit: &str, text: &str| DurationFormat::named(unit).unwrap().read(text.as_bytes(), false);
        assert_eq!(read("min", "1.5"), Some(90_000_000));
        assert_eq!(read("clock", "1-00:00:01"), Some(86_401_000_000));
        assert_eq!(read("s", "x"), None);
    }

    #[test]
    fn the_page_about_mappings_lists_the_abbreviations() {
        let page = include_str!("../../MAPPINGS.md").replace('\n', " ");
        assert!(page.contains(&zones::known()), "{}", zones::known());
    }
}
