use batchlab_traces::trace::Suspensions;
use batchlab_traces::{Field, Time, Trace};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogInstant {
    /// Seconds from the log's zero.
    pub seconds: f64,
    /// The site's local time (RFC 3339); `None` if the log does not record it.
    pub local: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Period {
    /// Time zone of the site, if known.
    pub zone: Option<String>,
    pub first_submit: Option<LogInstant>,
    pub last_submit: Option<LogInstant>,
    /// Last recorded end; `None` if the log records no waits.
    pub last_end: Option<LogInstant>,
    /// From the first submission to the last, seconds.
    pub span: f64,
}

impl LogInstant {
    /// Returns the date of the first submission in local time, such as 1996-09-30.
    pub fn date(&self) -> Option<&str> {
        self.local.as_deref()?.split('T').next()
    }
}

impl Period {
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> Period {
        let submits = || rows.iter().filter_map(|&row| known(trace, row, Field::Submit));
        let suspensions = Suspensions::of(trace);
        let ends = rows.iter().filter_map(|&row| {
            let submit = known(trace, row, Field::Submit)?;
            let wait = known(trace, row, Field::Wait)?;
            Some(submit.saturating_add(wait).saturating_add(suspensions.stay(row)?))
        });
        let instant = |time: Time| LogInstant {
            seconds: time.secs(),
            local: trace.calendar.and_then(|calendar| Some(calendar.local(time)?.to_rfc3339())),
        };
        let (first, last) = (submits().min(), submits().max());
        Period {
            zone: trace.calendar.map(|calendar| calendar.zone()),
            first_submit: first.map(instant),
            last_submit: last.map(instant),
            last_end: ends.max().map(instant),
            span: first.zip(last).map_or(0.0, |(first, last)| (last - first).secs()),
        }
    }
}

fn known(trace: &Trace, row: usize, field: Field) -> Option<Time> {
    Some(trace.time(row, field)).filter(|&time| time >= Time::ZERO)
}
