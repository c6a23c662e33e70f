//! Instants as the user says them and as they are shown, and what tables say about a scenario.

use batchlab_traces::capacity::Instant;
use batchlab_traces::notation::instant::iso;
use batchlab_traces::reading::parse_duration;
use batchlab_traces::{Time, foreign};

use crate::lab::Failure;
use crate::lab::replays::result_tables;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::measure::MeasureSettings;
use crate::replay::Conditions;

/// Returns the instant that is asked about: that of --at, else when the log was written.
pub fn instant(at: Option<&str>, prepared: &Prepared, written: Option<Time>) -> Result<Time, Failure> {
    let Some(text) = at else {
        let what = "all jobs of the log have ended: say the instant with --at, such as --at 20d";
        return written.ok_or_else(|| Failure::Usage(what.into()));
    };
    if let Ok(time) = parse_duration(text) {
        return Ok(time);
    }
    let shown = foreign::line(text, 60);
    let date = iso(text.as_bytes()).map(Instant::of);
    match (date, date.and_then(|date| date.in_log(0, prepared.trace.calendar.as_ref()))) {
        (_, Some(time)) => Ok(time),
        (Some(_), None) => Err(Failure::Usage(format!(
            "--at {shown}: the log does not tell the time of its zero (UnixStartTime); use seconds"
        ))),
        (None, None) => Err(Failure::Usage(format!(
            "--at {shown}: an instant is a time such as 20d, or a date such as \"2026-12-01 08:00\""
        ))),
    }
}

/// Returns an instant on the site's clock, if the log tells the time of its zero.
pub fn clock_words(prepared: &Prepared, at: Time) -> Option<String> {
    let local = prepared.trace.calendar?.local(at)?;
    Some(local.format("%Y-%m-%d %H:%M").to_string())
}

/// Returns an instant on the site's clock, else in seconds.
pub fn words(prepared: &Prepared, at: Time) -> String {
    clock_words(prepared, at).unwrap_or_else(|| format!("{at} s"))
}

/// Returns what a table says about its jobs, machine and rules; nothing is measured. What replaces data of the past is no
/// condition of a forecast: the table says from how many jobs of the past it was made.
pub fn conditions(prepared: &Prepared) -> Conditions {
    Conditions { replaced: Vec::new(), ..result_tables::conditions(prepared, &MeasureSettings::default()) }
}
