//! Compiles the keys about lines and times.

use batchlab_traces::calendar::Zone;
use toml::Value;

use super::super::error::{MappingError, MappingText};
use super::super::mapping::{LineFormat, Zero};
use super::super::raw::RawMapping;
use super::super::split::Separator;
use crate::text::date::iso;

/// Returns how lines are split into columns.
pub(super) fn layout(raw: &RawMapping, source: MappingText<'_>) -> Result<LineFormat, MappingError> {
    let separator = match raw.separator.as_ref().map(|separator| (separator.get_ref().as_str(), separator)) {
        None | Some(("blank", _)) => Separator::Blank,
        Some(("tab", _)) => Separator::Byte(b'\t'),
        Some((text, _)) if text.len() == 1 => match text.as_bytes()[0] {
            b' ' => Separator::Blank,
            byte => Separator::Byte(byte),
        },
        Some((other, place)) => {
            let what = format!("`{other}` is not a separator; give blank, tab or one character");
            return Err(source.error(&place.span(), what));
        }
    };
    let leave_out = match raw.other_counts.as_ref().map(|word| (word.get_ref().as_str(), word.span())) {
        None | Some(("keep", _)) => false,
        Some(("leave_out", _)) => true,
        Some((other, span)) => {
            return Err(source.error(&span, format!("`{other}` is not one of keep, leave_out")));
        }
    };
    let comma = match raw.decimal.as_ref().map(|mark| (mark.get_ref().as_str(), mark.span())) {
        None | Some((".", _)) => false,
        Some((",", _)) => true,
        Some((_, span)) => return Err(source.error(&span, "the decimal mark is `.` or `,`")),
    };
    if let (Some(exactly), Some(_)) = (&raw.columns, &raw.columns_at_least) {
        let what = "`columns` and `columns_at_least` exclude one another";
        return Err(source.error(&exactly.span(), what));
    }
    if let Some(empty) = raw.comment.iter().find(|comment| comment.get_ref().is_empty()) {
        return Err(source.error(&empty.span(), "a comment begins with something"));
    }
    Ok(LineFormat {
        separator,
        quoted: raw.quoted.unwrap_or(separator == Separator::Byte(b',')),
        comments: raw.comment.iter().map(|comment| comment.get_ref().as_bytes().into()).collect(),
        skip: raw.skip,
        heading: raw.heading,
        exactly: raw.columns.as_ref().map(|columns| *columns.get_ref()),
        at_least: raw.columns_at_least.as_ref().map_or(0, |columns| *columns.get_ref()),
        leave_out,
        comma,
    })
}

/// Returns the zone of the log's clock.
pub(super) fn zone(raw: &RawMapping, source: MappingText<'_>) -> Result<Option<Zone>, MappingError> {
    let Some(zone) = &raw.zone else { return Ok(None) };
    match zone.get_ref().parse::<Zone>() {
        Ok(zone) => Ok(Some(zone)),
        Err(error) => Err(source.error(&zone.span(), error.to_string())),
    }
}

/// Returns the zero from which instants are counted.
pub(super) fn zero(raw: &RawMapping, source: MappingText<'_>) -> Result<Zero, MappingError> {
    let Some(zero) = &raw.zero else { return Ok(Zero::Epoch) };
    let text = match zero.get_ref() {
        Value::Integer(seconds) => return Ok(Zero::At(seconds.saturating_mul(1_000_000))),
        Value::String(text) if text == "own" => return Ok(Zero::Own),
        Value::String(text) => text.clone(),
        Value::Datetime(date) => date.to_string(),
        _ => String::new(),
    };
    match iso(text.trim().as_bytes()) {
        Some(stamp) => Ok(Zero::At(stamp.micros - stamp.offset.unwrap_or(0) * 1_000_000)),
        None => {
            let what = "give epoch seconds, a date in UTC such as 2021-02-11T22:36:19Z, or \"own\" if it is \
                        unknown";
            Err(source.error(&zero.span(), what))
        }
    }
}
