//! `--record`: a file of forecasts, which are judged when their jobs have started.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use batchlab_parsers::write_uninterrupted;
use batchlab_traces::number::grouped;
use batchlab_traces::{JobId, Time, Trace, Workload};

use crate::cli::arguments::{arguments, option};
use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::texts::read_long_text;
use crate::when::{ForecastRecord, Hits, IntervalTold, Past, Row};

arguments! {
    pub(super) struct RecordFile {
        record: Option<String> = option(
            "record", "FILE", "Keep the forecasts in a file, and judge those of earlier calls by the jobs that have started \
             since: how many intervals have held so far on this machine. Call it again and again, for example by cron",
        ).excludes(&["evaluate", "explain"]).reads(),
    }
}

impl RecordFile {
    /// Checks that the record that is asked for can be read, before time is spent on a forecast; one that does not exist yet is empty.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.record.as_deref().filter(|path| Path::new(path).exists()) else {
            return Ok(());
        };
        read(path, &read_long_text(path)?).map(drop)
    }

    /// Judges earlier forecasts by the starts that are known now, and adds those of some jobs. Returns how many have held so far;
    /// `None` without a record.
    ///
    /// Calls overlap where one takes longer than the time between two: the file is locked from before it is read until it is
    /// written.
    pub(super) fn keep(
        &self,
        prepared: &Prepared,
        (past, now): (&Past<'_>, Time),
        rows: &[Row],
        level: f64,
    ) -> Result<Option<Hits>, Failure> {
        let Some(path) = &self.record else { return Ok(None) };
        let failed = |error: io::Error| Failure::Input(format!("{path}: {error}"));
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        // A file system that does not support locks cannot report a conflict.
        let _ = file.lock();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let record = &mut read(path, &String::from_utf8_lossy(&bytes))?;
        let (trace, workload) = (&prepared.trace, &past.forecast.scenario.workload);
        // Instants of all calls are on one clock: that of the site, if the log has it.
        let zero = trace.calendar.map_or(0.0, |calendar| calendar.unix_start() as f64);
        let mut starts: Vec<(Time, String)> = Vec::new();
        for job in workload.jobs() {
            let start = past.schedule.start[workload.position(job)];
            let name = name(trace, workload, job);
            if start <= now && record.is_open(&name) {
                starts.push((start, name));
            }
        }
        starts.sort_unstable();
        for (start, name) in starts {
            record.started(&name, zero + start.secs());
        }
        let now = zero + now.secs();
        for row in rows {
            if let Some(earliest) = row.earliest_in.filter(|_| row.start_in.is_some()) {
                let name = row.id.clone().unwrap_or_else(|| row.job.to_string());
                let latest = row.latest_in.map_or(f64::INFINITY, |latest| now + latest);
                record.tell(&name, IntervalTold { made: now, level, earliest: now + earliest, latest });
            }
        }
        // Whole lines, even if Ctrl-C comes meanwhile.
        write_uninterrupted(|| file.write_all(record.news().as_bytes())).map_err(failed)?;
        Ok(Some(record.hits()))
    }
}

fn read(path: &str, text: &str) -> Result<ForecastRecord, Failure> {
    ForecastRecord::read(text).map_err(|error| Failure::Input(format!("{path}: {error}")))
}

/// Returns the name of a job in the batch system, else its number.
fn name(trace: &Trace, workload: &Workload, job: JobId) -> String {
    let own = trace.own_id(workload.row(job)).map(|id| id.to_string());
    own.unwrap_or_else(|| workload.number(job).to_string())
}

/// Returns in words how many intervals have held, and how good they were.
pub(super) fn words(hits: &Hits) -> Vec<String> {
    let count = |count: usize| grouped(count as u64);
    let held = format!(
        "so far {} of {} recorded intervals held, where {} were to; {} are of jobs that have not started",
        count(hits.held),
        count(hits.judged),
        grouped(hits.expected.round() as u64),
        count(hits.open)
    );
    let (Some(length), Some(score)) = (hits.mean_length, hits.mean_interval_score) else { return vec![held] };
    let without = match hits.endless {
        0 => String::new(),
        endless => format!(", without {} that have no end", count(endless)),
    };
    let seconds = |value: f64| grouped(value.round() as u64);
    let how = format!(
        "their mean interval score is {} s, their mean length {} s{without}",
        seconds(score),
        seconds(length)
    );
    vec![held, how]
}
