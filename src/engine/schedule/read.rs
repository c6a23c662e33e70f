//! Reads schedules from CSV: those of this program, those that Batsim writes (`jobs.csv`), or of any tool with the same columns.

use std::collections::HashMap;

use batchlab_support::Share;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::sheet::{cells, is_missing, unnamed};
use super::{batsim, nodes};
use crate::outcome::{Fate, Outcome};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRow {
    /// The job's number in the log.
    pub job: i64,
    /// First start; [`Time::MAX`] if it has none.
    pub start: Time,
    /// End; [`Time::MAX`] if it has none.
    pub end: Time,
    pub fate: Fate,
    /// Its processors, if the schedule states them.
    pub procs: Option<i64>,
    /// Its nodes with the processors on each; empty if the schedule does not contain them.
    pub nodes: Vec<Share>,
    /// Line in the file, from 1.
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("the schedule has no column `{0}`; it needs job_id, start and end")]
    Column(&'static str),
    #[error("line {line} of the schedule: `{text}` is not a {what}")]
    Value { line: usize, text: String, what: &'static str },
    #[error("{missing} of {jobs} jobs {} job {first}", if *missing == 1 { "has no start and end in the schedule:" } else { "have no start and end in the schedule; the first is" })]
    Missing { missing: usize, jobs: usize, first: i64 },
    #[error("{unknown} {} job {first} in line {line}", if *unknown == 1 {
        "row of the schedule names no job that is replayed, or names one again:"
    } else {
        "rows of the schedule name no job that is replayed, or name one again; the first is"
    })]
    Unknown { unknown: usize, first: i64, line: usize },
}

/// Reads the rows of a schedule; columns are found by their names in the first line. Nodes are ignored,
/// because on a pool a column of this name may be anything.
pub fn read(text: &str) -> Result<Vec<ScheduleRow>, ScheduleError> {
    read_columns(text, false)
}

/// As [`read`], with the column `nodes` if there is one and the machine has nodes.
pub fn read_on(machine: &Machine, text: &str) -> Result<Vec<ScheduleRow>, ScheduleError> {
    read_columns(text, !machine.is_pool())
}

fn read_columns(text: &str, with_nodes: bool) -> Result<Vec<ScheduleRow>, ScheduleError> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let columns = Columns::of(lines.next().map_or("", |(_, line)| line), with_nodes)?;
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    rows.map(|(index, line)| columns.row(index + 1, line)).collect()
}

struct Columns {
    count: usize,
    job: usize,
    start: usize,
    end: usize,
    procs: Option<usize>,
    nodes: Option<usize>,
    fate: Option<usize>,
}

impl Columns {
    fn of(header: &str, with_nodes: bool) -> Result<Columns, ScheduleError> {
        let header = cells(header);
        let own = |name: &str| header.iter().position(|column| column == name);
        let find = |name: &str, batsim: &str| own(name).or_else(|| own(batsim));
        let needed = |name: &'static str, batsim: &str| find(name, batsim).ok_or(ScheduleError::Column(name));
        Ok(Columns {
            count: header.len(),
            job: needed("job_id", "jobID")?,
            start: needed("start", "starting_time")?,
            end: needed("end", "finish_time")?,
            procs: find("procs", "requested_number_of_resources"),
            nodes: own("nodes").filter(|_| with_nodes),
            fate: find("fate", "final_state"),
        })
    }

    fn row(&self, line: usize, text: &str) -> Result<ScheduleRow, ScheduleError> {
        let cells = cells(text);
        let first = unnamed(self.count, text, cells.len());
        let cell = |at: usize| cells.get(first + at).map_or("", |cell| cell.as_ref());
        let wrong = |at: usize, what| ScheduleError::Value { line, text: cell(at).into(), what };
        let told = |at: Option<usize>| at.filter(|&at| !is_missing(cell(at)));
        let job = job_number(cell(self.job)).ok_or_else(|| wrong(self.job, "job number"))?;
        // A job that was rejected or never submitted has neither.
        let nowhere = is_missing(cell(self.start)) && is_missing(cell(self.end));
        let time = |at: usize| {
            let told = if nowhere { Some(Time::MAX) } else { seconds(cell(at)) };
            told.ok_or_else(|| wrong(at, "time in seconds"))
        };
        let fate = match told(self.fate) {
            Some(at) => fate(cell(at), nowhere).ok_or_else(|| wrong(at, "fate of such a job"))?,
            None => Fate::Finished,
        };
        let procs = told(self.procs).map(|at| {
            let procs = job_number(cell(at)).filter(|&procs| procs >= 0);
            procs.ok_or_else(|| wrong(at, "number of processors"))
        });
        let nodes = told(self.nodes).map(|at| {
            let list = nodes::parse(cell(at));
            list.ok_or_else(|| wrong(at, "list of nodes such as 0:8+3:4"))
        });
        let (start, end) = (time(self.start)?, time(self.end)?);
        let (procs, nodes) = (procs.transpose()?, nodes.transpose()?.unwrap_or_default());
        Ok(ScheduleRow { job, start, end, fate, procs, nodes, line })
    }
}

/// Returns the fate of a name, if a job can have it that has neither start nor end (`nowhere`), or that has both.
fn fate(name: &str, nowhere: bool) -> Option<Fate> {
    Fate::find(name).or_else(|| batsim::fate(name)).filter(|known| match known {
        Fate::Unfinished => true,
        Fate::Cancelled => !nowhere,
        known => known.has_ended() != nowhere,
    })
}

/// Matches the rows of a schedule with the jobs of a workload.
///
/// Rows of a job number that the trace uses several times are matched in order.
pub fn outcome(workload: &Workload, rows: &[ScheduleRow]) -> Result<Outcome, ScheduleError> {
    complete(workload, partial_outcome(workload, rows)?)
}

/// Returns an outcome if it contains the fate of every job.
pub fn complete(workload: &Workload, outcome: Outcome) -> Result<Outcome, ScheduleError> {
    let missing: Vec<JobId> = workload.jobs().filter(|&job| !outcome.tells(job)).collect();
    match missing.first() {
        None => Ok(outcome),
        Some(&first) => Err(ScheduleError::Missing {
            missing: missing.len(),
            jobs: workload.len(),
            first: workload.number(first),
        }),
    }
}

/// As [`outcome`], with start and end [`Time::MAX`] for jobs without a row.
pub fn partial_outcome(workload: &Workload, rows: &[ScheduleRow]) -> Result<Outcome, ScheduleError> {
    let mut outcome = Outcome {
        start: vec![Time::MAX; workload.len()],
        end: vec![Time::MAX; workload.len()],
        ..Outcome::default()
    };
    for (row, job) in rows.iter().zip(jobs_of(workload, rows)?) {
        outcome.start[job.index()] = row.start;
        outcome.end[job.index()] = row.end;
        if row.fate != Fate::Finished {
            outcome.set_fate(job, row.fate, workload.len());
        }
        if !row.nodes.is_empty() {
            outcome.places.push(job, row.start, &row.nodes);
        }
    }
    outcome.places = outcome.places.settle();
    Ok(outcome)
}

pub(super) fn jobs_of(workload: &Workload, rows: &[ScheduleRow]) -> Result<Vec<JobId>, ScheduleError> {
    let mut by_number: HashMap<i64, Vec<JobId>> = HashMap::new();
    for job in workload.by_row().into_iter().rev() {
        by_number.entry(workload.number(job)).or_default().push(job);
    }
    let mut unknown: Vec<&ScheduleRow> = Vec::new();
    let mut jobs = Vec::with_capacity(rows.len());
    for row in rows {
        match by_number.get_mut(&row.job).and_then(Vec::pop) {
            Some(job) => jobs.push(job),
            None => unknown.push(row),
        }
    }
    match unknown.first() {
        None => Ok(jobs),
        Some(row) => Err(ScheduleError::Unknown { unknown: unknown.len(), first: row.job, line: row.line }),
    }
}

/// Reads a whole number, also in the form `7.0` that tools with float columns print.
pub(super) fn job_number(text: &str) -> Option<i64> {
    // Above 2^53 floats no longer distinguish neighbouring integers.
    let exact = |number: &f64| number.fract() == 0.0 && number.abs() < 9e15;
    text.parse().ok().or_else(|| text.parse::<f64>().ok().filter(exact).map(|number| number as i64))
}

/// Reads whole seconds exactly, others to the nearest tick; `None` beyond [`Time::FARTHEST`].
pub(super) fn seconds(text: &str) -> Option<Time> {
    let float = || text.parse::<f64>().ok().filter(|seconds| seconds.is_finite()).map(Time::from_secs_f64);
    let time = text.parse().ok().map(Time::from_secs).or_else(float)?;
    Some(time).filter(|time| time.ticks().unsigned_abs() <= Time::FARTHEST.ticks() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_errors_name_the_line() {
        let rows = read("procs,end,start,job_id\n4,30,10.5,7\n").unwrap();
        assert_eq!(
            rows,
            [ScheduleRow {
                job: 7,
                start: Time::from_ticks(10_500_000),
                end: Time::from_secs(30),
                fate: Fate::Finished,
                procs: Some(4),
                nodes: Vec::new(),
                line: 2
            }]
        );
        assert_eq!(read("\u{feff}job_id,start,end,procs\r\n7.0,10.5,30,4.0\r\n").unwrap(), rows);
        assert_eq!(read("job_id,start\n"), Err(ScheduleError::Column("end")));
        let error = read("job_id,start,end\n1,x,2\n").unwrap_err().to_string();
        assert_eq!(error, "line 2 of the schedule: `x` is not a time in seconds");
        let machine = Machine::uniform(8, 2).unwrap();
        let with_nodes = |nodes| read_on(&machine, &format!("job_id,start,end,nodes\n7,10,30,{nodes}\n"));
        assert_eq!(read("job_id,start,end,nodes,procs\n7,10.5,30,12,4\n").unwrap(), rows, "of another tool");
        assert_eq!(with_nodes("0:8+3:4").unwrap()[0].nodes, nodes::parse("0:8+3:4").unwrap());
        assert_eq!(
            with_nodes("0-3").unwrap_err().to_string(),
            "line 2 of the schedule: `0-3` is not a list of nodes such as 0:8+3:4"
        );
        for number in ["1.5", "nan", "inf", "", "1e18"] {
            let error = read(&format!("job_id,start,end\n{number},1,2\n")).unwrap_err().to_string();
            assert_eq!(error, format!("line 2 of the schedule: `{number}` is not a job number"));
        }
        for time in ["nan", "-inf", "9223372036854775807", "-1e13"] {
            let error = read(&format!("job_id,start,end\n1,2,{time}\n")).unwrap_err().to_string();
            assert_eq!(error, format!("line 2 of the schedule: `{time}` is not a time in seconds"));
        }
    }

    #[test]
    fn fates_are_told_or_follow_from_empty_times() {
        let first = |row: &str| read(&format!("job_id,start,end,fate\n{row}\n")).map(|rows| rows[0].fate);
        assert_eq!(first("1,2,3,killed"), Ok(Fate::Killed));
        assert_eq!(first("1,2,3,unfinished"), Ok(Fate::Unfinished));
        assert_eq!(first("1,,,unfinished"), Ok(Fate::Unfinished));
        assert_eq!(first("1,,,rejected"), Ok(Fate::Rejected));
        assert_eq!(first("1,,,"), Ok(Fate::Finished), "without a fate an empty row is no rejection");
        assert_eq!(first("1,NA,NaN,rejected"), Ok(Fate::Rejected));
        assert_eq!(first("1,2,3,NA"), Ok(Fate::Finished));
        assert_eq!(first("1,2,3,"), Ok(Fate::Finished));
        assert_eq!(first("1,2,3,COMPLETED_WALLTIME_REACHED"), Ok(Fate::Finished), "of Batsim");
        assert_eq!(first("1,2,3,COMPLETED_KILLED"), Ok(Fate::Killed));
        assert_eq!(first("1,,,REJECTED"), Ok(Fate::Rejected));
        for wrong in ["1,2,3,rejected", "1,,,finished", "1,,,killed", "1,2,3,happy"] {
            let error = first(wrong).unwrap_err().to_string();
            assert!(error.ends_with("is not a fate of such a job"), "{error}");
        }
        assert!(first("1,2,,unfinished").is_err() && first("1,,3,").is_err());
    }

    #[test]
    fn quotes_rows_with_names_and_words_for_missing_values_are_understood() {
        let plain = read("job_id,start,end,procs\n7,0,10,2\n8,,,\n").unwrap();
        assert_eq!((plain[1].start, plain[1].procs), (Time::MAX, None));
        for text in [
            "\"\",\"job_id\",\"start\",\"end\",\"procs\"\n\"1\",7,0,10,2\n\"2\",8,NA,NA,NA\n",
            "\"job_id\",\"start\",\"end\",\"procs\"\n\"1\",7,0,10,2\n\"2\",8,NA,NA,NA\n",
            "\"job_id\",\"start\",\"end\",\"procs\"\n\"7\",0,\"10\",2\n8,NaN,nan,\n",
        ] {
            assert_eq!(read(text).unwrap(), plain, "{text}");
        }
    }

    #[test]
    fn processors_are_a_whole_number() {
        let first = |procs: &str| read(&format!("job_id,start,end,procs\n1,0,10,{procs}\n"));
        assert_eq!(first("2.0").unwrap()[0].procs, Some(2));
        for wrong in ["x", "2.5", "-1", "4;4"] {
            let error = first(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("line 2 of the schedule: `{wrong}` is not a number of processors"));
        }
    }

    #[test]
    fn job_numbers_are_whole_and_times_within_reach() {
        let first = |job: &str, end: &str| read(&format!("job_id,start,end\n{job},0,{end}\n"));
        assert_eq!(first("9007199254740993", "1").unwrap()[0].job, 9_007_199_254_740_993);
        assert_eq!(first("7.0", "1").unwrap()[0].job, 7);
        for job in ["nan", "inf", "1.5", ""] {
            assert!(first(job, "1").is_err(), "{job}");
        }
        for end in ["nan", "-inf", "1e300", "9223372036854775807", "-9223372036854775808", "-3e12"] {
            assert!(first("1", end).is_err(), "{end}");
        }
    }
}
