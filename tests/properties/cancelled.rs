//! For any jobs that users cancel while they wait, any policy and any event order: such jobs leave when their users cancel
//! them, and all other jobs end.

use std::sync::Arc;

use batchlab::outcome::Fate;
use batchlab::replay::engine::Scenario;
use batchlab::traces::{JobId, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{all_specs, event_orders, migrates_at_length, overruns, samples};
use crate::lab::{Play, try_play};

/// About every third job is cancelled this number of seconds after its entry.
fn patience() -> impl Strategy<Value = Vec<Option<i64>>> {
    let one = select(vec![None, None, None, None, Some(0_i64), Some(1), Some(10), Some(60), Some(600)]);
    prop::collection::vec(one, 40)
}

fn cancelling(scene: &Play, patience: &[Option<i64>]) -> Play {
    let workload = Workload::clone(&scene.scenario.workload);
    let of = |job: JobId| patience.get(job.index()).copied().flatten().map(Time::from_secs);
    let patience: Vec<Option<Time>> = workload.jobs().map(of).collect();
    let scenario =
        Scenario { workload: Arc::new(workload.with_patience(&patience)), ..scene.scenario.clone() };
    Play { scenario, ..scene.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Every replay is checked by `verify`.
    #[test]
    fn every_policy_lets_users_cancel_their_jobs(
        sample in samples(),
        patience in patience(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = cancelling(&sample.play(overrun).events(events), &patience);
        let workload = &scene.scenario.workload;
        for spec in specs {
            let Ok((outcome, _)) = try_play(&scene, &spec) else {
                prop_assert!(migrates_at_length(&spec) || spec.contains("variant=fixed")
                    || spec.contains("share=false") || spec.contains("memory=on"), "{}", spec);
                continue;
            };
            for job in workload.jobs() {
                match (workload.patience(job), outcome.fate(job)) {
                    // DHC turns away jobs larger than its largest block.
                    (_, Fate::Rejected) => {}
                    (Some(patience), fate) => {
                        prop_assert_eq!(fate, Fate::Cancelled, "{}", spec);
                        prop_assert!(outcome.end(job) <= workload.submit(job) + patience, "{}", spec);
                    }
                    (None, fate) => prop_assert!(fate.has_ended(), "{}: {:?}", spec, fate),
                }
            }
        }
    }
}
