//! Whether the machine keeps up with arriving work: work completed, and the growth of the backlog.

use batchlab_traces::Citation;

use super::FRACHTENBERG05;
use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::stats::NoInterval;
use crate::table::{Better, Unit};

pub static COMPLETION: MetricSpec = MetricSpec {
    name: "completion",
    unit: Unit::Fraction,
    better: Better::Higher,
    definition: "processor-seconds executed from first submit + warm-up to last submit / processor-seconds (procs \
                 * run) submitted in that time: below 1 by what the backlog has grown",
    cite: FRACHTENBERG05,
    compute: Compute::Value(|measurement| measurement.backlog().completion()),
    ..MetricSpec::OF_REPLAY
};

pub static BACKLOG_GROWTH: MetricSpec = MetricSpec {
    name: "backlog_growth",
    unit: Unit::Fraction,
    domain: Domain::Any,
    definition: "least-squares slope of the work that waits (processor-seconds that would have been done if each job had \
                 started at its submission, less those done; at 128 instants from first submit + warm-up to last submit) \
                 over that time, / P: the share of the machine that is lacking",
    cite: FRACHTENBERG05,
    compute: Compute::Value(|measurement| growth(measurement).map(|[slope, _]| slope)),
    ..MetricSpec::OF_REPLAY
};

pub static BACKLOG_GROWTH_LOW: MetricSpec = MetricSpec {
    name: "backlog_growth_low",
    unit: Unit::Fraction,
    domain: Domain::Any,
    definition: "lower end of the 95 % interval of backlog_growth by block bootstrap: above 0 the backlog grows",
    cite: Citation::of(
        "Kuensch 1989, The Jackknife and the Bootstrap for General Stationary Observations",
        &["kuensch89"],
    ),
    compute: Compute::Value(|measurement| growth(measurement).map(|[_, low]| low)),
    ..MetricSpec::OF_REPLAY
};

pub static LEAST_BACKLOG: MetricSpec = MetricSpec {
    name: "least_backlog",
    unit: Unit::Fraction,
    domain: Domain::Any,
    definition: "least work that waits (as for backlog_growth) at the later 64 instants / processor-seconds submitted: near 0 \
                 the queue is worked off again and again",
    cite: FRACHTENBERG05,
    compute: Compute::Value(|measurement| measurement.backlog().least()),
    ..MetricSpec::OF_REPLAY
};

/// Returns the slope of the backlog and the lower end of its interval, as shares of the machine; zeros if it is constant, as
/// where no job waits.
fn growth(measurement: &Measurement<'_>) -> Option<[f64; 2]> {
    let procs = Some(measurement.machine().procs() as f64).filter(|&procs| procs > 0.0)?;
    match &measurement.backlog().judged()?.slope {
        Ok(slope) => Some([slope.estimate, slope.low].map(|work| work / procs)),
        Err(NoInterval::NoSpread) => Some([0.0; 2]),
        Err(_) => None,
    }
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
        let plain = |at: i64| PlainJob { user: 1, ..PlainJob::new(Time::from_secs(at * gap), run, vec![4]) };
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
        assert!(completion > 0.999 && (growth, low) == (0.0, 0.0), "{completion} {growth} {low}");
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
