//! The time that the panels of a Gantt chart show, and where rectangles lie in it.

use super::super::chart::Chart as ChartSpec;
use super::super::timeline::{time_axis, time_unit};
use batchlab_engine::plot::{Area, Axis, Fill};
use batchlab_study::experiment::detail::Extent;
use batchlab_study::experiment::detail::gantt::{Bar, Clock, Gantt, Piece};

/// The share of the window's length as which a shorter job is drawn.
pub(super) const LEAST: f64 = 1.0 / 1200.0;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// The time that all panels show.
pub(super) struct View {
    pub(super) from: f64,
    pub(super) to: f64,
    /// The length of a second in the unit of the axis.
    pub(super) second: f64,
    pub(super) unit: &'static str,
    /// The zero of the axis, and what it is.
    pub(super) zero: f64,
    pub(super) since: String,
    /// The time of day, if the axis shows it.
    clock: Option<Clock>,
}

impl View {
    /// Returns the time that several windows cover.
    pub(super) fn around(windows: impl Iterator<Item = (f64, f64)>) -> View {
        let join = |one: (f64, f64), next: (f64, f64)| (one.0.min(next.0), one.1.max(next.1));
        let (from, to) = windows.reduce(join).unwrap_or((0.0, 1.0));
        let to = if to > from { to } else { from + 1.0 };
        let (second, unit) = time_unit(to - from);
        View { from, to, second, unit, zero: 0.0, since: "the first submission".into(), clock: None }
    }

    /// Lets the time axis begin to count at the submission of the marked job, or show the time of day.
    pub(super) fn count_from(&mut self, spec: &ChartSpec, charts: &[&Gantt]) {
        let mut jobs = charts.iter().flat_map(|chart| &chart.jobs);
        if let Some(job) = jobs.find(|job| Some(job.number) == spec.marked) {
            (self.zero, self.since) = (job.submit, format!("the submission of job {}", job.number));
            return;
        }
        // Panels with different first submissions have no clock in common.
        let clock = charts.first().and_then(|chart| chart.clock.as_ref());
        let is_common = |clock: &&Clock| charts.iter().all(|chart| chart.clock.as_ref() == Some(*clock));
        if let Some(clock) = clock.filter(is_common) {
            self.zero = clock.midnight;
            self.clock = Some(clock.clone());
        }
    }

    /// Lets the axis of a window that ends with the replay end at a tick.
    pub(super) fn close(&mut self, extent: Extent) {
        let is_open = matches!(extent, Extent::Whole | Extent::Between(_, None));
        if let (true, [first, second, ..]) = (is_open, &self.axis().ticks[..]) {
            let step = second.value - first.value;
            self.to = (self.place(self.to) / step - 1e-9).ceil() * step / self.second + self.zero;
        }
    }

    /// Returns the place of a time on the axis.
    pub(super) fn place(&self, time: f64) -> f64 {
        (time - self.zero) * self.second
    }

    pub(super) fn axis(&self) -> Axis {
        let (from, to) = (self.place(self.from), self.place(self.to));
        let Some(clock) = &self.clock else {
            return time_axis(format!("time since {} ({})", self.since, self.unit), self.unit, from, to);
        };
        let day = (from / self.second / DAY).floor() as usize;
        let label =
            format!("time of day from {} {}", clock.dates[day.min(clock.dates.len() - 1)], clock.place);
        let mut axis = time_axis(label, self.unit, from, to);
        for tick in &mut axis.ticks {
            tick.label = time_of_day(clock, (tick.value / self.second).round());
        }
        axis
    }

    /// Returns the part of an interval that is shown, on the axis; short intervals are made longer so that they can be seen.
    pub(super) fn part(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let least = (self.to - self.from) * LEAST;
        let (begin, end) = (from.max(self.from), to.max(from + least).min(self.to));
        (begin < end).then_some((self.place(begin), self.place(end)))
    }

    /// Returns the shown rectangles of a job.
    pub(super) fn areas(&self, job: &Bar, fill: Fill) -> Vec<Area> {
        job.pieces.iter().flat_map(|piece| self.area(piece, fill)).collect()
    }

    /// Returns the shown rectangles of an interval.
    pub(super) fn area(&self, piece: &Piece, fill: Fill) -> Vec<Area> {
        let x = self.part(piece.from, piece.to);
        x.map(|x| areas(piece, x, fill).collect()).unwrap_or_default()
    }
}

/// Returns the time of day at a number of seconds after the first midnight of a clock; at midnight the date.
fn time_of_day(clock: &Clock, seconds: f64) -> String {
    let (day, second) = ((seconds / DAY).floor(), seconds.rem_euclid(DAY) as u32);
    let date = clock.dates.get(day as usize).filter(|_| second == 0);
    let time = || match (second / 3600, second / 60 % 60, second % 60) {
        (hour, minute, 0) => format!("{hour:02}:{minute:02}"),
        (hour, minute, second) => format!("{hour:02}:{minute:02}:{second:02}"),
    };
    date.cloned().unwrap_or_else(time)
}

/// Returns the rectangles of an interval of a job between two ends.
pub(super) fn areas(piece: &Piece, x: (f64, f64), fill: Fill) -> impl Iterator<Item = Area> {
    let y = |&(first, count): &(i64, i64)| (first as f64, (first + count) as f64);
    piece.rows.iter().map(move |rows| Area { x, y: y(rows), fill })
}
