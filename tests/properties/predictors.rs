//! Predictors under every policy that takes one: feasible schedules in which every job ends, and no look ahead.

use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{PREDICTORS, Sample, event_orders, fractions, overruns, samples};
use crate::lab::{play, policies};

fn predicting() -> Vec<String> {
    let takes = |name: &str, key: &str| {
        let known = policies().into_iter().find(|spec| spec.name == name);
        known.is_some_and(|spec| spec.params.iter().any(|param| param.name == key))
    };
    let names = policies().into_iter().map(|spec| spec.name).filter(|name| takes(name, "predictor"));
    let correctors = ["request", "increment", "double"];
    let with = |name: &str| {
        let renewals = if takes(name, "predict") { vec!["", ",predict=decision"] } else { vec![""] };
        let each = |corrector: &str| {
            let name = name.to_owned();
            renewals
                .iter()
                .map(move |renewal| format!("{name}:corrector={corrector}{renewal}"))
                .collect::<Vec<_>>()
        };
        correctors.into_iter().flat_map(each).collect::<Vec<_>>()
    };
    names.flat_map(with).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every replay is checked: jobs run for their run times on what was free, and all of them end.
    #[test]
    fn any_predictor_gives_schedules_that_hold(
        sample in samples(),
        ticks in fractions(),
        predictor in select(PREDICTORS.to_vec()),
        policies in prop::collection::vec(select(predicting()), 4),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        for policy in policies {
            let (outcome, _) = play(&scene, &format!("{policy},predictor={predictor}"));
            prop_assert!(outcome.end.iter().all(|&end| end < Time::MAX), "{}", policy);
        }
    }

    /// The run time of the job that ends last changes no start.
    #[test]
    fn a_prediction_knows_ended_jobs_only(
        sample in samples(),
        predictor in select(PREDICTORS.to_vec()),
        policy in select(predicting()),
        longer in 1_i64..50,
        events in event_orders(),
    ) {
        let mut sample = sample;
        sample.jobs.sort_by_key(|job| job.submit);
        for job in &mut sample.jobs {
            job.run = job.run.max(Time::SECOND);
            job.estimate = job.run + Time::from_secs(60);
        }
        let scene = |sample: &Sample| sample.play(Overrun::Raise).events(events);
        let spec = format!("{policy},predictor={predictor}");
        let (before, _) = play(&scene(&sample), &spec);
        let last = (0..before.end.len()).max_by_key(|&at| before.end[at]);
        if let Some(last) = last {
            sample.jobs[last].run += Time::from_secs(longer);
            let (after, _) = play(&scene(&sample), &spec);
            prop_assert_eq!(before.start, after.start, "{}", spec);
        }
    }
}
