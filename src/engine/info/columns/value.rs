//! Facts as cells.

use crate::info::rows::share;
use crate::info::{Info, Load, Spread, Usage};
use crate::table::Cell;

pub(super) fn text(text: Option<&str>) -> Cell {
    text.map(str::trim).filter(|text| !text.is_empty()).map_or(Cell::Empty, |text| Cell::Text(text.into()))
}

/// Returns a count; empty for 0, because a log that does not record the field has no values in it.
pub(super) fn count(count: u64) -> Cell {
    if count == 0 { Cell::Empty } else { Cell::Number(count as f64) }
}

pub(super) fn whole(number: Option<i64>) -> Cell {
    number.map(|number| number as f64).into()
}

/// Returns a statistic of a distribution.
pub(super) fn of(spread: Option<&Spread>, value: fn(&Spread) -> f64) -> Cell {
    spread.map(value).into()
}

pub(super) fn load(info: &Info, value: fn(&Load) -> Option<f64>) -> Cell {
    info.replay.load.as_ref().and_then(value).into()
}

pub(super) fn usage(info: &Info, value: fn(&Usage) -> Option<f64>) -> Cell {
    info.usage.as_ref().and_then(value).into()
}

/// Returns the share of records with a status, if the log records statuses.
pub(super) fn status(info: &Info, code: i64) -> Cell {
    let known = |code: i64| code >= 0;
    if !info.jobs.by_status.iter().any(|status| known(status.code)) {
        return Cell::Empty;
    }
    let count =
        info.jobs.by_status.iter().find(|status| status.code == code).map_or(0, |status| status.count);
    Cell::Number(share(count, info.jobs.records))
}

/// Returns the span of submissions in units of `length` seconds.
pub(super) fn span(info: &Info, length: f64) -> Cell {
    if info.period.first_submit.is_none() { Cell::Empty } else { Cell::Number(info.period.span / length) }
}
