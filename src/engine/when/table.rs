//! The tables of foretold starts, and of how good they were.

use batchlab_traces::Time;
use batchlab_traces::number::grouped;
use serde::Serialize;

use super::{Evaluation, Margins};
use crate::replay::Conditions;
use crate::table::{Better, Cell, Format, Table, TableColumn, TableRow, TimeUnit, Unit};

/// What the table has of a waiting job. Times are seconds; those that are still to come count from the instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub job: i64,
    /// Its identifier in the batch system, if the log has one beside the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub user: i64,
    pub procs: i64,
    /// How long it requests; none if it has no limit.
    pub requested: Option<f64>,
    pub waited: f64,
    /// The median of its foretold starts; none if it does not start in half of the replays.
    pub start_in: Option<f64>,
    /// The earliest start of the interval.
    pub earliest_in: Option<f64>,
    /// The latest start of the interval; none if it has no end.
    pub latest_in: Option<f64>,
    /// What makes the interval too wide to use, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_wide: Option<&'static str>,
    /// Its start if all jobs run as long as requested.
    pub start_as_requested_in: Option<f64>,
    /// Why it is not foretold, if it starts in no replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The median on the site's clock, if the log states the time of its zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

impl Row {
    /// Returns its cells: with its identifier, what makes its interval too wide, and its start on the site's clock, if some row has them.
    fn cells(&self, named: bool, wide: bool, dated: bool) -> TableRow {
        let mut cells = vec![Cell::Text(self.job.to_string())];
        cells.extend(named.then(|| self.id.clone().map_or(Cell::Empty, Cell::Text)));
        cells.extend([
            if self.user < 0 { Cell::Empty } else { Cell::Text(self.user.to_string()) },
            Cell::Number(self.procs as f64),
            self.requested.into(),
            Cell::Number(self.waited),
            self.start_in.into(),
            match (self.earliest_in, self.latest_in) {
                (Some(earliest), Some(latest)) => Cell::Interval(earliest, latest),
                _ => Cell::Empty,
            },
        ]);
        cells.extend(wide.then(|| self.too_wide.map_or(Cell::Empty, |why| Cell::Text(why.into()))));
        cells.push(self.start_as_requested_in.into());
        cells.extend(dated.then(|| self.start.clone().map_or(Cell::Empty, Cell::Text)));
        TableRow { cells, group: None }
    }
}

fn number(key: &str, heading: &str, unit: Unit) -> TableColumn {
    TableColumn {
        heading: heading.into(),
        ..TableColumn::number(key, Format::of(unit, TimeUnit::Seconds), Better::Neither)
    }
}

fn seconds(key: &str, heading: &str) -> TableColumn {
    number(key, heading, Unit::Seconds)
}

pub fn when_table(
    conditions: &Conditions,
    policy: &str,
    (now, running, waiting): (&str, usize, usize),
    rows: &[Row],
    (run_times, level, margins): (&str, f64, &Margins),
) -> Table {
    let dated = rows.iter().any(|row| row.start.is_some());
    let named = rows.iter().any(|row| row.id.is_some());
    let wide = rows.iter().any(|row| row.too_wide.is_some());
    let start = seconds("start_in", "start in");
    let percent = format!("{} %", Format::PLAIN.print(100.0 * level, 0));
    let mut columns = vec![TableColumn::text("job")];
    columns.extend(named.then(|| TableColumn::text("id")));
    columns.extend([
        TableColumn::text("user"),
        number("procs", "procs", Unit::Count),
        seconds("requested", "requested"),
        seconds("waited", "waited"),
    ]);
    let at = columns.len();
    columns.push(start);
    columns.push(TableColumn {
        heading: percent.clone(),
        ..TableColumn::interval("within", Format::of(Unit::Seconds, TimeUnit::Seconds), at)
    });
    columns.extend(wide.then(|| TableColumn::text("too_wide")));
    columns.push(seconds("start_as_requested_in", "as requested"));
    columns.extend(dated.then(|| TableColumn { heading: "start".into(), ..TableColumn::text("start") }));
    let how = match margins.instants {
        0 => "run times alone; not calibrated".to_owned(),
        instants => format!(
            "calibrated at {} past instants with {} waiting jobs",
            grouped(instants as u64),
            grouped(margins.jobs as u64)
        ),
    };
    let said = [
        format!("at {now}: {} running and {} waiting jobs", grouped(running as u64), grouped(waiting as u64)),
        format!("{run_times}; {how}"),
    ];
    let definitions = [
        ("start in", "median over the replays of the time from now to the start".to_owned()),
        (&*percent, format!("interval that holds the time to the start of {percent} of such jobs")),
        ("as requested", "time to the start if every job runs as long as requested".to_owned()),
    ];
    Table {
        title: format!("Foretold starts: {} under {policy}", conditions.short_name()),
        caption: conditions.lines().into_iter().chain(said).map(Into::into).collect(),
        facts: conditions.facts(),
        columns,
        rows: rows.iter().map(|row| row.cells(named, wide, dated)).collect(),
        notes: notes(rows).into_iter().map(Into::into).collect(),
        definitions: definitions.map(|(name, what)| (name.to_owned(), what.into())).into(),
        ..Table::default()
    }
}

/// Returns notes on jobs whose interval has no end, or is too wide to use.
fn notes(rows: &[Row]) -> Vec<String> {
    let (mut endless, mut wide, mut notes) = (0_u64, 0_u64, Vec::new());
    for row in rows {
        wide += u64::from(row.too_wide.is_some());
        match &row.reason {
            Some(reason) => notes.push(format!("job {} is not foretold: {reason}", row.job)),
            None => endless += u64::from(row.latest_in.is_none()),
        }
    }
    let more = notes.len().saturating_sub(MOST_NOTES);
    notes.truncate(MOST_NOTES);
    notes.extend((more > 0).then(|| format!("and {} more", grouped(more as u64))));
    let says =
        || format!("{} do not start in some of the replays: their interval has no end", grouped(endless));
    notes.extend((endless > 0).then(says));
    let too_wide = || {
        format!(
            "{} of {} intervals are too wide to use: longer than three times the start, and than a minute; `too wide` says what \
             most of the length is from",
            grouped(wide),
            grouped(rows.len() as u64)
        )
    };
    notes.extend((wide > 0).then(too_wide));
    notes
}

/// The most jobs that are not foretold for which a table gives the reason.
const MOST_NOTES: usize = 5;

pub fn evaluation_table(
    conditions: &Conditions,
    (policy, run_times): (&str, &str),
    evaluation: &Evaluation,
    window: usize,
    between: (Time, Time),
) -> Table {
    let cells = [
        ("instants", "instants", Unit::Count, evaluation.instants as f64),
        ("jobs", "jobs", Unit::Count, evaluation.jobs as f64),
        ("level", "level", Unit::Fraction, evaluation.level),
        ("coverage", "coverage", Unit::Fraction, evaluation.coverage),
        ("coverage_without_margins", "uncalibrated", Unit::Fraction, evaluation.coverage_without_margins),
        ("mean_length", "mean length", Unit::Seconds, evaluation.mean_length),
        ("mean_interval_score", "interval score", Unit::Seconds, evaluation.mean_interval_score),
        ("mean_absolute_error", "mean abs error", Unit::Seconds, evaluation.mean_absolute_error),
        (
            "mean_absolute_error_of_requests",
            "as requested",
            Unit::Seconds,
            evaluation.mean_absolute_error_of_requests,
        ),
        ("mean_remaining_wait", "mean wait left", Unit::Seconds, evaluation.mean_remaining_wait),
    ];
    let columns = cells.map(|(key, heading, unit, _)| number(key, heading, unit)).into();
    let said = format!(
        "{run_times}; judged between {} and {} s; each instant is calibrated by the last {} before it",
        between.0,
        between.1,
        grouped(window as u64)
    );
    let definitions = [
        ("coverage", "share of true starts within their interval"),
        ("uncalibrated", "the same with intervals from run times alone"),
        (
            "interval score",
            "mean length, and 2 / (1 - level) times as much as a start lies outside: the less, the better",
        ),
        ("mean abs error", "mean distance of the median from the true start"),
        ("as requested", "the same of the start if every job ran as long as requested"),
        ("mean wait left", "mean time from the instant to the true start"),
    ];
    Table {
        title: format!("Foretold starts of the past: {} under {policy}", conditions.short_name()),
        caption: conditions.lines().into_iter().chain([said]).map(Into::into).collect(),
        facts: conditions.facts(),
        columns,
        rows: vec![TableRow { cells: cells.map(|(.., value)| Cell::Number(value)).into(), group: None }],
        definitions: definitions.map(|(name, what)| (name.to_owned(), what.into())).into(),
        ..Table::default()
    }
}
