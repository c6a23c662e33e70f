//! A log as a page of plots: load over time, sizes, times, the week, gaps, users.

mod distribution;
mod gaps;
mod load;
mod sizes;
mod times;
mod users;
mod week;

use std::fmt::Write;

use batchlab_traces::Trace;
use batchlab_traces::number::grouped;

use super::rows::job_rows;
use super::{Info, LogInstant};
use crate::plot::{Page, Panel};
use crate::replay::conditions::{TOOL, short_name};

struct Subject<'a> {
    trace: &'a Trace,
    rows: Vec<usize>,
    info: &'a Info,
}

/// The panels, row by row: one line each.
const PANELS: [fn(&Subject<'_>) -> Panel; 6] =
    [load::panel, sizes::panel, times::panel, gaps::panel, week::panel, users::panel];

/// Returns the page of plots of a log; `info` is the result of [`Info::of`]. O(n log n).
pub fn page(trace: &Trace, info: &Info) -> Page {
    let subject = Subject { trace, rows: job_rows(trace), info };
    let page = Page {
        title: short_name(&info.source.name).into(),
        subtitle: subtitle(info),
        panels: PANELS.iter().map(|panel| panel(&subject)).collect(),
        columns: 2,
        caption: vec![caption(info)],
        ..Page::default()
    };
    page.without_empty_panels()
}

fn subtitle(info: &Info) -> String {
    let mut text = format!("{} jobs", grouped(info.jobs.jobs));
    if let Some(load) = &info.replay.load {
        let _ = write!(text, " on {} processors", grouped(load.procs.max(0) as u64));
    }
    let date = |instant: &Option<LogInstant>| instant.as_ref().and_then(LogInstant::date).map(String::from);
    match (date(&info.period.first_submit), date(&info.period.last_submit), &info.period.zone) {
        (Some(first), Some(last), Some(zone)) => text + &format!(", {first} to {last} ({zone})"),
        _ => text + &format!(", {:.1} days", info.period.span / 86_400.0),
    }
}

fn caption(info: &Info) -> String {
    let source = &info.source;
    let hash = source.sha256.get(..12).map(|start| format!(" (sha256 {start})")).unwrap_or_default();
    let mut text = format!("{}{hash}. ", short_name(&source.name));
    text +=
        "Demanded: processors x run time of the jobs submitted in a period / what the machine could do in it";
    if let Some(load) = info.replay.load.as_ref().and_then(|load| load.offered_load) {
        let _ = write!(text, "; offered load in all {:.1} %", load * 100.0);
    }
    if let Some(usage) = &info.usage {
        text += ". Used: processors in use by the log's own schedule";
        if let Some(used) = usage.utilization {
            let _ = write!(text, "; utilization in all {:.1} %", used * 100.0);
        }
    }
    text + ". Sizes are requested processors, allocated processors where the request is unknown; work is \
        processors x run time. Times below 1 s are drawn at 1 s. "
        + TOOL
        + "."
}
