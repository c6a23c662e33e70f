//! Every registered policy on machines with nodes, and the cases in which these equal pools.

use batchlab::Outcome;
use batchlab::outcome::Fate;
use batchlab::policies::spec::PolicySpec;
use batchlab::policies::{Act, Registry};
use batchlab::schedule::verify::promises;
use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{
    PREDICTORS, all_specs, event_orders, is_gang, overruns, prompt_orders, queue_orders, samples,
};
use super::sites::sites;
use crate::lab::{Play, bare, play, policies, try_play, watched};

/// Policies that work only on pools, with the reason. Every other policy must work on nodes, at least by default.
const ON_POOLS_ONLY: &[(&str, &str)] = &[
    ("lookahead", "it packs the processors of a pool; those of nodes do not add up"),
    ("gs", COLUMNS),
    ("bgs", COLUMNS),
    ("mgs", COLUMNS),
    ("mbgs", COLUMNS),
];

const COLUMNS: &str =
    "any columns of a matrix are as good as others; processors of nodes with memory are not";

/// Policies that may give other starts if a resource exists several times, with the reason.
const COUNT_RESOURCES: &[(&str, &str)] =
    &[("dhc", "jobs that do not run hold what is no processor: copies of processors bind")];

/// Policies for which a machine of one chosen node is not a pool, with the reason.
const NO_POOL_AS_NODE: &[(&str, &str)] = &[];

fn is_named(exceptions: &[(&str, &str)], spec: &str) -> bool {
    exceptions.iter().any(|(name, _)| spec.split(':').next() == Some(name))
}

fn times(outcome: &Outcome) -> (&[Time], &[Time]) {
    (&outcome.start, &outcome.end)
}

#[test]
fn exceptions_are_policies_and_say_why() {
    let registry = Registry::builtin();
    for (name, why) in [ON_POOLS_ONLY, COUNT_RESOURCES, NO_POOL_AS_NODE].concat() {
        assert!(registry.specs().iter().any(|spec| spec.name == name), "no policy is called {name}");
        assert!(why.contains(' '), "{name}: {why}");
    }
    let on_pools_only = |spec: &&PolicySpec| spec.needs.pool;
    for spec in registry.specs().iter().filter(on_pools_only) {
        assert!(is_named(ON_POOLS_ONLY, spec.name), "{} needs a pool without a stated reason", spec.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// With a journal every decision is made in full; without one it may go on from what the last one left.
    #[test]
    fn a_journal_changes_no_start_on_nodes(
        site in sites(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events);
        let mut journalled = scene.clone();
        journalled.journal = true;
        for spec in specs {
            let Ok((plain, _)) = try_play(&scene, &spec) else { continue };
            let (told, _) = play(&journalled, &spec);
            prop_assert_eq!(times(&plain), times(&told), "{}", spec);
        }
    }

    /// After every decision: no node holds more than its capacity, nor a job of another partition; every job is placed
    /// completely, each task whole. No job starts early or waits for ever. A policy may decline parameters.
    #[test]
    fn every_policy_keeps_to_the_nodes_of_any_machine(
        site in sites(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events);
        for spec in specs {
            if let Ok(outcome) = watched(&scene, &spec) {
                let workload = &scene.scenario.workload;
                prop_assert!(workload.jobs().all(|job| outcome.start(job) >= workload.submit(job)), "{}", spec);
                let ended = |job| outcome.fate(job) == Fate::Rejected || outcome.end(job) < Time::MAX;
                prop_assert!(workload.jobs().all(ended), "{}", spec);
            }
        }
    }

    #[test]
    fn every_policy_works_on_nodes_by_default(site in sites(), events in prompt_orders()) {
        let scene = site.play(Overrun::Raise).events(events);
        for spec in policies() {
            let played = watched(&scene, &bare(&spec));
            // A policy that places each processor separately does not accept tasks of several processors.
            let tasks = spec.needs.processors && scene.scenario.workload.has_tasks();
            let may_decline = tasks || is_named(ON_POOLS_ONLY, spec.name);
            prop_assert!(played.is_ok() || may_decline, "{}: {:?}", spec.name, played.err());
        }
    }

    #[test]
    fn one_node_is_a_pool_to_every_policy(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
        general in any::<bool>(),
    ) {
        let pool = sample.play(overrun).events(events);
        let node = Play { by_node: true, general, ..pool.clone() };
        for spec in specs.iter().filter(|spec| !is_named(NO_POOL_AS_NODE, spec)) {
            let (Ok((pool, _)), Ok((node, _))) = (try_play(&pool, spec), try_play(&node, spec)) else { continue };
            prop_assert_eq!(times(&pool), times(&node), "{} in {}", spec, events);
        }
    }

    /// Predictions that are too short make reservations slip at nearly every decision.
    #[test]
    fn one_node_is_a_pool_where_reservations_slip(
        sample in samples(),
        variant in select(vec!["compress", "rechoose"]),
        order in queue_orders(),
        predictor in select(PREDICTORS.to_vec()),
        corrector in select(vec!["request", "increment", "double"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let pool = sample.play(overrun).events(events);
        let node = Play { by_node: true, ..pool.clone() };
        let spec = format!(
            "conservative:variant={variant},order={order},predictor={predictor},corrector={corrector}"
        );
        let starts = [pool, node].map(|scene| play(&scene, &spec).0.start);
        prop_assert_eq!(&starts[0], &starts[1], "{} in {}", spec, events);
    }

    /// Identical resources, which every job needs in the same amount, never bind one without the other, also on nodes.
    #[test]
    fn identical_resources_are_one_to_every_policy(
        sample in samples(),
        site in sites(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
        kinds in select(vec![2, 3, 4, 8]),
    ) {
        let pools = [1, kinds].map(|kinds| sample.play_with(overrun, kinds).events(events));
        let nodes = [1, kinds].map(|kinds| site.with_copies(kinds).play(overrun).events(events));
        for [one, more] in [pools, nodes] {
            // Tetris adds fractions, and sums are rounded; policies that hold jobs in memory, or take turns,
            // keep other resources.
            let held = |spec: &str| spec.contains("hold=memory") || spec.starts_with("gs:");
            let exact = |spec: &&String| !spec.contains("tetris") && !held(spec);
            let exact = specs.iter().filter(exact);
            for spec in exact.filter(|spec| !is_named(COUNT_RESOURCES, spec)) {
                let Ok((one, _)) = try_play(&one, spec) else { continue };
                let more = try_play(&more, spec);
                // Lookahead and gang scheduling count only processors.
                prop_assert!(more.is_ok() || spec.contains("lookahead") || is_gang(spec), "{}", spec);
                let Ok((more, _)) = more else { continue };
                prop_assert_eq!(times(&one), times(&more), "{} with {} resources in {}", spec, kinds, events);
            }
        }
    }

    #[test]
    fn reservations_of_nodes_are_kept(
        site in sites(),
        spec in select(vec!["easy", "conservative", "conservative:variant=fixed", "conservative:place=best-fit"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let scene = Play { journal: true, ..site.play(overrun) };
        let (outcome, journal) = play(&scene, spec);
        let broken = promises(&scene.scenario, &outcome, &journal);
        prop_assert!(broken.is_empty(), "{}: {}", spec, broken[0]);
        let promised = journal.entries.iter().filter(|entry| matches!(entry.act, Act::Promised(_))).count();
        prop_assert!(spec == "easy" || promised >= scene.scenario.workload.len());
    }

    /// If no job ends early, there is no hole to move into, and a job that takes the lowest nodes takes them again.
    #[test]
    fn the_conservative_variants_coincide_on_nodes_with_exact_estimates(site in sites(), events in prompt_orders()) {
        let scene = site.exact().play(Overrun::Raise).events(events);
        let (fixed, _) = play(&scene, "conservative:variant=fixed");
        for variant in ["compress", "rechoose", "replan"] {
            let (other, _) = play(&scene, &format!("conservative:variant={variant}"));
            prop_assert_eq!(times(&fixed), times(&other), "{} in {}", variant, events);
        }
    }
}
