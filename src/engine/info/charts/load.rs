//! Load over time: the demand of the jobs of each week or day, and the use of the machine.

use batchlab_traces::{Field, Time};

use super::Subject;
use crate::info::LogInstant;
use crate::info::rows::work;
use crate::plot::{Axis, Mark, Panel, Point, Stroke};
use batchlab_traces::trace::{UsageStep, levels};

/// Lengths of periods in seconds, and their names.
const PERIODS: [(f64, &str); 5] =
    [(604_800.0, "week"), (86_400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second")];
/// The least number of periods of a curve, if periods can be that short.
const FEWEST: f64 = 8.0;
/// The most periods of a curve.
const MOST: f64 = 1000.0;

/// Periods of equal length from the first submission to the last; the last one may be cut short.
struct Periods {
    from: f64,
    to: f64,
    length: f64,
    name: &'static str,
}

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let title = "Load over time";
    let Some(load) = &subject.info.replay.load else {
        return Panel::without(title, "the size of the machine or of the jobs is unknown");
    };
    let Some(periods) = Periods::of(subject) else {
        return Panel::without(title, "all jobs are submitted at one instant");
    };
    let procs = load.procs as f64;
    let demanded = periods.demanded(subject, procs);
    let used = periods.used(&levels(&subject.trace.stays(subject.rows.iter().copied())), procs);
    let high = demanded.iter().chain(&used).copied().fold(100.0, f64::max) * 1.05;
    let (name, end) = (periods.name, periods.at(periods.count()).min(periods.span()));
    let x = Axis::linear(format!("{name}s from {}", beginning(subject)), 0.0, end);
    let y = Axis::linear("processors of the machine (%)", 0.0, high);
    let full = Mark::Line(Stroke::Thin, vec![(0.0, 100.0), (end, 100.0)]);
    let by = |what: &str| format!("{what}, by {}", periods.words());
    let panel = Panel::new(title, x, y).mark(full);
    if used.is_empty() {
        return panel.steps(&by("demanded"), Stroke::Solid, periods.curve(&demanded));
    }
    panel.steps(&by("demanded"), Stroke::Dashed, periods.curve(&demanded)).steps(
        "used",
        Stroke::Solid,
        periods.curve(&used),
    )
}

fn beginning<'a>(subject: &Subject<'a>) -> &'a str {
    let first = subject.info.period.first_submit.as_ref();
    first.and_then(LogInstant::date).unwrap_or("the first submission")
}

impl Periods {
    fn of(subject: &Subject<'_>) -> Option<Periods> {
        let period = &subject.info.period;
        let (from, to) = (period.first_submit.as_ref()?.seconds, period.last_submit.as_ref()?.seconds);
        let span = to - from;
        let long_enough = PERIODS.iter().find(|(length, _)| span >= FEWEST * length);
        let &(length, name) = long_enough.unwrap_or(&PERIODS[PERIODS.len() - 1]);
        // For a log of many years, a period covers several weeks.
        let length = length * (span / length / MOST).ceil().max(1.0);
        (span > 0.0).then_some(Periods { from, to, length, name })
    }

    fn count(&self) -> usize {
        ((self.to - self.from) / self.length).ceil() as usize
    }

    /// Returns the beginning of a period, in units of the period's name.
    fn at(&self, period: usize) -> f64 {
        period as f64 * self.length / self.unit()
    }

    fn span(&self) -> f64 {
        (self.to - self.from) / self.unit()
    }

    /// Returns the length in seconds of the unit that names the periods.
    fn unit(&self) -> f64 {
        PERIODS.iter().find(|(_, name)| *name == self.name).map_or(1.0, |(length, _)| *length)
    }

    fn words(&self) -> String {
        let several = (self.length / self.unit()).round();
        if several > 1.0 { format!("{several} {}s", self.name) } else { self.name.into() }
    }

    /// Returns the capacity of the machine in each period, in processor-seconds.
    fn capacities(&self, procs: f64) -> impl Iterator<Item = f64> {
        (0..self.count()).map(move |period| {
            let begin = self.from + period as f64 * self.length;
            procs * self.length.min(self.to - begin)
        })
    }

    /// Returns the work of the jobs submitted in each period, in per cent of the capacity.
    fn demanded(&self, subject: &Subject<'_>, procs: f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.count()];
        for &row in &subject.rows {
            let submit = subject.trace.time(row, Field::Submit);
            if submit >= Time::ZERO {
                let period = ((submit.secs() - self.from) / self.length) as usize;
                // A last submission exactly at the end of the last period counts in that period.
                sums[period.min(self.count() - 1)] += work(subject.trace, row);
            }
        }
        self.shares(&sums, procs)
    }

    /// Returns the use of the machine in each period, in per cent of the capacity; empty without a schedule.
    fn used(&self, levels: &[UsageStep], procs: f64) -> Vec<f64> {
        if levels.is_empty() {
            return Vec::new();
        }
        let mut sums = vec![0.0; self.count()];
        for pair in levels.windows(2) {
            let busy = pair[0].1 as f64;
            let (mut begin, end) = (pair[0].0.secs().max(self.from), pair[1].0.secs().min(self.to));
            let mut period = ((begin - self.from) / self.length) as usize;
            while begin < end && period < sums.len() {
                let until = (self.from + (period + 1) as f64 * self.length).min(end);
                sums[period] += busy * (until - begin).max(0.0);
                begin = until;
                period += 1;
            }
        }
        self.shares(&sums, procs)
    }

    fn shares(&self, sums: &[f64], procs: f64) -> Vec<f64> {
        sums.iter().zip(self.capacities(procs)).map(|(sum, capacity)| sum * 100.0 / capacity).collect()
    }

    fn curve(&self, values: &[f64]) -> Vec<Point> {
        let begins = values.iter().enumerate().map(|(period, &value)| (self.at(period), value));
        let end = values.last().map(|&value| (self.span(), value));
        begins.chain(end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIODS_OF_TEN: Periods = Periods { from: 5.0, to: 30.0, length: 10.0, name: "second" };

    #[test]
    fn use_is_shared_out_among_periods_and_the_last_may_be_short() {
        // Four processors of eight from 0 to 20, then two until 27.
        let level = |at, busy| (Time::from_secs(at), busy);
        let levels = [level(0, 4), level(20, 2), level(27, 0)];
        let periods = PERIODS_OF_TEN;
        assert_eq!(periods.count(), 3);
        assert_eq!(periods.used(&levels, 8.0), [50.0, (20.0 + 10.0) / 0.8, 4.0 / 0.4]);
        assert!(periods.used(&[], 8.0).is_empty());
        assert_eq!(periods.curve(&[1.0, 2.0, 3.0]), [(0.0, 1.0), (10.0, 2.0), (20.0, 3.0), (25.0, 3.0)]);
    }
}
