//! The policy `slurm` on machines of any kind, beside calendars, limits and tiers.

use batchlab::Outcome;
use batchlab::outcome::Fate;
use batchlab::slurm::SPEC;
use proptest::prelude::*;
use proptest::sample::select;

use super::combined::{calendar, calendars};
use super::limits::limits;
use super::samples::{event_orders, overruns, samples, values};
use super::sites::sites;
use crate::lab::{Play, try_play, watched};

fn specs() -> impl Strategy<Value = String> {
    let params: Vec<(&'static str, Vec<String>)> = SPEC
        .params
        .iter()
        .map(|param| match param.name {
            "parameters" => (param.name, settings()),
            // Of no use where the installation has no weights.
            "weights" => (param.name, vec!["none".into()]),
            name => (name, values(param)),
        })
        .collect();
    let drawn: Vec<_> = params.iter().map(|(_, values)| select(values.clone())).collect();
    drawn.prop_map(move |drawn| {
        let pairs: Vec<String> =
            params.iter().zip(drawn).map(|((name, _), value)| format!("{name}={value}")).collect();
        format!("slurm:{}", pairs.join(","))
    })
}

fn settings() -> Vec<String> {
    [
        "none",
        "(bf_interval=7,bf_resolution=13)",
        "(bf_window=1,bf_max_job_test=2)",
        "(bf_max_job_user=1,default_queue_depth=1,sched_interval=5)",
        "(bf_min_age_reserve=20,partition_job_depth=1)",
        "(bf_job_part_count_reserve=1,bf_max_job_start=1,batch_sched_delay=20)",
        "(bf_node_space_size=2,bf_window_linear=30,defer)",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn all_left(scene: &Play, outcome: &Outcome) -> bool {
    let left = |job| outcome.ended(job).is_some() || outcome.fate(job) == Fate::Rejected;
    scene.scenario.workload.jobs().all(left)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// No node holds more than its capacity, each task is whole, and every job ends.
    #[test]
    fn it_keeps_to_the_nodes_of_any_machine(
        site in sites(),
        spec in specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events).slurm();
        prop_assume!(scene.scenario.machine.devices().is_none());
        let outcome = watched(&scene, &spec);
        prop_assert!(outcome.as_ref().is_ok_and(|outcome| all_left(&scene, outcome)), "{}: {:?}", spec, outcome.err());
    }

    #[test]
    fn it_works_on_pools(
        sample in samples(),
        spec in specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events).slurm();
        let played = try_play(&scene, &spec);
        prop_assert!(played.as_ref().is_ok_and(|(outcome, _)| all_left(&scene, outcome)), "{}: {:?}", spec, played.err());
    }

    #[test]
    fn beside_calendars_and_limits_every_job_ends(
        site in sites(),
        events in calendars(),
        limits in prop::option::of(limits()),
        foresight in select(vec!["calendar", "none", "reservations"]),
        spec in specs(),
        order in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(order);
        prop_assume!(scene.scenario.machine.devices().is_none());
        let scene = scene.calendar(&calendar(&scene, &events), foresight);
        let scene = limits.and_then(|limits| scene.some_limits(&limits)).unwrap_or(scene).slurm();
        let played = try_play(&scene, &spec);
        prop_assert!(played.as_ref().is_ok_and(|(outcome, _)| all_left(&scene, outcome)), "{}: {:?}", spec, played.err());
    }
}
