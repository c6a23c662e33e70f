//! Whether the machine keeps up with arriving work: work completed, and the growth of the backlog.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Bound, Compute, Domain, MetricSpec, Scope};
use crate::stats::Interval;
use crate::table::{Better, Unit};

/// Work completed over work arrived.
pub static COMPLETION: MetricSpec = MetricSpec {
    name: "completion",
    unit: Unit::Fraction,
    better: Better::Higher,
    domain: Domain::NotNegative,
    scope: Scope::Replay,
    bound: Bound::None,
    in_summary: false,
    definition: "processor-seconds executed from first submit + warm-up to last submit / processor-seconds (procs \
                 * run) submitted in that time: below 1 by what the backlog has grown",
    cite: Citation::of(
        "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
        &["frachtenberg05"],
    ),
    compute: Compute::Value(|measurement| measurement.backlog().completion()),
};

/// Slope of the backlog.
pub static BACKLOG_GROWTH: MetricSpec = MetricSpec {
    name: "backlog_growth",
    unit: Unit::Fraction,
    better: Better::Lower,
    domain: Domain::Any,
    scope: Scope::Replay,
    bound: Bound::None,
    in_summary: false,
    definition: "least-squares slope of the submitted and unfinished work (processor-seconds, at 128 instants from \
                 first submit + warm-up to last submit) over that time, / P: the share of the machine that is lacking",
    cite: Citation::of(
        "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
        &["frachtenberg05"],
    ),
    compute: Compute::Value(|measurement| growth(measurement).map(|slope| slope.estimate)),
};

/// Lower end of the slope's interval.
pub static BACKLOG_GROWTH_LOW: MetricSpec = MetricSpec {
    name: "backlog_growth_low",
    unit: Unit::Fraction,
    better: Better::Lower,
    domain: Domain::Any,
    scope: Scope::Replay,
    bound: Bound::None,
    in_summary: false,
    definition: "lower end of the 95 % interval of backlog_growth by block bootstrap: above 0 the backlog grows",
    cite: Citation::of(
        "Kuensch 1989, The Jackknife and the Bootstrap for General Stationary Observations",
        &["kuensch89"],
    ),
    compute: Compute::Value(|measurement| growth(measurement).map(|slope| slope.low)),
};

/// Returns the slope of the backlog with its interval, as shares of the machine.
fn growth(measurement: &Measurement<'_>) -> Option<Interval> {
    let procs = Some(measurement.machine().procs() as f64).filter(|&procs| procs > 0.0)?;
    let slope = measurement.backlog().judged()?.slope.clone().ok()?;
    let share = |work: f64| work / procs;
    Some(Interval {
        estimate: share(slope.estimate),
        low: share(slope.low),
        high: share(slope.high),
        ..slope
    })
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{JobId, Machine, Time, Workload};

    use crate::Outcome;
    use crate::metrics::{Catalogue, MeasureOptions, Measurement};

    /// The metrics of jobs of 90 s and 4 processors, one every `gap` seconds, on a machine that runs one at a time.
    fn of_gap(gap: i64) -> [Option<f64>; 3] {
        let run = Time::from_secs(90);
        let plain = |at: i64| PlainJob {
            submit: Time::from_secs(at * gap),
            run,
            estimate: run,
            demand: vec![4],
            user: 1,
            partition: -1,
        };
        let workload = Workload::from_jobs(&(0..2_000).map(plain).collect::<Vec<_>>());
        let mut free = Time::ZERO;
        let mut begin = |job: JobId| {
            let start = free.max(workload.submit(job));
            free = start + run;
            start
        };
        let start: Vec<Time> = workload.jobs().map(&mut begin).collect();
        let end = start.iter().map(|&start| start + run).collect();
        let outcome = Outcome { start, end, ..Outcome::default() };
        let machine = Machine::pool(4).unwrap();
        let measurement = Measurement::new(&workload, &machine, &outcome, MeasureOptions::default());
        let (measurement, catalogue) = (measurement.unwrap(), Catalogue::new(&machine, &[]));
        ["completion", "backlog_growth", "backlog_growth_low"]
            .map(|key| catalogue.find(key).unwrap().value(&measurement))
    }

    #[test]
    fn a_machine_that_keeps_up_is_told_from_one_that_does_not() {
        let [completion, growth, low] = of_gap(100).map(Option::unwrap);
        assert!(completion > 0.999 && growth.abs() < 1e-3 && low < 0.0, "{completion} {growth} {low}");
        // One ninth more work arrives than can be done.
        let [completion, growth, low] = of_gap(81).map(Option::unwrap);
        assert!((completion - 0.9).abs() < 1e-3, "{completion}");
        assert!((growth - 1.0 / 9.0).abs() < 1e-3 && low > 0.11 && low < growth, "{growth} {low}");
    }

    #[test]
    fn without_time_nothing_can_be_done_and_nothing_can_grow() {
        assert_eq!(of_gap(0), [None; 3]);
    }
}
