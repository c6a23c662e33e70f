//! How accurate the run times were by which a policy planned.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use batchlab_traces::Time;

use super::distribution::{Quantiles, inverse};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served};

/// The distribution of run time / predicted run time.
pub static ACCURACY: DetailSpec = DetailSpec {
    name: "accuracy",
    what: "quantiles and counts of run time / run time by which the policy planned, over the measured jobs",
    reads_journal: false,
    make,
};

/// The name of the quantity, a ratio.
pub const RUN_OVER_PREDICTION: &str = "run_over_prediction";

/// The number of bins of one per cent; values beyond them are in one more.
pub const BINS: usize = 200;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    pub jobs: usize,
    pub quantities: Vec<Quantiles>,
    /// The jobs in each bin of one per cent, from 0 on; the last bin has those of twice the prediction and more.
    pub counts: Vec<u64>,
}

/// Returns run time / predicted run time; a prediction below a second counts as one second, so that there is a ratio.
fn ratio(job: &Served) -> Option<f64> {
    let predicted = job.predicted?.max(Time::SECOND);
    Some(job.run.ticks() as f64 / predicted.ticks() as f64)
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let jobs = measurement.jobs().len();
    if jobs == 0 {
        return None;
    }
    let Some(mut ratios) = measurement.measured().map(|job| ratio(&job)).collect::<Option<Vec<f64>>>() else {
        return recorded::<Accuracy>(Err("the schedule does not tell what was predicted".into()));
    };
    ratios.sort_unstable_by(f64::total_cmp);
    let mut counts = vec![0_u64; BINS + 1];
    for ratio in &ratios {
        // The slack keeps 1.15, which is less than 115 hundredths in binary, in its bin.
        let bin = (ratio * 100.0 + 1e-9).floor() as usize;
        counts[bin.min(BINS)] += 1;
    }
    let quantiles = Quantiles { name: RUN_OVER_PREDICTION.into(), jobs, values: inverse(&ratios) };
    recorded(Ok(Accuracy { jobs, quantities: vec![quantiles], counts }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::replayed;
    use super::*;
    use batchlab_engine::Outcome;
    use batchlab_engine::metrics::{Catalogue, MeasureOptions};
    use batchlab_traces::Machine;
    use batchlab_traces::expr::Vocabulary;
    use batchlab_traces::workload::PlainJob;

    /// Five jobs of one user, each submitted after the last has ended: (submit, run, estimate).
    const JOBS: [(i64, i64, i64); 5] =
        [(0, 60, 100), (100, 80, 100), (200, 70, 100), (300, 100, 100), (500, 20, 40)];

    fn jobs() -> Vec<PlainJob> {
        let job = |(submit, run, estimate)| PlainJob {
            estimate: Time::from_secs(estimate),
            user: 1,
            ..PlainJob::secs(submit, run, vec![1])
        };
        JOBS.map(job).into()
    }

    fn values(measurement: &Measurement<'_>, keys: &[&str]) -> Vec<Option<f64>> {
        let catalogue = Catalogue::new(measurement.machine(), &[]);
        keys.iter().map(|key| catalogue.find(key).unwrap().value(measurement)).collect()
    }

    const KEYS: [&str; 3] = ["mean_accuracy", "underpredicted_share", "overpredicted_share"];

    #[test]
    fn accuracy_is_that_of_the_prediction_or_of_the_estimate() {
        let machine = || Machine::pool(4).unwrap();
        // Estimates: .6, .8, .7, 1 and .5 of them are run.
        let users = replayed(machine(), &jobs(), "easy");
        assert_eq!(values(&users.measurement(), &KEYS), [Some(0.72), Some(0.0), Some(0.8)]);
        // The mean of the last two runs from the third job on, at most the estimate: 70, 75 and 40 s.
        let predicted = replayed(machine(), &jobs(), "easy:predictor=last2");
        assert_eq!(values(&predicted.measurement(), &KEYS), [Some(0.73), Some(0.2), Some(0.6)]);
        let own = Catalogue::new(predicted.measurement().machine(), &[])
            .defining("p=mean(predicted)", &Vocabulary::jobs(predicted.measurement().machine()))
            .unwrap();
        assert_eq!(own.find("p").unwrap().value(&predicted.measurement()), Some(77.0));
        let told: Accuracy = predicted.detail("accuracy").unwrap();
        let filled: Vec<usize> = (0..=BINS).filter(|&bin| told.counts[bin] > 0).collect();
        assert_eq!((told.jobs, filled), (5, vec![50, 60, 80, 100, 133]));
        let [quantiles] = &told.quantities[..] else { panic!("{told:?}") };
        assert_eq!((quantiles.values[0], *quantiles.values.last().unwrap()), (0.5, 100.0 / 75.0));
    }

    #[test]
    fn a_schedule_that_is_no_replay_has_no_accuracy() {
        let done = replayed(Machine::pool(4).unwrap(), &jobs(), "easy");
        let outcome = Outcome { predicted: None, ..done.outcome.clone() };
        let (workload, machine) = (&done.scenario.workload, &done.scenario.machine);
        let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
        assert_eq!(values(&measurement, &KEYS), [None; 3]);
        let refused = super::super::read::<Accuracy>(&make(&measurement, Extent::Whole).unwrap());
        assert_eq!(refused.unwrap_err(), "the schedule does not tell what was predicted");
    }
}
