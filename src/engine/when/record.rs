//! Forecasts that are kept until the jobs have started: how many intervals of a machine have held so far.

use std::fmt::Write as _;

use batchlab_traces::sorted::SortedMap;
use serde::Serialize;
use thiserror::Error;

use super::evaluation::interval_score;

const HEADING: &str = "batchlab when --record 1";

/// A record: forecasts, and the starts by which they were judged, one a line in the order in which they became known.
///
/// `forecast,MADE,JOB,LEVEL,EARLIEST,LATEST` has instants in seconds, as do `start,START,JOB` lines; a forecast without a latest start
/// has `-` there.
#[derive(Clone, Debug, Default)]
pub struct ForecastRecord {
    /// The forecasts of jobs that have not started.
    open: SortedMap<String, Vec<IntervalTold>>,
    hits: Hits,
    /// The lengths and the interval scores of judged intervals with an end, in seconds, added up.
    length: f64,
    score: f64,
    /// What is to be added to the file.
    news: String,
}

/// The interval of a job: seconds on one clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalTold {
    pub made: f64,
    /// The share of such intervals that are to hold.
    pub level: f64,
    pub earliest: f64,
    /// Its latest start; infinite if it has none.
    pub latest: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Hits {
    /// The intervals that held their start.
    pub held: usize,
    /// All whose job has started since.
    pub judged: usize,
    /// How many were to hold.
    pub expected: f64,
    /// The intervals of jobs that have not started.
    pub open: usize,
    /// The judged intervals without an end: they count for how many held only.
    pub endless: usize,
    /// Mean length of the other judged intervals, seconds; `None` without such intervals.
    pub mean_length: Option<f64>,
    /// Mean interval score of the other judged intervals, seconds, as [`Evaluation`](super::Evaluation) has it.
    pub mean_interval_score: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecordError {
    /// Another file.
    #[error(
        "it is no record of forecasts, which begins with the line `{HEADING}`: nothing is written to it; name a new file"
    )]
    Foreign,
    #[error("line {0} is neither a forecast nor a start: remove it, or name a new file")]
    Line(usize),
}

impl ForecastRecord {
    /// Reads a record; an empty text is a new one.
    pub fn read(text: &str) -> Result<ForecastRecord, RecordError> {
        let mut record = ForecastRecord::default();
        if text.is_empty() {
            record.news = format!("{HEADING}\n");
            return Ok(record);
        }
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first != HEADING) {
            return Err(RecordError::Foreign);
        }
        // Calls that overlapped, of a version that did not lock the file, have each written a heading.
        for (at, line) in lines.filter(|(_, line)| *line != HEADING) {
            record.take(line).ok_or(RecordError::Line(at + 1))?;
        }
        record.news.clear();
        Ok(record)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        match line.split(',').collect::<Vec<_>>()[..] {
            ["forecast", made, job, level, earliest, latest] => {
                let latest = if latest == "-" { f64::INFINITY } else { number(latest)? };
                let told = IntervalTold {
                    made: number(made)?,
                    level: number(level)?,
                    earliest: number(earliest)?,
                    latest,
                };
                self.tell(job, told);
            }
            ["start", start, job] => self.started(job, number(start)?),
            _ => return None,
        }
        Some(())
    }

    /// Adds a forecast, unless one of the job was made at the same instant.
    pub fn tell(&mut self, job: &str, told: IntervalTold) {
        let open = self.open.entry(job.to_owned()).or_default();
        if open.iter().any(|other| other.made == told.made) {
            return;
        }
        let IntervalTold { made, level, earliest, latest } = told;
        let latest = if latest.is_finite() { latest.to_string() } else { "-".into() };
        // Writing to a text does not fail.
        let _ = writeln!(self.news, "forecast,{made},{job},{level},{earliest},{latest}");
        open.push(told);
    }

    /// Judges the forecasts of a job that were made before it started.
    pub fn started(&mut self, job: &str, start: f64) {
        let Some(open) = self.open.get_mut(job) else { return };
        let before = open.len();
        open.retain(|told| {
            let later = told.made > start;
            if !later {
                // Clocks show whole seconds.
                let holds = (told.earliest - 1.0..=told.latest + 1.0).contains(&start);
                self.hits.held += usize::from(holds);
                self.hits.judged += 1;
                self.hits.expected += told.level;
                if told.latest.is_finite() {
                    let length = told.latest - told.earliest;
                    let outside = (told.earliest - start).max(start - told.latest).max(0.0);
                    self.length += length;
                    self.score += interval_score(length, outside, told.level);
                } else {
                    self.hits.endless += 1;
                }
            }
            later
        });
        if open.len() < before {
            let _ = writeln!(self.news, "start,{start},{job}");
        }
    }

    pub fn hits(&self) -> Hits {
        let ended = self.hits.judged - self.hits.endless;
        let mean = |sum: f64| (ended > 0).then(|| sum / ended as f64);
        Hits {
            open: self.open.values().map(Vec::len).sum(),
            mean_length: mean(self.length),
            mean_interval_score: mean(self.score),
            ..self.hits
        }
    }

    pub fn is_open(&self, job: &str) -> bool {
        self.open.get(job).is_some_and(|open| !open.is_empty())
    }

    pub fn news(&self) -> &str {
        &self.news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(made: f64, earliest: f64, latest: f64) -> IntervalTold {
        IntervalTold { made, level: 0.9, earliest, latest }
    }

    #[test]
    fn forecasts_are_judged_when_their_jobs_have_started() {
        let mut record = ForecastRecord::read("").unwrap();
        record.tell("7", told(100.0, 110.0, 130.0));
        record.tell("7", told(105.0, 140.0, 150.0));
        record.tell("8_1", told(100.0, 100.0, f64::INFINITY));
        // The same instant is asked about again.
        record.tell("7", told(105.0, 141.0, 150.0));
        assert_eq!(record.hits(), Hits { open: 3, ..Hits::default() });
        record.started("7", 131.0);
        let hits = record.hits();
        assert_eq!((hits.held, hits.judged, hits.expected, hits.open), (1, 2, 1.8, 1));
        // A second late, as clocks round: 20 s long and 20 times 1 s; 9 s early: 10 s long and 20 times 9 s.
        assert_eq!(hits.mean_length, Some(15.0));
        assert!((hits.mean_interval_score.unwrap() - 115.0).abs() < 1e-9, "{hits:?}");
        let text = record.news().to_owned();
        assert_eq!(
            text,
            "batchlab when --record 1\nforecast,100,7,0.9,110,130\nforecast,105,7,0.9,140,150\n\
             forecast,100,8_1,0.9,100,-\nstart,131,7\n"
        );
        let mut again = ForecastRecord::read(&text).unwrap();
        assert_eq!((again.hits(), again.news()), (record.hits(), ""));
        // A start that is known already judges nothing, nor does that of an earlier run.
        again.started("7", 131.0);
        again.started("8_1", 99.0);
        assert_eq!((again.news(), again.is_open("7"), again.is_open("8_1")), ("", false, true));
        again.started("8_1", 5000.0);
        let hits = again.hits();
        assert_eq!((hits.held, hits.judged, hits.open, hits.endless), (2, 3, 0, 1));
        assert_eq!(hits.mean_length, Some(15.0), "the one without an end is left out");
        // What calls wrote that overlapped before the file was locked.
        let twice = ForecastRecord::read(&format!("{text}{text}start,5000,8_1\n")).unwrap();
        assert_eq!((twice.hits().judged, twice.hits().open), (5, 0));
    }

    #[test]
    fn other_files_are_refused() {
        let error = |text: &str| ForecastRecord::read(text).unwrap_err();
        assert_eq!(error("{\"jobs\":[]}\n"), RecordError::Foreign);
        for line in ["forecast,1,7,0.9,2", "start,inf,7", "start,1", "stop,1,7", ""] {
            assert_eq!(error(&format!("{HEADING}\nstart,1,7\n{line}\n")), RecordError::Line(3), "{line}");
        }
    }
}
